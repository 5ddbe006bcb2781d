"""What both GPIO pin factories share: finding the chip by its label, the header's pins, and faults told in sentences."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from gpiozero.exc import GPIOZeroError, PinUnknownPi  # type: ignore[import-untyped]  # gpiozero has no types
from gpiozero.pins.local import get_pi_revision  # type: ignore[import-untyped]
from gpiozero.pins.pi import PiBoardInfo  # type: ignore[import-untyped]

try:
    import gpiod
    from gpiod.line import Clock  # noqa: F401 - version 1, whose module has the same name, hasn't this one
except ImportError as missing:
    raise ImportError(
        f"libgpiod 2 isn't there for this Python ({sys.prefix}): {missing}; get it with: {sys.executable} -m pip install "
        "'gpiod>=2.1' (Debian's python3-libgpiod is version 1 on some releases, and doesn't do)"
    ) from missing

HEADER_LABELS = frozenset({"pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1"})
"""The chips behind the 40-pin header: Pi Zero to 3, Pi 4, Pi 5."""

_ANY_40_PIN_PI = 0xA02082
"""A Pi 3B; the header has been the same since the B+."""


class GpioFault(GPIOZeroError):  # type: ignore[misc]  # gpiozero has no types
    """A GPIO line can't be had; the sentence says why and what to do."""


class ChipNotFound(GpioFault, OSError):
    """No chip with that label, or more than one; says which there are."""


class ChipForbidden(GpioFault, PermissionError):
    """The chip's file may not be opened; says whose it is."""


class LineBusy(GpioFault, OSError):
    """Another program, or the kernel, holds the line; says who."""


def find_chip(label: str | None) -> Path:
    """The device of the chip with this label; None: the one behind the Pi's header. Raises `ChipNotFound`, `ChipForbidden`.

    Never by number: kernels renumber the chips from one version to the next.
    """
    chips: dict[Path, str] = {}
    closed: list[Path] = []
    for path in sorted(Path("/dev").glob("gpiochip*")):
        if path.is_symlink():  # compatibility names of the same chips
            continue
        try:
            with gpiod.Chip(str(path)) as chip:
                chips[path] = chip.get_info().label
        except PermissionError:
            closed.append(path)
    found = [path for path, its in chips.items() if its == label or (label is None and its in HEADER_LABELS)]
    if len(found) == 1:
        return found[0]
    if not found and closed:
        raise _forbidden(closed[0])
    wanted = f"labelled {label!r}" if label else "of a Pi's header"
    there = ", ".join(f"{path.name} ({its!r})" for path, its in chips.items()) or "no GPIO chip at all"
    raise ChipNotFound(f"no single GPIO chip {wanted}: there is {there}; name one by its label in the table file: [gpio] chip")


def _forbidden(path: Path) -> ChipForbidden:
    group = path.group()
    if group == "root":
        remedy = "it belongs to root alone; give it to a group by the udev rule in docs/gpio.md"
    else:
        remedy = (
            f"it belongs to group {group}; join it with: sudo usermod -aG {group} $USER, then log in again (a service: "
            f"SupplementaryGroups={group})"
        )
    return ChipForbidden(f"{path} may not be opened by this user: {remedy}")


def owner(chip: Path, line: int) -> str | None:
    """Who holds a line: the name that the holder gave; None if nobody does."""
    with gpiod.Chip(str(chip)) as its:
        info = its.get_line_info(line)
    return (info.consumer or "the kernel") if info.used else None


def line_fault(chip: Path, line: int, error: Exception) -> GpioFault:
    """The fault for a line that couldn't be had: `LineBusy` with the owner's name if it has one."""
    if holder := owner(chip, line):
        return LineBusy(
            f"GPIO{line} is in use by {holder!r}: stop that program, or move the wire to another line (gpioinfo shows the owner "
            "of each)"
        )
    return GpioFault(f"GPIO{line} of {chip} can't be had: {error}")


def board_info() -> Any:
    """Which pins the header has: those of this Pi, or of any with 40 pins where the board is unknown or no Pi at all."""
    try:
        return PiBoardInfo.from_revision(get_pi_revision())
    except (PinUnknownPi, OSError):
        return PiBoardInfo.from_revision(_ANY_40_PIN_PI)
