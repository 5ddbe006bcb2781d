"""From a table file to the sources of its signals."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from controller.tablefile import TableFile
from controller.tablefile.model import Lines
from controller.tablefile.sensors import BellSensor, WiredSensor
from hardware.signals import MS, source_of
from hardware.sources.lines import StreamSource, TopicSource
from hardware.sources.lines_device import PathDevice, SerialDevice
from hardware.sources.sim import SimSource
from hardware.sources.source import Source


def build_sources(table: TableFile, *, required: bool = True) -> list[Source]:
    """The sources that the sensors name. `required`: whether a board that isn't there when it is opened is an error."""
    channels = [channel for sensor in table.sensors for channel in sensor.channels]
    channels += board_outputs(table)
    return [_source(table, name, channels, required=required) for name in _names(channels)]


def board_outputs(table: TableFile) -> list[str]:
    """The addresses of lamps and sounders on boards, which are switched through the board's own source."""
    return [one for output in table.outputs for one in output.source if one.startswith("board:")]


def _names(channels: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(source_of(channel) for channel in channels))


def _source(table: TableFile, name: str, channels: list[str], *, required: bool) -> Source:
    if name == "sim":
        sim = SimSource()
        for sensor in table.sensors:
            for channel in sensor.channels:
                if source_of(channel) == "sim":
                    sim.set(channel, 1 - sensor.active_level)
        return sim
    if name == "gpio":
        # gpiozero takes a while to import, and isn't wanted where there are no lines.
        from hardware.sources.gpio import GpioSource  # noqa: PLC0415

        pulls = {channel: pull for channel, pull in _pulls(table).items() if channel in channels}
        return GpioSource(table.gpio.factory, chip_label=table.gpio.chip, pulls=pulls)
    if name.startswith("lines:"):
        return _lines(next(lines for lines in table.lines if f"lines:{lines.name}" == name))
    return _board(table, name, required=required)


def topics_heard(table: TableFile, sources: Iterable[Source]) -> dict[str, TopicSource]:
    """By topic: the source that hears it. Whoever has the connection to the broker hands it the messages."""
    topics = {f"lines:{lines.name}": lines.topic for lines in table.lines if lines.topic is not None}
    return {topics[source.name]: source for source in sources if isinstance(source, TopicSource)}


def _pulls(table: TableFile) -> dict[str, Any]:
    return {channel: s.pull for s in table.sensors if isinstance(s, WiredSensor) for channel in s.channels}


def _lines(lines: Lines) -> Source:
    name = f"lines:{lines.name}"
    if lines.port is not None:
        return StreamSource(name, SerialDevice(Path(lines.port), lines.baud), pause=lines.pause)
    if lines.topic is not None:
        return TopicSource(name)
    assert lines.pipe is not None, "a table file that was checked says where its lines come from"
    return StreamSource(name, PathDevice(lines.pipe))


def _board(table: TableFile, name: str, *, required: bool) -> Source:
    # pyserial is wanted only where there is a board.
    from controller.fitting.i2c import sensors_on_i2c  # noqa: PLC0415
    from hardware.sources.board import BoardSource, Mode, Setting, Wanted  # noqa: PLC0415

    board = next(board for board in table.boards if f"board:{board.name}" == name)
    bells = {
        sensor.channels[0]: Setting(Mode.BELL, sensor.period // MS, sensor.threshold, sensor.tail // MS)
        for sensor in table.sensors
        if isinstance(sensor, BellSensor) and sensor.form == "readings"
    }
    settings = bells | sensors_on_i2c(table)
    port = None if board.port is None else Path(board.port)
    wanted = Wanted(port, board.usb_serial, board.id)
    outputs = [channel for channel in board_outputs(table) if source_of(channel) == name]
    return BoardSource(name, wanted, pulls=_pulls(table), settings=settings, required=required, outputs=outputs)
