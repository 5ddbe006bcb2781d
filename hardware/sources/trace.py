"""The `trace` source: plays a recorded file in place of the source that was recorded."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from hardware.health import SourceHealth
from hardware.signals import Signal, source_of
from hardware.sources.source import Emit, Source, SourceError
from hardware.sources.trace_file import Advance, Begin, Entry, TraceError, TraceReader


class TraceSource(Source):
    """Plays what one source did, in place of that source: `name` is the one that was recorded.

    It goes on as far as `play` lets it, in the trace's own time; its watermark and health are those that were recorded.
    """

    def __init__(self, path: Path, name: str) -> None:
        self.name = name
        self._path = path
        self._reader: TraceReader | None = None
        self._emit: Emit | None = None
        self._next: Entry | None = None
        self._levels: dict[str, int] = {}
        self._mark = 0
        self._health = SourceHealth(name, up=False)

    def open(self, channels: Iterable[str], emit: Emit) -> dict[str, int]:
        """Read the header; gives its levels. Raises `SourceError` for a file that is no trace or lacks one of the channels."""
        channels = list(channels)
        try:
            reader = TraceReader(self._path)
        except TraceError as error:
            raise SourceError(str(error)) from error
        missing = [channel for channel in channels if source_of(channel) != self.name or channel not in reader.levels]
        if missing:
            reader.close()
            raise SourceError(
                f"{self._path}: holds nothing of {', '.join(missing)} from {self.name}: other sensors were recorded"
            )
        self.close()
        self._reader = reader
        self._emit = emit
        self._levels = {channel: reader.levels[channel] for channel in channels}
        self._mark = reader.at
        self._health = SourceHealth(self.name, up=True)
        return dict(self._levels)

    def play(self, until: int | None = None) -> None:
        """Emit what the source told up to a time, or up to the end of the file. Raises `TraceError`.

        A source that opened again while it was recorded gave levels without signals; here they come as signals.
        """
        if self._reader is None:
            raise SourceError(f"{self._path}: open the source before it is played")
        while (entry := self._next or self._reader.read()) is not None:
            if until is not None and not isinstance(entry, SourceHealth) and entry.at > until:
                self._next = entry
                return
            self._next = None
            self._take(entry)

    def watermark(self, now: int) -> int:
        """What the recorded source had told, at the place up to which it was played. At most `now`."""
        return min(now, self._mark)

    def reconcile(self, now: int) -> None:
        """Do nothing: what was found by comparing levels is in the trace."""

    def levels(self) -> dict[str, int]:
        """The levels at the place up to which it was played."""
        return dict(self._levels)

    def health(self) -> SourceHealth:
        """How the recorded source stood at that place."""
        return replace(self._health, up=self._reader is not None and self._health.up)

    def close(self) -> None:
        """Close the file. May be called twice; opened again, it plays from the start."""
        if self._reader is not None:
            self._reader.close()
        self._reader = self._emit = self._next = None

    def _take(self, entry: Entry) -> None:
        match entry:
            case Signal(channel=channel) if channel in self._levels:
                self._tell(entry)
            case Advance(source, at) if source == self.name:
                self._mark = max(self._mark, at)
            case Begin(levels, at):
                for channel, level in levels.items():
                    if self._levels.get(channel, level) != level:
                        self._tell(Signal(at, channel, level))
            case SourceHealth(source=source) if source == self.name:
                self._health = entry

    def _tell(self, signal: Signal) -> None:
        assert self._emit is not None, "only an open source is played"
        if isinstance(signal.value, int):
            self._levels[signal.channel] = signal.value
        self._emit(signal)
