"""Inside the virtual machine: the contract of sources over real GPIO lines, with gpiod and then lgpio in one process.

Prints a line for each check, `FACTORY CHECK ok` or `FACTORY CHECK failed: why`, with the traceback before it.
"""

from __future__ import annotations

import os
import threading
import time
import traceback

from hardware.signals import MS
from hardware.sources.gpio import FactoryName, GpioSource, Pull
from hardware.sources.lgpio_factory import LgpioFactory
from hardware.sources.storm import StormGuard
from tests.source_contract import CONTRACT, check_storm_is_muted_and_reported
from tests.vm.guest_gpio import SimChip

OVERFLOW = {"gpiod": 1201, "lgpio": 41}
"""More edges than the kernel keeps for a line: 1,024 as gpiod asks it, sixteen for lgpio. Odd, so that the level ends changed."""


class GpioBench:
    """Three lines of a simulated chip. Without pulls: those would set the level."""

    channels: tuple[str, ...] = ("gpio:17", "gpio:22", "gpio:27")
    unknown = "gpio:99"

    def __init__(self, factory: FactoryName, chip: SimChip, storm_limit: int) -> None:
        self.storm_limit = storm_limit
        self._factory = factory
        self._chip = chip
        self._source = self._new_source()
        for channel in self.channels:
            self.drive(channel, 0)

    def _new_source(self) -> GpioSource:
        pulls: dict[str, Pull] = dict.fromkeys([*self.channels, self.unknown], "none")
        return GpioSource(self._factory, pulls=pulls, guard=StormGuard(self.storm_limit, 50 * MS))

    def make(self) -> GpioSource:
        self._source = self._new_source()
        return self._source

    def now(self) -> int:
        return time.monotonic_ns()

    def let_pass(self, ns: int) -> None:
        threading.Event().wait(ns / 1e9)

    def drive(self, channel: str, level: int) -> None:
        self._chip.set(int(channel.removeprefix("gpio:")), level)

    def drive_unseen(self, channel: str, level: int) -> None:
        line = self._source._inputs[channel]
        line.ignore()
        self.drive(channel, level)
        line.watch()

    def lose_edges(self, channel: str, level: int) -> None:
        self._source._guard._limit = 10_000  # it is an overflow that is wanted, no storm
        # Above all ordinary threads on the one processor, below the kernel's: nobody comes to read what the kernel keeps
        os.sched_setscheduler(threading.get_native_id(), os.SCHED_FIFO, os.sched_param(1))
        try:
            for turn in range(OVERFLOW[self._factory]):
                self.drive(channel, 1 - level if turn % 2 else level)
        finally:
            os.sched_setscheduler(threading.get_native_id(), os.SCHED_OTHER, os.sched_param(0))


def main() -> None:
    # A busy host stops this machine, and lgpio's thread with it, for longer than a Pi ever does
    LgpioFactory.lag_ns = LgpioFactory.confirm_ns = 300 * MS
    factories: tuple[FactoryName, ...] = ("gpiod", "lgpio")
    for factory in factories:
        for check in CONTRACT:
            started = time.monotonic()
            with SimChip() as chip:
                # A storm is one within a second, in which this machine drives two hundred edges at worst, while the host is busy
                storm_limit = 60 if check is check_storm_is_muted_and_reported else 300
                try:
                    check(GpioBench(factory, chip, storm_limit))
                    outcome = "ok"
                except Exception as failed:  # noqa: BLE001 - whatever it is, the other checks are to run
                    traceback.print_exc()
                    outcome = f"failed: {failed!r}"
            print(f"{factory} {check.__name__} {outcome} ({time.monotonic() - started:.1f} s)", flush=True)


if __name__ == "__main__":
    main()
