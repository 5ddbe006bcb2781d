"""Which squails of a round count, by distances that each have an error: what these leave open is asked. Pure.

A distance that may be on either side of the gauge is a question for the gauge. Whether one squail lies nearer than another of
another side is none: the gauge can't tell (SQU-18). Then people are asked what counts, with every answer that the errors allow.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from controller.rules.awards import Json
from controller.rules.squails.words import listed, sentence, spoken
from controller.tables.table import Choice, Question

MOST_CONTESTED = 8
"""More squails than this never contend for one place: they wouldn't lie side by side."""
MOST_TRIED = 6
"""Up to so many every way is tried; of more only the ends of what each may be, so that a small machine isn't held up."""
STEP = 0.01
"""Millimetres: the least that is told apart."""


@dataclass(frozen=True, slots=True)
class Gap:
    """The clear distance of a squail from the target, give or take `error`, in millimetres."""

    squail: str
    side: str
    mm: float
    error: float

    @property
    def least(self) -> float:
        """The least that it may be."""
        return max(0.0, self.mm - self.error)

    @property
    def most(self) -> float:
        """The most that it may be."""
        return self.mm + self.error

    def overlaps(self, other: Gap) -> bool:
        """Whether either of the two may be the nearer."""
        return self.least <= other.most and other.least <= self.most


@dataclass(frozen=True, slots=True)
class Judged:
    """Distances by squail, some of them unknowns, and the questions that bind these."""

    gaps: dict[str, Json]
    questions: tuple[Question, ...]


def judge(gaps: Sequence[Gap], gauge: float, level: str, key: str) -> Judged:
    """What these distances say. `level`: the house rule; `key`: names the questions."""
    told = {gap.squail: round(gap.mm, 2) for gap in gaps}
    near = _front(gaps, gauge)
    contested = [g for g in near if any(g.side != other.side and g.overlaps(other) for other in near)][:MOST_CONTESTED]
    ways = _ways(gaps, told, contested, gauge, level)
    found: dict[str, Json] = {**told}
    questions: list[Question] = []
    if len(ways) > 1:
        questions.append(_what_counts(ways, contested, key))
        found |= {gap.squail: f"?near-{key}.{gap.squail}" for gap in contested}
    for gap in near:
        doubtful = gap not in contested and abs(gap.mm - gauge) <= gap.error
        if doubtful and any(_matters(gap, way, gaps, gauge, level) for way in ways.values()):
            questions.append(_touches(gap, gauge, key))
            found[gap.squail] = f"?gauge-{key}-{gap.squail}"
    return Judged(found, tuple(questions))


def _front(gaps: Iterable[Gap], gauge: float) -> list[Gap]:
    """The squails that may count or stand before one that does, the nearest first."""
    within = sorted((gap for gap in gaps if gap.least <= gauge), key=lambda gap: gap.mm)
    nearest = {side: min(gap.most for gap in within if gap.side == side) for side in {gap.side for gap in within}}
    reach = 0.0
    for side in nearest:
        limit = min((most for other, most in nearest.items() if other != side), default=inf)
        if any(gap.side == side and gap.least <= limit for gap in within):
            reach = max(reach, limit)
    return [gap for gap in within if gap.least <= reach]


Way = dict[str, float]
"""Distances that may all be true at once."""


def _ways(
    gaps: Sequence[Gap], told: Mapping[str, float], contested: Sequence[Gap], gauge: float, level: str
) -> dict[frozenset[str], Way]:
    """What may count, each with the distances nearest to those measured that make it so; that which was measured first."""
    ways: dict[frozenset[str], tuple[float, Way]] = {}
    ends = [_may_be(gap)[1:] if len(contested) > MOST_TRIED else _may_be(gap) for gap in contested]
    tried = [dict(zip((g.squail for g in contested), one, strict=True)) for one in itertools.product(*ends)]
    for one in [{}, *tried, *_levels(contested)]:
        way = {**told, **one}
        off = sum(abs(way[gap.squail] - gap.mm) for gap in contested)
        counted = _counted(way, gaps, gauge, level)
        if counted not in ways or off < ways[counted][0]:
            ways[counted] = (off, way)
    return {counted: way for counted, (_, way) in sorted(ways.items(), key=lambda item: item[1][0])}


def _may_be(gap: Gap) -> tuple[float, ...]:
    return tuple(round(mm, 2) for mm in (gap.mm, gap.least, gap.most))


def _levels(contested: Sequence[Gap]) -> list[Way]:
    """Squails of both sides exactly as near, those that may be farther behind them."""
    found = []
    for size in range(2, len(contested) + 1):
        for level in itertools.combinations(contested, size):
            mm = max(gap.least for gap in level)
            if mm <= min(gap.most for gap in level) and len({gap.side for gap in level}) > 1:
                way = {g.squail: round(max(g.mm, mm + STEP), 2) if g.most > mm else g.mm for g in contested}
                found.append({**way, **dict.fromkeys((gap.squail for gap in level), round(mm, 2))})
    return found


def _counted(way: Mapping[str, float], gaps: Iterable[Gap], gauge: float, level: str) -> frozenset[str]:
    """SQU-09, SQU-10, S-02: the squails of one side that lie nearer than any other's, within the gauge."""
    best: dict[str, float] = {}
    for gap in gaps:
        best[gap.side] = min(best.get(gap.side, inf), way[gap.squail])
    if not best:
        return frozenset()
    nearest = min(best.values())
    leaders = [side for side, mm in best.items() if mm == nearest]
    if len(leaders) > 1:
        return frozenset(g.squail for g in gaps if level == "split" and way[g.squail] == nearest <= gauge)
    limit = min((mm for side, mm in best.items() if side != leaders[0]), default=inf)
    return frozenset(g.squail for g in gaps if g.side == leaders[0] and way[g.squail] < limit and way[g.squail] <= gauge)


def _matters(gap: Gap, way: Way, gaps: Sequence[Gap], gauge: float, level: str) -> bool:
    within, beyond = ({**way, gap.squail: mm} for mm in (min(gap.mm, gauge), max(gap.mm, gauge + STEP)))
    return _counted(within, gaps, gauge, level) != _counted(beyond, gaps, gauge, level)


def _what_counts(ways: Mapping[frozenset[str], Way], contested: Sequence[Gap], key: str) -> Question:
    choices = []
    for counted, way in ways.items():
        names = tuple(sorted(counted))
        text = sentence(listed(names)) if names else "None: level, or none within the gauge"
        binds: dict[str, Json] = {f"?near-{key}.{gap.squail}": way[gap.squail] for gap in contested}
        choices.append(Choice("+".join(names) or "none", text, binds))
    return Question(f"near-{key}", "Which squails lie nearest, and within the gauge?", tuple(choices), choices[0].key, due=True)


def _touches(gap: Gap, gauge: float, key: str) -> Question:
    name = f"gauge-{key}-{gap.squail}"
    yes = Choice("yes", "It touches", {f"?{name}": round(min(gap.mm, gauge), 2)})
    no = Choice("no", "It doesn't", {f"?{name}": round(max(gap.mm, gauge + STEP), 2)})
    text = f"Does the gauge, laid at the target, touch {spoken(gap.squail)}?"
    return Question(name, text, (yes, no), "yes" if gap.mm <= gauge else "no", due=True)
