"""GPIO lines without a kernel: gpiozero's mock pins with what our pin factories have beside, for tests of the source alone."""

from __future__ import annotations

import threading
import time
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin  # type: ignore[import-untyped]  # gpiozero has no types
from gpiozero.pins.pi import PiPin  # type: ignore[import-untyped]
from pytest_mock import MockerFixture

from hardware.signals import MS
from hardware.sources.gpio import GpioSource, Pull
from hardware.sources.storm import StormGuard


class NsPin(MockPin):  # type: ignore[misc]
    """A mock pin that stamps as our factories do, in monotonic nanoseconds, and can lose edges."""

    def _call_when_changed(self) -> None:
        if not self.factory.deaf:
            PiPin._call_when_changed(self, time.monotonic_ns(), self._state)

    def drive(self, level: int) -> None:
        with self.factory.lock:
            (self.drive_high if level else self.drive_low)()

    def _get_state(self) -> bool:
        if self.factory.broken:
            raise self.factory.broken
        return bool(self._state)


class NsFactory(MockFactory):  # type: ignore[misc]
    """`deaf`: edges are lost; `broken`: the error that reading a level gives."""

    confirm_ns = 0
    path = "/dev/gpiochip0"

    def __init__(self) -> None:
        super().__init__(pin_class=NsPin)
        self.lock = threading.RLock()
        self.lost = self.late = 0
        self.failure: OSError | None = None
        self.broken: OSError | None = None
        self.deaf = False
        self.closed = 0

    def drain(self) -> int:
        with self.lock:
            return time.monotonic_ns()

    def close(self) -> None:
        """Leaves the pins and their levels: a chip's lines outlive the program that watches them."""
        self.closed += 1


class MockBench:
    """What the contract checks want, over mock pins."""

    channels: tuple[str, ...] = ("gpio:17", "gpio:22", "gpio:27")
    unknown = "gpio:99"
    storm_limit = 200

    def __init__(self, mocker: MockerFixture) -> None:
        self.factory = NsFactory()
        mocker.patch("hardware.sources.gpio.pin_factory", return_value=self.factory)

    def make(self) -> GpioSource:
        pulls: dict[str, Pull] = dict.fromkeys([*self.channels, self.unknown], "none")
        return GpioSource("gpiod", pulls=pulls, guard=StormGuard(self.storm_limit, 50 * MS))

    def pin(self, channel: str) -> Any:
        return self.factory.pin(int(channel.removeprefix("gpio:")))

    def now(self) -> int:
        return time.monotonic_ns()

    def let_pass(self, ns: int) -> None:
        threading.Event().wait(ns / 1e9)

    def drive(self, channel: str, level: int) -> None:
        self.pin(channel).drive(level)

    def drive_unseen(self, channel: str, level: int) -> None:
        self.factory.deaf = True
        self.drive(channel, level)
        self.factory.deaf = False

    def lose_edges(self, channel: str, level: int) -> None:
        self.factory.lost += 2
        self.drive_unseen(channel, level)
