"""What those who follow a game are told, and what is refused them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from controller.engine.fold import Step
from controller.rules.awards import Json, Refusal
from controller.rules.errors import BadEvent
from controller.rules.game import Game

DEADLINE = "deadline"
"""Who has answered what nobody answered in time."""
NEWER = "What came after it speaks for another answer."
"""Why points change that were given already, where an event is evidence for what is still open."""


class Refused(Exception):
    """What was asked for can't be done now; the message says why, for the person who asked."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """Something that followers of events want to know: an event with its outcome, or a correction with both scores."""

    kind: Literal["event", "flagged", "correction", "result"]
    at: int
    step: Step | None
    by: str
    why: str = ""
    before: dict[str, Json] | None = None
    after: dict[str, Json] | None = None
    evidence: tuple[int, ...] = ()
    """Observations by which something turned out otherwise; those of an event are its own."""


def answered(question: str, said: str, by: str) -> str:
    """Why points change by an answer, as a sentence. `by`: who gave it."""
    return f"{question} {said}: nobody answered in time." if by == DEADLINE else f"{question} {said}."


def check_allowed(game: Game[Any], state: Any, event: dict[str, Json]) -> None:
    """Whether the rules would allow this event in a state. Raises `Refused` with the rule's sentence."""
    try:
        outcome = game.apply(state, game.read_in(state, event))
    except BadEvent as error:
        raise Refused(str(error)) from None
    if isinstance(outcome, Refusal):
        raise Refused(f"{outcome.rule}: {outcome.text}")
