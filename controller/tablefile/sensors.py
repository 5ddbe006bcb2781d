"""The `[[sensor]]` items of a table file, a model for each kind.

A new kind is a class here, a member of `AnySensor`, and the kind's name in `controller/tables/roles.py`.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from controller.rules.errors import nearest
from controller.rules.squails.words import SQUAILS
from controller.tablefile.values import FilePath, Name, OneOrTwoSources, OneSource, Span
from hardware.detectors.bell import BellSettings, Form
from hardware.detectors.codes import Form as CodeForm
from hardware.detectors.reader import LOCKOUT
from hardware.detectors.timing import BEAM, BUTTON, CUP, Timing
from hardware.places import Extent
from hardware.signals import MS, SECOND


class Section(BaseModel):
    """A table of the file: unknown keys are errors, nothing is converted."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", use_attribute_docstrings=True)


Pull = Literal["up", "down", "none"]
Active = Literal["low", "high"]
Settle = Annotated[int, Span("0ms", "900ms")]
Lockout = Annotated[int, Span("0ms", "10s")]
Hold = Annotated[int, Span("1s", "30s")]
"""Longer than any settle, so that a button is down for sure when its hold begins to count."""
Passage = Annotated[int, Span("10ms", "10s")]
Period = Annotated[int, Span("2ms", "50ms")]
Tail = Annotated[int, Span("300ms", "5s")]
Byte = Annotated[int, Field(ge=0, le=255)]
Steps = Annotated[int, Field(ge=1, le=1023)]
"""Of a converter of ten bits."""
Share = Annotated[float, Field(ge=0.03, le=0.9)]
Length = Annotated[float, Field(ge=100, le=10_000)]
"""Millimetres."""
BELL = BellSettings()
THINGS = ("target", *SQUAILS)
"""What a position sensor may tell of."""


class BaseSensor(Section):
    """What every sensor has."""

    name: Name = ""
    """What it is called in lists and topics; its role, if this is left out."""
    role: str
    """What it means to the game."""
    source: OneSource
    """Its input: `gpio:17`, `board:left/3`, `lines:camera`, `sim`."""

    reads_text: ClassVar[bool] = False
    """Whether it reads lines of text: then its source is a [[lines]] item, and no other's is."""

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

    @property
    def active_level(self) -> int:
        """The level, 0 or 1, that counts as on; text stands at 0 and is never on."""
        return 1


class WiredSensor(BaseSensor):
    """What every sensor on a pin has."""

    pull: Pull = "up"
    """The resistor inside the Pi or the board."""
    active: Active = "low"
    """The level while the ball is there, the beam broken, the button down."""

    @property
    def active_level(self) -> int:
        """The level, 0 or 1, that counts as on."""
        return 0 if self.active == "low" else 1


class TextSensor(BaseSensor):
    """What every sensor has that reads lines of text."""

    reads_text = True


class ContactSensor(WiredSensor):
    """What every sensor with two levels has: when a change of them counts."""

    defaults: ClassVar[Timing]
    """What `timing` is where the file is silent."""

    settle: Settle | None = None
    """How long a level must be stable before it counts."""
    settle_on: Settle | None = None
    """The same, for going on alone."""
    settle_off: Settle | None = None
    """The same, for going off alone."""
    lockout: Lockout | None = None
    """How long further changes are ignored after one that counted."""
    lockout_on: Lockout | None = None
    """The same, after going on alone."""
    lockout_off: Lockout | None = None
    """The same, after going off alone."""

    @property
    def timing(self) -> Timing:
        """Settle and lockout, the general ones and the defaults filled in."""
        return Timing(
            _first(self.settle_on, self.settle, self.defaults.settle_on),
            _first(self.settle_off, self.settle, self.defaults.settle_off),
            _first(self.lockout_on, self.lockout, self.defaults.lockout_on),
            _first(self.lockout_off, self.lockout, self.defaults.lockout_off),
        )


def _first(*times: int | None) -> int:
    return next(time for time in times if time is not None)


class SwitchSensor(ContactSensor):
    """A contact that stays as long as the thing is there: a ball in a cup, a flag in its socket."""

    defaults = CUP
    kind: Literal["switch"]


class BeamSensor(ContactSensor):
    """A light beam that is broken for a moment; a pair an inch apart, the nearer to the player first, tells the direction too."""

    defaults = BEAM
    kind: Literal["beam"]
    source: OneOrTwoSources
    """Its input, or two: `["gpio:5", "gpio:6"]`."""
    window: Passage = SECOND
    """Within this time both beams of a pair are broken by one ball."""
    blocked_after: Passage = 500 * MS
    """What stays in the beam for so long is no ball that rolls through."""


class ButtonSensor(ContactSensor):
    """A push-button."""

    defaults = BUTTON
    kind: Literal["button"]
    hold: Hold = 2 * SECOND
    """How long it is held down for what only a long press does."""


class BellSensor(WiredSensor):
    """A bell with a piezo disc on its frame: read by a board's converter, or by a comparator that gives pulses."""

    kind: Literal["bell"]
    form: Form = "readings"
    """`"readings"` of a board's converter, which tell how loud it is; `"pulses"` of a comparator, which tell only how long."""
    threshold: Steps = BELL.threshold
    """Of readings: what may begin a ring, in steps of the converter; the board is silent below it."""
    weakest: Steps = BELL.weakest
    """Of readings: the least peak of a ring, in the same steps."""
    period: Period = 10 * MS
    """Of readings: the board tells the highest of each."""
    tail: Tail = 400 * MS
    """Of readings: how long the board goes on telling."""
    coupling: Passage = BELL.coupling
    """Bells that begin within it sound together: the strongest rang."""
    keep: Share = BELL.keep
    """Of readings: what a ring still has of its peak after a tenth of a second; a knock has less."""
    least: Passage = BELL.least
    """Of pulses: a ring is heard for so long, a knock for less."""


class PositionSensor(TextSensor):
    """A camera or a grid of magnets that tells where things lie, in millimetres from the middle of the table."""

    kind: Literal["position"]
    diameter: Length | None = None
    """Of a round table, in millimetres."""
    width: Length | None = None
    """Or of a table with four sides, along x."""
    depth: Length | None = None
    """And along y."""
    squail: Annotated[float, Field(gt=0, le=200)] = 50.8
    """The breadth of a squail, in millimetres."""
    target: Annotated[float, Field(gt=0, le=200)] = 25.4
    """The breadth of the target, in millimetres."""
    error: Annotated[float, Field(ge=0, le=100)] = 1.0
    """How far off a reading may be that brings no error of its own, in millimetres."""
    error_growing: Annotated[float, Field(ge=0, le=1)] = 0.0
    """And how much more for each millimetre from the middle."""
    still: Passage = SECOND
    """What hasn't moved for so long has come to rest."""
    gone: Passage = 3 * SECOND
    """What hasn't been seen for so long is gone; for less, an arm was before it."""
    silence: Annotated[int, Span("1s", "1min")] = 5 * SECOND
    """After so long without a line nothing is known any more."""
    names: dict[str, str] = Field(default_factory=dict)
    """What the tracker's own names stand for: `{ "17" = "light-s1" }`."""

    @field_validator("names")
    @classmethod
    def _are_things(cls, names: dict[str, str]) -> dict[str, str]:
        for name in names.values():
            if name not in THINGS:
                raise ValueError(f"{name!r} is nothing of the table; {nearest(name, THINGS)}")
        return names

    @model_validator(mode="after")
    def _has_an_extent(self) -> Self:
        if (self.diameter is None) == (self.width is None) or (self.width is None) != (self.depth is None):
            raise ValueError("how large is the table? Give diameter, or width and depth, in millimetres")
        return self

    @property
    def extent(self) -> Extent:
        """How large the table is."""
        if self.diameter is not None:
            return Extent(self.diameter, self.diameter)
        assert self.width is not None
        assert self.depth is not None
        return Extent(self.width, self.depth, round=False)

    @property
    def things(self) -> tuple[str, ...]:
        """What it may tell of: a sensor of the target tells of nothing else."""
        return THINGS[:1] if self.role == "target" else THINGS


class I2C(Section):
    """Where on the I²C of a board a sensor is, and how it is read."""

    address: Annotated[int, Field(ge=0x08, le=0x77)]
    """Its address: `0x29`."""
    pointer: Annotated[tuple[Byte, ...], Field(alias="register", max_length=2, strict=False)] = ()
    """What is written before each reading, to say which register: `[0x5e]`."""
    read: Literal["byte", "high-first", "low-first"] = "high-first"
    """One byte, or two, and which of them comes first."""
    start: Annotated[tuple[Byte, ...], Field(max_length=4, strict=False)] = ()
    """What is written after each reading, with which some sensors are told to measure until the next."""
    period: Annotated[int, Span("10ms", "10s")] = 50 * MS
    """How often it is read."""
    threshold: Annotated[int, Field(ge=1, le=0xFFFF)] = 1
    """What moves less, in its own steps, isn't told."""
    unit: Annotated[float, Field(gt=0, le=1000)] = 1.0
    """How many millimetres a step is."""
    offset: Annotated[float, Field(ge=-1000, le=1000)] = 0.0
    """Added to each reading, in millimetres."""


class GaugeSensor(TextSensor):
    """An electronic gauge: a stick with a switch and a button, or a reading of the distance."""

    kind: Literal["gauge"]
    length: Annotated[float, Field(gt=0, le=1000)] = 76.2
    """Of a reading of the distance: how long the gauge is, in millimetres."""
    error: Annotated[float, Field(ge=0, le=100)] = 0.5
    """Of a reading of the distance: nearer than this to the gauge's length it is no answer."""
    i2c: I2C | None = None
    """Of a sensor on a board, which is read all the time: where it is on the board's I²C."""
    reach: Annotated[float, Field(gt=0, le=10_000)] = 300.0
    """Of such a sensor: what is farther is nothing, and the gauge has been lifted."""
    still: Passage = 500 * MS
    """Of such a sensor: a distance that stays for so long is an answer."""


class ReaderSensor(TextSensor):
    """A reader of bar codes or tags on cards or balls: one line of text a reading."""

    kind: Literal["reader"]
    code: CodeForm = "names"
    """How it writes what it reads: `"names"`, `"ean8"`, `"rdm6300"`, `"uid"`."""
    tags: FilePath | None = None
    """Which code is on what: a file; where the codes are names there is none."""
    lockout: Annotated[int, Span("200ms", "1min")] = LOCKOUT
    """How long a card must have been away to be read anew."""

    @model_validator(mode="after")
    def _has_tags(self) -> Self:
        if (self.code == "names") != (self.tags is None):
            raise ValueError(
                "tags is for codes that are numbers: leave it out, or say which code it is"
                if self.tags is not None
                else f'tags is missing: the file that says which "{self.code}" code is on what'
            )
        return self


class UnknownSensor(ContactSensor):
    """A sensor whose kind is missing or wrong: checked in what all kinds share, so that its other faults show in the same run."""

    model_config = ConfigDict(extra="ignore")
    source: OneOrTwoSources


AnySensor = SwitchSensor | BeamSensor | ButtonSensor | BellSensor | PositionSensor | GaugeSensor | ReaderSensor
KINDS: dict[str, type[BaseSensor]] = {get_args(model.model_fields["kind"].annotation)[0]: model for model in get_args(AnySensor)}
"""The models of the kinds of sensor."""
Sensor = Annotated[AnySensor, Field(discriminator="kind")]


def full_addresses(name: str, source: tuple[str, ...]) -> tuple[str, ...]:
    """The addresses of a sensor's inputs: a bare `sim` is named after the sensor, the two of a pair `…/near` and `…/far`."""
    ends = ("",) if len(source) == 1 else ("/near", "/far")
    return tuple(f"sim:{name}{end}" if each == "sim" else each for each, end in zip(source, ends, strict=True))
