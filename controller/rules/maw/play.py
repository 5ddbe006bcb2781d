"""The events of a deal, adjudicated law by law."""

from __future__ import annotations

from dataclasses import replace

from controller.rules.awards import Award, Notice, Over, Refusal, Ruling
from controller.rules.maw import bars
from controller.rules.maw.events import (
    AskCard,
    GameWon,
    GiveBack,
    Lead,
    NewDeal,
    Play,
    Pledge,
    Rob,
    TrickOver,
    TurnUp,
    Vie,
)
from controller.rules.maw.outcome import end_deal, gain, game_to, loss, ruled
from controller.rules.maw.state import Deal, State, Waiting, both_asked, fresh
from controller.rules.maw.words import OTHER, Card, Side, cards

Outcome = Ruling[State] | Refusal

FOUR = 4
"""What laws 4, 6, 7 and 8 name."""


def new_deal(state: State, event: NewDeal) -> Outcome:  # noqa: ARG001 - one signature for all events
    """Deal anew. A deal that nobody finished is thrown in: its asked and vied cards with it (M-20)."""
    return dealt(state)


def dealt(state: State, awards: tuple[Award, ...] = (), notices: tuple[Notice, ...] = (), *new: Waiting) -> Ruling[State]:
    """A fresh deal. Whether one game may decide the set stays asked until a game is played for it."""
    waiting = (*[one for one in state.waiting if one.ask not in ("MAW-14a", "MAW-14b")], *new)
    return ruled(state, fresh(state.deal), awards, notices=notices, waiting=waiting)


def turn_up(state: State, event: TurnUp) -> Outcome:
    """Law 8, and law 9 where it brings the turner above twenty-six."""
    refusal = bars.turn_up(state)
    if refusal:
        return refusal
    deal, house, by = replace(state.deal, turned=True), state.house, event.by
    if event.card != "AH":
        return ruled(state, deal)
    awards: tuple[Award, ...] = (Award(by, FOUR, "MAW-08", f"{by} turned up the ace of hearts."),)
    other = OTHER[by]
    if state.of(by) + FOUR <= house.limit:
        return ruled(state, deal, awards)
    if state.of(other) >= house.at_livings:
        make = Notice("MAW-09b", f"Livings would set {other} out, so it has none: {by} is to make for the set by play.")
        waiting = (*[one for one in state.waiting if one.ask != "MAW-09c"], *both_asked())
        return ruled(state, replace(deal, for_set=by, consent=True), awards, notices=(make,), waiting=waiting)
    if house.strict_seed:
        return ruled(state, deal, awards, waiting=(*state.waiting, Waiting("MAW-09a", other)))
    awards += gain(
        other, house.livings, "MAW-09a", f"{by} is above {house.limit} by the ace of hearts: {other} must have livings."
    )
    return ruled(state, deal, awards, won=Over(by, draw=False, double=False, rule="MAW-09a"))


def ask(state: State, event: AskCard) -> Outcome:
    """M-06, laws 14 and 15. Where nothing is told of livings and out, people are asked and the card is asked meanwhile."""
    refusal = bars.ask(state, event.by)
    if refusal:
        return refusal
    by, other, waiting = event.by, OTHER[event.by], state.waiting
    notices: tuple[Notice, ...] = ()
    if bars.behind(state, by):
        notices = (
            Notice("MAW-15", f"{other} has {state.of(other)} and {by} is behind: {by} may ask whatever it sets {other} at."),
        )
    elif state.house.strict_seed:
        waiting = (*waiting, Waiting("MAW-14a", by))
    if state.house.strict_seed:
        waiting = (*waiting, Waiting("MAW-14b", by))
    return ruled(state, replace(state.deal, asked=by), notices=notices, waiting=waiting)


def vie(state: State, event: Vie) -> Outcome:
    """Laws 10, 11 and 16."""
    refusal = bars.vie(state, event.by, leads_help=event.leads_help, help_in_hand=bool(event.help_in_hand))
    if refusal:
        return refusal
    answer = OTHER[event.by]
    if state.deal.crossed >= 3:
        due = Notice("MAW-12", f"{cards(state.deal.crossed, 'vied')} are crossed: {answer} must pledge this one too.")
    else:
        due = Notice("M-07", f"{event.by} vies: {answer} pledges the card or gives it back.")
    return ruled(state, replace(state.deal, pending=event.by, late=False), notices=(due,))


def pledge(state: State, event: Pledge) -> Outcome:
    """M-07, law 16."""
    refusal = bars.pledge(state, event.by)
    if refusal:
        return refusal
    return ruled(state, replace(state.deal, pending=None, crossed=state.deal.crossed + 1))


def give_back(state: State, event: GiveBack) -> Outcome:
    """Laws 12 and 13; the card lapses, or the game is conceded (M-07)."""
    refusal = bars.give_back(state, event.by)
    if refusal:
        return refusal
    back = replace(state, deal=replace(state.deal, pending=None, late=False))
    if state.house.decline == "lapse":
        return ruled(back, back.deal)
    winner = OTHER[event.by]
    return game_to(back, winner, Waiting("M-07", winner), f"{event.by} gave the vied card back and concedes the game")


def rob(state: State, event: Rob) -> Outcome:
    """Laws 6 and 7, which one rob may both break (M-17)."""
    refusal = bars.rob(state)
    if refusal:
        return refusal
    by, house = event.by, state.house
    robbed = replace(state, deal=replace(state.deal, robbed=True))
    made_out: tuple[Award, ...] = ()
    waits: tuple[Waiting, ...] = ()
    if event.made_out_by == "mate":  # MAW-07b
        if house.strict_seed:
            waits = (Waiting("MAW-07a", by),)
        else:
            made_out = loss(state, by, FOUR, "MAW-07a", f"{by}'s mate made out the card: the robber must do it himself.")
    if event.has_ace:
        return ruled(robbed, robbed.deal, made_out, waiting=(*state.waiting, *waits))
    vied = state.deal.vied
    at_once = 0 if house.strict_seed else vied
    and_cards = f", and {cards(vied, 'vied')}" if at_once else ""
    why = f"{by} robbed without the ace: four{and_cards}."
    if event.same_card_back:  # MAW-06b
        why += " Laying the same card down again is no excuse."
    if house.strict_seed and vied:
        waits = (Waiting("MAW-06a", by, vied=vied), *waits)
    no_ace = loss(state, by, FOUR + at_once, "MAW-06a", why)
    return end_deal(robbed, OTHER[by], no_ace + made_out, *waits)


def lead(state: State, event: Lead) -> Outcome:
    """A card is led."""
    refusal = bars.lead(state, event.card)
    if refusal:
        return refusal
    return ruled(state, _laid(replace(state.deal, led=event.by), event.by, event.card))


def play(state: State, event: Play) -> Outcome:
    """A card is played to the trick."""
    refusal = bars.play(state, event.by, event.card)
    if refusal:
        return refusal
    return ruled(state, _laid(state.deal, event.by, event.card))


def _laid(deal: Deal, by: Side, card: Card | None) -> Deal:
    a, b = deal.laid
    return replace(
        deal,
        laid=(a + 1, b) if by == "A" else (a, b + 1),
        played=(*deal.played, card) if card else deal.played,
        late=deal.late or deal.pending == OTHER[by],  # MAW-16b
    )


def trick_over(state: State, event: TrickOver) -> Outcome:  # noqa: ARG001 - one signature for all events
    """The trick is over, seen or not (M-20); a vie that waits may be pledged again before the next card (M-10)."""
    refusal = bars.trick_over(state)
    if refusal:
        return refusal
    return ruled(state, replace(state.deal, tricks=state.deal.tricks + 1, led=None, laid=(0, 0), late=False))


def game_won(state: State, event: GameWon) -> Outcome:
    """M-13, M-03. A vie that nobody answered lapses with the deal (M-07)."""
    refusal = bars.ended(state)
    if refusal:
        return refusal
    return game_to(state, event.by, Waiting("M-13", event.by), f"{event.by} has won the game")
