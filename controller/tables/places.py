"""What is fitted to a table of maw: readers that all share or at each place, and buttons."""

from __future__ import annotations

from collections.abc import Iterable

from controller.rules.maw.words import SIDES
from controller.tables.deal import Laid

SEATS = {"A-card": 0, "B-card": 1, "A-mate-card": 2, "B-mate-card": 3}
"""Readers at places, with the seats of `deal.py`."""


class Places:
    """The roles of a table that are filled and in use. `players` is how many play, 2 or 4, where readers don't tell it."""

    def __init__(self, roles: Iterable[str], players: int = 2) -> None:
        self._roles = frozenset(roles)
        self.players = 4 if self._roles & {"A-mate-card", "B-mate-card"} else players
        self.lost: frozenset[str] = frozenset()

    def has(self, role: str) -> bool:
        """Whether something in use fills this role."""
        return role in self._roles and role not in self.lost

    @property
    def reads(self) -> bool:
        """Whether cards are read as they are played."""
        return any(self.has(role) for role in ("card", *SEATS))

    @property
    def reads_both(self) -> bool:
        """Whether the cards of both sides are read."""
        return self.has("card") or (self.has("A-card") and self.has("B-card"))

    @property
    def turns_up(self) -> bool:
        """Whether the card turned up is read."""
        return self.has("stock") or self.has("card")

    @property
    def deal_button(self) -> bool:
        """Whether a button tells when cards are dealt."""
        return any(self.has(f"{side}-deal") for side in SIDES)

    @property
    def trick_button(self) -> bool:
        """Whether a button tells who took a trick."""
        return any(self.has(f"{side}-trick") for side in SIDES)

    @property
    def each_seat(self) -> bool:
        """Whether each of two mates has a reader of his own."""
        return all(self.has(role) for role in SEATS)

    def played_already(self, trick: tuple[Laid, ...], seat: int) -> bool:
        """Whether whoever this reader is for has no card left for the trick, so that the next one is for another."""
        if self.players == 2 or self.each_seat:
            return any(laid.seat == seat for laid in trick)
        return [laid.seat % 2 for laid in trick].count(seat % 2) == 2
