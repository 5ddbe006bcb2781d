"""The state of a game, its public position, and when it is won."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from controller.rules.awards import Json, Over
from controller.rules.errors import BadPosition
from controller.rules.fortification.options import HouseRules
from controller.rules.fortification.words import (
    ENEMY,
    FORT_SIDE,
    FORTS,
    SIDES,
    Ball,
    Fort,
    FortState,
    PassState,
    Player,
    Side,
)
from controller.rules.shapes import Unreadable, reader

FORT_POINTS = 4
"""What a fort is worth, and what FORT-12b puts back."""


@dataclass(frozen=True, slots=True)
class State:
    """Everything that the rules know of a game. Its mappings are never changed in place."""

    rules: HouseRules
    score: Mapping[Side, int]
    turn: Side
    passes: Mapping[Side, PassState]
    forts: Mapping[Fort, FortState]
    unspotted: Mapping[Ball, Side]
    """Balls that must go back to their spots, and the side that owes it (FORT-23a)."""
    player: Player | None
    """Who plays English, once a lag has decided it."""
    striker: Side | None
    """Who played the latest stroke; None before the first, when a lag may be played."""
    played_on: frozenset[Ball] = frozenset()
    """Own balls that the latest stroke struck: the adversary may ask them back (FORT-19b)."""
    unpaid: frozenset[Fort] = frozenset()
    """Rung forts that won nothing (FORT-23b): there is nothing to put back."""
    lodged: frozenset[Fort] = frozenset()
    """Forts in which the ball that rang them still lies."""
    flying: frozenset[Fort] = frozenset()
    """Fallen forts whose colours still have to come down (FORT-24b)."""


@dataclass(frozen=True, slots=True)
class Position:
    """The public words, each of which may be left out: then it is as at the start of a game.

    FORT-03: at the start every ball is on its spot, so none is owed.
    """

    score: Mapping[Side, int] = field(default_factory=dict)
    turn: Side = "english"  # FORT-01c
    pass_: Mapping[Side, PassState] = field(default_factory=dict)
    forts: Mapping[Fort, FortState] = field(default_factory=dict)
    unspotted: Mapping[Ball, Side] = field(default_factory=dict)
    english: Player | None = None


def opening(rules: HouseRules, given: Mapping[str, Json] | None) -> State:
    """The first state. What the position leaves unsaid is as usual: a rung fort was paid for, its ball lies in it."""
    try:
        position: Position = reader(Position)({} if given is None else given, "position")
    except Unreadable as error:
        raise BadPosition(str(error)) from None
    forts: dict[Fort, FortState] = {fort: position.forts.get(fort, "standing") for fort in FORTS}
    passes: dict[Side, PassState] = {side: position.pass_.get(side, "none") for side in SIDES}
    score = {side: position.score.get(side, 0) for side in SIDES}
    under_way = (
        position.turn == "french"
        or any(score.values())
        or any(one != "none" for one in passes.values())
        or any(one != "standing" for one in forts.values())
        or position.unspotted
    )
    return State(
        rules=rules,
        score=score,
        turn=position.turn,
        passes=passes,
        forts=forts,
        unspotted=dict(position.unspotted),
        player=position.english,
        striker=ENEMY[position.turn] if under_way else None,
        lodged=frozenset(fort for fort in FORTS if forts[fort] == "rung"),
    )


def position(state: State) -> dict[str, Json]:
    """The complete position in the public words."""
    return {
        "score": _plain(state.score),
        "turn": state.turn,
        "pass": _plain(state.passes),
        "forts": _plain(state.forts),
        "unspotted": _plain(state.unspotted),
        "english": state.player,
    }


def _plain(mapping: Mapping[Any, Json]) -> dict[str, Json]:
    return dict(mapping)


def over(state: State) -> Over | None:
    """How the game ended; None while it goes on.

    FORT-00c, F-02: the score is compared once a stroke is netted. Points of a fort whose colours are still up may be put
    back, so a side that has such a fort hasn't won until the colours are down. F-03: all five forts by themselves end nothing.
    """
    target, score = state.rules.target, state.score
    if score["english"] < target and score["french"] < target:
        return None
    winners = [side for side in SIDES if _has_won(state, side)]
    if not winners:
        return None
    # Both can get there by one stroke if losses go to the adversary; the striker wins a tie.
    winner = max(winners, key=lambda side: (score[side], side == state.striker))
    return Over(winner=winner, draw=False, double=False, rule="FORT-00c")


def _has_won(state: State, side: Side) -> bool:
    score, target = state.score[side], state.rules.target
    reached = score == target if state.rules.finish == "exact" else score >= target
    return reached and not any(
        stands == "rung" and FORT_SIDE[fort] != side and fort not in state.unpaid for fort, stands in state.forts.items()
    )
