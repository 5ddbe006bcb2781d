"""`tablemarker doctor`: what is wrong with the machine, and what to do about it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from controller.commands.group import Failed, WrongInput

if TYPE_CHECKING:
    from controller.doctor.findings import Finding
    from controller.tablefile import TableFile


@click.command("doctor")
@click.argument("table", metavar="TABLE.toml", type=click.Path(path_type=Path))
@click.option(
    "--listen", "seconds", type=click.FloatRange(min=0.1), help="Also open the inputs for so long, with nobody at the table."
)
def command(table: Path, seconds: float | None) -> None:
    """Check the machine for a table: power, clock, disk, journal, GPIO lines, serial ports, boards, broker, scoreboard.

    Prints a line for each: `well`, `FAULT` with its remedy, or `-` where there is nothing to see. It can be run beside a table
    that runs, which keeps its boards to itself, since asking a board resets it. Exit status 1: something is wrong.
    """
    from controller.commands._boards import ask_boards  # noqa: PLC0415 - imports inside, so that --help is instant
    from controller.doctor.examination import Examination  # noqa: PLC0415
    from controller.tablefile import TableFileErrors, load_table  # noqa: PLC0415

    try:
        read = load_table(table)
    except TableFileErrors as errors:
        raise WrongInput(str(errors)) from None
    examination = Examination(read, table.parent, os.environ)
    faults = 0
    listened = () if seconds is None else _listen(read, seconds, running=examination.running)
    for findings in (examination.findings(), ask_boards(read, running=examination.running), listened):
        for finding in findings:
            click.echo(str(finding))
            faults += finding.state == "FAULT"
    if faults:
        raise Failed(f"{faults} fault{'' if faults == 1 else 's'}: the remedy stands beside each.")


def _listen(table: TableFile, seconds: float, *, running: bool) -> Iterator[Finding]:
    """Which inputs move by themselves."""
    import threading  # noqa: PLC0415 - as above

    from controller.doctor.findings import fault, untold  # noqa: PLC0415
    from controller.doctor.idle import Idle  # noqa: PLC0415
    from controller.inputs import Inputs  # noqa: PLC0415
    from hardware.sources.source import SourceError  # noqa: PLC0415

    if running:
        yield untold("idle", "the tablemarker that runs has the inputs: /sensors shows which of them move")
        return
    idle = Idle(table)
    try:
        with Inputs(table, idle) as inputs:
            inputs.watch(threading.Event(), seconds)
    except SourceError as error:
        yield fault("idle", str(error))
        return
    yield from idle.findings(seconds)
