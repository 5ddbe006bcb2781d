"""The table file: what a table is, and how its parts are wired and set. `docs/table-file.md` explains every key."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from controller.names import CONTROL, NAME
from controller.tablefile.sensors import Active, Section, Sensor
from controller.tablefile.values import (
    Address,
    AddressOrOff,
    BoardId,
    Broker,
    FilePath,
    Flashes,
    HostPort,
    Name,
    OneSource,
    Program,
    Span,
)
from hardware.signals import MS
from hardware.sources.lines_device import BAUD

TOPIC = rf"^[^+#$/{CONTROL}][^+#{CONTROL}]{{0,198}}[^+#/{CONTROL}]$"
"""What can start a topic."""

Occasion = Literal["award", "turn", "over", "correction", "question", "fault"]
"""What an output may be lit for."""

PeoplesName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, pattern=NAME)]
"""What people call a table or a side."""

Quiet = Annotated[int, Span("100ms", "1min")]


class Table(Section):
    """`[table]`: what it is."""

    id: Name
    """Its name in topics and files; no two tables share one."""
    game: str
    """bagatelle, fortification, squails or maw."""
    name: PeoplesName | None = None
    """What people call it: "the table by the fire"."""
    sides: Annotated[tuple[PeoplesName, ...], Field(strict=False)] = ()
    """Names of the sides in their order of play, until a game is started with others."""
    quiet: Quiet | None = None
    """How long nothing moves before a stroke is over; by default what suits the game."""
    roll: Quiet | None = None
    """How long a ball just played may roll before anything shows; by default what suits the game."""
    players: Literal[2, 4] = 2
    """Of maw: how many play, two or two pairs of mates."""
    idle_after: Annotated[int, Span("1min", "1440min")] | None = None
    """When nobody has played for so long, the game is paused; never, if this is left out."""
    abandon_after: Annotated[int, Span("1min", "1440min")] | None = None
    """When nobody has played for so long, the game is given up; never, if this is left out."""
    answer_within: Annotated[int, Span("10s", "60min")] | None = None
    """When a question has waited for so long, the likely answer is taken; never, if this is left out."""


class Tls(Section):
    """`[mqtt.tls]`: an encrypted link to the broker."""

    ca_file: FilePath | None = None
    """The authority that signed the broker's certificate; the system's own ones if this is left out."""
    cert_file: FilePath | None = None
    """A certificate of the table's own, for a broker that wants one."""
    key_file: FilePath | None = None
    """Its key."""


class Mqtt(Section):
    """`[mqtt]`: where the score goes, and whether commands come back."""

    broker: Broker
    """`"HOST:PORT"`, `"managed"` for a mosquitto of the table's own, or `"none"`."""
    listen: Address = HostPort("127.0.0.1", 1883)
    """Where the managed broker listens."""
    prefix: Annotated[str, Field(pattern=TOPIC)] | None = None
    """The start of all topics; `tablemarker/ID` if this is left out."""
    client_id: Name | None = None
    """The table's name at the broker; `tablemarker-ID` if this is left out."""
    username: str | None = None
    """Its account at the broker."""
    password_file: FilePath | None = None
    """A file whose first line is the password."""
    password_env: str | None = None
    """Or the environment variable that holds it."""
    tls: Tls | None = None
    """An encrypted link."""
    discovery: Annotated[str, Field(pattern=TOPIC)] = "homeassistant"
    """Where Home Assistant listens for devices, or `"off"`: it is told nothing."""
    commands: bool = False
    """Whether commands over MQTT are taken; that wants an account or a token."""
    token_file: FilePath | None = None
    """A file whose first line is the token that every command must carry."""


class Web(Section):
    """`[web]`: the scoreboard."""

    # The television is another machine, and reading is open to all.
    listen: AddressOrOff = HostPort("0.0.0.0", 8080)  # noqa: S104 - see above
    """Where the scoreboard is served, or `"off"`."""


class Marker(Section):
    """`[marker]`: what is asked of whoever changes a game over HTTP; without it nobody can."""

    pin_file: FilePath | None = None
    """A file whose first line is the PIN."""
    pin_env: str | None = None
    """Or the environment variable that holds it."""


class Journal(Section):
    """`[journal]`: where games are kept."""

    path: FilePath | None = None
    """The journal's file; `ID.sqlite3` beside the table file if this is left out."""


class Record(Section):
    """`[record]`: what sensors and people did lately, in a ring of files, so that a fault can be looked into afterwards."""

    folder: FilePath = Path("recordings")
    """Where the files are; made if it isn't there."""
    size: Annotated[int, Field(ge=1, le=1000)] = 8
    """Megabytes of one file at most."""
    keep: Annotated[int, Field(ge=2, le=1000)] = 8
    """How many files there are at most: the oldest is dropped for a new one."""


class Gpio(Section):
    """`[gpio]`: how the lines of the Pi's header are read."""

    factory: Literal["gpiod", "lgpio"] = "gpiod"
    """The pin factory of gpiozero."""
    chip: str | None = None
    """The label of the chip (`gpiodetect` shows it); the one behind the Pi's header if this is left out."""


class Board(Section):
    """`[[board]]`: a microcontroller on USB, found by its port, the serial number of its USB chip, or the id it was given."""

    name: Name
    """What sources call it: `board:NAME/3`."""
    port: str | None = None
    """Its port: `/dev/serial/by-id/…`."""
    usb_serial: str | None = None
    """Or its serial number."""
    id: BoardId | None = None
    """Or the id that it keeps; beside one of the others it must be this too."""


class Lines(Section):
    """`[[lines]]`: a device or program that sends lines of text; exactly one of `port`, `pipe` and `topic` says where."""

    name: Name
    """What sources call it: `lines:NAME`."""
    port: str | None = None
    """A serial port: `/dev/serial/by-id/…`."""
    baud: Annotated[int, Field(ge=300, le=4_000_000)] = BAUD
    """Of a port: its speed, in bits a second."""
    pause: Annotated[int, Span("20ms", "5s")] = 100 * MS
    """Of a port: so long a silence ends a line too, since some devices send no line ends."""
    pipe: FilePath | None = None
    """Or a pipe or pseudo-terminal, by its path."""
    topic: Annotated[str, Field(pattern=TOPIC)] | None = None
    """Or a topic of the table's broker, which must be one of its own: the managed one lets nobody write."""


class Output(Section):
    """`[[output]]`: a lamp or a sounder."""

    name: Name
    """What it is called."""
    kind: Literal["lamp", "sounder"]
    """What it is."""
    source: OneSource
    """Its line: `gpio:22`."""
    active: Active = "high"
    """The level that lights it."""
    on: Annotated[tuple[Occasion, ...], Field(strict=False)] = ()
    """What it is lit for: "award", "turn", "over", "correction", "question", "fault"; by default only when it is tried."""
    side: str | None = None
    """For what concerns this side alone: "A"; its turn then lights it as long as it lasts."""
    pattern: Flashes = ()
    """Its flashes, instead of the usual ones: "short short long"."""


class Speech(Section):
    """`[speech]`: a voice that calls the score; without it there is none."""

    command: Program
    """The program and its arguments, which reads what it says from its standard input: `["espeak-ng", "-v", "en-gb"]`."""


class TableFile(Section):
    """The table file of tablemarker: one table, how it is wired and where its score goes."""

    table: Table
    """What it is."""
    rules: dict[str, Any] = Field(default_factory=dict)
    """House rules: the options of the game."""
    mqtt: Mqtt = Mqtt(broker="none")
    """Where the score goes."""
    web: Web = Web()
    """The scoreboard."""
    marker: Marker = Marker()
    """Who may change a game over HTTP."""
    journal: Journal = Journal()
    """Where games are kept."""
    record: Record | None = None
    """What sensors and people did lately; without it nothing is recorded."""
    gpio: Gpio = Gpio()
    """How the Pi's own lines are read."""
    boards: Annotated[tuple[Board, ...], Field(alias="board", strict=False)] = ()
    """Microcontrollers on USB."""
    lines: Annotated[tuple[Lines, ...], Field(strict=False)] = ()
    """Devices and programs that send lines of text."""
    outputs: Annotated[tuple[Output, ...], Field(alias="output", strict=False)] = ()
    """Lamps and sounders."""
    speech: Speech | None = None
    """A voice that calls the score."""
    sensors: Annotated[tuple[Sensor, ...], Field(alias="sensor", strict=False)] = ()
    """What watches the table."""

    @property
    def prefix(self) -> str:
        """The start of its MQTT topics."""
        return self.mqtt.prefix or f"tablemarker/{self.table.id}"

    @property
    def discovery_prefix(self) -> str | None:
        """Where Home Assistant listens; None: it is told nothing."""
        return None if self.mqtt.discovery == "off" else self.mqtt.discovery

    @property
    def client_id(self) -> str:
        """Its name at the broker."""
        return self.mqtt.client_id or f"tablemarker-{self.table.id}"

    def journal_path(self, folder: Path) -> Path:
        """Where the journal is; `folder` is that of the table file."""
        return folder / (self.journal.path or f"{self.table.id}.sqlite3")


class _Schema(GenerateJsonSchema):
    """Gives defaults as they are written in a file, not as they are kept in memory."""

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        made = super().default_schema(schema)
        write = schema["schema"].get("serialization", {}).get("function")
        if made.get("default") is not None and write is not None:
            made["default"] = write(schema["default"])
        return made


def table_schema() -> dict[str, Any]:
    """The JSON Schema of the table file."""
    return TableFile.model_json_schema(schema_generator=_Schema)
