"""Recording what a panel is told, and telling it again: a replay gives the observations that were given live."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from hardware.detectors.detector import Detector
from hardware.observations import Observation
from hardware.panel import Panel
from hardware.signals import Signal
from hardware.sources.trace_file import Advance, Begin, TraceReader


class Calls(Protocol):
    """Whatever takes down the calls that a panel is told."""

    def begin(self, levels: Mapping[str, int], at: int) -> None:
        """Levels were found."""

    def feed(self, signal: Signal) -> None:
        """A signal came."""

    def advance(self, source: str, t: int) -> None:
        """A source has told everything before `t`."""

    def rest(self) -> None:
        """No detector waits for anything now: whoever wants to begin a new file does it best here."""


def replay(reader: TraceReader, panel: Panel) -> Iterator[Observation]:
    """Make the calls of a trace again: gives what the panel gave when it was recorded. Raises `TraceError`."""
    yield from panel.begin(reader.levels, reader.at)
    for entry in reader:
        match entry:
            case Signal():
                yield from panel.feed(entry)
            case Advance(source, at):
                yield from panel.advance(source, at)
            case Begin(levels, at):
                yield from panel.begin(dict(levels), at)


class RecordingPanel(Panel):
    """A panel that writes each call to a trace before it makes it."""

    def __init__(self, detectors: Iterable[Detector], writer: Calls) -> None:
        super().__init__(detectors)
        self._writer = writer

    def begin(self, levels: dict[str, int], at: int) -> list[Observation]:
        """Take levels, see `Panel`. Raises `TraceError` if they can't be written."""
        self._writer.begin(levels, at)
        return super().begin(levels, at)

    def feed(self, signal: Signal) -> list[Observation]:
        """Take one signal, see `Panel`. Raises `TraceError` if it can't be written."""
        self._writer.feed(signal)
        return super().feed(signal)

    def advance(self, source: str, t: int) -> list[Observation]:
        """Let deadlines pass, see `Panel`. Raises `TraceError` if it can't be written."""
        self._writer.advance(source, t)
        observations = super().advance(source, t)
        if self.next_deadline() is None:
            self._writer.rest()
        return observations
