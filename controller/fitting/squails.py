"""From a table file to what a table of squails alone has: detectors of places and of the gauge, and the table."""

from __future__ import annotations

from collections.abc import Callable

from controller.tablefile import TableFile
from controller.tablefile.sensors import GaugeSensor, PositionSensor
from controller.tables.demarcation import Ground
from controller.tables.presses import Timing
from controller.tables.squails import SquailsTable
from controller.tables.table import Table
from hardware.detectors.detector import Detector
from hardware.detectors.distance import DistanceDetector, DistanceSettings
from hardware.detectors.gauge import GaugeDetector
from hardware.detectors.position import PositionDetector, PositionSettings


def squails_detector(sensor: PositionSensor | GaugeSensor) -> Detector:
    """The detector of a position sensor or a gauge, with its settings."""
    name, role, channel = sensor.name, sensor.role, sensor.channels[0]
    if isinstance(sensor, GaugeSensor) and sensor.i2c is not None:
        how = DistanceSettings(sensor.length, sensor.error, sensor.reach, sensor.still, sensor.i2c.unit, sensor.i2c.offset)
        return DistanceDetector(name, role, channel, how)
    if isinstance(sensor, GaugeSensor):
        return GaugeDetector(name, role, channel, length=sensor.length, error=sensor.error)
    settings = PositionSettings(
        sensor.extent,
        still=sensor.still,
        gone=sensor.gone,
        silence=sensor.silence,
        fixed=sensor.error,
        growing=sensor.error_growing,
        overhang=sensor.squail / 2,
    )
    return PositionDetector(name, role, channel, settings, things=sensor.things, names=sensor.names)


def squails_table(table: TableFile) -> Callable[[], Table]:
    """Makes fresh tables of the file's game."""
    roles = [sensor.role for sensor in table.sensors]
    eyes = next((sensor for sensor in table.sensors if isinstance(sensor, PositionSensor)), None)
    ground = None if eyes is None else Ground(eyes.extent, eyes.squail, eyes.target)
    timing = Timing() if table.table.quiet is None else Timing(quiet=table.table.quiet)
    return lambda: SquailsTable(roles, ground, timing)
