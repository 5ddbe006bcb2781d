"""A settle time from recorded presses: each press counts once, whatever the contact does, or it is said that none does."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.simulation.bounce import WORST_GOOD_MS, Contact
from controller.tablefile.values import read_duration
from controller.tuning.contacts import propose
from controller.tuning.takes import Take
from hardware.detectors.switch import SwitchDetector
from hardware.detectors.timing import BUTTON, CUP, Timing
from hardware.signals import MS, SECOND, Signal

CHANNEL = "gpio:17"


def take_of(edges: list[tuple[int, int]], level: int = 0) -> Take:
    return Take("presses.jsonl", "cup-1", {CHANNEL: level}, tuple(Signal(at, CHANNEL, value) for at, value in edges))


def pressed(rng: random.Random, contact: Contact, count: int, held: int = SECOND) -> list[tuple[int, int]]:
    """A person presses it so many times."""
    edges: list[tuple[int, int]] = []
    at = SECOND
    for _ in range(count):
        for level in (1, 0):
            edges += contact.change(rng, at, level)
            at = edges[-1][0] + round(held * rng.uniform(0.7, 1.5))
    return edges


def counted(edges: list[tuple[int, int]], settle: int) -> list[object]:
    """What the real detector makes of them."""
    detector = SwitchDetector("cup-1", "cup-1", CHANNEL, 1, settle_on=settle, settle_off=settle)
    detector.begin({CHANNEL: 0}, 0)
    seen = [one for at, level in edges for one in detector.feed(Signal(at, CHANNEL, level))]
    return [one.value for one in seen + detector.advance(edges[-1][0] + 10 * SECOND)]


def settle_of(settings: object) -> int:
    assert isinstance(settings, dict)
    return read_duration(settings["settle"].strip('"'))


@given(st.integers(0, 1 << 32), st.floats(0.1, 157.0), st.integers(3, 8))
def test_what_is_proposed_counts_each_press_once(seed: int, worst_ms: float, count: int) -> None:
    """The settings of the table file are hopeless: they believe every edge."""
    rng = random.Random(seed)
    edges = pressed(rng, Contact(worst_ms), count)
    proposal = propose(take_of(edges), 1, Timing(0, 0))
    assert proposal.trouble is None
    settle = settle_of(proposal.settings) if proposal.settings else 0
    assert counted(edges, settle) == [True, False] * count


@given(st.integers(0, 1 << 32), st.integers(3, 8))
def test_the_defaults_do_for_good_switches_and_are_left_as_they_are(seed: int, count: int) -> None:
    edges = pressed(random.Random(seed), Contact(WORST_GOOD_MS), count)
    for timing in (CUP, BUTTON):
        proposal = propose(take_of(edges), 1, timing)
        assert (proposal.trouble, proposal.settings) == (None, {})


def test_the_figures_are_those_of_the_recording() -> None:
    edges = []
    for press in range(4):
        start = press * 3 * SECOND + SECOND
        edges += [(start, 1), (start + 3 * MS, 0), (start + 10 * MS, 1), (start + SECOND, 0)]
    proposal = propose(take_of(edges), 1, Timing(2 * MS, 2 * MS))
    assert proposal.reasons[0] == (
        "cup-1: 4 presses in presses.jsonl; 4 of 8 changes bounced, up to 10 ms, still for up to 7 ms in between; the "
        "shortest time between changes was 990 ms"
    )
    assert 7 * MS * 1.5 <= settle_of(proposal.settings) <= 100 * MS
    clean = propose(take_of([edge for edge in edges if edge[0] % SECOND != 3 * MS and edge[0] % SECOND != 10 * MS]), 1, CUP)
    assert "none of its changes bounced" in clean.reasons[0]
    assert clean.settings == {}


def test_a_settle_time_longer_than_the_presses_is_shortened() -> None:
    edges = pressed(random.Random(1), Contact(2.0), 5, held=400 * MS)
    proposal = propose(take_of(edges), 1, Timing(600 * MS, 600 * MS))
    assert proposal.trouble is None
    assert counted(edges, settle_of(proposal.settings)) == [True, False] * 5
    assert counted(edges, 600 * MS) != [True, False] * 5


def test_a_contact_that_opens_when_it_is_pressed_is_counted_as_well() -> None:
    edges = [(at, 1 - level) for at, level in pressed(random.Random(3), Contact(5.0), 4)]
    proposal = propose(take_of(edges, level=1), 0, CUP)
    assert proposal.reasons[0].startswith("cup-1: 4 presses")


@pytest.mark.parametrize(
    ("edges", "says"),
    [
        ([], "was pressed 0 times"),
        ([(SECOND, 1), (2 * SECOND, 0)], "was pressed 1 times"),
        ([(SECOND + sum(range(n)) * 3 * MS, n % 2) for n in range(1, 60)], "can't be told apart"),
        (
            [(press * 2 * SECOND + at, level) for press in range(1, 6) for at, level in ((0, 1), (150 * MS, 0))],
            "hold each press for a second",
        ),
    ],
)
def test_what_can_not_be_tuned_is_told(edges: list[tuple[int, int]], says: str) -> None:
    proposal = propose(take_of(edges), 1, Timing(0, 0))
    assert proposal.settings == {}
    assert proposal.trouble is not None
    assert says in proposal.trouble
