"""A cable from a `FakeBoard` to a pseudo-terminal: a serial port that programs can open, pulled out and disturbed on demand."""

from __future__ import annotations

import os
import random
import select
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from firmware_bridge.fake_board import FakeBoard

READ = 4096


class FakeCable:
    """Runs a board behind `path`, a link to a pseudo-terminal as those in `/dev/serial/by-id`. Use it in a `with`.

    Faults on demand: `unplug` and `plug` (a board fed by USB boots then); `noise` (the share of chunks, in both directions, that
    are damaged: a bit flipped, a byte gone, a chunk gone, a chunk doubled); `stranger` (another device: it says this, whatever
    it is asked). `chance` makes the noise the same each time.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, FakeCable(FakeBoard("left"), Path(folder, "usb-left")) as cable:
    ...     cable.set(3, 1)
    ...     cable.path.exists()
    True
    """

    def __init__(self, board: FakeBoard, path: Path, *, noise: float = 0.0, stranger: bytes | None = None, seed: int = 0) -> None:
        self.board = board
        self.path = path
        self.noise = noise
        self.stranger = stranger
        self.chance = random.Random(seed)  # noqa: S311 - noise, not secrets
        self._lock = threading.RLock()
        self._unplugged = threading.Condition(self._lock)
        self._pulled = False
        self._ends: tuple[int, int] | None = None  # ours and the port
        self._wake_read, self._wake_write = os.pipe()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name=f"fake board {path.name}", daemon=True)

    def __enter__(self) -> Self:
        """Plug it in."""
        self.board.reset(time.monotonic_ns(), cause=1)
        self._connect()
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Pull it out for good."""
        self._stopping = True
        self._wake()
        self._thread.join()
        self._disconnect()
        os.close(self._wake_read)
        os.close(self._wake_write)

    # What a program does

    def set(self, channel: int, level: int) -> None:
        """Move an input now."""
        self.do(lambda board, now: board.set(channel, level, now))

    def do(self, act: Callable[[FakeBoard, int], None]) -> None:
        """Do something to the board, now, that its thread must not see half done."""
        with self._lock:
            act(self.board, time.monotonic_ns())
        self._wake()

    def reset(self) -> None:
        """The board boots again."""
        self.do(FakeBoard.reset)

    def unplug(self) -> None:
        """Pull the cable out: whoever has the port open gets an error."""
        with self._unplugged:
            self._pulled = True
            self._wake()
            self._unplugged.wait_for(lambda: not self._pulled)

    def plug(self, *, powered: bool = False) -> None:
        """Plug it in again; `powered`: it has a supply of its own and went on meanwhile."""
        with self._lock:
            if self._ends is None:
                if not powered:
                    self.board.reset(time.monotonic_ns(), cause=1)
                self._connect()
        self._wake()

    # Its thread

    def _disconnect(self) -> None:
        if self._ends is not None:
            self.path.unlink(missing_ok=True)
            for end in self._ends:
                os.close(end)
            self._ends = None

    def _connect(self) -> None:
        ours, port = os.openpty()
        tty.setraw(port)
        os.set_blocking(ours, False)
        self._ends = (ours, port)
        name = self.path.with_name(self.path.name + ".new")
        name.symlink_to(os.ttyname(port))
        name.replace(self.path)

    def _wake(self) -> None:
        os.write(self._wake_write, b"!")

    def _run(self) -> None:
        while not self._stopping:
            with self._lock:
                due = self.board.next_deadline()
                ends = [self._wake_read, *(self._ends or ())[:1]]
            wait = None if due is None else max(0, due - time.monotonic_ns()) / 1e9
            readable = select.select(ends, [], [], wait)[0]
            if self._wake_read in readable:
                os.read(self._wake_read, READ)
            with self._lock:
                self._turn()

    def _turn(self) -> None:
        if self._pulled:  # here, since nobody may close what the thread waits for
            self._disconnect()
            self._pulled = False
            self._unplugged.notify_all()
        now = time.monotonic_ns()
        data = self._damage(self._read())
        if data and self.stranger is not None:
            self._write(self.stranger)
            return
        self.board.receive(data, now)
        self.board.advance(now)
        said = self.board.to_send()
        if self.stranger is None:
            self._write(self._damage(said))

    def _read(self) -> bytes:
        if self._ends is None:
            return b""
        try:
            return os.read(self._ends[0], READ)
        except BlockingIOError:
            return b""

    def _write(self, data: bytes) -> None:
        if self._ends is not None and data:
            try:
                os.write(self._ends[0], data)
            except BlockingIOError:
                return  # nobody reads: a serial line forgets

    def _damage(self, data: bytes) -> bytes:
        if not data or self.chance.random() >= self.noise:
            return data
        place = self.chance.randrange(len(data))
        match self.chance.randrange(4):
            case 0:
                return data[:place] + bytes((data[place] ^ 1 << self.chance.randrange(8),)) + data[place + 1 :]
            case 1:
                return data[:place] + data[place + 1 :]
            case 2:
                return b""
            case _:
                return data + data
