"""The names of sides, players and squails, and who sits where."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

# Two sides with an even number of players, else each player is a side (SQU-03, SQU-04).
Side = Literal["light", "dark", "A", "B", "C", "D", "E", "F", "G"]

Player = Literal[
    "light-1", "dark-1", "light-2", "dark-2", "light-3", "dark-3", "light-4", "dark-4", "A", "B", "C", "D", "E", "F", "G"
]  # fmt: skip

Starter = Literal[Player, Side]
"""Who begins a round: a player, or the side where the player isn't known."""

Squail = Literal[
    "light-s1", "light-s2", "light-s3", "light-s4", "light-s5", "light-s6", "light-s7", "light-s8",
    "dark-s1", "dark-s2", "dark-s3", "dark-s4", "dark-s5", "dark-s6", "dark-s7", "dark-s8",
    "A-s1", "A-s2", "A-s3", "A-s4", "A-s5", "A-s6", "A-s7", "A-s8",
    "B-s1", "B-s2", "B-s3", "B-s4", "B-s5", "B-s6", "B-s7", "B-s8",
    "C-s1", "C-s2", "C-s3", "C-s4", "C-s5", "C-s6", "C-s7", "C-s8",
    "D-s1", "D-s2", "D-s3", "D-s4", "D-s5", "D-s6", "D-s7", "D-s8",
    "E-s1", "E-s2", "E-s3", "E-s4", "E-s5", "E-s6", "E-s7", "E-s8",
    "F-s1", "F-s2", "F-s3", "F-s4", "F-s5", "F-s6", "F-s7", "F-s8",
    "G-s1", "G-s2", "G-s3", "G-s4", "G-s5", "G-s6", "G-s7", "G-s8",
]  # fmt: skip

Status = Literal["in_hand", "short", "played", "over", "claimable", "out", "null"]
"""`short`: may be taken back; `over`: past the far line, may be cried; `claimable`: uncried, may be struck afresh."""

Target = Literal["centre", "moved", "unsteady", "out"]

SQUAILS: tuple[Squail, ...] = get_args(Squail)
PLAYERS: tuple[Player, ...] = get_args(Player)
SIDES: tuple[Side, ...] = get_args(Side)


@dataclass(frozen=True, slots=True)
class Seats:
    """Who plays in a game, in order of play, which is sunwise round the table (SQU-07, S-14)."""

    sides: tuple[Side, ...]
    players: tuple[Player, ...]
    squails: tuple[Squail, ...]
    """Side by side, so that a side's lie together: see `span`."""
    side_of: Mapping[str, Side]
    """The side of each player, squail and side; what has none isn't in this game."""
    place: Mapping[Squail, int]
    span: Mapping[Side, slice]
    """Where a side's squails stand in `squails`, and in any tuple that runs beside it."""
    players_of: Mapping[Side, tuple[Player, ...]]
    following: Mapping[Player, tuple[Player, ...]]
    """Those who follow each player in turn, round to himself."""

    @property
    def solo(self) -> bool:
        """Whether there are no sides: everyone against everyone."""
        return len(self.sides) > 2

    def others(self, side: Side) -> tuple[Side, ...]:
        """The adversaries of a side."""
        return tuple([one for one in self.sides if one != side])

    def captain(self, side: Side) -> Player:
        """The captain of a side (SQU-01), its first player; without sides each player speaks for himself."""
        return self.players_of[side][0]

    def sole(self, side: Side) -> Starter:
        """The player of a side that has one, else the side."""
        players = self.players_of[side]
        return players[0] if len(players) == 1 else side


@functools.cache
def seats(players: int, squails_each: int) -> Seats:
    """The seats of a game: an even number sit light and dark by turns, an odd number each for himself."""
    seated = PLAYERS[:players] if players % 2 == 0 else PLAYERS[8 : 8 + players]
    sides = SIDES[:2] if players % 2 == 0 else SIDES[2 : 2 + players]
    own = {side: tuple(one for one in SQUAILS if one.startswith(f"{side}-s"))[:squails_each] for side in sides}
    squails = tuple(one for side in sides for one in own[side])
    side_of: dict[str, Side] = {side: side for side in sides}
    for name in (*seated, *squails):
        side_of[name] = next(side for side in sides if name.split("-")[0] == side)
    return Seats(
        sides=sides,
        players=seated,
        squails=squails,
        side_of=side_of,
        place={one: n for n, one in enumerate(squails)},
        span={side: slice(n * squails_each, (n + 1) * squails_each) for n, side in enumerate(sides)},
        players_of={side: tuple(one for one in seated if side_of[one] == side) for side in sides},
        following={player: seated[n + 1 :] + seated[: n + 1] for n, player in enumerate(seated)},
    )


@functools.cache
def spoken(name: str) -> str:
    """A name as people say it: `light-2` is "light 2", `light-s3` "light squail 3", `A-s1` "A's squail 1"."""
    side, _, rest = name.partition("-")
    if rest.startswith("s"):
        return f"{side} squail {rest[1:]}" if len(side) > 1 else f"{side}'s squail {rest[1:]}"
    return f"{side} {rest}" if rest else side


def sentence(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def listed(names: tuple[str, ...]) -> str:
    """Names as people say them, joined: "B and C"."""
    words = [spoken(name) for name in names]
    return " and ".join(part for part in (", ".join(words[:-1]), words[-1]) if part) if words else ""
