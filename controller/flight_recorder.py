"""The recorder of a running table: what its sensors and people did lately, so that a fault can be looked into afterwards."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from controller.tablefile.model import Record
from hardware.signals import SECOND, Signal
from hardware.sources.trace_file import TraceError, TraceWriter
from hardware.sources.trace_ring import TraceRing

log = logging.getLogger(__name__)

GATHER_SECONDS = 1.0
"""What comes within it is written together."""
SYNC_EVERY = 10
"""So many times it is written before it is brought to the disk: a power cut takes ten seconds of play, and an SD card lasts."""
AGAIN_SECONDS = 30.0
"""A disk that refused is tried again after so long."""
MOST_WAITING = 50_000
"""Calls that wait for a slow disk; more are let go, and a new recording begins when it has caught up."""
QUIET = 60 * SECOND
"""When nothing has come for so long, a source that says so each second is taken down once in so long."""

MEGABYTE = 1_000_000

Tape = TraceRing | TraceWriter
"""What is recorded on."""
Told = Mapping[str, Any] | Signal | str | None
Item = tuple[str, Told, int]
"""Which call, what it tells, its time."""


class FlightRecorder:
    """Takes down the calls of a panel and what people do, without ever holding them up; a thread writes to a ring of traces.

    A disk that is full or slow costs the recording alone: `report` is told, and None when it goes on. `tape` makes the ring anew
    after each such break: what follows it is another recording. `sync_every`: so many times it is written before it is synced.
    """

    def __init__(self, tape: Callable[[], Tape], report: Callable[[str | None], None], *, sync_every: int = SYNC_EVERY) -> None:
        self._make = tape
        self._report = report
        self._sync_every = sync_every
        self._said: str | None = None
        self._levels: dict[str, int] = {}
        self._standing: Mapping[str, Any] | None = None
        self._stood: Mapping[str, Any] | None = None
        self._items: deque[Item] = deque()
        self._broken = False
        self._overrun = False
        self._stopping = threading.Event()
        self._wake = threading.Event()
        self._fed = 0
        self._held: dict[str, int] = {}
        self._told: dict[str, int] = {}
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Write what waits, and end; the panel isn't told anything more by then. May be called twice."""
        self._release()
        self._stopping.set()
        self._wake.set()
        if self._thread.ident is not None:
            self._thread.join()

    # What the thread of the panel and its engine calls

    def begin(self, levels: Mapping[str, int], at: int) -> None:
        """Levels were found."""
        self._levels |= levels
        self._fed = max(self._fed, at)
        self._put(("begin", dict(levels), at))

    def feed(self, signal: Signal) -> None:
        """A signal came."""
        self._fed = max(self._fed, signal.at)
        self._release()
        self._put(("feed", signal, signal.at))
        if isinstance(signal.value, int):
            self._levels[signal.channel] = signal.value

    def advance(self, source: str, t: int) -> None:
        """A source has told everything before `t`."""
        if t > self._fed + QUIET and t < self._told.get(source, 0) + QUIET:
            self._held[source] = t
            return
        self._held.pop(source, None)
        self._told[source] = t
        self._put(("advance", source, t))

    def act(self, said: Mapping[str, Any], at: int) -> None:
        """People did something."""
        self._release()
        self._put(("act", said, at))

    def stand(self, said: Mapping[str, Any]) -> None:
        """How things stand from now on."""
        self._standing = said
        self._put(("stand", said, 0))

    def rest(self) -> None:
        """No detector waits for anything."""
        if not self._held:
            self._put(("rest", None, 0))

    def _release(self) -> None:
        for source, t in self._held.items():
            self._put(("advance", source, t))
        self._held.clear()

    def _put(self, item: Item) -> None:
        if self._overrun or self._broken:
            if self._items:
                return  # the thread clears them away first
            self._overrun = self._broken = False
            if self._standing is not None:
                self._items.append(("stand", self._standing, 0))
            self._items.append(("start", dict(self._levels), item[2] or self._fed))
        elif len(self._items) >= MOST_WAITING:
            self._overrun = True
            return
        self._items.append(item)
        self._wake.set()

    # The thread

    def _run(self) -> None:
        tape: Tape | None = None
        turns = 0
        last = False
        while not last:
            self._wake.wait()
            self._wake.clear()
            last = self._stopping.wait(GATHER_SECONDS)
            turns += 1
            try:
                tape = self._write(tape)
                if tape is not None and turns % self._sync_every == 0:
                    tape.sync()
            except TraceError as error:
                self._break(tape, error)
                tape = None
        if tape is not None:
            _close(tape)

    def _write(self, tape: Tape | None) -> Tape | None:
        while self._items:
            call, told, at = self._items.popleft()
            if call == "stand" and isinstance(told, Mapping):
                self._stood = told
            if call == "start" or (call == "begin" and tape is None):
                if tape is not None:
                    tape.close()
                    log.warning("The recorder couldn't keep up with the sensors: a part of the recording is missing.")
                tape = self._make()
                if self._stood is not None:
                    tape.stand(self._stood)
                assert isinstance(told, Mapping)
                tape.begin(told, at)
                if call == "start":
                    self._say(None)
            elif tape is not None:
                _tell(tape, call, told, at)
        return tape

    def _say(self, said: str | None) -> None:
        if said != self._said:
            self._said = said
            self._report(said)

    def _break(self, tape: Tape | None, error: TraceError) -> None:
        self._say(f"not recorded: {error}")
        if tape is not None:
            _close(tape)
        self._stopping.wait(AGAIN_SECONDS)
        self._items.clear()
        self._broken = True


def _tell(tape: Tape, call: str, told: Told, at: int) -> None:
    match call, told:
        case "begin", Mapping():
            tape.begin(told, at)
        case "feed", Signal():
            tape.feed(told)
        case "advance", str():
            tape.advance(told, at)
        case "act", Mapping():
            tape.act(told, at)
        case "stand", Mapping():
            tape.stand(told)
        case _:
            tape.rest()


def _close(tape: Tape) -> None:
    try:
        tape.close()
    except TraceError as error:
        log.debug("Closing the recording: %s", error)


def recorder_of(record: Record, folder: Path, name: str, boot: str, report: Callable[[str | None], None]) -> FlightRecorder:
    """The recorder that a table file asks for; `folder`: that of the table file, `name`: what its files begin with."""
    there = folder / record.folder

    def ring() -> TraceRing:
        try:
            there.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise TraceError(f"{there}: can't be made: {error.strerror}; set folder in [record] to another place") from error
        return TraceRing(there / f"{name}.jsonl", boot, size=record.size * MEGABYTE, keep=record.keep)

    return FlightRecorder(ring, report)
