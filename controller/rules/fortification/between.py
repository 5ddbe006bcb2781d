"""What happens between strokes: the lag, colours taken down, balls put back, lifted or asked back."""

from __future__ import annotations

from dataclasses import replace

from controller.rules.awards import Notice, Refusal, Ruling
from controller.rules.fortification.events import BallLifted, ColoursDown, DemandRespot, Lag, Respotted
from controller.rules.fortification.state import State, over
from controller.rules.fortification.words import (
    ATTACK,
    BALL_SIDE,
    ENEMY,
    FORT_SIDE,
    NAME,
    PASS_OWNER,
    SIDE_NAME,
    TITLE,
    Ball,
    Fort,
    Player,
    Side,
)


def lag(state: State, event: Lag) -> Ruling[State] | Refusal:
    """FORT-01a: who comes back nearest to his own cushion off the far one strikes first."""
    if state.striker is not None:
        return Refusal("FORT-01a", "The first stroke has been played: there is no lag any more.")
    if state.player is not None:
        return Refusal("FORT-01a", f"The lag is decided: {state.player} plays English and strikes first.")
    winner = _nearer(event)
    if winner is None:
        # F-16: no fault of anyone's.
        return Ruling(state, notices=(Notice("FORT-01a", "The lag decides nothing: play it again."),))
    # FORT-01b: the first stroke and the English side go together.
    return Ruling(
        replace(state, player=winner),
        notices=(Notice("FORT-01b", f"{winner} plays English, strikes first and opens the attack."),),
    )


def _nearer(event: Lag) -> Player | None:
    distance, reached = event.distance_mm, event.far_cushion
    if reached.A and reached.B:
        return None if distance.A == distance.B else "A" if distance.A < distance.B else "B"
    return "A" if reached.A else "B" if reached.B else None


def colours_down(state: State, event: ColoursDown) -> Ruling[State] | Refusal:
    """Take colours down that are due. F-31: by whose hand makes no difference."""
    if event.of == "english-pass" or event.of == "french-pass":  # noqa: PLR1714 - by `in` mypy wouldn't know the type
        return _pass_colours(state, PASS_OWNER[event.of])
    fort = event.of
    stands = state.forts[fort]
    if stands == "standing":
        return Refusal("FORT-12a", f"{TITLE[fort]} is not taken: its colours stay up.")
    if stands == "taken" and fort not in state.flying:
        return Refusal("FORT-12a", f"The colours of {NAME[fort]} are down already.")
    after = replace(state, forts={**state.forts, fort: "taken"}, unpaid=state.unpaid - {fort}, flying=state.flying - {fort})
    return Ruling(after, over=over(after))


def _pass_colours(state: State, owner: Side) -> Ruling[State] | Refusal:
    passer = ENEMY[owner]
    whose = f"The {SIDE_NAME[owner]} pass colours"
    if state.passes[passer] == "made":
        return Ruling(replace(state, passes={**state.passes, passer: "regular"}))
    if state.passes[passer] == "regular":
        return Refusal("FORT-07a", f"{whose} are down already.")
    if state.passes[passer] == "lapsed":
        return Refusal("FORT-08a", f"{whose} were left up too long: the {SIDE_NAME[passer]} must make the pass again first.")
    return Refusal("FORT-07a", f"{whose} stay up: the {SIDE_NAME[passer]} have not made the pass.")


def respotted(state: State, event: Respotted) -> Ruling[State] | Refusal:
    """FORT-35a: a ball that was owed is on its spot again, or behind it (FORT-35b)."""
    ball = event.ball
    if ball not in state.unspotted:
        side = BALL_SIDE[ball]
        if ball == ATTACK[side] and state.passes[side] in ("made", "lapsed"):
            return Refusal("FORT-08b", f"{TITLE[ball]} stays where it is after its pass: nobody owes it a spot.")
        return Refusal("FORT-23a", f"Nobody owes {NAME[ball]} its spot.")
    gone = frozenset(fort for fort in state.lodged if _taker_ball(fort) == ball)
    return Ruling(
        replace(
            state,
            unspotted={other: side for other, side in state.unspotted.items() if other != ball},
            lodged=state.lodged - gone,
        )
    )


def ball_lifted(state: State, event: BallLifted) -> Ruling[State] | Refusal:
    """FORT-24a: a fort from which the adversary lifts the ball is taken all the same, colours or not."""
    fort = event.fort
    if fort not in state.lodged:
        return Refusal("FORT-24a", f"No ball that has taken {NAME[fort]} lies in it.")
    if event.ball != _taker_ball(fort):
        return Refusal("FORT-24a", f"{TITLE[fort]} was taken by {NAME[_taker_ball(fort)]}, not by {NAME[event.ball]}.")
    lodged = state.lodged - {fort}
    if state.forts[fort] != "rung":
        return Ruling(replace(state, lodged=lodged))
    if event.by != FORT_SIDE[fort]:
        # His own hand shelters nobody.
        still = Notice("FORT-12a", f"Take down the colours of {NAME[fort]} before the next stroke, or it must be taken again.")
        return Ruling(replace(state, lodged=lodged), notices=(still,))
    after = replace(
        state,
        forts={**state.forts, fort: "taken"},
        lodged=lodged,
        unpaid=state.unpaid - {fort},
        flying=state.flying | {fort},
    )
    down = Notice("FORT-24b", f"{TITLE[fort]} is taken: take down its colours.")
    return Ruling(after, notices=(down,), over=over(after))


def demand_respot(state: State, event: DemandRespot) -> Ruling[State] | Refusal:
    """FORT-19b: an own ball played upon goes back to its spot if the adversary asks before the next stroke."""
    ball, striker = event.ball, state.striker
    if striker is None or ball not in state.played_on:
        return Refusal("FORT-19b", f"{TITLE[ball]} was not played upon by its own side in the latest stroke.")
    if event.by == striker:
        return Refusal("FORT-19b", f"Only the {SIDE_NAME[ENEMY[striker]]} may ask that {NAME[ball]} go back to its spot.")
    return Ruling(
        replace(state, unspotted={**state.unspotted, ball: striker}, played_on=state.played_on - {ball}),
        notices=(Notice("FORT-19b", f"Put {NAME[ball]} back on its spot."),),
    )


def _taker_ball(fort: Fort) -> Ball:
    return ATTACK[ENEMY[FORT_SIDE[fort]]]
