"""The bounce of simulated contacts is that of Ganssle's eighteen switches, whatever a detector makes of it."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random
from statistics import mean

import pytest

from controller.simulation.bounce import Contact, Edge
from hardware.signals import MS

MADE = [Contact.any(Random(seed)) for seed in range(4000)]


def lasts_ms(edges: list[Edge]) -> float:
    return (edges[-1][0] - edges[0][0]) / MS


def bounces_ms(contact: Contact, count: int) -> list[float]:
    """How long so many changes of a contact last."""
    chance = Random(2)
    return [lasts_ms(contact.change(chance, 5 * MS, place % 2)) for place in range(count)]


def test_a_table_has_the_eighteen_switches_in_their_shares() -> None:
    found = Counter(contact.worst_ms for contact in MADE)
    assert set(found) == {6.2, 11.3, 157.0}
    assert found[6.2] / len(MADE) == pytest.approx(16 / 18, abs=0.02)
    assert found[157.0] / len(MADE) == pytest.approx(1 / 18, abs=0.015)


def test_what_sixteen_switches_do_averages_1557_microseconds_and_never_takes_over_6200() -> None:
    lasted = bounces_ms(Contact(6.2), 20_000)
    assert mean(lasted) == pytest.approx(1.557, rel=0.03)
    assert 6.1 < max(lasted) <= 6.2


def test_the_worst_switch_bounces_for_157_ms_and_no_longer() -> None:
    lasted = bounces_ms(Contact(157.0), 2000)
    assert 155 < max(lasted) <= 157
    # Most of its changes are worse than any of the good ones, and still it often behaves.
    assert sum(one > 6.2 for one in lasted) > 1000
    assert sum(one < 6.2 for one in lasted) > 400


def test_of_all_changes_at_a_table_few_last_longer_than_a_good_switch_bounces_and_none_longer_than_157_ms() -> None:
    chance = Random(4)
    lasted = [lasts_ms(contact.change(chance, 0, 1)) for contact in MADE]
    assert max(lasted) <= 157
    assert 0.02 < sum(one > 6.2 for one in lasted) / len(lasted) < 0.08


def test_a_change_ends_at_its_level_and_every_edge_is_one() -> None:
    chance = Random(1)
    for contact in MADE[:300]:
        for on in (0, 1):
            edges = contact.change(chance, 5 * MS, on)
            assert edges[0] == (5 * MS, on)
            assert edges[-1][1] == on
            assert all(b[0] - a[0] >= 1000 and a[1] != b[1] for a, b in pairwise(edges))
            assert lasts_ms(edges) <= contact.worst_ms


def test_a_ball_that_rattles_makes_the_contact_more_than_once_and_lies_still_at_last() -> None:
    chance = Random(3)
    trains = [Contact(0.5).rattle(chance, 0) for _ in range(400)]
    assert all(train[-1][1] == 1 for train in trains)
    assert all(a[0] < b[0] for train in trains for a, b in pairwise(train))
    assert sum(lasts_ms(train) > 8 for train in trains) > 100
