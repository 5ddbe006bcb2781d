"""Frames and messages are what docs/protocol.md says, byte by byte."""

from __future__ import annotations

import re
from binascii import crc_hqx
from pathlib import Path

import pytest
from cobs import cobs
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import clock, fake_board, messages, session
from firmware_bridge.fake_board import NANO, FakeBoard
from firmware_bridge.frames import LONGEST, Frame, FrameReader, encode_frame
from firmware_bridge.messages import (
    CHANNELS,
    RECORDS,
    BadMessage,
    Bus,
    Events,
    Failure,
    Form,
    Hello,
    Mode,
    Record,
    Setting,
    Statistics,
    Time,
    decode_events,
    decode_hello,
    decode_number,
    decode_setting,
    encode_events,
    encode_hello,
    encode_number,
    encode_record,
    encode_setting,
    encode_statistics,
    encode_time,
)
from firmware_bridge.session import Session

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "protocol.md").read_text()
_SAID = re.compile(r"^    (host|board)  ? ?((?:[0-9a-f]{2} ?)+(?:\n +(?:[0-9a-f]{2} ?)+)*)$", re.MULTILINE)
HELLO, ANSWER, EDGES, ACK = (bytes.fromhex(said) for _, said in _SAID.findall(PAGE))
"""The frames of the example."""


def one(data: bytes) -> Frame:
    [frame] = FrameReader().feed(data)
    return frame


def test_the_example_of_the_page_is_understood() -> None:
    assert one(HELLO) == Frame(ord("h"), 1, b"\1")
    answer = one(ANSWER)
    assert (answer.kind, answer.tag) == (ord("H"), 1)
    assert decode_hello(answer.payload) == Hello(41, 1, 0, 0, 1_500_000, "left", "nano 0.1.0", NANO)
    edges = one(EDGES)
    assert (edges.kind, edges.tag) == (ord("E"), 41)
    assert decode_events(edges.payload) == Events(7, [Record("edge", 2_005_000, 3, 1), Record("edge", 2_007_000, 3, 0)])
    assert one(ACK) == Frame(ord("a"), 41, encode_number(9))


def test_the_example_of_the_page_is_what_we_say() -> None:
    host = Session("board:left")
    host.opened(0)
    assert host.to_send() == b"\0" + HELLO
    board = FakeBoard("left", boot=41)
    board.to_send()
    board.receive(HELLO, 1_500_000_000)
    assert board.to_send() == ANSWER
    first = encode_record(Record("edge", 2_005_000, 3, 1), 2_000_000)
    second = encode_record(Record("edge", 2_007_000, 3, 0), 2_005_000)
    assert encode_frame("E", 41, encode_events(7, 2_000_000, first + second)) == EDGES
    assert encode_frame("a", 41, encode_number(9)) == ACK


def test_the_example_of_the_page_before_cobs() -> None:
    body = cobs.decode(EDGES[:-1])
    spelled = PAGE[PAGE.index("Before COBS") :]
    told = b"".join(bytes.fromhex(part) for part in re.findall(r"`([0-9a-f ]+)`", spelled))
    assert body == told
    assert crc_hqx(body[:-2], 0xFFFF) == int.from_bytes(body[-2:], "little")


def test_the_numbers_of_the_page_are_those_of_the_code() -> None:
    assert f"records | 1\N{EN DASH}{RECORDS} " in PAGE
    assert f"There are {CHANNELS} at the most" in PAGE
    assert f"| ring of records | {fake_board.RING:,} |" in PAGE
    assert f"each {session.REPEAT // session.MS} ms until the reply" in PAGE
    assert f"host waits for {session.CHARGING // session.MS} ms before it asks for the levels" in PAGE
    assert f"out for {fake_board.AGAIN // fake_board.MS} ms" in PAGE
    assert f"When {fake_board.ROOM} bytes are free" in PAGE
    assert (session.SILENCE, session.PATIENCE) == (3 * clock.SECOND, 6 * clock.SECOND)
    assert "three seconds (six after" in PAGE
    assert "wraps after 71.6 minutes" in PAGE
    for kind in "htclosi":
        assert re.search(rf"^\| `{kind}` .* \| `{kind.upper()}` \|", PAGE, re.MULTILINE)
    for mode in Mode:
        assert re.search(rf"^\| {mode.value} \| {_WORDS[mode]}", PAGE, re.MULTILINE)
    longest = encode_frame("E", 255, b"\xff" * (6 + RECORDS))
    assert len(longest) <= 96
    assert len(longest) - 1 <= LONGEST


_WORDS = {
    Mode.OFF: "off",
    Mode.INPUT: "digital input",
    Mode.PULLED_UP: "digital input with pull-up",
    Mode.ANALOGUE: "analogue",
    Mode.BELL: "bell",
    Mode.OUTPUT: "output",
    Mode.SENSOR: "sensor",
}

CHANNEL = st.integers(0, CHANNELS - 1)
RECORD = st.one_of(
    st.builds(Record, st.just("edge"), st.integers(0, 2**32 - 1), CHANNEL, st.integers(0, 1)),
    st.builds(Record, st.just("reading"), st.integers(0, 2**32 - 1), CHANNEL, st.integers(0, 2**16 - 1)),
    st.builds(Record, st.just("lost"), st.integers(0, 2**32 - 1), st.just(0), st.integers(0, 2**32 - 1)),
    st.builds(Record, st.just("levels"), st.integers(0, 2**32 - 1), st.just(0), st.integers(0, 2**72 - 1)),
    st.builds(Record, st.just("failed"), st.integers(0, 2**32 - 1), CHANNEL, st.sampled_from(Failure)),
)


@given(st.integers(0, 2**16 - 1), st.integers(0, 2**32 - 1), st.lists(RECORD, min_size=1, max_size=5))
def test_records_go_over_the_wire_as_they_are(number: int, base: int, records: list[Record]) -> None:
    coded, before = b"", base
    for record in records:
        coded += encode_record(record, before)
        before = record.at
    payload = encode_events(number, base, coded)
    assert decode_events(payload) == Events(number, records)
    assert one(encode_frame("E", 7, payload)) == Frame(ord("E"), 7, payload)
    for end in range(len(payload)):
        try:
            cut = decode_events(payload[:end])
        except BadMessage:
            continue
        assert cut.records == records[: len(cut.records)], "cut between two records"


@pytest.mark.parametrize(
    ("record", "size"),
    [
        (Record("edge", 5_000, 71, 1), 3),
        (Record("edge", 2**32 - 1, 0, 0), 6),
        (Record("reading", 10_000, 14, 1023), 5),
        (Record("lost", 1, 0, 9), 6),
        (Record("levels", 1, 0, 9), 11),
        (Record("failed", 1, 22, 1), 4),
    ],
)
def test_records_have_the_sizes_that_the_page_counts_with(record: Record, size: int) -> None:
    assert len(encode_record(record, 0)) == size


@given(st.binary(max_size=120))
def test_any_payload_is_read_or_refused(payload: bytes) -> None:
    for decode in (decode_events, decode_hello, decode_setting, decode_number):
        try:
            decode(payload)
        except BadMessage as error:
            assert str(error)  # noqa: PT017 - either is right, no other error is


def test_payloads_of_known_bytes() -> None:
    assert encode_setting(14, Setting(Mode.BELL, 10, 300, 400)) == bytes.fromhex("0e 04 0a00 2c01 9001")
    gauge = Setting(Mode.SENSOR, 50, 1, bus=Bus(0x29, Form.LOW_FIRST, b"\x5e", b"\0\x51"))
    spelled = bytes.fromhex("16 06 3200 0100 0000 29 03 01 5e 02 00 51")
    assert encode_setting(22, gauge) == spelled
    assert decode_setting(spelled) == (22, gauge)
    assert encode_time(Time(0x1_0000_0001, 2)) == bytes.fromhex("01000000 0200")
    assert encode_statistics(Statistics(1, 2, 3, 4, 5)) == bytes.fromhex("0100 0200 03000000 0400 0500")
    with pytest.raises(BadMessage, match="there is no mode 9"):
        decode_setting(bytes((3, 9, 0, 0, 0, 0, 0, 0)))
    for wrong in (spelled[:-1], spelled + b"\0", spelled[:9], spelled[:9] + b"\4" + spelled[10:]):
        with pytest.raises(BadMessage, match="a sensor's setting that"):
            decode_setting(wrong)


def test_a_hello_of_another_version_is_read_no_further() -> None:
    assert decode_hello(b"\x07rest that may mean anything").version == 7
    payload = encode_hello(Hello(1, 9, 2, 3, 4, "", "mega", ()))
    assert decode_hello(payload).why == "power came on and its watchdog"
    with pytest.raises(BadMessage):
        decode_hello(payload + b"\0")


@pytest.mark.parametrize("board_id", ["", "a" * 17, "Left", "left hand", "ü"])
def test_what_can_not_be_an_id(board_id: str) -> None:
    with pytest.raises(ValueError, match="can't be a board's id"):
        messages.check_id(board_id)
    assert messages.check_id("left-2") == b"left-2"


@given(st.binary(max_size=60), st.integers(0, 59), st.integers(0, 7))
def test_a_flipped_bit_never_passes(payload: bytes, byte: int, bit: int) -> None:
    coded = bytearray(encode_frame("E", 1, payload))
    place = byte % (len(coded) - 1)
    coded[place] ^= 1 << bit
    assert one_or_none(bytes(coded)) in (None, Frame(ord("E"), 1, payload))
    assert one_or_none(bytes(coded)) is None or bytes(coded) == encode_frame("E", 1, payload)


def one_or_none(data: bytes) -> Frame | None:
    frames = FrameReader().feed(data)
    return frames[0] if frames else None


@given(st.lists(st.binary(max_size=40), max_size=10), st.lists(st.integers(1, 30), min_size=1))
def test_a_stream_may_come_in_any_pieces(payloads: list[bytes], sizes: list[int]) -> None:
    stream = b"".join(encode_frame("x", 1, payload) for payload in payloads)
    reader, frames, turn = FrameReader(), [], 0
    while stream:
        size = sizes[turn % len(sizes)]
        frames += reader.feed(stream[:size])
        stream, turn = stream[size:], turn + 1
    assert [frame.payload for frame in frames] == payloads
    assert reader.bad == 0
