"""The events of a game of fortification billiards, and the facts of a stroke."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from controller.rules.awards import Json
from controller.rules.fortification.words import Ball, Colours, Fort, Side
from controller.rules.game import Event, RulingEvent
from controller.rules.shapes import Unreadable

FactKind = Literal["pass", "bell", "in_fort", "holed", "off_table", "on_fort", "on_cushion", "hit"]

_NEEDS = {"pass": "from", "bell": "fort", "in_fort": "fort", "hit": "cushion_first"}


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that happened to a ball during a stroke.

    `bell` (FORT-15a) and `in_fort` name the `fort`, `pass` says `from` which side, `hit` whether the cued ball met this
    one off the cushion (`cushion_first`); the others have the ball alone. Raises `Unreadable` for a field too few or many.
    """

    fact: FactKind
    ball: Ball
    fort: Fort | None = None
    from_: Literal["own_side", "enemy_side"] | None = None
    cushion_first: bool | None = None

    def __post_init__(self) -> None:
        needed = _NEEDS.get(self.fact)
        for name, value in (("fort", self.fort), ("from", self.from_), ("cushion_first", self.cushion_first)):
            if (value is not None) != (name == needed):
                raise Unreadable(
                    f"facts: {self.fact!r} wants the field {name!r}"
                    if name == needed
                    else f"facts: {self.fact!r} has no field {name!r}"
                )

    def written(self) -> dict[str, Json]:
        """Its JSON object: the fields of its kind alone."""
        fact: dict[str, Json] = {"fact": self.fact, "ball": self.ball}
        fact |= {"fort": self.fort} if self.fort else {}
        fact |= {"from": self.from_} if self.from_ else {}
        return fact if self.cushion_first is None else {**fact, "cushion_first": self.cushion_first}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stroke(Event):
    """A stroke of `side` with `ball`, and what happened, in order where it is known.

    A stroke `declared` by "I do not see" also says whether the umpire agreed that the ball was `hidden`.
    """

    side: Side
    ball: Ball
    facts: tuple[Fact, ...]
    declared: Literal["i_do_not_see"] | None = None
    hidden: bool | None = None
    hidden_ball: Ball | None = None

    def __post_init__(self) -> None:
        if self.declared is None:
            if self.hidden is not None or self.hidden_ball is not None:
                raise Unreadable("'hidden' and 'hidden_ball' belong to a declared stroke: \"declared\":\"i_do_not_see\"")
        elif self.hidden is None:
            raise Unreadable("the field 'hidden' is missing: a declared stroke has the umpire's word, true or false")


@dataclass(frozen=True, slots=True)
class Distances:
    """How far each player's ball came to rest from the cushion he struck from, in millimetres."""

    A: float
    B: float

    def __post_init__(self) -> None:
        if self.A < 0 or self.B < 0:
            raise Unreadable("distance_mm: a distance is not below 0")


@dataclass(frozen=True, slots=True)
class Reached:
    """Whether each player's ball touched the far cushion."""

    A: bool
    B: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Lag(Event):
    """The opening strokes for the first turn and the English side (FORT-01a)."""

    distance_mm: Distances
    far_cushion: Reached


@dataclass(frozen=True, slots=True, kw_only=True)
class ColoursDown(Event):
    """Colours were taken down: whose (`of`), and by which side's hand, which makes no difference (F-31)."""

    of: Colours
    by: Side


@dataclass(frozen=True, slots=True, kw_only=True)
class Respotted(Event):
    """A ball was put back on its spot."""

    ball: Ball


@dataclass(frozen=True, slots=True, kw_only=True)
class BallLifted(Event):
    """A hand took the ball out of a fort (FORT-24a)."""

    fort: Fort
    ball: Ball
    by: Side


@dataclass(frozen=True, slots=True, kw_only=True)
class DemandRespot(Event):
    """The adversary asks that a ball played upon go back to its spot (FORT-19b)."""

    ball: Ball
    by: Side


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(RulingEvent):
    """A ruling; nothing in fortification billiards is left to one, so it is always refused."""

    by: Literal[Side, "marker"]


EVENTS: Mapping[str, type[Event]] = {
    "lag": Lag,
    "stroke": Stroke,
    "colours_down": ColoursDown,
    "respotted": Respotted,
    "ball_lifted": BallLifted,
    "demand_respot": DemandRespot,
    "ruling": Answer,
}
