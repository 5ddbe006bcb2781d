"""`tablemarker check`: every mistake in table files, each with its place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from controller.commands.group import WrongInput

if TYPE_CHECKING:
    from controller.tablefile import TableFile


@click.command("check")
@click.argument("tables", metavar="TABLE.toml...", nargs=-1, required=True, type=click.Path(path_type=Path))
def command(tables: tuple[Path, ...]) -> None:
    """Check table files and name every mistake with its place.

    Several files are checked as the tables of one machine: also pins, ports and ids that two of them use.
    """
    from controller.tablefile import read_tables  # noqa: PLC0415 - pydantic would slow --help down

    readings = read_tables(tables)
    for reading in readings:
        if reading.table is not None:
            click.echo(f"{reading.path}: {understood(reading.table)}")
    faults = [str(fault) for reading in readings for fault in reading.faults]
    if faults:
        raise WrongInput("\n".join(faults))


def understood(table: TableFile) -> str:
    """One line on what a table has, and what it leaves to people."""
    from controller.rules.registry import find_game  # noqa: PLC0415
    from controller.tablefile.families import shortened  # noqa: PLC0415 - as above
    from controller.tables.roles import idle_roles, roles_of  # noqa: PLC0415

    game = find_game(table.table.game)
    roles, options = roles_of(game.name), game.read_options(dict(table.rules))
    idle = idle_roles(game.name, options)
    filled = {role for sensor in table.sensors for role in (sensor.role, *roles[sensor.role].also)}
    missing = [role for role in roles if role not in filled and role not in idle]
    count = len(table.sensors)
    parts = [f"{table.table.game} table {table.table.id}", f"{count} sensor{'' if count == 1 else 's'}"]
    parts.append(f"left to the marker: {', '.join(shortened(missing)) or 'nothing'}")
    if of_nobody := [role for role in idle if role in filled]:
        unused = f"nobody uses {', '.join(shortened(of_nobody))} while players = {options['players']}"
        parts.append(f"{unused}: fit what is left to the marker instead")
    if table.web.listen is not None and table.marker.pin_file is None and table.marker.pin_env is None:
        parts.append("no PIN: nothing can be entered at /marker until [marker] names one")
    return "; ".join(parts)
