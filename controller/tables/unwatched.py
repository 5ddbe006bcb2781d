"""What hands did at a table of fortification while nobody watched: a sensor was out or away, the game was paused or off.

The sensors see what has become of it, not when. Colours that are due and lie down, and balls that are owed and stand on their
spots, are asked about as soon as that is known: without it the next stroke would take back what was won, and nobody would know.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from controller.rules.fortification.words import TITLE, Ball
from controller.tables.colours import Due, spoken, taker
from controller.tables.levels import Levels
from controller.tables.siege import Stroke
from controller.tables.table import Draft, Standing
from controller.tables.unheard import again, before


@dataclass(frozen=True, slots=True)
class Unwatched:
    """Colours that came down, or a ball that came back. `by`: when it had at the latest; `seen`: what tells it, if anything."""

    role: str
    by: int
    seen: int | None


def unwatched(levels: Levels, due: Mapping[str, Due], owed: Collection[str], next_stroke: Stroke | None) -> list[Unwatched]:
    """What was due and has been done unseen. `next_stroke`: the one that is open, before which it had to be."""
    roles = [f"{of}-colours" for of, wanted in due.items() if wanted == "coming down" and levels.up(of) is False]
    roles += [f"{ball}-spot" for ball in owed if levels.on_spot(ball)]
    found = []
    for role in roles:
        by, changed = levels.unseen(role), levels.changed(role)
        # Where a sensor saw it in a pause it is known when: then it may be known to have come too late.
        too_late = changed is not None and next_stroke is not None and next_stroke.start <= changed[0]
        if by is not None and not too_late:
            found.append(Unwatched(role, by, None if changed is None else changed[1]))
    return found


def ask(found: Sequence[Unwatched], levels: Levels, standing: Standing) -> Iterator[Draft]:
    """Each as the event that it was if it was done in time, with the question whether it was; once."""
    after = standing.events[-1][0] if standing.events else 0
    for one in found:
        levels.settle(one.role)
        yield _asked(one, f"unseen-{after}-{one.by}-{one.role}")


def _asked(one: Unwatched, name: str) -> Draft:
    evidence = () if one.seen is None else (one.seen,)
    if one.role.endswith("-spot"):
        ball = cast(Ball, one.role.removesuffix("-spot"))
        return before(
            Draft({"event": "respotted", "ball": ball}, one.by, evidence),
            "ball",
            name,
            f"{TITLE[ball]} was put back unseen. Was it on its spot before the next stroke was played? "
            "If not, a fort that is taken then wins nothing.",
        )
    of = one.role.removesuffix("-colours")
    return before(
        Draft({"event": "colours_down", "of": of, "by": taker(of)}, one.by, evidence),
        "of",
        name,
        f"The colours of {spoken(of)} came down unseen. Were they taken down before the next stroke was played? "
        f"If not, {again(of)} again.",
    )
