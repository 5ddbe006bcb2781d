"""A board in Python that keeps to docs/protocol.md: for tests, and for everyone who develops without hardware. Sans-IO."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from firmware_bridge.frames import Frame, FrameReader, encode_frame
from firmware_bridge.messages import (
    DIGITAL,
    NEEDS,
    POINTER_BYTES,
    RECORDS,
    START_BYTES,
    VERSION,
    BadMessage,
    Bus,
    Can,
    Failure,
    Hello,
    Mode,
    Record,
    Setting,
    Statistics,
    Time,
    check_id,
    decode_number,
    decode_output,
    decode_setting,
    encode_events,
    encode_hello,
    encode_number,
    encode_record,
    encode_statistics,
    encode_time,
    level_mask,
)

MS = 1_000_000
SECOND = 1000 * MS

_PIN = Can.INPUT | Can.PULL_UP | Can.OUTPUT
_BELL = Can.ANALOGUE | Can.BELL
_SENSORS = [Can.SENSOR] * 2
NANO = (*[Can(0)] * 2, *[_PIN] * 12, *[_PIN | _BELL] * 4, *[_PIN | _BELL | Can.BUS] * 2, *[_BELL] * 2, *_SENSORS)
"""What the channels of an Arduino Nano can do."""
MEGA = (*[Can(0)] * 2, *[_PIN] * 18, *[_PIN | Can.BUS] * 2, *[_PIN] * 32, *[_PIN | _BELL] * 16, *_SENSORS)
"""The same of an Arduino Mega."""
RING = 1152
AGAIN = 60 * MS
LONGEST_AGAIN = SECOND
ROOM = 64
"""So much of the ring must be free again before the board tells what it lost."""
DEAD_HOST = 5 * SECOND
ADC_HIGHEST = 1023
ADDRESSES = range(0x08, 0x78)
"""Of sensors on I²C; the others are the bus's own."""
SETTING_BYTES = 8
_UNKNOWN, _NO_CHANNEL, _CANT, _SENSELESS = 1, 2, 3, 4


def _sensible(setting: Setting) -> bool:
    """Whether the fields that the mode uses are set, and no others, to what a board can do."""
    mode, period, threshold, tail, bus = setting
    if (mode is Mode.SENSOR) != (bus is not None) or not (bus is None or _addressable(bus)):
        return False
    sampled = mode in (Mode.ANALOGUE, Mode.BELL, Mode.SENSOR)
    used = (bool(period), bool(threshold), bool(tail)) == (sampled, sampled, mode is Mode.BELL)
    return used and (mode is Mode.SENSOR or threshold <= ADC_HIGHEST) and (mode is not Mode.BELL or tail >= period)


def _addressable(bus: Bus) -> bool:
    return bus.address in ADDRESSES and len(bus.pointer) <= POINTER_BYTES and len(bus.start) <= START_BYTES


class FakeBoard:
    """A microcontroller board whose pins a program moves. Times are the host's nanoseconds; `now` never goes back.

    Move inputs with `set` and `read`; feed it with `receive` and `advance` (due at `next_deadline`), and take `to_send`.
    `FakeCable` in `firmware_bridge.fake_cable` does that over a pseudo-terminal. `drift`: how fast its clock is, in millionths.

    Faults on demand: `reset`; `full = True` (no record fits until it is False again); `set_unseen` (an edge missed); `fail` (a
    sensor on I²C doesn't answer); `mute` (says nothing); `version` (another protocol). What the line does to the bytes is the
    cable's part.

    >>> board = FakeBoard("left")
    >>> board.receive(bytes.fromhex("06 68 01 01 46 dd 00"), now=1_500_000_000)
    >>> board.to_send()[1:2]
    b'H'
    """

    def __init__(
        self,
        board_id: str = "",
        *,
        build: str = "nano 0.1.0",
        channels: Sequence[Can] = NANO,
        ring: int = RING,
        boot: int = 1,
        drift: int = 0,
        now: int = 0,
    ) -> None:
        self.id = board_id
        self.build = build
        self.channels = tuple(channels)
        self.boot = boot
        self.version = VERSION
        self.mute = False
        self.full = False
        self.reader = FrameReader()
        self._ring_size = ring
        self._drift = drift
        self._levels = [0] * len(self.channels)
        self._start(now, cause=1)

    def _start(self, now: int, cause: int) -> None:
        self._booted = now
        self._cause = cause
        self.settings = [Setting(Mode.OFF)] * len(self.channels)
        """How the host has told it to use each channel."""
        self._ring: deque[tuple[bytes, int]] = deque()  # a record, and its time in µs
        self._used = 0
        self._fullest = 0
        self._first = 0  # number of the oldest record in the ring
        self._sent = 0  # of the ring's records
        self._base = 0  # time of the record before the oldest
        self._latest = 0  # time of the newest
        self._overflow: int | None = None  # records that had no room
        self._lost = self._again_count = 0
        self._again = AGAIN
        self._again_at: int | None = None
        self._heard = now
        self._until: dict[int, int] = {}  # when an output goes off
        self.outputs: dict[int, int] = {}
        """The level of each output that isn't off."""
        self._out = bytearray(encode_frame("H", 0, encode_hello(self._hello(now))))

    # The pins

    def set(self, channel: int, level: int, now: int) -> None:
        """Move an input to a level; an edge is noted if the channel is a digital input."""
        if self._levels[channel] != level:
            self.set_unseen(channel, level)
            if self.settings[channel].mode in DIGITAL:
                self._note("edge", channel, level, now)

    def set_unseen(self, channel: int, level: int) -> None:
        """Fault: the level changes and the board misses the edge."""
        self._levels[channel] = level

    def read(self, channel: int, value: int, now: int) -> None:
        """Note a reading of a channel that is an analogue input, a bell or a sensor."""
        if self.settings[channel].mode in (Mode.ANALOGUE, Mode.BELL, Mode.SENSOR):
            self._note("reading", channel, value, now)

    def fail(self, channel: int, now: int, why: Failure = Failure.NO_ANSWER) -> None:
        """Fault: a sensor on I²C gives no readings, until the next `read`."""
        if self.settings[channel].mode is Mode.SENSOR:
            self._note("failed", channel, why, now)

    def reset(self, now: int, cause: int = 2) -> None:
        """Fault: it boots again. Pins keep their levels, all else is gone. Causes as in the protocol: 2 is the reset pin."""
        self.boot = (self.boot + 1) & 0xFFFF
        self._start(now, cause)

    def levels(self) -> int:
        """The levels of the digital inputs, bit 0 for channel 0."""
        digital = [channel for channel, setting in enumerate(self.settings) if setting.mode in DIGITAL]
        return level_mask((channel, self._levels[channel]) for channel in digital)

    # The ring

    def clock(self, now: int) -> int:
        """Its time in microseconds since it booted, before it wraps."""
        return (now - self._booted) * (1_000_000 + self._drift) // 1_000_000_000

    @property
    def next_number(self) -> int:
        """Of the record that it will write next."""
        return self._first + len(self._ring) & 0xFFFF

    def _note(self, kind: str, channel: int, value: int, now: int) -> None:
        if self._overflow is not None:
            self._free_up(now)
        record = Record(kind, self.clock(now), channel, value)  # type: ignore[arg-type]  # the callers name kinds
        if self._overflow is not None or not self._write(record):
            self._overflow = (self._overflow or 0) + 1

    def _write(self, record: Record) -> bool:
        coded = encode_record(record, self._latest)
        if self.full or self._used + len(coded) > self._ring_size:
            return False
        self._ring.append((coded, record.at))
        self._latest = record.at
        self._used += len(coded)
        self._fullest = max(self._fullest, self._used)
        return True

    def _free_up(self, now: int) -> None:
        """Tell what was lost, once there is room."""
        if self._overflow is not None and not self.full and self._ring_size - self._used >= ROOM:
            self._write(Record("lost", self.clock(now), 0, self._overflow))
            self._write(Record("levels", self.clock(now), 0, self.levels()))
            self._lost += self._overflow
            self._overflow = None

    def _note_levels(self, now: int) -> int:
        """Write a levels record; gives its number."""
        self._free_up(now)
        if self._overflow is None and self._write(Record("levels", self.clock(now), 0, self.levels())):
            return self.next_number - 1 & 0xFFFF
        self._overflow = self._overflow or 0
        return self.next_number + 1 & 0xFFFF

    # The line

    def receive(self, data: bytes, now: int) -> None:
        """Take what the host sent."""
        for frame in self.reader.feed(data):
            self._heard = now
            try:
                reply = self._answer(frame, now)
            except BadMessage:
                self.reader.bad += 1
            else:
                if reply is not None:
                    kind = chr(frame.kind).upper() if isinstance(reply, bytes) else "N"
                    self._out += encode_frame(kind, frame.tag, reply if isinstance(reply, bytes) else bytes((reply,)))

    def _answer(self, frame: Frame, now: int) -> bytes | int | None:
        """The payload of the reply, a code of refusal, or nothing."""
        payload, kind = frame.payload, chr(frame.kind)
        if not kind.islower() or (kind != "a" and frame.tag == 0) or (kind in "tls" and payload) or (kind == "h" and not payload):
            raise BadMessage("no request that can be read")
        match kind:
            case "h":
                self._sent, self._again, self._again_at = 0, AGAIN, None
                return encode_hello(self._hello(now))
            case "t":
                return encode_time(Time(self.clock(now), self.next_number))
            case "l":
                return encode_number(self._note_levels(now))
            case "c":
                return self._configure(payload)
            case "o":
                return self._output(payload, now)
            case "s":
                statistics = Statistics(self.reader.bad & 0xFFFF, self._again_count, self._lost, self._fullest, 0)
                return encode_statistics(statistics)
            case "i":
                try:
                    self.id = check_id(payload.decode("ascii")).decode("ascii")
                except ValueError:
                    return _SENSELESS
                return payload
            case "a":
                self._free(frame.tag, decode_number(payload))
                return None
            case _:
                return _UNKNOWN

    def _hello(self, now: int) -> Hello:
        first, following, time = self._first, self.next_number, self.clock(now) & 0xFFFFFFFF
        return Hello(self.boot, self._cause, first, following, time, self.id, self.build, self.channels, self.version)

    def _configure(self, payload: bytes) -> bytes | int:
        if len(payload) < SETTING_BYTES:
            raise BadMessage("settings that are cut off")
        channel, mode = payload[:2]
        if channel >= len(self.channels):
            return _NO_CHANNEL
        if mode not in set(Mode):
            return _SENSELESS
        if NEEDS[Mode(mode)] & ~self.channels[channel]:
            return _CANT
        try:
            _, setting = decode_setting(payload)
        except BadMessage:
            return _SENSELESS
        if not _sensible(setting):
            return _SENSELESS
        self._part(channel, setting.mode)
        self.settings[channel] = setting
        return payload

    def _part(self, channel: int, mode: Mode) -> None:
        """The pins of I²C are no inputs while a sensor hangs on them: whoever is configured later has them."""
        for other, can in enumerate(self.channels):
            if (mode is Mode.SENSOR and Can.BUS in can) or (
                mode is not Mode.OFF and Can.BUS in self.channels[channel] and can == Can.SENSOR
            ):
                self.settings[other] = Setting(Mode.OFF)

    def _output(self, payload: bytes, now: int) -> bytes | int:
        channel, level, milliseconds = decode_output(payload)
        if channel >= len(self.channels):
            return _NO_CHANNEL
        if self.settings[channel].mode is not Mode.OUTPUT:
            return _CANT
        self.outputs.pop(channel, None)
        self._until.pop(channel, None)
        if level:
            self.outputs[channel] = level
            if milliseconds:
                self._until[channel] = now + milliseconds * MS
        return payload

    def _free(self, tag: int, following: int) -> None:
        """Drop what the host has."""
        freed = (following - self._first) & 0xFFFF
        if tag != self.boot & 0xFF or not 0 < freed <= len(self._ring):
            return
        for _ in range(freed):
            coded, self._base = self._ring.popleft()
            self._used -= len(coded)
        self._first = following
        self._sent = max(0, self._sent - freed)
        self._again, self._again_at = AGAIN, None

    def advance(self, now: int) -> None:
        """Let time pass."""
        self._free_up(now)
        for channel, until in list(self._until.items()):
            if now >= until:
                del self._until[channel], self.outputs[channel]
        if self.outputs and now - self._heard >= DEAD_HOST:
            self.outputs.clear()
            self._until.clear()
        if self._again_at is not None and now >= self._again_at and self._sent:
            self._sent = 0
            self._again = min(2 * self._again, LONGEST_AGAIN)
            self._again_at = None
            self._again_count += 1
        while self._sent < len(self._ring):
            self._out += self._events()
        if self._sent and self._again_at is None:
            self._again_at = now + self._again

    def _events(self) -> bytes:
        """A frame of what wasn't sent yet."""
        number = self._first + self._sent & 0xFFFF
        base = self._ring[self._sent - 1][1] if self._sent else self._base
        records = b""
        while self._sent < len(self._ring) and len(records) + len(self._ring[self._sent][0]) <= RECORDS:
            records += self._ring[self._sent][0]
            self._sent += 1
        return encode_frame("E", self.boot & 0xFF, encode_events(number, base, records))

    def next_deadline(self) -> int | None:
        """When `advance` is due although nothing comes."""
        due = [*self._until.values()]
        if self._again_at is not None:
            due.append(self._again_at)
        if self.outputs:
            due.append(self._heard + DEAD_HOST)
        return min(due, default=None)

    def to_send(self) -> bytes:
        """The bytes that it says now."""
        data = b"" if self.mute else bytes(self._out)
        self._out.clear()
        return data
