"""What detectors of sensors that tell something, a line or a number, have in common: one address, no level, the latest value."""

from __future__ import annotations

from hardware.health import SensorHealth
from hardware.observations import Kind, Observation
from hardware.signals import Signal


class Teller:
    """Counts what one address has told, and remembers what was made of it last."""

    def __init__(self, sensor: str, role: str, channel: str, kind: Kind) -> None:
        self._sensor = sensor
        self._role = role
        self._channel = channel
        self._kind = kind
        self._now = 0
        self._value: bool | str | None = None
        self._since: int | None = None
        self._told = self._accepted = self._late = 0

    @property
    def channels(self) -> tuple[str, ...]:
        """The one address that it listens to."""
        return (self._channel,)

    def begin(self, levels: dict[str, int], at: int) -> list[Observation]:  # noqa: ARG002 - the signature of every detector
        """Nothing: what is told has no level."""
        return []

    def advance(self, t: int) -> list[Observation]:
        """Nothing hangs on time."""
        self._now = max(self._now, t)
        return []

    def next_deadline(self) -> int | None:
        """Never."""
        return None

    def _heard(self, signal: Signal) -> bool:
        """Count what came; whether it came late."""
        late = signal.at < self._now
        self._now = max(self._now, signal.at)
        self._late += late
        self._told += 1
        return late

    def _observe(self, value: bool | str, at: int, *, late: bool) -> Observation:
        self._value, self._since = value, at
        self._accepted += 1
        return Observation(at, self._now, self._sensor, self._role, self._kind, value, late)

    def _health(self, *, lost: int = 0, faults: tuple[str, ...] = (), notes: tuple[str, ...] = ()) -> SensorHealth:
        return SensorHealth(
            self._sensor,
            self._value,
            self._since,
            edges=self._told,
            accepted=self._accepted,
            late=self._late,
            lost=lost,
            faults=faults,
            notes=notes,
        )
