"""gpiozero's pin factory over lgpio with what our GPIO source asks of one; `gpiod_factory` is the better choice.

What lgpio can't do, by its own design: number the edges (so a loss shows only where a level comes twice in a row, or when levels
are compared), keep more than sixteen of them for a line in the kernel, or sleep while nothing happens (once a line is watched, a
thread of its own looks a thousand times a second). Its reports are taken from its pipe here, not from the thread that it has for
Python: so they can be read to the last one whenever the time is asked for.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import re
import select
import shutil
import struct
import sys
import tempfile
from collections import defaultdict
from collections.abc import Collection, Iterator
from pathlib import Path
from threading import Lock
from typing import Any

from hardware.sources.gpio_chips import GpioFault, find_chip, line_fault
from hardware.sources.gpio_edges import EdgeFactory, EdgePin, Report

# lgpio makes named pipes in the directory that was current when it was imported, or dies where it can't: a service's is often
# read-only. LG_WD in the environment is its own way to name another.
PIPES = Path(os.environ.get("LG_WD") or tempfile.mkdtemp(prefix="tablemarker-lgpio-"))
if "LG_WD" not in os.environ:
    atexit.register(shutil.rmtree, PIPES, ignore_errors=True)
with contextlib.chdir(PIPES):
    try:
        import lgpio  # type: ignore[import-not-found, import-untyped, unused-ignore]  # no types, and it's optional
    except ImportError as missing:
        raise ImportError(
            f"lgpio isn't there for this Python ({sys.prefix}): {missing}; get it with: {sys.executable} -m pip install "
            "'lgpio>=0.2.2', or use the factory gpiod"
        ) from missing
    if not hasattr(lgpio, "gpiochip_open"):
        raise ImportError(
            f"the lgpio of this Python ({sys.prefix}) is an empty stub, which pip takes where there is no real one: ask for "
            "'lgpio>=0.2.2' (it is built with swig), or use the factory gpiod"
        )
    from gpiozero.pins.lgpio import LGPIOFactory, LGPIOPin  # type: ignore[import-untyped]  # gpiozero has no types

REPORT_LAG_NS = 20_000_000
"""lgpio's thread takes an edge from the kernel within half a millisecond, or later on a busy machine: it can't be asked."""

_REPORT = struct.Struct("=QBBBB4x")
"""When, chip, line, level, flags (none are in use)."""


class LgpioFactory(EdgeFactory, LGPIOFactory):  # type: ignore[misc]  # gpiozero has no types
    """Pins of the GPIO chip with this label; without one, of the chip behind the Pi's header.

    Ticks are monotonic nanoseconds. Raises `ChipNotFound`, `ChipForbidden`, and `GpioFault` if gpiozero won't take the chip that
    it is told; its pins raise `LineBusy`.
    """

    lag_ns = confirm_ns = REPORT_LAG_NS

    def __init__(self, chip_label: str | None = None) -> None:
        self.path = find_chip(chip_label)
        number = int(re.sub(r"\D", "", self.path.name))
        super().__init__(chip=number)
        # gpiozero shares these between all factories of this family, dead ones too
        self.pins: dict[Any, LgpioPin] = {}
        self._reservations: dict[Any, list[Any]] = defaultdict(list)
        self._res_lock = Lock()
        self.pin_class = LgpioPin
        self.lost = 0
        self.watched: dict[int, LgpioPin] = {}
        """The pins whose reports are taken, by their line."""
        self.notify = lgpio.notify_open()
        """lgpio's handle of our pipe."""
        pipe = PIPES / f".lgd-nfy{self.notify}"
        self._pipe = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        pipe.unlink()
        self.listen()
        self._epoll.register(self._pipe, select.EPOLLIN)
        if self.chip != number:
            self.close()
            raise GpioFault(
                f"this gpiozero opens chip {self.chip} though it is told {number} ({self.path}): upgrade gpiozero, or use the "
                "factory gpiod"
            )

    def pin(self, name: int | str) -> Any:
        """The pin with this name. Raises `LineBusy`."""
        try:
            return super().pin(name)
        except lgpio.error as error:
            _, info = next(self.board_info.find_pin(name))
            raise line_fault(self.path, int(info.name.removeprefix("GPIO")), error) from error

    def collect(self, ready: Collection[int]) -> Iterator[Report]:
        """Read what lgpio has reported."""
        if self._pipe in ready:
            for at, _chip, line, level, _flags in _REPORT.iter_unpack(os.read(self._pipe, 65536)):
                if pin := self.watched.get(line):
                    self.lost += level == pin.last  # the edge between two alike is missing
                    pin.last = level
                    yield at, pin, level

    def close(self) -> None:
        """Stop the thread and free every line: closing a device doesn't, with lgpio. May be called twice; not by a handler."""
        with self.lock:
            super().close()
        if self.stop_listening():
            lgpio.notify_close(self.notify)
            os.close(self._pipe)


class LgpioPin(EdgePin, LGPIOPin):  # type: ignore[misc]  # gpiozero has no types
    """One line."""

    last = 0
    """The level that was reported last."""

    def close(self) -> None:
        """Take no more edges. The line stays ours until the factory is closed."""
        self.when_changed = None
        super().close()

    def _flags(self) -> Any:
        return lgpio.gpio_get_mode(self.factory._handle, self._number) & self.GPIO_LINE_FLAGS_MASK  # noqa: SLF001 - gpiozero's

    def _enable_event_detect(self) -> None:
        factory = self.factory
        with factory.lock:
            self.last = int(self.state)
            lgpio.gpio_claim_alert(factory._handle, self._number, self._edges, self._flags(), factory.notify)  # noqa: SLF001
            factory.watched[self._number] = self

    def _disable_event_detect(self) -> None:
        factory = self.factory
        with factory.lock:
            factory.watched.pop(self._number, None)
            factory.forget(self)
            lgpio.gpio_claim_input(factory._handle, self._number, self._flags())  # noqa: SLF001

    def _get_state(self) -> bool:
        try:
            return bool(super()._get_state())
        except lgpio.error as error:
            raise OSError(f"GPIO{self._number}: {error}") from error
