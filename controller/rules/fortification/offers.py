"""What may be entered now, as forms."""

from __future__ import annotations

from functools import cache

from controller.rules.awards import Json
from controller.rules.fortification.state import State, over
from controller.rules.fortification.words import (
    ATTACK,
    BALLS,
    BALLS_OF,
    ENEMY,
    FORT_SIDE,
    FORTS,
    FORTS_OF,
    PASS_OF,
    SIDE_NAME,
    SIDES,
    Side,
)
from controller.rules.game import Field, Form

_BY = Field("by", "Whose hand", choices=SIDES)


def offers(state: State) -> tuple[Form, ...]:
    """Forms for what may be entered now, most likely first."""
    if over(state) is not None:
        return ()
    lag = (_LAG,) if state.striker is None and state.player is None else ()
    return (*lag, *_outstanding(state), *_strokes(state.turn))


def _outstanding(state: State) -> list[Form]:
    forms = []
    due: list[Json] = [PASS_OF[ENEMY[side]] for side in SIDES if state.passes[side] == "made"]
    due += [fort for fort in FORTS if state.forts[fort] == "rung" or fort in state.flying]
    if due:
        forms.append(Form("colours_down", "Colours taken down", fields=(Field("of", "Whose colours", choices=tuple(due)), _BY)))
    if state.unspotted:
        forms.append(Form("respotted", "Ball back on its spot", fields=(Field("ball", "Ball", choices=tuple(state.unspotted)),)))
    for fort in FORTS:
        if fort in state.lodged and state.forts[fort] == "rung":
            ball = Field("ball", "Ball", choices=(ATTACK[ENEMY[FORT_SIDE[fort]]],))
            forms.append(
                Form("ball_lifted", "Ball lifted out of the fort", fields=(Field("fort", "Fort", choices=(fort,)), ball, _BY))
            )
    if state.striker is not None and state.played_on:
        adversary = ENEMY[state.striker]
        fields = (Field("ball", "Ball", choices=tuple(sorted(state.played_on))), Field("by", "Who asks", choices=(adversary,)))
        forms.append(Form("demand_respot", "Ball played upon: ask it back", adversary, fields))
    return forms


@cache
def _strokes(side: Side) -> tuple[Form, ...]:
    """Strokes of a side: those of which one thing is told are closed, those of several are open lists of facts."""
    own, enemy = BALLS_OF[side], BALLS_OF[ENEMY[side]]
    striker = Field("side", "Side", choices=(side,))
    ball = Field("ball", "Ball cued", choices=(*own, *enemy))
    hit: list[Json] = [
        {"fact": "hit", "ball": one, "cushion_first": cushion} for one in (*enemy, *own) for cushion in (True, False)
    ]
    every = _facts(side)
    single: tuple[Json, ...] = ([], *([fact] for fact in every))
    several = Field("facts", "What happened, in order", kind="list", choices=(*every, *hit))
    declared = (
        striker,
        Field("ball", "Ball cued", choices=own),
        Field("declared", "Call", choices=("i_do_not_see",)),
        Field("hidden", "The umpire agrees that the ball is hidden", choices=(True, False)),
        Field("hidden_ball", "Hidden ball", choices=enemy, required=False),
    )
    hit_alone: tuple[Json, ...] = ([], *([fact] for fact in hit[: 2 * len(enemy)]))
    played_on: tuple[Json, ...] = tuple(
        [{"fact": "hit", "ball": one, "cushion_first": False}] for one in own if one != ATTACK[side]
    )
    name = SIDE_NAME[side]
    return (
        Form("stroke", f"{name} stroke", side, (striker, ball, Field("facts", "What happened", choices=single))),
        Form("stroke", f"{name} stroke, several things", side, (striker, ball, several)),
        Form("stroke", f"{name} stroke, I do not see", side, (*declared, Field("facts", "What was hit", choices=hit_alone))),
        Form("stroke", f"{name} stroke, I do not see, several things", side, (*declared, several)),
        Form(
            "stroke",
            f"{name} stroke upon an own ball",
            side,
            (striker, Field("ball", "Ball cued", choices=(ATTACK[side],)), Field("facts", "Ball played upon", choices=played_on)),
        ),
    )


def _facts(side: Side) -> list[Json]:
    """Every single thing that can matter in a stroke, most likely first."""
    own, enemy = BALLS_OF[side], BALLS_OF[ENEMY[side]]
    facts: list[Json] = [{"fact": "pass", "ball": ATTACK[side], "from": "own_side"}]
    facts += [{"fact": "bell", "fort": fort, "ball": ball} for ball in own for fort in FORTS_OF[ENEMY[side]]]
    facts += [
        {"fact": "in_fort", "fort": fort, "ball": ball} for ball in enemy for fort in (*FORTS_OF[side], *FORTS_OF[ENEMY[side]])
    ]
    facts += [{"fact": kind, "ball": ball} for kind in ("holed", "off_table", "on_fort", "on_cushion") for ball in BALLS]
    facts += [
        {"fact": "in_fort", "fort": fort, "ball": ball} for ball in own for fort in (*FORTS_OF[ENEMY[side]], *FORTS_OF[side])
    ]
    facts.append({"fact": "pass", "ball": ATTACK[side], "from": "enemy_side"})
    return facts


_LAG = Form(
    "lag",
    "Strokes for the first turn",
    fields=(
        Field("distance_mm", "Distance from the near cushion in millimetres", kind="object"),
        Field(
            "far_cushion",
            "Who reached the far cushion",
            choices=tuple({"A": a, "B": b} for a in (True, False) for b in (True, False)),
        ),
    ),
)
