"""A gauge that reads the distance all the time: one answer each time that it is laid."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.detectors.distance import DistanceDetector, DistanceSettings
from hardware.signals import MS, Signal

STILL = 500
SETTINGS = DistanceSettings(length=76.2, error=1.0, reach=300.0, still=STILL * MS, unit=0.5, offset=10.0)
LIFTED = 4000


def gauge() -> DistanceDetector:
    return DistanceDetector("gauge", "gauge", "board:left/22", SETTINGS)


def played(detector: DistanceDetector, readings: list[tuple[int, float]], until: int = 60_000) -> list[tuple[int, object]]:
    """Feed these (ms, millimetres), let time pass; gives (ms, answer)."""
    seen = []
    for at, distance in readings:
        seen += detector.feed(Signal(at * MS, "board:left/22", round((distance - 10) * 2)))
    seen += detector.advance(until * MS)
    return [(one.at // MS, one.value) for one in seen]


@pytest.mark.parametrize(("distance", "touches"), [(10.0, True), (75.0, True), (77.5, False), (300.0, False)])
def test_what_lies_still_within_reach_is_answered(distance: float, touches: bool) -> None:
    detector = gauge()
    assert played(detector, [(100, LIFTED), (200, distance)]) == [(200 + STILL, touches)]
    assert detector.health().value is touches
    assert detector.health().accepted == 1


def test_it_answers_on_time_without_a_further_reading() -> None:
    detector = gauge()
    assert played(detector, [(100, 50)], until=599) == []
    assert detector.next_deadline() == 600 * MS
    assert played(detector, [], until=600) == [(600, True)]
    assert detector.next_deadline() is None


def test_what_moves_on_isnt_answered_and_trembling_is_no_moving() -> None:
    assert played(gauge(), [(n * 400, 50 + n * 5) for n in range(5)], until=2000) == []
    assert played(gauge(), [(n * 100, 50 + n % 2) for n in range(20)]) == [(STILL, True)]


def test_it_answers_once_until_it_is_lifted_or_moved() -> None:
    trembling = [(n * 1000, 50 + n % 2) for n in range(5)]
    assert played(gauge(), [*trembling, (5000, LIFTED), (6000, 50), (7000, 90)]) == [(500, True), (6500, True), (7500, False)]


def test_lifted_before_it_was_still_it_says_nothing() -> None:
    assert played(gauge(), [(0, 50), (400, LIFTED)]) == []


@pytest.mark.parametrize("distance", [75.5, 76.0, 77.0])
def test_nearer_to_its_length_than_its_error_the_stick_is_to_be_laid(distance: float) -> None:
    detector = gauge()
    assert played(detector, [(0, distance)]) == []
    assert "lay the stick" in detector.health().faults[0]
    assert played(detector, [(61_000, LIFTED)], 62_000) == []
    assert detector.health().faults == ()


@given(st.lists(st.tuples(st.integers(1, 2000), st.integers(0, 0xFFFF)), max_size=40))
def test_whatever_is_read_answers_are_in_order_and_at_least_still_apart(steps: list[tuple[int, int]]) -> None:
    detector, at, answers = gauge(), 0, []
    for gap, value in steps:
        at += gap
        answers += detector.feed(Signal(at * MS, "board:left/22", value))
    answers += detector.advance((at + 1000) * MS)
    times = [answer.at for answer in answers]
    assert all(late - early >= STILL * MS for early, late in pairwise(times))
    assert detector.health().accepted == len(answers)
