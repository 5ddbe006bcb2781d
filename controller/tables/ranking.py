"""Which card takes a trick at maw, as far as a table may suppose it.

The four helps are M-11's. The laws say nothing of the rest, so below them this takes Cotton's rule of Five-Cards (1674): of the
red suits the highest pip is the best, of the black ones the lowest. Houses differ: nothing is scored by it alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from controller.rules.maw.words import Card

_COURT = ("K", "Q", "J")
_RED = (*_COURT, "10", "9", "8", "7", "6", "5", "4", "3", "2", "A")
_BLACK = (*_COURT, "A", "2", "3", "4", "5", "6", "7", "8", "9", "10")


def suit_of(card: Card, trump: str | None) -> str:
    """The suit that a card belongs to in play: the ace of hearts is always a trump."""
    return trump if card == "AH" and trump is not None else card[-1]


def is_help(card: Card, trump: str | None) -> bool:
    """Whether it is one of the four best trumps (M-16)."""
    return card in _helps(trump)


def best(cards: Sequence[Card], trump: str) -> int:
    """The place of the card that takes this trick, of which the first was led."""
    led = suit_of(cards[0], trump)
    weights = [_weight(card, led, trump) for card in cards]
    return weights.index(min(weights))


def beyond_doubt(cards: Sequence[Card], trump: str) -> bool:
    """Whether the same card takes this trick in any house: a help, or the one trump, or the one card of the suit led."""
    weights = sorted(_weight(card, suit_of(cards[0], trump), trump) for card in cards)
    return len(weights) == 1 or weights[0][0] == 0 or weights[0][0] < weights[1][0]


def _helps(trump: str | None) -> tuple[str, ...]:
    return (f"5{trump}", "AH", f"A{trump}", f"J{trump}") if trump is not None else ("AH",)


def _weight(card: Card, led: str, trump: str) -> tuple[int, int]:
    """The less, the better."""
    helps = _helps(trump)
    if card in helps:
        return 0, helps.index(card)
    suit = card[-1]
    pips = (_RED if suit in "HD" else _BLACK).index(card[:-1])
    return (1 if suit == trump else 2 if suit == led else 3), pips
