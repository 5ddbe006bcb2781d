"""Questions whose answers fill no unknown: the table takes the choice itself, and the game waits for it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.engine.fold import Fold
from controller.engine.questions import Settled, settle
from controller.engine.standing import standing_of
from controller.rules.registry import find_game
from controller.tables.table import Choice, Question

WHICH = Question("extra-7", "Which cup holds no ball?", (Choice("cup-3", "Cup 3"), Choice("cup-5", "Cup 5")), "cup-3", due=True)


def settled(question: Question, answers: dict[str, str]) -> Settled:
    return settle(Fold(find_game("bagatelle"), {}, {}), [], [question], answers, {})


def test_it_is_asked_and_the_game_is_provisional_until_it_is_answered() -> None:
    asked = settled(WHICH, {})
    assert (asked.asked, asked.provisional) == ((WHICH,), True)
    answered = settled(WHICH, {"extra-7": "cup-5"})
    assert (answered.asked, answered.provisional) == ((), False)


@pytest.mark.parametrize("question", [replace(WHICH, due=False), replace(WHICH, choices=WHICH.choices[:1])], ids=["later", "one"])
def test_what_is_not_due_or_leaves_one_answer_is_not_asked(question: Question) -> None:
    nothing = settled(question, {})
    assert (nothing.asked, nothing.provisional) == ((), False)


def test_an_answer_that_is_no_choice_any_more_is_none() -> None:
    assert settled(WHICH, {"extra-7": "cup-9"}).asked == (WHICH,)


def test_a_table_is_told_what_was_answered() -> None:
    standing = standing_of(Fold(find_game("bagatelle"), {}, {}), {}, (), (), {"extra-7": "cup-5"})
    assert standing.answers == {"extra-7": "cup-5"}
