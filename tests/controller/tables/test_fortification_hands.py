"""Hands at a fortification table: what breaks a beam as a ball does is asked about, and what comes with no stroke in play."""

from __future__ import annotations

import pytest

from controller.engine.requests import Answer, EnterEvent, StartGame, Undo
from controller.simulation.stage import simulated_table
from tests.fortification_kit import ARCHES, BELLS, BUTTONS, COLOURS, FULL, HEAD, PASS, POCKETS, SPOTS, FortBench, sensor
from tests.table_kit import same_again

FORT = "french-advanced-1"
PASSED = {"pass": {"english": "regular"}}
NO_BUTTON = HEAD + BELLS + ARCHES + COLOURS + PASS + POCKETS + SPOTS


def asked(table: FortBench) -> list[str]:
    return [question.text for question in table.shown.questions]


def notices(table: FortBench) -> list[str]:
    return [notice.text for notice in table.shown.notices]


def passed(table: str = FULL) -> FortBench:
    """A game in which the English have made their pass."""
    bench = FortBench(table).open()
    bench.set("french-pass-colours", on=False)
    bench.wait(1)
    assert bench.ask(StartGame(position=dict(PASSED))).ok
    bench.wait(0.5)
    return bench


# With a stroke in play


@pytest.mark.parametrize("seconds", [0.03, 12])
def test_what_breaks_an_arch_with_no_bell_is_asked_and_not_scored(seconds: float) -> None:
    table = FortBench(simulated_table("fortification")).open().start()
    table.stroke()
    table.set("english-attack-spot", on=False)
    table.wait(0.5)
    table.set("french-grand-arch", on=True)
    table.wait(seconds)
    table.set("french-grand-arch", on=False)
    table.rest()
    assert (table.score["english"], table.shown.provisional) == (0, True)
    (question,) = table.shown.questions
    assert [key for key, _ in question.choices] == ["english-attack", "rang", "none"]
    assert (dict(question.choices)["none"], question.likely) == ("No ball: it was a hand", "none")
    same_again(table)
    table.reply("english-attack")
    assert (table.score["english"], table.shown.provisional) == (-2, False)


def test_a_key_does_not_make_a_ball_of_what_breaks_an_arch() -> None:
    table = passed()
    table.stroke("english-attack")
    table.blink("french-grand-arch")
    table.rest()
    assert (table.score["english"], len(asked(table))) == (0, 1)
    table.reply("none")
    assert (table.score["english"], table.shown.provisional) == (0, False)


def test_a_ball_that_is_put_back_speaks_for_a_ball_in_the_arch() -> None:
    table = FortBench(HEAD + BELLS + ARCHES + SPOTS + BUTTONS).open().start()
    table.stroke()
    table.set("english-attack-spot", on=False)
    table.wait(0.5)
    table.blink("french-grand-arch")
    table.rest()
    assert table.score["english"] == 0
    table.spot("english-attack")
    table.rest()
    assert (table.score["english"], table.shown.provisional) == (-2, True)


def test_a_ball_that_is_read_in_an_arch_is_no_hand() -> None:
    table = FortBench(FULL + sensor("french-grand-ball", "reader")).open().start()
    table.stroke("english-attack")
    table.blink("french-grand-arch")
    table.sim.tell(table.by_role["french-grand-ball"].channels[0], "english-attack", table.now)
    table.rest()
    assert (table.score["english"], asked(table), table.shown.provisional) == (-2, [], False)


@pytest.mark.parametrize(
    ("seconds", "question"),
    [(0.08, None), (0.4, "Which ball fell into pocket 2?"), (5, "Which ball stays in pocket 2?")],
)
def test_what_is_in_a_pocket_for_longer_than_a_ball_is_asked_about(seconds: float, question: str | None) -> None:
    table = FortBench().open().start()
    table.stroke("english-attack")
    table.set("pocket-2", on=True)
    table.wait(seconds)
    table.set("pocket-2", on=False)
    table.rest()
    assert asked(table) == ([] if question is None else [question])
    assert table.score["english"] == (-2 if question is None else 0)
    assert table.shown.provisional is (question is not None)
    same_again(table)


@pytest.mark.parametrize(
    ("seconds", "question"),
    [
        (0.02, None),
        (0.4, "What went through the pass? Only the attacking ball, from its own side, makes it."),
        (5, "Something stays in the pass. Did a ball go through? Only the attacking ball, from its own side, makes it."),
    ],
)
def test_what_is_in_the_pass_for_longer_than_a_ball_is_asked_about(seconds: float, question: str | None) -> None:
    table = FortBench().open().start()
    table.stroke("english-attack")
    for on in (True, False):
        for end in (0, 1):
            table.set("english-pass", on=on, end=end)
            table.wait(seconds / 2)
    table.rest()
    assert asked(table) == ([] if question is None else [question])
    made = "none" if seconds > 1 else "made"
    assert table.shown.position["pass"]["english"] == made  # type: ignore[index, call-overload]
    same_again(table)


def test_with_no_button_a_hand_in_a_pocket_is_not_the_only_ball_that_may_lie_there() -> None:
    table = FortBench(NO_BUTTON).open().start()
    table.set("english-attack-spot", on=False)
    table.wait(0.5)
    table.through("english")
    table.rest(20)
    table.blink("pocket-3")
    table.rest()
    assert asked(table) == ["Which ball fell into pocket 3?"]
    assert table.shown.provisional


def test_in_a_fort_whose_bell_nobody_hears_what_stays_is_as_likely_a_hand() -> None:
    table = passed(NO_BUTTON.replace(sensor(FORT, "bell", more='form = "pulses"'), "") + BUTTONS)
    table.stroke()
    table.set("english-attack-spot", on=False)
    table.set(f"{FORT}-arch", on=True)
    table.rest()
    (question,) = table.shown.questions
    assert (question.likely, table.score["english"]) == ("none", 0)
    assert dict(question.choices)["none"] == "No ball: it was a hand"


# With no stroke in play


def test_a_bell_with_no_stroke_in_play_is_asked_about_and_then_played() -> None:
    table = passed()
    table.set("english-attack-spot", on=False)
    table.wait(0.5)
    table.into(FORT)
    table.rest()
    assert (table.events(), notices(table)) == ([], [])
    (question,) = table.shown.questions
    assert question.text == "The bell of the first French advanced fort rang while no stroke was in play. Was a stroke missed?"
    assert question.choices == (("none", "No: nothing counts"), ("played", "Yes: a stroke was played"))
    assert (question.likely, table.shown.provisional) == ("none", True)
    same_again(table)
    table.reply("played")
    assert table.events_told == [
        {
            "event": "stroke",
            "side": "english",
            "ball": "english-attack",
            "facts": [{"fact": "bell", "fort": FORT, "ball": "english-attack"}],
        }
    ]
    assert (table.score["english"], asked(table), table.shown.turn) == (4, [], "french")
    same_again(table)
    assert table.ask(Undo()).ok
    assert (table.score["english"], asked(table), table.shown.turn) == (0, [], "english")
    table.stroke("english-defence-1")
    table.rest()
    assert (table.score["english"], asked(table)) == (0, [])
    same_again(table)


def test_a_bell_that_a_hand_rang_counts_nothing() -> None:
    table = FortBench().open().start()
    table.into(FORT)
    table.rest()
    table.reply("none")
    assert (table.events(), asked(table), notices(table), table.shown.provisional) == ([], [], [], False)
    same_again(table)
    assert table.ask(Undo()).ok
    assert len(asked(table)) == 1
    table.reply("played")
    assert table.shown.turn == "french"
    same_again(table)


def test_what_hands_did_since_a_missed_stroke_counts_with_it() -> None:
    table = passed()
    table.set("english-attack-spot", on=False)
    table.wait(0.5)
    table.into(FORT)
    table.rest()
    table.lower(FORT)
    table.spot("english-attack")
    table.rest()
    table.reply("played")
    assert [event["event"] for event in table.events_told] == ["stroke", "colours_down", "respotted"]
    assert table.shown.position["forts"][FORT] == "taken"  # type: ignore[index, call-overload]
    assert table.shown.position["unspotted"] == {}
    assert table.engine.play is not None
    told = [step.entry.evidence for step in table.engine.play.fold.steps if step.stood]
    assert all(told), told
    same_again(table)


def test_what_comes_together_is_one_missed_stroke() -> None:
    table = FortBench().open().start()
    table.through("english")
    table.wait(1)
    table.blink("pocket-3")
    table.into(FORT)
    table.rest()
    assert asked(table) == [
        (
            "Something went through the pass, something fell into pocket 3 and the bell of the first French advanced fort rang "
            "while no stroke was in play. Was a stroke missed?"
        )
    ]
    table.rest()
    table.blink("pocket-4")
    table.rest()
    assert asked(table)[1:] == ["Something fell into pocket 4 while no stroke was in play. Was a stroke missed?"]
    table.reply("played", 1)
    assert table.shown.turn == "french"
    # That stroke is the later one: the earlier can only be put in.
    first = next(question for question in table.shown.questions if question.id.startswith("missed"))
    assert [key for key, _ in first.choices] == ["none", "entered"]
    same_again(table)


def test_when_play_has_gone_on_a_missed_stroke_can_only_be_entered() -> None:
    table = FortBench().open().start()
    table.blink("pocket-3")
    table.rest()
    table.stroke("english-attack")
    (question,) = table.shown.questions
    assert question.choices == (("none", "No: nothing counts"), ("entered", "Yes, and it has been entered"))
    # A press of which nothing came is taken back: all is as it was.
    table.press("undo")
    assert dict(table.shown.questions[0].choices).keys() == {"none", "played"}
    table.stroke("english-attack")
    table.stroke("french-attack")
    table.rest()
    same_again(table)
    assert not table.ask(Answer(question.id, "played")).ok
    table.reply("entered")
    assert (asked(table), len(table.events_told)) == ([], 1)
    same_again(table)


def test_a_missed_stroke_that_people_enter_is_asked_about_no_longer() -> None:
    table = FortBench().open().start()
    table.blink("pocket-3")
    table.rest()
    fact = {"fact": "holed", "ball": "french-attack"}
    assert table.ask(EnterEvent({"event": "stroke", "side": "english", "ball": "english-attack", "facts": [fact]})).ok
    assert (asked(table), table.score["english"], table.shown.provisional) == ([], 2, False)
    same_again(table)
    assert table.ask(Undo()).ok
    assert len(asked(table)) == 1
    same_again(table)


def test_an_arch_with_no_stroke_in_play_is_told_unless_a_hand_takes_a_ball_out() -> None:
    table = passed()
    table.blink("french-grand-arch")
    table.rest()
    assert (asked(table), notices(table)) == (
        [],
        ["Something went into the French grand fort with no stroke in play: nothing counts. If a stroke was missed, enter it."],
    )
    table.stroke("english-attack")
    assert notices(table) == []
    table.into(FORT)
    table.rest()
    table.lower(FORT)
    table.blink(f"{FORT}-arch")
    table.spot("english-attack")
    table.rest()
    assert (asked(table), notices(table)) == ([], [])
    # What falls where a ball lies already is as likely the hand that takes it out.
    table.stroke("french-defence-1")
    table.blink("pocket-1")
    table.rest()
    table.spot("french-defence-1")
    table.blink("pocket-1")
    table.rest()
    assert (asked(table), len(notices(table))) == ([], 1)
    assert table.events_told[-1] == {"event": "respotted", "ball": "french-defence-1"}


def test_when_a_game_is_over_hands_may_do_what_they_like() -> None:
    table = FortBench(HEAD + POCKETS + BELLS + SPOTS + BUTTONS + sensor("pocket-1-ball", "reader")).open()
    assert table.ask(StartGame(position={"score": {"english": 18}})).ok
    table.wait(1)
    table.stroke()
    for ball in ("english-attack", "french-attack"):
        table.set(f"{ball}-spot", on=False)
    table.wait(0.5)
    table.sim.tell(table.by_role["pocket-1-ball"].channels[0], "french-attack", table.now)
    table.blink("pocket-1")
    table.rest()
    assert table.shown.phase == "over"
    table.blink("pocket-2")
    table.into(FORT)
    table.rest()
    assert asked(table) == []
    assert table.ask(Undo()).ok
    table.rest()
    assert (table.shown.phase, asked(table)) == ("playing", [])


def test_a_bell_that_stirs_by_itself_asks_a_few_times_and_is_a_notice_then() -> None:
    table = FortBench()
    table.open().start()
    for _ in range(8):
        table.into("french-grand")
        table.rest()
    missed = [question for question in table.shown.questions if question.id.startswith("missed-")]
    assert len(missed) == 3
    said = "The bell of the French grand fort rang with no stroke in play: nothing counts. If a stroke was missed, enter it."
    assert said in [notice.text for notice in table.shown.notices]
    assert table.ask(Answer(missed[0].id, "none")).ok
    table.into("french-grand")
    table.rest()
    assert len([question for question in table.shown.questions if question.id.startswith("missed-")]) == 3
