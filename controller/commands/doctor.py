"""`tablemarker doctor`: what is wrong with the machine, and what to do about it."""

from __future__ import annotations

import os
from pathlib import Path

import click

from controller.commands.group import Failed, WrongInput


@click.command("doctor")
@click.argument("table", metavar="TABLE.toml", type=click.Path(path_type=Path))
def command(table: Path) -> None:
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
    for findings in (examination.findings(), ask_boards(read, running=examination.running)):
        for finding in findings:
            click.echo(str(finding))
            faults += finding.state == "FAULT"
    if faults:
        raise Failed(f"{faults} fault{'' if faults == 1 else 's'}: the remedy stands beside each.")
