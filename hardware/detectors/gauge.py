"""An electronic gauge: a stick that says whether it touches, or a reading of the distance."""

from __future__ import annotations

import math
import re

from hardware.detectors.teller import Teller
from hardware.health import SensorHealth
from hardware.observations import Observation
from hardware.signals import SECOND, Signal

AGAIN = SECOND
"""The same answer within so long is one press of the button."""
FARTHEST = 10_000.0
"""Millimetres: no table is larger."""

_WORDS = {"yes": True, "no": False}
_WORD = re.compile(r"(?:gauge[ :=]*)?(yes|no)", re.IGNORECASE)
_LENGTH = re.compile(r"(?:gauge[ :=]*)?(\d{1,5}(?:\.\d{1,4})?) ?(?:mm)?", re.IGNORECASE)


class GaugeDetector(Teller):
    """Gives `gauge` with True where the gauge touches, else False.

    A line is `YES` or `NO`, with or without `GAUGE` before it; or a clear distance in millimetres, `74.2`, which is compared with
    the gauge's `length`. A distance nearer to it than `error` is no answer: it is told, and the stick must be laid.

    >>> gauge = GaugeDetector("gauge", "gauge", "lines:gauge", length=76.2, error=0.5)
    >>> lines = [(1, "GAUGE YES"), (9, "80.1 mm"), (99, "76.4"), (999, "?")]
    >>> [seen.value for at, line in lines for seen in gauge.feed(Signal(at, "lines:gauge", line))]
    [True, False]
    >>> gauge.health().lost
    1
    """

    def __init__(self, sensor: str, role: str, channel: str, *, length: float = 76.2, error: float = 0.5) -> None:
        super().__init__(sensor, role, channel, "gauge")
        self._length = length
        self._error = error
        self._last: tuple[int, bool] | None = None
        self._bad = 0
        self._fault: str | None = None

    def feed(self, signal: Signal) -> list[Observation]:
        """Take one line."""
        late = self._heard(signal)
        touches = self._read(signal.text.strip())
        if touches is None or self._last_was(touches, signal.at):
            return []
        self._last = (signal.at, touches)
        return [self._observe(touches, signal.at, late=late)]

    def health(self) -> SensorHealth:
        """The latest answer, and what was wrong with the latest line if it was none."""
        return self._health(lost=self._bad, faults=() if self._fault is None else (self._fault,))

    def _read(self, line: str) -> bool | None:
        self._fault = None
        if word := _WORD.fullmatch(line):
            return _WORDS[word[1].lower()]
        number = _LENGTH.fullmatch(line)
        distance = float(number[1]) if number else math.inf
        if distance > FARTHEST:
            self._bad += 1
            self._fault = f"{self._sensor} said {line[:40]!r}, which is neither YES, NO nor a distance in millimetres"
            return None
        if abs(distance - self._length) <= self._error:
            self._fault = f"{self._sensor} read {distance} mm, too near {self._length} mm to be an answer: lay the stick"
            return None
        return distance < self._length

    def _last_was(self, touches: bool, at: int) -> bool:
        return self._last is not None and self._last[1] == touches and at - self._last[0] < AGAIN
