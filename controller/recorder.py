"""Records what the sensors of a table do, call by call, as the detectors of the table are told it."""

from __future__ import annotations

import time
from pathlib import Path
from types import TracebackType
from typing import Self

from controller.engine.engine import Engine
from controller.engine.journal import Journal
from controller.engine.loop import EngineLoop
from controller.fitting import build_detectors, build_sources, fitted, rules_of, table_maker
from controller.service import boot_id, wall_now
from controller.tablefile import TableFile
from hardware.recording import RecordingPanel
from hardware.sources.trace_file import TraceWriter


class Recorder:
    """Watches a table's inputs and writes them to `path` from `__enter__` to `__exit__`. Raises `SourceError`, `TraceError`."""

    def __init__(self, table: TableFile, path: Path) -> None:
        self._path = path
        make_table, sources = table_maker(table), build_sources(table)
        self._writer = TraceWriter(path, boot_id())
        panel = RecordingPanel(build_detectors(table), self._writer)
        self._journal = Journal(":memory:")
        engine = Engine(fitted(table), rules_of(table), panel, make_table, self._journal.kept())
        self._loop = EngineLoop(engine, sources, self._journal, [], clock=time.monotonic_ns, wall=wall_now)

    @property
    def size(self) -> int:
        """Bytes written so far."""
        return self._path.stat().st_size

    def flush(self) -> None:
        """Bring what was recorded to the disk."""
        self._writer.flush()

    def __enter__(self) -> Self:
        self._loop.open(boot_id(), "record")
        self._loop.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._loop.stop()
        self._writer.close()
        self._journal.close()
