"""Values as people write them in a table file: durations with units, addresses of inputs, hosts with ports.

Each is read by a function that raises `ValueError` with a sentence, and is a pydantic type made from it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import (
    BeforeValidator,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    PlainSerializer,
    PlainValidator,
    ValidationInfo,
    WithJsonSchema,
)
from pydantic_core import CoreSchema, core_schema

UNITS = {"ns": 1, "us": 1_000, "µs": 1_000, "ms": 1_000_000, "s": 1_000_000_000, "min": 60_000_000_000}
_DURATION = re.compile(r"(\d+(?:\.\d+)?) ?(ns|us|µs|ms|s|min)")


def read_duration(value: object) -> int:
    """Nanoseconds of a duration such as `"20ms"`."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        # pydantic gathers ValueErrors alone, here and below.
        raise ValueError(f'{value} has no unit: write "{value}ms" or "{value}s"')  # noqa: TRY004 - as above
    match = _DURATION.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise ValueError(f'a duration is a number with its unit (us, ms, s, min), such as "20ms", not {show(value)}')
    return int(Decimal(match[1]) * UNITS[match[2]])


def say_duration(ns: int) -> str:
    """The duration as people write it, in the largest unit that keeps it a whole number."""
    unit = next(unit for unit in ("s", "ms", "us", "ns") if ns % UNITS[unit] == 0)
    return f"{ns // UNITS[unit]}{unit}"


@dataclass(frozen=True, slots=True)
class Span:
    """Marks an integer of nanoseconds that is written as a duration in this range: `Annotated[int, Span("0ms", "10s")]`."""

    least: str
    most: str

    def read(self, value: object) -> int:
        """Nanoseconds of a duration. Raises `ValueError` with the value and the range."""
        ns = read_duration(value)
        if not read_duration(self.least) <= ns <= read_duration(self.most):
            raise ValueError(f"{value} is out of range: at least {self.least}, at most {self.most}")
        return ns

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """How pydantic reads and writes it."""
        written = core_schema.plain_serializer_function_ser_schema(say_duration)
        return core_schema.no_info_plain_validator_function(self.read, serialization=written)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """How a JSON Schema describes it."""
        return {
            "type": "string",
            "pattern": f"^{_DURATION.pattern}$",
            "title": f"A duration from {self.least} to {self.most}",
        }


class HostPort(NamedTuple):
    """Where something listens or is to be reached."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


_HOST_PORT = re.compile(r"(\[[0-9A-Fa-f:.%]+\]|[A-Za-z0-9_.-]+):(\d{1,5})")


def read_host_port(value: object) -> HostPort:
    """Host and port of `"0.0.0.0:8080"`."""
    match = _HOST_PORT.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise ValueError(f'a host and its port are wanted, such as "192.168.1.20:1883", not {show(value)}')
    port = int(match[2])
    if not 1 <= port <= 65535:
        raise ValueError(f"port {port} is out of range: at least 1, at most 65535")
    return HostPort(match[1].strip("[]"), port)


def _read_listen(value: object) -> HostPort | None:
    return None if value == "off" else read_host_port(value)


def _read_broker(value: object) -> HostPort | str:
    if value in ("managed", "none"):
        return str(value)
    try:
        return read_host_port(value)
    except ValueError as error:
        raise ValueError(f'{error}; or "managed" (a mosquitto of its own) or "none"') from None


def _say(value: object) -> str:
    return "off" if value is None else str(value)


def _host_schema(text: str) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "description": text})


Address = Annotated[
    HostPort, PlainValidator(read_host_port), PlainSerializer(_say), _host_schema('"HOST:PORT": where to listen.')
]
AddressOrOff = Annotated[
    HostPort | None, PlainValidator(_read_listen), PlainSerializer(_say), _host_schema('"HOST:PORT": where to listen, or "off".')
]
Broker = Annotated[
    HostPort | Literal["managed", "none"],
    PlainValidator(_read_broker),
    PlainSerializer(_say),
    _host_schema('"HOST:PORT", "managed" (a mosquitto of its own) or "none".'),
]


def read_path(value: object, folder: Path) -> Path:
    """A path, from a folder where it doesn't begin at the root; `~` is the user's home."""
    if not isinstance(value, str) or not value or "\0" in value:
        raise ValueError(f"the path of a file is wanted, not {show(value)}")
    try:
        return folder / Path(value).expanduser()
    except RuntimeError:
        raise ValueError(f"{show(value)}: there is no such user, or it has no home") from None


def _read_path(value: object, info: ValidationInfo) -> Path:
    return read_path(value, info.context["folder"] if info.context else Path())


FilePath = Annotated[
    Path,
    PlainValidator(_read_path),
    PlainSerializer(str),
    WithJsonSchema({"type": "string", "description": "A path, from the folder of the table file."}),
]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")


def _read_name(value: object) -> str:
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise ValueError(f"a name is 1 to 40 letters (a to z), digits, - and _, not {show(value)}")
    return value


Name = Annotated[str, BeforeValidator(_read_name), WithJsonSchema({"type": "string", "pattern": f"^{_NAME.pattern}$"})]

_BOARD_ID = re.compile(r"[a-z0-9-]{1,16}")


def _read_board_id(value: object) -> str:
    if not isinstance(value, str) or not _BOARD_ID.fullmatch(value):
        raise ValueError(f"a board's id is 1 to 16 of a-z, 0-9 and -, not {show(value)}")
    return value


BoardId = Annotated[str, BeforeValidator(_read_board_id), WithJsonSchema({"type": "string", "pattern": f"^{_BOARD_ID.pattern}$"})]

HEADER_PINS = range(2, 28)
"""The GPIO numbers that the 40-pin header gives to anyone: 0 and 1 belong to the EEPROM of an add-on board."""
PULLED_UP_PINS = (2, 3)
"""These have a pull-up of 1.8 kΩ on the Pi itself."""

HIGHEST_CHANNEL = 71
"""No board has more (docs/protocol.md)."""

_PIN = re.compile(r"(?:gpio|bcm)?[ :_-]*(\d{1,2})", re.IGNORECASE)
_SOURCE = re.compile(
    r"gpio:\d+|board:[A-Za-z0-9][A-Za-z0-9_-]*/\d+|lines:[A-Za-z0-9][A-Za-z0-9_-]*|sim|sim:[A-Za-z0-9][A-Za-z0-9_/-]*"
)


def read_source(value: object) -> str:
    """The address of one input or output: `gpio:17`, `board:left/3`, `lines:camera`, `sim`, `sim:NAME`."""
    if not isinstance(value, str) or not _SOURCE.fullmatch(value):
        likely = _PIN.fullmatch(str(value))
        hint = f'did you mean "gpio:{likely[1]}"? A' if likely else "a"
        raise ValueError(f'{hint} source is "gpio:17", "board:NAME/3", "lines:NAME", "sim" or "sim:NAME", not {show(value)}')
    if value.startswith("board:"):
        board, _, channel = value.partition("/")
        if int(channel) > HIGHEST_CHANNEL:
            raise ValueError(f"{value} is no channel of any board: they are 0 to 23 on a Nano, 0 to {HIGHEST_CHANNEL} on a Mega")
        return f"{board}/{int(channel)}"
    if not value.startswith("gpio:"):
        return value
    pin = int(value[5:])
    if pin not in HEADER_PINS:
        raise ValueError(
            f"{value} is no pin for this: the header has GPIO2 to GPIO27 (0 and 1 belong to the EEPROM of an add-on board)"
        )
    return f"gpio:{pin}"


def _read_one_source(value: object) -> tuple[str, ...]:
    if isinstance(value, list):
        raise ValueError('one source is wanted, not a list: only a sensor of kind "beam" takes a pair')  # noqa: TRY004 - pydantic gathers ValueErrors
    return (read_source(value),)


def _read_one_or_two(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        return (read_source(value),)
    if len(value) != 2:
        raise ValueError(f"a beam has one source or a pair, the one nearer the player first, not {len(value)}")
    return tuple(read_source(item) for item in value)


_ONE_SCHEMA = {"type": "string", "pattern": f"^(?:{_SOURCE.pattern})$"}
OneSource = Annotated[tuple[str, ...], PlainValidator(_read_one_source), WithJsonSchema(_ONE_SCHEMA)]
OneOrTwoSources = Annotated[
    tuple[str, ...],
    PlainValidator(_read_one_or_two),
    WithJsonSchema({"anyOf": [_ONE_SCHEMA, {"type": "array", "items": _ONE_SCHEMA, "minItems": 2, "maxItems": 2}]}),
]


FLASHES = ("short", "long")
MOST_FLASHES = 12


def _read_flashes(value: object) -> tuple[str, ...]:
    words = tuple(value.split()) if isinstance(value, str) else ()
    if not words or len(words) > MOST_FLASHES or not set(words) <= set(FLASHES):
        raise ValueError(f'a pattern is 1 to {MOST_FLASHES} flashes, such as "short short long", not {show(value)}')
    return words


Flashes = Annotated[
    tuple[str, ...],
    PlainValidator(_read_flashes),
    PlainSerializer(" ".join),
    WithJsonSchema({"type": "string", "pattern": "^(?:short|long)(?: +(?:short|long))*$"}),
]


def _read_program(value: object) -> tuple[str, ...]:
    words = value if isinstance(value, list) else []
    if not words or not all(isinstance(word, str) and word and "\0" not in word for word in words):
        example = '["espeak-ng", "-v", "en-gb"]'
        raise ValueError(f"a program and its arguments are a list of texts, such as {example}, not {show(value)}")
    return tuple(words)


Program = Annotated[
    tuple[str, ...],
    PlainValidator(_read_program),
    WithJsonSchema({"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1}),
]

LONGEST_SHOWN = 200
"""Characters of a text in a message."""


def show(value: object) -> str:
    """A value as it is written in TOML, for a message."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # With control characters escaped: a message is one line, and gives a terminal no orders.
        written = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in value)
        return f'"{written if len(written) <= LONGEST_SHOWN else written[:LONGEST_SHOWN] + "…"}"'
    if isinstance(value, dict):
        return "a table"
    return "a list" if isinstance(value, list) else str(value)
