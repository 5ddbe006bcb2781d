"""The `lines` source: lines of text from a serial port, a pipe, a pseudo-terminal or an MQTT topic.

A tracker, a gauge or a card reader sends a line whenever it likes; nothing is ever sent to it. A device that goes away is looked
for until it is back, and what can't be a line is counted: neither ends anything.
"""

from __future__ import annotations

import logging
import os
import select
import threading
import time
from abc import abstractmethod
from collections.abc import Iterable

from hardware.health import SourceHealth
from hardware.signals import Signal
from hardware.sources.line_splitter import LineSplitter
from hardware.sources.lines_device import Device, DeviceTrouble
from hardware.sources.source import Emit, Source, SourceError
from hardware.sources.storm import StormGuard

log = logging.getLogger(__name__)

AGAIN = 0.5
"""Seconds until a device that is away is looked for again."""
READ = 4096


class LinesSource(Source):
    """What all sources of lines share. `name` is the one address that it has: `lines:camera`.

    Text has no level: `levels` gives 0 for it, and there is nothing to reconcile. A line is stamped when its end is read.
    """

    _first_away = "nothing has come yet"

    def __init__(self, name: str, *, guard: StormGuard | None = None) -> None:
        self.name = name
        self._guard = guard or StormGuard()
        self._splitter = LineSplitter()
        self._lock = threading.Lock()
        self._emit: Emit | None = None
        self._watched = False
        self._away: str | None = None
        self._was_here = False
        self._blind = 0

    def open(self, channels: Iterable[str], emit: Emit) -> dict[str, int]:
        """Start to listen. A device that isn't there yet is waited for. Raises `SourceError` for an address of another source."""
        channels = list(channels)
        for channel in channels:
            if channel != self.name:
                raise SourceError(f"{channel} is no input of {self.name}: it has one, {self.name}")
        with self._lock:
            if self._emit is not None:
                raise SourceError(f"{self.name} is open already: close it first")
            self._emit = emit
            self._watched = bool(channels)
            self._away = self._first_away
            self._was_here = False
        self._start()
        return dict.fromkeys(channels, 0)

    def watermark(self, now: int) -> int:
        """A time of which this is true: every line older than it has been emitted. At most `now`."""
        with self._lock:
            return min(now, self._oldest_to_come(now))

    def reconcile(self, now: int) -> None:
        """Let a channel in again that has calmed down: text has no level to compare."""
        with self._lock:
            self._guard.calmed(now)

    def levels(self) -> dict[str, int]:
        """Nothing but zeros: text has no level."""
        return {self.name: 0} if self._watched else {}

    def health(self) -> SourceHealth:
        """Whether lines can come, how many were lost and why."""
        with self._lock:
            faults = []
            if self._emit is not None and self._away is not None:
                faults.append(f"{self.name} is away: {self._away}")
            if self._guard.muted:
                faults.append(f"{self.name} sends more lines than anybody can use and is muted until it is quiet: slow it down")
            dropped = self._splitter.dropped
            if dropped.total:
                faults.append(
                    f"{self.name} has sent {dropped.total} lines that can't be used ({dropped}): "
                    "look at its baud rate, its cable and the program that sends them"
                )
            up = self._emit is not None and self._away is None
            muted = self._guard.muted
            return SourceHealth(self.name, up=up, lost=dropped.total, blind=self._blind, muted=muted, faults=tuple(faults))

    def close(self) -> None:
        """Stop. May be called twice."""
        self._stop()
        with self._lock:
            self._emit = None
            self._guard.clear()
            self._splitter = LineSplitter()

    @abstractmethod
    def _start(self) -> None: ...

    @abstractmethod
    def _stop(self) -> None: ...

    # With the lock held

    @property
    def _loses(self) -> bool:
        """Whether it may have missed something when it is back: mostly nobody keeps what would have been sent."""
        return True

    def _oldest_to_come(self, now: int) -> int:
        return now

    def _tell(self, lines: Iterable[str], at: int) -> None:
        for line in lines:
            if self._emit is not None and self._watched and self._guard.admit(self.name, at):
                self._emit(Signal(at, self.name, line))

    def _gone(self, why: str) -> None:
        if self._away is None:
            log.warning("%s is away: %s", self.name, why)
        self._away = why
        self._splitter.break_off()

    def _here(self) -> None:
        self._blind += self._was_here and self._away is not None and self._loses
        self._was_here = True
        self._away = None


class StreamSource(LinesSource):
    """Lines of a device that is read in a thread of its own, and opened again whenever it was away.

    `pause`: nanoseconds of silence that end a line too, for devices that leave out line ends; None: only a line end does.
    """

    def __init__(self, name: str, device: Device, *, pause: int | None = None, guard: StormGuard | None = None) -> None:
        super().__init__(name, guard=guard)
        self._device = device
        self._pause = pause
        self._last = 0  # when the latest byte was read
        self._thread: threading.Thread | None = None
        self._stopping = False
        self._wake: tuple[int, int] | None = None

    @property
    def _loses(self) -> bool:
        return self._device.loses

    def _start(self) -> None:
        self._stopping = False
        self._wake = os.pipe()
        self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
        self._thread.start()

    def _stop(self) -> None:
        if self._thread is None or self._wake is None:
            return
        self._stopping = True
        os.write(self._wake[1], b"!")
        self._thread.join()
        for end in self._wake:
            os.close(end)
        self._thread = self._wake = None

    def _oldest_to_come(self, now: int) -> int:
        # A line that a pause will end is stamped with its last byte.
        return self._last if self._pause is not None and self._splitter.begun else now

    # The thread

    def _run(self) -> None:
        while not self._stopping:
            try:
                fd = self._device.open()
                self._look()
                self._pump(fd)
            except DeviceTrouble as trouble:
                with self._lock:
                    self._gone(str(trouble))
            finally:
                self._device.close()
            self._sleep(AGAIN)

    def _look(self) -> None:
        with self._lock:
            if self._device.waits_for is None:
                self._here()
            else:
                self._gone(self._device.waits_for)

    def _pump(self, fd: int) -> None:
        """Until we stop. Raises `DeviceTrouble` when the device is gone."""
        assert self._wake is not None
        while not self._stopping:
            readable, _, _ = select.select([fd, self._wake[0]], [], [], self._patience())
            if self._wake[0] in readable:
                return
            data = self._device.read(READ) if fd in readable else b""
            if fd in readable:
                self._look()
            with self._lock:
                now = time.monotonic_ns()
                if data:
                    self._last = now
                    self._tell(self._splitter.feed(data), now)
                elif self._pause is not None and self._splitter.begun and now >= self._last + self._pause:
                    self._tell(self._splitter.end(), self._last)

    def _patience(self) -> float | None:
        if self._pause is None or not self._splitter.begun:
            return None
        return max(0, self._last + self._pause - time.monotonic_ns()) / 1e9

    def _sleep(self, seconds: float) -> None:
        if not self._stopping:
            assert self._wake is not None
            select.select([self._wake[0]], [], [], seconds)


class TopicSource(LinesSource):
    """Lines of an MQTT topic: whoever has the connection gives each message to `take`, and says when the link is lost.

    A message is a line, or several.
    """

    _first_away = "nothing has come on its topic yet"

    def take(self, payload: bytes) -> None:
        """Take a message. Called from any thread; before `open` and after `close` it is dropped."""
        with self._lock:
            if self._emit is None:
                return
            self._here()
            lines = self._splitter.feed(payload) + self._splitter.end()
            self._tell(lines, time.monotonic_ns())

    def lost(self, why: str) -> None:
        """The link is lost, for this reason."""
        with self._lock:
            self._gone(why)

    def _start(self) -> None:
        pass

    def _stop(self) -> None:
        pass
