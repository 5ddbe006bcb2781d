"""An electronic gauge that reads a distance all the time: laid at a thing, it answers once when it has come to rest."""

from __future__ import annotations

from dataclasses import dataclass

from hardware.health import SensorHealth
from hardware.observations import Observation
from hardware.signals import MS, Signal


@dataclass(frozen=True, slots=True)
class DistanceSettings:
    """Millimetres, and `still` in nanoseconds.

    `length`: of the gauge. `error`: what moves less lies still, and what is nearer to `length` is no answer. `reach`: what is
    farther is nothing at all: the gauge has been lifted. A reading is `offset` and its steps of `unit` each.
    """

    length: float = 76.2
    error: float = 0.5
    reach: float = 300.0
    still: int = 500 * MS
    unit: float = 1.0
    offset: float = 0.0


class DistanceDetector:
    """Gives `gauge` with True where the gauge touches, else False, once for each time that it is laid.

    It is laid when its readings, within `reach`, have moved by `error` at the most for `still`. It answers anew when it has been
    lifted or moved.

    >>> gauge = DistanceDetector("gauge", "gauge", "board:left/22", DistanceSettings(unit=0.1))
    >>> readings = [(0, 8190), (100, 900), (200, 741), (300, 743), (900, 8190), (1000, 801)]
    >>> seen = [one for at, value in readings for one in gauge.feed(Signal(at * MS, "board:left/22", value))]
    >>> seen += gauge.advance(1500 * MS)
    >>> [(one.at // MS, one.value) for one in seen]
    [(700, True), (1500, False)]
    """

    def __init__(self, sensor: str, role: str, channel: str, settings: DistanceSettings) -> None:
        self._sensor = sensor
        self._role = role
        self._channel = channel
        self._settings = settings
        self._now = 0
        self._resting: float | None = None  # where it lies, or seems to
        self._due: int | None = None  # when it has lain there for long enough
        self._value: bool | None = None
        self._since: int | None = None
        self._readings = self._accepted = self._late = 0
        self._fault: str | None = None

    @property
    def channels(self) -> tuple[str, ...]:
        """The one address that it listens to."""
        return (self._channel,)

    def begin(self, levels: dict[str, int], at: int) -> list[Observation]:  # noqa: ARG002 - the signature of every detector
        """Nothing: a reading is no level."""
        return []

    def feed(self, signal: Signal) -> list[Observation]:
        """Take one reading."""
        late = signal.at < self._now
        self._late += late
        answers = self._rest(signal.at, late=late)
        self._now = max(self._now, signal.at)
        self._readings += 1
        distance = self._settings.offset + self._settings.unit * signal.number
        if distance > self._settings.reach:
            self._resting = self._due = self._fault = None
        elif self._resting is None or abs(distance - self._resting) > self._settings.error:
            self._resting, self._due, self._fault = distance, signal.at + self._settings.still, None
        return answers

    def advance(self, t: int) -> list[Observation]:
        """Answer, if it has lain for long enough."""
        answers = self._rest(t, late=False)
        self._now = max(self._now, t)
        return answers

    def next_deadline(self) -> int | None:
        """When it will have lain for long enough."""
        return self._due

    def health(self) -> SensorHealth:
        """The latest answer, and why there is none of what it lies at now."""
        return SensorHealth(
            self._sensor,
            self._value,
            self._since,
            edges=self._readings,
            accepted=self._accepted,
            late=self._late,
            faults=() if self._fault is None else (self._fault,),
        )

    def _rest(self, t: int, *, late: bool) -> list[Observation]:
        if self._due is None or self._resting is None or t < self._due:
            return []
        at, distance = self._due, self._resting
        self._due = None
        if abs(distance - self._settings.length) <= self._settings.error:
            self._fault = (
                f"{self._sensor} read {distance:.1f} mm, too near {self._settings.length} mm to be an answer: lay the stick"
            )
            return []
        self._value, self._since = distance < self._settings.length, at
        self._accepted += 1
        return [Observation(at, max(self._now, t), self._sensor, self._role, "gauge", self._value, late)]
