"""How real contacts and beams change: never once.

Contact bounce follows Jack Ganssle's measurements of eighteen switches ("A Guide to Debouncing", 2004 to 2014,
http://www.ganssle.com/debouncing.htm): what sixteen of them did averages 1,557 µs and was never over 6,200 µs; of the two others
one took up to 11.3 ms and the worst of all 157 ms. Nothing here is taken from the settings of a detector.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

MS = 1_000_000

MEAN_MS = 1.557
WORST_GOOD_MS = 6.2
WORST_MS = 157.0
EIGHTEEN_MS = (*(WORST_GOOD_MS,) * 16, 11.3, WORST_MS)
"""The longest that each of Ganssle's switches bounced. His sixteen are known together and not one by one."""

SKEW = WORST_GOOD_MS / MEAN_MS - 1
"""A share of the longest that is drawn as `random ** SKEW` is at most 1 and in the mean `MEAN_MS / WORST_GOOD_MS`."""

Edge = tuple[int, int]
"""(time in nanoseconds, 1 for closed or broken)."""


@dataclass(frozen=True, slots=True)
class Contact:
    """One switch. `worst_ms`: the longest that it bounces; in the mean it is a quarter of that, as with Ganssle's sixteen."""

    worst_ms: float

    @classmethod
    def any(cls, rng: random.Random) -> Contact:
        """One of the eighteen, at random."""
        return cls(rng.choice(EIGHTEEN_MS))

    def change(self, rng: random.Random, at: int, on: int) -> list[Edge]:
        """The edges of one change that begins at `at`: an odd number, ending at the new level."""
        lasts = round(self.worst_ms * 1000 * rng.random() ** SKEW)
        pairs = min(rng.randint(1, 6), lasts // 2)
        if pairs == 0:
            return [(at, on)]
        # Whole microseconds, each but once: a kernel tells those apart.
        inner = sorted(rng.sample(range(1, lasts), 2 * pairs - 1))
        return [(at + time * 1000, on if place % 2 == 0 else 1 - on) for place, time in enumerate([0, *inner, lasts])]

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
