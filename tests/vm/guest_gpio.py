"""Inside the virtual machine: a GPIO chip of the kernel's simulator, whose lines a test moves as a switch would.

    with SimChip() as chip:
        chip.set(17, 0)

To the kernel, and to whatever reads lines through it, this is a real chip. Beware: a program that asks for a line with a pull-up
sets its level to 1 by that, with a pull-down to 0, as on a wire with nothing else on it; move the line after that, or ask for no
pull.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Self

CONFIG = Path("/sys/kernel/config/gpio-sim")
LABEL = "pinctrl-bcm2835"
"""The chip behind the header of a Pi Zero to 3, so that programs find it as they would there."""


class SimChip:
    """A chip with 28 lines, all at level 0; gone again at the end."""

    def __init__(self, label: str = LABEL, lines: int = 28) -> None:
        self._config = CONFIG / label
        bank = self._config / "bank0"
        bank.mkdir(parents=True)
        (bank / "label").write_text(label)
        (bank / "num_lines").write_text(str(lines))
        (self._config / "live").write_text("1")
        device = (self._config / "dev_name").read_text().strip()
        self.name = (bank / "chip_name").read_text().strip()
        self._lines = Path("/sys/devices/platform") / device / self.name
        self._pulls: dict[int, int] = {}

    def set(self, line: int, level: int) -> None:
        """Move a line; an edge if it was at the other level."""
        if line not in self._pulls:
            self._pulls[line] = os.open(self._lines / f"sim_gpio{line}" / "pull", os.O_WRONLY)
        os.pwrite(self._pulls[line], b"pull-up" if level else b"pull-down", 0)

    def level(self, line: int) -> int:
        """The level of a line, whoever sets it."""
        return int((self._lines / f"sim_gpio{line}" / "value").read_text())

    def close(self) -> None:
        """Unplug the chip."""
        for pull in self._pulls.values():
            os.close(pull)
        self._pulls.clear()
        (self._config / "live").write_text("0")
        (self._config / "bank0").rmdir()
        self._config.rmdir()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
