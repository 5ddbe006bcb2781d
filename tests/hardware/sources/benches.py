"""Benches for the sources that need no hardware: what the contract checks run over."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from hardware.signals import MS
from hardware.sources.sim import SimSource
from hardware.sources.source import Source
from hardware.sources.storm import StormGuard


class SimBench:
    """Inputs of a `sim` source: live by the machine's clock, or driven by a clock that the test moves."""

    channels: tuple[str, ...] = ("sim:cup-1", "sim:cup-2", "sim:cup-3")
    unknown = "gpio:17"
    storm_limit = 200

    def __init__(self, *, driven: bool) -> None:
        self._driven = driven
        self._time = 1_000
        self._lock = threading.Lock()
        self._levels = dict.fromkeys(self.channels, 0)
        self._sim = self._new_sim()

    def _new_sim(self) -> SimSource:
        clock: Callable[[], int] | None = None if self._driven else time.monotonic_ns
        return SimSource(clock=clock, guard=StormGuard(self.storm_limit, 50 * MS))

    def make(self) -> Source:
        self._sim = self._new_sim()
        for channel, level in self._levels.items():
            self._sim.set(channel, level, at=0)
        return self._sim

    def now(self) -> int:
        return self._time if self._driven else time.monotonic_ns()

    def let_pass(self, ns: int) -> None:
        if self._driven:
            with self._lock:
                self._time += ns
                self._sim.advance(self._time)
        else:
            threading.Event().wait(ns / 1e9)

    def drive(self, channel: str, level: int) -> None:
        self._levels[channel] = level
        if self._driven:
            with self._lock:
                self._time += 1_000
                self._sim.set(channel, level, at=self._time)
                self._sim.advance(self._time)
        else:
            self._sim.set(channel, level)

    def drive_unseen(self, channel: str, level: int) -> None:
        self._sim.drop(channel, 1)
        self.drive(channel, level)

    def lose_edges(self, channel: str, level: int) -> None:
        self._sim.drop(channel, 2, noticed=True)
        for value in (level, 1 - level, level):
            self.drive(channel, value)
