"""A table without sensors: whatever happens on it is entered by the marker, for any game."""

from __future__ import annotations

from controller.rules.awards import Json, Notice
from controller.tables.life import Life
from controller.tables.table import Draft, Out, Phase, Seen, Standing


class BareTable(Life):
    """Always ready: nothing has to be cleared, and all that people must do is told by the rules alone."""

    @property
    def notices(self) -> tuple[Notice, ...]:
        """None of its own."""
        return ()

    @property
    def sees(self) -> frozenset[str]:
        """Nothing."""
        return frozenset()

    @property
    def seen(self) -> dict[str, Json]:
        """Nothing."""
        return {}

    def baseline(self, levels: dict[str, bool], at: int) -> list[Out]:  # noqa: ARG002 - one signature for all tables
        """Nothing has a level."""
        return []

    def begin(self, standing: Standing, at: int) -> list[Out]:
        """A new game: play begins at once."""
        self._phase = "playing"
        return self.follow(standing, at)

    def observe(self, seen: Seen) -> list[Out]:  # noqa: ARG002 - one signature for all tables
        """Nothing is observed."""
        return []

    def advance(self, t: int) -> list[Out]:  # noqa: ARG002 - one signature for all tables
        """Time changes nothing."""
        return []

    def next_deadline(self) -> int | None:
        """Never."""
        return None

    def follow(self, standing: Standing, at: int) -> list[Out]:  # noqa: ARG002 - one signature for all tables
        """The game is over, or goes on, as the rules have it."""
        phase: Phase = "over" if standing.over else "playing"
        self._to(phase)
        return []

    def recorded(self, draft: Draft, record: int) -> None:
        """No draft is ever made."""

    def drafts(self) -> list[Draft]:
        """No stroke is ever open."""
        return []

    def finish(self, at: int, *, entering: bool) -> list[Out]:  # noqa: ARG002 - one signature for all tables
        """No stroke is ever open."""
        return []
