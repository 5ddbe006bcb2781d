"""The names of sides, balls and forts, and which fort lies behind which."""

from __future__ import annotations

from typing import Literal, get_args

Side = Literal["english", "french"]

# FORT-02: one attacking and two defending balls a side.
Ball = Literal[
    "english-attack",
    "english-defence-1",
    "english-defence-2",
    "french-attack",
    "french-defence-1",
    "french-defence-2",
]

# F-19: five forts a side, named after the side that defends them.
Fort = Literal[
    "english-advanced-1",
    "english-advanced-2",
    "english-reserved-1",
    "english-reserved-2",
    "english-grand",
    "french-advanced-1",
    "french-advanced-2",
    "french-reserved-1",
    "french-reserved-2",
    "french-grand",
]

PassColours = Literal["english-pass", "french-pass"]
Colours = Literal[Fort, PassColours]

PassState = Literal["none", "made", "lapsed", "regular"]
"""`made`: through, the enemy's pass colours still up; `regular`: they came down; `lapsed`: they were left up too long."""

FortState = Literal["standing", "rung", "taken"]
"""`rung`: its bell rang for a lawful attacker, the colours are still up; `taken`: it has fallen."""

Player = Literal["A", "B"]

SIDES: tuple[Side, ...] = get_args(Side)
BALLS: tuple[Ball, ...] = get_args(Ball)
FORTS: tuple[Fort, ...] = get_args(Fort)

ENEMY: dict[Side, Side] = {"english": "french", "french": "english"}
ATTACK: dict[Side, Ball] = {"english": "english-attack", "french": "french-attack"}
PASS_OWNER: dict[PassColours, Side] = {"english-pass": "english", "french-pass": "french"}
PASS_OF: dict[Side, PassColours] = {"english": "english-pass", "french": "french-pass"}

BALL_SIDE: dict[Ball, Side] = {ball: "english" if ball.startswith("english") else "french" for ball in BALLS}
FORT_SIDE: dict[Fort, Side] = {fort: "english" if fort.startswith("english") else "french" for fort in FORTS}

BALLS_OF: dict[Side, tuple[Ball, ...]] = {side: tuple(ball for ball in BALLS if BALL_SIDE[ball] == side) for side in SIDES}
FORTS_OF: dict[Side, tuple[Fort, ...]] = {side: tuple(fort for fort in FORTS if FORT_SIDE[fort] == side) for side in SIDES}


def _earlier(fort: Fort) -> tuple[Fort, ...]:
    first, second, *_ = forts = FORTS_OF[FORT_SIDE[fort]]
    if "advanced" in fort:
        return ()  # FORT-07b: these come first, in either order
    if "reserved" in fort:
        return (first, second)  # FORT-21a
    return forts[2:4]  # FORT-21b


EARLIER: dict[Fort, tuple[Fort, ...]] = {fort: _earlier(fort) for fort in FORTS}
"""The forts that must have fallen before each; while one of them stands the fort is out of the angle."""

_ORDINALS = {"1": "first ", "2": "second "}

SIDE_NAME: dict[Side, str] = {side: side.capitalize() for side in SIDES}


def _spoken(name: str) -> str:
    side, kind, *number = name.split("-")
    kind = {"attack": "attacking ball", "defence": "defending ball"}.get(kind, f"{kind} fort")
    return f"the {_ORDINALS[number[0]] if number else ''}{side.capitalize()} {kind}"


NAME: dict[Ball | Fort, str] = {name: _spoken(name) for name in (*BALLS, *FORTS)}
"""As people say it: "the first French advanced fort"."""

TITLE: dict[Ball | Fort, str] = {name: f"T{spoken[1:]}" for name, spoken in NAME.items()}
"""The same at the beginning of a sentence."""
