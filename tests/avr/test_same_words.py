"""The board in Python and the firmware say the same bytes to the same words, but for what each measures of itself."""

from __future__ import annotations

import pytest

from firmware_bridge.fake_board import FakeBoard
from firmware_bridge.frames import Frame, FrameReader, encode_frame
from firmware_bridge.messages import (
    Bus,
    Form,
    Mode,
    Setting,
    decode_events,
    decode_hello,
    encode_events,
    encode_hello,
    encode_output,
    encode_record,
    encode_setting,
)
from firmware_bridge.session import MS, SECOND
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


def plain(frame: Frame) -> tuple[str, int, bytes]:
    """A frame without what differs between any two boards: their times and what they measure of themselves."""
    kind, tag, payload = frame
    match chr(kind):
        case "H":
            hello = decode_hello(payload)
            assert encode_hello(hello) == payload
            return "H", tag, payload.replace(hello.time.to_bytes(4, "little"), bytes(4), 1)
        case "T":
            return "T", tag, bytes(4) + payload[4:]
        case "S":
            return "S", tag, payload[:2] + bytes(10)
        case letter:
            return letter, tag, payload


class Fake:
    """The board in Python, as plain as `Line`."""

    def __init__(self) -> None:
        self.board = FakeBoard(boot=0, now=START)
        self.reader = FrameReader()
        self.now = START

    def run(self, us: int, data: bytes = b"") -> list[Frame]:
        self.board.receive(data, self.now)
        self.now += us * 1000
        self.board.advance(self.now)
        return self.reader.feed(self.board.to_send())


@pytest.fixture
def both(line: Line) -> tuple[Line, Fake]:
    fake = Fake()
    fake.run(20_000)
    for pin in (2, 3):
        fake.board.set_unseen(pin, 1)
    return line, fake


def test_every_word_has_the_same_answer(both: tuple[Line, Fake]) -> None:
    line, fake = both
    for number, (kind, payload) in enumerate([*WORDS, ("t", b""), ("s", b"")], 1):
        data = encode_frame(kind, number, payload)
        answers = []
        for board in (line, fake):
            said = board.run(110_000, data)
            if kind == "i" and board is line and payload == b"left-3":  # an EEPROM takes its time: it is asked again
                said = board.run(110_000, data)
            answers.append([plain(frame) for frame in said if chr(frame.kind) != "E"])
        assert answers[0] == answers[1], (kind, payload)


def test_records_are_the_same_bytes_for_the_same_times(both: tuple[Line, Fake]) -> None:
    line, fake = both
    for pin in (2, 3):
        line.configure(pin, Setting(Mode.PULLED_UP))
        fake.run(20_000, encode_frame("c", pin, encode_setting(pin, Setting(Mode.PULLED_UP))))
    line.frames.clear()
    moves = [(2 + turn % 2, turn // 2 % 2) for turn in range(12)]
    for turn, (pin, level) in enumerate(moves):
        line.board.pin(pin, level, after_us=(1 << turn) * 30)
    line.run(59_000)
    for frame in line.frames:
        assert (chr(frame.kind), frame.tag) == ("E", 0)
        number, records = decode_events(frame.payload)
        base = int.from_bytes(frame.payload[2:6], "little")
        again, before = b"", base
        for record in records:
            again += encode_record(record, before)
            before = record.at
        assert encode_events(number, base, again) == frame.payload
    for pin, level in moves:
        fake.now += MS
        fake.board.set(pin, level, fake.now)
    told = [record[2:] for frame in fake.run(1000) for record in decode_events(frame.payload).records]
    assert told == moves
