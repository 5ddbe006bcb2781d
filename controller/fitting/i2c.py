"""From a table file to the settings of the sensors on a board's I²C."""

from __future__ import annotations

from controller.tablefile import TableFile
from controller.tablefile.sensors import GaugeSensor
from hardware.signals import MS
from hardware.sources.board import Bus, Form, Mode, Setting

_FORMS = {"byte": Form.BYTE, "high-first": Form.HIGH_FIRST, "low-first": Form.LOW_FIRST}


def sensors_on_i2c(table: TableFile) -> dict[str, Setting]:
    """How a board is to read each of them, by address."""
    return {
        sensor.channels[0]: Setting(
            Mode.SENSOR,
            sensor.i2c.period // MS,
            sensor.i2c.threshold,
            bus=Bus(sensor.i2c.address, _FORMS[sensor.i2c.read], bytes(sensor.i2c.pointer), bytes(sensor.i2c.start)),
        )
        for sensor in table.sensors
        if isinstance(sensor, GaugeSensor) and sensor.i2c is not None
    }
