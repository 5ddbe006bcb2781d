"""A sensor that goes bad in the middle of a game is left out by itself, is shown, and comes back by command; a ball may lie."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pytest_mock import MockerFixture

from controller.engine.journal import Journal
from controller.engine.requests import Answer, Release
from controller.engine.sickness import LASTING
from hardware.signals import SECOND
from tests.table_kit import EPOCH, FULL, Bench


@pytest.fixture
def table() -> Bench:
    table = Bench().open().start()
    table.play_ball(5, strike=True)
    return table


def storm(table: Bench, role: str) -> None:
    """A loose wire: eleven hundred edges within half a second."""
    for turn in range(1100):
        table.set(role, on=turn % 2 == 0)
        table.now += SECOND // 2200
        table.sim.advance(table.now)
    table.wait(1.5)


def chatter(table: Bench, role: str, seconds: float) -> None:
    """Forty edges a second, none of which lasts."""
    until = table.now + seconds * SECOND
    while table.now < until:
        for _ in range(20):
            for on in (True, False):
                table.set(role, on=on)
                table.now += SECOND // 1000
                table.sim.advance(table.now)
        table.wait(0.96)


def left_out(table: Bench) -> list[str]:
    return [view.name for view in table.shown.sensors if view.quarantined]


def test_what_ails_a_source_that_is_there_is_said_and_ends_by_itself(table: Bench, mocker: MockerFixture) -> None:
    real = table.sim.health
    ails = ("board:left/22: no sensor answers on I²C at 0x29", "sim:lamp changed more than 1000 times")
    mocker.patch.object(table.sim, "health", side_effect=lambda: replace(real(), faults=ails, muted=("sim:door", "sim:lamp")))
    table.wait(0.5)
    assert table.shown.faults == ("board:left/22: no sensor answers on I²C at 0x29.",)
    assert not table.shown.provisional
    mocker.stopall()
    table.wait(0.5)
    assert table.shown.faults == ()


def test_a_storm_is_left_out_at_once_and_said(table: Bench) -> None:
    storm(table, "cup-3")
    assert left_out(table) == ["cup-3"]
    (fault,) = table.shown.faults
    assert fault.startswith("cup-3 is left out since 20:00:00: sim:cup-3 changed more than 1000 times within a second")
    assert fault.endswith("Enter what it would have seen, and release it when it is mended.")
    table.set("cup-3", on=True)
    table.play_ball(7)
    assert table.pending == {"A": 12}


def test_it_is_journalled_and_stays_out_over_a_restart(table: Bench) -> None:
    storm(table, "cup-3")
    journal = table.journal
    assert isinstance(journal, Journal)
    (kept,) = [r.body for r in journal.kept().open_game if r.body.get("command") == "quarantine"]
    assert (kept["sensor"], kept["lost"], kept["by"]) == ("cup-3", ["cup-3"], "health")
    again = table.again().open()
    assert left_out(again) == ["cup-3"]
    assert [fault.partition(":")[0] for fault in again.shown.faults] == ["cup-3 is left out since 20"]
    again.ask(Answer("go-on", "yes"))
    assert again.ask(Release("cup-3")).ok
    assert (left_out(again), again.shown.faults) == ([], ())


def test_chatter_is_left_out_when_it_lasts(table: Bench) -> None:
    chatter(table, "cup-3", 20)
    assert any("chatters" in fault for view in table.shown.sensors for fault in view.health.faults)
    assert left_out(table) == []
    chatter(table, "cup-3", LASTING // SECOND)
    assert left_out(table) == ["cup-3"]
    assert "cup-3 chatters: " in table.shown.faults[0]


def test_chatter_that_stops_is_forgiven(table: Bench) -> None:
    for _ in range(3):
        chatter(table, "cup-3", 30)
        table.wait(30)
    assert left_out(table) == []


def test_what_is_released_is_left_out_again_only_when_it_lasts_again(table: Bench) -> None:
    chatter(table, "cup-3", 15 + LASTING // SECOND)
    assert left_out(table) == ["cup-3"]
    assert table.ask(Release("cup-3")).ok
    chatter(table, "cup-3", LASTING // SECOND - 10)
    assert left_out(table) == []
    chatter(table, "cup-3", 20)
    assert left_out(table) == ["cup-3"]


def test_a_button_that_is_stuck_is_left_out(table: Bench) -> None:
    table.set("next-ball", on=True)
    table.wait(50)
    assert left_out(table) == []
    table.wait(20)
    assert left_out(table) == ["next-ball"]
    assert "next-ball has been down for 60 s: it is stuck, or something leans on it" in table.shown.faults[0]


def test_a_beam_that_stays_blocked_is_left_out(table: Bench) -> None:
    table.set("half-way", on=True)
    table.wait(70)
    assert left_out(table) == ["half-way"]
    assert "half-way is blocked" in table.shown.faults[0]


def test_a_ball_that_lies_long_in_a_cup_is_not_stuck(table: Bench) -> None:
    table.wait(3600)
    assert table.now - EPOCH > 3600 * SECOND
    assert (left_out(table), table.pending) == ([], {"A": 5})


def test_between_games_nothing_is_left_out_and_at_the_next_start_what_still_storms_is() -> None:
    table = Bench(FULL).open()
    storm(table, "cup-3")
    assert left_out(table) == []
    for turn in range(1100):
        table.set("cup-3", on=turn % 2 == 0)
        table.now += SECOND // 2200
        table.sim.advance(table.now)
    table.start()
    table.wait(1.5)
    assert left_out(table) == ["cup-3"]
