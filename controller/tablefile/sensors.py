"""The `[[sensor]]` items of a table file, a model for each kind.

A new kind is a class here, a member of `AnySensor`, and the kind's name in `controller/tables/roles.py`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from controller.tablefile.values import Name, OneOrTwoSources, OneSource, Span
from hardware.signals import MS


class Section(BaseModel):
    """A table of the file: unknown keys are errors, nothing is converted."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


Pull = Literal["up", "down", "none"]
Active = Literal["low", "high"]
Settle = Annotated[int, Span("0ms", "10s")]
Lockout = Annotated[int, Span("0ms", "10s")]
Hold = Annotated[int, Span("100ms", "30s")]


class BaseSensor(Section):
    """What every sensor has. `name` is the role if the file doesn't say."""

    name: Name = ""
    role: str
    source: OneSource
    pull: Pull = "up"
    active: Active = "low"

    @model_validator(mode="before")
    @classmethod
    def _named_by_role(cls, data: Any) -> Any:
        if isinstance(data, dict) and "name" not in data and isinstance(data.get("role"), str):
            return {**data, "name": data["role"]}
        return data

    @property
    def channels(self) -> tuple[str, ...]:
        """The addresses it listens to, in full: `sim` has become `sim:NAME`."""
        return full_addresses(self.name, self.source)


class SwitchSensor(BaseSensor):
    """A contact that stays as long as the thing is there: a ball in a cup, a flag in its socket.

    `settle`: how long a level must be stable before it counts; `lockout`: how long changes are ignored after one that
    counted; both may differ for going on and going off.
    """

    kind: Literal["switch"]
    settle: Settle = 150 * MS
    settle_on: Settle | None = None
    settle_off: Settle | None = None
    lockout: Lockout = 0
    lockout_on: Lockout | None = None
    lockout_off: Lockout | None = None


class BeamSensor(BaseSensor):
    """A light beam that is broken for a moment; a pair an inch apart, the nearer to the player first, tells the direction too."""

    kind: Literal["beam"]
    source: OneOrTwoSources
    settle: Settle = 2 * MS
    lockout: Lockout = 0


class ButtonSensor(BaseSensor):
    """A push-button. `hold`: how long it is held down for what only a long press does."""

    kind: Literal["button"]
    settle: Settle = 20 * MS
    lockout: Lockout = 0
    hold: Hold = 2000 * MS


AnySensor = SwitchSensor | BeamSensor | ButtonSensor
Sensor = Annotated[AnySensor, Field(discriminator="kind")]


def full_addresses(name: str, source: tuple[str, ...]) -> tuple[str, ...]:
    """The addresses of a sensor's inputs: a bare `sim` is named after the sensor, the two of a pair `…/near` and `…/far`."""
    ends = ("",) if len(source) == 1 else ("/near", "/far")
    return tuple(f"sim:{name}{end}" if each == "sim" else each for each, end in zip(source, ends, strict=True))
