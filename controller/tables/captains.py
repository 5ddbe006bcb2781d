"""What the captains of squails press: claims that grow with each press, disputes, and where the gauge is laid then. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import cast

from controller.rules.awards import Json, Notice
from controller.rules.squails.words import spoken
from controller.tables.nearness import Gap
from controller.tables.table import Choice, Draft, Question, Seen
from hardware.signals import SECOND

WINDOW = 2 * SECOND
"""Presses of a captain's CLAIM are one claim until he has paused for so long."""


def captain_of(side: str) -> str:
    """The captain of a side (SQU-01), its first player; of three sides or more each is one player, who speaks for himself."""
    return f"{side}-1" if side in ("light", "dark") else side


@dataclass(slots=True)
class _Claim:
    side: str
    count: int = 0
    last: int = 0
    evidence: list[int] = field(default_factory=list)


class Captains:
    """The captains' buttons after a round."""

    def __init__(self) -> None:
        self._claim: _Claim | None = None

    @property
    def due(self) -> int | None:
        """When the claim that is being pressed is complete."""
        return None if self._claim is None else self._claim.last + WINDOW

    def claim(self, seen: Seen, side: str) -> list[Draft]:
        """A press of CLAIM: one more squail. Gives the claim of the other side that was still being pressed."""
        told = self.claimed() if self._claim is not None and self._claim.side != side else []
        if self._claim is None:
            self._claim = _Claim(side)
        self._claim.count += 1
        self._claim.last = seen.observation.at
        self._claim.evidence.append(seen.id)
        return told

    def claimed(self) -> list[Draft]:
        """The claim that is being pressed, complete."""
        claim, self._claim = self._claim, None
        if claim is None:
            return []
        event: dict[str, Json] = {"event": "claim", "by": captain_of(claim.side), "count": claim.count}
        return [Draft(event, claim.last, tuple(claim.evidence), claim.evidence[0])]

    def forget_claim(self) -> bool:
        """Take back the claim that is being pressed; whether there is one."""
        claim, self._claim = self._claim, None
        return claim is not None

    def judge(self, seen: Seen, side: str, says: str) -> list[Draft]:
        """A captain allows or disputes what others claim."""
        event: dict[str, Json] = {"event": says, "by": captain_of(side)}
        return [*self.claimed(), Draft(event, seen.observation.at, (seen.id,), seen.id)]


def disputed(said: Iterable[Mapping[str, Json]], gaps: Iterable[Gap], gauge: float) -> list[Gap]:
    """The squails in dispute, at which the gauge is still to be laid, the nearest first. `said`: the events since the end."""
    claims: dict[str, int] = {}
    left: list[Gap] = []
    for event in said:
        side = str(event.get("by", "")).partition("-")[0]
        if event["event"] == "claim":
            claims[side] = cast(int, event["count"])
        elif event["event"] == "dispute":
            theirs = [gap for gap in gaps if gap.side != side]
            others = [other for other in claims if other != side] or [*dict.fromkeys(gap.side for gap in theirs)]
            named = [_named(other, claims.get(other), theirs, gauge) for other in others]
            left = sorted((gap for own in named for gap in own), key=lambda gap: gap.mm)
        elif event["event"] == "allow":
            left = []
        elif event["event"] == "gauge":
            left = [gap for gap in left if gap.squail != event["squail"]]
    return left


def gauge_laid(seen: Seen, gap: Gap, gauge: float, *, touches: bool) -> Draft:
    """The gauge was laid at a squail in dispute. What it says against all that was seen, by more than the errors, is asked."""
    event: dict[str, Json] = {"event": "gauge", "squail": gap.squail, "touches": touches}
    if touches == (gap.mm <= gauge) or abs(gap.mm - gauge) <= gap.error:
        return Draft(event, seen.observation.at, (seen.id,), seen.id)
    question = _contradiction(gap, touches=touches, name=f"gauged-{seen.id}")
    return Draft({**event, "touches": f"?{question.id}"}, seen.observation.at, (seen.id,), seen.id, (question,))


def lay_next(gap: Gap) -> Notice:
    """Where the gauge is laid next."""
    text = f"Lay the gauge between the target and {spoken(gap.squail)}, and say whether it touches."
    return Notice("SQU-18", text)


def _contradiction(gap: Gap, *, touches: bool, name: str) -> Question:
    says = "touches" if touches else "does not touch"
    text = f"The gauge {says} {spoken(gap.squail)}, which was seen {gap.mm:.0f} mm off. Which is right?"
    choices = (Choice("gauge", "The gauge", {f"?{name}": touches}), Choice("seen", "What was seen", {f"?{name}": not touches}))
    return Question(name, text, choices, "gauge", due=True)


def _named(side: str, claimed: int | None, gaps: Iterable[Gap], gauge: float) -> list[Gap]:
    """The squails that a claim names: the nearest ones of its side (S-04); without a claim those that may be in."""
    own = sorted((gap for gap in gaps if gap.side == side), key=lambda gap: gap.mm)
    return [gap for gap in own if gap.least <= gauge] if claimed is None else own[:claimed]
