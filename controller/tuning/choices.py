"""From a table file and the recordings that a person names to a proposal for each group of bells and each contact."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from controller.fitting import bells_alike
from controller.tablefile import TableFile
from controller.tablefile.sensors import ContactSensor
from controller.tuning import bells, contacts
from controller.tuning.takes import Proposal, read_take
from hardware.detectors.bell import BellSettings

Named = Sequence[tuple[str, Path]]
"""Sensors, each with a recording of it."""


def propose_bells(table: TableFile, rings: Named, knocks: Sequence[Path]) -> list[Proposal]:
    """A proposal for each group of bells of which one was rung: they are set alike. Raises `TraceError`."""
    proposals = []
    for sensors in bells_alike(table):
        first, names = sensors[0], {sensor.name for sensor in sensors}
        mine = [(name, path) for name, path in rings if name in names]
        if not mine:
            continue
        channels = [sensor.channels[0] for sensor in sensors]
        takes = [read_take(path, name, channels) for name, path in mine] + [read_take(path, None, channels) for path in knocks]
        group = bells.Bells(
            tuple((sensor.name, sensor.role, sensor.channels[0]) for sensor in sensors),
            first.form,
            BellSettings(threshold=first.threshold, weakest=first.weakest, coupling=first.coupling),
            first.tail,
            first.active_level,
        )
        proposals.append(bells.propose(group, takes))
    return proposals


def propose_presses(table: TableFile, presses: Named) -> list[Proposal]:
    """A proposal for each contact that was pressed. Raises `TraceError`."""
    by_name = {sensor.name: sensor for sensor in table.sensors if isinstance(sensor, ContactSensor)}
    proposals = []
    for name, path in presses:
        sensor = by_name[name]
        proposals.append(contacts.propose(read_take(path, name, sensor.channels), sensor.active_level, sensor.timing))
    return proposals
