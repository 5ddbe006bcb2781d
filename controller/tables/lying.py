"""The cards of a deal that lie on the table, as readers saw them: a deal that has ended is over before they are gathered."""

from __future__ import annotations

from controller.rules.maw.words import Card
from hardware.signals import SECOND

GATHERING = 10 * SECOND
"""Nobody gathers, shuffles and deals faster: a card of the last deal that is read before that still lies there."""


class Lying:
    """What was laid in the latest deal, whether or not the rules let it count: an answer may end a deal before its cards."""

    def __init__(self) -> None:
        self._deal = 0
        self._cards: set[Card] = set()
        self._last = 0

    def laid(self, card: Card, deal: int, at: int) -> None:
        """A card is laid in the deal of this number."""
        if deal != self._deal:
            self._deal = deal
            self._cards.clear()
        self._cards.add(card)
        self._last = at

    def still(self, card: Card, at: int) -> bool:
        """Whether this card must lie there yet."""
        return card in self._cards and at - self._last < GATHERING
