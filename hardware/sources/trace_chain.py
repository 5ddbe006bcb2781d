"""Several traces of one recording, read as one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from hardware.sources.trace_file import Begin, Entry, TraceError, TraceReader


class TraceChain:
    """Traces of one boot in the order in which they were recorded, in whatever order they are named. Raises `TraceError`.

    `boot`, `levels`, `at` and `standing` are those of the first, which is the file `path`. Where a file isn't the next part of
    the one before it, its levels come as a `Begin`, and `gaps` says so. `cut` has the files whose last line isn't whole, once
    they were read.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        self._open = ExitStack()
        try:
            readers = [self._open.enter_context(TraceReader(path)) for path in dict.fromkeys(paths)]
            self._readers = sorted(readers, key=lambda reader: (reader.at, reader.part))
            _of_one_boot(self._readers)
        except TraceError:
            self._open.close()
            raise
        first = self._readers[0]
        self.boot, self.at, self.levels, self.standing = first.boot, first.at, first.levels, first.standing
        self.path = first.path
        self.gaps = [
            f"{before.path} and {after.path} don't follow one another: what happened between them is unknown"
            for before, after in zip(self._readers, self._readers[1:], strict=False)
            if after.part != before.part + 1
        ]

    @property
    def cut(self) -> list[str]:
        """A sentence for each file whose end is missing."""
        return [reader.cut for reader in self._readers if reader.cut]

    def __iter__(self) -> Iterator[Entry]:
        before: TraceReader | None = None
        for reader in self._readers:
            if before is not None and reader.part != before.part + 1:
                yield Begin(reader.levels, reader.at)
            yield from reader
            before = reader

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._open.close()


def _of_one_boot(readers: list[TraceReader]) -> None:
    for reader in readers[1:]:
        if reader.boot != readers[0].boot:
            raise TraceError(
                f"{reader.path}: was recorded after another start of the machine than {readers[0].path}, and their times can't "
                "be compared: name the files of one start alone"
            )
