"""Colours: where each flag should be by the rules, and what to say when it is elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, cast

from controller.rules.awards import Json, Notice
from controller.rules.fortification.words import ENEMY, FORT_SIDE, FORTS, NAME, PASS_OF, SIDE_NAME, SIDES, Side

Due = Literal["up", "coming down", "down"]
"""Where colours should be: `coming down` until the next stroke (FORT-07a, FORT-12a)."""

COLOURS: tuple[str, ...] = (*FORTS, *PASS_OF.values())


def due_of(position: Mapping[str, Json]) -> dict[str, Due]:
    """Where each flag should be in this position of the rules."""
    known: Any = position
    forts: dict[str, Due] = {"standing": "up", "rung": "coming down", "taken": "down"}
    passes: dict[str, Due] = {"none": "up", "lapsed": "up", "made": "coming down", "regular": "down"}
    due: dict[str, Due] = {fort: forts[known.get("forts", {}).get(fort, "standing")] for fort in FORTS}
    return due | {PASS_OF[ENEMY[side]]: passes[known.get("pass", {}).get(side, "none")] for side in SIDES}


def notices_of(due: Mapping[str, Due], up: Callable[[str], bool | None]) -> Iterator[Notice]:
    """What must be done with flags that a sensor sees elsewhere."""
    for of, wanted in due.items():
        is_up, is_pass = up(of), of not in FORTS
        if wanted == "coming down" and is_up:
            again = "the pass must be made again" if is_pass else "it must be taken again"
            rule = "FORT-07a" if is_pass else "FORT-12a"
            yield Notice(rule, f"Take down the colours of {spoken(of)} before the next stroke, or {again}.")
        elif wanted == "up" and is_up is False:
            yield Notice("FORT-12a", f"The colours of {spoken(of)} are down, by the score they are up: put them up, or correct.")
        elif wanted == "down" and is_up:
            yield Notice(
                "FORT-12a", f"The colours of {spoken(of)} are up, by the score they are down: take them down, or correct."
            )


def spoken(of: str) -> str:
    """Whose colours, in words."""
    return NAME[of] if of in FORTS else f"the {SIDE_NAME[_owner(of)]} pass"


def taker(of: str) -> Side:
    """The side that wants these colours down. Whose hand lowers them makes no difference (F-31)."""
    return ENEMY[_owner(of)]


def _owner(of: str) -> Side:
    return FORT_SIDE[of] if of in FORTS else cast(Side, of.removesuffix("-pass"))
