"""Short words for writing fortification cases: `ea` is english-attack, `fd2` french-defence-2, `fA1` french-advanced-1."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

Json = dict[str, Any]

SIDES = {"e": "english", "f": "french"}
KINDS = {"a": "attack", "d1": "defence-1", "d2": "defence-2"}
GROUPS = {"A1": "advanced-1", "A2": "advanced-2", "R1": "reserved-1", "R2": "reserved-2", "G": "grand"}


def long(short: str) -> str:
    """The name of a ball or fort in full."""
    return f"{SIDES[short[0]]}-{ {**KINDS, **GROUPS}[short[1:]] }"


def stroke(ball: str, *facts: Json, side: str | None = None, **declared: Any) -> Json:
    """A stroke with a ball, by its own side unless said otherwise."""
    if "hidden" in declared:
        declared["declared"] = "i_do_not_see"
    return {"event": "stroke", "side": SIDES[side or ball[0]], "ball": long(ball), "facts": list(facts), **declared}


def passes(ball: str, way: str = "own_side") -> Json:
    return {"fact": "pass", "ball": long(ball), "from": way}


def bell(fort: str, ball: str) -> Json:
    return {"fact": "bell", "fort": long(fort), "ball": long(ball)}


def in_fort(fort: str, ball: str) -> Json:
    return {"fact": "in_fort", "fort": long(fort), "ball": long(ball)}


def left(kind: str, ball: str) -> Json:
    """A ball that left the bed: `holed`, `off_table`, `on_fort`, `on_cushion`."""
    return {"fact": kind, "ball": long(ball)}


def hit(ball: str, *, cushion: bool = False) -> Json:
    return {"fact": "hit", "ball": long(ball), "cushion_first": cushion}


def colours(of: str, by: str = "e") -> Json:
    """Colours taken down: `fA1`, or `f-pass`."""
    return {"event": "colours_down", "of": f"{SIDES[of[0]]}-pass" if of[1:] == "-pass" else long(of), "by": SIDES[by]}


def spotted(ball: str) -> Json:
    return {"event": "respotted", "ball": long(ball)}


def lifted(fort: str, ball: str, by: str) -> Json:
    return {"event": "ball_lifted", "fort": long(fort), "ball": long(ball), "by": SIDES[by]}


def asked_back(ball: str, by: str) -> Json:
    return {"event": "demand_respot", "ball": long(ball), "by": SIDES[by]}


def lag(a: float, b: float, far_a: bool = True, far_b: bool = True) -> Json:
    return {"event": "lag", "distance_mm": {"A": a, "B": b}, "far_cushion": {"A": far_a, "B": far_b}}


PASSED: Json = {"pass": {"english": "regular", "french": "regular"}}


def forts(**states: str) -> dict[str, str]:
    return {long(short): state for short, state in states.items()}


def standing_after(*fallen: str) -> Json:
    """A position in which the pass is regular for both and these forts have fallen."""
    return {**PASSED, "forts": {long(short): "taken" for short in fallen}}


def case(
    rule: str,
    why: str,
    *events: Json,
    awards: str = "",
    start: Json | None = None,
    options: Json | None = None,
    refused: tuple[int, ...] = (),
    holds: Json | None = None,
    over: Json | None = None,
) -> Any:
    """One case. `awards` like "e+4 FORT-11, f-2 FORT-29"; `refused` counts events from 1."""
    opening: Json = {"event": "game", "game": "fortification"}
    opening |= {"position": start} if start else {}
    opening |= {"options": options} if options else {}
    wanted = []
    for one in filter(None, awards.split(", ")):
        points, cited = one.split()
        wanted.append({"side": "english" if points[0] == "e" else "french", "points": int(points[1:]), "rule": cited})
    expect = {
        "awards": wanted,
        "refused": [n + 1 for n in refused],
        "position": holds or {"turn": {"any": ["english", "french"]}},
    }
    made = {"transcript": [opening, *events], "why": why, "expect": {**expect, "over": over}}
    return pytest.param(made, id=f"{rule}: {why}")


ENGLISH_WINS = {"winner": "english", "draw": False, "double": False, "rule": "FORT-00c"}
FRENCH_WINS = {**ENGLISH_WINS, "winner": "french"}
MISS_E, MISS_F = stroke("ea"), stroke("fa")
TAKES = stroke("ea", bell("fA1", "ea"))
HIDDEN = {"hidden": True}


BOOK = Path(__file__).parents[3] / "seeds" / "fortification.md"


def sections() -> dict[str, str]:
    """The rule book by the ids in its headings."""
    parts = re.split(r"^### (\S+) .*$", BOOK.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))
