"""From a table file and what was heard of its sensors to a proposal for each group of bells and each contact. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from controller.fitting.detectors import bell_settings, bells_alike
from controller.tablefile import TableFile
from controller.tablefile.sensors import BellSensor, ContactSensor
from controller.tuning import bells, contacts
from controller.tuning.takes import Proposal, Take

TUNED = ("bell", "switch", "button")
"""Kinds that can be tuned."""


def propose(table: TableFile, takes: Sequence[Take]) -> list[Proposal]:
    """One for each group of bells of which one was rung, since they are set alike, and one for each contact that was pressed."""
    knocks = [take for take in takes if take.sensor is None]
    proposals = []
    for sensors in bells_alike(table):
        names = {sensor.name for sensor in sensors}
        mine = [take for take in takes if take.sensor in names]
        if mine:
            channels = [sensor.channels[0] for sensor in sensors]
            proposals.append(bells.propose(group_of(sensors), [take.of(channels) for take in (*mine, *knocks)]))
    by_name = {sensor.name: sensor for sensor in table.sensors if isinstance(sensor, ContactSensor)}
    for take in takes:
        if take.sensor in by_name:
            sensor = by_name[take.sensor]
            proposals.append(contacts.propose(take.of(sensor.channels), sensor.active_level, sensor.timing))
    return proposals


def group_of(sensors: Sequence[BellSensor]) -> bells.Bells:
    """Bells that are set alike, as they are judged together."""
    first = sensors[0]
    return bells.Bells(
        tuple((sensor.name, sensor.role, sensor.channels[0]) for sensor in sensors),
        first.form,
        bell_settings(first),
        first.tail,
        first.active_level,
    )
