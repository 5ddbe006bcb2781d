"""One digital input, debounced: the part that switch, beam and button share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hardware.detectors.timing import Timing
from hardware.health import SensorHealth
from hardware.signals import SECOND

CHATTER_WINDOW = 10 * SECOND
"""Edges are compared with the changes that counted over so long, in nanoseconds."""
CHATTER_EDGES = 100
"""More edges than this for each change that counted are more than a switch makes: the worst measured ones bounce 25 times."""

_NEVER = -1
_NONE: tuple[Change, ...] = ()


class Change(NamedTuple):
    """A change that counts: `at` its edge, `known` when it was sure, `value` True for on, `late` if its edge came late."""

    at: int
    known: int
    value: bool
    late: bool


class DigitalInput:
    """Raw edges in, changes that count out. Pure; all times in nanoseconds.

    Calls may come in any interleaving: `feed` at `t` includes `advance(t)`, since edges come in order of time.
    """

    __slots__ = (
        "_active_level",
        "_last_edge",
        "_late_edge",
        "_locked_until",
        "_noisy",
        "_now",
        "_raw",
        "_timing",
        "_window",
        "accepted",
        "deadline",
        "edges",
        "late",
        "lost",
        "since",
        "value",
    )

    def __init__(self, active_level: int, timing: Timing) -> None:
        if active_level not in (0, 1):
            raise ValueError(f"the active level is 0 or 1, not {active_level!r}")
        self._active_level = active_level
        self._timing = timing
        self.value: bool | None = None
        self.since: int | None = None
        """When `value` last changed."""
        self.deadline: int | None = None
        """When the level counts if it stays as it is; None: it has counted already."""
        self.edges = self.accepted = self.late = self.lost = 0
        self._raw: bool | None = None
        self._last_edge = _NEVER
        self._late_edge = False
        self._locked_until = _NEVER
        self._now = _NEVER
        self._window = (_NEVER, 0, 0)  # of the chatter count: when it ends, `edges` and `accepted` when it began
        self._noisy = (_NEVER, 0, 0)  # of the last window with too many: until when it is told, its edges, its changes

    def begin(self, level: int, at: int) -> None:
        """Take the level found when the source opened: no change, whatever it was before."""
        value = level == self._active_level
        if self.value is not None and self.value != value:
            self.since = at
        self.value = self._raw = value
        self.deadline = None
        # Whatever comes from now on is newer than this level, even if it was stamped while the levels were being read.
        self._last_edge = self._locked_until = _NEVER

    def feed(self, at: int, level: int) -> Sequence[Change]:
        """Take an edge: the level that the input had from `at` on. Gives at most two changes."""
        changes: Sequence[Change] = _NONE
        late = at < self._now
        if late:
            self.late += 1
            if at < self._last_edge:
                return changes  # the level since then is known from a newer edge
        else:
            if self.deadline is not None and self.deadline <= at:
                changes = self._settle()
            self._now = at
        value = level == self._active_level
        if self.value is None:
            self.value = self._raw = not value  # an edge tells the level before it as well
        if value == self._raw:
            self.lost += 1  # the same level twice: it was another one in between, so it has to settle anew
        if at >= self._window[0]:
            self._begin_window(at)
        self.edges += 1
        self._raw = value
        self._last_edge = at
        self._late_edge = late
        if value == self.value:
            self.deadline = None
            return changes
        timing = self._timing
        self.deadline = max(at + (timing.settle_on if value else timing.settle_off), self._locked_until, self._now)
        if self.deadline <= self._now:
            return (*changes, *self._settle())
        return changes

    def advance(self, t: int) -> Sequence[Change]:
        """Every edge before `t` has been fed. Gives at most one change."""
        self._now = max(self._now, t)
        if self.deadline is not None and self.deadline <= t:
            return self._settle()
        return _NONE

    def was_on_until(self, t: int) -> bool:
        """Whether it is on and its raw level was too until `t` at least: a release that only waits to be sure is none."""
        return bool(self.value) and (bool(self._raw) or self._last_edge >= t)

    def health(self, name: str) -> SensorHealth:
        """How it stands, under the name by which people know it."""
        return SensorHealth(
            name,
            self.value,
            self.since,
            edges=self.edges,
            accepted=self.accepted,
            late=self.late,
            lost=self.lost,
            faults=self._faults(name),
            notes=self._notes(name),
        )

    def _faults(self, name: str) -> tuple[str, ...]:
        for until, edges, changes in (self._window_so_far(), self._noisy):
            if edges > CHATTER_EDGES * (changes + 1) and self._now < until:
                sentence = (
                    f"{name} chatters: {edges} edges within ten seconds, of which {changes} counted. Look for a loose wire or a "
                    "worn contact, fit a pull-up of 1 to 4.7 kΩ, twist or shield a long cable (docs/wiring.md)"
                )
                return (sentence,)
        return ()

    def _notes(self, name: str) -> tuple[str, ...]:
        notes = []
        if self.edges == 0:
            notes.append(
                f"{name} was never seen to move: move it by hand; if it still doesn't, look at its wire, its pull and its "
                "source in the table file"
            )
        if self.lost:
            notes.append(
                f"{name} missed {self.lost} edges, though not the last: the machine or the link was too busy to see them"
            )
        if self.late:
            notes.append(f"{name} had {self.late} edges that came late: the link to it is slow or the machine was overloaded")
        return tuple(notes)

    def _settle(self) -> tuple[Change]:
        assert self.deadline is not None, "only a level that waits can settle"
        assert self._raw is not None, "a deadline is set by an edge"
        value, known = self._raw, self.deadline
        self.value = value
        self.since = self._last_edge
        self.accepted += 1
        self.deadline = None
        self._locked_until = known + (self._timing.lockout_on if value else self._timing.lockout_off)
        return (Change(self._last_edge, known, value, self._late_edge),)

    def _begin_window(self, at: int) -> None:
        until, edges, changes = self._window_so_far()
        if edges > CHATTER_EDGES * (changes + 1):
            self._noisy = (until, edges, changes)
        self._window = (at + CHATTER_WINDOW, self.edges, self.accepted)

    def _window_so_far(self) -> tuple[int, int, int]:
        end, edges, accepted = self._window
        return end + CHATTER_WINDOW, self.edges - edges, self.accepted - accepted
