"""Sensors on I²C in the firmware, with a bus of the test's own: what is read and written, told, and made of failures."""

from __future__ import annotations

import ctypes

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware_bridge.fake_board import FakeBoard
from firmware_bridge.frames import FrameReader, encode_frame
from firmware_bridge.messages import Bus, Failure, Form, Mode, Record, Setting, encode_setting
from firmware_bridge.session import MS
from tests.firmware_bridge.firmware.host_kit import HostFirmware
from tests.firmware_bridge.firmware.test_parts import START, Bench

pytestmark = pytest.mark.avr

ADDRESS = 0x29
GAUGE = Setting(Mode.SENSOR, period=20, threshold=5, bus=Bus(ADDRESS, Form.HIGH_FIRST, b"\x5e"))
LOOK = MS // 2


class Wired(Bench):
    """A board with one sensor on its bus."""

    def __init__(self, firmware: ctypes.CDLL) -> None:
        super().__init__(firmware)
        self.answer(ADDRESS)

    def answer(self, address: int, *, holds: bool = False) -> None:
        """The sensor's address, 0 for none; `holds`: nothing on the bus ever ends."""
        self.board.library.host_sensor(address, holds)

    def measure(self, *registers: int, at: int = 0x5E) -> None:
        for place, value in enumerate(registers, at):
            self.board.library.host_register(place, value)

    def written(self) -> bytes:
        """What was written to the sensor last."""
        buffer = ctypes.create_string_buffer(16)
        length = self.board.library.host_written(buffer)
        return buffer.raw[:length]

    def told(self, ms: int) -> list[Record]:
        """Let time pass, half a millisecond a look; gives the sensor's records, their times in ms from the first look."""
        began = (self.now - self.board._booted) // 1000
        for _ in range(2 * ms):
            self.now += LOOK
            self.board.library.host_look(self.board._us(self.now))
        held = self.board.library.ring_next() & 0xFFFF
        told = [record._replace(at=(record.at - began) // 1000) for record in self.records() if record.kind != "levels"]
        self.say(encode_frame("a", self.board.boot, held.to_bytes(2, "little")))
        return told


@pytest.fixture
def bench(firmware: ctypes.CDLL) -> Wired:
    return Wired(firmware)


@pytest.mark.parametrize(("form", "value"), [(Form.BYTE, 0x12), (Form.HIGH_FIRST, 0x1234), (Form.LOW_FIRST, 0x3412)])
def test_a_register_is_read_as_one_byte_or_two_in_either_order(bench: Wired, form: Form, value: int) -> None:
    bench.measure(0x12, 0x34)
    bench.configure(22, GAUGE._replace(bus=Bus(ADDRESS, form, b"\x5e")))
    [record] = bench.told(50)
    assert (record.kind, record.channel, record.value) == ("reading", 22, value)
    assert record.at <= 5
    assert bench.written() == b"\x5e"


def test_a_sensor_without_registers_is_only_read(bench: Wired) -> None:
    bench.measure(7, 8, at=0)
    bench.configure(22, GAUGE._replace(bus=Bus(ADDRESS, Form.BYTE)))
    assert [record.value for record in bench.told(15)] == [7]
    assert bench.written() == b""


def test_it_is_told_what_moved_by_the_threshold_once_in_a_period(bench: Wired) -> None:
    bench.configure(22, GAUGE)
    values = []
    for low in (0, 4, 5, 9, 10, 250):
        bench.measure(1, low)
        values.append([record.value for record in bench.told(20)])
    assert values == [[0x100], [], [0x105], [], [0x10A], [0x1FA]]


def test_a_sensor_that_must_be_told_to_measure_is_told_first_and_read_a_period_later(bench: Wired) -> None:
    bench.measure(0x01, 0x40)
    bench.configure(22, GAUGE._replace(bus=Bus(ADDRESS, Form.HIGH_FIRST, b"\x5e", b"\x00\x51")))
    assert bench.told(15) == []
    assert bench.written() == b"\x00\x51"
    [record] = bench.told(20)
    assert record.value == 0x140
    assert bench.written() == b"\x00\x51", "and told again"


def test_one_that_lost_its_power_is_told_to_measure_before_it_is_read_again(bench: Wired) -> None:
    bench.configure(22, GAUGE._replace(bus=Bus(ADDRESS, Form.HIGH_FIRST, b"\x5e", b"\x00\x51")))
    assert [record.kind for record in bench.told(50)] == ["reading"]
    bench.answer(0)
    assert [record.kind for record in bench.told(100)] == ["failed"]
    bench.answer(ADDRESS)
    assert bench.told(25) == [], "the next period comes and goes"
    assert bench.written() == b"\x00\x51"
    assert [record.kind for record in bench.told(20)] == ["reading"]


def test_two_sensors_take_turns(bench: Wired) -> None:
    bench.measure(1, 2, 3, 4)
    bench.configure(22, GAUGE)
    bench.configure(23, GAUGE._replace(bus=Bus(ADDRESS, Form.HIGH_FIRST, b"\x60")))
    assert {(record.channel, record.value) for record in bench.told(50)} == {(22, 0x102), (23, 0x304)}


def test_one_that_doesnt_answer_is_told_after_three_times_and_its_next_value_that_it_is_back(bench: Wired) -> None:
    bench.configure(22, GAUGE)
    assert [record.kind for record in bench.told(15)] == ["reading"]
    bench.answer(0)
    assert bench.told(40) == [], "twice may be a sensor that measures"
    [record] = bench.told(1000)
    assert (record.kind, record.channel, record.value) == ("failed", 22, Failure.NO_ANSWER)
    bench.answer(ADDRESS)
    [record] = bench.told(200)
    assert (record.kind, record.value) == ("reading", 0)
    bench.answer(0)
    assert [record.kind for record in bench.told(200)] == ["failed"]


def test_a_bus_that_is_held_is_let_go_in_time_and_told(bench: Wired) -> None:
    bench.configure(22, GAUGE)
    bench.answer(ADDRESS, holds=True)
    before = bench.board.library.host_frees()
    [record] = bench.told(1000)
    assert (record.kind, record.value) == ("failed", Failure.STUCK)
    assert 30 <= bench.board.library.host_frees() - before <= 41, "each 25 ms at the latest, and never the whole time"
    bench.answer(ADDRESS)
    assert [record.kind for record in bench.told(100)] == ["reading"]


@pytest.mark.parametrize("there", [True, False])
def test_after_a_loss_it_tells_again_what_it_knows(bench: Wired, *, there: bool) -> None:
    bench.configure(22, GAUGE)
    bench.configure(2, Setting(Mode.INPUT))
    if not there:
        bench.answer(0)
    assert [record.kind for record in bench.told(200)] == ["reading" if there else "failed"]
    for turn in range(700):
        bench.now += MS
        bench.board.set(2, 1 - turn % 2, bench.now)
    told = bench.told(200)
    assert {record.kind for record in told} == {"edge"}
    assert [record.kind for record in bench.told(200)] == ["lost", "reading" if there else "failed"]


def test_the_pins_of_the_bus_and_its_sensors_switch_each_other_off(bench: Wired) -> None:
    bench.configure(18, Setting(Mode.INPUT))
    bench.configure(22, GAUGE)
    bench.board.set(18, 1, bench.now)
    assert [record.kind for record in bench.told(50)] == ["reading"]
    bench.configure(19, Setting(Mode.INPUT))
    bench.told(5)
    bench.measure(9, 9)
    bench.board.set(19, 1, bench.now)
    assert [(record.kind, record.channel) for record in bench.told(50)] == [("edge", 19)]


def test_the_same_setting_again_disturbs_nothing_and_off_is_off(bench: Wired) -> None:
    bench.configure(22, GAUGE)
    bench.told(50)
    bench.configure(22, GAUGE)
    assert bench.told(50) == []
    bench.configure(22, GAUGE._replace(threshold=6))
    assert [record.kind for record in bench.told(50)] == ["reading"]
    bench.configure(22, Setting(Mode.OFF))
    bench.measure(9, 9)
    assert bench.told(50) == []


GOOD = encode_setting(22, GAUGE)


@pytest.mark.parametrize(
    "payload",
    [
        GOOD[:8],
        GOOD[:-1],
        GOOD + b"\0",
        GOOD[:8] + b"\x07" + GOOD[9:],
        GOOD[:8] + b"\x78" + GOOD[9:],
        GOOD[:9] + b"\x00" + GOOD[10:],
        GOOD[:9] + b"\x04" + GOOD[10:],
        GOOD[:10] + b"\x03\1\2\3\0",
        GOOD[:12] + b"\x05\1\2\3\4\5",
        b"\x16\x06\0\0" + GOOD[4:],
        GOOD[:4] + b"\0\0" + GOOD[6:],
        GOOD[:6] + b"\1\0" + GOOD[8:],
        b"\2\2\0\0\0\0\0\0" + GOOD[8:],
    ],
)
def test_settings_that_make_no_sense_are_refused(bench: Wired, payload: bytes) -> None:
    assert bench.ask("c", payload) == ("N", b"\4")


KNOWN = st.sampled_from(
    [
        (22, GAUGE),
        (23, GAUGE._replace(bus=Bus(0x77, Form.BYTE, b"12", b"1234"))),
        (22, GAUGE._replace(bus=Bus(0x08, Form.LOW_FIRST))),
        *((22, GAUGE._replace(bus=Bus(address, Form.BYTE))) for address in (0x07, 0x78)),
        *((22, GAUGE._replace(bus=Bus(0x29, Form.BYTE, pointer, start))) for pointer, start in ((b"123", b""), (b"", b"12345"))),
        (22, Setting(Mode.OFF)),
        (18, Setting(Mode.INPUT)),
        (19, Setting(Mode.OUTPUT)),
        (19, Setting(Mode.OFF)),
        (18, Setting(Mode.BELL, 10, 300, 400)),
        (20, Setting(Mode.ANALOGUE, 10, 1023)),
        (2, Setting(Mode.PULLED_UP)),
    ]
).map(lambda setting: encode_setting(*setting))
WRONG_AT = st.tuples(st.integers(0, 17), st.sampled_from([0, 1, 2, 3, 4, 5, 6, 7, 8, 18, 22, 23, 24, 0x77, 0x78, 0xFF]))


def spoilt(payload: bytes, wrong: tuple[int, int], end: int) -> bytes:
    """Settings with one byte changed, or some missing or too many at their end, down to those of any channel."""
    at, byte = wrong
    at %= len(payload)
    payload = payload[:at] + bytes((byte,)) + payload[at + 1 :]
    return payload + b"\0" * end if end >= 0 else payload[: max(8, len(payload) + end)]


SETTINGS = st.one_of(KNOWN, KNOWN, st.builds(spoilt, KNOWN, WRONG_AT, st.sampled_from([0, 0, 0, 1, -1])))


@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(SETTINGS, min_size=1, max_size=6))
def test_any_settings_are_taken_or_refused_as_the_board_in_python_does(firmware: ctypes.CDLL, many: list[bytes]) -> None:
    board, fake, now = HostFirmware(firmware, now=START), FakeBoard("left", now=START), START
    board.to_send(), fake.to_send()
    for tag, payload in enumerate(many, 1):
        now += MS
        answers = []
        for one in (board, fake):
            one.receive(encode_frame("c", tag, payload), now)
            answers.append([frame for frame in FrameReader().feed(one.to_send()) if chr(frame.kind) != "E"])
        assert answers[0] == answers[1]
    for channel in range(24):
        assert firmware.channels_mode(channel) & 0xFF == fake.settings[channel].mode
