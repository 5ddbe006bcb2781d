"""A recording without an end in files of bounded size: when one is full the next begins, and the oldest are dropped.

Each file is a trace by itself, with the levels at its beginning and how things stood then. `game.jsonl` becomes
`game-000001.jsonl`, `game-000002.jsonl` …; the numbers go on from those that are there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hardware.signals import Signal
from hardware.sources.trace_file import (
    TraceError,
    TraceWriter,
    act_line,
    advance_line,
    begin_line,
    feed_line,
    header_line,
)

SMALLEST = 128 * 1024
"""Bytes of a file: the longest line of text and the levels of the largest table have room in it twice."""
SOON = 0.9
"""So full a file is ended at the next moment at which nothing goes on."""


class TraceRing:
    """Writes the calls that are recorded, `begin` first, to at most `keep` files of at most `size` bytes, before they are packed.

    A file ends where no detector waits for anything, if such a moment comes in its last tenth: then nothing of what happens is
    cut in two. Raises `TraceError`, and `ValueError` for bounds that can't be kept.
    """

    def __init__(self, path: Path, boot: str, *, size: int, keep: int) -> None:
        if size < SMALLEST or keep < 1:
            raise ValueError(f"{keep} files of {size} bytes: at least one of {SMALLEST}")
        self._pattern = path
        self._boot = boot
        self._size = size
        self._keep = keep
        self._part = 0
        self._at = 0
        self._levels: dict[str, int] = {}
        self._standing: Mapping[str, Any] | None = None
        self._writer: TraceWriter | None = None

    @property
    def files(self) -> list[Path]:
        """The files that are there, the oldest first."""
        return [path for _, path in sorted(self._numbered())]

    def begin(self, levels: Mapping[str, int], at: int) -> None:
        """Write levels that were found; the first ones begin the first file."""
        self._levels |= levels
        self._at = max(self._at, at)
        if self._writer is None:
            self._next()
        else:
            self._put(begin_line(levels, at))

    def feed(self, signal: Signal) -> None:
        """Write a signal."""
        self._put(feed_line(signal))
        if isinstance(signal.value, int):
            self._levels[signal.channel] = signal.value
        self._at = max(self._at, signal.at)

    def advance(self, source: str, t: int) -> None:
        """Write that a source has told everything before `t`."""
        self._put(advance_line(source, t))
        self._at = max(self._at, t)

    def act(self, said: Mapping[str, Any], at: int) -> None:
        """Write what people did."""
        self._put(act_line(said, at))

    def stand(self, said: Mapping[str, Any]) -> None:
        """How things stand from now on: each file begins with it."""
        self._standing = said

    def rest(self) -> None:
        """Nobody waits for anything: a file that is nearly full ends here."""
        if self._writer is not None and self._writer.size >= SOON * self._size:
            self._next()

    def sync(self) -> None:
        """Bring what was written to the disk."""
        if self._writer is not None:
            self._writer.sync()

    def close(self) -> None:
        """Write what is left, and close. May be called twice."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def _put(self, line: bytes) -> None:
        assert self._writer is not None, "begun before anything else is written"
        if self._writer.size + len(line) > self._size:
            self._next()
        self._writer.write(line)

    def _next(self) -> None:
        if self._writer is not None:
            self._writer.sync()
            self._writer.close()
        self._part += 1
        number = max((number for number, _ in self._numbered()), default=0) + 1
        path = self._pattern.with_name(f"{self._stem}-{number:06}{self._ends}")
        self._writer = TraceWriter(path, self._boot, self._part)
        self._writer.write(header_line(self._boot, self._levels, self._at, self._part, self._standing))
        self._writer.sync()
        try:
            _sync_folder(path.parent)
            for old in self.files[: -self._keep]:
                old.unlink(missing_ok=True)
        except OSError as error:
            raise TraceError(f"{path.parent}: can't be written: {error.strerror}") from error

    @property
    def _ends(self) -> str:
        return "".join(self._pattern.suffixes[-2:]) if self._pattern.suffix == ".gz" else self._pattern.suffix

    @property
    def _stem(self) -> str:
        return self._pattern.name.removesuffix(self._ends)

    def _numbered(self) -> Iterator[tuple[int, Path]]:
        ours = re.compile(rf"{re.escape(self._stem)}-(\d{{6,}}){re.escape(self._ends)}")
        try:
            there = list(self._pattern.parent.iterdir())
        except OSError as error:
            raise TraceError(f"{self._pattern.parent}: can't be read: {error.strerror}") from error
        for path in there:
            if match := ours.fullmatch(path.name):
                yield int(match[1]), path


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
