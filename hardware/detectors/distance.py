"""An electronic gauge that reads a distance all the time: laid at a thing, it answers once when it has come to rest."""

from __future__ import annotations

from dataclasses import dataclass

from hardware.detectors.teller import Teller
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


class DistanceDetector(Teller):
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
        super().__init__(sensor, role, channel, "gauge")
        self._settings = settings
        self._resting: float | None = None  # where it lies, or seems to
        self._due: int | None = None  # when it has lain there for long enough
        self._fault: str | None = None

    def feed(self, signal: Signal) -> list[Observation]:
        """Take one reading."""
        answers = self._rest(signal.at, late=self._heard(signal))
        distance = self._settings.offset + self._settings.unit * signal.number
        if distance > self._settings.reach:
            self._resting = self._due = self._fault = None
        elif self._resting is None or abs(distance - self._resting) > self._settings.error:
            self._resting, self._due, self._fault = distance, signal.at + self._settings.still, None
        return answers

    def advance(self, t: int) -> list[Observation]:
        """Answer, if it has lain for long enough."""
        super().advance(t)
        return self._rest(t, late=False)

    def next_deadline(self) -> int | None:
        """When it will have lain for long enough."""
        return self._due

    def health(self) -> SensorHealth:
        """The latest answer, and why there is none of what it lies at now."""
        return self._health(faults=() if self._fault is None else (self._fault,))

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
        return [self._observe(distance < self._settings.length, at, late=late)]
