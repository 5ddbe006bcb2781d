"""What is outstanding at the instant the next stroke is played (F-04): pass colours and fort colours left up."""

from __future__ import annotations

from collections.abc import Mapping

from controller.rules.awards import Notice
from controller.rules.fortification.state import FORT_POINTS, State
from controller.rules.fortification.tally import Tally
from controller.rules.fortification.words import ENEMY, FORT_SIDE, NAME, SIDE_NAME, SIDES, TITLE, Fort, FortState, PassState, Side


def settle_passes(state: State, notices: list[Notice]) -> Mapping[Side, PassState]:
    """FORT-08a: a pass whose colours were left up must be made again. FORT-08b: the ball stays where it lies."""
    if "made" not in state.passes.values():
        return state.passes
    passes = dict(state.passes)
    for side in SIDES:
        if passes[side] == "made":
            passes[side] = "lapsed"
            notices.append(
                Notice(
                    "FORT-08a",
                    f"The {SIDE_NAME[ENEMY[side]]} pass colours were left up: the {SIDE_NAME[side]} must make the pass again, "
                    "and their ball stays where it is.",
                )
            )
    return passes


def settle_forts(state: State, tally: Tally, notices: list[Notice]) -> Mapping[Fort, FortState]:
    """FORT-12a: a fort whose colours were left up must be taken again. FORT-12b: its four points are put back."""
    if "rung" not in state.forts.values():
        return state.forts
    forts = dict(state.forts)
    for fort, stands in state.forts.items():
        if stands == "rung":
            forts[fort] = "standing"
            notices.append(Notice("FORT-12a", f"The colours of {NAME[fort]} were left up: it must be taken again."))
            if fort not in state.unpaid:
                taker = ENEMY[FORT_SIDE[fort]]
                tally.put_back(taker, FORT_POINTS, "FORT-12b", f"{TITLE[fort]} was taken, but its colours were left up.")
    return forts
