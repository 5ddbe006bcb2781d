"""The button: a press, a hold once, and never both where the hold is what matters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.detectors.button import ButtonDetector
from hardware.observations import Observation
from hardware.signals import MS, SECOND, Signal

CHANNEL = "gpio:5"
Edge = tuple[int, int]


def button(*, hold: int | None = None, hold_only: bool = False, level: int = 1) -> ButtonDetector:
    """A button to ground, as most are: down is level 0."""
    detector = ButtonDetector("new-game", "new-game", CHANNEL, active_level=0, hold=hold, hold_only=hold_only)
    assert detector.begin({CHANNEL: level}, at=0) == []
    return detector


def play(detector: ButtonDetector, edges: list[Edge], *, until: int) -> list[Observation]:
    observations = []
    for at, level in edges:
        observations += detector.feed(Signal(at, CHANNEL, level))
    return observations + detector.advance(until)


def told(observations: list[Observation]) -> list[tuple[str, int, int]]:
    return [(seen.kind, seen.at // MS, seen.known // MS) for seen in observations]


DOWN_FOR_100_MS = [(SECOND, 0), (1_100 * MS, 1)]


def test_a_press_is_told_once_it_is_sure() -> None:
    detector = button()
    assert told(play(detector, DOWN_FOR_100_MS, until=9 * SECOND)) == [("press", 1_000, 1_020)]
    assert detector.next_deadline() is None


def test_a_hold_is_told_once_while_it_stays_down() -> None:
    detector = button(hold=2 * SECOND)
    detector.feed(Signal(SECOND, CHANNEL, 0))
    assert told(detector.advance(2 * SECOND)) == [("press", 1_000, 1_020)]
    assert detector.next_deadline() == 3_030 * MS
    assert detector.advance(3_029 * MS) == []
    assert told(detector.advance(3_030 * MS)) == [("held", 3_000, 3_030)]
    assert play(detector, [(9 * SECOND, 1)], until=20 * SECOND) == []


def test_a_press_that_becomes_a_hold_is_no_press_where_the_hold_is_wanted() -> None:
    detector = button(hold=2 * SECOND, hold_only=True)
    assert told(play(detector, [(SECOND, 0), (4 * SECOND, 1)], until=9 * SECOND)) == [("held", 3_000, 3_030)]
    again = [(at + 10 * SECOND, level) for at, level in DOWN_FOR_100_MS]
    assert told(play(detector, again, until=20 * SECOND)) == [("press", 11_000, 11_170)], "told when it is let go"


@pytest.mark.parametrize("let_go", [2_990, 2_999])
def test_let_go_just_before_the_hold_is_a_press(let_go: int) -> None:
    detector = button(hold=2 * SECOND, hold_only=True)
    assert told(play(detector, [(SECOND, 0), (let_go * MS, 1)], until=9 * SECOND)) == [("press", 1_000, let_go + 30)]


@pytest.mark.parametrize("let_go", [3_000, 3_001, 3_029, 3_031])
def test_let_go_just_after_the_hold_is_a_hold(let_go: int) -> None:
    detector = button(hold=2 * SECOND, hold_only=True)
    assert told(play(detector, [(SECOND, 0), (let_go * MS, 1)], until=9 * SECOND)) == [("held", 3_000, 3_030)]


def test_a_contact_that_fails_for_a_moment_does_not_end_a_hold() -> None:
    detector = button(hold=2 * SECOND)
    edges = [(SECOND, 0), (2 * SECOND, 1), (2_020 * MS, 0), (2_995 * MS, 1), (3_005 * MS, 0), (5 * SECOND, 1)]
    assert told(play(detector, edges, until=9 * SECOND)) == [("press", 1_000, 1_020), ("held", 3_000, 3_030)]


def test_a_release_that_waits_for_the_lockout_ends_a_short_hold() -> None:
    detector = button(hold=100 * MS, hold_only=True)
    # Released after 90 ms; the lockout after the press hides that until 170 ms, later than the hold would be told.
    assert told(play(detector, [(SECOND, 0), (1_090 * MS, 1)], until=9 * SECOND)) == [("press", 1_000, 1_170)]


def test_a_button_that_is_down_at_switch_on_does_nothing() -> None:
    detector = button(hold=2 * SECOND, level=0)
    assert detector.health().value is True
    assert play(detector, [(5 * SECOND, 1)], until=9 * SECOND) == []
    assert told(play(detector, [(10 * SECOND, 0)], until=11 * SECOND)) == [("press", 10_000, 10_020)]


def test_opening_again_ends_a_hold() -> None:
    detector = button(hold=2 * SECOND)
    detector.feed(Signal(SECOND, CHANNEL, 0))
    detector.advance(2 * SECOND)
    detector.begin({CHANNEL: 0}, at=2 * SECOND)
    assert detector.next_deadline() is None
    assert detector.advance(9 * SECOND) == []


def test_three_presses_a_second_are_three() -> None:
    edges = [(SECOND + turn * 165 * MS, turn % 2) for turn in range(18)]
    assert [seen.kind for seen in play(button(), edges, until=9 * SECOND)] == ["press"] * 9


WORST = st.lists(st.integers(min_value=1, max_value=157 * MS - 1), max_size=60, unique=True)


@given(WORST)
def test_the_worst_measured_bounce_is_one_press(inner: list[int]) -> None:
    times = [0, *sorted(inner), 157 * MS]
    times = times if len(times) % 2 else times[1:]
    edges = [(SECOND + at, turn % 2) for turn, at in enumerate(times)]
    assert [seen.kind for seen in play(button(), edges, until=9 * SECOND)] == ["press"]


@given(WORST)
def test_the_worst_measured_bounce_at_the_end_of_a_press_is_no_press_more(inner: list[int]) -> None:
    times = [0, *sorted(inner), 157 * MS]
    times = times if len(times) % 2 else times[1:]
    edges = [(SECOND, 0), *((SECOND + 400 * MS + at, 1 - turn % 2) for turn, at in enumerate(times))]
    assert [seen.kind for seen in play(button(), edges, until=9 * SECOND)] == ["press"]


@given(
    st.lists(st.integers(min_value=1, max_value=400), max_size=12),
    st.booleans(),
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 400)), max_size=6),
)
def test_when_advance_is_called_makes_no_difference(gaps: list[int], hold_only: bool, marks: list[tuple[int, int]]) -> None:
    at, edges = 0, []
    for turn, gap in enumerate(gaps):
        at += gap * MS
        edges.append((at, turn % 2))
    expected = play(button(hold=500 * MS, hold_only=hold_only), edges, until=9 * SECOND)
    detector = button(hold=500 * MS, hold_only=hold_only)
    found = []
    for place, (when, level) in enumerate(edges):
        for _, back in sorted(mark for mark in marks if mark[0] == place):
            found += detector.advance(when - back * MS)
        found += detector.feed(Signal(when, CHANNEL, level))
    assert found + detector.advance(9 * SECOND) == expected
    assert [seen.known for seen in expected] == sorted(seen.known for seen in expected)
    assert all(seen.at <= seen.known for seen in expected)


def test_a_late_release_is_flagged_and_a_late_press_too() -> None:
    detector = button(hold=2 * SECOND, hold_only=True)
    detector.feed(Signal(SECOND, CHANNEL, 0))
    detector.advance(2 * SECOND)
    (seen,) = detector.feed(Signal(1_500 * MS, CHANNEL, 1))
    assert (seen.kind, seen.at, seen.known, seen.late) == ("press", SECOND, 2 * SECOND, True)
    plain = button()
    plain.advance(SECOND)
    (seen,) = plain.feed(Signal(900 * MS, CHANNEL, 0))
    assert (seen.kind, seen.at, seen.known, seen.late) == ("press", 900 * MS, SECOND, True)
    assert plain.health().late == 1


def test_senseless_holds_are_refused() -> None:
    with pytest.raises(ValueError, match="hold_only needs to know"):
        ButtonDetector("undo", "undo", CHANNEL, 0, hold_only=True)
    with pytest.raises(ValueError, match="must be longer than settle_on"):
        ButtonDetector("undo", "undo", CHANNEL, 0, hold=20 * MS)
    ButtonDetector("undo", "undo", CHANNEL, 0, hold=20 * MS + 1)
