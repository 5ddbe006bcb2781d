"""Inputs that somebody moves at set times, for the programs that a person runs at a table."""

from __future__ import annotations

from collections.abc import Iterable

from hardware.signals import MS
from hardware.sources.sim import SimSource


class Played(SimSource):
    """Each move comes at its own time after the program first looked, however seldom a busy machine lets it look.

    `moves`: the milliseconds after that, the channel, its level. `resting`: these inputs are at level 1 before.
    """

    def __init__(self, moves: Iterable[tuple[int, str, int]], resting: Iterable[str] = ()) -> None:
        super().__init__(clock=None)
        self._moves = list(moves)
        for channel in resting:
            self.set(channel, 1, at=0)

    def watermark(self, now: int) -> int:
        """Let what is due by now happen first."""
        for ms, channel, level in self._moves:
            self.set(channel, level, at=now + ms * MS)
        self._moves.clear()
        self.advance(now)
        return super().watermark(now)
