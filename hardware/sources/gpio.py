"""The `gpio` source: lines of a Raspberry Pi's header, through gpiozero devices and the pin factory that the table file names."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from gpiozero import InputDevice  # type: ignore[import-untyped]  # gpiozero has no types
from gpiozero.exc import GPIOZeroError  # type: ignore[import-untyped]

from hardware.health import SourceHealth
from hardware.signals import Signal
from hardware.sources.source import Emit, Source, SourceError
from hardware.sources.storm import StormGuard

FactoryName = Literal["gpiod", "lgpio"]
Pull = Literal["up", "down", "none"]

PULL_SECONDS = 0.02
"""The Pi's own pull-up of 50 kΩ charges the customary 100 nF in 5 ms: a level read sooner is that of the time before."""
# No condition to wait for instead: a line that still charges reads 0, as one does that a switch holds to ground.

_PULL_UP = {"up": True, "down": False, "none": None}


class GpioSource(Source):
    """Emits the changes of GPIO lines with the kernel's time of each. Addresses are `gpio:17`, by the chip's own numbers.

    `chip_label`: the chip; by default the one behind the header. `pulls`: the resistor inside the Pi for each address, "up" where
    nothing is said. Values are electrical levels: a switch to ground gives 0 when it closes. The watermark is a fraction of a
    millisecond behind the time with gpiod, twenty milliseconds with lgpio, which can't be asked how far it is.
    """

    name = "gpio"

    def __init__(
        self,
        factory: FactoryName,
        *,
        chip_label: str | None = None,
        pulls: Mapping[str, Pull] | None = None,
        guard: StormGuard | None = None,
    ) -> None:
        self._factory_name = factory
        self._chip_label = chip_label
        self._pulls = dict(pulls or {})
        self._guard = guard or StormGuard()
        self._factory: Any = None
        self._inputs: dict[str, _Input] = {}
        self._emit: Emit | None = None
        self._recovered = 0
        # Taken by a handler, which may already hold the factory's own: so nobody may call the factory while holding this one.
        self._lock = threading.Lock()

    def open(self, channels: Iterable[str], emit: Emit) -> dict[str, int]:
        """Start to watch these channels; gives their levels, silently. Raises `SourceError`."""
        if self._emit is not None:
            raise SourceError("gpio is open already: close it first")
        place: str = self._factory_name  # for the message
        try:
            self._factory = pin_factory(self._factory_name, self._chip_label)
            for place in channels:
                self._inputs[place] = _Input(self, place, self._device(place))
            time.sleep(PULL_SECONDS)
            self._emit = emit
            for line in self._inputs.values():
                place = line.channel
                line.watch()
                line.begin()
        except (GPIOZeroError, ImportError, OSError, SourceError) as error:
            self.close()
            raise SourceError(f"{place}: {error}") from error
        return {channel: line.told for channel, line in self._inputs.items()}

    def _device(self, channel: str) -> Any:
        scheme, _, number = channel.partition(":")
        if scheme != "gpio" or not number.isdecimal():
            raise SourceError("no GPIO line: an address here is gpio:NUMBER")
        pull_up = _PULL_UP[self._pulls.get(channel, "up")]
        active = True if pull_up is None else None  # gpiozero wants to be told just then
        return InputDevice(int(number), pull_up=pull_up, active_state=active, pin_factory=self._factory)

    def changed(self, line: _Input, at: int, level: int) -> None:
        """Take an edge. Called from the factory's thread, or from whoever asks for the watermark."""
        with self._lock:
            if self._emit is None or line.since is None or at <= line.since:
                return
            line.edges += 1
            admitted = self._guard.admit(line.channel, at)
            if admitted:
                self._tell(line, at, level)
        if not admitted:
            line.ignore()  # the kernel stops watching it too, or the storm would go on to take the processor

    def _tell(self, line: _Input, at: int, level: int) -> None:
        assert self._emit is not None, "only an open source has anything to tell"
        line.told, line.doubted = level, None
        self._emit(Signal(at, line.channel, level))

    def watermark(self, now: int) -> int:
        """A time of which this is true: every signal older than it has been emitted. At most `now`."""
        return min(now, self._factory.drain()) if self._emit else now

    def reconcile(self, now: int) -> None:  # noqa: ARG002 - a level is of the moment at which it is read
        """Compare the levels with those last emitted; emit and count what changed without a signal. Called each second or so."""
        if self._emit is None or self._factory.failure:
            return
        with self._lock:
            calmed = self._guard.calmed(time.monotonic_ns())
            muted = self._guard.muted
        try:
            for channel in calmed:
                self._inputs[channel].watch()
            for channel, line in self._inputs.items():
                if channel not in muted:
                    self._compare(line)
        except OSError as error:
            self._factory.failure = error

    def _compare(self, line: _Input) -> None:
        at, edges = time.monotonic_ns(), line.edges  # both from before the level is read: what comes after it is newer
        level = line.level()
        if level == line.told:
            line.doubted = None
            return
        self._factory.drain()  # the edge may just be on its way
        with self._lock:
            if line.edges != edges:
                return
            line.doubted = line.doubted or at
            if at - line.doubted >= self._factory.confirm_ns:
                self._recovered += 1
                self._tell(line, at, level)

    def levels(self) -> dict[str, int]:
        """The levels as they are now; of a chip that has failed, the last ones."""
        if self._emit and self._factory.failure is None:
            try:
                return {channel: line.level() for channel, line in self._inputs.items()}
            except OSError as error:
                self._factory.failure = error
        return {channel: line.told for channel, line in self._inputs.items()}

    def health(self) -> SourceHealth:
        """What was lost, recovered, muted."""
        factory = self._factory
        failure = factory.failure if factory else None
        with self._lock:
            faults = self._guard.faults
            if failure:
                faults += (f"the GPIO chip {factory.path} has failed: {failure}; if it is on USB, plug it in and start again",)
            return SourceHealth(
                self.name,
                up=self._emit is not None and failure is None,
                lost=factory.lost if factory else 0,
                recovered=self._recovered,
                late=factory.late if factory else 0,
                muted=self._guard.muted,
                faults=faults,
            )

    def close(self) -> None:
        """Stop and free every line. May be called twice."""
        with self._lock:
            self._emit = None
            self._guard.clear()
        for line in self._inputs.values():
            line.device.close()
        self._inputs.clear()
        if self._factory is not None:
            self._factory.close()  # the counters in it stay readable


class _Input:
    """One line as the source watches it. gpiozero holds handlers weakly: the source holds this, and so its handler, alive."""

    def __init__(self, source: GpioSource, channel: str, device: Any) -> None:
        self.channel = channel
        self.device = device
        self.told = 0  # the level last emitted
        self.edges = 0  # that came
        self.doubted: int | None = None  # since when the level is known to differ from it
        self.since: int | None = None  # older edges are in the opening level
        self._source = source

    def watch(self) -> None:
        self.device.pin.when_changed = self._changed

    def ignore(self) -> None:
        self.device.pin.when_changed = None

    def begin(self) -> None:
        """Take the level that is there already."""
        self.since = time.monotonic_ns()
        self.told = self.level()

    def level(self) -> int:
        return int(self.device.pin.state)

    def _changed(self, ticks: int, state: int) -> None:
        self._source.changed(self, ticks, int(state))


def pin_factory(name: FactoryName, chip_label: str | None) -> Any:
    """The pin factory with this name. Raises `ImportError`, `GPIOZeroError`."""
    # Imported when asked for alone: either library may be missing, and lgpio starts threads when it is imported.
    if name == "gpiod":
        from hardware.sources.gpiod_factory import GpiodFactory  # noqa: PLC0415

        return GpiodFactory(chip_label)
    from hardware.sources.lgpio_factory import LgpioFactory  # noqa: PLC0415

    return LgpioFactory(chip_label)
