"""What is asked for, in order, and what is known by now. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from controller.tablefile import TableFile
from controller.tablefile.sensors import (
    AnySensor,
    BeamSensor,
    BellSensor,
    ContactSensor,
    GaugeSensor,
    PositionSensor,
    ReaderSensor,
)
from controller.tables.roles import Role

Sort = Literal["contact", "readings", "pulses", "text"]
"""What its input is; a sensor is looked for among the inputs of its own sort."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that is asked for: a sensor, and which of its inputs; `place` is that of the sensor in the table file."""

    place: int
    sensor: AnySensor
    end: int

    @property
    def sort(self) -> Sort:
        """Among which inputs it is looked for."""
        if isinstance(self.sensor, BellSensor):
            return self.sensor.form
        return "contact" if isinstance(self.sensor, ContactSensor) else "text"

    @property
    def name(self) -> str:
        """How people call it: of a pair of beams, with which one it is."""
        if len(self.sensor.channels) == 1:
            return self.sensor.name
        return f"{self.sensor.name} ({('first', 'second')[self.end]} beam)"


@dataclass(frozen=True, slots=True)
class Found:
    """The input that a step has found, and the level it has while it is on, where that was seen."""

    channel: str
    active: int | None = None


@dataclass(frozen=True, slots=True)
class _Stand:
    found: Mapping[tuple[int, int], Found]
    skipped: frozenset[int] = frozenset()


class Lesson:
    """Goes through the sensors of a table file in their order.

    `left`: those that touching can't tell, by their place in the file, with the reason.
    """

    def __init__(self, table: TableFile) -> None:
        reasons = {place: _untouched(table, sensor) for place, sensor in enumerate(table.sensors)}
        self.left = {place: reason for place, reason in reasons.items() if reason is not None}
        self._sensors = table.sensors
        self._steps = [
            Step(place, sensor, end)
            for place, sensor in enumerate(table.sensors)
            if place not in self.left
            for end in range(len(sensor.channels))
        ]
        self._stand = _Stand({})
        self._past: list[tuple[str, _Stand]] = []

    @property
    def step(self) -> Step | None:
        """What is asked for now; None: all has been."""
        found, skipped = self._stand.found, self._stand.skipped
        return next((s for s in self._steps if (s.place, s.end) not in found and s.place not in skipped), None)

    @property
    def count(self) -> tuple[int, int]:
        """How many sensors have been asked for, this one among them, and how many there are to ask for."""
        places = list(dict.fromkeys(step.place for step in self._steps))
        step = self.step
        return (len(places) if step is None else places.index(step.place) + 1), len(places)

    @property
    def known(self) -> dict[str, str]:
        """By input: whose it is."""
        steps = {(step.place, step.end): step.name for step in self._steps}
        return {found.channel: steps[key] for key, found in self._stand.found.items()}

    @property
    def beside(self) -> Found | None:
        """Of a pair of beams whose second one is asked for: the first."""
        step = self.step
        return None if step is None or step.end == 0 else self._stand.found[step.place, 0]

    @property
    def learnt(self) -> dict[int, tuple[Found, ...]]:
        """By place in the file: the inputs of each sensor all of whose inputs are known."""
        found = self._stand.found
        ends = {step.place: range(len(step.sensor.channels)) for step in self._steps}
        return {
            place: tuple(found[place, end] for end in all_ends)
            for place, all_ends in ends.items()
            if all((place, end) in found for end in all_ends)
        }

    @property
    def missing(self) -> list[int]:
        """The places of the sensors that were to be learnt and aren't."""
        learnt = self.learnt
        return [place for place in dict.fromkeys(step.place for step in self._steps) if place not in learnt]

    def take(self, found: Sequence[Found]) -> None:
        """What is asked for is this; of a pair of beams it may be both."""
        step = self.step
        assert step is not None, "only what is asked for can be found"
        new = {(step.place, step.end + more): one for more, one in enumerate(found)}
        self._go_on(step.name, replace(self._stand, found={**self._stand.found, **new}))

    def skip(self) -> str | None:
        """Leave out the sensor that is asked for, both beams of a pair; gives its name."""
        step = self.step
        if step is None:
            return None
        kept = {key: one for key, one in self._stand.found.items() if key[0] != step.place}
        self._go_on(step.name, _Stand(kept, self._stand.skipped | {step.place}))
        return step.sensor.name

    def back(self) -> str | None:
        """Take the latest of these back; gives its name."""
        if not self._past:
            return None
        name, self._stand = self._past.pop()
        return name

    def _go_on(self, name: str, stand: _Stand) -> None:
        self._past.append((name, self._stand))
        self._stand = stand


def _untouched(table: TableFile, sensor: AnySensor) -> str | None:
    """Why touching can't tell which input a sensor is on."""
    if isinstance(sensor, PositionSensor):
        return "a camera tells of everything at once, so no touch shows which one it is"
    if isinstance(sensor, GaugeSensor) and sensor.i2c is not None:
        return "it has an address of its own on the board's I²C"
    if isinstance(sensor, GaugeSensor | ReaderSensor):
        topics = {f"lines:{one.name}" for one in table.lines if one.topic is not None}
        if sensor.channels[0] in topics:
            return "it comes from the broker, and its topic isn't heard here"
    return None


def request(step: Step, role: Role) -> str:
    """What a person is to do, and what it means."""
    return f"{_how(step, role.name)} ({role.text.partition(';')[0]})."


def _how(step: Step, role: str) -> str:
    sensor = step.sensor
    if isinstance(sensor, BeamSensor) and len(sensor.channels) == 2:
        first, second = _BEAMS.get(role, ("the one nearer to the player", "the farther one"))
        if step.end == 1:
            return f"Now its second beam, {second}: break it with a finger"
        return f"Break its first beam, {first}, with a finger; or roll a ball through both, that one first"
    how = {
        "beam": "Roll a ball through it, or break the beam with a finger",
        "button": "Press it",
        "bell": "Ring it",
        "reader": "Hold a card or ball before it",
        "gauge": "Let it give an answer",
    }
    return how.get(sensor.kind) or _how_switched(role)


_BEAMS = {
    "half-way": ("the one nearer to the player", "the farther one"),
    "english-pass": ("the one on the English side", "the one on the French side"),
    "french-pass": ("the one on the French side", "the one on the English side"),
}
"""Which beam of a pair is which."""


def _how_switched(role: str) -> str:
    if role.endswith("-colours"):
        return "Put the flag up"
    if role.startswith("spot") or role.endswith("-spot"):
        return "Put the ball there"
    return "Drop a ball there"
