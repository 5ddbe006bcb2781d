"""The switch: for every train of edges the output alternates, ends at the true level, and counts a rattle once."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hardware.detectors.switch import SwitchDetector
from hardware.detectors.timing import BEAM, CUP, FLAG, Timing
from hardware.observations import Observation
from hardware.signals import MS, SECOND, Signal

CHANNEL = "gpio:17"
Edge = tuple[int, int]
"""When, and to which level."""


def switch(timing: Timing = CUP, active_level: int = 1, *, level: int = 0) -> SwitchDetector:
    detector = SwitchDetector(
        "cup-3",
        "cup-3",
        CHANNEL,
        active_level,
        settle_on=timing.settle_on,
        settle_off=timing.settle_off,
        lockout_on=timing.lockout_on,
        lockout_off=timing.lockout_off,
    )
    detector.begin({CHANNEL: level}, at=0)
    return detector


def play(detector: SwitchDetector, edges: list[Edge], *, until: int) -> list[Observation]:
    observations = []
    for at, level in edges:
        observations += detector.feed(Signal(at, CHANNEL, level))
    return observations + detector.advance(until)


def told(observations: list[Observation]) -> list[tuple[int, int, bool]]:
    return [(seen.at, seen.known, bool(seen.value)) for seen in observations]


def tick_by_tick(edges: list[Edge], timing: Timing, until: int) -> list[tuple[int, int, bool]]:
    """The definition, worked slowly: at each instant, has the level been stable for long enough, and is the lockout over?"""
    value = raw = False
    since = locked_until = -1
    found = []

    def count(t: int) -> None:
        nonlocal value, locked_until
        settle = timing.settle_on if raw else timing.settle_off
        if raw != value and t >= since + settle and t >= locked_until:
            value = raw
            locked_until = t + (timing.lockout_on if value else timing.lockout_off)
            found.append((since, t, value))

    for t in range(until + 1):
        count(t)
        for at, level in edges:
            if at == t:
                raw, since = bool(level), at
                count(t)
    return found


small = st.integers(min_value=0, max_value=9)
timings = st.builds(Timing, small, small, small, small)


@st.composite
def trains(draw: st.DrawFn, *, lossy: bool = False) -> list[Edge]:
    """Edges in order of time, several at one time among them; lossy: a level may come twice, since the edge between was lost."""
    level, at, edges = 0, draw(st.integers(min_value=0, max_value=5)), []
    for gap, lost in draw(st.lists(st.tuples(st.integers(min_value=0, max_value=12), st.booleans()), max_size=12)):
        level = level if lossy and lost else 1 - level
        edges.append((at, level))
        at += gap
    return edges


@given(trains(lossy=True), timings)
def test_it_does_what_the_definition_says(edges: list[Edge], timing: Timing) -> None:
    until = 300
    assert told(play(switch(timing), edges, until=until)) == tick_by_tick(edges, timing, until)


@given(trains(lossy=True), timings)
def test_the_output_alternates_and_ends_at_the_true_level(edges: list[Edge], timing: Timing) -> None:
    detector = switch(timing)
    observations = play(detector, edges, until=SECOND)
    values = [False, *(bool(seen.value) for seen in observations)]
    assert all(one != other for one, other in pairwise(values))
    assert values[-1] == (bool(edges[-1][1]) if edges else False)
    assert detector.health().value == values[-1]
    assert detector.next_deadline() is None
    assert all(seen.at <= seen.known and not seen.late for seen in observations)
    assert [seen.known for seen in observations] == sorted(seen.known for seen in observations)


@given(trains(), timings, st.lists(st.tuples(st.integers(0, 12), st.integers(0, 15)), max_size=8))
def test_when_advance_is_called_makes_no_difference(edges: list[Edge], timing: Timing, marks: list[tuple[int, int]]) -> None:
    expected = told(play(switch(timing), edges, until=1_000))
    detector = switch(timing)
    found = []
    for place, edge in enumerate(edges):
        for before, back in sorted(marks):
            if before == place:
                found += detector.advance(edge[0] - back)  # any time up to the next edge is a true watermark
        found += detector.feed(Signal(edge[0], CHANNEL, edge[1]))
    found += detector.advance(1_000)
    assert told(found) == expected


@given(trains(), timings)
def test_the_deadline_is_the_time_at_which_something_is_known(edges: list[Edge], timing: Timing) -> None:
    detector = switch(timing)
    play(detector, edges, until=edges[-1][0] if edges else 0)
    deadline = detector.next_deadline()
    if deadline is None:
        assert detector.advance(1_000) == []
    else:
        assert detector.advance(deadline - 1) == []
        assert [seen.known for seen in detector.advance(deadline)] == [deadline]


@given(trains(lossy=True), timings)
def test_a_contact_that_opens_has_the_same_times_as_one_that_closes(edges: list[Edge], timing: Timing) -> None:
    normally_open = play(switch(timing, active_level=1, level=0), edges, until=1_000)
    inverted = [(at, 1 - level) for at, level in edges]
    assert play(switch(timing, active_level=0, level=1), inverted, until=1_000) == normally_open


@st.composite
def bounces(draw: st.DrawFn, longest: int = 157 * MS) -> list[int]:
    """Times of an odd number of edges, from 0 to the length of the train."""
    length = draw(st.integers(min_value=2, max_value=longest))
    inner = draw(st.lists(st.integers(min_value=1, max_value=length - 1), max_size=60, unique=True))
    times = [0, *sorted(inner), length]
    return times if len(times) % 2 else [0, *times[2:]]


@pytest.mark.parametrize("timing", [CUP, FLAG], ids=["cup", "flag"])
@given(bounces(), bounces())
def test_the_worst_measured_bounce_counts_once_each_way(timing: Timing, on: list[int], off: list[int]) -> None:
    detector = switch(timing)
    edges = [(at, 1 - turn % 2) for turn, at in enumerate(on)]
    closed = play(detector, edges, until=2 * SECOND)
    assert [seen.value for seen in closed] == [True]
    edges = [(2 * SECOND + at, turn % 2) for turn, at in enumerate(off)]
    opened = play(detector, edges, until=4 * SECOND)
    assert [seen.value for seen in opened] == [False]
    assert closed[0].at in on, "it is at one of the edges"
    assert closed[0].known - closed[0].at >= timing.settle_on


def test_a_beam_takes_a_ball_and_no_flicker() -> None:
    detector = switch(BEAM)
    assert play(detector, [(10 * MS, 1), (11 * MS, 0)], until=50 * MS) == []
    assert told(play(detector, [(60 * MS, 1), (66 * MS, 0)], until=SECOND)) == [
        (60 * MS, 62 * MS, True),
        (66 * MS, 68 * MS, False),
    ]


def test_settle_and_lockout_are_two_things() -> None:
    # Settle alone drops a short release and press; lockout alone takes the first edge at once and then looks again.
    settled = switch(Timing(5, 5))
    assert told(play(settled, [(10, 1), (20, 0), (22, 1)], until=100)) == [(10, 15, True)]
    locked = switch(Timing(0, 0, lockout_on=30))
    assert told(locked.feed(Signal(10, CHANNEL, 1))) == [(10, 10, True)]
    assert locked.feed(Signal(20, CHANNEL, 0)) == []
    assert locked.next_deadline() == 40
    assert told(locked.advance(100)) == [(20, 40, False)], "the last edge is never lost"


def test_a_pulse_within_the_lockout_leaves_nothing() -> None:
    detector = switch(Timing(0, 0, lockout_on=30))
    assert told(play(detector, [(10, 1), (20, 0), (25, 1)], until=100)) == [(10, 10, True)]
    assert told(play(detector, [(200, 0)], until=300)) == [(200, 200, False)]


def test_the_times_of_the_two_directions_are_their_own() -> None:
    detector = switch(Timing(settle_on=10, settle_off=50))
    assert told(play(detector, [(100, 1), (200, 0)], until=1_000)) == [(100, 110, True), (200, 250, False)]


def test_opening_levels_are_baselines() -> None:
    detector = SwitchDetector("cup-3", "cup-3", CHANNEL, active_level=0)
    assert detector.health().value is None
    assert detector.begin({"gpio:4": 0}, at=5) == []
    assert detector.begin({CHANNEL: 0, "gpio:4": 0}, at=7) == [Observation(7, 7, "cup-3", "cup-3", "level", value=True)]
    assert (detector.health().value, detector.health().since, detector.health().edges) == (True, None, 0)
    assert detector.advance(SECOND) == []


def test_opening_again_takes_the_new_level_silently_and_forgets_what_was_pending() -> None:
    detector = switch()
    detector.feed(Signal(SECOND, CHANNEL, 1))
    assert [seen.value for seen in detector.begin({CHANNEL: 0}, at=SECOND + MS)] == [False]
    assert detector.next_deadline() is None
    detector.begin({CHANNEL: 1}, at=2 * SECOND)
    assert detector.health().since == 2 * SECOND
    assert detector.advance(9 * SECOND) == []


def test_an_edge_stamped_while_the_levels_were_being_read_counts() -> None:
    detector = switch()
    detector.begin({CHANNEL: 0}, at=SECOND)
    observations = play(detector, [(SECOND - MS, 1)], until=2 * SECOND)
    assert told(observations) == [(SECOND - MS, SECOND + 149 * MS, True)]
    assert not observations[0].late


def test_without_opening_levels_an_edge_tells_the_level_before_it() -> None:
    detector = SwitchDetector("cup-3", "cup-3", CHANNEL, active_level=1)
    assert [seen.value for seen in play(detector, [(5, 0)], until=SECOND)] == [False]


def test_a_late_edge_counts_at_once_and_is_flagged() -> None:
    detector = switch()
    detector.advance(SECOND)
    assert detector.feed(Signal(900 * MS, CHANNEL, 1)) == [], "it has been stable for 100 ms of 150"
    (seen,) = detector.advance(SECOND + 60 * MS)
    assert (seen.at, seen.known, seen.late) == (900 * MS, 1_050 * MS, True)
    (seen,) = detector.feed(Signal(905 * MS, CHANNEL, 0))
    assert (seen.at, seen.known, seen.value, seen.late) == (905 * MS, 1_060 * MS, False, True), "known now, stable long ago"
    assert detector.health().late == 2
    (note,) = detector.health().notes
    assert "cup-3 had 2 edges that came late" in note


def test_an_edge_older_than_one_already_fed_tells_nothing_of_the_level() -> None:
    detector = switch(Timing(5, 5))
    assert [seen.value for seen in play(detector, [(10, 1)], until=100)] == [True]
    assert detector.feed(Signal(4, CHANNEL, 0)) == []
    assert detector.advance(1_000) == []
    assert (detector.health().value, detector.health().late) == (True, 1)


@given(trains(), timings, st.data())
def test_late_edges_are_counted_flagged_and_never_lead_to_a_wrong_end(
    edges: list[Edge], timing: Timing, data: st.DataObject
) -> None:
    assume(edges)
    detector = switch(timing)
    observations: list[Observation] = []
    late, mark = 0, -1
    delays = data.draw(st.lists(st.integers(0, 30), min_size=len(edges), max_size=len(edges)))
    # Each edge arrives when its delay is over; until then the source has wrongly declared that nothing older would come.
    arrivals = sorted((edges[n][0] + delay, n) for n, delay in enumerate(delays))
    for arrival, n in arrivals:
        at, level = edges[n]
        observations += detector.advance(arrival)
        mark = max(mark, arrival)
        late += at < mark
        observations += detector.feed(Signal(at, CHANNEL, level))
    observations += detector.advance(1_000)
    values = [False, *(bool(seen.value) for seen in observations)]
    assert all(one != other for one, other in pairwise(values))
    assert all(seen.at <= seen.known for seen in observations)
    assert [seen.known for seen in observations] == sorted(seen.known for seen in observations)
    assert detector.health().late == late
    newest = max(at for at, _ in edges)
    last = [edges[n][1] for _, n in arrivals if edges[n][0] == newest][-1]
    assert values[-1] == bool(last)
    if late == 0:
        assert told(observations) == told(play(switch(timing), edges, until=1_000))
        assert not any(seen.late for seen in observations)


def test_what_was_never_seen_is_noted_and_no_fault() -> None:
    health = switch().health()
    (note,) = health.notes
    assert note.startswith("cup-3 was never seen to move: move it by hand")
    assert health.faults == ()
    moved = switch()
    play(moved, [(SECOND, 1)], until=2 * SECOND)
    assert moved.health().notes == ()


def test_missed_edges_are_counted() -> None:
    detector = switch()
    play(detector, [(10, 1), (20, 1), (30, 0)], until=SECOND)
    assert detector.health().lost == 1
    assert "cup-3 missed 1 edges" in detector.health().notes[0]


def test_chatter_is_a_fault_while_it_lasts_and_for_a_while_after() -> None:
    detector = switch()
    hum = [(SECOND + turn * 10 * MS, 1 - turn % 2) for turn in range(500)]  # mains hum for five seconds: nothing ever settles
    assert play(detector, hum[:-1], until=7 * SECOND) == play(switch(), hum[:-1], until=7 * SECOND)
    (fault,) = detector.health().faults
    assert "cup-3 chatters: 499 edges within ten seconds, of which 1 counted" in fault
    assert "pull-up" in fault
    detector.advance(40 * SECOND)
    assert detector.health().faults == ()


def test_chatter_of_the_last_ten_seconds_is_told_when_new_edges_come() -> None:
    detector = switch()
    play(detector, [(turn * 10 * MS, 1 - turn % 2) for turn in range(400)], until=10 * SECOND)
    play(detector, [(11 * SECOND, 1)], until=12 * SECOND)
    assert "400 edges" in detector.health().faults[0]


def test_chatter_is_counted_from_the_last_ten_seconds_however_long_the_switch_was_well() -> None:
    detector = switch()
    play(detector, [(turn * SECOND, 1 - turn % 2) for turn in range(20)], until=30 * SECOND)
    play(detector, [(30 * SECOND + turn * 10 * MS, 1 - turn % 2) for turn in range(301)], until=34 * SECOND)
    assert "301 edges within ten seconds, of which 1 counted" in detector.health().faults[0]


def test_an_honest_switch_does_not_chatter() -> None:
    detector = switch()
    for turn in range(50):
        start = turn * SECOND
        play(detector, [(start + n * MS, (turn + n) % 2) for n in range(25)], until=start + SECOND)
    assert detector.health().accepted == 49
    assert detector.health().faults == ()


@pytest.mark.parametrize("level", [-1, 2])
def test_the_active_level_is_0_or_1(level: int) -> None:
    with pytest.raises(ValueError, match="the active level is 0 or 1"):
        SwitchDetector("cup-3", "cup-3", CHANNEL, level)


def test_times_are_not_negative() -> None:
    with pytest.raises(ValueError, match="settle_off is -1 ns"):
        SwitchDetector("cup-3", "cup-3", CHANNEL, 1, settle_off=-1)
