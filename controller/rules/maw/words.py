"""The names of sides and cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

Side = Literal["A", "B"]
"""One player, or two mates (M-12)."""

Speaker = Literal["A", "B", "marker"]
"""Who answers what people are asked."""

Card = Literal[
    "AH", "2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H", "10H", "JH", "QH", "KH",
    "AD", "2D", "3D", "4D", "5D", "6D", "7D", "8D", "9D", "10D", "JD", "QD", "KD",
    "AC", "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "10C", "JC", "QC", "KC",
    "AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "10S", "JS", "QS", "KS",
]  # fmt: skip

SIDES: tuple[Side, ...] = get_args(Side)
CARDS: tuple[Card, ...] = get_args(Card)
OTHER: Mapping[Side, Side] = {"A": "B", "B": "A"}
PLACE: Mapping[Side, int] = {"A": 0, "B": 1}
"""Where a side stands in pairs that run beside `SIDES`."""


def cards(count: int, kind: str) -> str:
    """So many cards, in words: "1 crossed card", "2 crossed cards"."""
    return f"{count} {kind} card{'' if count == 1 else 's'}"
