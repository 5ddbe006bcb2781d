"""How often the log is told of what somebody outside can do a thousand times a second."""

from __future__ import annotations

from dataclasses import dataclass, field

from hardware.signals import SECOND


@dataclass(slots=True)
class Sparing:
    """Lets the first `at_once` of a kind through, then one in each `every` nanoseconds; a quiet while earns them back."""

    at_once: int = 20
    every: int = 60 * SECOND
    _paid_until: int = field(default=0, init=False)
    _kept: int = field(default=0, init=False)

    def let(self, now: int) -> int | None:
        """How many were kept back since the last that was let through; None where this one is kept back too."""
        until = max(self._paid_until, now)
        if until - now > (self.at_once - 1) * self.every:
            self._kept += 1
            return None
        self._paid_until = until + self.every
        kept, self._kept = self._kept, 0
        return kept
