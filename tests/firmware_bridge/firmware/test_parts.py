"""The portable parts of the firmware, each by itself: frames against the Python ones, bells and gauges, settings, outputs."""

from __future__ import annotations

import ctypes

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware_bridge.frames import FrameReader, decode_frame, encode_frame
from firmware_bridge.messages import Mode, Record, Setting, decode_events, encode_output, encode_setting
from firmware_bridge.session import MS, SECOND
from tests.firmware_bridge.firmware.host_kit import HostFirmware

pytestmark = pytest.mark.avr

START = 10 * SECOND
BELL = Setting(Mode.BELL, period=10, threshold=300, tail=50)


class Bench:
    """A board and what it answers, with no line between."""

    def __init__(self, firmware: ctypes.CDLL) -> None:
        self.board = HostFirmware(firmware, now=START)
        self.reader = FrameReader()
        self.now = START
        self.heard = self.reader.feed(self.board.to_send())

    def say(self, data: bytes) -> list[tuple[str, bytes]]:
        self.board.receive(data, self.now)
        return [(chr(frame.kind), frame.payload) for frame in self.reader.feed(self.board.to_send())]

    def ask(self, kind: str, payload: bytes = b"") -> tuple[str, bytes]:
        [reply] = self.say(encode_frame(kind, 7, payload))
        return reply

    def configure(self, channel: int, setting: Setting) -> None:
        payload = encode_setting(channel, setting)
        assert self.ask("c", payload) == ("C", payload)

    def records(self) -> list[Record]:
        self.board.advance(self.now)
        frames = [frame for frame in self.reader.feed(self.board.to_send()) if chr(frame.kind) == "E"]
        return [record for frame in frames for record in decode_events(frame.payload).records]

    def readings(self, samples: list[int], step: int = MS) -> list[tuple[int, int]]:
        """A0 sees these samples, one each `step`; gives when (in ms from now) and what it told."""
        began = (self.now - START) // 1000
        for sample in samples:
            self.board.sample(0, sample, self.now)
            self.now += step
        return [((record.at - began) // 1000, record.value) for record in self.records() if record.channel == 14]


@pytest.fixture
def bench(firmware: ctypes.CDLL) -> Bench:
    return Bench(firmware)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(kind=st.integers(65, 122), tag=st.integers(0, 255), payload=st.binary(max_size=88) | st.integers(0, 88).map(bytes))
def test_a_frame_is_the_same_bytes_as_in_python(firmware: ctypes.CDLL, kind: int, tag: int, payload: bytes) -> None:
    body = bytes((0, kind, tag)) + payload
    buffer = ctypes.create_string_buffer(body, 94)
    length = firmware.frame_close(buffer, len(body) - 1)
    coded = buffer.raw[:length]
    assert coded == encode_frame(chr(kind), tag, payload)
    buffer = ctypes.create_string_buffer(coded[:-1], 94)
    assert firmware.frame_open(buffer, length - 1) == len(payload) + 2
    assert buffer.raw[1 : len(body)] == body[1:]


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(coded=st.binary(max_size=37).map(lambda data: data.replace(b"\0", b"\1")))
def test_rubbish_opens_exactly_when_it_does_in_python(firmware: ctypes.CDLL, coded: bytes) -> None:
    buffer = ctypes.create_string_buffer(coded, 94)
    opened = firmware.frame_open(buffer, len(coded))
    frame = decode_frame(coded)
    assert opened == (0 if frame is None else len(frame.payload) + 2)


def test_a_bell_tells_its_onset_at_once_then_the_highest_of_each_period_then_nothing(bench: Bench) -> None:
    bench.configure(14, BELL)
    quiet = [0, 120, 299] * 10
    ring = [300, 900, 800, 700] + [600 - n for n in range(47)]
    told = bench.readings(quiet + ring + [250] * 100)
    assert told == [(30, 300), (40, 900), (50, 593), (60, 583), (70, 573), (80, 563)]


def test_a_bell_that_still_rings_after_its_tail_goes_on_as_a_new_one(bench: Bench) -> None:
    bench.configure(14, BELL)
    told = bench.readings([400] * 75)
    assert [at for at, _ in told] == [0, 10, 20, 30, 40, 50, 51, 61, 71]


def test_a_tail_that_is_no_whole_number_of_periods_ends_with_the_last_whole_one(bench: Bench) -> None:
    bench.configure(14, Setting(Mode.BELL, 20, 300, 50))
    assert [at for at, _ in bench.readings([400] + [10] * 99)] == [0, 20, 40]


def test_a_gauge_tells_its_first_value_and_what_moves_as_far_as_its_threshold(bench: Bench) -> None:
    bench.configure(14, Setting(Mode.ANALOGUE, period=5, threshold=10))
    assert bench.readings([500] * 10 + [509] * 10 + [510] * 10 + [400] * 10) == [(0, 500), (20, 510), (30, 400)]


def test_after_a_loss_a_gauge_tells_its_value_again_behind_the_count_and_the_levels(bench: Bench) -> None:
    bench.configure(14, Setting(Mode.ANALOGUE, period=5, threshold=10))
    bench.configure(2, Setting(Mode.INPUT))
    bench.readings([500])
    for turn in range(700):
        bench.now += MS
        bench.board.set(2, 1 - turn % 2, bench.now)
    held = bench.board.library.ring_next() & 0xFFFF
    bench.say(encode_frame("a", bench.board.boot, held.to_bytes(2, "little")))
    bench.records()
    bench.say(encode_frame("a", bench.board.boot, (held + 2).to_bytes(2, "little")))
    assert bench.readings([500]) == [(0, 500)]


@pytest.mark.parametrize(
    ("channel", "setting", "code"),
    [
        (24, Setting(Mode.INPUT), 2),
        (22, Setting(Mode.INPUT), 3),
        (255, Setting(Mode.INPUT), 2),
        (0, Setting(Mode.INPUT), 3),
        (20, Setting(Mode.PULLED_UP), 3),
        (13, Setting(Mode.BELL, 10, 300, 400), 3),
        (14, Setting(Mode.SENSOR, 10, 300), 3),
        (14, Setting(7, 10, 300), 4),  # type: ignore[arg-type]  # there is no such mode
        (14, Setting(Mode.BELL, 0, 300, 400), 4),
        (14, Setting(Mode.BELL, 10, 1024, 400), 4),
        (14, Setting(Mode.BELL, 10, 0, 400), 4),
        (14, Setting(Mode.BELL, 500, 300, 400), 4),
        (14, Setting(Mode.ANALOGUE, 10, 300, 1), 4),
        (14, Setting(Mode.INPUT, 1), 4),
    ],
)
def test_settings_that_make_no_sense_are_refused_with_their_code(bench: Bench, channel: int, setting: Setting, code: int) -> None:
    assert bench.ask("c", encode_setting(channel, setting)) == ("N", bytes((code,)))


def test_the_same_setting_again_disturbs_nothing(bench: Bench) -> None:
    bench.configure(14, BELL)
    bench.readings([400] * 15)
    bench.configure(14, BELL)
    assert [at for at, _ in bench.readings([350] * 10)] == [5]
    bench.configure(14, BELL._replace(tail=60))
    assert [at for at, _ in bench.readings([350])] == [0]


def test_unknown_requests_are_refused_and_unreadable_ones_only_counted(bench: Bench) -> None:
    assert bench.ask("z", b"?") == ("N", b"\1")
    assert bench.ask("i", b"Left") == ("N", b"\4")
    assert bench.ask("i", b"") == ("N", b"\4")
    assert bench.ask("i", b"seventeen-letters") == ("N", b"\4")
    assert bench.ask("o", encode_output(13, 255, 0)) == ("N", b"\3")
    assert bench.ask("o", encode_output(24, 255, 0)) == ("N", b"\2")
    bad = [encode_frame("c", 1, b"\2"), encode_frame("t", 0), encode_frame("T", 1), encode_frame("h", 1, b"\1" * 33), b"\5abcd\0"]
    assert bench.say(b"".join(bad)) == []
    kind, statistics = bench.ask("s")
    assert (kind, statistics[:2]) == ("S", bytes((len(bad), 0)))


def test_a_request_waits_for_the_line_and_stands_in_nobodys_way(bench: Bench) -> None:
    bench.board.library.host_busy(True)
    assert bench.say(encode_frame("t", 1) + encode_frame("s", 2)) == []
    bench.board.library.host_busy(False)
    assert [kind for kind, _ in bench.say(b"")] == ["T", "S"]


def share_of_time_lit(bench: Bench, channel: int) -> float:
    lit = 0
    for _ in range(150):
        bench.now += MS // 2
        bench.board.library.host_look((bench.now - START) // 1000)
        lit += bench.board.library.host_driven(channel)
    return lit / 150


def test_an_output_is_off_dimmed_or_on(bench: Bench) -> None:
    bench.configure(13, Setting(Mode.OUTPUT))
    for level, share in ((0, 0.0), (1, 1 / 15), (128, 9 / 15), (255, 1.0), (0, 0.0)):
        payload = encode_output(13, level, 0)
        assert bench.ask("o", payload) == ("O", payload)
        assert share_of_time_lit(bench, 13) == pytest.approx(share)


def test_an_output_goes_off_when_its_time_is_up_or_the_host_is_silent(bench: Bench) -> None:
    bench.configure(13, Setting(Mode.OUTPUT))
    bench.ask("o", encode_output(13, 255, 100))
    assert share_of_time_lit(bench, 13) == 1
    bench.now += 30 * MS
    assert share_of_time_lit(bench, 13) == 0
    bench.ask("o", encode_output(13, 255, 0))
    bench.now += 4900 * MS
    bench.records()
    assert share_of_time_lit(bench, 13) == 1
    bench.now += 100 * MS
    bench.records()
    assert share_of_time_lit(bench, 13) == 0
