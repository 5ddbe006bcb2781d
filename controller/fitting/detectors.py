"""From a table file to a detector for each of its sensors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.tablefile import TableFile
from controller.tablefile.sensors import (
    AnySensor,
    BeamSensor,
    BellSensor,
    ButtonSensor,
    ContactSensor,
    GaugeSensor,
    PositionSensor,
    ReaderSensor,
)
from controller.tablefile.tags import load_tags, own_names
from controller.tables.roles import names_read
from hardware.detectors.beam import BeamDetector
from hardware.detectors.bell import BellGroup, BellSettings
from hardware.detectors.button import ButtonDetector
from hardware.detectors.detector import Detector
from hardware.detectors.reader import ReaderDetector
from hardware.detectors.switch import SwitchDetector
from hardware.panel import Panel
from hardware.signals import source_of

HELD_ROLES = frozenset({"new-game", "answer"})
"""Buttons for which a long press is another thing than a short one: nobody ends a game by leaning on the table."""


def build_panel(table: TableFile) -> Panel:
    """A detector for each sensor."""
    return Panel(build_detectors(table))


def build_detectors(table: TableFile) -> list[Detector]:
    """The detectors of a table file, one a sensor, in its order. Raises `TableFileErrors` for a file of tags."""
    bells = {bell.sensor: bell for group in bell_groups(table) for bell in group.detectors}
    return [_one_detector(table, sensor, bells) for sensor in table.sensors]


def _one_detector(table: TableFile, sensor: AnySensor, bells: Mapping[str, Detector]) -> Detector:
    if isinstance(sensor, BellSensor):
        return bells[sensor.name]
    if isinstance(sensor, ReaderSensor):
        names = names_read(table.table.game)
        tags = own_names(names) if sensor.tags is None else load_tags(sensor.tags, sensor.code, names)
        return ReaderDetector(sensor.name, sensor.role, sensor.channels[0], sensor.code, tags, lockout=sensor.lockout)
    return build_detector(sensor)


def bells_alike(table: TableFile) -> list[list[BellSensor]]:
    """Bells of one source, heard and set alike, are judged together."""
    alike: dict[tuple[Any, ...], list[BellSensor]] = {}
    for sensor in table.sensors:
        if isinstance(sensor, BellSensor):
            source = source_of(sensor.channels[0])
            key = (source, sensor.form, sensor.active_level, bell_settings(sensor))
            alike.setdefault(key, []).append(sensor)
    return list(alike.values())


def bell_settings(sensor: BellSensor) -> BellSettings:
    """What its detector judges by."""
    return BellSettings(
        threshold=sensor.threshold, weakest=sensor.weakest, coupling=sensor.coupling, keep=sensor.keep, least=sensor.least
    )


def bell_groups(table: TableFile) -> list[BellGroup]:
    """Bells that are judged together, a group each."""
    return [_bell_group(sensors) for sensors in bells_alike(table)]


def _bell_group(sensors: list[BellSensor]) -> BellGroup:
    first = sensors[0]
    bells = [(sensor.name, sensor.role, sensor.channels[0]) for sensor in sensors]
    return BellGroup(bells, first.form, bell_settings(first), active_level=first.active_level)


def build_detector(sensor: ContactSensor | PositionSensor | GaugeSensor) -> Detector:
    """The detector of one sensor that is judged by itself, with its settings."""
    if isinstance(sensor, PositionSensor | GaugeSensor):
        from controller.fitting.squails import squails_detector  # noqa: PLC0415 - squails alone has them

        return squails_detector(sensor)
    timing = sensor.timing
    times = {
        "settle_on": timing.settle_on,
        "settle_off": timing.settle_off,
        "lockout_on": timing.lockout_on,
        "lockout_off": timing.lockout_off,
    }
    name, role, level = sensor.name, sensor.role, sensor.active_level
    if isinstance(sensor, BeamSensor):
        passage = {"window": sensor.window, "blocked_after": sensor.blocked_after}
        return BeamDetector(name, role, sensor.channels, level, **times, **passage)
    if isinstance(sensor, ButtonSensor):
        held = role in HELD_ROLES
        return ButtonDetector(name, role, sensor.channels[0], level, **times, hold=sensor.hold if held else None, hold_only=held)
    return SwitchDetector(name, role, sensor.channels[0], level, **times)
