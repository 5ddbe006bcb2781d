"""From recorded presses to the settle time of a switch or button: longer than any bounce, shorter than any press."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import sqrt

from controller.tablefile.values import say_duration
from controller.tuning.takes import Proposal, Take
from hardware.detectors.digital import DigitalInput
from hardware.detectors.timing import Timing
from hardware.signals import MS

FEWEST = 3
"""Presses from which anything can be said."""
LONGEST_BOUNCE = 300 * MS
"""What stands still for longer is no bounce; whoever records holds the contact for a second."""
APART = 3.0
"""The shortest press is so many times the longest bounce, or they can't be told apart."""
MARGIN = 1.5
"""A settle time is so many times as long as any bounce, and a press so many times as long as it."""
LONGEST_TOUCH = 20 * MS
"""What goes on and off again for longer may be a finger: then it isn't known what it was."""
LONGEST_SETTLE = 900 * MS


@dataclass(frozen=True, slots=True)
class Train:
    """The edges of one change, in nanoseconds: (time, level)."""

    edges: tuple[tuple[int, int], ...]

    @property
    def lasts(self) -> int:
        """From the first edge to the last."""
        return self.edges[-1][0] - self.edges[0][0]

    @property
    def changes(self) -> bool:
        """Whether it ends at another level than it began."""
        return len(self.edges) % 2 == 1

    def stretched(self, factor: float) -> Train:
        """The same bounce, so many times as slow."""
        start = self.edges[0][0]
        return Train(tuple((start + round((at - start) * factor), level) for at, level in self.edges))


@dataclass(frozen=True, slots=True)
class Presses:
    """What a recording shows. `bounce`: the longest that the contact stood still within a train; `held`: the shortest between."""

    trains: tuple[Train, ...]
    count: int
    bounce: int
    held: int


def propose(take: Take, active_level: int, timing: Timing) -> Proposal:
    """What to set for the contact that was pressed in this recording; `timing` is what it has now."""
    assert take.sensor is not None, "knocks aren't pressed"
    sensors = (take.sensor,)
    edges = _edges(take, active_level)
    trains = _trains(edges)
    if trains is None:
        trouble = (
            f"{take.sensor} changes at all intervals in {take.name}, so that bounces and presses can't be told apart: press "
            "it, hold it for a second, let go for a second; if it was so, see to its wire and its switch (docs/wiring.md)"
        )
        return Proposal(sensors, (), {}, trouble)
    seen = _presses(trains, active_level)
    if not all(train.changes for train in trains) and seen.bounce >= LONGEST_TOUCH:
        trouble = (
            f"{take.name} has touches of {take.sensor} that went away at once: record again, and hold each press for a second"
        )
        return Proposal(sensors, (), {}, trouble)
    if seen.count < FEWEST:
        trouble = (
            f"{take.sensor} was pressed {seen.count} times in {take.name}: press it {FEWEST} times at least, five are better"
        )
        return Proposal(sensors, (), {}, trouble)
    reasons = [_told(take, seen)]
    if _fits(seen, active_level, timing):
        return Proposal(sensors, (*reasons, "what the table file has counts each once, also with bounces half as long again"), {})
    least, most = round(seen.bounce * MARGIN), min(round(seen.held / MARGIN), LONGEST_SETTLE)
    settle = _between(least, most)
    tuned = replace(timing, settle_on=settle, settle_off=settle)
    if least >= most or not _fits(seen, active_level, tuned):
        trouble = (
            f"no settle time counts each press of {take.sensor} once: its bounces stand still for up to {_ms(seen.bounce)}, its "
            f"presses last {_ms(seen.held)}; change the switch, or hold it for longer"
        )
        return Proposal(sensors, tuple(reasons), {}, trouble)
    factor = settle / max(seen.bounce, 1)
    reasons.append(f"{say_duration(settle)} is {factor:.1f} times the longest bounce, and the shortest press is longer still")
    return Proposal(sensors, tuple(reasons), {"settle": f'"{say_duration(settle)}"'})


def _edges(take: Take, active_level: int) -> list[tuple[int, int]]:
    """The changes of the level; the same level twice is one."""
    edges: list[tuple[int, int]] = []
    level = next(iter(take.levels.values()), 1 - active_level)
    for signal in take.signals:
        if signal.number != level:
            level = signal.number
            edges.append((signal.at, level))
    return edges


def _trains(edges: Sequence[tuple[int, int]]) -> list[Train] | None:
    """The edges by the changes that they belong to; None where they can't be told apart."""
    stretches = sorted(after - before for (before, _), (after, _) in pairwise(edges))
    bounce = 0
    if stretches and stretches[0] <= LONGEST_BOUNCE:
        below = [short for short, longer in pairwise(stretches) if short <= LONGEST_BOUNCE and longer >= APART * short]
        if not below:
            return None
        bounce = below[-1]
    trains: list[list[tuple[int, int]]] = []
    for edge in edges:
        if trains and edge[0] - trains[-1][-1][0] <= bounce:
            trains[-1].append(edge)
        else:
            trains.append([edge])
    return [Train(tuple(train)) for train in trains]


def _presses(trains: Sequence[Train], active_level: int) -> Presses:
    inner = [after - before for train in trains for (before, _), (after, _) in pairwise(train.edges)]
    between = [after.edges[0][0] - before.edges[-1][0] for before, after in pairwise(trains)]
    count = sum(train.changes and train.edges[-1][1] == active_level for train in trains)
    return Presses(tuple(trains), count, max(inner, default=0), min(between, default=0))


def _fits(seen: Presses, active_level: int, timing: Timing) -> bool:
    """Whether each change counts once, as recorded and with slower bounces."""
    wanted = sum(train.changes for train in seen.trains)
    return all(_counted([train.stretched(by) for train in seen.trains], active_level, timing) == wanted for by in (1.0, MARGIN))


def _counted(trains: Sequence[Train], active_level: int, timing: Timing) -> int:
    contact = DigitalInput(active_level, timing)
    edges = [edge for train in trains for edge in train.edges]
    contact.begin(1 - edges[0][1], edges[0][0] - 1)
    for at, level in edges:
        contact.feed(at, level)
    contact.advance(edges[-1][0] + 100 * LONGEST_SETTLE)
    return contact.accepted


def _between(least: int, most: int) -> int:
    """A round time between the two: nearer to the bounce, since a longer one is felt."""
    wanted = max(least, min(round(sqrt(max(least, MS) * max(most, MS))), 4 * max(least, 5 * MS)))
    steps = [step * power * MS for power in (1, 10, 100) for step in (1, 1.5, 2, 3, 4, 5, 6, 8)]
    return int(next((step for step in steps if step >= wanted and step <= most), most))


def _told(take: Take, seen: Presses) -> str:
    bouncing = sum(len(train.edges) > 1 for train in seen.trains)
    longest = _ms(max((train.lasts for train in seen.trains), default=0))
    bounces = "none of its changes bounced"
    if bouncing:
        bounces = (
            f"{bouncing} of {len(seen.trains)} changes bounced, up to {longest}, still for up to {_ms(seen.bounce)} in between"
        )
    return (
        f"{take.sensor}: {seen.count} presses in {take.name}; {bounces}; the shortest time between changes was {_ms(seen.held)}"
    )


def _ms(ns: int) -> str:
    return f"{ns / MS:.0f} ms" if ns >= 100 * MS else f"{ns / MS:.3g} ms"
