"""A table's life: the phases that all tables go through alike, and which of its sensors may be believed."""

from __future__ import annotations

from collections.abc import Iterable

from controller.tables.table import Out, Phase, Press
from hardware.observations import Observation


class Life:
    """What every table begins as. Its own part comes by `_look_again`: whether the phase follows from what is seen now."""

    def __init__(self, roles: Iterable[str] = ()) -> None:
        self._roles = frozenset(roles)
        self._lost: frozenset[str] = frozenset()
        self._phase: Phase = "idle"
        self._paused_from: Phase = "playing"

    @property
    def phase(self) -> Phase:
        """Where in its life the table is."""
        return self._phase

    def pause(self, at: int) -> list[Out]:  # noqa: ARG002 - one signature for all tables
        """Stop: nothing that happens from now on is play."""
        if self._phase != "paused":
            self._paused_from, self._phase = self._phase, "paused"
        return []

    def resume(self, at: int) -> list[Out]:  # noqa: ARG002 - one signature for all tables
        """Go on; what changed meanwhile was not play."""
        if self._phase == "paused":
            self._phase = self._paused_from
        self._look_again()
        return []

    def abandon(self) -> None:
        """The game is given up."""
        self._phase = "abandoned"

    def lost(self, roles: frozenset[str]) -> None:
        """These roles are out of use: quarantined, or their source is away."""
        self._lost = roles
        self._look_again()

    def _common(self, o: Observation) -> Press | None:
        """What the buttons mean that every table may have, at any time; None for the others."""
        if o.role == "new-game":
            return Press("new_game", o.sensor)
        if o.role == "answer":
            return Press("answer" if o.kind == "press" else "next_choice", o.sensor)
        return None

    def _has(self, role: str) -> bool:
        """Whether a sensor has this role and may be believed."""
        return role in self._roles and role not in self._lost

    def _to(self, phase: Phase) -> None:
        """Move on; a table that is paused does so when it is resumed, and a game given up stays so."""
        if self._phase == "paused":
            self._paused_from = phase
        elif self._phase != "abandoned":
            self._phase = phase

    def _look_again(self) -> None:
        """See whether the table is clear, or no longer."""
