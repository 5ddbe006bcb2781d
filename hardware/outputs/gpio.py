"""Lamps and sounders on the Pi's own lines, through gpiozero and the pin factory that reads the inputs."""

from __future__ import annotations

from typing import Any

from gpiozero import DigitalOutputDevice  # type: ignore[import-untyped]  # gpiozero has no types
from gpiozero.exc import GPIOZeroError  # type: ignore[import-untyped]

from hardware.outputs.output import Output, OutputError
from hardware.sources.gpio import FactoryName, pin_factory


class GpioLines:
    """The outputs of one chip: they share a pin factory, which is made for the first and closed with the last."""

    def __init__(self, factory: FactoryName, chip_label: str | None = None) -> None:
        self._name: FactoryName = factory
        self._chip_label = chip_label
        self._factory: Any = None
        self._users = 0

    def take(self) -> Any:
        """The factory, for one more output. Raises what it raises."""
        if self._factory is None:
            self._factory = pin_factory(self._name, self._chip_label)
        self._users += 1
        return self._factory

    def leave(self) -> None:
        """One output less."""
        self._users -= 1
        if self._users == 0:
            self._factory.close()
            self._factory = None


class GpioOutput(Output):
    """One line: `gpio:22`. `active_high`: whether the high level lights it."""

    def __init__(self, channel: str, lines: GpioLines, *, active_high: bool = True) -> None:
        self._channel = channel
        self._lines = lines
        self._active_high = active_high
        self._device: Any = None

    def open(self) -> None:
        """Take the line, and be off. Raises `OutputError`."""
        number = int(self._channel.removeprefix("gpio:"))
        try:
            factory = self._lines.take()
        except (GPIOZeroError, ImportError, OSError) as error:
            raise OutputError(f"{self._channel}: {error}") from error
        try:
            self._device = DigitalOutputDevice(number, active_high=self._active_high, pin_factory=factory)
        except (GPIOZeroError, OSError) as error:
            self._lines.leave()
            raise OutputError(f"{self._channel}: {error}") from error

    def set(self, *, on: bool) -> None:
        """Switch it. Raises `OutputError`."""
        try:
            self._device.value = int(on)
        except (GPIOZeroError, OSError) as error:
            raise OutputError(f"{self._channel} can't be switched: {error}") from error

    def close(self) -> None:
        """Switch it off and free the line."""
        device, self._device = self._device, None
        if device is not None:
            try:
                device.off()
                device.close()
            except (GPIOZeroError, OSError):
                return  # the chip is gone, and the lamp with it
            finally:
                self._lines.leave()
