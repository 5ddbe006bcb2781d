"""Which of many inputs with two levels has just been moved, and to which level. Pure; times in nanoseconds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from hardware.signals import MS, SECOND, Signal

STILL = 300 * MS
"""What an input does without so long a pause is one move: a press with its bounce, a ball that rattles, a beam crossed."""
RESTLESS = 3 * SECOND
"""No hand moves an input for so long without such a pause: a wire is loose, or a lamp shines into a beam."""
MOST_EDGES = 200
"""Nor so often: a source may fall silent about an input that does."""


class Move(NamedTuple):
    """One input has left its rest: `level` is what it went to, `began` when, `cleared` when it came back, None if it stayed."""

    channel: str
    level: int
    began: int
    cleared: int | None


@dataclass(slots=True)
class _Input:
    """One input: what it is at rest and now, and the move that it is in or has made."""

    rest: int | None = None
    level: int | None = None
    began: int | None = None
    from_rest: bool = False
    edges: int = 0
    last: int = 0
    done: list[Move] = field(default_factory=list)
    told: bool = False

    def feed(self, channel: str, at: int, level: int) -> None:
        if self.level is None:
            self.rest = self.level = 1 - level  # an edge tells the level before it as well
        if self.began is not None and at - self.last >= STILL:
            self.finish(channel)
        if self.began is None:
            self.began, self.edges, self.from_rest = at, 0, self.level == self.rest
        self.level, self.last = level, at
        self.edges += 1

    def finish(self, channel: str) -> None:
        """Its move is over: it counts if it began at rest, for what comes back to rest was moved before."""
        assert self.began is not None, "only a move can end"
        assert self.rest is not None, "a move tells the level before it"
        if self.from_rest and not self.restless(self.last):
            self.done.append(Move(channel, 1 - self.rest, self.began, self.last if self.level == self.rest else None))
        self.began = None
        self.told = False

    def restless(self, now: int) -> bool:
        return self.began is not None and (now - self.began > RESTLESS or self.edges > MOST_EDGES)


class Contacts:
    """The inputs of switches, beams and buttons.

    What tells the active level is the *first* level away from rest: a button that was let go is at rest again.

    >>> contacts = Contacts(["sim:a", "sim:b"])
    >>> contacts.begin({"sim:a": 1, "sim:b": 0})
    >>> contacts.feed(Signal(0, "sim:a", 0))
    >>> contacts.feed(Signal(150 * MS, "sim:a", 1))
    >>> contacts.moved(200 * MS, known=()), [(move.channel, move.level) for move in contacts.moved(500 * MS, known=())]
    ((), [('sim:a', 0)])
    """

    def __init__(self, channels: Iterable[str]) -> None:
        self._inputs = {channel: _Input() for channel in channels}

    def begin(self, levels: Mapping[str, int]) -> None:
        """Take these levels as rest."""
        for channel, one in self._inputs.items():
            if channel in levels:
                one.rest = one.level = levels[channel]

    def rest(self) -> None:
        """Whatever the levels are now, they are rest; what has moved is forgotten."""
        for one in self._inputs.values():
            one.rest = one.level
            one.began = None
            one.done.clear()

    def feed(self, signal: Signal) -> None:
        """Take a signal of any channel."""
        one = self._inputs.get(signal.channel)
        if one is not None:
            one.feed(signal.channel, signal.at, signal.number)

    def moved(self, now: int, known: Collection[str], since: int = 0) -> tuple[Move, ...]:
        """What has moved at once since `since`, when all of it has come to rest; each move is given once.

        Inputs in `known` aren't waited for. Those that never rest are left out.
        """
        for channel, one in self._inputs.items():
            if one.began is not None and now - one.last >= STILL:
                one.finish(channel)
            one.done = [move for move in one.done if move.began >= since]
        if any(
            one.began is not None and one.began >= since and one.from_rest and channel not in known and not one.restless(now)
            for channel, one in self._inputs.items()
        ):
            return ()
        moves = [move for one in self._inputs.values() for move in one.done]
        for one in self._inputs.values():
            one.done.clear()
        return tuple(sorted(moves, key=lambda move: move.began))

    def restless(self, now: int) -> list[str]:
        """The inputs that have begun to move without end; each is given once."""
        found = [channel for channel, one in self._inputs.items() if one.restless(now) and not one.told]
        for channel in found:
            self._inputs[channel].told = True
        return found
