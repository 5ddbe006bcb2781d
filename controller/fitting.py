"""From a table file to the parts it names: sources, detectors, the table, and what is fitted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from controller.engine.patience import Patience
from controller.engine.showing import Fitted, FittedSensor
from controller.rules.registry import find_game
from controller.tablefile import TableFile
from controller.tablefile.model import Lines
from controller.tablefile.sensors import (
    AnySensor,
    BeamSensor,
    BellSensor,
    ButtonSensor,
    ContactSensor,
    GaugeSensor,
    PositionSensor,
    ReaderSensor,
    SwitchSensor,
    WiredSensor,
)
from controller.tablefile.tags import load_tags, own_names
from controller.tables.bare import BareTable
from controller.tables.roles import names_read
from controller.tables.table import Table
from hardware.detectors.beam import BeamDetector
from hardware.detectors.bell import BellGroup, BellSettings
from hardware.detectors.button import ButtonDetector
from hardware.detectors.detector import Detector
from hardware.detectors.reader import ReaderDetector
from hardware.detectors.switch import SwitchDetector
from hardware.panel import Panel
from hardware.signals import MS, source_of
from hardware.sources.lines import StreamSource, TopicSource
from hardware.sources.lines_device import PathDevice, SerialDevice
from hardware.sources.sim import SimSource
from hardware.sources.source import Source

HELD_ROLES = frozenset({"new-game", "answer"})
"""Buttons for which a long press is another thing than a short one: nobody ends a game by leaning on the table."""


def fitted(table: TableFile) -> Fitted:
    """What is fitted to the table, for the screens."""
    sensors = tuple(FittedSensor(s.name, s.role, s.kind, " ".join(s.channels)) for s in table.sensors)
    what = table.table
    patience = Patience(what.idle_after, what.abandon_after, what.answer_within)
    return Fitted(what.id, dict(table.rules), what.sides, sensors, patience)


def build_panel(table: TableFile) -> Panel:
    """A detector for each sensor."""
    return Panel(build_detectors(table))


def build_detectors(table: TableFile) -> list[Detector]:
    """The detectors of a table file, one a sensor, in its order. Raises `TableFileErrors` for a file of tags."""
    bells = {bell.sensor: bell for group in _bell_groups(table) for bell in group.detectors}
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
            key = (source, sensor.form, sensor.active_level, sensor.threshold, sensor.weakest, sensor.coupling)
            alike.setdefault(key, []).append(sensor)
    return list(alike.values())


def _bell_groups(table: TableFile) -> list[BellGroup]:
    return [_bell_group(sensors) for sensors in bells_alike(table)]


def _bell_group(sensors: list[BellSensor]) -> BellGroup:
    first = sensors[0]
    settings = BellSettings(threshold=first.threshold, weakest=first.weakest, coupling=first.coupling)
    bells = [(sensor.name, sensor.role, sensor.channels[0]) for sensor in sensors]
    return BellGroup(bells, first.form, settings, active_level=first.active_level)


def build_detector(sensor: ContactSensor | PositionSensor | GaugeSensor) -> Detector:
    """The detector of one sensor that is judged by itself, with its settings."""
    if isinstance(sensor, PositionSensor | GaugeSensor):
        from controller.fitting_squails import squails_detector  # noqa: PLC0415 - squails alone has them

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
    slowest = max([_slowest_switch(table), *(group.delay for group in _bell_groups(table))])
    usual = Timing()
    quiet = usual.quiet if table.table.quiet is None else table.table.quiet
    timing = Timing(quiet=quiet, linger=usual.linger + slowest)
    return lambda: FortificationTable(roles, timing)


def _squails(table: TableFile) -> Callable[[], Table]:
    from controller.fitting_squails import squails_table  # noqa: PLC0415

    return squails_table(table)


def _maw(table: TableFile) -> Callable[[], Table]:
    from controller.tables.maw import MawTable  # noqa: PLC0415

    roles, players = [sensor.role for sensor in table.sensors], table.table.players
    return lambda: MawTable(roles, players)


def _slowest_switch(table: TableFile) -> int:
    return max((s.timing.settle_on for s in table.sensors if isinstance(s, SwitchSensor)), default=0)


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
    from controller.fitting_i2c import sensors_on_i2c  # noqa: PLC0415
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


def rules_of(table: TableFile) -> Any:
    """The rules of the file's game."""
    return find_game(table.table.game)
