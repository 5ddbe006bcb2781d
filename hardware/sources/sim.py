"""The `sim` source: inputs that a program moves, for demos, tests and everyone who develops without a table."""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Callable, Iterable

from hardware.health import SourceHealth
from hardware.signals import Signal
from hardware.sources.source import Emit, Source, SourceError
from hardware.sources.storm import StormGuard


class SimSource(Source):
    """Inputs with the levels that a program sets. Thread-safe; instances share nothing.

    Live, it stamps changes with `clock` (nanoseconds) and passes them on at once:

    >>> heard = []
    >>> sim = SimSource()
    >>> sim.open(["sim:cup-1"], heard.append)
    {'sim:cup-1': 0}
    >>> sim.set("sim:cup-1", 1)
    >>> [(signal.channel, signal.value) for signal in heard]
    [('sim:cup-1', 1)]
    >>> sim.close()

    Driven (`clock=None`), the program owns the time: it says when each input changes, in any order and as far ahead as it likes,
    and `advance(t)` lets everything up to `t` happen.

    >>> heard = []
    >>> sim = SimSource(clock=None)
    >>> levels = sim.open(["sim:cup-1", "sim:cup-2"], heard.append)
    >>> sim.set("sim:cup-2", 1, at=30)
    >>> sim.set("sim:cup-1", 1, at=20)
    >>> sim.advance(25)
    >>> heard, sim.watermark(100), sim.levels()
    ([Signal(at=20, channel='sim:cup-1', value=1)], 25, {'sim:cup-1': 1, 'sim:cup-2': 0})
    >>> sim.close()

    Every input is at level 0 until it is set; set before `open`, it is the level found there. `drop`, `hold` and a time that is
    already past are faults on purpose.
    """

    def __init__(
        self, name: str = "sim", *, clock: Callable[[], int] | None = time.monotonic_ns, guard: StormGuard | None = None
    ) -> None:
        self.name = name
        self._clock = clock
        self._guard = guard or StormGuard()
        self._lock = threading.Lock()
        self._emit: Emit | None = None
        self._levels: dict[str, int] = {}
        self._told: dict[str, int] = {}  # the watched channels, with the level last emitted
        self._waiting: list[
            tuple[int, int, str, int | str, int | None]
        ] = []  # (at, order of setting, channel, value, level), a heap
        self._set_count = 0
        self._mark = 0  # every signal older than this was emitted
        self._held = False
        self._drops: dict[str, tuple[int, bool]] = {}
        self._lost = self._recovered = self._late = 0

    def set(self, channel: str, level: int, at: int | None = None) -> None:
        """Set the level (0 or 1) of an input at a time, in nanoseconds; left out: now, by the clock.

        A time already past a watermark is emitted late and counted. Raises `ValueError` for a driven source without a time, a
        live one with a time to come, or a level that is neither 0 nor 1.
        """
        if level not in (0, 1):
            raise ValueError(f"{channel} can't be set to {level!r}: a level is 0 or 1")
        with self._lock:
            now = self._clock() if self._clock else None
            if at is None:
                at = now
            if at is None:
                raise ValueError(f"say when {channel} changes: {self.name} has no clock of its own")
            if now is not None and at > now:
                raise ValueError(
                    f"{channel} can't change at {at}, which is still to come: use SimSource(clock=None) to plan ahead"
                )
            if self._emit is None:
                self._levels[channel] = level
                return
            self._plan(at, channel, level, level)
            if now is not None and not self._held:
                self._happen(now)

    def tell(self, channel: str, reading: int | str, at: int) -> None:
        """Let an input of a driven source give a reading or a line of text: it isn't compared with the last, and is no level."""
        with self._lock:
            self._plan(at, channel, reading, None)

    def _plan(self, at: int, channel: str, value: int | str, level: int | None) -> None:
        heapq.heappush(self._waiting, (at, self._set_count, channel, value, level))
        self._set_count += 1

    def advance(self, t: int) -> None:
        """Driven: let everything up to `t` happen and declare that nothing older will. Raises `ValueError` if it has a clock."""
        if self._clock is not None:
            raise ValueError(f"{self.name} follows a clock: only SimSource(clock=None) is advanced")
        with self._lock:
            if not self._held:
                self._happen(t)
                self._mark = max(self._mark, t)

    def drop(self, channel: str, edges: int, *, noticed: bool = False) -> None:
        """Fault: lose the next edges of an input. Noticed: counted as lost, like a gap in a kernel's or board's numbers."""
        with self._lock:
            self._drops[channel] = (edges, noticed)

    def hold(self) -> None:
        """Fault: keep signals and watermark back, as a slow link does, until `release`."""
        with self._lock:
            self._held = True
            if self._clock is not None:
                self._mark = max(self._mark, self._clock())

    def release(self) -> None:
        """End `hold`. What was kept back comes now; from a driven source with its next `advance`."""
        with self._lock:
            self._held = False
            if self._clock is not None:
                self._happen(self._clock())

    def open(self, channels: Iterable[str], emit: Emit) -> dict[str, int]:
        """Start to watch these channels; gives their levels, silently. Raises `SourceError` for an address of another source."""
        channels = list(channels)
        for channel in channels:
            if not channel.startswith(f"{self.name}:"):
                raise SourceError(f"{channel} is no input of {self.name}: an address here is {self.name}:NAME")
        with self._lock:
            if self._emit is not None:
                raise SourceError(f"{self.name} is open already: close it first")
            self._told = {channel: self._levels.get(channel, 0) for channel in channels}
            self._emit = emit
            return dict(self._told)

    def watermark(self, now: int) -> int:
        """A time of which this is true: every signal older than it has been emitted. At most `now`."""
        with self._lock:
            if self._clock is not None and not self._held:
                self._mark = max(self._mark, now)
            return min(now, self._mark)

    def reconcile(self, now: int) -> None:  # noqa: ARG002 - `now` is older than signals that other threads may have set since
        """Compare the levels with those last emitted; emit and count what changed without a signal."""
        with self._lock:
            if self._emit is None or self._held:
                return
            at = self._clock() if self._clock else self._mark
            self._guard.calmed(at)
            for channel, told in self._told.items():
                level = self._levels.get(channel, 0)
                if level != told and channel not in self._guard.muted:
                    self._recovered += 1
                    self._tell(at, channel, level)

    def levels(self) -> dict[str, int]:
        """The levels of the watched channels as they are now."""
        with self._lock:
            return {channel: self._levels.get(channel, 0) for channel in self._told}

    def health(self) -> SourceHealth:
        """What was lost, recovered, muted."""
        with self._lock:
            return SourceHealth(
                self.name,
                up=self._emit is not None,
                lost=self._lost,
                recovered=self._recovered,
                late=self._late,
                muted=self._guard.muted,
                faults=self._guard.faults,
            )

    def close(self) -> None:
        """Stop. Changes that were still to come take their effect on the levels, unheard. May be called twice."""
        with self._lock:
            for _, _, channel, _, level in sorted(self._waiting):
                if level is not None:
                    self._levels[channel] = level
            self._waiting.clear()
            self._told.clear()
            self._guard.clear()
            self._emit = None
            self._held = False

    def _happen(self, until: int) -> None:
        while self._waiting and self._waiting[0][0] <= until:
            at, _, channel, value, level = heapq.heappop(self._waiting)
            if level is not None:
                if level == self._levels.get(channel, 0):
                    continue
                self._levels[channel] = level
            if channel in self._told and not self._dropped(channel) and self._guard.admit(channel, at):
                self._late += at < self._mark
                if level is not None:
                    self._told[channel] = level
                self._emit_signal(at, channel, value)

    def _dropped(self, channel: str) -> bool:
        edges, noticed = self._drops.get(channel, (0, False))
        if edges == 0:
            return False
        self._drops[channel] = (edges - 1, noticed)
        self._lost += noticed
        return True

    def _tell(self, at: int, channel: str, level: int) -> None:
        self._told[channel] = level
        self._emit_signal(at, channel, level)

    def _emit_signal(self, at: int, channel: str, value: int | str) -> None:
        assert self._emit is not None, "only an open source has anything to tell"
        self._emit(Signal(at, channel, value))
