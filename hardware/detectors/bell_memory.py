"""What bells have read of late: how loud they were, what their wires read when all is silent, and what has begun together.

Pure; times in nanoseconds.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from hardware.signals import MS, SECOND

SILENT = 500 * MS
"""A board that has told nothing of a bell for so long reads less than the threshold."""
HEARD_LATER = 15 * MS
"""A blow that one bell hears now reached another so long ago at the most, its period of readings among it."""
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

    def remember(self, at: int, value: int, memory: int, *, unheard: int | None) -> tuple[int, int]:
        """Keep a reading; gives what the wire read at rest before it, and the highest of the last `memory` before it.

        `unheard`: what is taken for its level while it told nothing; None: it may have told nothing because nobody listened.
        """
        if unheard is not None and at - self._last > SILENT:
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
    kept: int = 0
    peaked: int = 0
    """When its highest reading was; `kept_at`: when what it still had."""
    kept_at: int = 0
    latest: int = 0
    """What it read last."""
    on_since: int | None = None
    """Of pulses: since when the level is high."""
    lasted: int = 0
    """Of pulses: how long after it began it was heard last."""


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
