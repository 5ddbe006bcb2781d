"""Points that were shown and are others now: whoever follows events is told before and after, whatever has changed them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from controller.engine.occurrences import NEWER
from controller.engine.requests import Answer, Quarantine, StartGame
from controller.publish.messages import encode, event_message
from tests.asking_kit import GAMES
from tests.fortification_kit import ARCHES, BELLS, BUTTONS, HEAD, FortBench
from tests.fortification_kit import COLOURS as FLAGS
from tests.fortification_kit import FULL as FORTS
from tests.table_kit import COLOURS as BLACKS
from tests.table_kit import FULL, Bench, same_again


def told(table: Any) -> list[tuple[Any, Any, Any]]:
    """The corrections as they go to `…/events`: why, before, after."""
    sent = [json.loads(encode(event_message(one, str))) for one in table.events("correction")]
    assert {one["kind"] for one in sent} <= {"correction"}
    return [(one["event"]["why"], one["before"], one["after"]) for one in sent]


def adds_up(table: Any) -> bool:
    """Whether whoever adds the awards of all events and the changes of all corrections has the score."""
    score = dict.fromkeys(table.score, 0)
    for one in table.watcher.happenings:
        if one.kind == "correction":
            assert score == one.before
            score = dict(one.after)
        elif one.kind == "event":
            for award in one.ruling.get("awards", []):
                score[award["side"]] += award["points"]
    return bool(score == table.score)


def test_a_colour_that_comes_late_is_told_as_a_correction() -> None:
    table = Bench(f"{FULL}\n{BLACKS}").open().start()
    table.play_ball(5, strike=True)
    table.play_ball(3)
    table.press("end-of-turn")
    table.wait(1)
    assert (table.score["A"], told(table)) == (8, [])
    table.set("black-3", on=True)
    table.wait(1)
    before, after = {"A": 8, "B": 0}, {"A": 11, "B": 0}
    assert told(table) == [("Which cup holds the black? Cup 3.", before, after)]
    assert adds_up(table)
    same_again(table)


@pytest.mark.parametrize("game", GAMES)
def test_an_answer_that_changes_points_is_told_as_a_correction(game: str) -> None:
    table, (likely, score) = GAMES[game].asked(), GAMES[game].likely
    other, changed = GAMES[game].other
    (question,) = table.shown.questions
    text = dict(question.choices)[other]
    assert table.ask(Answer(question.id, other)).ok
    assert likely != other
    assert told(table) == [(f"{question.text} {text}.", score, changed)]
    assert adds_up(table)


@pytest.mark.parametrize("game", GAMES)
def test_an_answer_that_changes_nothing_is_none(game: str) -> None:
    table = GAMES[game].asked()
    assert table.ask(Answer(table.shown.questions[0].id, GAMES[game].likely[0])).ok
    assert told(table) == []


def after_the_pass(*lost: str, text: str = FORTS) -> FortBench:
    """The English have made their pass."""
    table = FortBench(text).open()
    table.set("french-pass-colours", on=False)
    table.wait(1)
    table.ask(StartGame(position={"pass": {"english": "regular"}}))
    table.wait(0.5)
    for one in lost:
        assert table.ask(Quarantine(one)).ok
    return table


def test_an_event_that_speaks_for_another_answer_is_told_as_a_correction_before_it() -> None:
    table = after_the_pass(text=HEAD + BELLS + ARCHES + FLAGS + BUTTONS)
    table.stroke()
    table.into("french-advanced-1", ring=False)
    table.rest()
    assert (table.score["english"], [question.likely for question in table.shown.questions]) == (0, ["none"])
    table.lower("french-advanced-1")
    table.rest()
    assert told(table) == [(NEWER, {"english": 0, "french": 0}, {"english": 4, "french": 0})]
    assert [one.kind for one in table.watcher.happenings] == ["event", "correction", "event"]
    assert adds_up(table)


def test_colours_that_tell_of_a_stroke_that_has_been_told_correct_its_points() -> None:
    table = after_the_pass("french-advanced-2", "french-advanced-2-arch")
    table.stroke("english-attack")
    table.through("english")
    table.rest()
    table.lower("french-advanced-2")
    table.rest()
    why = "Did the bell of the second French advanced fort ring? Its colours came down. It rang: the English attacking ball."
    assert told(table) == [(why, {"english": 0, "french": 0}, {"english": 4, "french": 0})]
    assert adds_up(table)
