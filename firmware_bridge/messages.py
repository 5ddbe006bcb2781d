"""Messages: what the payloads of frames mean, byte by byte as in docs/protocol.md."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import Literal, NamedTuple

VERSION = 1
"""Of the protocol."""
CHANNELS = 72
"""No board has more."""
RECORDS = 80
"""Bytes of records in a frame at the most."""
ID_LENGTH = 16

Kind = Literal["edge", "reading", "lost", "levels", "failed"]

_LOST, _LEVELS, _FAILED = 3 * CHANNELS, 3 * CHANNELS + 1, 3 * CHANNELS + 2
_NO = {1: "it doesn't know the request", 2: "it has no such channel", 3: "the channel can't do that", 4: "a value makes no sense"}


class BadMessage(ValueError):
    """A payload isn't what its type says."""


class Record(NamedTuple):
    """What a board noted.

    `at`: its time; in a frame, microseconds of the board, which wrap; from a session, nanoseconds of the host. `value`: the level
    of an edge, a reading in its unit, how many records were lost, the levels of all channels, bit 0 for channel 0, or why a
    sensor gives no readings (`Failure`).
    """

    kind: Kind
    at: int
    channel: int
    value: int


class Events(NamedTuple):
    """Records in the order of their numbers, the first of which is `number`."""

    number: int
    records: list[Record]


class Can(IntFlag):
    """What a channel can do."""

    INPUT = 1
    PULL_UP = 2
    ANALOGUE = 4
    BELL = 8
    OUTPUT = 16
    SENSOR = 32
    BUS = 64
    """One of the two pins that the sensors on I²C hang on; while there is any it can't be anything else."""


class Mode(IntEnum):
    """What a channel is told to do."""

    OFF = 0
    INPUT = 1
    PULLED_UP = 2
    ANALOGUE = 3
    BELL = 4
    OUTPUT = 5
    SENSOR = 6


NEEDS = {
    Mode.OFF: Can(0),
    Mode.INPUT: Can.INPUT,
    Mode.PULLED_UP: Can.INPUT | Can.PULL_UP,
    Mode.ANALOGUE: Can.ANALOGUE,
    Mode.BELL: Can.BELL,
    Mode.OUTPUT: Can.OUTPUT,
    Mode.SENSOR: Can.SENSOR,
}
"""What a channel must be able to do for a mode."""
DIGITAL = frozenset({Mode.INPUT, Mode.PULLED_UP})


class Failure(IntEnum):
    """Why a sensor on I²C gives no readings."""

    NO_ANSWER = 1
    STUCK = 2


class Form(IntEnum):
    """What is read of a sensor on I²C."""

    BYTE = 1
    HIGH_FIRST = 2
    LOW_FIRST = 3


POINTER_BYTES, START_BYTES = 2, 4
"""The most of a sensor's `pointer` and `start`."""


class Bus(NamedTuple):
    """Where on I²C a sensor is, and what is read of it.

    `address`: 7 bits. `pointer`: the register, as it is written before each reading. `start`: what is written after each, with
    which some sensors are told to measure until the next.
    """

    address: int
    form: Form
    pointer: bytes = b""
    start: bytes = b""


class Setting(NamedTuple):
    """How a channel is used. `period`, `tail`: milliseconds; `threshold`: steps of the ADC, or the sensor's unit.

    `bus`: of a sensor, and of nothing else.
    """

    mode: Mode
    period: int = 0
    threshold: int = 0
    tail: int = 0
    bus: Bus | None = None


class Time(NamedTuple):
    """The board's clock in µs, and the number of the next record, which is not older than that."""

    time: int
    next: int


class Statistics(NamedTuple):
    """What a board counted since it booted. `fullest`: bytes in its ring at the most; `longest_loop`: microseconds."""

    bad_frames: int
    sent_again: int
    lost: int
    fullest: int
    longest_loop: int


@dataclass(frozen=True, slots=True)
class Hello:
    """Who a board is. `first` to `next`: the records in its ring; `channels`: what each can do; `time`: its clock in µs."""

    boot: int
    cause: int
    first: int
    next: int
    time: int
    id: str
    build: str
    channels: tuple[Can, ...]
    version: int = VERSION

    @property
    def why(self) -> str:
        """Why it booted, in words."""
        causes = {1: "power came on", 2: "its reset pin", 4: "a dip of its supply", 8: "its watchdog"}
        return " and ".join(word for bit, word in causes.items() if self.cause & bit) or "an unknown cause"


_HELLO = struct.Struct("<BHBHHI")
_EVENTS = struct.Struct("<HI")
_SETTING = struct.Struct("<BBHHH")
_OUTPUT = struct.Struct("<BBH")
_TIME = struct.Struct("<IH")
_NUMBER = struct.Struct("<H")
_STATISTICS = struct.Struct("<HHIHH")


def _unpack(layout: struct.Struct, payload: bytes) -> tuple[int, ...]:
    if len(payload) != layout.size:
        raise BadMessage(f"{len(payload)} bytes instead of {layout.size}")
    return layout.unpack(payload)


def encode_hello(hello: Hello) -> bytes:
    """The payload of `H`."""
    runs: list[list[int]] = []
    for can in hello.channels:
        if runs and runs[-1][1] == can:
            runs[-1][0] += 1
        else:
            runs.append([1, can])
    head = _HELLO.pack(hello.version, hello.boot, hello.cause, hello.first, hello.next, hello.time)
    texts = b"".join(bytes((len(text),)) + text.encode("ascii") for text in (hello.id, hello.build))
    return head + texts + bytes((len(runs),)) + bytes(number for run in runs for number in run)


def decode_hello(payload: bytes) -> Hello:
    """What `H` says; of another version, the version alone. Raises `BadMessage`."""
    if payload[:1] and payload[0] != VERSION:
        return Hello(0, 0, 0, 0, 0, "", "", (), version=payload[0])
    try:
        version, boot, cause, first, following, time = _HELLO.unpack_from(payload)
        board_id, at = _text(payload, _HELLO.size)
        build, at = _text(payload, at)
        runs = payload[at + 1 : at + 1 + 2 * payload[at]]
        ended = at + 1 + 2 * payload[at] == len(payload)
    except (struct.error, IndexError, UnicodeDecodeError) as error:
        raise BadMessage(f"a hello that can't be read: {error}") from error
    channels = tuple(Can(can) for count, can in zip(runs[::2], runs[1::2], strict=False) for _ in range(count))
    if not ended or len(channels) > CHANNELS:
        raise BadMessage("a hello that is too long or too short")
    return Hello(boot, cause, first, following, time, board_id, build, channels, version)


def _text(payload: bytes, at: int) -> tuple[str, int]:
    end = at + 1 + payload[at]
    return payload[at + 1 : end].decode("ascii"), end


def encode_record(record: Record, before: int) -> bytes:
    """A record as it lies in the ring and on the wire; `before` is the time of the one before it, both in µs."""
    kind, at, channel, value = record
    delta = (at - before) & 0xFFFFFFFF
    coded = bytearray()
    while delta > 0x7F:
        coded.append(delta & 0x7F | 0x80)
        delta >>= 7
    coded.append(delta)
    match kind:
        case "edge":
            return bytes((channel + CHANNELS * value, *coded))
        case "reading":
            return bytes((channel + 2 * CHANNELS, *coded)) + value.to_bytes(2, "little")
        case "lost":
            return bytes((_LOST, *coded)) + value.to_bytes(4, "little")
        case "levels":
            return bytes((_LEVELS, *coded)) + value.to_bytes(CHANNELS // 8, "little")
        case "failed":
            return bytes((_FAILED, *coded, channel, value))


def encode_events(number: int, base: int, records: bytes) -> bytes:
    """The payload of `E`; `base` is the time in µs of the record before the first."""
    return _EVENTS.pack(number, base & 0xFFFFFFFF) + records


def decode_events(payload: bytes) -> Events:
    """The records in `E`, their times in µs modulo 2³². Raises `BadMessage`."""
    records: list[Record] = []
    try:
        number, at = _EVENTS.unpack_from(payload)
        place, end = _EVENTS.size, len(payload)
        while place < end:
            head = payload[place]
            place += 1
            byte = payload[place]
            place += 1
            delta, shift = byte & 0x7F, 7
            while byte & 0x80:
                byte = payload[place]
                place += 1
                delta |= (byte & 0x7F) << shift
                shift += 7
            at = (at + delta) & 0xFFFFFFFF
            if head < 2 * CHANNELS:
                records.append(Record("edge", at, head % CHANNELS, head // CHANNELS))
                continue
            size, kind, channel = _tail(head)
            value = int.from_bytes(payload[place : place + size], "little")
            if kind == "failed":
                channel, value = value & 0xFF, value >> 8
            records.append(Record(kind, at, channel, value))
            place += size
    except (struct.error, IndexError) as error:
        raise BadMessage(f"records that can't be read: {error}") from error
    if place != end or not records:
        raise BadMessage("records that are cut off")
    return Events(number, records)


def _tail(head: int) -> tuple[int, Kind, int]:
    """How many bytes follow a record's delta, which kind it is, and its channel."""
    if head < 3 * CHANNELS:
        return 2, "reading", head - 2 * CHANNELS
    if head == _LOST:
        return 4, "lost", 0
    if head == _LEVELS:
        return CHANNELS // 8, "levels", 0
    if head == _FAILED:
        return 2, "failed", 0
    raise BadMessage(f"a record of unknown kind {head}")


def encode_setting(channel: int, setting: Setting) -> bytes:
    """The payload of `c` and `C`."""
    mode, period, threshold, tail, bus = setting
    packed = _SETTING.pack(channel, mode, period, threshold, tail)
    if bus is None:
        return packed
    texts = b"".join(bytes((len(text),)) + text for text in (bus.pointer, bus.start))
    return packed + bytes((bus.address, bus.form)) + texts


def decode_setting(payload: bytes) -> tuple[int, Setting]:
    """The channel, and how it is to be used. Raises `BadMessage`."""
    channel, mode, period, threshold, tail = _unpack(_SETTING, payload[: _SETTING.size])
    if mode not in set(Mode):
        raise BadMessage(f"there is no mode {mode}")
    bus = _decode_bus(payload[_SETTING.size :]) if len(payload) > _SETTING.size else None
    return channel, Setting(Mode(mode), period, threshold, tail, bus)


def _decode_bus(payload: bytes) -> Bus:
    try:
        address, form = payload[:2]
        end = 3 + payload[2]
        pointer, start = payload[3:end], payload[end + 1 :]
        if form not in set(Form) or len(start) != payload[end]:
            raise BadMessage("a sensor's setting that makes no sense")
    except (ValueError, IndexError) as error:
        raise BadMessage(f"a sensor's setting that can't be read: {error}") from error
    return Bus(address, Form(form), pointer, start)


def encode_output(channel: int, level: int, milliseconds: int) -> bytes:
    """The payload of `o` and `O`."""
    return _OUTPUT.pack(channel, level, milliseconds)


def decode_output(payload: bytes) -> tuple[int, int, int]:
    """Channel, level, milliseconds. Raises `BadMessage`."""
    channel, level, milliseconds = _unpack(_OUTPUT, payload)
    return channel, level, milliseconds


def encode_time(time: Time) -> bytes:
    """The payload of `T`."""
    return _TIME.pack(time.time & 0xFFFFFFFF, time.next)


def decode_time(payload: bytes) -> Time:
    """What `T` says. Raises `BadMessage`."""
    return Time(*_unpack(_TIME, payload))


def encode_number(number: int) -> bytes:
    """The payload of `a` and `L`: the number of a record."""
    return _NUMBER.pack(number)


def decode_number(payload: bytes) -> int:
    """The number in `a` or `L`. Raises `BadMessage`."""
    return _unpack(_NUMBER, payload)[0]


def encode_statistics(statistics: Statistics) -> bytes:
    """The payload of `S`."""
    return _STATISTICS.pack(*statistics)


def decode_statistics(payload: bytes) -> Statistics:
    """What `S` says. Raises `BadMessage`."""
    return Statistics(*_unpack(_STATISTICS, payload))


def refusal(payload: bytes) -> str:
    """Why the board said `N`, in words."""
    return _NO.get(payload[0] if payload else 0, "it doesn't say why")


def level_mask(levels: Iterable[tuple[int, int]]) -> int:
    """The value of a levels record: `(channel, level)` of each."""
    return sum(level << channel for channel, level in levels)


def check_id(board_id: str) -> bytes:
    """The bytes of a board's id. Raises `ValueError` with a sentence."""
    if not 1 <= len(board_id) <= ID_LENGTH or set(board_id) - set("abcdefghijklmnopqrstuvwxyz0123456789-"):
        raise ValueError(f"{board_id!r} can't be a board's id: 1 to {ID_LENGTH} of a-z, 0-9 and -")
    return board_id.encode("ascii")
