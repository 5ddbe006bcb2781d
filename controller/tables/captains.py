"""What the captains of squails press: claims that grow with each press, disputes, and what the gauge is laid at then. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from controller.rules.awards import Json
from controller.rules.squails.words import spoken
from controller.tables.nearness import Gap
from hardware.signals import SECOND

WINDOW = 2 * SECOND
"""Presses of a captain's CLAIM are one claim until he has paused for so long."""

CAPTAINS = {"light": "light-1", "dark": "dark-1"}
OTHER = {"light": "dark", "dark": "light"}


@dataclass(slots=True)
class Claim:
    """A claim that is still being pressed."""

    side: str
    count: int = 0
    last: int = 0
    evidence: list[int] = field(default_factory=list)

    @property
    def due(self) -> int:
        """When it is complete."""
        return self.last + WINDOW

    @property
    def event(self) -> dict[str, Json]:
        """The claim as an event."""
        return {"event": "claim", "by": CAPTAINS[self.side], "count": self.count}


def in_dispute(side: str, claimed: int | None, gaps: Iterable[Gap], gauge: float) -> list[str]:
    """The squails that a claim names: the nearest ones of its side (S-04); without a claim those that may be in."""
    own = sorted((gap for gap in gaps if gap.side == side), key=lambda gap: gap.mm)
    if claimed is None:
        return [gap.squail for gap in own if gap.least <= gauge]
    return [gap.squail for gap in own[:claimed]]


def measure_text(squail: str) -> str:
    """What people must do with the gauge now."""
    return f"Lay the gauge between the target and {spoken(squail)}, and say whether it touches."
