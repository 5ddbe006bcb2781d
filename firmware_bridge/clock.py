"""A board's clock on the host's: which nanosecond of the host a microsecond of the board is, and how sure that is."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

SECOND = 1_000_000_000
WINDOW = 30 * SECOND
"""Round trips older than this say nothing any more: the board's resonator wanders with its warmth."""
SPAN = 2 * SECOND
"""Two round trips so far apart tell the rate of the board's clock; before that it is taken for what it should be."""
NOMINAL = 1000.0
"""Nanoseconds in a board's microsecond."""
TOLERANCE = 0.006
"""By how much a cheap ceramic resonator may be off: half a per cent and its ageing."""
DOUBT = 0.01
"""More than that it can't be off: another clock, or one that began again."""
WANDER = 0.0001
"""By how much its rate changes within a window."""
STEP = SECOND // 2
"""Of round trips within this, the best is kept."""
_WRAP = 1 << 32
_AHEAD = 1 << 28
"""A board's time is at most so far (4.5 minutes) ahead of the last round trip; all else lies in the past."""


class _Sample(NamedTuple):
    us: int  # the board's time, unwrapped
    ns: int  # the middle of the round trip
    radius: int  # half of the round trip: so far off may the middle be


class BoardClock:
    """Maps a board's 32-bit microseconds to the host's nanoseconds, from round trips. Pure.

    Each round trip says: the board's clock showed that time between the moments of asking and of hearing the answer. Of those
    within the window, a good one of the older half and a good one of the newer give the line. A round trip that took long says
    little and is passed over while there are better ones.

    >>> clock = BoardClock()
    >>> clock.add(1_000_000_000, 1_002_000_000, 500)
    >>> clock.host_ns(1_500), clock.error(1_001_000_000)
    (1002000000, 1000000)
    """

    def __init__(self) -> None:
        self._samples: deque[_Sample] = deque()
        self._old = self._new = _Sample(0, 0, 0)
        self._rate = NOMINAL
        self._slack = TOLERANCE  # how wrong the rate may be

    def __bool__(self) -> bool:
        return bool(self._samples)

    @property
    def rate(self) -> float:
        """Nanoseconds of the host in a microsecond of the board."""
        return self._rate

    def fits(self, asked: int, heard: int, us: int) -> bool:
        """Whether this may be the clock of the round trips so far, not one that started afresh. True if there were none."""
        if not self._samples:
            return True
        last, middle = self._samples[-1], (asked + heard) // 2
        off = (us - last.us - round((middle - last.ns) / self._rate) + _WRAP // 2) % _WRAP - _WRAP // 2
        return abs(off) * NOMINAL <= last.radius + (heard - asked) // 2 + abs(middle - last.ns) * DOUBT + STEP // 500

    def went_back(self, now: int, us: int) -> bool:
        """Whether the board's clock is behind what it showed already: it began again. After half an hour nobody can tell."""
        if not self._samples or now - self._samples[-1].ns > 1800 * SECOND:
            return False
        return (us - self._samples[-1].us) % _WRAP > _WRAP // 2

    def add(self, asked: int, heard: int, us: int) -> None:
        """Take a round trip: times of the host in ns, of the board in µs."""
        samples = self._samples
        middle, radius = (asked + heard) // 2, (heard - asked) // 2
        if samples and middle - samples[-1].ns > WINDOW:
            samples.clear()
        if samples:
            us = samples[-1].us + ((us - samples[-1].us) % _WRAP)
            expected = self._place(us)
            if abs(expected - middle) > self._error_at(us) + radius + 5_000_000:
                # No answer to this question, or the clock jumped (the board reset): whichever it was, only one of both can be
                # true. Starting afresh is right in the second case and costs little in the first.
                samples.clear()
                us %= _WRAP
        while samples and middle - samples[0].ns > WINDOW:
            samples.popleft()
        sample = _Sample(us, middle, radius)
        if not samples or middle // STEP != samples[-1].ns // STEP:
            samples.append(sample)
        elif radius < samples[-1].radius:
            samples[-1] = sample
        self._fit(middle)

    def _fit(self, now: int) -> None:
        """Choose the two round trips that give the line."""
        self._new = min(self._samples, key=lambda sample: sample.radius + (now - sample.ns) * TOLERANCE)
        oldest = self._samples[0].ns
        old = [sample for sample in self._samples if sample.ns <= (oldest + now) // 2 and self._new.ns - sample.ns >= SPAN]
        self._rate, self._slack = NOMINAL, TOLERANCE
        if old:
            self._old = min(old, key=lambda sample: sample.radius)
            apart = self._new.ns - self._old.ns
            slack = (self._old.radius + self._new.radius) / apart + WANDER
            if slack < TOLERANCE:
                self._rate, self._slack = apart / (self._new.us - self._old.us), slack

    def _place(self, us: int) -> int:
        return self._new.ns + round((us - self._new.us) * self._rate)

    def _error_at(self, us: int) -> int:
        return self._new.radius + round(abs(us - self._new.us) * NOMINAL * self._slack)

    def _unwrap(self, us: int) -> int:
        newest = self._samples[-1].us + _AHEAD
        return newest - ((newest - us) % _WRAP)

    def host_ns(self, us: int) -> int:
        """The host's time of a board's time that isn't older than an hour. Only after the first round trip."""
        return self._place(self._unwrap(us))

    def error(self, ns: int) -> int:
        """How far off `host_ns` may be for a time near `ns`, in nanoseconds."""
        return self._new.radius + round(abs(ns - self._new.ns) * self._slack)
