"""The walk round a table with a screwdriver: every input once on and once off, with pass or fail and what to do. Pure."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from hardware.health import SensorHealth
from hardware.observations import Observation
from hardware.places import scene_of


@dataclass(slots=True)
class Tried:
    """What has been seen of one sensor."""

    sensor: str
    role: str
    kind: str
    where: str
    """Its input."""
    seen: list[str] = field(default_factory=list)
    detail: str = ""
    """Of what was seen last: which way, how loud, which card."""

    @property
    def wanted(self) -> tuple[str, ...]:
        """What must be seen of it."""
        own = {"switch": ("on", "off"), "beam": ("crossing",), "bell": ("ring",), "reader": ("card",)}
        return {**own, "position": ("position",), "gauge": ("gauge",)}.get(self.kind, ("press",))

    @property
    def missing(self) -> list[str]:
        """What of it was not."""
        return [one for one in self.wanted if one not in self.seen]

    @property
    def passed(self) -> bool:
        """Whether all of it was."""
        return not self.missing


class Walk:
    """Which sensors have been tried. `sensors`: (name, role, kind, input)."""

    def __init__(self, sensors: list[tuple[str, str, str, str]]) -> None:
        self.tried = {sensor[0]: Tried(*sensor) for sensor in sensors}

    def observe(self, observation: Observation) -> Tried | None:
        """Take an observation; gives the sensor that has just passed by it."""
        tried = self.tried[observation.sensor]
        before = tried.passed
        if observation.kind == "position" and scene_of(str(observation.value)).away:
            return None  # it was seen to be silent
        word = observation.kind if observation.kind != "level" else "on" if observation.value else "off"
        word = "press" if word == "held" else word
        if word not in tried.seen:
            tried.seen.append(word)
        if word in tried.wanted:
            tried.detail = _detail(observation)
        return tried if tried.passed and not before else None

    @property
    def done(self) -> bool:
        """Whether every sensor has passed."""
        return all(tried.passed for tried in self.tried.values())

    @property
    def left(self) -> list[str]:
        """The sensors that haven't passed yet, each with what was not seen of it where something was."""
        return [
            f"{tried.sensor} ({', '.join(tried.missing)})" if tried.seen else tried.sensor
            for tried in self.tried.values()
            if not tried.passed
        ]

    def failed(self, health: tuple[SensorHealth, ...]) -> list[str]:
        """The sensors that haven't passed, or have a fault."""
        faults = {one.sensor: one.faults for one in health}
        return [tried.sensor for tried in self.tried.values() if not tried.passed or faults.get(tried.sensor)]

    def record(self, health: tuple[SensorHealth, ...], width: int | None = None) -> list[str]:
        """The printed record: a line a sensor, and how many of them failed. `width`: of the terminal, None for paper."""
        faults = {one.sensor: one.faults for one in health}
        failed = self.failed(health)
        rows: list[tuple[str, ...]] = []
        for tried in self.tried.values():
            called = tried.sensor if tried.role == tried.sensor else f"{tried.sensor} ({tried.role})"
            said = [tried.detail] if tried.passed else [f"not seen: {', '.join(tried.missing)}"]
            said += faults.get(tried.sensor, ())
            rows.append(("FAIL" if tried.sensor in failed else "pass", called, tried.where, "; ".join(filter(None, said))))
        lines = columns(rows)
        if width is not None:
            if max(map(len, columns([row[:3] for row in rows]))) > width * 3 // 4:
                lines = ["  ".join(filter(None, row)) for row in rows]  # columns would leave no room for what is said
            lines = [part for line in lines for part in wrap(line, width, " " * 6)]
        if self.left:
            remedy = "What was not seen: look at its wire, and at its input in the table file."
            lines += [remedy] if width is None else wrap(remedy, width)
        return [*lines, f"{len(rows) - len(failed)} of {len(rows)} pass{f', {len(failed)} FAIL' if failed else ''}"]


_HOW = {
    "switch": "bring each switch on and off again, with a ball or a flag",
    "beam": "roll a ball through each beam or pair of beams",
    "bell": "ring each bell",
    "button": "press each button, and hold down those that want it",
    "reader": "hold a card or ball before each reader",
    "gauge": "let the gauge answer",
    "position": "let the camera see the table",
}


def how_to_walk(kinds: Collection[str]) -> str:
    """What a person is to do at a table with these kinds of sensor."""
    return f"In any order: {'; '.join(how for kind, how in _HOW.items() if kind in kinds)}."


def _detail(observation: Observation) -> str:
    value = observation.value
    match observation.kind:
        case "crossing":
            return {"up": "first beam first", "down": "second beam first"}.get(str(value), "")
        case "ring":
            loud = observation.sound is not None and observation.sound.peak is not None
            return f"peak {value}" if loud else f"heard for {value} ms"
        case "card":
            return str(value)
        case "gauge":
            return "touches" if value else "doesn't touch"
        case _:
            return ""


def columns(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """Rows of cells as lines whose columns stand below one another, however long a name is. `right`: those set to the right."""
    wide = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, wide, strict=True))
        )
        for row in rows
    )
    return [line.rstrip() for line in lines]


def wrap(line: str, width: int, indent: str = "") -> list[str]:
    """A line in whole words; a name with hyphens is one."""
    return textwrap.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False)
