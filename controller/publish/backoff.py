"""How long to wait before the next attempt."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from hardware.signals import SECOND


@dataclass(slots=True)
class Backoff:
    """Waits that double from `first` to `longest` seconds, each shortened at random by up to a half.

    Only what went well for `healthy` nanoseconds starts again from `first`: a broker that accepts and then drops, or two programs
    that throw each other out, would otherwise be asked many times a second.
    """

    first: float = 1.0
    longest: float = 60.0
    healthy: int = 30 * SECOND
    chance: Callable[[], float] = random.random
    _next: float = field(default=0.0, init=False)

    def after(self, lasted: int) -> float:
        """Seconds to wait after something that lasted `lasted` nanoseconds, 0 if it never came about."""
        if lasted >= self.healthy or not self._next:
            self._next = self.first
        wait = self._next
        self._next = min(self.longest, wait * 2)
        return wait * (1 - self.chance() / 2)
