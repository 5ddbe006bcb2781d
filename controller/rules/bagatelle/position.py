"""Bagatelle's position in public words: a turn and the score, read and written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NoReturn

from controller.rules.awards import Json
from controller.rules.bagatelle.turn import NO_CUPS, Turn, points_of
from controller.rules.bagatelle.words import BLACK, CUP_NUMBER, CUPS, EIGHT, Ball, Cup, CupName, House, Player, Side, listed
from controller.rules.errors import BadPosition
from controller.rules.shapes import Unreadable, reader

FINISHED = Turn(balls_left=0, in_hand=())
"""The turn of a game that is over."""

MAY_BE_NULL = ("turn", "player", "in_hand")
"""Words that a written position may have as null: nobody is in turn, nobody has partners, which balls are in hand is open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A position as written; None where it leaves a word out."""

    score: Mapping[Side, int] | None = None
    turn: Side | None = None
    player: Player | None = None
    balls_left: int | None = None
    in_hand: tuple[Ball, ...] | None = None
    black: Literal[CupName, "spot-a", "board", "removed"] | None = None
    black_struck: bool | None = None
    cups: Mapping[Cup, Ball] | None = None
    turn_points: int | None = None


def read_words(given: Mapping[str, Json]) -> Words:
    """The words of a position. Raises `BadPosition`."""
    try:
        words: Words = reader(Words)(given, "position")
    except Unreadable as error:
        raise BadPosition(str(error)) from None
    for name, said in given.items():
        if said is None and name not in MAY_BE_NULL:
            raise BadPosition(f"position.{name}: null says nothing here: leave the word out")
    for side, points in (words.score or {}).items():
        if points < 0:
            _bad(f"the score of {side} is {points}, but nothing in bagatelle takes points away")
    return words


def read_turn(house: House, words: Words) -> Turn:
    """The turn under way that a position tells of. Raises `BadPosition` where it can't stand."""
    cups, black = _cups(words)
    struck = words.black_struck
    if struck is None:
        # A ball stays in a cup, and the black leaves spot a, only once the black was struck (BAG-05, BAG-06).
        struck = cups != NO_CUPS or black not in (None, "spot-a")
    if not struck and (cups != NO_CUPS or black == "board"):
        _bad("black_struck is false, but until the black is struck it stands on spot a and no ball stays in a cup")
    if black is None or black in CUP_NUMBER:
        black = "board" if struck else "spot-a"
    balls_left, in_hand = _hand(words, cups)
    made = tuple([(n, cups[n - 1] == BLACK) for n in range(9, 0, -1) if cups[n - 1]]) if house.scoring == "as_made" else ()
    turn = Turn(balls_left=balls_left, in_hand=in_hand, black=black, struck=struck, cups=cups, made=made)
    return _with_points(house, turn, words.turn_points)


def write(score: Mapping[str, int], house: House, turn: Turn, player: str | None) -> dict[str, Json]:
    """The position in public words, complete. No player: the game is over."""
    cups: dict[str, Json] = {str(n): turn.cups[n - 1] for n in CUPS if turn.cups[n - 1]}
    open_names = len(turn.in_hand) > turn.balls_left
    return {
        "score": dict(score),
        "turn": player and player[0],
        "player": player if house.partners else None,
        "balls_left": turn.balls_left,
        "in_hand": None if open_names else list(turn.in_hand),
        "black": next((f"cup-{n}" for n, ball in cups.items() if ball == BLACK), turn.black),
        "black_struck": turn.struck,
        "cups": cups,
        "turn_points": sum(award.points for award in points_of(house, turn, "A")),
    }


def _cups(words: Words) -> tuple[tuple[str | None, ...], str | None]:
    """The ball in each cup and the place of the black, which each may tell of the other."""
    filled: dict[int, str] = {int(cup): ball for cup, ball in (words.cups or {}).items()}
    if len(set(filled.values())) < len(filled):
        _bad("cups: a ball lies in one cup alone, but one is named twice")
    at = next((f"cup-{n}" for n, ball in filled.items() if ball == BLACK), None)
    black: str | None = words.black
    if at and black not in (None, at):
        _bad(f"black is {black}, but the cups have it in {at}")
    if black in CUP_NUMBER and not at:
        number = CUP_NUMBER[black]
        if words.cups is not None:
            _bad(f"black is {black}, but the cups don't have it there")
        filled[number] = BLACK
    return tuple([filled.get(n) for n in CUPS]), at or black


def _hand(words: Words, cups: tuple[str | None, ...]) -> tuple[int, tuple[str, ...]]:
    """How many balls are left to play, and which: all that may be, where the position leaves it open."""
    if words.in_hand is not None:
        in_hand: tuple[str, ...] = words.in_hand
        if len(set(in_hand) & set(EIGHT)) < len(in_hand):
            _bad("in_hand names each white or red ball once; the black is never in hand")
        if words.balls_left not in (None, len(in_hand)):
            _bad(f"balls_left is {words.balls_left}, but in_hand names {len(in_hand)}")
        if both := [ball for ball in in_hand if ball in cups]:
            _bad(f"{listed(both)}: in hand and in a cup at once")
    else:
        in_hand = tuple([ball for ball in EIGHT if ball not in cups])
    balls_left = len(in_hand) if words.balls_left is None else words.balls_left
    if not 1 <= balls_left <= 8:
        _bad(f"balls_left is 1 to 8 while a turn is under way, not {balls_left}")
    if balls_left > len(in_hand):
        _bad(f"balls_left is {balls_left}, but {8 - len(in_hand)} of the eight lie in cups")
    return balls_left, in_hand


def _with_points(house: House, turn: Turn, points: int | None) -> Turn:
    """The turn with the provisional points that the position names."""
    inside = sum(award.points for award in points_of(house, turn, "A"))
    if points is None or points == inside:
        return turn
    if house.scoring == "final":
        _bad(f"turn_points is {points}, but the cups hold {inside}")
    if points < 0:
        _bad(f"turn_points is {points}, but nothing in bagatelle takes points away")
    # As made, a ball may have been holed before and knocked out since; what the cups hold may have been made or not.
    made = turn.made if points > inside else ()
    carried = points - inside if points > inside else points
    return Turn(turn.balls_left, turn.in_hand, turn.black, turn.struck, turn.cups, turn.off, made, carried)


def _bad(said: str) -> NoReturn:
    raise BadPosition(f"position: {said}")
