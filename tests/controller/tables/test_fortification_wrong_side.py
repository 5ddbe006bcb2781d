"""A fortification table whose sensors give a stroke to the side not in turn, or to a ball that stands on its spot: it asks."""

from __future__ import annotations

from typing import Any

import pytest

from controller.engine.requests import Answer, EnterEvent, Undo
from tests.fortification_kit import ARCHES, BELLS, BUTTONS, COLOURS, FULL, HEAD, PASS, POCKETS, SPOTS, FortBench, sensor
from tests.table_kit import same_again

FORT = "french-advanced-1"
NO_BUTTON = HEAD + BELLS + ARCHES + COLOURS + PASS + POCKETS + SPOTS + sensor("undo", "button")
STROKE = HEAD + BELLS + ARCHES + COLOURS + PASS + POCKETS + SPOTS + BUTTONS
STANDING = "It is the turn of the French, but none of their balls left its spot. Whose stroke was it?"
LAPSED = "It is the turn of the French, but only balls of the English left their spots. Whose stroke was it?"
RANG = {"fact": "bell", "fort": FORT, "ball": "english-attack"}


def press(table: FortBench) -> None:
    if "stroke" in table.by_role:
        table.stroke()


def leave(table: FortBench, ball: str) -> None:
    table.set(f"{ball}-spot", on=False)
    table.wait(1.2)


def french_turn(text: str) -> FortBench:
    """The English have made their pass, and their attacking ball is back on its spot; all French balls stand on theirs."""
    table = FortBench(text).open().start()
    table.wait(1)
    press(table)
    leave(table, "english-attack")
    table.through("english")
    table.rest()
    table.lower("french-pass")
    table.spot("english-attack")
    table.wait(3)
    assert table.shown.turn == "french"
    return table


def choose(table: FortBench, choice: str) -> None:
    (question,) = [one for one in table.shown.questions if one.id.startswith("played-")]
    reply = table.ask(Answer(question.id, choice))
    assert reply.ok, reply.error
    table.wait(1)


def asked(table: FortBench) -> list[tuple[str, str]]:
    return [(question.text, question.likely) for question in table.shown.questions]


def strokes(table: FortBench) -> list[tuple[Any, Any, Any]]:
    """Those after the pass: side, ball and facts."""
    told = [event for event in table.events_told if event["event"] == "stroke"]
    return [(event["side"], event["ball"], event["facts"]) for event in told[1:]]


MISSED_BEFORE = [("french", "french-attack", []), ("english", "english-attack", [RANG])]


@pytest.mark.parametrize("text", [NO_BUTTON, STROKE])
@pytest.mark.parametrize(
    ("choice", "score", "turn", "told"),
    [
        ("missed", (4, 0), "french", MISSED_BEFORE),
        ("english-attack", (0, -2), "english", [("french", "english-attack", [RANG])]),
        ("own", (0, 6), "english", [("french", "french-attack", [RANG])]),
        ("none", (0, 0), "french", []),
    ],
)
def test_an_english_ball_alone_moves_in_the_turn_of_the_french(
    text: str, choice: str, score: tuple[int, int], turn: str, told: list[Any]
) -> None:
    table = french_turn(text)
    press(table)
    leave(table, "english-attack")
    table.into(FORT)
    play = table.engine.play
    assert play is not None
    assert [step.event["side"] for step in play.shown()] == ["french", "english"]
    table.rest()
    assert asked(table) == [(STANDING, "missed")]
    assert table.shown.provisional
    # What people expect: the English played, and nobody saw that the French had.
    assert strokes(table) == MISSED_BEFORE
    assert table.score == {"english": 4, "french": 0}
    choose(table, choice)
    assert (tuple(table.score.values()), table.shown.turn, strokes(table)) == (score, turn, told)
    assert not table.shown.provisional
    same_again(table)


def test_a_key_that_agrees_with_the_spots_speaks_for_a_missed_stroke() -> None:
    table = french_turn(STROKE + sensor("english-attack-key", "button"))
    table.stroke("english-attack")
    table.into(FORT)
    table.rest()
    assert asked(table) == [(STANDING, "missed")]
    assert strokes(table) == MISSED_BEFORE


def test_a_key_that_names_a_ball_on_its_spot_is_asked_about() -> None:
    table = french_turn(STROKE + sensor("french-defence-1-key", "button"))
    table.press("french-defence-1-key")
    leave(table, "english-attack")
    table.into(FORT)
    table.rest()
    assert asked(table) == [(STANDING, "own")]
    assert [key for key, _ in table.shown.questions[0].choices] == ["own", "english-attack", "none"]
    assert (strokes(table), table.shown.provisional) == ([("french", "french-defence-1", [RANG])], True)
    assert table.flagged == []
    choose(table, "english-attack")
    assert (strokes(table), table.score["french"]) == ([("french", "english-attack", [RANG])], -2)


def test_a_ball_that_lies_about_is_the_only_one_that_can_ring() -> None:
    table = french_turn(STROKE)
    table.stroke()
    table.set("french-attack-spot", on=False)
    leave(table, "english-attack")
    table.rest()
    table.spot("french-attack")
    # A press of which nothing was seen is a miss, whoever stands where.
    table.stroke()
    table.stroke()
    table.rest()
    assert (table.shown.turn, asked(table)) == ("french", [])
    table.into(FORT)
    table.rest()
    assert asked(table) == [(STANDING, "missed")]


def test_a_stroke_that_was_missed_may_be_the_other_sides() -> None:
    table = french_turn(STROKE)
    leave(table, "english-attack")
    table.into(FORT)
    table.rest()
    table.reply("played")
    table.rest()
    assert asked(table) == [(STANDING, "missed")]
    assert strokes(table) == MISSED_BEFORE
    same_again(table)


def test_a_ball_that_left_its_spot_and_did_nothing_may_have_been_a_stroke() -> None:
    table = french_turn(NO_BUTTON)
    leave(table, "french-defence-1")
    table.rest(12)
    leave(table, "english-attack")
    table.into(FORT)
    table.rest()
    assert asked(table)[0] == (LAPSED, "missed")
    assert strokes(table) == [("french", "french-defence-1", []), ("english", "english-attack", [RANG])]
    assert table.shown.provisional
    choose(table, "own")
    assert (strokes(table), table.score["french"]) == ([("french", "french-defence-1", [RANG])], 6)
    same_again(table)


def test_a_ball_that_was_played_from_where_it_lay_is_in_no_doubt() -> None:
    table = french_turn(NO_BUTTON)
    leave(table, "french-attack")
    table.blink("pocket-2")
    table.rest()
    leave(table, "english-attack")
    table.into(FORT)
    table.rest()
    leave(table, "english-defence-1")
    table.into("french-advanced-2")
    table.rest()
    assert not [text for text, _ in asked(table) if text.endswith("Whose stroke was it?")]


def test_undo_takes_back_what_was_seen_and_the_question_is_left_of_what_was_missed() -> None:
    table = french_turn(NO_BUTTON)
    leave(table, "english-attack")
    table.into(FORT)
    table.rest()
    assert table.ask(Undo()).ok
    table.wait(1)
    assert (strokes(table), asked(table)) == (MISSED_BEFORE[:1], [(STANDING, "missed")])
    choose(table, "none")
    assert (strokes(table), table.shown.turn, asked(table)) == ([], "french", [])
    same_again(table)


@pytest.mark.parametrize(("button", "likely"), [("stroke", "other"), ("english-attack-key", "english-attack")])
def test_a_pass_while_the_attacking_ball_stands_on_its_spot_is_another_balls(button: str, likely: str) -> None:
    table = FortBench(FULL).open().start()
    table.press(button)
    table.wait(1)
    table.through("english")
    table.rest()
    (question,) = table.shown.questions
    assert question.likely == likely
    assert table.shown.position["pass"]["english"] == ("none" if likely == "other" else "made")  # type: ignore[index, call-overload]
    table.reply("english-attack")
    assert table.shown.position["pass"]["english"] == "made"  # type: ignore[index, call-overload]


def test_a_pass_of_a_missed_stroke_while_all_stand_counts_for_nothing_unasked() -> None:
    table = FortBench(FULL).open().start()
    table.wait(1)
    table.through("english")
    table.rest()
    table.reply("played")
    table.wait(1)
    assert [likely for _, likely in asked(table)] == ["other"]
    assert table.shown.position["pass"]["english"] == "none"  # type: ignore[index, call-overload]


def test_the_ball_that_was_cued_is_none_that_stands_on_its_spot() -> None:
    table = FortBench(STROKE).open().start()
    table.stroke()
    leave(table, "english-defence-2")
    leave(table, "english-defence-1")
    table.blink("pocket-2")
    table.rest()
    assert table.events_told[-1]["ball"] != "english-attack"


def test_the_next_stroke_that_was_called_meanwhile_is_still_in_play() -> None:
    table = french_turn(STROKE)
    table.stroke()
    leave(table, "english-attack")
    table.into(FORT)
    table.stroke()
    leave(table, "french-attack")
    table.rest()
    table.through("french")
    table.rest()
    passed = {"fact": "pass", "ball": "french-attack", "from": "own_side"}
    assert strokes(table) == [*MISSED_BEFORE, ("french", "french-attack", [passed])]
    assert table.shown.position["pass"]["french"] == "made"  # type: ignore[index, call-overload]


def test_what_hands_did_since_counts_after_both_strokes() -> None:
    table = french_turn(STROKE)
    leave(table, "english-attack")
    table.into(FORT)
    table.rest()
    table.lower(FORT)
    table.spot("english-attack")
    table.rest()
    table.reply("played")
    table.rest()
    told = [event["event"] for event in table.events_told]
    assert told == ["stroke", "colours_down", "stroke", "stroke", "colours_down", "respotted"]
    assert (table.shown.position["forts"][FORT], table.shown.position["unspotted"]) == ("taken", {})  # type: ignore[index, call-overload]
    same_again(table)


def test_a_stroke_that_was_not_missed_is_none_that_people_entered() -> None:
    table = french_turn(STROKE)
    table.blink("pocket-2")
    table.rest()
    table.stroke()
    leave(table, "english-attack")
    table.into(FORT)
    table.rest()
    choose(table, "own")
    about = [text for text, _ in asked(table)]
    assert about == ["Something fell into pocket 2 while no stroke was in play. Was a stroke missed?"]
    miss = {"event": "stroke", "side": "english", "ball": "english-attack", "facts": []}
    assert table.ask(EnterEvent(miss)).ok
    table.wait(1)
    assert asked(table) == []


def test_colours_that_alone_can_tell_of_it_are_those_of_the_side_that_played() -> None:
    table = french_turn(HEAD + COLOURS + PASS + POCKETS + SPOTS + BUTTONS)
    table.stroke()
    leave(table, "english-attack")
    table.blink("pocket-2")
    table.rest()
    table.lower(FORT)
    table.rest()
    assert ("Did the bell of the first French advanced fort ring? Its colours came down.", "english-attack") in asked(table)


def test_a_ball_that_left_its_spot_long_ago_is_forgotten_when_people_enter_strokes() -> None:
    table = french_turn(NO_BUTTON)
    leave(table, "french-defence-1")
    table.rest(12)
    table.set("pocket-2", on=True)
    table.rest()
    table.set("pocket-2", on=False)
    for side, ball in (("french", "french-defence-1"), ("english", "english-attack")):
        assert table.ask(EnterEvent({"event": "stroke", "side": side, "ball": ball, "facts": []})).ok
        table.wait(1)
    leave(table, "english-attack")
    table.into(FORT)
    table.rest()
    assert [text for text, _ in asked(table)] == ["Which ball rang the bell of the first French advanced fort?"]
