"""Sensors of a fortification table that are left out or were never fitted: what hung on them is asked, of whatever remains."""

from __future__ import annotations

import pytest

from controller.engine.requests import EnterEvent, Quarantine, Release, StartGame
from tests.fortification_kit import ARCHES, BELLS, BUTTONS, COLOURS, FULL, HEAD, KEYS, PASS, POCKETS, SPOTS, FortBench, sensor
from tests.table_kit import same_again

FORT, LOW = "french-advanced-2", "french-advanced-1"
PASSED = {"pass": {"english": "regular"}}
SAID = "Did the bell of the second French advanced fort ring? "


def ready(table: str = FULL, *lost: str) -> FortBench:
    """A game in which the English have made their pass, some sensors left out."""
    bench = FortBench(table).open()
    if "french-pass-colours" in bench.by_role:
        bench.set("french-pass-colours", on=False)
        bench.wait(1)
    for role in lost:
        assert bench.ask(Quarantine(role)).ok
    assert bench.ask(StartGame(position=dict(PASSED))).ok
    bench.wait(0.5)
    assert bench.shown.phase == "playing", bench.shown.notices
    return bench


def asked(table: FortBench) -> list[str]:
    return [question.text for question in table.shown.questions]


def keys(table: FortBench) -> list[str]:
    return [key for key, _ in table.shown.questions[0].choices]


# A bell


@pytest.mark.parametrize("table", [FULL, FULL.replace(sensor(FORT, "bell", more='form = "pulses"'), "")])
def test_a_ball_in_the_arch_of_a_bell_that_nobody_hears_is_asked_about(table: str) -> None:
    bench = ready(table, *([FORT] if table == FULL else []))
    assert (FORT in bench.by_role) == (table == FULL)
    bench.stroke("english-attack")
    bench.into(FORT, ring=False)
    bench.rest()
    assert asked(bench) == [f"{SAID}Something went in."]
    assert keys(bench) == ["english-attack", "english-attack-silent", "none"]
    assert (bench.score["english"], bench.shown.provisional) == (4, True)
    same_again(bench)
    bench.reply("english-attack-silent")
    assert (bench.score["english"], asked(bench)) == (0, [])


def test_a_bell_that_is_heard_again_is_asked_about_no_longer() -> None:
    bench = ready(FULL, FORT)
    assert bench.ask(Release(FORT)).ok
    bench.stroke("english-attack")
    bench.into(FORT)
    bench.rest()
    assert (bench.score["english"], asked(bench)) == (4, [])


def test_what_went_in_and_came_out_again_may_have_rung_it() -> None:
    bench = ready(FULL, FORT)
    bench.stroke("english-attack")
    bench.blink(f"{FORT}-arch")
    bench.wait(0.5)
    bench.blink(f"{FORT}-arch")
    bench.rest()
    assert asked(bench) == [f"{SAID}Something went in."]
    assert bench.score["english"] == 0
    bench.reply("english-attack")
    assert bench.score["english"] == 4


def test_colours_that_come_down_ask_for_a_bell_with_no_arch() -> None:
    bench = ready(FULL, FORT, f"{FORT}-arch")
    bench.stroke("english-attack")
    bench.into(FORT, ring=False)
    bench.lower(FORT)
    bench.rest()
    assert asked(bench) == [f"{SAID}Its colours came down."]
    assert (bench.score["english"], bench.flagged) == (4, [])
    assert bench.shown.position["forts"][FORT] == "taken"  # type: ignore[index, call-overload]
    same_again(bench)
    bench.reply("none")
    assert bench.score["english"] == 0
    assert [event["event"] for event in bench.flagged] == ["colours_down"]


def test_colours_that_come_down_when_the_stroke_has_been_told_ask_too() -> None:
    bench = ready(FULL, FORT, f"{FORT}-arch")
    bench.stroke("english-attack")
    bench.through("english")
    bench.rest()
    assert (bench.events_told[-1]["event"], asked(bench), bench.shown.provisional) == ("stroke", [], False)
    bench.lower(FORT)
    bench.rest()
    assert asked(bench) == [f"{SAID}Its colours came down."]
    assert bench.score["english"] == 4
    same_again(bench)
    bench.reply("none")
    assert bench.score["english"] == 0


def test_a_late_flag_of_the_stroke_before_is_nothing_of_the_next() -> None:
    bench = ready(FULL, FORT, f"{FORT}-arch")
    bench.stroke("english-attack")
    bench.into(LOW)
    bench.rest()
    bench.stroke("french-defence-1")
    bench.lower(FORT)
    bench.rest()
    assert (asked(bench), bench.score["english"]) == ([], 4)


def test_with_no_button_the_colours_are_a_stroke() -> None:
    bench = ready(HEAD + COLOURS + PASS + ARCHES + POCKETS, f"{FORT}-arch")
    bench.lower(FORT)
    bench.rest()
    assert asked(bench) == [f"{SAID}Its colours came down."]
    assert (bench.score["english"], bench.shown.turn) == (4, "french")
    same_again(bench)


def test_a_reading_alone_tells_of_a_ball_in_a_fort_and_asks_for_its_bell() -> None:
    reader = sensor(f"{FORT}-ball", "reader")
    bench = ready(HEAD + BELLS + COLOURS + BUTTONS + reader, FORT)
    bench.stroke()
    for _ in range(2):
        bench.sim.tell(bench.by_role[f"{FORT}-ball"].channels[0], "english-attack", bench.now)
        bench.wait(0.5)
    bench.rest()
    assert keys(bench) == ["english-attack", "english-attack-silent"]
    bench.reply("english-attack")
    assert bench.score["english"] == 4


def test_a_reading_alone_tells_of_a_ball_in_a_pocket() -> None:
    bench = ready(HEAD + BELLS + COLOURS + BUTTONS + sensor("pocket-2-ball", "reader"))
    bench.stroke()
    bench.sim.tell(bench.by_role["pocket-2-ball"].channels[0], "english-defence-1", bench.now)
    bench.rest()
    assert bench.events_told[-1]["facts"] == [{"fact": "holed", "ball": "english-defence-1"}]


# The pass


def test_the_colours_of_a_pass_with_no_beams_ask_for_it() -> None:
    bench = FortBench(HEAD + BELLS + COLOURS + SPOTS + KEYS + BUTTONS).open().start()
    bench.stroke("english-attack")
    bench.lower("french-pass")
    bench.rest()
    assert asked(bench) == ["Did the English attacking ball go through the pass? Its colours came down."]
    assert bench.shown.position["pass"]["english"] == "regular"  # type: ignore[index, call-overload]
    same_again(bench)
    bench.reply("none")
    assert bench.shown.position["pass"]["english"] == "none"  # type: ignore[index, call-overload]


# Colours


def test_colours_that_nobody_sees_are_asked_about_before_the_next_stroke() -> None:
    bench = ready(FULL, f"{FORT}-colours")
    bench.stroke("english-attack")
    bench.into(FORT)
    bench.rest()
    assert (asked(bench), bench.score["english"]) == ([], 4)
    bench.stroke("french-attack")
    bench.into("english-advanced-1")
    bench.rest()
    down = (
        "Were the colours of the second French advanced fort taken down before the next stroke was played? "
        "If not, it must be taken again."
    )
    assert down in asked(bench)
    assert bench.score["english"] >= 4
    same_again(bench)
    place = asked(bench).index(down)
    before = bench.score["english"]
    bench.reply("no", place)
    assert bench.score["english"] == before - 4


def test_colours_of_a_pass_that_nobody_sees_are_asked_about_too() -> None:
    bench = FortBench(HEAD + BELLS + PASS + SPOTS + BUTTONS).open().start()
    bench.stroke()
    bench.set("english-attack-spot", on=False)
    bench.wait(0.5)
    bench.through("english")
    bench.rest()
    bench.stroke()
    bench.set("french-attack-spot", on=False)
    bench.wait(1)
    bench.stroke()
    bench.into(LOW)
    bench.rest()
    assert asked(bench)[0] == (
        "Were the colours of the French pass taken down before the next stroke was played? If not, the pass must be made again."
    )
    same_again(bench)


def test_colours_that_people_have_entered_are_not_asked_about() -> None:
    bench = ready(FULL, f"{FORT}-colours")
    bench.stroke("english-attack")
    bench.into(FORT)
    bench.rest()
    assert bench.ask(EnterEvent({"event": "colours_down", "of": FORT, "by": "english"})).ok
    bench.stroke("french-defence-1")
    bench.blink("pocket-3")
    bench.rest()
    assert not [text for text in asked(bench) if "colours" in text]
