"""The panel: signals find their detectors, deadlines pass in order, sources don't wait for each other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.detectors.beam import BeamDetector
from hardware.detectors.button import ButtonDetector
from hardware.detectors.detector import Detector
from hardware.detectors.switch import SwitchDetector
from hardware.observations import Observation
from hardware.panel import Panel
from hardware.signals import MS, SECOND, Signal, source_of

CUP_1, CUP_2, UNDO, NEAR, FAR, FORT = "gpio:1", "gpio:2", "gpio:3", "gpio:4", "gpio:5", "board:left/1"


def detectors() -> list[Detector]:
    return [
        SwitchDetector("cup-1", "cup-1", CUP_1, 1),
        SwitchDetector("cup-2", "cup-2", CUP_2, 1),
        ButtonDetector("undo", "undo", UNDO, 1, hold=SECOND),
        BeamDetector("half-way", "half-way", (NEAR, FAR), 1),
        SwitchDetector("flag", "flag", FORT, 1),
    ]


def opened() -> Panel:
    panel = Panel(detectors())
    panel.begin(dict.fromkeys(panel.channels, 0), at=0)
    return panel


def told(observations: list[Observation]) -> list[tuple[str, object, int]]:
    return [(seen.sensor, seen.value, seen.known // MS) for seen in observations]


def test_signals_find_their_detectors() -> None:
    panel = opened()
    assert panel.channels == (CUP_1, CUP_2, UNDO, NEAR, FAR, FORT)
    panel.feed(Signal(SECOND, CUP_2, 1))
    assert told(panel.advance("gpio", 2 * SECOND)) == [("cup-2", True, 1_150)]
    assert panel.feed(Signal(3 * SECOND, "gpio:27", 1)) == [], "nobody asked for this one"


def test_deadlines_of_one_source_pass_in_order_before_its_next_signal() -> None:
    panel = opened()
    panel.feed(Signal(1_000 * MS, CUP_1, 1))
    panel.feed(Signal(1_010 * MS, CUP_2, 1))
    panel.feed(Signal(1_020 * MS, UNDO, 1))
    # No advance was called: the signal itself proves that gpio has told everything up to two seconds.
    assert told(panel.feed(Signal(2_000 * MS, CUP_1, 0))) == [
        ("undo", True, 1_040),
        ("cup-1", True, 1_150),
        ("cup-2", True, 1_160),
    ]


def test_a_deadline_passes_before_a_signal_of_the_same_instant() -> None:
    panel = opened()
    panel.feed(Signal(1_000 * MS, CUP_1, 1))
    assert told(panel.feed(Signal(1_150 * MS, CUP_2, 1))) == [("cup-1", True, 1_150)]


def test_a_detector_waits_for_its_own_source_alone() -> None:
    panel = opened()
    panel.feed(Signal(1_000 * MS, CUP_1, 1))
    panel.feed(Signal(1_000 * MS, FORT, 1))
    assert panel.next_deadline() == 1_150 * MS
    assert told(panel.advance("board:left", 5 * SECOND)) == [("flag", True, 1_150)]
    assert panel.next_deadline() == 1_150 * MS, "cup-1 still waits for gpio"
    assert told(panel.advance("gpio", 1_150 * MS)) == [("cup-1", True, 1_150)]
    assert panel.next_deadline() is None
    assert panel.advance("sim", 9 * SECOND) == []


def test_levels_of_one_source_leave_the_detectors_of_others_alone() -> None:
    panel = opened()
    panel.feed(Signal(SECOND, CUP_1, 1))
    assert told(panel.begin({FORT: 1}, at=1_050 * MS)) == [("flag", True, 1_050)]
    assert told(panel.advance("gpio", 2 * SECOND)) == [("cup-1", True, 1_150)]
    assert {health.sensor: health.value for health in panel.health()} == {
        "cup-1": True,
        "cup-2": False,
        "undo": False,
        "half-way": False,
        "flag": True,
    }


def test_a_pair_takes_its_levels_once() -> None:
    panel = opened()
    assert panel.begin({NEAR: 1, FAR: 1, CUP_1: 1}, at=SECOND) == [
        Observation(SECOND, SECOND, "cup-1", "cup-1", "level", value=True)
    ]
    assert panel.next_deadline() == 1_502 * MS
    assert [seen.kind for seen in panel.advance("gpio", 4 * SECOND)] == ["blocked"]


def test_a_signal_older_than_the_watermark_is_fed_and_flagged() -> None:
    panel = opened()
    panel.advance("gpio", 2 * SECOND)
    (seen,) = panel.feed(Signal(SECOND, CUP_1, 1))
    assert (seen.at, seen.known, seen.late) == (SECOND, 2 * SECOND, True)
    (seen,) = panel.feed(Signal(1_100 * MS, CUP_2, 1))
    assert seen.late
    assert [health.late for health in panel.health()] == [1, 1, 0, 0, 0]
    panel.advance("board:left", 10 * SECOND)
    panel.feed(Signal(2_500 * MS, CUP_1, 0))
    (seen,) = panel.advance("gpio", 3 * SECOND)
    assert not seen.late, "another source's watermark has no say"


def test_health_is_as_of_now_though_nothing_was_heard() -> None:
    panel = opened()
    for turn in range(301):
        panel.feed(Signal(SECOND + turn * MS, CUP_1, 1 - turn % 2))
    panel.advance("gpio", 2 * SECOND)
    assert panel.health()[0].faults
    panel.advance("gpio", 60 * SECOND)
    assert not panel.health()[0].faults


steps = st.lists(st.tuples(st.integers(0, 400), st.sampled_from([CUP_1, CUP_2, UNDO, NEAR, FAR])), max_size=40)


@given(steps, st.lists(st.tuples(st.integers(0, 40), st.integers(0, 500)), max_size=12))
def test_however_the_calls_are_cut_up_the_observations_are_those_of_each_detector_in_order(
    gaps: list[tuple[int, str]], marks: list[tuple[int, int]]
) -> None:
    at, levels, signals = 0, dict.fromkeys([CUP_1, CUP_2, UNDO, NEAR, FAR], 0), []
    for gap, channel in gaps:
        at += gap * MS
        levels[channel] = 1 - levels[channel]
        signals.append(Signal(at, channel, levels[channel]))
    end = at + 10 * SECOND

    panel, found = opened(), []
    for place, signal in enumerate(signals):
        for _, back in sorted(mark for mark in marks if mark[0] == place):
            found += panel.advance("gpio", signal.at - back * MS)
        found += panel.feed(signal)
        due = [deadline for slot in panel._slots.values() if (deadline := slot.detector.next_deadline()) is not None]
        assert panel.next_deadline() == min(due, default=None)
    found += panel.advance("gpio", end)

    expected = []
    for order, detector in enumerate(detectors()):
        alone = detector.begin(dict.fromkeys(detector.channels, 0), at=0)[:0]
        for signal in signals:
            if signal.channel in detector.channels:
                alone += detector.feed(signal)
        expected += [(seen.known, order, n, seen) for n, seen in enumerate(alone + detector.advance(end))]
    assert found == [seen for *_, seen in sorted(expected, key=lambda each: each[:3])]


def test_a_long_train_of_edges_leaves_no_pile_of_deadlines() -> None:
    panel = opened()
    for turn in range(10_000):
        panel.feed(Signal(SECOND + turn * 100_000, CUP_1, 1 - turn % 2))
    (lane,) = {slot.lane for slot in panel._slots.values() if slot.detector.channels == (CUP_1,)}
    assert len(lane._heap) < 3
    assert told(panel.advance("gpio", 9 * SECOND)) == []
    assert panel.next_deadline() is None


def test_wrong_wiring_of_detectors_is_refused() -> None:
    with pytest.raises(ValueError, match="two detectors listen to gpio:1"):
        Panel([SwitchDetector("a", "a", CUP_1, 1), SwitchDetector("b", "b", CUP_1, 1)])
    with pytest.raises(ValueError, match="several sources: gpio:4, board:left/2"):
        Panel([BeamDetector("a", "a", (NEAR, "board:left/2"), 1)])


@pytest.mark.parametrize(
    ("channel", "source"),
    [("gpio:17", "gpio"), ("sim:cup-1", "sim"), ("sim:half-way/near", "sim"), ("board:left/3", "board:left")],
)
def test_an_address_begins_with_its_source(channel: str, source: str) -> None:
    assert source_of(channel) == source


@given(st.lists(st.tuples(st.sampled_from((CUP_1, CUP_2, UNDO, NEAR, FAR, FORT)), st.integers(1, 400 * MS)), max_size=40))
def test_health_kept_from_the_last_look_is_what_the_detectors_say(steps: list[tuple[str, int]]) -> None:
    panel, looked_at = opened(), opened()
    now = SECOND
    levels: dict[str, int] = {}
    for channel, later in steps:
        now += later
        levels[channel] = 1 - levels.get(channel, 0)
        for one in (panel, looked_at):
            one.feed(Signal(now, channel, levels[channel]))
            one.advance("gpio", now)
            one.advance("board:left", now)
        looked_at.health()
    assert looked_at.health() == panel.health()


def test_a_chatter_that_is_over_is_healed_a_second_later_at_most() -> None:
    panel = opened()
    for n in range(300):
        panel.feed(Signal(SECOND + n * MS, CUP_1, n % 2))
    assert panel.health()[0].faults
    for second in range(2, 40):
        panel.advance("gpio", second * SECOND)
        faults = panel.health()[0].faults
    assert faults == ()
