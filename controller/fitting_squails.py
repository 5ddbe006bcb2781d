"""From a table file to the detectors that a table of squails alone has."""

from __future__ import annotations

from controller.tablefile.sensors import GaugeSensor, PositionSensor
from hardware.detectors.detector import Detector
from hardware.detectors.gauge import GaugeDetector
from hardware.detectors.position import PositionDetector, PositionSettings


def squails_detector(sensor: PositionSensor | GaugeSensor) -> Detector:
    """The detector of a position sensor or a gauge, with its settings."""
    name, role, channel = sensor.name, sensor.role, sensor.channels[0]
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
