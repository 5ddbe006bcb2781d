"""A stroke: settle what is outstanding, collect its facts, price them, and say what must be done before the next."""

from __future__ import annotations

from controller.rules.awards import Notice, Refusal, Ruling
from controller.rules.fortification.events import Stroke
from controller.rules.fortification.findings import LEFT_BED, Findings, own_balls_struck
from controller.rules.fortification.pricing import Price, price
from controller.rules.fortification.settle import settle_forts, settle_passes
from controller.rules.fortification.state import State, over
from controller.rules.fortification.tally import Tally
from controller.rules.fortification.words import (
    ATTACK,
    BALL_SIDE,
    ENEMY,
    NAME,
    SIDE_NAME,
    TITLE,
    Ball,
    Fort,
    Side,
)


def play(state: State, stroke: Stroke) -> Ruling[State] | Refusal:
    """Adjudicate a stroke."""
    refusal = _refused(state, stroke)
    if refusal is not None:
        return refusal
    side = stroke.side
    notices: list[Notice] = []
    tally = Tally(state.rules, state.score)
    passes, forts = settle_passes(state, notices), settle_forts(state, tally, notices)
    before = tally.score[side]
    unpaid: frozenset[Fort] = frozenset()
    lodged: frozenset[Fort] = frozenset()
    if BALL_SIDE[stroke.ball] != side:
        tally.lose(side, "FORT-19a", f"The {SIDE_NAME[side]} played with {NAME[stroke.ball]}.")
        # F-12: the stroke is void, but balls that left the bed have left it.
        back: dict[Ball, str] = {fact.ball: "FORT-35a" for fact in stroke.facts if fact.fact in LEFT_BED}
    else:
        found = Findings(state.rules, stroke, passes, forts, state.flying)
        priced = price(found, owes=side in state.unspotted.values())
        back = found.back
        _score(tally, side, priced)
        if found.passed:
            passes = {**passes, side: "made"}  # F-27: whatever else the stroke did
        if priced.taken is not None:
            forts = {**forts, priced.taken: "rung"}
            taken = frozenset((priced.taken,))
            unpaid = unpaid if priced.paid else taken
            lodged = taken if back[ATTACK[side]] == "FORT-10" else lodged
        _tell(notices, stroke, found, priced)
    struck = own_balls_struck(stroke).difference(back)
    _list_balls(notices, side, back, struck)
    goes_on = state.rules.turn == "continue_on_score" and tally.score[side] > before
    after = State(
        rules=state.rules,
        score=tally.score,
        turn=side if goes_on else ENEMY[side],
        passes=passes,
        forts=forts,
        # FORT-23a: the striker owes whatever his stroke put out of place, whoever's it is; F-32: one list for all.
        unspotted={**state.unspotted, **dict.fromkeys(back, side)} if back else state.unspotted,
        player=state.player,
        striker=side,
        played_on=struck,
        unpaid=unpaid,
        lodged=lodged,
        flying=state.flying,
    )
    return Ruling(after, awards=tuple(tally.awards), notices=tuple(notices), over=over(after))


def _refused(state: State, stroke: Stroke) -> Refusal | None:
    if stroke.side != state.turn:
        if state.striker is None:
            return Refusal("FORT-01c", "The English open the attack: the first stroke is theirs.")
        return Refusal("F-18", f"It is not the turn of the {SIDE_NAME[stroke.side]}: the {SIDE_NAME[state.turn]} strike next.")
    if stroke.hidden_ball is not None and BALL_SIDE[stroke.hidden_ball] == stroke.side:
        return Refusal(
            "FORT-37a", f"{TITLE[stroke.hidden_ball]} is the striker's own; only an enemy ball can be declared hidden."
        )
    for fact in stroke.facts:
        if fact.fact == "hit" and fact.ball == stroke.ball:
            return Refusal("FORT-19b", f"{TITLE[stroke.ball]} was cued, so it can't have been struck by itself.")
    return None


def _score(tally: Tally, side: Side, priced: Price) -> None:
    # Gains first: a house that knows no score below zero takes the losses from what the stroke has left.
    for rule, points, why in priced.gains:
        tally.win(side, points, rule, f"{why}.")
    for rule, why in priced.losses:
        tally.lose(side, rule, f"{why}.")


def _tell(notices: list[Notice], stroke: Stroke, found: Findings, priced: Price) -> None:
    """What the room must do or should know about the pass, the fort and the call."""
    if stroke.hidden is False:
        notices.append(Notice("F-14", "The ball is in sight: the call is void, and the stroke is an ordinary one."))
    notices += priced.notices
    if found.passed:
        enemy = SIDE_NAME[ENEMY[found.side]]
        notices.append(
            Notice("FORT-07a", f"Take down the {enemy} pass colours before the next stroke, or the pass must be made again.")
        )
    if priced.taken is not None:
        back = " and the four points are put back" if priced.paid else ""
        notices.append(
            Notice(
                "FORT-12a",
                f"Take down the colours of {NAME[priced.taken]} before the next stroke, or it must be taken again{back}.",
            )
        )
    if found.silent is not None and not any(fact.fact == "bell" and fact.fort == found.silent for fact in stroke.facts):
        notices.append(Notice("FORT-15b", f"The bell of {NAME[found.silent]} did not ring: it is not taken."))


def _list_balls(notices: list[Notice], side: Side, back: dict[Ball, str], struck: frozenset[Ball]) -> None:
    for ball, rule in back.items():
        # FORT-35b: who spots a ball sees whether another lies there.
        otherwise = "; if another ball lies there, behind it without touching" if rule == "FORT-35a" else ""
        middle = "middle spot" if ball == ATTACK[BALL_SIDE[ball]] else "spot"
        notices.append(Notice(rule, f"Put {NAME[ball]} back on its {middle}{otherwise}."))
    notices += [
        Notice("FORT-19b", f"The {SIDE_NAME[ENEMY[side]]} may ask that {NAME[ball]} go back to its spot.")
        for ball in sorted(struck)
    ]
