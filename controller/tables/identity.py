"""Which ball fell into which cup: what plain switches leave open, and what counting settles.

Switches say that cup 5 filled, not which ball fills it. Whites and reds score alike, so any of them serves; only the black matters
(BAG-12). The answers that remain are the *hypotheses*: the black lies in one of the filled cups, or in none. Counting rules
some of them out: if the first stroke fills two cups, one of the two balls must be the black.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

BLACK = "black"
PLAYED = ("white-1", "white-2", "white-3", "white-4", "red-1", "red-2", "red-3", "red-4")


@dataclass(frozen=True, slots=True)
class Move:
    """A ball came to rest, as a sensor saw it: `fill` or `empty` of a cup, or `back` over the half-way line.

    `id` is the journal's id of the observation: it names the ball until it is known. `ball` where it is known.
    """

    what: Literal["fill", "empty", "back"]
    cup: int
    id: int
    ball: str | None = None
    colour: bool | None = None
    """Whether a colour input says that it is the black."""


@dataclass(slots=True)
class Stroke:
    """What happened from one stroke to the next. `hit`: whether it struck the black, None where no sensor tells."""

    start: int
    crossed: bool = False
    called: bool = False
    hit: bool | None = False
    moves: list[Move] = field(default_factory=list)
    evidence: list[int] = field(default_factory=list)
    last_move: int | None = None
    record: int | None = None
    key: int = 0
    short: bool = False


Names = dict[int, str]
"""Ball by observation id of the fill, empty or return."""


def played_balls(count: int, taken: Iterable[str] = ()) -> list[str]:
    """Names for the balls played, in order: which white it was is never asked."""
    used = set(taken)
    return [ball for ball in PLAYED if ball not in used][:count]


def name_balls(strokes: Sequence[Stroke], played: Sequence[str], black_fill: int | None) -> Names | None:
    """Name the ball of every move, if the black made exactly the fill `black_fill` (or none); None where that is impossible."""
    names: Names = {}
    board: list[str] = []
    cups: dict[int, str] = {}
    struck = False
    for stroke, ball in zip(strokes, played, strict=True):
        alive = struck or stroke.hit is not False
        struck = alive
        board.append(ball)
        if stroke.hit is not False and BLACK not in names.values() and BLACK not in board:
            board.append(BLACK)
        for move in stroke.moves:
            name = _mover(move, ball, board, cups, black_fill)
            if name is None:
                return None
            names[move.id] = name
            if move.what == "fill":
                if move.cup in cups:
                    board.append(cups.pop(move.cup))
                board.remove(name)
                cups[move.cup] = name
            elif move.what == "empty":
                cups.pop(move.cup, None)
                board.append(name)
            else:
                board.remove(name)
        if not alive and ball in board:
            board.remove(ball)
    return names


def _mover(move: Move, played: str, board: list[str], cups: dict[int, str], black_fill: int | None) -> str | None:
    if move.what == "empty":
        return cups.get(move.cup)
    if move.ball is not None:
        return move.ball if move.ball in board else None
    is_black = move.colour if move.colour is not None else move.id == black_fill
    if is_black:
        return BLACK if BLACK in board else None
    if played in board:
        return played
    # The ball that moved last is the likeliest to move again; whites and reds score alike.
    others = [ball for ball in board if ball != BLACK]
    if others:
        return others[-1]
    return None
