"""What a lamp or sounder plays, and when it changes: pure, time is an argument, in nanoseconds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hardware.signals import MS

SHORT: Final = 150 * MS
LONG: Final = 600 * MS
GAP: Final = 150 * MS
"""Dark between two flashes."""
PAUSE: Final = 850 * MS
"""Dark after the flashes of a pattern that goes on and on."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """How long it is on, off, on, off…, in nanoseconds; an empty one stays on. `again`: it begins anew until it is taken away."""

    steps: tuple[int, ...] = ()
    again: bool = False

    def __post_init__(self) -> None:
        if any(step <= 0 for step in self.steps):
            raise ValueError(f"each step of a pattern takes some time; here is {self.steps}")

    @property
    def steady(self) -> bool:
        """Whether it is just on."""
        return not self.steps

    @property
    def length(self) -> int:
        """How long it takes, once."""
        return sum(self.steps)

    def level(self, elapsed: int) -> bool:
        """Whether it is on so long after it began."""
        return self.steady or self._place(elapsed)[0] % 2 == 0

    def next_change(self, elapsed: int) -> int | None:
        """How long after it began it changes next; None where it never does any more."""
        if self.steady or (not self.again and elapsed >= self.length):
            return None
        return self._place(elapsed)[1]

    def over(self, elapsed: int) -> bool:
        """Whether it has been played to its end."""
        return not self.steady and not self.again and elapsed >= self.length

    def _place(self, elapsed: int) -> tuple[int, int]:
        """Which step it is in, and when that ends."""
        rounds, within = divmod(elapsed, self.length) if self.again else (0, elapsed)
        end = rounds * self.length
        for number, step in enumerate(self.steps):
            end += step
            within -= step
            if within < 0:
                return number, end
        return len(self.steps) - 1 | 1, end  # past the end: off


STEADY = Pattern()


def flashes(words: Sequence[str], *, again: bool = False) -> Pattern:
    """The pattern of `short` and `long` flashes. Raises `ValueError` for another word."""
    steps: list[int] = []
    for word in words:
        if word not in ("short", "long"):
            raise ValueError(f"a pattern is made of short and long, not {word!r}")
        steps += [SHORT if word == "short" else LONG, GAP]
    if not steps:
        raise ValueError("a pattern has at least one flash: short or long")
    return Pattern((*steps[:-1], PAUSE) if again else tuple(steps[:-1]), again)


class PatternPlayer:
    """One lamp or sounder: what happens is played once, what stands is held below it.

    A newer pattern takes the place of the one that plays: a lamp tells what is new, not all that has been.

    >>> player = PatternPlayer()
    >>> player.play(Pattern((100, 50, 100)), at=1000)
    >>> [(at, player.advance(at)) for at in (1000, 1100, 1150, 1250)]
    [(1000, True), (1100, False), (1150, True), (1250, False)]
    >>> player.next_deadline() is None
    True
    """

    def __init__(self) -> None:
        self._once: tuple[Pattern, int] | None = None
        self._held: tuple[Pattern, int] | None = None
        self._now = 0

    def play(self, pattern: Pattern, at: int) -> None:
        """Play it once from now on. Raises `ValueError` for one that has no end."""
        if pattern.steady or pattern.again:
            raise ValueError("a pattern without an end can't be played once: hold it")
        self._once = pattern, at

    def hold(self, pattern: Pattern | None, at: int) -> None:
        """Show it while nothing else is played; None: stay off then. One that is held already goes on."""
        if pattern is None:
            self._held = None
        elif self._held is None or self._held[0] != pattern:
            self._held = pattern, at

    def advance(self, now: int) -> bool:
        """It is this time: whether it is on."""
        self._now = now
        if self._once is not None and self._once[0].over(now - self._once[1]):
            self._once = None
        playing = self._once or self._held
        return playing is not None and playing[0].level(max(0, now - playing[1]))

    def next_deadline(self) -> int | None:
        """When it changes next."""
        playing = self._once or self._held
        if playing is None:
            return None
        pattern, began = playing
        change = pattern.next_change(max(0, self._now - began))
        return None if change is None else began + change
