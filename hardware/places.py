"""Places on a table in millimetres, and scenes: what lies where, as a position sensor saw it. Pure.

x runs to the right and y away from whoever stands at seat 1, both from the middle of the table.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Place(NamedTuple):
    """Where the middle of a thing is, give or take `error` in any direction; all in millimetres."""

    x: float
    y: float
    error: float = 0.0

    def far_from(self, other: Place) -> float:
        """Millimetres from there to here."""
        return math.hypot(self.x - other.x, self.y - other.y)

    def is_surely_apart_from(self, other: Place) -> bool:
        """Whether it can't be the same place, by the errors of both."""
        return self.far_from(other) > self.error + other.error


@dataclass(frozen=True, slots=True)
class Extent:
    """How large a table is: round, or with four sides along x and y. Millimetres."""

    width: float
    depth: float
    round: bool = True

    def in_from_edge(self, place: Place) -> float:
        """How far in from the edge a place is; negative beyond it."""
        if self.round:
            return self.width / 2 - math.hypot(place.x, place.y)
        return min(self.width / 2 - abs(place.x), self.depth / 2 - abs(place.y))


@dataclass(frozen=True, slots=True)
class Scene:
    """What lies on a table. `places`: of all that is seen, by name.

    `rest`: all has come to rest; else something moves, and `moved` says what. `moved`: what has moved since the last scene at
    rest, in the order in which it began to, and where it came from (where it was seen first). `gone`: what is seen no longer, and
    where it was seen last. `away`: nothing is known, for nothing comes from the sensor; `blind`: it was so before this scene.
    """

    rest: bool
    places: Mapping[str, Place] = field(default_factory=dict)
    moved: Mapping[str, Place] = field(default_factory=dict)
    gone: Mapping[str, Place] = field(default_factory=dict)
    away: bool = False
    blind: bool = False

    def text(self) -> str:
        """The scene as the value of an observation: JSON without spaces, millimetres to a hundredth."""
        told = {
            "rest": self.rest,
            "places": {name: _rounded(place) for name, place in self.places.items()},
            "moved": {name: _rounded(place) for name, place in self.moved.items()},
            "gone": {name: _rounded(place) for name, place in self.gone.items()},
            "away": self.away,
            "blind": self.blind,
        }
        return json.dumps({key: value for key, value in told.items() if value or key == "rest"}, separators=(",", ":"))


def scene_of(text: str) -> Scene:
    """The scene of `Scene.text`."""
    told = json.loads(text)
    return Scene(
        told["rest"],
        {name: Place(*place) for name, place in told.get("places", {}).items()},
        {name: Place(*place) for name, place in told.get("moved", {}).items()},
        {name: Place(*place) for name, place in told.get("gone", {}).items()},
        told.get("away", False),
        told.get("blind", False),
    )


def _rounded(place: Place) -> list[float]:
    return [round(number, 2) for number in place]
