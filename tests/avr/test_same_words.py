"""The board in Python and the firmware say the same bytes to the same words, but for what each measures of itself."""

from __future__ import annotations

import pytest

from firmware_bridge.fake_board import FakeBoard
from firmware_bridge.frames import Frame, FrameReader, encode_frame
from firmware_bridge.messages import (
    Bus,
    Failure,
    Form,
    Mode,
    Record,
    Setting,
    decode_events,
    decode_hello,
    decode_time,
    encode_events,
    encode_number,
    encode_output,
    encode_record,
    encode_setting,
)
from firmware_bridge.session import SECOND
from tests.avr.avr_kit import Line

pytestmark = pytest.mark.avr

BELL = Setting(Mode.BELL, 10, 300, 400)
GAUGE = Setting(Mode.SENSOR, 60_000, 1, bus=Bus(0x29, Form.HIGH_FIRST, b"\x5e", b"\0\x51"))
START = 100 * SECOND

SETTINGS = [
    encode_setting(channel, setting)
    for channel, setting in (
        (2, Setting(Mode.PULLED_UP)),
        (3, Setting(Mode.PULLED_UP)),
        (2, Setting(Mode.PULLED_UP)),
        (13, Setting(Mode.OUTPUT)),
        (14, BELL),
        (20, BELL),
        (21, Setting(Mode.OFF)),
        (0, Setting(Mode.OFF)),
        (0, Setting(Mode.INPUT)),
        (22, Setting(Mode.INPUT)),
        (20, Setting(Mode.PULLED_UP)),
        (2, BELL),
        (14, Setting(Mode.SENSOR, 10, 5)),
        (14, Setting(Mode.BELL, 0, 300, 400)),
        (14, Setting(Mode.BELL, 10, 1024, 400)),
        (14, Setting(Mode.BELL, 10, 300, 5)),
        (2, Setting(Mode.INPUT, 1)),
        (18, Setting(Mode.INPUT)),
        (22, GAUGE),
        (23, GAUGE._replace(bus=Bus(0x77, Form.BYTE))),
        (23, Setting(Mode.OFF)),
        (24, GAUGE),
        (2, GAUGE),
        (22, Setting(Mode.INPUT)),
        (22, GAUGE._replace(period=0)),
        (22, GAUGE._replace(tail=1)),
        (22, GAUGE._replace(bus=None)),
        (22, GAUGE._replace(bus=Bus(0x78, Form.BYTE))),
        (22, GAUGE._replace(bus=Bus(0x29, Form.BYTE, b"123"))),
        (22, GAUGE._replace(bus=Bus(0x29, Form.BYTE, b"", b"12345"))),
        (3, Setting(Mode.PULLED_UP, bus=Bus(0x29, Form.BYTE))),
    )
]
WORDS = [
    *(("c", setting) for setting in SETTINGS),
    ("c", b"\x02\x07\0\0\0\0\0\0"),
    ("c", b"\x02\x01\0\0\0\0\0\0\0"),
    ("c", encode_setting(22, GAUGE)[:-1]),
    ("c", encode_setting(22, GAUGE) + b"\0"),
    ("c", encode_setting(22, GAUGE)[:9] + b"\4" + encode_setting(22, GAUGE)[10:]),
    ("o", encode_output(13, 255, 10)),
    ("o", encode_output(13, 0, 0)),
    ("o", encode_output(12, 255, 0)),
    ("o", encode_output(40, 255, 0)),
    ("l", b""),
    ("i", b"left-3"),
    ("i", b"Left"),
    ("i", b"seventeen-letters"),
    ("i", b""),
    ("z", b"?"),
    ("h", b"\1"),
    ("h", b"\2"),
    # What can't be read isn't answered.
    ("c", b"\2\1"),
    ("o", b""),
    ("t", b"x"),
    ("s", b"x"),
    ("a", b"x"),
    ("h", b""),
    ("T", b""),
    ("H", b"\1"),
]


def frames(data: bytes) -> list[tuple[Frame, bytes]]:
    """The frames in what a board said, each with its bytes."""
    found = []
    for coded in data.split(b"\0"):
        found += [(frame, coded + b"\0") for frame in FrameReader().feed(coded + b"\0")]
    return found


def time_of(frame: Frame) -> int | None:
    """The board's time in a reply that has one, in µs."""
    return {"H": lambda: decode_hello(frame.payload).time, "T": lambda: decode_time(frame.payload).time}.get(
        chr(frame.kind), lambda: None
    )()


class Fake:
    """The board in Python, with the firmware's clock."""

    def __init__(self) -> None:
        self.board = FakeBoard(boot=0, now=START)
        self.board.to_send()
        for pin in (2, 3):
            self.board.set_unseen(pin, 1)
        self.us = 0

    def say(self, data: bytes = b"", us: int | None = None) -> bytes:
        """Hear this at that time of the board; gives all that it says to it."""
        self.us = max(self.us, us or 0)
        self.board.receive(data, self.now)
        self.board.advance(self.now)
        return self.board.to_send()

    def do(self, record: Record) -> None:
        """Let the same happen to it at the same time."""
        self.us = record.at
        match record.kind:
            case "edge":
                self.board.set(record.channel, record.value, self.now)
            case "reading":
                self.board.read(record.channel, record.value, self.now)
            case "failed":
                self.board.fail(record.channel, self.now, Failure(record.value))
            case _:
                self.board.receive(ASKS_LEVELS, self.now)

    @property
    def now(self) -> int:
        return START + self.us * 1000


ASKS_LEVELS = encode_frame("l", 100)


def replies(data: bytes) -> list[tuple[Frame, bytes]]:
    return [(frame, coded) for frame, coded in frames(data) if chr(frame.kind) != "E"]


def test_every_word_has_the_same_answer_byte_by_byte(line: Line) -> None:
    fake = Fake()
    for number, (kind, payload) in enumerate([*WORDS, ("t", b"")], 1):
        data = encode_frame(kind, number, payload)
        said = replies(line.board.run(110_000, data))
        if kind == "i" and payload == b"left-3":  # an EEPROM takes its time: it is asked again
            said = replies(line.board.run(110_000, data))
        us = next((time_of(frame) for frame, _ in said), None)
        assert [coded for _, coded in replies(fake.say(data, us))] == [coded for _, coded in said], (kind, payload)
    [(statistics, _)] = replies(line.board.run(20_000, encode_frame("s", 200)))
    [(expected, _)] = replies(fake.say(encode_frame("s", 200)))
    assert (statistics.tag, statistics.payload[:2]) == (expected.tag, expected.payload[:2]), "the rest each measures of itself"


def test_records_of_every_kind_are_the_same_bytes_for_the_same_times(line: Line) -> None:
    fake = Fake()
    kinds = set()

    def follow(data: bytes) -> None:
        expected = None
        for frame, coded in frames(data):
            if chr(frame.kind) == "E":
                number, records = decode_events(frame.payload)
                for record in records:
                    kinds.add(record.kind)
                    fake.do(record)
                assert [coded] == [own for told, own in frames(fake.say()) if chr(told.kind) == "E"], records
                expected = number + len(records)
        if expected is not None:
            acknowledgement = encode_frame("a", 0, encode_number(expected))
            assert line.board.run(2_000, acknowledgement) == fake.say(acknowledgement) == b""

    line.board.do("i2c 29 5e 0141")
    for channel, setting in (
        (2, Setting(Mode.PULLED_UP)),
        (3, Setting(Mode.PULLED_UP)),
        (14, Setting(Mode.ANALOGUE, 5, 10)),
        (22, GAUGE._replace(period=20)),
    ):
        data = encode_frame("c", channel, encode_setting(channel, setting))
        said = line.board.run(6_000, data)
        assert replies(said) == replies(fake.say(data))
        follow(said)
    for command in ("pin D2 0", "pin D2 1", "pin D3 0", "adc 0 2500", "adc 0 100", "ask", "i2c 29 5e 0241", "pin D3 1", "ask"):
        if command != "ask":
            line.board.do(command)
        follow(line.board.run(40_000, ASKS_LEVELS if command == "ask" else b""))
    line.board.do("i2c 29 gone")
    follow(line.board.run(55_000))
    follow(line.board.run(30_000))
    assert kinds == {"edge", "reading", "levels", "failed"}


def test_what_a_full_ring_tells_is_the_same_bytes(line: Line) -> None:
    line.configure(2, Setting(Mode.PULLED_UP))
    for turn in range(450):
        line.board.pin(2, turn % 2, after_us=1000 * (turn + 1))
    said, expected = line.board.run(600_000), 0
    for _ in range(8):
        told = [decode_events(frame.payload) for frame, _ in frames(said) if chr(frame.kind) == "E"]
        expected = max(number + len(records) for number, records in told)
        said += line.board.run(100_000, encode_frame("a", 0, encode_number(expected)))
    kinds = set()
    for frame, coded in frames(said):
        number, records = decode_events(frame.payload)
        before = int.from_bytes(frame.payload[2:6], "little")
        again = b""
        for at, record in zip([before, *(record.at for record in records)], records, strict=False):
            again += encode_record(record, at)
            kinds.add(record.kind)
        assert encode_frame("E", 0, encode_events(number, before, again)) == coded
    assert kinds == {"edge", "lost", "levels"}
