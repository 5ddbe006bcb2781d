"""How real contacts and beams change: never once.

Contact bounce follows Jack Ganssle's measurements of eighteen switches ("A Guide to Debouncing"): sixteen of them averaged
1.6 ms and stayed under 6.2 ms; the worst of all took 157 ms. Nothing here is taken from the settings of a detector.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

MS = 1_000_000

TYPICAL_MS = 1.557
WORST_GOOD_MS = 6.2
WORST_MS = 157.0
SWITCHES = 18

Edge = tuple[int, int]
"""(time in nanoseconds, 1 for closed or broken)."""


@dataclass(frozen=True, slots=True)
class Contact:
    """One switch, with the bounce that its make has. `worst_ms` is its longest."""

    worst_ms: float

    @classmethod
    def any(cls, rng: random.Random) -> Contact:
        """One of the eighteen, at random."""
        if rng.randrange(SWITCHES) == 0:
            return cls(WORST_MS)
        return cls(min(WORST_GOOD_MS, rng.expovariate(1 / TYPICAL_MS) + 0.05))

    def change(self, rng: random.Random, at: int, on: int) -> list[Edge]:
        """The edges of one change that begins at `at`: an odd number, ending at the new level."""
        last = at + round(self.worst_ms * MS * rng.random() ** 2)
        inner = sorted(rng.randint(at, last) for _ in range(2 * rng.randint(0, 6)))
        times = _apart([at, *inner])
        return [(time, on if place % 2 == 0 else 1 - on) for place, time in enumerate(times)]

    def rattle(self, rng: random.Random, at: int) -> list[Edge]:
        """A ball drops into a cup and rocks before it lies still: the contact makes and breaks, bouncing each time."""
        edges: list[Edge] = []
        time = at
        for _ in range(rng.choice((0, 0, 1, 1, 2, 3))):
            for on in (1, 0):
                edges += self.change(rng, time, on)
                time = edges[-1][0] + round(rng.uniform(4, 60) * MS)
        return edges + self.change(rng, time, 1)


def beam_break(rng: random.Random, at: int, lasts: int) -> list[Edge]:
    """A ball rolls through a beam: two clean changes, now and then with the chatter of a slow comparator."""
    edges = [(at, 1), (at + lasts, 0)]
    if rng.random() < 0.2:
        edges += [(at + 30_000, 0), (at + 55_000, 1)]
    return sorted(edges)


def _apart(times: list[int]) -> list[int]:
    """The same times, no two the same and none closer than a kernel tells apart."""
    apart: list[int] = []
    for time in times:
        apart.append(time if not apart else max(time, apart[-1] + 1_000))
    return apart
