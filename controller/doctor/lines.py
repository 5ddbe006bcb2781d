"""The Pi's own lines: the chip, who may open it, who holds each line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from controller.doctor.findings import Finding, fault, untold, well

OURS = frozenset({"tablemarker", "lg"})
"""What our two pin factories call themselves at the kernel."""


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines that the table file names. `trouble`: why the chip can't be had; `owners`: who holds each line; None: nobody."""

    wanted: tuple[int, ...] = ()
    chip: str = ""
    trouble: str | None = None
    owners: Mapping[int, str | None] = field(default_factory=dict)


def read_lines(wanted: Iterable[int], label: str | None) -> Lines:
    """Find the chip and ask for each line's owner; none is opened."""
    lines = tuple(sorted(set(wanted)))
    if not lines:
        return Lines()
    try:
        # libgpiod may be missing, and is wanted only where there are lines.
        from hardware.sources.gpio_chips import GpioFault, find_chip, owner  # noqa: PLC0415
    except ImportError as error:
        return Lines(lines, trouble=str(error))
    try:
        chip = find_chip(label)
    except GpioFault as error:
        return Lines(lines, trouble=str(error))
    owners: dict[int, str | None] = {}
    for line in lines:
        try:
            owners[line] = owner(chip, line)
        except (OSError, ValueError) as error:
            return Lines(lines, str(chip), f"{chip} has no line {line}, or doesn't tell of it ({error}): see [gpio] chip")
    return Lines(lines, str(chip), owners=owners)


def check_lines(lines: Lines, *, running: bool) -> list[Finding]:
    """Whether the lines can be had. `running`: a tablemarker runs with this table, so that it holds them."""
    if not lines.wanted:
        return [untold("gpio", "the table file names none of the Pi's own lines")]
    if lines.trouble is not None:
        return [fault("gpio", lines.trouble)]
    faults, ours = [], 0
    for line, owner in lines.owners.items():
        if owner in OURS and running:
            ours += 1
        elif owner is not None:
            remedy = (
                "an overlay in config.txt has it (I²C, SPI, 1-Wire, a fan): take that out, or another line"
                if owner == "the kernel"
                else "stop that program, or move the wire to another line"
            )
            faults.append(fault(f"gpio:{line}", f"is held by {owner!r}: {remedy}"))
    free = len(lines.wanted) - len(faults) - ours
    held = f", {ours} held by the tablemarker that runs" if ours else ""
    if faults and not free + ours:
        return faults
    return [*faults, well("gpio", f"{lines.chip}: {free} of {len(lines.wanted)} lines are free{held}")]
