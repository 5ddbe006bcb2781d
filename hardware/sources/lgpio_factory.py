"""gpiozero's pin factory over lgpio with what our GPIO source asks of one; `gpiod_factory` is the better choice.

What lgpio can't do, by its own design: number the edges (so a loss shows only where a level comes twice in a row, or when levels
are compared), keep more than sixteen of them for a line in the kernel, say how far it is, or sleep while nothing happens (once a
line is watched, a thread of its own looks two thousand times a second).
"""

from __future__ import annotations

import contextlib
import re
import sys
import tempfile
import time
from collections import defaultdict
from threading import Lock
from typing import Any

from hardware.sources.gpio_chips import GpioFault, board_info, find_chip, line_fault

# At import lgpio makes a named pipe in the working directory, or dies where it can't: a service's is often read-only. Once both
# ends are open the name isn't needed any more.
with tempfile.TemporaryDirectory(prefix="tablemarker-lgpio-") as _folder, contextlib.chdir(_folder):
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

REPORT_LAG_NS = 50_000_000
"""An edge takes two threads and a pipe to get here, a few milliseconds on a busy Pi; nobody can ask how far it is."""


class LgpioFactory(LGPIOFactory):  # type: ignore[misc]  # gpiozero has no types
    """Pins of the GPIO chip with this label; without one, of the chip behind the Pi's header.

    Ticks are monotonic nanoseconds. Raises `ChipNotFound`, `ChipForbidden`, and `GpioFault` if gpiozero won't take the chip that
    it is told; its pins raise `LineBusy`.
    """

    confirm_ns = REPORT_LAG_NS
    failure: OSError | None = None
    _info: Any

    def __init__(self, chip_label: str | None = None) -> None:
        self.path = find_chip(chip_label)
        number = int(re.sub(r"\D", "", self.path.name))
        super().__init__(chip=number)
        # gpiozero shares these between all factories of this family, dead ones too
        self.pins: dict[Any, LgpioPin] = {}
        self._reservations: dict[Any, list[Any]] = defaultdict(list)
        self._res_lock = Lock()
        self.pin_class = LgpioPin
        if self.chip != number:
            self.close()
            raise GpioFault(
                f"this gpiozero opens chip {self.chip} though it is told {number} ({self.path}): upgrade gpiozero, or use the "
                "factory gpiod"
            )
        self.lost = 0
        self.late = 0
        self._newest = 0  # edge reported
        self._heard = 0  # when a report last came
        self._watermark = 0

    def _get_board_info(self) -> Any:
        if self._info is None:
            self._info = board_info()
        return self._info

    def pin(self, name: int | str) -> Any:
        """The pin with this name. Raises `LineBusy`."""
        try:
            return super().pin(name)
        except lgpio.error as error:
            raise line_fault(self.path, int(name), error) from error

    @staticmethod
    def ticks() -> int:
        """The time now, in monotonic nanoseconds."""
        return time.monotonic_ns()

    @staticmethod
    def ticks_diff(later: int, earlier: int) -> float:
        """The time between two ticks, in seconds, as gpiozero wants it."""
        return (later - earlier) / 1e9

    def reported(self, at: int) -> None:
        """Take note of an edge."""
        self.late += at < self._watermark
        self._newest = max(self._newest, at)
        self._heard = time.monotonic_ns()

    def drain(self) -> int:
        """A time than which no older edge will come.

        lgpio reports in order of time. While it reports, whatever is older than the newest report is here; once it has been
        silent for long enough, so is whatever is older than that.
        """
        now = time.monotonic_ns()
        mark = now - REPORT_LAG_NS
        if self._heard > mark:
            mark = min(mark, self._newest)
        self._watermark = max(self._watermark, mark)
        return self._watermark


class LgpioPin(LGPIOPin):  # type: ignore[misc]  # gpiozero has no types
    """One line, whose edges carry the kernel's monotonic time in whole nanoseconds."""

    _last = 0  # level reported

    def _call_when_changed(self, chip: int, gpio: int, level: int, ticks: int) -> None:  # noqa: ARG002 - lgpio's signature
        self.factory.lost += level == self._last  # the edge between two alike is missing
        self._last = level
        self.factory.reported(ticks)
        reference = self._when_changed  # another thread may clear it any moment
        handler = reference() if reference is not None else None
        if handler is not None:
            handler(ticks, level)

    def _enable_event_detect(self) -> None:
        self._last = int(self.state)
        super()._enable_event_detect()

    def _get_state(self) -> bool:
        try:
            return bool(super()._get_state())
        except lgpio.error as error:
            raise OSError(f"GPIO{self._number}: {error}") from error
