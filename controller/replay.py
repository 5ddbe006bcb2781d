"""A recorded trace through detectors, table and rules: the same game events and the same score every time.

A trace holds what the sensors did, and the buttons with which questions are answered at the table; what people did on a console
is not in it. So a game is begun with the trace, under the table file's house rules, and questions that no button answers stay at
their likely answer.
"""

from __future__ import annotations

from collections.abc import Iterator

from controller.engine.engine import Batch, Engine
from controller.engine.journal import Kept
from controller.engine.requests import Request, StartGame
from controller.engine.snapshot import Happening, Snapshot
from controller.fitting.detectors import build_panel
from controller.fitting.tables import fitted, rules_of, table_maker
from controller.tablefile import TableFile
from hardware.signals import Signal
from hardware.sources.trace_chain import TraceChain
from hardware.sources.trace_file import Advance, Begin, TraceReader


class Replay:
    """One trace on its way through the table of a table file. `shown` is the state after what has been told so far."""

    def __init__(self, table: TableFile, reader: TraceReader | TraceChain) -> None:
        self._reader = reader
        panel = build_panel(table)
        self.missing = [channel for channel in panel.channels if channel not in reader.levels]
        """Inputs of the table that the trace knows nothing of."""
        self._engine = Engine(fitted(table), rules_of(table), panel, table_maker(table), Kept(0, 0, ()))
        self._marks: dict[str, int] = {}
        self.shown: Snapshot | None = None

    def run(self) -> Iterator[Happening]:
        """What happened in the game, in order. Raises `TraceError`."""
        reader = self._reader
        now = reader.at
        self._engine.boot(reader.boot, reader.levels, now, "", "replay")
        yield from self._work(now, [], [(now, Request(StartGame(), "replay"))])
        waiting: list[Signal] = []
        for entry in reader:
            if isinstance(entry, Signal):
                waiting.append(entry)
            elif isinstance(entry, Advance):
                now = self._marks[entry.source] = entry.at
                yield from self._work(now, waiting, [])
                waiting = []
            elif isinstance(entry, Begin):
                self._engine.panel.begin(dict(entry.levels), entry.at)
        yield from self._view(now)

    def _work(self, now: int, signals: list[Signal], requests: list[tuple[int, Request]]) -> tuple[Happening, ...]:
        self._engine.work(Batch(now, "", signals, requests, dict(self._marks)))
        # Nobody looks on: to make the state ready for showing at each entry would cost more than all the rest.
        play = self._engine.play
        return self._view(now) if play is not None and play.occurrences else ()

    def _view(self, now: int) -> tuple[Happening, ...]:
        self.shown, happenings = self._engine.view([], durable=True, now=now)
        return happenings
