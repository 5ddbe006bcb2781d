"""The line of demarcation: short, in, right across, and what lies within the error of the line."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.tables.demarcation import Ground, Passage, outs, passages
from hardware.places import Extent, Place

GAUGE = 76.2
ROUND = Ground(Extent(1200, 1200))
LONG = Ground(Extent(2000, 1000, round=False))


def spot(angle: float, rim: float, error: float = 1.0) -> Place:
    """A squail so far in from the edge of the round table."""
    radius = 600 - 25.4 - rim
    return Place(radius * math.cos(angle), radius * math.sin(angle), error)


SEAT = spot(-math.pi / 2, -12.7)


@pytest.mark.parametrize(
    ("turned", "rim", "ways"),
    [
        (0, -12.7, ("set",)),
        (0, 40, ("short",)),
        (0, 90, ("in",)),
        (0, 75.8, ("short", "in")),
        (0, 76.6, ("in", "short")),
        (180, 40, ("across",)),
        (180, 76.0, ("across", "in")),
        (95, 40, ("across",)),
        (75, 40, ("across", "short")),
        (55, 40, ("short",)),
    ],
)
def test_where_a_squail_has_got_to_on_a_round_table(turned: float, rim: float, ways: tuple[Passage, ...]) -> None:
    for way_round in (1, -1):
        place = spot(-math.pi / 2 + way_round * math.radians(turned), rim)
        assert passages(ROUND, GAUGE, SEAT, place) == ways


@pytest.mark.parametrize(
    ("place", "ways"),
    [
        (Place(100, -440, 1), ("short",)),
        (Place(100, 440, 1), ("across",)),
        (Place(940, -100, 1), ("across",)),
        (Place(0, 0, 1), ("in",)),
    ],
)
def test_where_it_has_got_to_on_a_table_with_four_sides(place: Place, ways: tuple[Passage, ...]) -> None:
    assert passages(LONG, GAUGE, Place(100, -487, 1), place) == ways


def test_the_target_is_out_when_the_gauge_touches_it() -> None:
    def target(rim: float) -> Place:
        return Place(600 - 12.7 - rim, 0, 0.5)

    assert [outs(ROUND, GAUGE, target(rim)) for rim in (70, 76.0, 76.5, 80)] == [(True,), (True, False), (False, True), (False,)]


@given(st.floats(0, 2 * math.pi), st.floats(-12, 500), st.floats(0, 5), st.floats(-1, 1), st.floats(-1, 1))
def test_what_is_true_is_always_among_what_may_be(angle: float, rim: float, error: float, off_x: float, off_y: float) -> None:
    true = spot(angle, rim, 0)
    certain = passages(ROUND, GAUGE, SEAT, true)
    seen = Place(true.x + off_x * error / 2, true.y + off_y * error / 2, error)
    at_the_border_of_sides = any(abs(math.degrees(angle) % 360 - side) < 3 for side in (330, 360, 0, 180, 210))
    if len(certain) == 1 and not at_the_border_of_sides:
        # A squail that lies on the very edge and one that was set there can't be told apart, and are no stroke.
        wanted = {"short", "set"} if certain[0] in ("short", "set") else set(certain)
        assert wanted & set(passages(ROUND, GAUGE, SEAT, seen))
