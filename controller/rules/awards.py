"""What the rules say of an event: awards, notices, asks, the end, or a refusal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
"""A JSON value."""

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Award:
    """Points that one rule gave to a side, or took from it.

    `rule` is the id of the article or of the ledger item (`BAG-12`, `M-13`); `why` is one sentence for the room.
    """

    side: str
    points: int
    rule: str
    why: str


@dataclass(frozen=True, slots=True)
class Notice:
    """What people must do now, or should know: "Lift the ball from cup 7"."""

    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class Ask:
    """What the old text leaves to people; answered by a `ruling` event. No choices: the answer is a number."""

    ask: str
    text: str
    choices: tuple[Json, ...] = ()


@dataclass(frozen=True, slots=True)
class Over:
    """How the game ended, and by which rule. A draw has no winner."""

    winner: str | None
    draw: bool
    double: bool
    rule: str


@dataclass(frozen=True, slots=True)
class Ruling(Generic[S]):
    """An event that stood: the state after it and what it changed.

    `unbanked` are the awards that would be banked now, in a game that banks late; they are not part of the score.
    """

    state: S
    awards: tuple[Award, ...] = ()
    unbanked: tuple[Award, ...] | None = None
    notices: tuple[Notice, ...] = ()
    asks: tuple[Ask, ...] = ()
    over: Over | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """An event that the rules don't allow: which rule, and why, in a sentence. The state is as it was."""

    rule: str
    text: str
