"""The bagatelle board in numbers, as the rule book measures it: a length of one from the round end, a quarter as wide."""

from __future__ import annotations

import math
from dataclasses import dataclass

LENGTH_M = 3.0
"""A board of ten feet, the longest of those described."""
HALF_WAY = 0.50
SPOT_A = 0.355
SPOT_B = 0.845
BALL_M = 0.048
BEAM_GAP_M = 0.0254
"""The two half-way beams are an inch apart."""

_CENTRE = 0.136
_RADIUS = 0.10
_ROUND = (5, 2, 7, 6, 1, 4, 8, 3)
"""The eight cups round the ninth, from the one farthest from the player, clockwise."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place on the board: `along` from the round end, `across` from the centre line, both in board lengths."""

    along: float
    across: float = 0.0

    def far_from(self, other: Place) -> float:
        """Metres from there to here."""
        return math.hypot(self.along - other.along, self.across - other.across) * LENGTH_M


CUPS = {9: Place(_CENTRE)} | {
    cup: Place(_CENTRE - _RADIUS * math.cos(turn * math.pi / 4), _RADIUS * math.sin(turn * math.pi / 4))
    for turn, cup in enumerate(_ROUND)
}
A = Place(SPOT_A)
B = Place(SPOT_B)
