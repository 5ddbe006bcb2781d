"""Sources that go away and come back: what the game in play must be told of it.

A board keeps what happens while its cable is out, if it has power and room for it. So an absence is over only when the source has
told all that it kept, and only then is known whether something may have been missed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from hardware.health import SourceHealth


@dataclass(frozen=True, slots=True)
class Change:
    """A source went away, or is back. `since`: wall time at which it went; `missed`: whether something may have been missed."""

    source: str
    what: Literal["away", "back"]
    since: str
    missed: bool = False


_Counts = tuple[int, int, int]
"""Signals lost, returns without what happened meanwhile, signals that came too late to be judged by their times."""


@dataclass(slots=True)
class _Away:
    since: str
    counts: _Counts
    back_at: int | None = None


class Absences:
    """Looks at how the sources stand, batch by batch. `unknown`: those that were not there yet: they have nothing to leave."""

    def __init__(self, unknown: Iterable[str] = ()) -> None:
        self.unknown = set(unknown)
        self._away: dict[str, _Away] = {}
        self._counts: dict[str, _Counts] = {}

    @property
    def away(self) -> dict[str, str]:
        """The sources that are away now, each with the wall time since when."""
        return {source: away.since for source, away in self._away.items()}

    def look(self, sources: Iterable[SourceHealth], watermarks: Mapping[str, int], now: int, wall: str) -> list[Change]:
        """What has changed since the last look. Times in nanoseconds; `wall` is a label."""
        changes = []
        for health in sources:
            change = None if health.source in self.unknown else self._look(health, watermarks.get(health.source, now), now, wall)
            if change is not None:
                changes.append(change)
        return changes

    def _look(self, health: SourceHealth, watermark: int, now: int, wall: str) -> Change | None:
        name, counts = health.source, (health.lost, health.blind, health.late)
        away, before = self._away.get(name), self._counts.get(name, counts)
        if not health.up:
            if away is not None:
                away.back_at = None
                return None
            self._away[name] = _Away(wall, before)
            return Change(name, "away", wall)
        self._counts[name] = counts
        if away is None:
            # It was gone and back again between two looks.
            return Change(name, "back", wall, missed=True) if health.blind > before[1] else None
        if away.back_at is None:
            away.back_at = now
        missed = counts != away.counts
        if not missed and watermark < away.back_at:
            return None
        del self._away[name]
        return Change(name, "back", away.since, missed=missed)
