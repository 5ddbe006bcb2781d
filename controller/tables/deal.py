"""One deal of maw as its events tell it: the card turned up, the tricks, who dealt, and what is suspicious in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from controller.rules.awards import Json
from controller.rules.maw.words import OTHER, SIDES, Card, Side
from controller.tables.ranking import best, beyond_doubt, suit_of

SEAT_SIDE: tuple[Side, ...] = ("A", "B", "A", "B")
"""The side of each seat, in the order in which they play; with two players there are the first two."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A card on the table: whose, from which seat, which card where it was read, and the record of its event."""

    by: Side
    seat: int
    card: Card | None
    record: int = 0


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal so far. `record`: of the event that began it, 0 for the first; `number` counts from 0."""

    record: int = 0
    number: int = 0
    dealer: Side | None = None
    turned: Card | None = None
    robber: Side | None = None
    rob: int = 0
    """The record of the rob."""
    tricks: tuple[tuple[Laid, ...], ...] = ()
    trick: tuple[Laid, ...] = ()
    """The cards of the trick under way."""

    @property
    def trump(self) -> str | None:
        """The suit turned up."""
        return self.turned[-1] if self.turned is not None else None

    @property
    def laid(self) -> tuple[Laid, ...]:
        """All cards played, in order."""
        return (*[one for trick in self.tricks for one in trick], *self.trick)

    @property
    def untouched(self) -> bool:
        """Whether nothing has been seen of it yet."""
        return self.turned is None and self.robber is None and not self.tricks and not self.trick

    def trick_over(self) -> Deal:
        """The same with the trick under way ended."""
        return replace(self, tricks=(*self.tricks, self.trick), trick=())

    def with_laid(self, laid: Laid) -> Deal:
        """The same with one more card on the table."""
        return replace(self, trick=(*self.trick, laid))


def deal_of(
    events: Iterable[tuple[int, Mapping[str, Json]]],
    seats: Mapping[int, int],
    dealers: Mapping[int, Side],
    players: int,
    first: Mapping[int, Side],
) -> Deal:
    """The deal in play, from the standing events of the game.

    `seats`: by record, where a reader told the seat; `dealers`: by the record that began a deal, where a button told who deals;
    `first`: by the record of a first lead, who led it in turn whoever seemed to deal.
    """
    deal = Deal(dealer=dealers.get(0))
    for record, event in events:
        deal = _after(deal, record, cast(dict[str, Any], event), seats, players)
        if deal.record == record:
            deal = replace(deal, dealer=dealers.get(record, deal.dealer))
        if record in first:
            deal = replace(deal, dealer=OTHER[first[record]])
    return deal


def _after(deal: Deal, record: int, event: dict[str, Any], seats: Mapping[int, int], players: int) -> Deal:
    match event["event"]:
        case "new_deal":
            return Deal(record, deal.number + 1, deal.dealer and OTHER[deal.dealer])
        case "offence" if event["law"] == 4:
            by: Side = event["by"]
            return Deal(record, deal.number + 1, by if event["deals_again"] else OTHER[by])
        case "turn_up":
            return replace(deal, turned=event["card"], dealer=event["by"])
        case "rob":
            return replace(deal, robber=event["by"], rob=record)
        case "lead" | "play":
            by = event["by"]
            seat = seats.get(record)
            if seat is None or SEAT_SIDE[seat] != by:
                seat = next_seat(deal, by, players)
            return deal.with_laid(Laid(by, seat, event.get("card"), record))
        case "trick_over":
            return deal.trick_over()
    return deal


def next_seat(deal: Deal, by: Side, players: int) -> int:
    """The seat from which a side plays now, if all play in turn."""
    expected = (deal.trick[-1].seat + 1) % players if deal.trick else leading_seat(deal)
    if expected is not None and SEAT_SIDE[expected] == by:
        return expected
    own = [seat for seat in range(players) if SEAT_SIDE[seat] == by]
    return next((seat for seat in own if seat not in {laid.seat for laid in deal.trick}), own[0])


def leading_seat(deal: Deal) -> int | None:
    """The seat that took the last trick and so leads; None before the first trick is over, or where a card wasn't read."""
    taker = taker_of(deal.tricks[-1], deal.trump) if deal.tricks else None
    return taker.seat if taker is not None else None


def taker_of(trick: tuple[Laid, ...], trump: str | None) -> Laid | None:
    """The card that takes a trick, by the ranking; None where a card wasn't read or the trump isn't known."""
    cards = [laid.card for laid in trick if laid.card is not None]
    if trump is None or not cards or len(cards) != len(trick):
        return None
    return trick[best(cards, trump)]


def contradicted(trick: tuple[Laid, ...], trump: str | None, by: Side) -> bool:
    """Whether the cards deny, whatever ranks a house has, that this side took the trick."""
    taker = taker_of(trick, trump)
    if taker is None or taker.by == by or trump is None:
        return False
    return beyond_doubt([laid.card for laid in trick if laid.card is not None], trump)


def takers(deal: Deal, pressed: Mapping[int, Side]) -> list[Side | None]:
    """Who took each trick that is over; `pressed`: by the trick's place, where a button told it."""
    ranked = (taker_of(trick, deal.trump) for trick in deal.tricks)
    return [pressed.get(place, laid.by if laid is not None else None) for place, laid in enumerate(ranked)]


def tally(taken: Iterable[Side | None]) -> dict[Side, int]:
    """How many tricks each side has."""
    counted = list(taken)
    return {side: counted.count(side) for side in SIDES}


def renounced(deal: Deal, laid: Laid) -> Card | None:
    """The lead to which this seat threw away another suit although it holds this card's; None where nothing is suspicious.

    Suspicious alone: whoever may hold back a top trump, people know (M-18). A card that was robbed came later into the hand.
    """
    trump = deal.trump
    if laid.card is None or (laid.card == deal.turned and deal.robber == laid.by):
        return None
    suit = suit_of(laid.card, trump)
    for trick in deal.tricks:
        led = trick[0].card if trick else None
        if led is None or suit_of(led, trump) != suit:
            continue
        for answer in trick[1:]:
            if answer.seat == laid.seat and answer.card is not None and suit_of(answer.card, trump) not in (suit, trump):
                return led
    return None
