"""A whole table in memory whose cable can be pulled out: beside `table_kit`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from controller.engine.journal import Journal
from controller.tablefile import TableFile
from hardware.health import SourceHealth
from hardware.signals import SECOND
from hardware.sources.sim import SimSource
from hardware.sources.source import Emit
from hardware.sources.trace_file import TraceWriter
from tests.table_kit import FULL, Bench


class Pluggable(SimSource):
    """Simulated inputs behind a cable that can be pulled out."""

    def __init__(self, *, plugged: bool = True) -> None:
        super().__init__(clock=None)
        self.plugged = plugged
        self.blind = 0
        self._opened: tuple[list[str], Emit] | None = None
        self._left = 0

    def open(self, channels: Iterable[str], emit: Emit) -> dict[str, int]:
        channels = list(channels)
        levels = super().open(channels, emit)
        if self.plugged:
            return levels
        self._opened = channels, emit
        self.hold()
        return {}

    def unplug(self, now: int) -> None:
        self.plugged, self._left = False, now
        self.hold()

    def plug(self, *, kept: bool) -> None:
        """Put it in again, with what happened meanwhile or without."""
        self.plugged = True
        self.blind += not kept
        if self._opened is not None:
            self.close()
            super().open(*self._opened)
            self._opened = None
        self.release()

    def watermark(self, now: int) -> int:
        """As of a board: for three seconds it may come back with what it kept."""
        waited_for = self.plugged or (self._opened is None and now - self._left < 3 * SECOND)
        if not waited_for:
            self._mark = now
        return super().watermark(now)

    def health(self) -> SourceHealth:
        return replace(super().health(), up=self.plugged, blind=self.blind)


class LooseTable(Bench):
    """A table whose inputs can go away."""

    def __init__(
        self,
        journal: Journal | None = None,
        boot: str = "boot",
        *,
        plugged: bool = True,
        table: TableFile | str = FULL,
        tape: TraceWriter | None = None,
    ) -> None:
        self.cable = Pluggable(plugged=plugged)
        super().__init__(table, journal, boot, sim=self.cable, tape=tape)

    def again(self, boot: str = "boot-2", *, plugged: bool = True) -> LooseTable:
        """Switched off at the wall and on again, its cable in or out."""
        assert isinstance(self.journal, Journal)
        return LooseTable(self.journal, boot, plugged=plugged, table=self.table)

    def unplug(self) -> None:
        """Pull the cable out."""
        self.cable.unplug(self.now)

    def away(self, seconds: float = 5, *, kept: bool = False) -> None:
        """The cable is out for so long, and in again."""
        self.unplug()
        self.wait(seconds)
        self.cable.plug(kept=kept)
        self.wait(1.5)
