"""The walk round a table with a screwdriver: every input once on and once off, with pass or fail and what to do. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
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
    seen: list[str] = field(default_factory=list)

    @property
    def wanted(self) -> tuple[str, ...]:
        """What must be seen of it."""
        own = {"switch": ("on", "off"), "beam": ("crossing",), "bell": ("ring",), "reader": ("card",)}
        return {**own, "position": ("position",), "gauge": ("gauge",)}.get(self.kind, ("press",))

    @property
    def passed(self) -> bool:
        """Whether all of it was."""
        return all(one in self.seen for one in self.wanted)


class Walk:
    """Which sensors have been tried. `sensors`: (name, role, kind)."""

    def __init__(self, sensors: list[tuple[str, str, str]]) -> None:
        self.tried = {name: Tried(name, role, kind) for name, role, kind in sensors}

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
        return tried if tried.passed and not before else None

    @property
    def done(self) -> bool:
        """Whether every sensor has passed."""
        return all(tried.passed for tried in self.tried.values())

    def record(self, health: tuple[SensorHealth, ...]) -> list[str]:
        """The printed record: a line a sensor."""
        faults = {one.sensor: one.faults for one in health}
        rows: list[tuple[str, ...]] = []
        for tried in self.tried.values():
            missing = [one for one in tried.wanted if one not in tried.seen]
            said = "; ".join(faults.get(tried.sensor, ()))
            if not tried.passed:
                said = f"not seen: {', '.join(missing)}. Look at its wire and its pin. {said}".strip()
            rows.append(("pass" if tried.passed and not said else "FAIL", tried.sensor, tried.role, said))
        return columns(rows)


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


class Learning:
    """Which input is which: for each role in turn, the input that changes is its own.

    `kinds`: the kind of sensor of each role. `ask` is the role whose turn it is. An input that was given to a role before is not
    taken again.
    """

    def __init__(self, kinds: Mapping[str, str]) -> None:
        self._kinds = kinds
        self._roles = list(kinds)
        self.found: dict[str, tuple[str, int]] = {}
        """By role: the channel, and the level that it went to."""

    @property
    def ask(self) -> str | None:
        """The role that is asked for now; None when all are known."""
        return next((role for role in self._roles if role not in self.found), None)

    def change(self, channel: str, level: int) -> str | None:
        """An input has settled at a level; gives the role that it fills, if it fills one."""
        role = self.ask
        if role is None or any(channel == known for known, _ in self.found.values()):
            return None
        self.found[role] = (channel, level)
        return role

    def skip(self) -> None:
        """This table has no sensor for the role that is asked for."""
        role = self.ask
        if role is not None:
            self._roles.remove(role)

    def table(self) -> str:
        """The `[[sensor]]` part of a table file."""
        parts = []
        for role, (channel, level) in self.found.items():
            active = "" if level == 0 else 'active = "high"\n'
            parts.append(f'[[sensor]]\nrole = "{role}"\nkind = "{self._kinds[role]}"\nsource = "{channel}"\n{active}')
        return "\n".join(parts)
