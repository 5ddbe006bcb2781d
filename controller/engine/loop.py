"""The engine's loop: one queue, one thread; batch, commit, and only then show.

Durable before visible: no state is shown that a power cut can take back. If the journal can't be written, the game goes on in
memory, every view says "not saved", and it is tried again each second.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from controller.engine.answered import Answered
from controller.engine.engine import UNWRITTEN, Batch, Engine
from controller.engine.journal import GameState, JournalError
from controller.engine.records import Record
from controller.engine.requests import Reply, Request
from controller.engine.snapshot import Happening, Publisher, Snapshot
from controller.engine.unsaved import Unsaved
from hardware.health import SourceHealth
from hardware.signals import MS, SECOND, Signal, source_of
from hardware.sources.source import Source

log = logging.getLogger(__name__)

RECONCILE_EVERY = SECOND
"""How often levels are compared with what was signalled."""

LOOK_EVERY = 5 * SECOND
"""How often the sensors' health is looked at while nothing happens."""

SAVE_AGAIN = SECOND
"""How soon a journal that could not be written is tried again: all that waits is written at once."""

RETRY = MS // 2
"""How soon a deadline that its source holds up is looked at again; twice as long each further time, to `LONGEST_RETRY`."""
LONGEST_RETRY = 32 * MS

Clock = Callable[[], int]
WallClock = Callable[[], str]
T = TypeVar("T")


class Keeper(Protocol):
    """Where records are kept."""

    def commit(
        self, records: Sequence[Record], games: Sequence[tuple[int, GameState, str]], answered: Sequence[Answered] = ()
    ) -> None:
        """Write a batch, all or nothing. Raises `JournalError`."""


class EngineLoop:
    """Owns the queue, the sources, the journal and the publishers; runs in its own thread, or turn by turn for a simulation."""

    def __init__(
        self,
        engine: Engine,
        sources: Sequence[Source],
        journal: Keeper,
        publishers: Sequence[Publisher],
        *,
        clock: Clock,
        wall: WallClock,
    ) -> None:
        self.engine = engine
        self.sources = list(sources)
        self.journal = journal
        self.publishers = list(publishers)
        self.clock = clock
        self.wall = wall
        self._signals: deque[Signal] = deque()
        self._requests: deque[tuple[int, Request]] = deque()
        self._reports: deque[tuple[str, str | None]] = deque()
        self._wake = threading.Event()
        self._stopping = False
        self._thread: threading.Thread | None = None
        self._unsaved = Unsaved()
        self._next_save = 0
        self._lost: dict[str, int] = {}
        self._missing: list[Source] = []
        self._next_reconcile = 0
        self._turned = 0
        self._retry = RETRY
        self._next_look = 0
        self._uneasy: tuple[object, ...] = ()
        self._offered: Snapshot | None = None

    # From any thread

    def emit(self, signal: Signal) -> None:
        """Put a signal on the queue."""
        self._signals.append(signal)
        self._wake.set()

    def submit(self, request: Request) -> None:
        """Put a request on the queue; its reply comes when what it did is durable."""
        self._requests.append((self.clock(), request))
        self._wake.set()

    def report(self, place: str, sentence: str | None) -> None:
        """Say what is wrong with a part beside the engine, for the screens; None when it is well again."""
        self._reports.append((place, sentence))
        self._wake.set()

    # The thread

    def open(self, boot: str, version: str) -> None:
        """Open the sources, take their levels silently, write the boot record, show the first state. Raises `SourceError`."""
        levels: dict[str, int] = {}
        channels = self.engine.panel.channels
        for source in self.sources:
            mine = [channel for channel in channels if source_of(channel) == source.name]
            levels |= source.open(mine, self.emit)
        self._missing = [source for source in self.sources if not source.health().up]
        now, wall = self.clock(), self.wall()
        scribe = self.engine.scribe
        scribe.begin(boot, now, wall, version)
        if not self.keep(scribe.take(), []):
            scribe.leap(now)
        self.engine.boot(boot, levels, now, wall, version, missing=[source.name for source in self._missing])
        self._next_reconcile = now + RECONCILE_EVERY
        self.turn(now)

    def start(self) -> None:
        """Run the loop in a thread of its own."""
        self._thread = threading.Thread(target=self._run, name="engine")
        self._thread.start()

    def stop(self) -> None:
        """Work through what waits, then end the thread and close the sources."""
        self._stopping = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join()
        for source in self.sources:
            source.close()

    @property
    def alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread is not None and self._thread.is_alive()

    def _run(self) -> None:
        while not self._stopping:
            now = self.clock()
            due = self.next_due()
            if due > now:
                self._wake.wait((due - now) / SECOND)
            self._wake.clear()
            self.turn(self.clock())
        self._next_save = 0  # the last chance
        self.turn(self.clock())

    def next_due(self) -> int:
        """When the next turn must run although nothing comes in."""
        deadline = self.engine.next_deadline()
        if deadline is None:
            return self._next_reconcile
        if deadline <= self._turned:
            deadline = self._turned + self._retry
        return min(deadline, self._next_reconcile)

    def turn(self, now: int) -> None:
        """One turn: take whatever waits, work it, commit it, then show it."""
        self._turned = now
        if now >= self._next_reconcile:
            for source in self.sources:
                source.reconcile(now)
            self._next_reconcile = now + RECONCILE_EVERY
        for place, sentence in _drain(self._reports):
            self.engine.faults.pop(place, None)
            if sentence is not None:
                self.engine.faults[place] = sentence
        # Watermarks before signals: whatever a source has promised is in the queue by then.
        watermarks = {source.name: source.watermark(now) for source in self.sources}
        signals, requests = _drain(self._signals), _drain(self._requests)
        # After the signals: one that has sent something is there by now.
        found = self._found()
        health = tuple(source.health() for source in self.sources)
        batch = Batch(now, self.wall(), signals, requests, watermarks, self._gaps(health), health, found)
        records = self.engine.work(batch)
        durable = self.keep(records, self.engine.games())
        deadline = self.engine.next_deadline()
        held_up = deadline is not None and deadline <= now
        self._retry = min(self._retry * 2, LONGEST_RETRY) if held_up else RETRY
        if (
            batch.signals
            or batch.requests
            or records
            or now >= self._next_look
            or self._uneasy != self._unease(health, durable=durable)
        ):
            self.show(now, health, durable=durable)

    def _found(self) -> dict[str, dict[str, int]]:
        """The levels of the sources that have come since the last call, of those that were missing."""
        found = [source for source in self._missing if source.health().up]
        self._missing = [source for source in self._missing if source not in found]
        return {source.name: source.levels() for source in found}

    def _gaps(self, health: Sequence[SourceHealth]) -> dict[str, int]:
        """How many signals each source has lost since the last call, where it has lost any."""
        before, self._lost = self._lost, {one.source: one.lost for one in health}
        return {name: lost - before.get(name, 0) for name, lost in self._lost.items() if lost > before.get(name, 0)}

    def _unease(self, health: tuple[SourceHealth, ...], *, durable: bool) -> tuple[object, ...]:
        """What a screen should say soon although nobody plays: how the sources and the parts beside the engine do."""
        return (durable, tuple(self.engine.faults.values()), health)

    def keep(self, records: list[Record], games: list[tuple[int, GameState, str]]) -> bool:
        """Commit the batch and whatever could not be committed before; whether it is on the disk."""
        self._unsaved.add(records, games, self.engine.answered(self._turned))
        if not self._unsaved:
            return True
        failed = UNWRITTEN in self.engine.faults
        if failed and self._turned < self._next_save:
            return False
        try:
            self.journal.commit(self._unsaved.records, self._unsaved.games, self._unsaved.answered)
        except JournalError as error:
            if not failed:
                log.error("Not saved: %s. The game goes on in memory.", error)  # noqa: TRY400 - the sentence says it all
            self._next_save = self._turned + SAVE_AGAIN
            self.engine.faults[UNWRITTEN] = f"Not saved: {error}{self._let_go}"
            return False
        if self.engine.faults.pop(UNWRITTEN, None):
            log.warning("The journal can be written again%s.", self._let_go or "; nothing was lost")
        self._unsaved.clear()
        return True

    @property
    def _let_go(self) -> str:
        count = self._unsaved.let_go
        return f"; {count} observations were let go, every event is kept" if count else ""

    def show(self, now: int, health: tuple[SourceHealth, ...], *, durable: bool) -> None:
        """Hand the new state to the publishers, then answer those who asked."""
        self._next_look = now + LOOK_EVERY
        snapshot, happenings = self.engine.view(health, durable=durable, now=now)
        self._uneasy = self._unease(health, durable=durable)
        if snapshot != self._offered or happenings:
            self._offered = snapshot
            self._offer(snapshot, happenings)
        for request, reply in self.engine.replies():
            _answer(request, reply)

    def _offer(self, snapshot: Snapshot, happenings: tuple[Happening, ...]) -> None:
        for publisher in self.publishers:
            publisher.offer(snapshot, happenings)


def _answer(request: Request, reply: Reply) -> None:
    if request.reply is not None:
        request.reply(reply)


def _drain(queue: deque[T]) -> list[T]:
    items: list[T] = []
    while queue:
        items.append(queue.popleft())
    return items
