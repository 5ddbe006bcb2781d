"""What bells have read of late: how loud they were, what their wires read when all is silent, and what has begun together.

Pure; times in nanoseconds.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field

from hardware.detectors.bell_settings import BellSettings
from hardware.signals import MS, SECOND

SILENT = 500 * MS
"""A board that has told nothing of a bell for so long reads less than the threshold."""
HEARD_LATER = 15 * MS
"""A blow that one bell hears now reached another so long ago at the most, its period of readings among it."""
AT_ONCE = 10 * MS
"""A blow is over in less."""
REST_MEMORY = 60 * SECOND
"""For so long a wire that has drifted is remembered as it was."""


class BellMemory:
    """The readings of one bell."""

    def __init__(self) -> None:
        self.rest = 0
        """The least that it read lately: a wire that hums or rests above nothing reads as much when all is silent."""
        self._recent: deque[tuple[int, int]] = deque()
        self._lowest: deque[tuple[int, int]] = deque()
        self._last = -SECOND

    def silent(self, at: int) -> bool:
        """Whether its board has told nothing of it for long."""
        return at - self._last > SILENT

    def remember(self, at: int, value: int, memory: int, *, unheard: int | None) -> tuple[int, int]:
        """Keep a reading; gives what the wire read at rest before it, and the highest of the last `memory` before it.

        `unheard`: what is taken for its level while it told nothing; None: it may have told nothing because nobody listened.
        """
        if unheard is not None and self.silent(at):
            self._note_low(at, unheard)
        rest, before = self.rest, self.highest(at, memory)
        self._recent.append((at, value))
        self._last = at
        self._note_low(at, value)
        return rest, before

    def highest(self, at: int, memory: int) -> int:
        """The highest reading that is not older than `memory` then."""
        while self._recent and self._recent[0][0] < at - memory:
            self._recent.popleft()
        return max((level for _, level in self._recent), default=0)

    def before(self, at: int, memory: int) -> int:
        """The lowest reading just before a blow that was heard at about this time."""
        # Other bells hear it some milliseconds later than the one that was struck, which then has a reading of it already.
        return min((level for since, level in self._recent if at - memory <= since <= at - HEARD_LATER), default=0)

    def latest(self, at: int, otherwise: int) -> int:
        """The last reading that is not newer than `at`."""
        return next((level for since, level in reversed(self._recent) if since <= at), otherwise)

    def _note_low(self, at: int, value: int) -> None:
        second = at // SECOND
        if self._lowest and self._lowest[-1][0] >= second:
            value = min(value, self._lowest.pop()[1])
        self._lowest.append((second, value))
        while self._lowest[0][0] < second - REST_MEMORY // SECOND:
            self._lowest.popleft()
        self.rest = min(level for _, level in self._lowest)


@dataclass(slots=True)
class BellSound:
    """One bell in a window: when it began, its highest reading, and what it still had when it was judged."""

    began: int
    peak: int
    late: bool = False
    rest: int = 0
    """What its wire reads at rest: that is no sound."""
    guessed: bool = False
    """Whether nobody could tell that when it began: its board was silent."""
    kept: int = 0
    peaked: int = 0
    """When its highest reading was; `kept_at`: when what it still had."""
    kept_at: int = 0
    lingers: int = 0
    """The highest after that."""
    early: int = 0
    """The highest just before."""
    leap: int = 0
    """How much it rose at once, at the most."""
    latest: int = 0
    """What it read last."""
    on_since: int | None = None
    """Of pulses: since when the level is high."""
    lasted: int = 0
    """Of pulses: how long after it began it was heard last."""

    def follow(self, settings: BellSettings, at: int, value: int, leap: int) -> None:
        """Take one more reading, which is `leap` above what was read just before."""
        judge, look, age = settings.judge, settings.look, at - self.began
        self.latest = value
        if age <= settings.coupling and value > self.peak:
            self.peak, self.peaked = value, at
        if age <= judge + look:
            self.leap = max(self.leap, leap)
        if judge <= age <= judge + look and value > self.kept:
            self.kept, self.kept_at = value, at
        elif judge + look < age <= judge + 2 * look:
            self.lingers = max(value, self.lingers)
        elif 0.4 * judge <= age <= 0.8 * judge:
            self.early = max(value, self.early)

    def rings_on(self, settings: BellSettings, at: int) -> bool:
        """Whether it hasn't died as a knock would have by now: then a second blow belongs to it."""
        age = min(1.0, (at - self.began) / settings.judge)
        return self.latest - self.rest >= math.pow(settings.keep, age) * (self.peak - self.rest)

    def is_ring(self, settings: BellSettings, loudest: int) -> bool:
        """Whether these readings are those of a bell that was struck. `loudest`: what the one that grew most has gained."""
        peak, lingers = self.peak - self.rest, self.lingers - self.rest
        kept = max(self.kept - self.rest, lingers)  # it may beat, or readings were lost on the way
        if self.peak < settings.weakest or peak < settings.share * loudest or kept < settings.floor * settings.threshold:
            return False
        if kept < settings.keep * peak and lingers < settings.linger * settings.keep * peak:
            return False
        if self.leap < settings.sudden * max(peak, kept):
            return False
        # Cut off at the top a knock has lost less than it seems; but then it falls faster than it did before.
        flat = self.early - self.rest >= settings.flat * peak
        return not flat or lingers >= settings.slowly * kept or lingers * peak >= kept * kept


@dataclass(slots=True)
class BellWindow:
    """Bells that began together."""

    start: int
    sounds: dict[int, BellSound] = field(default_factory=dict)
    loudest: dict[int, int] = field(default_factory=dict)
    """Of readings: the highest of each bell while bells may still join."""
    before: dict[int, int] = field(default_factory=dict)
    """What each read just before: a bell that still sounds from its last ring has not heard this blow."""
    rest: dict[int, int] = field(default_factory=dict)
    """What each reads at rest."""
