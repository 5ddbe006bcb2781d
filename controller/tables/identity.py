"""Which ball fell into which cup: what plain switches leave open, and what counting settles.

Switches say that cup 5 filled, not which ball fills it. Whites and reds score alike, so any of them serves; only the black
matters (BAG-12). What remains is a *hypothesis*: the black made a certain move, or none. Counting rules some of them out: where
the first stroke fills two cups, one of its two balls must be the black.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from controller.rules.awards import Json

BLACK = "black"


@dataclass(frozen=True, slots=True)
class Move:
    """A ball moved: it filled or left a cup, or came back over the half-way line.

    What people entered knows more: a ball was `lost` off the table, or came `out` to the board. `id` is the journal's id of
    the observation. `ball` where people have said which it was; `black` where a colour input says whether it is the black, and
    `late` the id of what it said so by, where the stroke was an event already.
    """

    what: Literal["fill", "empty", "back", "lost", "out"]
    cup: int
    id: int
    ball: str | None = None
    black: bool | None = None
    late: int | None = None


@dataclass(slots=True)
class Stroke:
    """What happened from one stroke to the next.

    `key`: the id of the observation that began it; `crossed`: a ball went up over the half-way line; `called`: the next-ball
    button began it; `hit`: whether it struck the black, None where no sensor tells; `record`: of its event, once it has one;
    `unsettled`: its event leaves to a question where balls came to rest.
    """

    start: int
    key: int
    ball: str = ""
    crossed: bool = False
    called: bool = False
    short: bool = False
    hit: bool | None = False
    moves: list[Move] = field(default_factory=list)
    evidence: list[int] = field(default_factory=list)
    last_move: int | None = None
    record: int | None = None
    unsettled: bool = False


Resting = dict[int, list[Json]]
"""By stroke key: the `moves` of its event, where balls came to rest."""


def rest_balls(strokes: Sequence[Stroke], black_moves: frozenset[int]) -> Resting | None:
    """Where balls came to rest if the black made exactly these moves; None where that is impossible."""
    board: list[str] = []
    cups: dict[int, str] = {}
    black_seen = struck = False
    resting: Resting = {}
    for stroke in strokes:
        rests: dict[str, str] = {}
        struck = struck or stroke.hit is not False
        board.append(stroke.ball)
        if struck and not black_seen:
            black_seen = True
            board.append(BLACK)
            if stroke.hit:
                rests[BLACK] = "board"
        for move in stroke.moves:
            ball = _mover(move, stroke.ball, board, cups, black_moves)
            if ball is None:
                return None
            rests.pop(ball, None)
            to = _bring(ball, move, board, cups)
            if to is None:
                return None
            rests[ball] = to
        if stroke.short:
            rests[stroke.ball] = "short"
        elif stroke.ball in board:
            rests.setdefault(stroke.ball, "board")
        if not struck:
            # A ball that missed is lost for the turn (BAG-06), wherever it lies.
            board.clear()
            cups.clear()
        resting[stroke.key] = [{"ball": ball, "to": to} for ball, to in rests.items()]
    return resting


def _bring(ball: str, move: Move, board: list[str], cups: dict[int, str]) -> str | None:
    """Move the ball; gives where it comes to rest, None where it can't."""
    if ball in board:
        board.remove(ball)
    for cup in [cup for cup, lying in cups.items() if lying == ball]:
        del cups[cup]
    if move.what in ("empty", "out"):
        board.append(ball)
        return "board"
    if move.what == "fill":
        if move.cup in cups:
            return None
        cups[move.cup] = ball
        return f"cup-{move.cup}"
    return "past_half_way" if move.what == "back" else "off_table"


def _mover(move: Move, played: str, board: list[str], cups: dict[int, str], black_moves: frozenset[int]) -> str | None:
    if move.what == "empty":
        return cups.get(move.cup)
    if move.ball is not None:
        return move.ball if move.ball in board or move.ball in cups.values() else None
    if move.black or (move.black is None and move.id in black_moves):
        return BLACK if BLACK in board else None
    # The ball just played is the likeliest to move, then the one that moved last.
    candidates = [ball for ball in board if ball != BLACK]
    if played in candidates:
        return played
    return candidates[-1] if candidates else None


def last_fills(strokes: Sequence[Stroke]) -> dict[int, Move]:
    """By cup: the fill that put the ball there which lies in it now."""
    fills: dict[int, Move] = {}
    for stroke in strokes:
        for move in stroke.moves:
            if move.what == "fill":
                fills[move.cup] = move
            elif move.what == "empty":
                fills.pop(move.cup, None)
    return fills


def lying(strokes: Sequence[Stroke]) -> dict[int, Move]:
    """The same without the balls that missed the black: they are lost for the turn, and lifted."""
    first = next((place for place, stroke in enumerate(strokes) if stroke.hit is not False), None)
    return last_fills(strokes[-1:] if first is None else strokes[first:])


Fate = tuple[str, int]
"""Where the black is (`spot`, `board`, `off`, `cup-5`), and how many other balls lie on the board with it."""


def black_fates(strokes: Sequence[Stroke]) -> dict[Fate, frozenset[int]]:
    """Where the black may be by now, each with the moves that it made then; fewest moves first."""
    fates: dict[Fate, frozenset[int]] = {("spot", 0): frozenset()}
    struck = False
    for stroke in strokes:
        struck = struck or stroke.hit is not False
        fates = {("board" if struck and at == "spot" else at, others + 1): made for (at, others), made in fates.items()}
        for move in stroke.moves:
            fates = _after(move, fates)
        if not struck:
            # A ball that missed is lost for the turn (BAG-06), wherever it lies.
            fates = {(at, 0): made for (at, _), made in fates.items()}
    return fates


def _after(move: Move, fates: dict[Fate, frozenset[int]]) -> dict[Fate, frozenset[int]]:
    after: dict[Fate, frozenset[int]] = {}

    def may(fate: Fate, made: frozenset[int]) -> None:
        if fate not in after or len(made) < len(after[fate]):
            after[fate] = made

    cup = f"cup-{move.cup}"
    is_black = move.black if move.ball is None else move.ball == BLACK
    for (at, others), made in fates.items():
        if move.what in ("empty", "out"):
            if at == cup or (is_black and move.what == "out"):
                may(("board", others), made | {move.id})
            else:
                may((at, others + (move.what == "empty")), made)
            continue
        if is_black is not False and (at == "board" or move.ball == BLACK):
            may((cup if move.what == "fill" else "off", others), made | {move.id})
        if not is_black and (others or move.ball is not None):
            may((at, max(others - 1, 0)), made)
    return after


def tellings(strokes: Sequence[Stroke]) -> list[tuple[str, Resting]]:
    """All that may have happened, by answer, the simplest first; an answer may stand for several."""
    fates = sorted(black_fates(strokes).items(), key=lambda fate: (fate[0][0].startswith("cup"), len(fate[1]), fate[0]))
    told = ((at if at.startswith("cup-") else "none", rest_balls(strokes, made)) for (at, _), made in fates)
    return [(key, resting) for key, resting in told if resting is not None]


def possible(strokes: Sequence[Stroke]) -> bool:
    """Whether any balls can have made these moves."""
    return any(rest_balls(strokes, made) is not None for made in black_fates(strokes).values())


def hypotheses(strokes: Sequence[Stroke]) -> dict[str, Resting]:
    """What may have happened, by answer: `none`, or the cup that holds the black (`cup-5`); empty where nothing fits.

    `none` stands for a black on the board as well as for one that came back over the line, whichever fits.
    """
    possible: dict[str, Resting] = {}
    for key, resting in tellings(strokes):
        possible.setdefault(key, resting)
    return possible


def with_unseen(strokes: Sequence[Stroke], cups: Sequence[int]) -> list[Stroke]:
    """The same strokes if balls have also fallen into these cups, which no sensor sees: by the last one that can still say so."""
    last = max((place for place, stroke in enumerate(strokes) if stroke.unsettled), default=None)
    if last is None or not cups:
        return list(strokes)
    more = [*strokes[last].moves, *(Move("fill", cup, -cup) for cup in cups)]
    return [*strokes[:last], replace(strokes[last], moves=more), *strokes[last + 1 :]]


def unseen_hypotheses(strokes: Sequence[Stroke], blind: Iterable[int]) -> dict[str, Resting]:
    """The hypotheses where what lies in some cups isn't known: `none+5`, a ball lies in cup 5 that is not the black."""
    there = last_fills(strokes)
    unseen = [cup for cup in blind if cup not in there]
    possible: dict[str, Resting] = {}
    for size in range(len(unseen) + 1):
        for cups in itertools.combinations(unseen, size):
            for key, resting in hypotheses(with_unseen(strokes, cups)).items():
                others = [str(cup) for cup in cups if key != f"cup-{cup}"]
                possible.setdefault("+".join([key, *others]), resting)
    return possible


def entered(record: int, event: dict[str, Json]) -> Stroke | None:
    """The stroke of a shot that people entered: its balls are known. None for other events."""
    if event.get("event") != "shot":
        return None
    moves = []
    stroke = Stroke(0, -record, str(event.get("ball")), hit=bool(event.get("hit_black")), record=record)
    listed = event.get("moves")
    for place, item in enumerate(listed if isinstance(listed, list) else []):
        assert isinstance(item, dict)
        to, ball = str(item["to"]), str(item["ball"])
        cup = int(to.removeprefix("cup-")) if to.startswith("cup-") else 0
        what: Literal["fill", "back", "lost", "out"] = "fill" if cup else "out"
        if to in ("past_half_way", "off_table"):
            what = "back" if to == "past_half_way" else "lost"
        moves.append(Move(what, cup, -(record * 100 + place), ball))
    stroke.moves = moves
    return stroke
