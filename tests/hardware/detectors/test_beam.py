"""Beams: what goes through is told with its direction; what turns back, stays or flickers is not."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.detectors.beam import BeamDetector
from hardware.observations import Observation
from hardware.signals import MS, SECOND, Signal

NEAR, FAR = "gpio:23", "gpio:24"
Step = tuple[int, str, int]
"""When in milliseconds, which beam, 1 broken or 0 clear."""


def pair(levels: dict[str, int] | None = None) -> BeamDetector:
    detector = BeamDetector("half-way", "half-way", (NEAR, FAR), active_level=1, blocked_after=2 * SECOND)
    assert detector.begin(levels or {NEAR: 0, FAR: 0}, at=0) == []
    return detector


def single() -> BeamDetector:
    detector = BeamDetector("pocket-1", "pocket-1", (NEAR,), active_level=1, blocked_after=2 * SECOND)
    detector.begin({NEAR: 0}, at=0)
    return detector


def play(detector: BeamDetector, steps: Iterable[Step], *, until: int = 60_000) -> list[Observation]:
    observations = []
    for at, channel, level in steps:
        observations += detector.feed(Signal(at * MS, channel, level))
    return observations + detector.advance(until * MS)


def told(observations: list[Observation]) -> list[tuple[str, object, int, int]]:
    return [(seen.kind, seen.value, seen.at // MS, seen.known // MS) for seen in observations]


UP = [(100, NEAR, 1), (110, FAR, 1), (130, NEAR, 0), (140, FAR, 0)]
DOWN = [(100, FAR, 1), (110, NEAR, 1), (130, FAR, 0), (140, NEAR, 0)]


def test_the_order_of_breaking_is_the_direction() -> None:
    assert told(play(pair(), UP)) == [("crossing", "up", 110, 142)]
    assert told(play(pair(), DOWN)) == [("crossing", "down", 110, 142)]


def test_one_ball_after_the_other() -> None:
    detector = pair()
    back = [(at + 200, channel, level) for at, channel, level in DOWN]
    assert [seen.value for seen in play(detector, UP + back)] == ["up", "down"]


def test_a_ball_that_turns_back_between_the_beams_has_not_crossed() -> None:
    assert play(pair(), [(100, NEAR, 1), (150, NEAR, 0)]) == [], "it never reached the far beam"
    assert play(pair(), [(100, NEAR, 1), (110, FAR, 1), (150, FAR, 0), (170, NEAR, 0)]) == [], "it reached it and rolled back"
    assert play(pair(), [(100, FAR, 1), (110, NEAR, 1), (150, NEAR, 0), (170, FAR, 0)]) == []


def test_a_ball_that_rocks_on_the_beams_counts_by_where_it_leaves() -> None:
    rocking = [(100, NEAR, 1), (110, FAR, 1), (150, FAR, 0), (200, FAR, 1), (230, NEAR, 0), (250, NEAR, 1), (260, NEAR, 0)]
    assert told(play(pair(), [*rocking, (280, FAR, 0)])) == [("crossing", "up", 110, 282)]


def test_something_smaller_than_the_gap_is_told_too() -> None:
    assert told(play(pair(), [(100, NEAR, 1), (105, NEAR, 0), (110, FAR, 1), (115, FAR, 0)])) == [("crossing", "up", 110, 117)]


def test_a_ball_that_came_near_and_another_that_goes_through_are_two_things() -> None:
    detector = pair()
    turned = [(100, NEAR, 1), (150, NEAR, 0)]
    through = [(400, FAR, 1), (410, NEAR, 1), (430, FAR, 0), (440, NEAR, 0)]
    assert told(play(detector, turned + through)) == [("crossing", "down", 410, 442)]


def test_both_must_break_within_the_window() -> None:
    def narrow() -> BeamDetector:
        return BeamDetector("half-way", "half-way", (NEAR, FAR), active_level=1, window=500 * MS, blocked_after=2 * SECOND)

    assert play(narrow(), [(100, NEAR, 1), (601, FAR, 1), (700, NEAR, 0), (710, FAR, 0)]) == []
    assert [seen.value for seen in play(narrow(), [(100, NEAR, 1), (600, FAR, 1), (700, NEAR, 0), (710, FAR, 0)])] == ["up"]
    assert play(narrow(), [(100, NEAR, 1), (105, NEAR, 0), (601, FAR, 1), (605, FAR, 0)]) == []
    assert [seen.value for seen in play(narrow(), [(100, NEAR, 1), (105, NEAR, 0), (600, FAR, 1), (605, FAR, 0)])] == ["up"]


def test_by_default_half_a_second_in_a_beam_is_too_long_for_a_ball() -> None:
    detector = BeamDetector("half-way", "half-way", (NEAR, FAR), active_level=1)
    assert [seen.kind for seen in play(detector, [(100, NEAR, 1), (600, NEAR, 0)], until=1_000)] == []
    assert [seen.kind for seen in play(detector, [(2_000, NEAR, 1), (2_501, NEAR, 0)])] == ["blocked"]


def test_what_stays_is_blocked_once_and_no_crossing() -> None:
    detector = pair()
    observations = play(detector, [(100, NEAR, 1), (150, FAR, 1)], until=30_000)
    assert told(observations) == [("blocked", True, 100, 2_102)]
    assert "half-way is blocked: take away what lies in the beam" in detector.health().faults[0]
    assert detector.health().value is True
    assert play(detector, [(30_001, NEAR, 0), (30_050, FAR, 0)], until=31_000) == []
    assert detector.health().faults == ()
    later = [(at + 40_000, channel, level) for at, channel, level in UP]
    assert [seen.value for seen in play(detector, later)] == ["up"]


def test_cleared_just_in_time_is_a_crossing() -> None:
    steps = [(100, NEAR, 1), (900, FAR, 1), (2_100, NEAR, 0), (2_890, FAR, 0)]
    assert [seen.kind for seen in play(pair(), steps)] == ["crossing"]
    one_more = [(100, NEAR, 1), (900, FAR, 1), (2_101, NEAR, 0), (2_890, FAR, 0)]
    assert [seen.kind for seen in play(pair(), one_more)] == ["blocked"]


def test_what_lies_in_a_beam_at_switch_on_is_blocked_and_never_a_crossing() -> None:
    detector = pair({NEAR: 1, FAR: 0})
    assert told(detector.advance(3 * SECOND)) == [("blocked", True, 0, 2_002)]
    assert play(detector, [(4_000, NEAR, 0)], until=5_000) == []
    moved = pair({NEAR: 1, FAR: 0})
    assert play(moved, [(10, FAR, 1), (20, NEAR, 0), (30, FAR, 0)], until=5_000) == []


def test_opening_levels_are_taken_beam_by_beam() -> None:
    detector = BeamDetector("half-way", "half-way", (NEAR, FAR), active_level=1)
    assert detector.health().value is None
    detector.begin({NEAR: 0}, at=0)
    assert detector.health().value is False
    detector.begin({FAR: 1}, at=SECOND)
    assert detector.health().value is True
    assert detector.next_deadline() == 1_502 * MS


def test_a_deadline_passes_at_its_time() -> None:
    detector = pair()
    play(detector, UP[:3], until=135)
    assert detector.feed(Signal(140 * MS, FAR, 0)) == []
    assert detector.next_deadline() == 142 * MS
    assert detector.advance(142 * MS - 1) == []
    assert [seen.value for seen in detector.advance(142 * MS)] == ["up"]


def test_opening_again_forgets_what_was_in_the_beams() -> None:
    detector = pair()
    play(detector, [(100, NEAR, 1), (110, FAR, 1)], until=200)
    detector.begin({NEAR: 0, FAR: 0}, at=300 * MS)
    assert detector.next_deadline() is None
    assert detector.begin({"gpio:2": 0}, at=301 * MS) == []
    assert [seen.value for seen in play(detector, [(at + 400, channel, level) for at, channel, level in DOWN])] == ["down"]


def test_broken_in_the_same_instant_the_order_of_clearing_tells() -> None:
    both = [(100, NEAR, 1), (100, FAR, 1)]
    assert [seen.value for seen in play(pair(), [*both, (120, NEAR, 0), (130, FAR, 0)])] == ["up"]
    assert [seen.value for seen in play(pair(), [*both, (120, FAR, 0), (130, NEAR, 0)])] == ["down"]
    assert [seen.value for seen in play(pair(), [*both, (120, NEAR, 0), (120, FAR, 0)])] == [""]


def test_flicker_shorter_than_settle_is_nothing_either_way() -> None:
    assert play(pair(), [(100, NEAR, 1), (101, NEAR, 0), (110, FAR, 1), (111, FAR, 0)]) == []
    with_gaps = [(100, NEAR, 1), (105, NEAR, 0), (106, NEAR, 1), (110, FAR, 1), (130, NEAR, 0), (140, FAR, 0)]
    assert [seen.value for seen in play(pair(), with_gaps)] == ["up"]


def test_a_single_beam_has_no_direction() -> None:
    detector = single()
    assert told(play(detector, [(100, NEAR, 1), (120, NEAR, 0)], until=1_000)) == [("crossing", "", 100, 122)]
    assert told(play(detector, [(2_000, NEAR, 1)], until=9_000)) == [("blocked", True, 2_000, 4_002)]
    assert play(detector, [(9_100, NEAR, 0)], until=10_000) == []
    assert [seen.kind for seen in play(detector, [(11_000, NEAR, 1), (11_010, NEAR, 0)])] == ["crossing"]


def test_a_beam_to_ground_is_broken_at_its_active_level() -> None:
    detector = BeamDetector("half-way", "half-way", (NEAR, FAR), active_level=0)
    detector.begin({NEAR: 1, FAR: 1}, at=0)
    assert [seen.value for seen in play(detector, [(at, channel, 1 - level) for at, channel, level in UP])] == ["up"]


def test_a_late_edge_makes_a_late_crossing() -> None:
    detector = pair()
    play(detector, UP[:3], until=135)
    detector.advance(300 * MS)
    observations = detector.feed(Signal(140 * MS, FAR, 0))
    assert [(seen.value, seen.known, seen.late) for seen in observations] == [("up", 300 * MS, True)]
    assert detector.health().late == 1


def test_health_names_the_beam_of_a_pair() -> None:
    detector = pair()
    play(detector, [(100, NEAR, 1), (120, NEAR, 0)], until=1_000)
    (note,) = detector.health().notes
    assert note.startswith("half-way (far beam) was never seen to move")
    assert (detector.health().edges, detector.health().accepted, detector.health().since) == (2, 2, 120 * MS)
    play(detector, [(2_000, FAR, 1)], until=2_010)
    assert (detector.health().since, detector.health().value) == (2_000 * MS, True)
    assert single().health().notes[0].startswith("pocket-1 was never seen")
    assert BeamDetector("b", "b", (NEAR,), 1).health().value is None


@pytest.mark.parametrize("channels", [(), (NEAR, NEAR), (NEAR, FAR, "gpio:25")])
def test_one_beam_or_two(channels: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="one channel or a pair of two"):
        BeamDetector("half-way", "half-way", channels, 1)


# A ball's path over the beams, as a person would see it: positions in millimetres, the near beam at 0, the far at 25.4.

GAP = 25.4
RADIUS = 24.0


def edges_of(path: list[tuple[float, float]]) -> list[Step]:
    """The beams as a ball breaks them; the path is straight between its points (milliseconds, position of its middle)."""
    steps: list[Step] = []
    for (start, there), (end, here) in pairwise(path):
        for channel, beam in ((NEAR, 0.0), (FAR, GAP)):
            for rim in (beam - RADIUS, beam + RADIUS):
                if there < rim < here or here < rim < there:
                    at = start + (end - start) * (rim - there) / (here - there)
                    inward = (rim < beam) == (here > there)
                    steps.append((round(at * MS), channel, int(inward)))
    return sorted(steps)


@given(
    st.lists(
        st.tuples(st.booleans(), st.floats(-20.0, 45.0), st.integers(150, 700), st.integers(150, 700)), min_size=1, max_size=6
    ),
    st.booleans(),
    st.integers(1, 5),
)
def test_balls_that_pass_and_balls_that_turn_back(visits: list[tuple[bool, float, int, int]], far_first: bool, pace: int) -> None:
    """Each visit goes in as far as it likes and then out by either side: only those that leave by the other side cross."""
    detector = pair()
    side = 1 if far_first else -1
    now, expected, observations = 0.0, [], []
    outside = {-1: -120.0, 1: 120.0 + GAP}
    for through, depth, going_in, going_out in visits:
        leave = -side if through else side
        path = [(now, outside[side]), (now + going_in, depth), (now + going_in + going_out, outside[leave])]
        for at, channel, level in edges_of(path):
            observations += detector.feed(Signal(at, channel, level))
        now = path[-1][0] + 1_100  # longer than the window: no visit is taken for a part of the last
        if through:
            expected.append("up" if leave == 1 else "down")
        side = leave
        if now // 100 % pace == 0:
            observations += detector.advance(round(now * MS))
    observations += detector.advance(round(now * MS) + SECOND)
    assert [seen.value for seen in observations] == expected
    assert all(seen.at <= seen.known for seen in observations)


@given(
    st.lists(st.tuples(st.integers(0, 40), st.sampled_from([NEAR, FAR])), max_size=16),
    st.lists(st.tuples(st.integers(0, 16), st.integers(0, 60)), max_size=6),
)
def test_when_advance_is_called_makes_no_difference(gaps: list[tuple[int, str]], marks: list[tuple[int, int]]) -> None:
    at, levels, steps = 0, {NEAR: 0, FAR: 0}, []
    for gap, channel in gaps:
        at += gap
        levels[channel] = 1 - levels[channel]
        steps.append((at, channel, levels[channel]))
    expected = play(pair(), steps)
    detector = pair()
    found = []
    for place, (when, channel, level) in enumerate(steps):
        for _, back in sorted(mark for mark in marks if mark[0] == place):
            found += detector.advance((when - back) * MS)
        found += detector.feed(Signal(when * MS, channel, level))
    assert found + detector.advance(60 * SECOND) == expected
