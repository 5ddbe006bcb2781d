"""What has happened and what stands, from one state shown to the next: for lamps and the voice. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from controller.engine.snapshot import Happening, Snapshot

Occasion = Literal["award", "turn", "over", "correction", "question", "fault"]
"""All that an output may be lit for."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One of them, and whose it is: None where it is no side's."""

    what: Occasion
    side: str | None = None


def moments(before: Snapshot, now: Snapshot, happenings: tuple[Happening, ...]) -> list[Occurrence]:
    """What has happened since `before` was shown, in order."""
    found: list[Occurrence] = []
    for happening in happenings:
        if happening.game_id != now.game_id:
            continue
        if happening.kind == "correction":
            found.append(Occurrence("correction"))
        elif happening.kind == "event":
            sides = dict.fromkeys(str(award["side"]) for award in awards_of(happening))
            found += [Occurrence("award", side) for side in sides]
    if now.turn is not None and now.turn != before.turn:
        found.append(Occurrence("turn", now.turn))
    if is_decided(now) and not (is_decided(before) and (before.game_id, before.over) == (now.game_id, now.over)):
        assert now.over is not None
        found.append(Occurrence("over", now.over.winner))
    return found


def standing(now: Snapshot) -> frozenset[Occurrence]:
    """What stands as long as this is shown."""
    found = set()
    if now.turn is not None and now.phase in ("playing", "clearing"):
        found.add(Occurrence("turn", now.turn))
    if now.questions:
        found.add(Occurrence("question"))
    if now.faults or any(one.health.faults for one in now.sensors):
        found.add(Occurrence("fault"))
    return frozenset(found)


def is_decided(snapshot: Snapshot) -> bool:
    """Whether the game is over and no open question could change that."""
    return snapshot.over is not None and not snapshot.provisional


def awards_of(happening: Happening) -> list[dict[str, Any]]:
    """The awards of an event that stood, as a transcript's output has them."""
    awards = happening.ruling.get("awards", [])
    assert isinstance(awards, list)
    return [award for award in awards if isinstance(award, dict)]
