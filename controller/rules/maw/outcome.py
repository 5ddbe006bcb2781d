"""From what an event gives to the state after it: the score, who has the set, and what people are asked."""

from __future__ import annotations

from dataclasses import replace

from controller.rules.awards import Award, Notice, Over, Ruling
from controller.rules.maw import state as states
from controller.rules.maw.questions import asks
from controller.rules.maw.state import Deal, State, Waiting
from controller.rules.maw.words import OTHER, Side, cards

OF_THE_DEAL = ("MAW-09c", "MAW-14a", "MAW-14b")
"""Questions that fall away, unanswered, with the deal that they are about."""


def ruled(
    state: State,
    deal: Deal,
    awards: tuple[Award, ...] = (),
    *,
    notices: tuple[Notice, ...] = (),
    waiting: tuple[Waiting, ...] | None = None,
    won: Over | None = None,
) -> Ruling[State]:
    """The ruling that leads to this deal, these awards and questions; the set is won by `won` or by the score."""
    waiting = state.waiting if waiting is None else waiting
    if not awards and won is None:
        return Ruling(State(state.house, state.score, deal, waiting), (), None, notices, asks(waiting))
    a, b = state.score
    for award in awards:
        a, b = (a + award.points, b) if award.side == "A" else (a, b + award.points)
    won = won or states.out(state.house, (a, b), deal)
    if won is not None:
        # Nothing is open any more, neither in the deal nor in what people were asked.
        return Ruling(State(state.house, (a, b), closed(deal, None), (), won), awards, None, notices, (), won)
    if state.house.strict_seed:
        moved = {award.side for award in awards}
        unasked = [one for one in states.questions_of_out(state.house, (a, b), deal) if one.side in moved and one not in waiting]
        waiting = (*waiting, *unasked)
    return Ruling(State(state.house, (a, b), deal, waiting), awards, None, notices, asks(waiting))


def closed(deal: Deal, for_set: Side | None) -> Deal:
    """The deal at its end. The next game may decide the set: one has been played for it (MAW-09c)."""
    return replace(deal, over=True, pending=None, late=False, led=None, laid=(0, 0), for_set=for_set, consent=True)


def gain(side: Side, points: int, rule: str, why: str) -> tuple[Award, ...]:
    """Points for a side; none is no award."""
    return (Award(side, points, rule, why),) if points else ()


def loss(state: State, fault: Side, points: int, rule: str, why: str) -> tuple[Award, ...]:
    """Points that a side loses: the other gains them, or they come off its own score (M-02)."""
    if state.house.loss == "credit":
        return gain(OTHER[fault], points, rule, why)
    return gain(fault, -points, rule, why)


def game_to(state: State, winner: Side, waits: Waiting, why: str, *, lost: bool = False) -> Ruling[State]:
    """End the deal with a game won, or lost by an offence; its worth is four, and its cards (M-03), or people say it."""
    deal, house = state.deal, state.house
    asked = int(deal.asked is not None)
    if house.strict_seed:
        return end_deal(state, winner, (), replace(waits, asked=asked, vied=deal.vied))
    worth = house.game_value + asked + deal.vied
    told = f"{why}: {house.game_value}{_at_stake(asked, deal.vied)}."
    if lost:
        return end_deal(state, winner, loss(state, OTHER[winner], worth, waits.ask, told))
    return end_deal(state, winner, gain(winner, worth, waits.ask, told))


def _at_stake(asked: int, vied: int) -> str:
    """The cards of a game, as the tail of a sentence."""
    parts = [cards(count, kind) for count, kind in ((asked, "asked"), (vied, "vied")) if count]
    return "".join(f", and {part}" for part in parts)


def end_deal(state: State, better: Side, awards: tuple[Award, ...], *new: Waiting) -> Ruling[State]:
    """End the deal; `better` has had the better of it, and with it the set if this deal decides it (MAW-09b, M-05)."""
    deal = state.deal
    waiting = (*[one for one in state.waiting if one.ask not in OF_THE_DEAL], *new)
    if deal.for_set is None:
        return ruled(state, closed(deal, None), awards, waiting=waiting)
    if deal.consent:
        return ruled(state, deal, awards, won=Over(better, draw=False, double=False, rule="MAW-09b"))
    open_still = Notice("MAW-09c", "One game was not to make the set: it counts as points alone, and the next one decides.")
    return ruled(state, closed(deal, deal.for_set), awards, notices=(open_still,), waiting=waiting)
