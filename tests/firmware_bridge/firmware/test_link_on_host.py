"""The firmware's link code against the session, over a line that drops, doubles, cuts and flips: each record once, in order."""

from __future__ import annotations

import ctypes
import random
import subprocess
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware_bridge.frames import FrameReader, encode_frame
from firmware_bridge.messages import Setting, decode_statistics
from firmware_bridge.session import MS, SECOND, State
from tests.firmware_bridge.firmware.host_kit import HostFirmware
from tests.firmware_bridge.line_kit import Line
from tests.firmware_bridge.schedules import LINES, NOTES, PINS, RESETS, STEPS, play_edges, play_resets, play_resets_at_levels

pytestmark = pytest.mark.avr

START = 1_000 * SECOND
RING = 1152


def line(firmware: ctypes.CDLL, settings: dict[int, Setting] = PINS) -> Line:
    made = Line(HostFirmware(firmware, now=START), settings)  # type: ignore[arg-type]  # it is a board as the fake is
    made.board.advance(made.now)
    return made


FAULTS = st.sampled_from(["fine", "fine", "fine", "drop", "double", "cut", "flip", "zero", "noise"])
FAULT = st.tuples(FAULTS, st.integers(0, 254))


def damage(faults: list[tuple[str, int]]) -> Callable[[bytes], list[bytes]]:
    """A line that goes through these faults once, a chunk each, and is clean afterwards."""
    left = iter(faults)

    def pass_on(chunk: bytes) -> list[bytes]:
        fault, where = next(left, ("fine", 0))
        at = where % len(chunk)
        match fault:
            case "drop":
                return []
            case "double":
                return [chunk, chunk]
            case "cut":
                return [chunk[:at]]
            case "flip":
                return [chunk[:at] + bytes((chunk[at] ^ (1 << where % 8),)) + chunk[at + 1 :]]
            case "zero":
                return [chunk[:at] + b"\0" + chunk[at:]]
            case "noise":
                return [bytes((where, where ^ 0x55)) * 20 + chunk]
            case _:
                return [chunk]

    return pass_on


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(STEPS, LINES, LINES, st.integers(0, 1000))
def test_each_edge_once_in_order_or_its_loss_with_the_number(
    cramped: ctypes.CDLL, steps: list[tuple[str, int]], to_host: list[str], to_board: list[str], seed: int
) -> None:
    play_edges(line(cramped, PINS), steps, to_host, to_board, seed)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(RESETS, LINES, LINES)
def test_resets_lose_what_was_on_the_board_and_double_or_disorder_nothing(
    firmware: ctypes.CDLL, steps: list[tuple[str, int]], to_host: list[str], to_board: list[str]
) -> None:
    play_resets(line(firmware, NOTES), steps, to_host, to_board)


@pytest.mark.parametrize("resets", range(1, 6))
def test_what_a_board_says_before_it_is_set_up_is_no_level(firmware: ctypes.CDLL, resets: int) -> None:
    play_resets_at_levels(line(firmware), resets)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edges=st.integers(1, 900), later=st.integers(0, 50), faults=st.lists(FAULT, max_size=10))
def test_what_is_lost_while_nobody_listens_is_counted_to_the_last_edge(
    firmware: ctypes.CDLL, edges: int, later: int, faults: list[tuple[str, int]]
) -> None:
    table = line(firmware)
    table.connect()
    level = 0
    driven = []
    table.to_host = lambda _: []
    for _ in range(edges):
        level ^= 1
        table.set(2, level)
        driven.append((2, level))
        table.now += MS
    table.board.advance(table.now)
    table.board.to_send()
    table.to_host = damage(faults)
    table.run(2 * SECOND)
    after = []
    for _ in range(later):
        level ^= 1
        table.set(2, level)
        after.append((2, level))
        table.run(MS)
    table.run(3 * SECOND)
    assert table.session.state is State.READY
    lost = [record for record in table.records if record.kind == "lost"]
    told = len(driven) - sum(record.value for record in lost)
    assert table.edges == driven[:told] + after
    assert len(lost) == (1 if told < len(driven) else 0)
    if lost:
        assert told >= RING // 4, "the ring was full"
        assert [record.value for record in table.records if record.kind == "levels"] == [driven[-1][1] << 2]
        assert firmware.ring_lost() == lost[0].value


def test_records_go_out_again_ever_more_slowly_until_somebody_answers(firmware: ctypes.CDLL) -> None:
    table = line(firmware)
    table.connect()
    sent = []

    def deaf(_: bytes) -> list[bytes]:
        sent.append(table.now)
        return []

    table.session.closed(table.now)
    table.to_host = deaf
    table.set(2, 1)
    table.run(5 * SECOND)
    gaps = [(late - early) // MS for early, late in pairwise(sent)]
    assert gaps[:5] == pytest.approx([60, 120, 240, 480, 960], abs=5)
    assert all(995 <= gap <= 1005 for gap in gaps[5:])


def test_a_reset_board_is_met_again(firmware: ctypes.CDLL) -> None:
    table = line(firmware)
    table.connect()
    table.set(2, 1)
    table.run(50 * MS)
    table.board.reset(table.now, cause=8)
    table.run(SECOND)
    table.set(3, 1)
    table.run(50 * MS)
    assert table.edges == [(2, 1), (3, 1)]
    assert table.session.hello is not None
    assert table.session.hello.why == "its watchdog"
    assert table.session.counters.restarts == 1


@pytest.mark.parametrize("echo", [True, False])
def test_rubbish_and_its_own_words_are_counted_and_never_answered(firmware: ctypes.CDLL, *, echo: bool) -> None:
    board = HostFirmware(firmware, now=START)
    greeting = board.to_send()
    rubbish = greeting if echo else bytes(n * 7919 % 256 for n in range(50_000))
    board.receive(rubbish, START + MS)
    assert board.to_send() == b""
    board.receive(b"\0" + bytes.fromhex("03 73 01") + b"\0", START + MS)
    assert board.to_send() == b""


HOUR = 11_520 * 3600
"""So many bytes fit the line in one."""


def test_an_hour_of_random_bytes_leaves_nothing_behind(firmware: ctypes.CDLL) -> None:
    chance = random.Random(1)
    board = HostFirmware(firmware, now=START)
    board.to_send()
    answered = 0
    for second in range(3600):
        board.receive(chance.randbytes(11_520), START + second * SECOND)
        answered += len(board.to_send())
    assert answered < 100, "of 160,000 frames two or three have the right check by chance"
    assert firmware.ring_used() == 0
    [statistics] = FrameReader().feed(asked(board, "s"))
    assert decode_statistics(statistics.payload).bad_frames == 0xFFFF, "it stays at its highest"
    table = Line(board, PINS)  # type: ignore[arg-type]  # it is a board as the fake is
    table.now = START + 3600 * SECOND
    table.connect()
    table.set(2, 1)
    table.run(50 * MS)
    assert table.edges == [(2, 1)]


def asked(board: HostFirmware, kind: str) -> bytes:
    board.receive(b"\0" + encode_frame(kind, 9), START + 3600 * SECOND)
    return board.to_send()


def test_it_never_asks_for_memory(firmware: ctypes.CDLL) -> None:
    wanted = subprocess.run(["nm", "-u", firmware._name], capture_output=True, text=True, check=True).stdout
    assert {line.split()[-1].partition("@")[0] for line in wanted.splitlines()} - STARTS <= {"memcpy", "memset", "memcmp"}


STARTS = {"__cxa_finalize", "__gmon_start__", "_ITM_deregisterTMCloneTable", "_ITM_registerTMCloneTable", "__stack_chk_fail"}
"""What every library wants."""
