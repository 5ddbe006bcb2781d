"""Records what the sensors of a table do, call by call, as the detectors of the table are told it."""

from __future__ import annotations

import time
from pathlib import Path
from types import TracebackType
from typing import Self

from controller.engine.engine import Engine
from controller.engine.journal import Journal
from controller.engine.loop import EngineLoop
from controller.fitting.detectors import build_detectors
from controller.fitting.sources import build_sources
from controller.fitting.tables import fitted, rules_of, table_maker
from controller.flight_recorder import MEGABYTE, FlightRecorder, Tape
from controller.service import boot_id, wall_now
from controller.tablefile import TableFile
from hardware.recording import RecordingPanel
from hardware.sources.trace_file import TraceError, TraceWriter
from hardware.sources.trace_ring import TraceRing


class Recorder:
    """Watches a table's inputs and writes them to `path` from `__enter__` to `__exit__`. Raises `SourceError`, `TraceError`.

    `size`: megabytes of one file, before it is packed. `keep`: so many files, the newest; None: one, which is then full.
    """

    def __init__(self, table: TableFile, path: Path, *, size: int, keep: int | None = None) -> None:
        make_table, sources = table_maker(table), build_sources(table)
        self.fault: str | None = None
        """Why nothing more is written."""
        self._path = path
        self._most = size * MEGABYTE
        self._file = TraceWriter(path, boot_id()) if keep is None else None
        tapes = iter([self._file or TraceRing(path, boot_id(), size=self._most, keep=keep or 1)])

        def tape() -> Tape:
            for one in tapes:
                return one
            raise TraceError(f"{path}: the disk is too slow for these sensors; record to another one")

        self._flight = FlightRecorder(tape, self._hear, sync_every=1)
        panel = RecordingPanel(build_detectors(table), self._flight)
        self._journal = Journal(":memory:")
        engine = Engine(fitted(table), rules_of(table), panel, make_table, self._journal.kept())
        self._loop = EngineLoop(engine, sources, self._journal, [], clock=time.monotonic_ns, wall=wall_now)

    @property
    def full(self) -> bool:
        """Whether it is time to end: one file alone isn't written on."""
        return self._file is not None and self._file.size >= self._most

    def __enter__(self) -> Self:
        self._flight.start()
        try:
            self._loop.open(boot_id(), "record")
        except BaseException:
            self._flight.stop()
            if self._file is not None:
                self._file.close()
                self._path.unlink(missing_ok=True)  # holds nothing, and would refuse the next try, since no trace is written over
            raise
        self._loop.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._loop.stop()
        self._flight.stop()
        self._journal.close()

    def _hear(self, said: str | None) -> None:
        self.fault = self.fault or said
