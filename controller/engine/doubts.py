"""Doubts: what may have been missed while a source was away, and people alone can say.

A doubt is a question that fills no unknown. While it is open the game is provisional: its score is kept and play goes on, but no
result is final. It ends when people say that the score is right (after they have corrected what is wrong), or by itself when the
source comes back with everything that it had kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from controller.engine.labels import clock_of
from controller.tables.table import Choice, Question

DOUBT = "away-"
"""The ids of doubts begin with it."""

_CHOICES = (Choice("yes", "The score is right"),)


def is_doubt(question: str) -> bool:
    """Whether that is the id of a doubt."""
    return question.startswith(DOUBT)


def open_doubts(questions: Iterable[Question], answered: Iterable[str]) -> tuple[Question, ...]:
    """The doubts that nobody has cleared."""
    cleared = set(answered)
    return tuple(q for q in questions if is_doubt(q.id) and q.due and q.id not in cleared)


def away(number: int, source: str, since: str) -> Question:
    """The doubt about a source that has gone away. `since`: wall time in ISO 8601."""
    text = f"{source} is away since {clock_of(since)}: enter what it would have seen. Is the score right?"
    return Question(f"{DOUBT}{number}", text, _CHOICES, "yes", due=True)


def was_away(number: int, source: str, since: str, until: str) -> Question:
    """The doubt about one that is back, and has missed something, or may have."""
    text = f"{source} was away from {clock_of(since)} to {clock_of(until)} and may have missed something. Is the score right?"
    return Question(f"{DOUBT}{number}", text, _CHOICES, "yes", due=True)


def cleared(doubt: Question) -> Question:
    """The doubt when its source has missed nothing."""
    return replace(doubt, due=False)
