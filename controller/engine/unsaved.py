"""Records that wait for a disk that can't be written. The game goes on in memory, and memory has an end.

Events, answers, corrections, commands and results wait without a bound: people and balls make a few of them a minute, 10 MB on a
day without a pause. What sensors saw is far more and is let go beyond a number: a game is its events, and is taken up from them
alone where the rest is missing.
"""

from __future__ import annotations

from collections.abc import Sequence

from controller.engine.answered import KEPT, Answered
from controller.engine.journal import GameState
from controller.engine.records import Record

MOST_SEEN = 20_000
"""Observations and deadlines that wait: an hour of the busiest play, 20 MB."""

SEEN = frozenset({"observation", "deadline"})
"""Kinds of records that may be let go."""


class Unsaved:
    """What the journal has yet to be given, in order."""

    def __init__(self, most_seen: int = MOST_SEEN) -> None:
        self.records: list[Record] = []
        self.games: list[tuple[int, GameState, str]] = []
        self.answered: list[Answered] = []
        self.let_go = 0
        """How many were let go since all was saved."""
        self._most_seen = most_seen
        self._seen = 0

    def __bool__(self) -> bool:
        return bool(self.records or self.games or self.answered)

    def add(
        self, records: Sequence[Record], games: Sequence[tuple[int, GameState, str]], answered: Sequence[Answered] = ()
    ) -> None:
        """Take a batch; what sensors saw is let go when there is too much of it, and a `gap` says so in its place."""
        self.records += records
        self.games += games
        self.answered = [*self.answered, *answered][-KEPT:] if answered else self.answered
        self._seen += sum(record.kind in SEEN for record in records)
        if self._seen > self._most_seen:
            self._let_go()

    def clear(self) -> None:
        """All of it is saved."""
        self.records.clear()
        self.games.clear()
        self.answered.clear()
        self._seen = self.let_go = 0

    def _let_go(self) -> None:
        first = next(record for record in self.records if record.kind in SEEN)
        gap = Record(first.id, "gap", first.game, first.at, first.wall, {"source": "journal", "lost": self._seen})
        self.records = [
            gap if record is first else record for record in self.records if record is first or record.kind not in SEEN
        ]
        self.let_go += self._seen
        self._seen = 0
