"""Offences against the first five laws; those against laws 6 and 7 come with a rob."""

from __future__ import annotations

from controller.rules.awards import Notice, Over
from controller.rules.maw import bars
from controller.rules.maw.events import Offence
from controller.rules.maw.outcome import game_to, loss, ruled
from controller.rules.maw.play import FOUR, Outcome, dealt
from controller.rules.maw.state import State, Waiting
from controller.rules.maw.words import OTHER


def offence(state: State, event: Offence) -> Outcome:
    """What an offence costs. Laws 1, 2 and 4 also hold when the deal has ended; a game is lost only while it is played."""
    match event.law:
        case 1 | 2:
            # MAW-01, MAW-02
            return ruled(state, state.deal, won=Over(OTHER[event.by], draw=False, double=False, rule=f"MAW-0{event.law}"))
        case 3:
            return bars.ended(state) or game_to(
                state,
                OTHER[event.by],
                Waiting("MAW-03", event.by),
                f"{event.by} led when the mate should have, and loses the game",
                lost=True,
            )
        case 4:
            return _lost_deal(state, event)
        case 5:
            return _looked(state, event)


def _lost_deal(state: State, event: Offence) -> Outcome:
    by = event.by
    if not event.deals_again:
        return dealt(state, (), (Notice("MAW-04b", f"{by} doesn't deal again: the four are remitted, and neither side gains."),))
    if state.house.strict_seed:
        return dealt(state, (), (), Waiting("MAW-04a", by))
    return dealt(state, loss(state, by, FOUR, "MAW-04a", f"{by} lost the deal and deals again."))


def _looked(state: State, event: Offence) -> Outcome:
    refusal = bars.look(state, event.looked_at)
    if refusal:
        return refusal
    by, winner = event.by, OTHER[event.by]
    if event.looked_at == "asked_card" or (event.looked_at is None and state.deal.asked):
        return game_to(state, winner, Waiting("MAW-05a", by), f"{by} looked at the asked card and loses the game", lost=True)
    return game_to(state, winner, Waiting("MAW-05b", by), f"{by} looked at the bottom card and loses the game", lost=True)
