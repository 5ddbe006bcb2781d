"""What hands did at a fortification table while nobody watched is asked about as soon as it is known."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from controller.engine.requests import Answer, Command, EnterEvent, Pause, Quarantine, Release, Resume, StartGame
from controller.rules.awards import Json
from tests.fortification_kit import FULL, FortBench
from tests.loose_kit import LooseTable
from tests.table_kit import same_again

FORT, NEXT = "french-advanced-2", "french-advanced-1"
PASSED: dict[str, Json] = {"pass": {"english": "regular"}}
DOWN = (
    "The colours of the second French advanced fort came down unseen. Were they taken down before the next stroke was played? "
    "If not, it must be taken again."
)
BACK = (
    "The English attacking ball was put back unseen. Was it on its spot before the next stroke was played? "
    "If not, a fort that is taken then wins nothing."
)


class LooseFort(LooseTable, FortBench):
    """A fortification table on a board whose cable can be pulled out."""

    def again(self, boot: str = "boot-2", *, plugged: bool = True) -> LooseFort:
        """Switched off at the wall and on again, flags and balls as they are."""
        table = LooseFort(self.journal, boot, plugged=plugged, table=self.table)  # type: ignore[arg-type]  # it has a journal
        for sensor in self.table.sensors:
            for channel in sensor.channels:
                table.sim.set(channel, self.sim.levels()[channel], table.now)
        return table


def taken() -> LooseFort:
    """The English have taken a fort; its colours are due and the ball that took it is owed."""
    bench = LooseFort(table=FULL)
    bench.open()
    bench.set("french-pass-colours", on=False)
    bench.wait(1)
    say(bench, StartGame(position=PASSED))
    bench.stroke("english-attack")
    bench.into(FORT)
    bench.rest()
    assert (bench.score, asked(bench)) == ({"english": 4, "french": 0}, [])
    return bench


def say(bench: FortBench, command: Command) -> None:
    reply = bench.ask(command)
    assert reply.ok, reply.error
    bench.wait(0.5)


def asked(bench: FortBench) -> list[str]:
    return [question.text for question in bench.shown.questions]


def left_out(bench: LooseFort, role: str, *, on: bool) -> LooseFort:
    say(bench, Quarantine(role))
    bench.set(role, on=on)
    bench.wait(1)
    say(bench, Release(role))
    return bench


def paused(bench: LooseFort, role: str, *, on: bool) -> LooseFort:
    say(bench, Pause())
    bench.set(role, on=on)
    bench.wait(1)
    assert asked(bench) == []
    say(bench, Resume())
    return bench


def switched_off(bench: LooseFort, role: str, *, on: bool) -> LooseFort:
    again = bench.again()
    again.set(role, on=on)
    again.open()
    again.wait(1)
    assert not [text for text in asked(again) if "unseen" in text]
    say(again, Answer("go-on", "yes"))
    return again


def board_away(bench: LooseFort, role: str, *, on: bool) -> LooseFort:
    again = bench.again(plugged=False)
    again.open()
    say(again, Answer("go-on", "yes"))
    again.set(role, on=on)
    again.wait(1)
    again.cable.plug(kept=False)
    again.wait(3)
    return again


Way = Callable[..., LooseFort]
WAYS = [left_out, paused, switched_off, board_away]


def next_fort(bench: FortBench) -> None:
    """The French miss, then the English play into another fort."""
    bench.stroke("french-attack")
    bench.rest()
    bench.stroke("english-attack")
    bench.into(NEXT)
    bench.rest()


@pytest.mark.parametrize("way", WAYS)
def test_colours_that_came_down_unseen_are_asked_about_and_nothing_is_taken_back_unasked(way: Way) -> None:
    bench = way(taken(), f"{FORT}-colours", on=False)
    assert (asked(bench).count(DOWN), bench.score["english"]) == (1, 4)
    assert next(q.likely for q in bench.shown.questions if q.text == DOWN) == "yes"
    same_again(bench)
    next_fort(bench)
    assert bench.score["english"] == 4
    assert bench.shown.provisional
    same_again(bench)
    bench.reply("no", asked(bench).index(DOWN))
    assert bench.score["english"] == 0
    assert [event["event"] for event in bench.flagged] == ["colours_down"]


@pytest.mark.parametrize("way", WAYS)
def test_that_they_came_down_in_time_is_said_once(way: Way) -> None:
    bench = way(taken(), f"{FORT}-colours", on=False)
    bench.reply("yes", asked(bench).index(DOWN))
    next_fort(bench)
    assert (bench.score["english"], DOWN in asked(bench)) == (4, False)
    assert [event for event in bench.events_told if event["event"] == "colours_down"] == [
        {"event": "colours_down", "of": FORT, "by": "english"}
    ]


@pytest.mark.parametrize("way", WAYS)
def test_a_ball_that_was_put_back_unseen_is_asked_about(way: Way) -> None:
    bench = taken()
    bench.lower(FORT)
    bench = way(bench, "english-attack-spot", on=True)
    assert (asked(bench).count(BACK), bench.score["english"]) == (1, 4)
    same_again(bench)
    next_fort(bench)
    assert bench.score["english"] == 8
    bench.reply("no", asked(bench).index(BACK))
    assert bench.score["english"] == 4


@pytest.mark.parametrize("way", WAYS)
def test_colours_that_went_up_unseen_are_told_and_score_nothing(way: Way) -> None:
    bench = taken()
    bench.lower(FORT)
    bench.wait(1)
    before = bench.events_told
    bench = way(bench, f"{FORT}-colours", on=True)
    up = "The colours of the second French advanced fort are up, by the score they are down: take them down, or correct."
    assert up in [notice.text for notice in bench.shown.notices]
    assert [text for text in asked(bench) if "unseen" in text] == []
    assert (bench.events_told, bench.score["english"]) == (before, 4)


@pytest.mark.parametrize("way", WAYS)
def test_what_is_as_it_was_asks_nothing(way: Way) -> None:
    bench = way(taken(), f"{FORT}-colours", on=True)
    assert [text for text in asked(bench) if "unseen" in text] == []
    bench.lower(FORT)
    next_fort(bench)
    assert (bench.score["english"], [text for text in asked(bench) if "unseen" in text]) == (4, [])


def test_a_stroke_that_people_enter_takes_nothing_back_unasked_though_the_game_is_paused() -> None:
    bench = taken()
    say(bench, Pause())
    bench.lower(FORT)
    say(bench, EnterEvent({"event": "stroke", "side": "french", "ball": "french-attack", "facts": []}))
    assert (asked(bench), bench.score["english"]) == ([DOWN], 4)
    same_again(bench)
    say(bench, Resume())
    assert asked(bench) == [DOWN]


def test_what_was_seen_in_a_pause_to_come_after_the_next_stroke_came_too_late() -> None:
    bench = taken()
    bench.stroke("french-attack")
    paused(bench, f"{FORT}-colours", on=False)
    assert asked(bench) == []
    bench.stroke("english-attack")
    bench.rest()
    assert (bench.score["english"], asked(bench)) == (0, [])


def test_a_sensor_that_is_back_in_the_next_stroke_asks_before_that_is_told() -> None:
    bench = taken()
    say(bench, Quarantine(f"{FORT}-colours"))
    bench.lower(FORT)
    bench.stroke("french-attack")
    say(bench, Release(f"{FORT}-colours"))
    assert (asked(bench), bench.score["english"]) == ([DOWN], 4)
    bench.into("english-advanced-1")
    bench.rest()
    assert DOWN in asked(bench)
    same_again(bench)


def test_colours_that_lay_down_unseen_before_their_fort_was_taken_need_no_question() -> None:
    bench = taken()
    bench.lower(FORT)
    bench.spot("english-attack")
    left_out(bench, f"{NEXT}-colours", on=False)
    next_fort(bench)
    assert (bench.score["english"], asked(bench)) == (8, [])
    assert bench.events_told[-1] == {"event": "colours_down", "of": NEXT, "by": "english"}


def test_a_ball_that_stood_on_its_spot_when_its_sensor_was_left_out_may_have_been_away_meanwhile() -> None:
    bench = taken()
    bench.lower(FORT)
    bench.spot("english-attack")
    say(bench, Quarantine("english-attack-spot"))
    next_fort(bench)
    bench.spot("english-attack")
    assert bench.shown.position["unspotted"] == {"english-attack": "english"}
    say(bench, Release("english-attack-spot"))
    assert BACK in asked(bench)


def test_colours_that_came_down_unseen_while_their_fort_was_being_taken_are_asked_about() -> None:
    bench = taken()
    bench.lower(FORT)
    bench.spot("english-attack")
    bench.stroke("french-attack")
    bench.rest()
    bench.stroke("english-attack")
    bench.into(NEXT)
    left_out(bench, f"{NEXT}-colours", on=False)
    bench.rest()
    assert asked(bench) == [DOWN.replace("second", "first")]
    assert bench.score["english"] == 8
    same_again(bench)


def test_what_a_board_tells_when_its_cable_is_back_counts_then_and_the_score_is_in_doubt() -> None:
    bench = taken()
    bench.unplug()
    bench.set(f"{FORT}-colours", on=False)
    bench.wait(5)
    bench.cable.plug(kept=False)
    bench.wait(3)
    next_fort(bench)
    assert bench.score["english"] == 4
    assert any("may have missed something" in text for text in asked(bench))
