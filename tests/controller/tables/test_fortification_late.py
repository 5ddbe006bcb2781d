"""What a fortification table learns late: whose ball it was, when a stroke began that no button told, and what led to it."""

from __future__ import annotations

import pytest

from controller.engine.requests import EnterEvent, StartGame, Undo
from controller.rules.fortification import Fortification
from controller.rules.fortification.words import BALLS
from controller.tables.fortification import FortificationTable
from controller.tables.readings import Read, late_reads
from controller.tables.signs import Sign
from controller.tables.table import Draft, Seen, Standing
from hardware.observations import Kind, Observation
from hardware.signals import MS, SECOND
from tests.fortification_kit import ARCHES, BELLS, BUTTONS, COLOURS, FULL, HEAD, KEYS, PASS, POCKETS, SPOTS, FortBench, sensor
from tests.table_kit import same_again

FORT = "french-advanced-1"
READERS = sensor(f"{FORT}-ball", "reader") + sensor("pocket-1-ball", "reader")
PLAIN = HEAD + BELLS + ARCHES + COLOURS + PASS + POCKETS + READERS + BUTTONS
NO_BUTTON = HEAD + BELLS + ARCHES + COLOURS + PASS + POCKETS + SPOTS + sensor("undo", "button")
PASSED = {"pass": {"english": "regular"}}


def asked(table: FortBench) -> list[str]:
    return [question.text for question in table.shown.questions]


def keys(table: FortBench) -> list[str]:
    return [key for key, _ in table.shown.questions[0].choices]


def read(table: FortBench, place: str, ball: str) -> None:
    table.sim.tell(table.by_role[f"{place}-ball"].channels[0], ball, table.now)
    table.wait(0.1)


def ready(table: str) -> FortBench:
    """A game in which the English have made their pass."""
    bench = FortBench(table).open()
    bench.set("french-pass-colours", on=False)
    bench.wait(1)
    assert bench.ask(StartGame(position=dict(PASSED))).ok
    bench.wait(0.5)
    assert bench.shown.phase == "playing"
    return bench


def evidence(table: FortBench) -> list[list[str]]:
    """The sensors that led to each event that stands."""
    assert table.engine.play is not None
    records = {r.id: r for r in table.journal.records_of(table.engine.play.start.id)}  # type: ignore[attr-defined]
    steps = [step for step in table.engine.play.fold.steps if step.stood]
    return [[str(records[number].body["sensor"]) for number in step.entry.evidence] for step in steps]


# Balls that are read late


def test_a_late_reading_answers_which_ball_rang() -> None:
    table = ready(PLAIN)
    table.stroke()
    table.into(FORT)
    table.rest()
    assert (len(asked(table)), table.score["english"]) == (1, 4)
    read(table, FORT, "english-defence-1")
    assert (asked(table), table.score["english"], table.shown.provisional) == ([], -2, False)
    assert table.engine.play is not None
    (question,) = (one for one in table.engine.play.questions.values() if len(one.choices) == 1)
    assert len(question.evidence) == 1
    same_again(table)


def test_a_reading_during_the_stroke_is_late_too() -> None:
    table = ready(PLAIN)
    table.stroke()
    table.into(FORT)
    table.wait(0.5)
    read(table, FORT, "english-attack")
    table.rest()
    assert (asked(table), table.score["english"], table.shown.provisional) == ([], 4, False)


def test_a_late_reading_answers_which_ball_fell_and_which_went_in() -> None:
    table = FortBench(PLAIN).open().start()
    table.stroke()
    table.blink("pocket-1")
    table.wait(0.2)
    table.blink(f"{FORT}-arch")
    table.rest()
    assert len(asked(table)) == 2
    read(table, "pocket-1", "french-attack")
    assert asked(table) == ["Which ball went into the first French advanced fort? Its bell was not heard."]
    read(table, FORT, "french-defence-1")
    assert (asked(table), table.score["english"], table.shown.provisional) == ([], 4, False)
    same_again(table)


def test_a_late_reading_narrows_whether_a_bell_rang_that_nobody_hears() -> None:
    table = ready(PLAIN.replace(sensor(FORT, "bell", more='form = "pulses"'), ""))
    table.stroke()
    table.blink(f"{FORT}-arch")
    table.rest()
    assert len(keys(table)) == 13
    read(table, FORT, "english-attack")
    assert keys(table) == ["english-attack", "english-attack-silent"]
    table.reply("english-attack-silent")
    assert table.score["english"] == 0
    same_again(table)


def test_two_balls_that_are_read_and_one_that_its_key_contradicts_are_asked() -> None:
    table = ready(FULL + READERS)
    table.stroke("english-attack")
    table.into(FORT)
    table.rest()
    assert (asked(table), table.score["english"], table.shown.provisional) == ([], 4, False)
    # Its spot has this ball all the time.
    read(table, FORT, "english-defence-1")
    assert keys(table) == ["english-defence-1", "english-attack", "silent", "none"]
    assert table.shown.provisional
    same_again(table)
    table.reply("english-attack")
    assert (table.score["english"], table.shown.provisional) == (4, False)
    table = ready(PLAIN)
    table.stroke()
    table.into(FORT)
    table.rest()
    read(table, FORT, "english-attack")
    assert asked(table) == []
    read(table, FORT, "english-defence-2")
    assert keys(table)[:2] == ["english-attack", "english-defence-2"]
    same_again(table)


def test_what_is_asked_rests_on_every_late_reading_there() -> None:
    table = ready(PLAIN)
    table.stroke()
    table.into(FORT)
    table.rest()
    read(table, FORT, "english-attack")
    read(table, FORT, "english-defence-2")
    play = table.engine.play
    assert play is not None
    reads = [r.id for r in table.journal.records_of(play.start.id) if r.body.get("sensor") == f"{FORT}-ball"]  # type: ignore[attr-defined]
    assert play.tellings.led_to(play.fold.steps[-1].entry)[-2:] == tuple(reads[-2:])
    assert len(set(reads)) == 2
    same_again(table)


def test_a_ball_that_is_put_back_is_the_likely_one_by_its_spot_until_that_is_undone() -> None:
    table = FortBench(HEAD + BELLS + COLOURS + SPOTS + BUTTONS).open().start()
    table.stroke()
    for ball in ("english-attack", "english-defence-1"):
        table.set(f"{ball}-spot", on=False)
    table.wait(0.1)
    table.into(FORT)
    table.rest()
    assert table.shown.questions[0].likely == "english-attack"
    table.spot("english-defence-1")
    table.wait(2)
    play = table.engine.play
    assert play is not None
    assert table.shown.questions[0].likely == "english-defence-1"
    spotted = play.fold.steps[-1].entry.evidence
    assert play.tellings.led_to(play.fold.steps[0].entry)[-1:] == spotted
    same_again(table)
    assert table.ask(Undo()).ok
    assert table.shown.questions[0].likely == "english-attack"
    assert spotted[0] not in play.tellings.led_to(play.fold.steps[0].entry)


def test_a_key_that_a_late_reading_contradicts_is_asked_about() -> None:
    table = ready(PLAIN + KEYS)
    table.stroke("english-attack")
    table.into(FORT)
    table.wait(0.5)
    read(table, FORT, "english-defence-1")
    table.rest()
    (question,) = table.shown.questions
    assert (keys(table)[:2], question.likely) == (["english-defence-1", "english-attack"], "english-defence-1")


def test_two_balls_that_are_read_in_an_arch_are_asked_the_likely_first() -> None:
    table = FortBench(PLAIN).open().start()
    table.stroke()
    table.blink("french-advanced-1-arch")
    for ball in ("english-defence-1", "english-attack"):
        read(table, FORT, ball)
    table.rest()
    (question,) = table.shown.questions
    assert (keys(table)[:2], question.likely) == (["english-defence-1", "english-attack"], "english-defence-1")


def test_what_a_reading_beside_the_bell_has_told_is_asked_no_more() -> None:
    table = ready(PLAIN)
    table.stroke()
    read(table, FORT, "english-attack")
    table.into(FORT)
    table.rest()
    assert (asked(table), table.score["english"]) == ([], 4)
    assert table.engine.play is not None
    before = set(table.engine.play.questions)
    read(table, FORT, "english-defence-1")
    assert set(table.engine.play.questions) == before


def test_a_reading_belongs_to_what_came_last_before_the_next_stroke() -> None:
    signs = [Sign("pocket", "pocket-1", at * SECOND, at) for at in (10, 12)]
    reads = [Read("pocket-1", "french-attack", at * SECOND, at) for at in (11, 13, 15)]
    assert [read.id for read in late_reads(signs[0], signs, reads, 14 * SECOND)] == [11]
    assert [read.id for read in late_reads(signs[1], signs, reads, 14 * SECOND)] == [13]


def test_a_late_reading_that_says_the_same_changes_nothing() -> None:
    table = ready(FULL + READERS)
    table.stroke("english-attack")
    table.into(FORT)
    table.rest()
    read(table, FORT, "english-attack")
    assert (asked(table), table.score["english"], table.shown.provisional) == ([], 4, False)


def test_no_reading_is_asked_when_people_have_answered() -> None:
    table = ready(PLAIN)
    table.stroke()
    table.into(FORT)
    table.rest()
    table.reply("english-attack")
    read(table, FORT, "english-defence-1")
    assert (asked(table), table.score["english"]) == ([], 4)
    same_again(table)
    assert table.ask(Undo()).ok
    assert len(asked(table)) == 1


def test_a_reading_in_the_next_stroke_tells_nothing_of_the_one_before() -> None:
    table = ready(PLAIN)
    table.stroke()
    table.into(FORT)
    table.rest()
    table.stroke()
    read(table, FORT, "french-attack")
    assert keys(table)[0] == "english-attack"
    table.stroke()
    table.rest()
    assert len(keys(table)) == 8


def test_with_neither_button_nor_beam_a_late_reading_may_be_the_next_strokes() -> None:
    table = ready(HEAD + BELLS + COLOURS + PASS + POCKETS + READERS + SPOTS)
    for ball in ("english-attack", "english-defence-1"):
        table.set(f"{ball}-spot", on=False)
    table.wait(0.5)
    table.into(FORT)
    table.rest()
    before = asked(table)
    read(table, FORT, "english-defence-1")
    assert asked(table) == before
    table.rest()
    assert [event["event"] for event in table.events_told] == ["stroke", "stroke"]


def test_what_was_read_before_something_else_came_there_is_not_what_came() -> None:
    made = FortificationTable(["pocket-1", "pocket-1-ball", "stroke"])
    made.begin(Standing(Fortification().position(Fortification().start()), over=False, turn_number=0), 0)

    def see(number: int, role: str, kind: Kind, value: str | bool, at: float) -> None:
        when = round(at * SECOND)
        made.observe(Seen(number, Observation(when, when, role, role, kind, value)))

    see(1, "stroke", "press", True, 10)
    see(2, "pocket-1", "crossing", "", 11)
    see(3, "pocket-1-ball", "card", "french-attack", 11.6)
    see(4, "pocket-1", "crossing", "", 12)
    see(5, "pocket-1", "crossing", "", 13)
    see(6, "pocket-1-ball", "card", "english-attack", 13.6)
    (told, *_) = made.advance(20 * SECOND)
    assert isinstance(told, Draft)
    holed = [{"fact": "holed", "ball": ball} for ball in ("french-attack", "english-attack")]
    assert told.event["facts"] == [holed[0], "?ball-4", holed[1]]


def test_a_reading_just_after_the_next_press_is_none_of_the_stroke_before() -> None:
    made = FortificationTable([FORT, f"{FORT}-ball", "stroke"])
    made.begin(Standing(Fortification().position(Fortification().start()), over=False, turn_number=0), 0)
    seen = [(1, "stroke", "press", True, 10.0), (2, FORT, "ring", 400, 11.0), (3, "stroke", "press", True, 13.0)]
    for number, role, kind, value, at in [*seen, (4, f"{FORT}-ball", "card", "french-attack", 13.05)]:
        when = round(at * SECOND)
        made.observe(Seen(number, Observation(when, when, role, role, kind, value)))  # type: ignore[arg-type]
    (told,) = made.advance(20 * SECOND)
    assert isinstance(told, Draft)
    assert told.event["facts"] == ["?ball-2"]


# Colours and the beginning of a stroke with no button


def fort_taken() -> FortBench:
    """The English have taken a fort; its colours are still up."""
    table = ready(NO_BUTTON)
    table.set("english-attack-spot", on=False)
    table.wait(0.8)
    table.into(FORT)
    table.rest()
    table.spot("english-attack")
    table.rest()
    assert (table.score["english"], asked(table)) == (4, [])
    return table


def test_colours_that_fall_when_the_next_ball_has_left_its_spot_come_too_late() -> None:
    table = fort_taken()
    table.set("french-attack-spot", on=False)
    table.wait(1.5)
    table.lower(FORT)
    table.blink("pocket-2")
    table.rest()
    assert table.shown.position["forts"][FORT] == "standing"  # type: ignore[index, call-overload]
    assert (table.score["english"], [event["event"] for event in table.flagged]) == (0, ["colours_down"])
    same_again(table)


@pytest.mark.parametrize("away", [1, 30])
def test_a_ball_that_was_lifted_and_put_back_is_no_stroke(away: float) -> None:
    table = fort_taken()
    table.set("french-attack-spot", on=False)
    table.wait(away)
    table.lower(FORT)
    table.spot("french-attack")
    table.rest()
    assert table.shown.position["forts"][FORT] == "taken"  # type: ignore[index, call-overload]
    table.set("french-defence-1-spot", on=False)
    table.wait(1)
    table.blink("pocket-2")
    table.rest()
    assert (table.score, table.flagged) == ({"english": 4, "french": -2}, [])
    same_again(table)


def test_a_ball_that_left_its_spot_long_ago_did_not_begin_the_stroke() -> None:
    table = fort_taken()
    table.set("french-attack-spot", on=False)
    table.wait(5)
    table.lower(FORT)
    table.rest(15)
    table.set("french-defence-1-spot", on=False)
    table.wait(0.5)
    table.blink("pocket-2")
    table.rest()
    assert table.shown.position["forts"][FORT] == "taken"  # type: ignore[index, call-overload]
    assert (table.score["english"], len(table.events_told)) == (4, 4)
    same_again(table)


def test_a_miss_that_people_enter_is_the_ball_that_left_its_spot() -> None:
    table = fort_taken()
    table.set("french-attack-spot", on=False)
    table.wait(1)
    table.lower(FORT)
    table.rest(20)
    assert table.ask(EnterEvent({"event": "stroke", "side": "french", "ball": "french-attack", "facts": []})).ok
    table.rest()
    assert (table.score["english"], [event["event"] for event in table.flagged]) == (0, ["colours_down"])
    assert table.shown.turn == "english"
    same_again(table)


def test_undo_takes_back_what_counted_though_a_ball_has_left_its_spot() -> None:
    table = fort_taken()
    table.set("french-attack-spot", on=False)
    table.wait(0.5)
    before = len(table.events_told)
    table.press("undo")
    assert len(table.events_told) == before - 1


def test_what_becomes_known_late_is_of_the_same_stroke() -> None:
    """A bell is sure when it has rung; a ball in a pocket that fell after it is known before."""
    made = FortificationTable([FORT, "pocket-1", "english-attack-spot"])
    made.baseline({"english-attack-spot": True}, 0)
    made.begin(Standing(Fortification().position(Fortification().start()), over=False, turn_number=0), 0)
    seen = [
        (1, "pocket-1", "crossing", "", 10.3),
        (2, FORT, "ring", 300, 10.1),
        (3, "english-attack-spot", "level", False, 9.9),
    ]
    for number, role, kind, value, at in seen:
        when = round(at * SECOND)
        made.observe(Seen(number, Observation(when, when + SECOND, role, role, kind, value)))  # type: ignore[arg-type]
    told = made.advance(30 * SECOND)
    assert [out.at for out in told if isinstance(out, Draft)] == [9_900 * MS]
    assert isinstance(told[-1], Draft)
    assert told[-1].evidence == (1, 2, 3)
    assert made.next_deadline() is None


def test_a_spot_that_settles_after_the_press_is_of_the_stroke_that_was_called() -> None:
    spots = {f"{ball}-spot": True for ball in BALLS}
    made = FortificationTable(["pocket-1", "stroke", *spots])
    made.baseline(spots, 0)
    made.begin(Standing(Fortification().position(Fortification().start()), over=False, turn_number=0), 0)
    seen = [
        (1, "stroke", "press", True, 10.0),
        (2, "english-attack-spot", "level", False, 9.95),
        (3, "pocket-1", "crossing", "", 11.0),
    ]
    for number, role, kind, value, at in seen:
        when = round(at * SECOND)
        made.observe(Seen(number, Observation(when, when + 100 * MS, role, role, kind, value)))  # type: ignore[arg-type]
    (told,) = made.advance(30 * SECOND)
    assert isinstance(told, Draft)
    assert told.event["facts"] == [{"fact": "holed", "ball": "english-attack"}]
    assert told.evidence == (1, 2, 3)


# What led to an event


def test_every_event_has_what_led_to_it() -> None:
    table = FortBench(HEAD + BELLS + PASS + KEYS + BUTTONS).open()
    assert table.ask(StartGame(position=dict(PASSED))).ok
    table.wait(0.5)
    table.stroke("english-attack")
    table.into(FORT)
    table.rest()
    table.stroke("french-attack")
    table.stroke("english-attack")
    table.into("french-advanced-2")
    table.rest()
    assert [event["event"] for event in table.events_told] == ["stroke", "colours_down", "stroke", "respotted", "stroke"]
    assert all(evidence(table)), evidence(table)
    assert evidence(table)[1] == ["french-attack-key"]
    assert evidence(table)[3] == ["english-attack-key", "french-advanced-2"]


def test_the_spot_that_says_whose_ball_it_was_is_in_the_evidence() -> None:
    table = fort_taken()
    assert evidence(table)[0] == ["english-attack-spot", f"{FORT}-arch", FORT]
    table = ready(NO_BUTTON)
    # It is known after the beam.
    table.set(f"{FORT}-arch", on=True)
    table.set("english-attack-spot", on=False)
    table.wait(0.03)
    table.set(f"{FORT}-arch", on=False)
    table.into(FORT)
    table.rest()
    assert "english-attack-spot" in evidence(table)[0]
