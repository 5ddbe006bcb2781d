"""Inside the virtual machine: what our gpiozero pin factory does beyond the contract of sources, told as JSON lines."""

from __future__ import annotations

import gc
import json
import os
import resource
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gpiod
from gpiozero import LED, DigitalInputDevice, InputDevice  # type: ignore[import-untyped]  # gpiozero has no types
from gpiozero.exc import GPIOZeroError  # type: ignore[import-untyped]

from hardware.outputs.gpio import GpioLines, GpioOutput
from hardware.outputs.output import OutputError
from hardware.sources.gpio import GpioSource
from hardware.sources.gpiod_factory import GpiodFactory
from hardware.sources.source import SourceError
from tests.vm.guest_gpio import LABEL, SimChip

LINES = range(2, 26)


class Heard:
    """Takes a pin's changes by a bound method, as gpiozero wants it."""

    def __init__(self, line: int, all_of_them: list[tuple[int, int, bool]]) -> None:
        self._line = line
        self._all = all_of_them

    def changed(self, ticks: int, state: bool) -> None:
        self._all.append((ticks, self._line, state))


def wait(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline, "waited ten seconds in vain"
        threading.Event().wait(0.005)


def refusal(act: Callable[[], object]) -> str:
    """The sentence with which it is refused."""
    try:
        act()
    except (GPIOZeroError, SourceError) as error:
        return f"{type(error).__name__}: {error}"
    return "not refused"


def full_speed(chip: SimChip) -> dict[str, Any]:
    """24 lines, 200 edges on each, as fast as they can be driven."""
    heard: list[tuple[int, int, bool]] = []
    with GpiodFactory() as factory:
        devices = {line: InputDevice(line, pull_up=True, pin_factory=factory) for line in LINES}
        ears = {line: Heard(line, heard) for line in LINES}
        for line, device in devices.items():
            device.pin.when_changed = ears[line].changed
        started = time.monotonic()
        driven = []
        for turn in range(200):
            for line in LINES:
                driven.append((line, bool(turn % 2)))
                chip.set(line, turn % 2)
        seconds = time.monotonic() - started
        wait(lambda: len(heard) >= len(driven))
        for device in devices.values():
            device.close()
        return {
            "rate": round(len(driven) / seconds),
            "all in the order of driving": [(line, state) for _, line, state in heard] == driven,
            "in order of time": heard == sorted(heard, key=lambda edge: edge[0]),
            "lost": factory.lost,
            "late": factory.late,
        }


def overflow(chip: SimChip) -> dict[str, Any]:
    """3,001 edges while nobody may read."""
    heard: list[tuple[int, int, bool]] = []
    with GpiodFactory() as factory, InputDevice(17, pull_up=True, pin_factory=factory) as device:
        ear = Heard(17, heard)
        device.pin.when_changed = ear.changed
        with factory.lock:
            for turn in range(3001):
                chip.set(17, turn % 2)
        wait(lambda: len(heard) + factory.lost >= 3001)
        return {"heard": len(heard), "lost": factory.lost, "last": heard[-1][2], "level": device.pin.state}


def owners(chip: SimChip) -> dict[str, Any]:
    """Who holds a line is named, in both directions."""
    seen: dict[str, Any] = {}
    path = f"/dev/{chip.name}"
    with GpiodFactory() as factory:
        device = InputDevice(5, pull_up=True, pin_factory=factory)
        with gpiod.Chip(path) as direct:
            seen["our name"] = direct.get_line_info(5).consumer
        device.close()
        with gpiod.Chip(path) as direct:
            seen["free after device.close()"] = not direct.get_line_info(5).used
        with InputDevice(5, pull_up=None, active_state=True, pin_factory=factory) as again:
            seen["opened again"] = again.pin.state
        with gpiod.request_lines(path, consumer="other-program", config={5: None}):
            seen["busy"] = refusal(lambda: InputDevice(5, pull_up=True, pin_factory=factory))
            for name in ("gpiod", "lgpio"):
                seen[f"busy for {name}"] = refusal(lambda name=name: GpioSource(name).open(["gpio:5"], print))  # type: ignore[misc]
        seen["bounce"] = refusal(lambda: DigitalInputDevice(6, pull_up=True, bounce_time=0.1, pin_factory=factory))
        seen["fixed pull"] = refusal(lambda: InputDevice(2, pull_up=None, active_state=True, pin_factory=factory))
        seen["two devices on a pin"] = refusal(lambda: [InputDevice(7, pin_factory=factory) for _ in range(2)])
    seen["no such chip"] = refusal(lambda: GpiodFactory("pinctrl-nowhere"))
    Path(path).group()  # loads what an ordinary user can't: the tests' own Python may belong to root alone
    os.seteuid(65534)
    try:
        seen["forbidden"] = refusal(GpiodFactory)
    finally:
        os.seteuid(0)
    with GpiodFactory() as one, GpiodFactory() as other:
        seen["two factories share nothing"] = one.pins is not other.pins and one.pin(5) is not other.pin(5)
    return seen


def devices(chip: SimChip) -> dict[str, Any]:
    """gpiozero's own devices work on it; a handler that nobody holds is forgotten and not called."""
    seen: dict[str, Any] = {}
    pressed = threading.Event()
    with GpiodFactory(LABEL) as factory:
        with DigitalInputDevice(27, pull_up=True, pin_factory=factory) as button:
            button.when_activated = pressed.set
            chip.set(27, 0)
            wait(pressed.is_set)
            seen["active for at most a second"] = 0 <= button.active_time < 1
        with LED(26, pin_factory=factory, active_high=False, initial_value=False) as lamp:
            seen["lamp off"] = chip.level(26)
            lamp.on()
            seen["lamp on"] = chip.level(26)
        with InputDevice(4, pull_up=True, pin_factory=factory) as device:
            device.pin.when_changed = lambda ticks, state: seen.update(never=(ticks, state))
            gc.collect()
            chip.set(4, 0)
            wait(lambda: device.pin.when_changed is None)
        seen["board"] = factory.board_info.model
    return seen


def outputs(chip: SimChip) -> dict[str, Any]:
    """Lamps beside a source that watches inputs of the same chip: each has its own pin factory."""
    heard: list[Any] = []
    source = GpioSource("gpiod")
    source.open(["gpio:17"], heard.append)
    lines = GpioLines("gpiod")
    lamps = {22: GpioOutput("gpio:22", lines), 23: GpioOutput("gpio:23", lines, active_high=False)}

    def levels() -> list[int]:
        return [chip.level(line) for line in lamps]

    for lamp in lamps.values():
        lamp.open()
    seen: dict[str, Any] = {"off": levels()}
    for lamp in lamps.values():
        lamp.set(on=True)
    seen["on"] = levels()
    chip.set(17, 0)
    wait(lambda: bool(heard))
    seen["heard"] = [heard[0].channel, heard[0].value]
    try:
        GpioOutput("gpio:17", lines).open()
    except OutputError as error:
        seen["busy"] = str(error)
    for lamp in lamps.values():
        lamp.set(on=False)
    seen["off again"] = levels()
    for lamp in lamps.values():
        lamp.close()
    source.close()
    return seen


def idle(_chip: SimChip) -> dict[str, Any]:
    """Wake-ups of a source with 24 lines that nobody moves, reconciled once a second as the engine does."""
    source = GpioSource("gpiod")
    source.open([f"gpio:{line}" for line in LINES], print)
    before = resource.getrusage(resource.RUSAGE_SELF)
    started = time.monotonic()
    for _ in range(3):
        threading.Event().wait(1)
        source.reconcile(time.monotonic_ns())
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = time.monotonic() - started
    source.close()
    # of those, one a second is the waiting above
    return {"wakeups": round((used.ru_nvcsw - before.ru_nvcsw) / seconds, 1)}


def main() -> None:
    for scene in (idle, full_speed, overflow, owners, devices, outputs):
        with SimChip() as chip:
            print(json.dumps({"scene": scene.__name__, **scene(chip)}), flush=True)


if __name__ == "__main__":
    main()
