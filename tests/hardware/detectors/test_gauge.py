"""An electronic gauge: yes and no, distances, and what is no answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.detectors.gauge import GaugeDetector
from hardware.signals import SECOND, Signal


def gauge() -> GaugeDetector:
    return GaugeDetector("gauge", "gauge", "lines:gauge")


def said(detector: GaugeDetector, line: str, at: int = SECOND) -> list[object]:
    return [seen.value for seen in detector.feed(Signal(at, "lines:gauge", line))]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("YES", True),
        ("no", False),
        ("GAUGE YES", True),
        (" gauge: no ", False),
        ("75.6", True),
        ("GAUGE 76.8 mm", False),
        ("0", True),
    ],
)
def test_an_answer_is_told(line: str, answer: bool) -> None:
    detector = gauge()
    assert said(detector, line) == [answer]
    assert detector.health().value is answer
    assert detector.health().faults == ()


@pytest.mark.parametrize("line", ["75.8", "76.2", "76.6"])
def test_a_distance_within_its_error_of_the_gauge_is_no_answer(line: str) -> None:
    detector = gauge()
    assert said(detector, line) == []
    assert "lay the stick" in detector.health().faults[0]


@pytest.mark.parametrize("line", ["", "maybe", "YESNO", "-3", "nan", "99999", "1e3"])
def test_rubbish_is_counted_and_told_until_the_next_line(line: str) -> None:
    detector = gauge()
    assert said(detector, line) == []
    assert (detector.health().lost, len(detector.health().faults)) == (1, 1)
    said(detector, "YES", 2 * SECOND)
    assert detector.health().faults == ()


def test_a_button_held_down_answers_once() -> None:
    detector = gauge()
    assert [said(detector, "YES", n * SECOND // 4) for n in range(1, 4)] == [[True], [], []]
    assert said(detector, "NO", SECOND) == [False]
    assert said(detector, "NO", 3 * SECOND) == [False]


@given(st.text())
def test_nothing_that_is_sent_breaks_it(line: str) -> None:
    assert set(said(gauge(), line)) <= {True, False}
