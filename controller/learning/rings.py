"""Which of many bells has just been rung: judged as in play, but whatever level its comparator has at rest. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from controller.fitting.detectors import bell_settings, bells_alike
from controller.tablefile import TableFile
from hardware.detectors.bell import BellGroup, Form, Judged
from hardware.signals import MS, Signal

LAG = 100 * MS
"""A board has told what it heard within so long."""
TOGETHER = 250 * MS
"""Bells that aren't judged together may hear one another all the same: the strongest within so long was rung."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What was made of a sound: on which input, at what time, and of pulses the level while it sounded."""

    channel: str
    at: int
    kind: Judged
    peak: int
    weakest: int
    active: int | None


class Rings:
    """The inputs of the bells of one table."""

    def __init__(self, table: TableFile) -> None:
        self._rest: dict[str, int] = {}
        self._now: dict[str, int] = {}  # the levels of comparators
        self._channels: dict[str, str] = {}
        self._weakest: dict[str, int] = {}
        self._places: dict[str, tuple[BellGroup, int]] = {}
        self._groups: list[BellGroup] = []
        for sensors in bells_alike(table):
            first = sensors[0]
            bells = [(sensor.name, sensor.role, sensor.channels[0]) for sensor in sensors]
            group = BellGroup(bells, first.form, bell_settings(first))
            self._groups.append(group)
            for place, sensor in enumerate(sensors):
                self._channels[sensor.name] = sensor.channels[0]
                self._weakest[sensor.channels[0]] = sensor.weakest
                self._places[sensor.channels[0]] = group, place
        self._heard: list[tuple[int, Form, Heard]] = []

    def begin(self, levels: Mapping[str, int], at: int) -> None:
        """Take these levels as rest: what sounds now was struck before."""
        self._now = {channel: levels.get(channel, 0) for channel in self._places}
        self.rest(at)

    def rest(self, at: int) -> None:
        """Whatever the levels are now, they are rest."""
        self._rest = dict(self._now)
        for group, place in self._places.values():
            group.detectors[place].begin({}, at)

    def feed(self, signal: Signal) -> None:
        """Take a signal of any channel."""
        if signal.channel not in self._places:
            return
        group, place = self._places[signal.channel]
        if group.form == "pulses":
            self._now[signal.channel] = signal.number
            signal = signal._replace(value=int(signal.number != self._rest[signal.channel]))
        group.feed(place, signal)

    def judged(self, now: int, form: Form, since: int) -> Heard | None:
        """The loudest that was rung since `since` among the bells of a form; if none was, the loudest sound. Given once."""
        for group in self._groups:
            group.advance(now - LAG)
            for verdict in group.verdicts:
                channel = self._channels[verdict.sensor]
                active = 1 - self._rest[channel] if group.form == "pulses" else None
                heard = Heard(channel, verdict.at, verdict.kind, verdict.peak, self._weakest[channel], active)
                self._heard.append((verdict.known, group.form, heard))
            group.verdicts.clear()
        self._heard = [(known, of, heard) for known, of, heard in self._heard if heard.at >= since and of == form]
        if not self._heard or now - LAG - self._heard[0][0] < TOGETHER:
            return None
        sounds = [heard for _, _, heard in self._heard]
        self._heard.clear()
        return max([heard for heard in sounds if heard.kind == "ring"] or sounds, key=lambda heard: heard.peak)
