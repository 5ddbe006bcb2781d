"""The demo before visitors who have the PIN: whatever they do to the game, the players find back to one."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from controller.engine.requests import Abandon, Command, Pause, Request, Resume, StartGame
from controller.engine.snapshot import Snapshot
from controller.simulation.show import PIN, STUCK, Show
from hardware.signals import SECOND


@pytest.fixture
def show(request: pytest.FixtureRequest) -> Iterator[Show]:
    show = Show(request.param, 1, speed=1, games=None, port=0, mqtt_port=0)
    show._stage.open()
    yield show
    show._stage.close()
    show._journal.close()
    show._folder.cleanup()


def play(show: Show, seconds: int) -> Snapshot:
    stage = show._stage
    until = stage.now + seconds * SECOND
    while stage.now < until:
        show.play_until(stage.now + SECOND)
    assert show.shown is not None
    return show.shown


@pytest.mark.parametrize("show", ["bagatelle", "fortification", "squails", "maw"], indirect=True)
@pytest.mark.parametrize("command", [StartGame(("Visitor", "Friend")), Abandon()])
def test_a_game_that_a_visitor_begins_or_ends_is_followed_by_one_of_the_players(show: Show, command: Command) -> None:
    before = play(show, 60)
    show._submit(Request(command, "web"))
    after = play(show, 120)
    assert after.phase not in ("idle", "abandoned")
    assert after.game_id != before.game_id
    assert "Visitor" not in [side.name for side in after.sides]
    assert after.moves > 0, "it is being played"


@pytest.mark.parametrize("show", ["fortification"], indirect=True)
def test_players_who_have_lost_track_begin_anew_and_a_pause_lasts_as_long_as_the_visitor_likes(show: Show) -> None:
    before = play(show, 60)
    show._submit(Request(Pause(), "web"))
    assert play(show, 2 * STUCK // SECOND).phase == "paused"
    show._stage.evening.next_time = show._stage.now + 10_000 * SECOND  # they sit there and don't know how to go on
    show._submit(Request(Resume(), "web"))
    after = play(show, STUCK // SECOND + 60)
    assert (after.phase, after.game_id != before.game_id) == ("playing", True)


@pytest.mark.parametrize("show", ["bagatelle"], indirect=True)
def test_the_console_takes_the_pin_that_is_printed(show: Show) -> None:
    show._web.start()
    try:
        answer = httpx.post(f"http://127.0.0.1:{show.port}/api/pin", headers={"authorization": f"Bearer {PIN}"})
    finally:
        show._web.stop()
    assert answer.json() == {"ok": True, "error": None}
