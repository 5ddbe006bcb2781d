"""What Home Assistant is told of a table, from its table file."""

from __future__ import annotations

from importlib.metadata import version

from controller.fitting.tables import rules_of
from controller.publish.discovery import Discovery, TableDevice
from controller.publish.topics import Topics
from controller.tablefile import TableFile


def discovery_of(table: TableFile, *, token: bool = False) -> Discovery:
    """The discovery messages of the table; `token`: whether each command must carry one."""
    return Discovery(table.discovery_prefix, device_of(table, token=token), Topics(table.prefix))


def device_of(table: TableFile, *, token: bool = False) -> TableDevice:
    """The table as a device. Its buttons would have to tell everyone the token, so that with one there are none."""
    game = rules_of(table)
    sides = game.sides(game.start(table.rules, None))
    return TableDevice(
        table.table.id,
        table.table.name or table.table.id,
        table.table.game,
        sides=len(sides),
        buttons=table.mqtt.commands and not token,
        version=version("tablemarker"),
    )
