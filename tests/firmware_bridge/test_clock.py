"""A board's clock on the host's: within the error that it tells, whatever the round trips were like."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.clock import BoardClock
from firmware_bridge.session import MS, SECOND


class Board:
    """A clock that runs `drift` millionths too fast and stood at `start` µs at the host's time 0."""

    def __init__(self, drift: int, start: int) -> None:
        self.drift = drift
        self.start = start

    def us(self, ns: int) -> int:
        return (self.start + ns * (1_000_000 + self.drift) // 1_000_000_000) % 2**32


@settings(max_examples=60, deadline=None)
@given(
    st.integers(-5000, 5000), st.integers(0, 2**32 - 1), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=5)
)
def test_the_error_is_a_bound(drift: int, start: int, delays: list[tuple[int, int]]) -> None:
    board, clock = Board(drift, start), BoardClock()
    now = 10 * SECOND
    for there, back in delays * 8:
        asked, read, heard = now, now + there * MS, now + (there + back) * MS
        clock.add(asked, heard, board.us(read))
        now += SECOND
        for moment in (read, heard + 300 * MS):
            mapped = clock.host_ns(board.us(moment))
            assert abs(mapped - moment) <= clock.error(mapped) + 2_000, "two µs are the board's own steps"


def test_slow_answers_are_passed_over_while_there_are_quick_ones() -> None:
    board, clock, chance = Board(3000, 0), BoardClock(), random.Random(1)
    now = SECOND
    for turn in range(30):
        there = 400 * MS if turn % 3 else MS // 2
        clock.add(now, now + there + MS // 2, board.us(now + there))
        now += SECOND + chance.randrange(50 * MS)
    assert clock.error(now) < 2 * MS
    assert abs(clock.host_ns(board.us(now)) - now) < MS
    assert abs(clock.rate - 1000 / 1.003) < 0.1


def test_round_trips_in_quick_succession_do_not_push_the_old_ones_out() -> None:
    board, clock = Board(4000, 0), BoardClock()
    for turn in range(2000):
        now = SECOND + turn * 10 * MS
        clock.add(now, now + MS, board.us(now + MS // 2))
    assert abs(clock.rate - 1000 / 1.004) < 0.1
    assert len(clock._samples) < 70


def test_a_clock_that_starts_afresh_is_followed() -> None:
    clock = BoardClock()
    before, after = Board(0, 1 << 20), Board(0, 0)
    for turn in range(10):
        now = turn * SECOND
        assert clock.fits(now, now + MS, before.us(now))
        clock.add(now, now + MS, before.us(now))
    now = 20 * SECOND
    assert not clock.fits(now, now + MS, after.us(now - 15 * SECOND))
    clock.add(now, now + MS, after.us(now - 15 * SECOND))
    assert abs(clock.host_ns(after.us(now - 15 * SECOND)) - now) <= MS


def test_after_hours_of_absence_the_clock_is_still_known_to_be_the_same() -> None:
    board, clock = Board(-4900, 77), BoardClock()
    clock.add(0, MS, board.us(MS // 2))
    late = 5 * 3600 * SECOND
    assert clock.fits(late, late + MS, board.us(late))
    clock.add(late, late + MS, board.us(late))
    assert abs(clock.host_ns(board.us(late - 60 * SECOND)) - (late - 60 * SECOND)) < 400 * MS


def test_a_clock_without_a_round_trip_knows_nothing() -> None:
    clock = BoardClock()
    assert not clock
    assert clock.fits(0, 1, 12345)
