"""The table file: what a table is, and how its parts are wired and set. `docs/table-file.md` explains every key."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from controller.tablefile.sensors import Active, Section, Sensor
from controller.tablefile.values import Address, AddressOrOff, Broker, FilePath, HostPort, Name, OneSource, Span
from hardware.signals import SECOND


class Table(Section):
    """`[table]`: what it is. `quiet`: how long nothing moves before a shot is over."""

    id: Name
    game: str
    name: str | None = None
    sides: Annotated[tuple[str, ...], Field(strict=False)] = ()
    quiet: Annotated[int, Span("100ms", "1min")] = 2 * SECOND


class Tls(Section):
    """`[mqtt.tls]`: an encrypted link to the broker."""

    ca_file: FilePath | None = None
    cert_file: FilePath | None = None
    key_file: FilePath | None = None


class Mqtt(Section):
    """`[mqtt]`: where the score goes, and whether commands come back."""

    broker: Broker
    listen: Address = HostPort("127.0.0.1", 1883)
    """Of the managed broker."""
    prefix: Annotated[str, Field(pattern=r"^[^+#$/][^+#]*[^+#/]$")] | None = None
    client_id: Name | None = None
    username: str | None = None
    password_file: FilePath | None = None
    password_env: str | None = None
    tls: Tls | None = None
    commands: bool = False
    token_file: FilePath | None = None


class Web(Section):
    """`[web]`: the scoreboard."""

    listen: AddressOrOff = HostPort("0.0.0.0", 8080)  # noqa: S104 - the television is another machine, and reading is open to all


class Marker(Section):
    """`[marker]`: what the console asks of whoever changes a game."""

    pin_file: FilePath | None = None
    pin_env: str | None = None


class Journal(Section):
    """`[journal]`: where games are kept. By default `ID.sqlite3` beside the table file."""

    path: FilePath | None = None


class Gpio(Section):
    """`[gpio]`: which pin factory reads the lines, and their chip's label; without it the chip of the Pi's header is found."""

    factory: Literal["gpiod", "lgpio"] = "gpiod"
    chip: str | None = None


class Board(Section):
    """`[[board]]`: a microcontroller on USB, found by its port or by the serial number of its USB chip."""

    name: Name
    port: str | None = None
    usb_serial: str | None = None


class Output(Section):
    """`[[output]]`: a lamp or a sounder."""

    name: Name
    kind: Literal["lamp", "sounder"]
    source: OneSource
    active: Active = "high"


class TableFile(Section):
    """A whole table file."""

    table: Table
    rules: dict[str, Any] = Field(default_factory=dict)
    mqtt: Mqtt = Mqtt(broker="none")
    web: Web = Web()
    marker: Marker = Marker()
    journal: Journal = Journal()
    gpio: Gpio = Gpio()
    boards: Annotated[tuple[Board, ...], Field(alias="board", strict=False)] = ()
    outputs: Annotated[tuple[Output, ...], Field(alias="output", strict=False)] = ()
    sensors: Annotated[tuple[Sensor, ...], Field(alias="sensor", strict=False)] = ()

    @property
    def prefix(self) -> str:
        """The start of its MQTT topics."""
        return self.mqtt.prefix or f"tablemarker/{self.table.id}"

    @property
    def client_id(self) -> str:
        """Its name at the broker."""
        return self.mqtt.client_id or f"tablemarker-{self.table.id}"

    def journal_path(self, folder: Path) -> Path:
        """Where the journal is; `folder` is that of the table file."""
        return self.journal.path or folder / f"{self.table.id}.sqlite3"
