"""The bounce of simulated contacts is that of Ganssle's eighteen switches, whatever a detector makes of it."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from statistics import mean

from controller.simulation.bounce import Contact, Edge
from hardware.signals import MS

MADE = [Contact.any(Random(seed)) for seed in range(4000)]


def lasts_ms(edges: list[Edge]) -> float:
    return (edges[-1][0] - edges[0][0]) / MS


def test_most_switches_are_good_and_one_in_eighteen_takes_157_ms() -> None:
    good = [contact.worst_ms for contact in MADE if contact.worst_ms < 100]
    bad = [contact.worst_ms for contact in MADE if contact.worst_ms >= 100]
    assert set(bad) == {157.0}
    assert 1 / 22 < len(bad) / len(MADE) < 1 / 15
    assert max(good) == 6.2
    assert 1.4 < mean(good) < 1.7


def test_a_change_ends_at_its_level_within_the_worst_of_its_switch() -> None:
    chance = Random(1)
    for contact in MADE[:300]:
        for on in (0, 1):
            edges = contact.change(chance, 5 * MS, on)
            assert edges[0] == (5 * MS, on)
            assert edges[-1][1] == on
            assert all(a[0] < b[0] and a[1] != b[1] for a, b in pairwise(edges))
            assert lasts_ms(edges) <= contact.worst_ms + 0.02


def test_a_bad_contact_bounces_for_long_and_most_changes_bounce() -> None:
    chance = Random(2)
    trains = [Contact(157.0).change(chance, 0, 1) for _ in range(400)]
    assert max(map(lasts_ms, trains)) > 120
    assert sum(len(train) > 1 for train in trains) > 300


def test_a_ball_that_rattles_makes_the_contact_more_than_once_and_lies_still_at_last() -> None:
    chance = Random(3)
    trains = [Contact(0.5).rattle(chance, 0) for _ in range(400)]
    assert all(train[-1][1] == 1 for train in trains)
    assert all(a[0] < b[0] for train in trains for a, b in pairwise(train))
    assert sum(lasts_ms(train) > 8 for train in trains) > 100
