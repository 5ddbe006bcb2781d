"""A switch: something lies there or it doesn't. Cups, flags, spots, anything with a contact that stays."""

from __future__ import annotations

from hardware.detectors.digital import Change, DigitalInput
from hardware.detectors.timing import CUP, Timing
from hardware.health import SensorHealth
from hardware.observations import Observation
from hardware.signals import Signal


class SwitchDetector:
    """Gives a `level` observation for each change that counts; times in nanoseconds, see `Timing`.

    For any train of edges the values alternate and the last one is the true level. `at` is the edge that began the stable
    stretch, `known` when it had been stable for long enough.

    >>> cup = SwitchDetector("cup-9", "cup-9", "gpio:17", active_level=0, settle_on=150, settle_off=150)
    >>> [seen.value for seen in cup.begin({"gpio:17": 1}, at=0)]
    [False]
    >>> cup.feed(Signal(1000, "gpio:17", 0)), cup.next_deadline()
    ([], 1150)
    >>> [(seen.at, seen.known, seen.value) for seen in cup.advance(2000)]
    [(1000, 1150, True)]
    """

    def __init__(
        self,
        sensor: str,
        role: str,
        channel: str,
        active_level: int,
        *,
        settle_on: int = CUP.settle_on,
        settle_off: int = CUP.settle_off,
        lockout_on: int = CUP.lockout_on,
        lockout_off: int = CUP.lockout_off,
    ) -> None:
        self._sensor = sensor
        self._role = role
        self._channel = channel
        self._input = DigitalInput(active_level, Timing(settle_on, settle_off, lockout_on, lockout_off))

    @property
    def channels(self) -> tuple[str, ...]:
        """The one address that it listens to."""
        return (self._channel,)

    def begin(self, levels: dict[str, int], at: int) -> list[Observation]:
        """Take the level found when the source opened, as a baseline."""
        if self._channel not in levels:
            return []
        self._input.begin(levels[self._channel], at)
        return [Observation(at, at, self._sensor, self._role, "level", bool(self._input.value))]

    def feed(self, signal: Signal) -> list[Observation]:
        """Take one edge."""
        changes = self._input.feed(signal.at, signal.number)
        return [self._observe(change) for change in changes] if changes else []

    def advance(self, t: int) -> list[Observation]:
        """Every edge before `t` has been fed."""
        changes = self._input.advance(t)
        return [self._observe(change) for change in changes] if changes else []

    def next_deadline(self) -> int | None:
        """When the level will have been stable for long enough."""
        return self._input.deadline

    def health(self) -> SensorHealth:
        """Value, counts, chatter."""
        return self._input.health(self._sensor)

    def _observe(self, change: Change) -> Observation:
        return Observation(change.at, change.known, self._sensor, self._role, "level", change.value, change.late)
