"""The firmware's link code against the session, over a line that drops, doubles, cuts and flips: each record once, in order."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware_bridge.messages import Mode, Setting
from firmware_bridge.session import MS, SECOND, State
from tests.firmware_bridge.firmware.host_kit import HostFirmware
from tests.firmware_bridge.line_kit import Line

pytestmark = pytest.mark.avr

START = 1_000 * SECOND
PINS = (2, 3, 4, 5)
INPUTS = {channel: Setting(Mode.PULLED_UP) for channel in PINS}
RING = 1152


def line(firmware: ctypes.CDLL, **options: int) -> Line:
    made = Line(HostFirmware(firmware, now=START), INPUTS, **options)  # type: ignore[arg-type]  # it is a board as the fake is
    made.board.advance(made.now)
    return made


FAULTS = st.sampled_from(["fine", "fine", "fine", "drop", "double", "cut", "flip", "zero", "noise"])
FAULT = st.tuples(FAULTS, st.integers(0, 254))
STEP = st.tuples(
    st.lists(st.sampled_from(PINS), max_size=6),  # pins that toggle
    st.sampled_from([0, 1, 3, 20, 70, 400]),  # ms until the next step
)


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
@given(steps=st.lists(STEP, min_size=1, max_size=25), to_host=st.lists(FAULT, max_size=40), to_board=st.lists(FAULT, max_size=40))
def test_whatever_the_line_does_each_edge_arrives_once_and_in_order(
    firmware: ctypes.CDLL,
    steps: list[tuple[list[int], int]],
    to_host: list[tuple[str, int]],
    to_board: list[tuple[str, int]],
) -> None:
    table = line(firmware)
    table.connect()
    table.to_host, table.to_board = damage(to_host), damage(to_board)
    levels = dict.fromkeys(PINS, 0)
    driven = []
    for pins, wait in steps:
        for pin in pins:
            levels[pin] ^= 1
            table.set(pin, levels[pin])
            driven.append((pin, levels[pin]))
        table.exchange()
        table.run(wait * MS)
    table.to_host = table.to_board = damage([])
    table.run(8 * SECOND)
    if table.session.state is State.READY:
        assert table.edges == driven
        assert [record.kind for record in table.records if record.kind != "edge"] == []
        assert [record.at for record in table.records] == sorted(record.at for record in table.records)
    else:  # three seconds of nothing but damage: told as lost, and what had come until then was in order
        assert table.session.state is State.LOST
        assert table.edges == driven[: len(table.edges)]


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
