"""The line of demarcation: where a squail that was struck has got to, and whether the target is out. Pure.

The gauge decides, laid from the edge: what it touches lies on the outer side (S-09). A squail on the outer side where it came
from is short; on any other side it went right across (SQU-26).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from hardware.places import Extent, Place

Passage = Literal["set", "short", "in", "across"]
"""`set`: on the edge, ready to be struck; `in`: past the line."""

SAME_SIDE = math.radians(60)
OTHER_SIDE = math.radians(90)
"""Round a table a squail's own side is not told from the next by less than this."""


@dataclass(frozen=True, slots=True)
class Ground:
    """The table and its pieces, in millimetres."""

    extent: Extent
    squail: float = 50.8
    """The breadth of a squail."""
    target: float = 25.4

    def in_from_edge(self, squail: Place) -> float:
        """How far in from the edge the nearest rim of a squail lies; negative where it hangs over."""
        return self.extent.in_from_edge(squail) - self.squail / 2

    def lies(self, squail: Place) -> bool:
        """Whether a squail lies on the table, and doesn't hang over its edge to be struck."""
        return self.in_from_edge(squail) > squail.error

    def gap(self, squail: Place, target: Place) -> float:
        """The clear distance of a squail from the target, rim to rim; negative where that can't be."""
        return squail.far_from(target) - (self.squail + self.target) / 2

    def overlap(self, squail: Place, other: Place) -> float:
        """How far two squails would lie in each other, by more than the errors of their places; else 0."""
        return max(0.0, self.squail - squail.far_from(other) - squail.error - other.error)


def passages(ground: Ground, gauge: float, came_from: Place, squail: Place) -> tuple[Passage, ...]:
    """Where a squail may have got to by the error of its place, the likely first."""
    rim, error = ground.in_from_edge(squail), squail.error
    if rim > gauge + error:
        return ("in",)
    near: Passage = "set" if rim <= error else "short"
    turned = _turned(ground.extent, came_from, squail)
    outer: tuple[Passage, ...] = (near,)
    if turned >= SAME_SIDE:
        outer = ("across",) if turned >= OTHER_SIDE else ("across", near)
    if rim < gauge - error:
        return outer
    return (*outer, "in") if rim <= gauge else ("in", *outer)


def outs(ground: Ground, gauge: float, target: Place) -> tuple[bool, ...]:
    """Whether the target is over the line, the likely first."""
    rim = ground.extent.in_from_edge(target) - ground.target / 2
    if abs(rim - gauge) <= target.error:
        return (rim <= gauge, rim > gauge)
    return (rim <= gauge,)


def _turned(extent: Extent, came_from: Place, to: Place) -> float:
    """How far round the table it got, in radians; on a table with four sides another side is all the way."""
    if not extent.round:
        return 0.0 if _edge(extent, came_from) == _edge(extent, to) else math.pi
    turn = math.atan2(to.y, to.x) - math.atan2(came_from.y, came_from.x)
    return abs((turn + math.pi) % (2 * math.pi) - math.pi)


def _edge(extent: Extent, place: Place) -> tuple[bool, bool]:
    along_x = extent.width / 2 - abs(place.x) < extent.depth / 2 - abs(place.y)
    return along_x, (place.x if along_x else place.y) > 0
