"""What may be entered now: forms for the marker's console."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from controller.rules.awards import Json
from controller.rules.bagatelle.turn import Turn
from controller.rules.bagatelle.words import BLACK, CUPS, EIGHT, House, Rest, title
from controller.rules.game import Field, Form


def forms(house: House, turn: Turn, side: str) -> tuple[Form, ...]:
    """The forms of a turn, most likely first."""
    other = "B" if side == "A" else "A"
    closing: tuple[Form, ...] = (Form("end_turn", "Give up the rest of the turn", side),) if turn.begun else ()
    opens = other if turn.begun else side
    return (
        *_shots(house, turn, side),
        *closing,
        Form("turn", f"{opens}'s turn begins", opens, (Field("side", "Side", choices=(opens,)),)),
        _in_full(turn, side),
    )


def _shots(house: House, turn: Turn, side: str) -> Iterator[Form]:
    """Common shots, one form for each way of striking. Balls of a colour are alike: the next of each stands for all."""
    nexts = [next((ball for ball in turn.in_hand if ball.startswith(colour)), None) for colour in ("white", "red")]
    for ball in filter(None, nexts):
        name = title(ball)
        if turn.struck:
            yield _shot(f"{name} played", side, ball, hit=False, moves=_rests(turn, ball, house))
            continue
        if turn.black != "removed":
            hits = [rest for rest in _rests(turn, ball, house) if not any(move["to"] == "short" for move in rest)]
            yield _shot(f"{name} strikes the black", side, ball, hit=True, moves=hits)
        yield _shot(f"{name} misses the black", side, ball, hit=False, moves=[[]])


def _shot(said: str, side: str, ball: str, *, hit: bool, moves: list[list[dict[str, str]]]) -> Form:
    choices: tuple[Json, ...] = tuple([[dict(move) for move in rest] for rest in moves])
    fields = (
        Field("ball", "Ball", choices=(ball,)),
        Field("hit_black", "Struck the black", choices=(hit,)),
        Field("moves", "Where balls came to rest", choices=choices),
    )
    return Form("shot", said, side, fields)


def _rests(turn: Turn, ball: str, house: House) -> list[list[dict[str, str]]]:
    """Where the balls of a common shot come to rest: one or two in cups, knocked from one cup, back over the line, off."""
    free = [f"cup-{n}" for n in CUPS if not turn.cups[n - 1]]
    black_free = BLACK not in turn.cups and turn.black != "removed"
    short = ["short"] if house.short_ball != "replay" or turn.struck else []
    rests: list[list[dict[str, str]]] = [
        [],
        *([{"ball": ball, "to": to}] for to in (*free, "past_half_way", *short, "off_table")),
    ]
    if black_free:
        rests += [[{"ball": BLACK, "to": to}] for to in (*free, "past_half_way")]
        rests += [[{"ball": BLACK, "to": one}, {"ball": ball, "to": two}] for one in free for two in free if one != two]
    for n in CUPS:
        if there := turn.cups[n - 1]:
            rests.append([{"ball": there, "to": "board"}, {"ball": ball, "to": f"cup-{n}"}])
    return rests


def _in_full(turn: Turn, side: str) -> Form:
    """Any shot: whichever balls moved, from wherever it was played, with the cups as seen."""
    off = [ball for ball, _ in turn.off]
    on_bed = [ball for ball in (BLACK, *EIGHT) if ball not in off]
    moves: tuple[Json, ...] = tuple([{"ball": ball, "to": to} for ball in on_bed for to in get_args(Rest)])
    return Form(
        "shot",
        "A shot in full",
        side,
        (
            Field("ball", "Ball", choices=turn.in_hand),
            Field("hit_black", "Struck the black", choices=(True, False)),
            Field("moves", "Where balls came to rest", kind="list", choices=moves),
            Field("from", "Played from", choices=("b", "behind_b", "ahead_of_b"), required=False),
            Field("cups", "Cups as seen", kind="object", required=False),
        ),
    )
