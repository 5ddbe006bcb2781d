"""The firmware itself, on a simulated ATmega328P, frame by frame."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from firmware_bridge.frames import encode_frame
from firmware_bridge.messages import (
    Bus,
    Failure,
    Form,
    Mode,
    Record,
    Setting,
    decode_hello,
    decode_statistics,
    decode_time,
    encode_number,
    encode_output,
    encode_setting,
)
from tests.avr.avr_kit import BYTE_US, CYCLES_US, Board, Line, records

pytestmark = pytest.mark.avr

PULLED_UP = Setting(Mode.PULLED_UP)
BELL = Setting(Mode.BELL, period=10, threshold=300, tail=200)
LOOK_US = 500
ROUND_US = 500
"""The longest round of the loop that the timing budget allows."""


def driven(line: Line, edges: list[tuple[int, int]], gap: int) -> list[tuple[int, int, int]]:
    """Move pins, one each `gap` µs from now; gives (board's time in µs, pin, level) of each."""
    now = line.board.cycle // CYCLES_US
    for turn, (pin, level) in enumerate(edges, 1):
        line.board.pin(pin, level, after_us=turn * gap)
    return [(now + turn * gap, pin, level) for turn, (pin, level) in enumerate(edges, 1)]


def edges_of(found: dict[int, Record]) -> list[Record]:
    return [record for record in found.values() if record.kind == "edge"]


def test_it_says_hello_by_itself_and_when_asked(line: Line) -> None:
    [greeting] = line.frames
    assert (chr(greeting.kind), greeting.tag) == ("H", 0)
    hello = line.hello()
    assert (hello.boot, hello.why, hello.id, hello.build) == (0, "power came on", "", "nano 0.1.0")
    assert decode_hello(greeting.payload).channels == hello.channels
    assert len(hello.channels) == 24


def test_a_mega_tells_its_seventy_channels(simulator: Path) -> None:
    with Board(simulator, "mega") as board:
        line = Line(board)
        line.run(20_000)
        hello = line.hello()
        assert hello.build == "mega 0.1.0"
        assert [int(can) for can in hello.channels] == [0] * 2 + [19] * 18 + [83] * 2 + [19] * 32 + [31] * 16 + [32] * 2
        for channel in range(54, 70):
            line.configure(channel, BELL)
        board.do("adc 9 4000")
        line.run(60_000)
        assert {record.channel for record in records(line.frames).values()} == {54 + 9}


def test_its_clock_is_the_crystals(line: Line) -> None:
    boot_us = None
    for wait in (0, 30_000, 400_000, 2_000_000):
        line.run(wait)
        sent = line.board.cycle
        line.run(20_000, encode_frame("t", 200))
        time = decode_time(line.frames[-1].payload).time
        offset = sent / CYCLES_US + 6 * BYTE_US - time
        boot_us = offset if boot_us is None else boot_us
        assert abs(offset - boot_us) < LOOK_US
        line.frames.clear()


def test_edges_come_in_order_with_the_time_at_which_they_were_seen(line: Line) -> None:
    for pin in range(2, 8):
        line.configure(pin, PULLED_UP)
    moves = [(2 + turn % 6, turn // 6 % 2) for turn in range(60)]
    at = driven(line, moves, gap=5_000)
    offset = line.board.cycle / CYCLES_US - decode_time(line.ask("t", us=3000).payload).time
    line.run(400_000)
    found = edges_of(records(line.frames))
    assert [(record.channel, record.value) for record in found] == moves
    late = [record.at - (moved - offset) for record, (moved, _, _) in zip(found, at, strict=True)]
    assert max(late) - min(late) < LOOK_US + ROUND_US


def test_what_is_not_acknowledged_is_said_again_and_what_is_never_comes_back(line: Line) -> None:
    line.configure(2, PULLED_UP)
    driven(line, [(2, 0), (2, 1), (2, 0)], gap=10_000)
    line.run(200_000)
    events = [frame for frame in line.frames if chr(frame.kind) == "E"]
    assert len(events) >= 4, "three as they happened, and one with all of them"
    assert sorted(records(line.frames)) == [0, 1, 2]
    line.acknowledge(0, 2)
    line.frames.clear()
    line.run(1_000_000)
    assert sorted(records(line.frames)) == [2]
    line.acknowledge(7, 3)
    line.acknowledge(0, 9)
    line.frames.clear()
    line.run(1_100_000)
    assert sorted(records(line.frames)) == [2], "neither another boot's word nor a number that it doesn't hold is believed"
    line.acknowledge(0, 3)
    line.frames.clear()
    line.run(1_200_000)
    assert line.frames == []
    assert decode_statistics(line.ask("s").payload).sent_again >= 3


def test_overflow_is_told_with_the_exact_number_then_the_levels(line: Line) -> None:
    line.configure(2, PULLED_UP)
    line.configure(3, PULLED_UP)
    moves = [(2 + turn % 2, turn // 2 % 2) for turn in range(601)]
    driven(line, moves, gap=2_000)
    line.run(1_400_000)
    expected = 0
    while True:
        found = records(line.frames)
        if expected == len(found):
            break
        expected = len(found)
        line.acknowledge(0, expected, us=150_000)
    found = records(line.frames)
    kinds = [record.kind for record in found.values()]
    told = kinds.index("lost")
    assert kinds == ["edge"] * told + ["lost", "levels"]
    assert [(record.channel, record.value) for record in edges_of(found)] == moves[:told]
    assert (found[told].value, found[told + 1].value) == (601 - told, 1 << 3)
    assert told >= 1152 // 3 - 1
    statistics = decode_statistics(line.ask("s").payload)
    assert (statistics.lost, statistics.fullest) == (601 - told, pytest.approx(1152, abs=3))
    line.board.pin(3, 0)
    line.run(20_000)
    assert records(line.frames)[told + 2][2:] == (3, 0)


def test_levels_are_those_of_the_digital_inputs(line: Line) -> None:
    for pin, mode in ((2, Mode.PULLED_UP), (3, Mode.PULLED_UP), (14, Mode.INPUT), (5, Mode.OUTPUT)):
        line.configure(pin, Setting(mode))
    line.board.pin(2, 0)
    line.board.pin(14, 1)
    line.ask("o", encode_output(5, 255, 0))
    line.run(20_000)
    number = int.from_bytes(line.ask("l").payload, "little")
    assert records(line.frames)[number].value == 1 << 3 | 1 << 14
    assert line.board.do("out D5") == ["1"]


def test_a_digital_input_takes_its_level_silently(line: Line) -> None:
    line.board.pin(4, 0)
    line.configure(4, PULLED_UP)
    line.configure(5, PULLED_UP)
    line.run(50_000)
    assert records(line.frames) == {}


def test_settings_are_confirmed_when_they_are_in_force(line: Line) -> None:
    setting = encode_setting(14, BELL)
    assert line.ask("c", setting).payload == setting
    refused = line.ask("c", encode_setting(30, PULLED_UP))
    assert (chr(refused.kind), refused.payload) == ("N", b"\2")


def test_a_bell_sends_its_envelope_and_is_quiet_otherwise(line: Line) -> None:
    for channel in (14, 15, 21):
        line.configure(channel, BELL)
    before = line.board.do("stat")[1]
    line.run(2_000_000)
    assert line.board.do("stat")[1] == before, "not one byte while nothing rings"
    envelope = [round(900 * 0.98 ** (ms / 2)) for ms in range(300)]
    for ms, steps in enumerate(envelope):
        line.board.adc(1, steps, after_us=10_000 + ms * 1000)
    line.board.adc(1, 0, after_us=320_000)
    line.run(1_000_000)
    found = list(records(line.frames).values())
    assert {(record.kind, record.channel) for record in found} == {("reading", 15)}
    assert len(found) == 1 + 20
    gaps = [(late.at - early.at) / 1000 for early, late in pairwise(found)]
    assert gaps == pytest.approx([10] * 20, abs=1)
    expected = [900, *(envelope[ms] for ms in range(0, 200, 10))]
    assert [record.value for record in found] == pytest.approx(expected, abs=25)


@pytest.mark.parametrize(("kind", "bells"), [("nano", 8), ("mega", 10)])
def test_all_bells_of_a_table_ring_at_once_and_none_of_it_is_lost(simulator: Path, kind: str, bells: int) -> None:
    first = 14 if kind == "nano" else 54
    with Board(simulator, kind) as board:
        line = Line(board)
        line.run(20_000)
        for channel in range(first, first + bells):
            line.configure(channel, BELL._replace(tail=1000))
        for index in range(bells):
            board.adc(index, 600 + 20 * index, after_us=3_000)
        said, expected = int(board.do("stat")[1]), 0
        for _ in range(100):
            line.run(10_000, encode_frame("a", 0, encode_number(expected)))
            expected = len(records(line.frames))
        assert int(board.do("stat")[1]) - said < 11_520 * 0.7
        told = list(records(line.frames).values())
        for index in range(bells):
            ring = [record for record in told if record.channel == first + index]
            assert len(ring) == pytest.approx(100, abs=2), "its onset, and its loudest each ten milliseconds"
            assert [record.value for record in ring] == pytest.approx([600 + 20 * index] * len(ring), abs=3)
            assert max(late.at - early.at for early, late in pairwise(ring)) < 12_000
        onsets = [next(record.at for record in told if record.channel == first + index) for index in range(bells)]
        assert max(onsets) - min(onsets) < 2 * LOOK_US + ROUND_US
        statistics = decode_statistics(line.ask("s").payload)
        assert (statistics.lost, statistics.sent_again) == (0, 0)
        assert statistics.longest_loop <= ROUND_US


@pytest.mark.parametrize("kind", ["nano", "mega"])
def test_whatever_comes_together_no_round_of_the_loop_takes_too_long(simulator: Path, kind: str) -> None:
    """Every input of the board moves at once, every bell is struck, a sensor is read, all is asked, and the ring overflows."""
    pins, bells, sensor = (
        (PINS_OF_A_NANO, (14, 15, 16, 17, 20, 21), 22) if kind == "nano" else (PINS_OF_A_MEGA, range(54, 70), 70)
    )
    with Board(simulator, kind) as board:
        line = Line(board)
        line.run(20_000)
        for channel, pin in pins.items():
            board.do(f"pin {pin} 1")
            line.configure(channel, PULLED_UP)
        for channel in bells:
            line.configure(channel, BELL._replace(tail=1000))
        board.do("i2c 29 5e 0102")
        line.configure(sensor, Setting(Mode.SENSOR, 10, 1, bus=Bus(0x29, Form.HIGH_FIRST, b"\x5e", b"12")))
        line.run(20_000)
        for turn in range(24):
            board.do(f"i2c 29 5f {turn:02x}")
            for pin in pins.values():
                board.do(f"at 3000 pin {pin} {turn % 2}")
            for channel in bells:
                board.adc(channel - bells[0], 600, after_us=3_000)
            asked = b"".join(encode_frame(kind, 1 + turn, b"\1" if kind == "h" else b"") for kind in "htls")
            line.run(25_000, asked if turn % 3 else b"")
        expected = 0
        for _ in range(3):  # the host is back, and hears what was lost
            expected = len(records(line.frames))
            line.run(100_000, encode_frame("a", 0, encode_number(expected)))
        told = [record for record in records(line.frames).values() if record.kind != "reading"]
        before = told[: next((place for place, record in enumerate(told) if record.kind == "lost"), len(told))]
        for channel in pins:
            values = [record.value for record in before if record.channel == channel]
            assert values == [turn % 2 for turn in range(len(values))]
            assert values
        statistics = decode_statistics(line.ask("s").payload)
        assert statistics.lost > 0
        assert statistics.longest_loop <= ROUND_US


def named(pins: str) -> dict[int, str]:
    """Which channel is which pin of the chip, from D2 on; those of the line and of I²C left out."""
    return {channel: pin for channel, pin in enumerate(pins.split(), 2) if pin != "-"}


PINS_OF_A_NANO = named("D2 D3 D4 D5 D6 D7 B0 B1 B2 B3 B4 B5")
PINS_OF_A_MEGA = named(
    "E4 E5 G5 E3 H3 H4 H5 H6 B4 B5 B6 B7 J1 J0 H1 H0 D3 D2 - - A0 A1 A2 A3 A4 A5 A6 A7 "
    "C7 C6 C5 C4 C3 C2 C1 C0 D7 G2 G1 G0 L7 L6 L5 L4 L3 L2 L1 L0 B3 B2 B1 B0"
)


def test_half_a_second_of_the_busiest_play_waits_for_a_host_that_is_away(line: Line) -> None:
    for pin in range(2, 8):
        line.configure(pin, PULLED_UP)
    for channel in (14, 15, 16):
        line.configure(channel, BELL._replace(tail=500))
    moves = [(2 + turn % 6, turn // 6 % 2) for turn in range(100)]
    driven(line, moves, gap=5_000)
    for index in range(3):
        line.board.adc(index, 600 + index, after_us=2_000)
        line.board.adc(index, 0, after_us=520_000)
    line.run(500_000)
    statistics = decode_statistics(line.ask("s", us=8_000).payload)
    assert statistics.lost == 0
    assert 900 < statistics.fullest < 1152
    line.run(1_500_000)
    found = records(line.frames)
    assert [(record.channel, record.value) for record in edges_of(found)] == moves[: len(edges_of(found))]
    assert len(edges_of(found)) >= 99


def test_a_gauge_tells_what_moved(line: Line) -> None:
    line.configure(16, Setting(Mode.ANALOGUE, period=20, threshold=30))
    for turn, steps in enumerate((100, 120, 131, 900)):
        line.board.adc(2, steps, after_us=5000 + turn * 100_000)
    line.run(500_000)
    assert [record.value for record in records(line.frames).values()] == pytest.approx([0, 100, 131, 900], abs=2)


@pytest.mark.parametrize(("kind", "channel"), [("nano", 22), ("mega", 71)])
def test_a_sensor_on_i2c_is_read_and_told_when_it_moves_or_goes(simulator: Path, kind: str, channel: int) -> None:
    with Board(simulator, kind) as board:
        line = Line(board)
        line.run(20_000)
        board.do("i2c 29 5e 0141")
        setting = Setting(Mode.SENSOR, period=20, threshold=2, bus=Bus(0x29, Form.HIGH_FIRST, b"\x5e", b"\x10\x51"))
        assert line.configure(channel, setting).payload == encode_setting(channel, setting)
        told = []
        for command in ("noise 0", "i2c 29 5e 0142", "i2c 29 5e 0150", "i2c 29 gone", "i2c 29 5e 0150"):
            board.do(command)
            line.run(200_000)
            found = list(records(line.frames).values())
            told.append([(record.kind, record.channel, record.value) for record in found[sum(map(len, told)) :]])
        reading, failed = ("reading", channel, 0x150), ("failed", channel, Failure.NO_ANSWER)
        assert told == [[("reading", channel, 0x141)], [], [reading], [failed], [reading]]
        assert board.do("said 29") == ["1051"]
        assert decode_statistics(line.ask("s").payload).longest_loop <= ROUND_US


def test_its_name_stays_when_the_power_goes(line: Line) -> None:
    line.ask_again("i", b"left-3")
    assert line.hello().id == "left-3"
    line.board.do("reset")
    line.run(20_000)
    hello = line.hello()
    assert (hello.id, hello.boot, hello.why) == ("left-3", 1, "its reset pin")
    assert (hello.first, hello.next) == (0, 0)
    line.ask_again("i", b"x")
    line.board.do("reset")
    line.run(20_000)
    assert line.hello().id == "x"


@pytest.mark.parametrize("left_over", [b"\x03\xff\x80a", b"\x03a\0b", b"\x04Left", b"\x00abc", b"\x11" + b"a" * 17])
def test_what_another_program_left_in_the_eeprom_is_no_name_and_stands_in_nobodys_way(line: Line, left_over: bytes) -> None:
    line.board.do(f"eeprom 2 {left_over.hex()}")
    line.board.do("reset")
    line.run(20_000)
    assert line.hello().id == ""
    line.ask_again("i", b"left")
    assert line.hello().id == "left"


def test_a_program_that_hangs_is_woken_by_the_watchdog(line: Line) -> None:
    line.configure(13, Setting(Mode.OUTPUT))
    line.ask("o", encode_output(13, 255, 0))
    line.board.do("hang")
    assert line.run(200_000) == []
    [greeting] = line.run(200_000)
    assert decode_hello(greeting.payload).why == "its watchdog"
    assert line.board.do("out B5") == ["0"]


def test_outputs_go_off_when_the_host_is_silent(line: Line) -> None:
    line.configure(13, Setting(Mode.OUTPUT))
    line.ask("o", encode_output(13, 255, 0))
    line.run(4_900_000)
    assert line.board.do("out B5") == ["1"]
    line.run(200_000)
    assert line.board.do("out B5") == ["0"]


def test_an_hour_of_noise_does_not_move_it(line: Line) -> None:
    line.configure(2, PULLED_UP)
    noise = bytes(turn * turn * 31 % 255 + 1 if turn % 23 else 0 for turn in range(11_520))
    line.run(1_000_000, noise)
    assert [frame for frame in line.frames if chr(frame.kind) not in "HC"] == []
    line.run(100_000, b"\0")
    driven(line, [(2, 0)], gap=1000)
    line.run(50_000)
    assert records(line.frames)[0][2:] == (2, 0)
    statistics = decode_statistics(line.ask("s").payload)
    assert statistics.bad_frames == pytest.approx(11_520 / 23, rel=0.1)


def test_the_stack_keeps_off_the_variables(line: Line) -> None:
    for channel in (14, 15, 16, 17, 20, 21):
        line.configure(channel, BELL)
    for pin in range(2, 14):
        line.configure(pin, PULLED_UP)
        line.board.pin(pin, 0)
    for index in range(8):
        line.board.adc(index, 900)
    line.configure(22, Setting(Mode.SENSOR, period=5, threshold=1, bus=Bus(0x29, Form.HIGH_FIRST, b"\x5e", b"\x10\x51")))
    line.run(300_000, b"".join(encode_frame(kind, 1, b"\1" if kind == "h" else b"") for kind in "hstl"))
    lowest = int(line.board.do("stat")[0])
    end_of_variables = 0x100 + 32 + 1776
    assert lowest - end_of_variables >= 64
