"""What a finished round gives: the nearest squails within the gauge, as claimed, allowed, gauged and touched."""

from __future__ import annotations

from dataclasses import dataclass

from controller.rules.squails.options import House
from controller.rules.squails.state import RoundEnd, State
from controller.rules.squails.words import Side, Starter, Status


@dataclass(frozen=True, slots=True)
class Count:
    """What each side has for the round, and the squails that count, by place, the nearest first."""

    points: tuple[int, ...]
    counted: tuple[int, ...] = ()


def count(house: House, squails: tuple[Status, ...], end: RoundEnd) -> Count:
    """Count a round that was measured or left to its captains; a correction is a count anew."""
    if end.how == "measured":
        return _measured(house, squails, end)
    return Count(tuple([_agreed(house, squails, end, side) for side in house.seats.sides]))


def on_table(house: House, squails: tuple[Status, ...], end: RoundEnd, side: Side) -> list[int]:
    """The places of a side's squails that lie on the table at the end, null ones too."""
    measured = end.how == "measured"
    places = range(len(squails))[house.seats.span[side]]
    return [n for n in places if squails[n] != "out" and not (measured and end.gaps[n] is None)]


def within_gauge(house: House, end: RoundEnd, place: int) -> bool:
    """Whether a squail lies within the gauge: as the gauge showed (SQU-18), else by its distance; its very length is (S-01)."""
    gauged = end.gauged[place]
    gap = end.gaps[place]
    return gauged if gauged is not None else gap is not None and gap <= house.gauge_mm


def next_to_begin(state: State, end: RoundEnd, result: Count) -> Starter | None:
    """Who begins the next round: the owner of the winner's nearest squail (SQU-20, S-15); after a blank see S-03."""
    table, best = state.seats, max(result.points)
    if result.points.count(best) == 1:
        winner = table.sides[result.points.index(best)]
        mine = [n for n in result.counted if table.side_of[table.squails[n]] == winner]
        owners = {state.struck_by[n] for n in mine if end.gaps[n] == end.gaps[mine[0]]}
        return (owners.pop() if len(owners) == 1 else None) or table.sole(winner)
    if state.lead is None or state.house.blank_round_lead == "same":
        return state.lead
    began = table.sides.index(table.side_of[state.lead])
    return table.sole(table.sides[(began + 1) % len(table.sides)])


def _measured(house: House, squails: tuple[Status, ...], end: RoundEnd) -> Count:
    """SQU-09, SQU-10: the squails of one side that lie nearer than any other side's, each if within the gauge."""
    sides, each = house.seats.sides, house.squails_each
    leaders, near = _nearest(house, squails, end)
    within = [n for n in near if within_gauge(house, end, n)]
    if end.claims == (None,) * len(sides):
        counted = [n for n in within if squails[n] != "null"]  # SQU-19
    else:
        counted = []
        for place, side in enumerate(sides):
            # SQU-02: what the captains agree on stands, unless another side lies nearer.
            agreed = side in end.allowed and (leaders == {place} or len(leaders) != 1)
            named = _claimed(house, squails, end, side, [n for n in within if n // each == place], agreed=agreed)
            counted += [n for n in named if squails[n] != "null"]
    points = [0] * len(sides)
    for n in counted:
        points[n // each] += 1
    return Count(tuple(points), tuple(counted))


def _nearest(house: House, squails: tuple[Status, ...], end: RoundEnd) -> tuple[set[int], list[int]]:
    """Which sides lie nearest, as places of `sides`, and the squails that this makes count but for the gauge."""
    each = house.squails_each
    aside: tuple[Status, ...] = ("out", "null") if house.null_promotes else ("out",)  # S-05
    ranked = sorted([(gap, n) for n, gap in enumerate(end.gaps) if gap is not None and squails[n] not in aside])
    if not ranked:
        return set(), []
    nearest = ranked[0][0]
    leaders = {n // each for gap, n in ranked if gap == nearest}
    if len(leaders) > 1:  # S-02
        return leaders, [n for gap, n in ranked if gap == nearest] if house.level == "split" else []
    limit = next((gap for gap, n in ranked if n // each not in leaders), None)
    return leaders, [n for gap, n in ranked if limit is None or gap < limit]


def _claimed(
    house: House, squails: tuple[Status, ...], end: RoundEnd, side: Side, within: list[int], *, agreed: bool
) -> list[int]:
    """The squails of a side that its claim makes count: it names the nearest ones (S-04)."""
    claim = end.claims[house.seats.sides.index(side)]
    if claim is None or (claim <= len(within) and house.under_claim == "all"):
        return within
    nearest_first = sorted(
        on_table(house, squails, end, side), key=lambda n: (not within_gauge(house, end, n), end.gaps[n] or 0.0)
    )
    return [n for n in nearest_first[:claim] if n in within or (agreed and end.gauged[n] is not False)]


def _agreed(house: House, squails: tuple[Status, ...], end: RoundEnd, side: Side) -> int:
    """S-20: nothing was measured, so a claim counts when it is allowed, or as far as the gauge bears it out."""
    claim = end.claims[house.seats.sides.index(side)] or 0
    lying = on_table(house, squails, end, side)
    standing = [n for n in lying if squails[n] != "null" and end.gauged[n] is not False]
    if side not in end.allowed:
        return min(claim, len([n for n in standing if end.gauged[n]]))
    return max(0, min(claim - (len(lying) - len(standing)), len(standing)))
