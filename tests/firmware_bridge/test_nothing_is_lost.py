"""Whatever the line does to the bytes: each edge arrives once and in order, or a record in its place says how many are lost."""

from __future__ import annotations

import random
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.fake_board import FakeBoard
from firmware_bridge.frames import LONGEST, FrameReader, encode_frame
from firmware_bridge.messages import Mode, Setting
from firmware_bridge.session import MS, SECOND, Session, State
from tests.firmware_bridge.line_kit import INPUT, Line
from tests.firmware_bridge.schedules import (
    LINES,
    NOTES,
    PINS,
    RESETS,
    RING,
    STEPS,
    play_edges,
    play_resets,
    play_resets_at_levels,
)


@settings(max_examples=60, deadline=None)
@given(STEPS, LINES, LINES, st.integers(0, 1000))
def test_each_edge_once_in_order_or_its_loss_with_the_number(
    steps: list[tuple[str, int]], to_host: list[str], to_board: list[str], seed: int
) -> None:
    play_edges(Line(FakeBoard("left", ring=RING, now=1_000 * SECOND), PINS), steps, to_host, to_board, seed)


@settings(max_examples=60, deadline=None)
@given(RESETS, LINES, LINES)
def test_resets_lose_what_was_on_the_board_and_double_or_disorder_nothing(
    steps: list[tuple[str, int]], to_host: list[str], to_board: list[str]
) -> None:
    play_resets(Line(settings=NOTES), steps, to_host, to_board)


@pytest.mark.parametrize("resets", range(1, 6))
def test_what_a_board_says_before_it_is_set_up_is_no_level(resets: int) -> None:
    play_resets_at_levels(Line(), resets)


def test_two_hundred_edges_a_second_and_three_bells_fit_the_line_and_half_a_second_of_them_the_ring() -> None:
    bells = {channel: Setting(Mode.BELL, 10, 300, 400) for channel in (14, 15, 16)}
    line = Line(settings={2: INPUT, **bells})
    line.connect()
    sent = 0

    def count(chunk: bytes) -> list[bytes]:
        nonlocal sent
        sent += len(chunk)
        return [chunk]

    line.to_host = count
    for turn in range(100):
        line.set(2, 1)
        line.run(5 * MS)
        line.set(2, 0)
        for bell in bells:
            line.board.read(bell, 1000 - turn, line.now)
        line.run(5 * MS)
    assert len(line.records) == 100 * 5
    assert sent < 11_520 * 0.6
    line.unplug()
    for turn in range(50):
        for _ in range(2):
            line.now += 5 * MS
            line.set(2, 1 - line.board._levels[2])
        for bell in bells:
            line.board.read(bell, turn, line.now)
    assert line.board._overflow is None


HOUR = 11_520 * 3600
"""So many bytes fit the line in one."""


@pytest.mark.parametrize("passes", [False, True], ids=["while a board is there", "instead of a board"])
def test_an_hour_of_random_bytes_leaves_nothing_behind(passes: bool) -> None:
    """The time stands still, so that the session goes on for all of them, or passes, so that it gives up and begins again."""
    chance = random.Random(1)
    line = Line()
    line.connect()
    session, now, gone, told = line.session, line.now, 0, 0
    tracemalloc.start()
    before = bad = dropped = 0
    for turn in range(HOUR // 4096):
        session.receive(chance.randbytes(4096), now)
        session.advance(now)
        session.to_send()
        told += len(session.events())
        now += passes * 4096 * SECOND // 11_520
        if session.state is State.LOST:
            gone, bad, dropped = gone + 1, bad + session.reader.bad, dropped + session.reader.dropped
            session.closed(now)
            session.opened(now)
        if turn == 100:
            before = tracemalloc.get_traced_memory()[0]
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 20_000
    assert bad + session.reader.bad > HOUR // 300
    assert dropped + session.reader.dropped > 0.9 * HOUR
    assert told == gone
    assert gone > 500 if passes else gone == 0


def test_bytes_without_an_end_leave_nothing_behind() -> None:
    reader = FrameReader()
    for _ in range(100):
        assert reader.feed(b"x" * 1000) == []
    assert len(reader._rest) <= LONGEST
    assert reader.feed(b"x\0" + encode_frame("t", 9))[0].tag == 9
    assert (reader.good, reader.bad, reader.dropped) == (1, 1, 100_001)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("HTCLOSINEx"), st.integers(0, 255), st.binary(max_size=88)), max_size=20))
def test_whole_frames_with_any_content_never_raise(frames: list[tuple[str, int, bytes]]) -> None:
    line = Line()
    line.connect()
    line.session.receive(b"".join(encode_frame(*frame) for frame in frames), line.now)
    board_says = b"".join(encode_frame(kind.lower(), tag, payload) for kind, tag, payload in frames)
    line.board.receive(board_says, line.now)
    line.board.advance(line.now)
    assert Session("x").next_deadline() is None
