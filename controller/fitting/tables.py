"""From a table file to its game's table and rules, and to what the screens are told of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controller.engine.patience import Patience
from controller.engine.showing import Fitted, FittedSensor
from controller.fitting.detectors import bell_groups
from controller.rules.registry import find_game
from controller.tablefile import TableFile
from controller.tablefile.sensors import SwitchSensor
from controller.tables.bare import BareTable
from controller.tables.table import Table


def fitted(table: TableFile) -> Fitted:
    """What is fitted to the table, for the screens."""
    sensors = tuple(FittedSensor(s.name, s.role, s.kind, " ".join(s.channels)) for s in table.sensors)
    what = table.table
    patience = Patience(what.idle_after, what.abandon_after, what.answer_within)
    return Fitted(what.id, dict(table.rules), what.sides, sensors, patience)


def rules_of(table: TableFile) -> Any:
    """The rules of the file's game."""
    return find_game(table.table.game)


def table_maker(table: TableFile) -> Callable[[], Table]:
    """Makes fresh tables of the file's game."""
    # Each imports its own table: the other games' are a megabyte or two that the service never needs.
    makers = {"bagatelle": _bagatelle, "fortification": _fortification, "squails": _squails, "maw": _maw}
    return makers[table.table.game](table) if table.sensors else BareTable


def _bagatelle(table: TableFile) -> Callable[[], Table]:
    from controller.tables.bagatelle import BagatelleTable  # noqa: PLC0415
    from controller.tables.turn import Timing  # noqa: PLC0415

    roles = [sensor.role for sensor in table.sensors]
    usual = Timing()
    timing = Timing(
        quiet=usual.quiet if table.table.quiet is None else table.table.quiet,
        roll=usual.roll if table.table.roll is None else table.table.roll,
        linger=usual.linger + _slowest_switch(table),
    )
    return lambda: BagatelleTable(roles, timing)


def _fortification(table: TableFile) -> Callable[[], Table]:
    from controller.tables.fortification import FortificationTable, Timing  # noqa: PLC0415

    roles = [sensor.role for sensor in table.sensors]
    slowest = max([_slowest_switch(table), *(group.delay for group in bell_groups(table))])
    usual = Timing()
    quiet = usual.quiet if table.table.quiet is None else table.table.quiet
    timing = Timing(quiet=quiet, linger=usual.linger + slowest)
    return lambda: FortificationTable(roles, timing)


def _squails(table: TableFile) -> Callable[[], Table]:
    from controller.fitting.squails import squails_table  # noqa: PLC0415

    return squails_table(table)


def _maw(table: TableFile) -> Callable[[], Table]:
    from controller.tables.maw import MawTable  # noqa: PLC0415

    roles, players = [sensor.role for sensor in table.sensors], table.table.players
    return lambda: MawTable(roles, players)


def _slowest_switch(table: TableFile) -> int:
    return max((s.timing.settle_on for s in table.sensors if isinstance(s, SwitchSensor)), default=0)
