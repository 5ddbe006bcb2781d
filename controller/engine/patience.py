"""How long the table waits for people, and what happens then: a pause, the end of the game, the likely answer.

Each is a deadline that passes once and is a record from then on: a pause or the giving up of the game by `idle`, an answer by
`deadline`. Nothing of it is worked out again when the game is taken up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from controller.engine.play import GameInPlay
from controller.tables.table import Question
from hardware.signals import SECOND

IDLE = "idle"
"""Who pauses a game, or gives it up, when nobody plays: as its record has it."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the table waits, in nanoseconds; None: for ever.

    `idle_after`, `abandon_after`: nothing moves and nobody asks for anything, then the game is paused, or given up;
    `answer_within`: a question waits, then the likely answer is taken.
    """

    idle_after: int | None = None
    abandon_after: int | None = None
    answer_within: int | None = None


FOR_EVER = Patience()


class Due(NamedTuple):
    """What is to be done when nobody comes, and when."""

    at: int
    what: Literal["pause", "abandon", "answer"]
    question: str = ""


def next_due(patience: Patience, play: GameInPlay, active: int) -> Due | None:
    """What comes first, if people do nothing. `active`: when they last did something."""
    return min(_all_due(patience, play, active), default=None)


def _all_due(patience: Patience, play: GameInPlay, active: int) -> Iterator[Due]:
    phase = play.table.phase
    if play.ended:
        return
    if patience.idle_after is not None and phase in ("arming", "playing", "clearing"):
        yield Due(active + patience.idle_after, "pause")
    # A game that is over and only waits for an answer has been played: it is never thrown away.
    if patience.abandon_after is not None and phase != "over":
        yield Due(active + patience.abandon_after, "abandon")
    if patience.answer_within is not None and phase != "paused":
        for question, since in play.asked_since.items():
            yield Due(since + patience.answer_within, "answer", question)


def unanswered(patience: Patience, play: GameInPlay, question: Question) -> str:
    """What is done with a question that nobody answers, as a sentence; nothing where it waits for ever."""
    if patience.answer_within is None or question.id not in play.asked_since:
        return ""
    choice = next(c.text for c in question.choices if c.key == play.in_force(question.id))
    return f"If nobody answers within {span(patience.answer_within)}, it is taken as: {choice}."


def span(ns: int) -> str:
    """A time as people say it."""
    seconds = ns // SECOND
    return f"{seconds // 60} min" if seconds % 60 == 0 else f"{seconds} s"
