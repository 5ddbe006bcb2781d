"""Patterns by a clock that the test moves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.outputs.patterns import GAP, LONG, PAUSE, SHORT, STEADY, Pattern, PatternPlayer, flashes

STEPS = st.lists(st.integers(1, 1000), min_size=1, max_size=9)


def played(player: PatternPlayer, start: int, until: int) -> list[tuple[int, bool]]:
    """Every change from one time to another, looked at only when the player says so."""
    now, on = start, False
    changes = []
    while now < until:
        if player.advance(now) != on:
            on = not on
            changes.append((now, on))
        due = player.next_deadline()
        if due is None:
            break
        assert due > now
        now = due
    return changes


@given(STEPS, st.integers(0, 10**12))
def test_a_pattern_is_played_to_the_nanosecond_and_ends_dark(steps: list[int], at: int) -> None:
    player = PatternPlayer()
    player.play(Pattern(tuple(steps)), at)
    told = played(player, at, at + sum(steps) + 1)
    # On with the first step; an odd number of steps ends by going off, an even one was off already.
    assert [when - at for when, _ in told] == [sum(steps[:n]) for n in range(len(steps) + len(steps) % 2)]
    assert [on for _, on in told] == [n % 2 == 0 for n in range(len(told))]
    assert not player.advance(at + sum(steps))
    assert player.next_deadline() is None


@given(STEPS.filter(lambda steps: len(steps) % 2 == 0), st.integers(2, 5))
def test_one_that_goes_on_is_the_same_each_time(steps: list[int], times: int) -> None:
    player = PatternPlayer()
    player.hold(Pattern(tuple(steps), again=True), 0)
    told = played(player, 0, times * sum(steps))
    once = [sum(steps[:n]) for n in range(len(steps))]
    assert [when for when, _ in told] == [n * sum(steps) + when for n in range(times) for when in once]


@given(STEPS, st.integers(0, 12_000), st.booleans())
def test_however_often_it_is_looked_at_it_is_the_same(steps: list[int], elapsed: int, again: bool) -> None:
    pattern = Pattern(tuple(steps), again)
    often, once = PatternPlayer(), PatternPlayer()
    for player in (often, once):
        player.hold(pattern, 0)
    for now in range(0, elapsed, 97):
        often.advance(now)
    assert often.advance(elapsed) == once.advance(elapsed) == pattern.level(elapsed)


def test_what_happens_is_played_over_what_stands_which_comes_back() -> None:
    player = PatternPlayer()
    player.hold(STEADY, 0)
    assert player.advance(10)
    player.play(Pattern((100, 100, 100)), 1000)
    assert [player.advance(at) for at in (1000, 1100, 1200, 1300)] == [True, False, True, True]
    player.hold(None, 1400)
    assert not player.advance(1400)


def test_the_newest_pattern_takes_the_place_of_the_one_that_plays() -> None:
    player = PatternPlayer()
    player.play(Pattern((1000,)), 0)
    player.play(Pattern((100,)), 50)
    assert [player.advance(at) for at in (50, 149, 150)] == [True, True, False]


def test_holding_what_is_held_does_not_begin_anew() -> None:
    player = PatternPlayer()
    pattern = Pattern((100, 100), again=True)
    player.hold(pattern, 0)
    player.hold(Pattern((100, 100), again=True), 150)
    assert not player.advance(160)


def test_flashes_are_written_in_words() -> None:
    assert flashes(["short", "long"]) == Pattern((SHORT, GAP, LONG))
    assert flashes(["short"], again=True) == Pattern((SHORT, PAUSE), again=True)
    for words in ([], ["shrt"]):
        with pytest.raises(ValueError, match="pattern"):
            flashes(words)


def test_what_has_no_end_is_held_and_a_step_takes_time() -> None:
    player = PatternPlayer()
    for pattern in (STEADY, Pattern((1, 1), again=True)):
        with pytest.raises(ValueError, match="hold it"):
            player.play(pattern, 0)
    with pytest.raises(ValueError, match="takes some time"):
        Pattern((1, 0))
