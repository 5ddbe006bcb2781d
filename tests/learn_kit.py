"""A table whose wires are on other inputs than its file says, and a person who does there what `sensors --learn` asks."""

from __future__ import annotations

import heapq
import math
import random
import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from controller.learning.learner import Learner
from controller.learning.lesson import Step
from controller.resources import resource
from controller.simulation.bounce import Contact, beam_break
from controller.tablefile import TableFile
from controller.tablefile.sensors import AnySensor, BellSensor, ContactSensor, GaugeSensor, ReaderSensor
from hardware.signals import MS, SECOND, Signal

START = 1_000 * SECOND
BOUNCES = (6.2, 6.2, 6.2, 11.3, 157.0)
"""Milliseconds that a switch bounces at most: most are good, the last is the worst that was measured."""


@dataclass
class Wiring:
    """What is really where: by the name of a sensor its inputs, and whether each sensor is on while its input is high."""

    inputs: dict[str, tuple[str, ...]]
    high: dict[str, bool]


def config(game: str) -> str:
    return resource("config", f"{game}.toml").read_text(encoding="utf-8")


def sort_of(sensor: AnySensor) -> str:
    if isinstance(sensor, BellSensor):
        return sensor.form
    if isinstance(sensor, ReaderSensor | GaugeSensor):
        return "text"
    return "contact" if isinstance(sensor, ContactSensor) else "other"


def mixed_up(table: TableFile, rng: random.Random) -> Wiring:
    """Each sensor on any of the inputs of its sort, with any active level."""
    inputs: dict[str, tuple[str, ...]] = {}
    for sort in ("contact", "readings", "pulses", "text", "other"):
        sensors = [sensor for sensor in table.sensors if sort_of(sensor) == sort]
        channels = [channel for sensor in sensors for channel in sensor.channels]
        if sort != "other":
            rng.shuffle(channels)
        for sensor in sensors:
            inputs[sensor.name] = tuple(channels.pop(0) for _ in sensor.channels)
    return Wiring(inputs, {sensor.name: rng.random() < 0.5 for sensor in table.sensors})


def in_place(text: str, fragment: str) -> str:
    """A table file with all its sensors replaced."""
    return re.sub(r"(?m)^\[\[sensor\]\]\n(?:.+\n)*", "", text) + "\n" + fragment


def wired_as(text: str, wiring: Wiring) -> list[dict[str, Any]]:
    """The sensors of a table file as they should be learnt."""
    items: list[dict[str, Any]] = tomllib.loads(text)["sensor"]
    for item in items:
        name = item.get("name", item["role"])
        channels = wiring.inputs[name]
        item["source"] = channels[0] if len(channels) == 1 else list(channels)
        if item["kind"] in ("switch", "beam", "button") or item.get("form") == "pulses":
            item.pop("active", None)
            if wiring.high[name]:
                item["active"] = "high"
    return items


def without_usual(items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same with what is usual left out."""
    return [{key: value for key, value in item.items() if (key, value) != ("active", "low")} for item in items]


@dataclass
class Person:
    """Sits at a learner and moves its inputs. `now` is their clock."""

    table: TableFile
    items: list[dict[str, Any]]
    wiring: Wiring
    rng: random.Random
    keys: bool = True
    said: list[str] = field(default_factory=list)
    now: int = START
    coming: list[Signal] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.sensors = {sensor.name: sensor for sensor in self.table.sensors}
        self.learner = Learner(self.table, self.items, self.said.append, keys=self.keys)

    @classmethod
    def at(cls, text: str, seed: int | str, wiring: Wiring | None = None, *, keys: bool = True) -> Person:
        """Somebody at the table of this file; the sources are open."""
        data = tomllib.loads(text)
        table, rng = TableFile.model_validate(data), random.Random(seed)
        person = cls(table, data["sensor"], wiring or mixed_up(table, rng), rng, keys)
        person.learner.begin(person.levels(), person.now)
        return person

    @property
    def step(self) -> Step | None:
        return self.learner._lesson.step

    def asked(self) -> Step:
        step = self.step
        assert step is not None, self.said[-1]
        return step

    def levels(self) -> dict[str, int]:
        """All at rest."""
        levels = {}
        for name, channels in self.wiring.inputs.items():
            sort = sort_of(self.sensors[name])
            for channel in channels:
                levels[channel] = int(sort in ("contact", "pulses") and not self.wiring.high[name])
        return levels

    # Time

    def wait(self, seconds: float) -> None:
        """Let time pass; the learner looks at any time, a fifth of a second apart at the most, as it is called when drawn."""
        until = self.now + round(seconds * SECOND)
        while self.now < until:
            self.now = min(until, self.now + self.rng.randint(1, 200) * MS)
            batch = []
            while self.coming and self.coming[0].at <= self.now:
                batch.append(heapq.heappop(self.coming))
            self.learner.see(batch + self.filmed(), [], self.now)

    def filmed(self) -> list[Signal]:
        """A camera sends lines all the time."""
        channels = [channel for sensor in self.table.sensors if sensor.kind == "position" for channel in sensor.channels]
        return [Signal(self.now, channel, "target 0.0 0.0") for channel in channels]

    def type(self, line: str) -> None:
        self.learner.type(f"{line}\n")
        self.wait(0.3)

    # What they do

    def send(self, channel: str, value: int | str, at: int) -> None:
        heapq.heappush(self.coming, Signal(at, channel, value))

    def move(self, name: str, end: int, edges: Sequence[tuple[int, int]]) -> None:
        """Edges of a sensor's contact, 1 for on."""
        for at, on in edges:
            self.send(self.wiring.inputs[name][end], on if self.wiring.high[name] else 1 - on, at)

    def set(self, name: str, on: int, end: int = 0, at: int | None = None) -> None:
        """A contact goes on or off, with its bounce."""
        self.move(name, end, Contact(self.rng.choice(BOUNCES)).change(self.rng, self.now if at is None else at, on))

    def press(self, name: str, ms: int | None = None, end: int = 0) -> None:
        held = (ms or self.rng.randint(60, 400)) * MS
        down = Contact(min(self.rng.choice(BOUNCES), held / MS / 2)).change(self.rng, self.now, 1)
        self.move(name, end, down + Contact(self.rng.choice(BOUNCES)).change(self.rng, self.now + held, 0))

    def drop(self, name: str) -> None:
        """A ball falls in, rattles and stays."""
        self.move(name, 0, Contact(self.rng.choice(BOUNCES[:-1])).rattle(self.rng, self.now))

    def cross(self, name: str) -> None:
        """A ball rolls through a beam, or through both of a pair."""
        at = self.now
        lasts = self.rng.randint(20, 60) * MS
        for end in range(len(self.wiring.inputs[name])):
            self.move(name, end, beam_break(self.rng, at, lasts))
            at += self.rng.randint(8, 50) * MS

    def ring(self, name: str, peak: int = 500, tau: float = 0.5) -> None:
        """A bell is struck: it and, more faintly, the others are read until they can't be heard any more."""
        rung = self.sensors[name]
        for sensor in self.table.sensors:
            if not isinstance(sensor, BellSensor) or sensor.form != rung.form:  # type: ignore[union-attr]  # it is a bell
                continue
            share = 1.0 if sensor is rung else self.rng.uniform(0.02, 0.15)
            if sensor.form == "pulses":
                self.pulses(sensor.name, round(600 * share**0.3))
                continue
            for ms in range(0, 2500, 10):
                value = round(peak * share * math.exp(-ms / 1000 / tau) * self.rng.uniform(0.9, 1))
                if ms == 0 and value < sensor.threshold:
                    break
                self.send(self.wiring.inputs[sensor.name][0], value, self.now + ms * MS)
                if ms > 400 and value < sensor.threshold:
                    break

    def pulses(self, name: str, ms: int) -> None:
        """A comparator hears a bell for so long, and flutters at the end."""
        edges = [(0, 1), (ms, 0), (ms + 9, 1), (ms + 14, 0), (ms + 30, 1), (ms + 33, 0)]
        self.move(name, 0, [(self.now + at * MS, on) for at, on in edges])

    def do(self, step: Step) -> str | None:
        """What is asked; gives the name of what has to be put back afterwards."""
        name, sensor = step.sensor.name, step.sensor
        acts: dict[str, Callable[[str], None]] = {"button": self.press, "bell": self.ring, "switch": self.drop}
        if sensor.kind in acts:
            acts[sensor.kind](name)
        elif sensor.kind == "beam":
            self.break_beams(step)
        else:
            line = "GAUGE YES" if sensor.kind == "gauge" else "QH"
            for again in range(3):
                self.send(self.wiring.inputs[name][0], line, self.now + again * 180 * MS)
        return name if sensor.kind == "switch" else None

    def break_beams(self, step: Step) -> None:
        name = step.sensor.name
        fort = name.removesuffix("-arch")
        if len(step.sensor.channels) == 2 and (step.end == 1 or self.rng.random() < 0.5):
            self.press(name, self.rng.randint(300, 900), end=step.end)  # a finger
            return
        self.cross(name)
        if fort != name and fort in self.sensors:
            self.ring(fort)

    def all(self, before: Callable[[Step], bool] = lambda _: True) -> None:
        """Do all that is asked. `before`: is called first, and says whether it is then still to be done."""
        back: str | None = None
        while (step := self.step) is not None:
            if before(step) and self.step == step:
                taken, back = back, self.do(step)
                if taken is not None:
                    self.set(taken, 0, at=self.now + self.rng.randint(0, 1500) * MS)
            self.wait(3.0)
