"""The state of a game, its public position, and when it is won."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from controller.rules.awards import Award, Json, Notice, Over, Ruling
from controller.rules.errors import BadPosition, nearest
from controller.rules.shapes import Unreadable, reader
from controller.rules.squails.options import House
from controller.rules.squails.words import Player, Seats, Side, Squail, Starter, Status, Target, seats

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """How a round ended, and what its captains have said of it since.

    `how`: `measured`; `uncounted`, where nothing was measured and the captains' word is all there is (S-20); `target_out`; or
    `unsaid`, where an opening position says no more than that it is over. Tuples run beside the squails or the sides.
    """

    how: Literal["measured", "uncounted", "target_out", "unsaid"]
    next_begins: Starter | None
    counts: tuple[int, ...]
    """What each side has for this round now."""
    gaps: tuple[float | None, ...] = ()
    gauged: tuple[bool | None, ...] = ()
    """Whether the gauge touched a squail, for those that were disputed (SQU-18)."""
    claims: tuple[int | None, ...] = ()
    disputed: frozenset[Side] = frozenset()
    allowed: frozenset[Side] = frozenset()
    """Sides whose squails the other captain has allowed."""


@dataclass(frozen=True, slots=True)
class State:
    """Everything that the rules know of a game. Tuples run beside the sides or the squails of its seats."""

    house: House
    score: tuple[int, ...]
    round: int
    lead: Starter | None
    """Who began this round, or has to; None where nobody said."""
    to_play: Starter | None
    """A side where any of its players may play; None where that is open, and when nothing is left to play."""
    last: Player | None
    """Who played the latest stroke of this round."""
    target: Target
    squails: tuple[Status, ...]
    struck_by: tuple[Player | None, ...]
    outs: tuple[Squail, ...] = ()
    """Squails that went out uncried, in the order in which they last did."""
    replay: tuple[Squail, ...] = ()
    replayed: tuple[Squail, ...] = ()
    """Squails played again, once for each time."""
    end: RoundEnd | None = None

    @property
    def seats(self) -> Seats:
        """Who plays."""
        return seats(self.house.players, self.house.squails_each)


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """The public words, each of which may be left out: then it is as at the start of a game."""

    score: Mapping[Side, int] = field(default_factory=dict)
    round: int = 1
    to_play: Player | None = None
    next_begins: Starter | None = None
    target: Target = "centre"
    squails: Mapping[Squail, Status] = field(default_factory=dict)
    replay: tuple[Squail, ...] = ()


def over(state: State) -> Over | None:
    """How the game ended; None while it goes on.

    SQU-24, S-07: at least the number, and more than anyone else; if two lead equally another round is played.
    """
    best = max(state.score)
    if best < state.house.target or state.score.count(best) > 1:
        return None
    return Over(state.seats.sides[state.score.index(best)], draw=False, double=False, rule="SQU-24")


def ruled(state: State, awards: tuple[Award, ...] = (), notices: tuple[Notice, ...] = ()) -> Ruling[State]:
    """The ruling that leads to `state`."""
    return Ruling(state, awards, None, notices, (), over(state))


def turns_done(state: State) -> bool:
    """Whether every squail has been played once, so that replays are due (SQU-08, SQU-27)."""
    return "in_hand" not in state.squails


def untouched(state: State) -> bool:
    """Whether every squail is in hand."""
    return state.squails.count("in_hand") == len(state.squails)


def owner(state: State, squail: Squail) -> Starter:
    """The player who struck a squail, or where that isn't known the one whose it must be, or its side."""
    table = state.seats
    return state.struck_by[table.place[squail]] or table.sole(table.side_of[squail])


def changed(items: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    """The tuple with another item at that place."""
    return (*items[:place], item, *items[place + 1 :])


def fresh_round(house: House, score: tuple[int, ...], number: int, lead: Starter | None) -> State:
    """A round with every squail in hand and the target in the centre (SQU-06)."""
    count = len(house.seats.squails)
    in_hand: Status = "in_hand"
    squails = (in_hand,) * count
    return State(house, score, number, lead, lead, None, "centre", squails, (None,) * count)


def opening(house: House, given: Mapping[str, Json] | None) -> State:
    """The first state. Raises `BadPosition`."""
    table = house.seats
    if not given:
        return fresh_round(house, (0,) * len(table.sides), 1, None)
    try:
        told: Position = reader(Position)(given, "position")
    except Unreadable as error:
        raise BadPosition(str(error)) from None
    for place, names in _names(told).items():
        for name in names:
            if name not in table.side_of:
                players = f"this game of {house.players} players with {house.squails_each} squails each"
                raise BadPosition(f"position.{place}: {name!r} isn't in {players}; {nearest(name, table.side_of)}")
    if told.round < 1 or any(points < 0 for points in told.score.values()):
        raise BadPosition("position: round is at least 1, and no score is below 0")
    squails = [told.squails.get(one, "in_hand") for one in table.squails]
    for one in told.replay:
        if told.squails.get(one, "claimable") != "claimable" or told.replay.count(one) > 1:
            raise BadPosition(f"position.replay: {one} waits once, and it is claimable or left out of squails")
        squails[table.place[one]] = "claimable"
    ended = told.next_begins is not None or told.target == "out"
    if ended and (told.to_play or told.replay):
        raise BadPosition("position: the round is over (next_begins, or the target out), so to_play is null and replay empty")
    waiting = [one for kind in ("claimable", "over") for one, status in told.squails.items() if status == kind]
    untouched = squails.count("in_hand") == len(squails)
    state = State(
        house=house,
        score=tuple([told.score.get(side, 0) for side in table.sides]),
        round=told.round,
        lead=told.to_play if untouched else None,
        to_play=told.to_play,
        last=None,
        target=told.target,
        squails=tuple(squails),
        struck_by=(None,) * len(squails),
        outs=tuple(dict.fromkeys([*told.replay, *waiting])),
        replay=told.replay,
        end=RoundEnd("target_out" if told.target == "out" else "unsaid", told.next_begins, (0,) * len(table.sides))
        if ended
        else None,
    )
    if told.to_play and not _may_be_next(state, told.to_play):
        raise BadPosition(f"position.to_play: {told.to_play} has no squail left to play")
    return state


def _names(told: Position) -> dict[str, tuple[str, ...]]:
    return {
        "score": tuple(told.score),
        "to_play": (told.to_play,) if told.to_play else (),
        "next_begins": (told.next_begins,) if told.next_begins else (),
        "squails": tuple(told.squails),
        "replay": told.replay,
    }


def _may_be_next(state: State, player: Player) -> bool:
    table = state.seats
    side = table.side_of[player]
    if turns_done(state):
        return bool(state.replay) and table.side_of[state.replay[0]] == side
    return "in_hand" in state.squails[table.span[side]]


def position(state: State) -> dict[str, Json]:
    """The complete position in the public words."""
    table = state.seats
    return {
        "score": dict(zip(table.sides, state.score, strict=True)),
        "round": state.round,
        "to_play": state.to_play if state.to_play in table.following else None,
        "next_begins": state.end.next_begins if state.end else None,
        "target": state.target,
        "squails": dict(zip(table.squails, state.squails, strict=True)),
        "replay": list(state.replay),
    }
