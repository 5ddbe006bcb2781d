"""What every detector is: a plain object that is fed signals and times, and gives observations."""

from __future__ import annotations

from typing import Protocol

from hardware.health import SensorHealth
from hardware.observations import Observation
from hardware.signals import Signal


class Detector(Protocol):
    """Signals of one sensor in, observations out; no clock, no thread.

    Calls come in order of time: `feed` for each signal, `advance(t)` when its source says that nothing older than `t` will come.
    A signal older than what was already advanced is fed at once; the detector marks what it makes of it `late`.
    """

    @property
    def channels(self) -> tuple[str, ...]:
        """The addresses it listens to."""

    def begin(self, levels: dict[str, int], at: int) -> list[Observation]:
        """Take the levels found when the source opened: silently, as `level` baselines of `at`."""

    def feed(self, signal: Signal) -> list[Observation]:
        """Take one signal."""

    def advance(self, t: int) -> list[Observation]:
        """Take note that it is `t` at the source and every signal before `t` has been fed."""

    def next_deadline(self) -> int | None:
        """When `advance` should be called although no signal comes; None: not before the next signal."""

    def health(self) -> SensorHealth:
        """Value, counts and faults so far."""
