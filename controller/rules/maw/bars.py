"""What the laws bar: the refusal of a call or a card that may not be made now, or None."""

from __future__ import annotations

from controller.rules.awards import Refusal
from controller.rules.maw.state import TRICKS, State
from controller.rules.maw.words import OTHER, PLACE, Card, Side, cards

SEATS = 2
"""Players of a side at most (M-12)."""


def ended(state: State) -> Refusal | None:
    """An ended deal takes nothing more."""
    return Refusal("M-14", "This deal has ended: deal anew.") if state.deal.over else None


def turn_up(state: State) -> Refusal | None:
    """One card is turned up in a deal, before play."""
    deal = state.deal
    if deal.over:
        return ended(state)
    if deal.turned:
        return Refusal("MAW-08", "A card has been turned up in this deal already.")
    if deal.robbed:
        return Refusal("MAW-08", "The turned-up card of this deal has been robbed already.")
    if deal.led or deal.tricks:
        return Refusal("MAW-08", "The card is turned up before play: a card has been led in this deal already.")
    return None


def ask(state: State, by: Side) -> Refusal | None:
    """Once a deal, before play (M-06), and only where laws 14 and 15 let him."""
    deal, house = state.deal, state.house
    if deal.over:
        return ended(state)
    if deal.asked:
        return Refusal("M-06", f"{deal.asked} has asked a card already: one card is asked in a deal.")
    if deal.led or deal.tricks:
        return Refusal("M-06", "A card is asked before play: a card has been led in this deal already.")
    if house.strict_seed:
        return None
    stake, other = house.game_value + deal.vied + 1, OTHER[by]
    if state.of(by) + stake >= house.at_livings:
        return Refusal("MAW-14b", _set_at_livings(by, state.of(by) + stake))
    if state.of(other) + stake >= house.at_livings and not behind(state, by):
        return Refusal("MAW-14a", _set_at_livings(other, state.of(other) + stake))
    return None


def behind(state: State, by: Side) -> bool:
    """MAW-15: the other side is so far on that a game alone takes it past its livings, and this side is behind."""
    theirs = state.of(OTHER[by])
    return theirs >= state.house.past_livings and state.of(by) < theirs


def _set_at_livings(side: Side, score: int) -> str:
    return f"The asked card may not set {side} at livings or out: with it this game would bring {side} to {score}."


def vie(state: State, by: Side, *, leads_help: bool, help_in_hand: bool) -> Refusal | None:
    """Not over an unanswered vie, not after one's own lead, and not by the asker before the first trick but for a help."""
    deal = state.deal
    if deal.over:
        return ended(state)
    if deal.pending:
        return Refusal("M-07", f"{deal.pending}'s vied card waits: {OTHER[deal.pending]} pledges it or gives it back first.")
    if deal.led == by:  # The other side may, its own card played or not (MAW-11b).
        return Refusal("MAW-11a", f"{by}'s card is led: {by} may not vie before the next trick, though {OTHER[by]} may.")
    if deal.tricks == TRICKS:
        return Refusal("M-13", f"All {TRICKS} tricks have been played: there is nothing left to vie on.")
    if deal.asked == by and not deal.tricks:
        if not leads_help:
            return Refusal("MAW-10", f"{by} has asked a card and may not vie before the first trick has been played.")
        if not help_in_hand:
            return Refusal("MAW-16a", f"The help has left {by}'s hand: {by} might have vied on the asked card before that.")
    return None


def pledge(state: State, by: Side) -> Refusal | None:
    """A vied card is pledged by the other side, before its own card."""
    deal = state.deal
    if deal.over:
        return ended(state)
    if not deal.pending:
        return Refusal("M-07", "No vied card waits to be pledged.")
    if deal.pending == by:
        return Refusal("M-07", f"{by} vied this card: it is {OTHER[by]} who may pledge it.")
    if deal.late:
        return Refusal("MAW-16b", f"{by}'s own card has been played to this trick: the pledge had to come before it.")
    return None


def give_back(state: State, by: Side) -> Refusal | None:
    """A vied card is given back by the other side, while fewer than three are crossed."""
    deal = state.deal
    if deal.over:
        return ended(state)
    if deal.crossed >= 3:
        return Refusal("MAW-12", f"{cards(deal.crossed, 'vied')} are crossed: from three on none is given back by any means.")
    if deal.pending == by:
        return Refusal("MAW-13", f"{by} may not give back its own vied card, though none is crossed.")
    if not deal.pending:
        return Refusal("M-07", "No vied card waits to be given back.")
    return None


def rob(state: State) -> Refusal | None:
    """There is one card to rob."""
    if state.deal.robbed and not state.deal.over:
        return Refusal("M-08", "The turned-up card of this deal has been robbed already.")
    return ended(state)


def lead(state: State, card: Card | None = None) -> Refusal | None:
    """One lead to a trick."""
    deal = state.deal
    if deal.over:
        return ended(state)
    if deal.led:
        return Refusal("M-20", f"{deal.led} has led to this trick: it ends before another is led to.")
    if deal.tricks == TRICKS:
        return Refusal("M-13", f"All {TRICKS} tricks of this deal have been played.")
    return _seen(state, card)


def play(state: State, by: Side, card: Card | None = None) -> Refusal | None:
    """After a lead, and no more cards than a side has players."""
    deal = state.deal
    if deal.over:
        return ended(state)
    if not deal.led:
        return Refusal("M-20", "Nobody has led to this trick: the first card of a trick is a lead.")
    if deal.laid[PLACE[by]] == SEATS:
        return Refusal("M-12", f"{by} has put {SEATS} cards to this trick: a side has no more players than that.")
    return _seen(state, card)


def _seen(state: State, card: Card | None) -> Refusal | None:
    if card is not None and card in state.deal.played:
        return Refusal("M-20", f"The card {card} has been played in this deal already.")
    return None


def trick_over(state: State) -> Refusal | None:
    """Five tricks and no more."""
    if state.deal.tricks == TRICKS and not state.deal.over:
        return Refusal("M-13", f"All {TRICKS} tricks of this deal have been played.")
    return ended(state)


def look(state: State, looked_at: str | None) -> Refusal | None:
    """An asked card is looked at only where one was asked."""
    if looked_at == "asked_card" and not state.deal.asked and not state.deal.over:
        return Refusal("MAW-05a", "No card has been asked in this deal: there is none to look at.")
    return ended(state)
