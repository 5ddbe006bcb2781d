"""What the voice says: a sentence or two for each thing that happened, as a marker would call it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from controller.announce.occurrences import Occurrence, awards_of, moments
from controller.engine.snapshot import Happening, Snapshot

Topic = Literal["score", "correction", "over"]
"""What a call is about: a newer one takes the place of one on the same topic that still waits."""

SILENT_TURNS = frozenset({"maw"})
"""Where the turn passes with every card, nobody wants to hear it."""


@dataclass(frozen=True, slots=True)
class Call:
    """What is to be said."""

    topic: Topic
    text: str


def calls(before: Snapshot, now: Snapshot, happenings: tuple[Happening, ...]) -> list[Call]:
    """What is said when `now` is shown after `before`."""
    names = {side.id: side.name for side in now.sides}
    occurred = moments(before, now, happenings)
    told: list[Call] = []
    decided = [one for one in occurred if one.what == "over"]
    passed = [one.side for one in occurred if one.what == "turn" and one.side is not None]
    turns = [] if decided or now.game in SILENT_TURNS else [f"{names[side]} to play" for side in passed]
    score = [_awards(names, side, awards) for side, awards in _by_side(now, happenings)]
    if score:
        score.append(f"{_scores(now)}.")
    if Occurrence("correction") in occurred:
        # One sentence, whoever's turn it has become.
        told.append(Call("correction", f"Correction: {', '.join([_scores(now), *turns])}."))
    else:
        score += [f"{turn}." for turn in turns]
    if score:
        told.append(Call("score", " ".join(score)))
    told += [Call("over", _over(now)) for _ in decided]
    return told


def _by_side(now: Snapshot, happenings: tuple[Happening, ...]) -> Iterable[tuple[str, list[dict[str, Any]]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for happening in happenings:
        if happening.kind == "event" and happening.game_id == now.game_id:
            for award in awards_of(happening):
                found.setdefault(str(award["side"]), []).append(award)
    return found.items()


def _awards(names: dict[str, str], side: str, awards: list[dict[str, Any]]) -> str:
    """What one side got or lost, with the reason that weighs most."""
    total = sum(award["points"] for award in awards)
    most = max(awards, key=lambda award: abs(award["points"]))
    name = names[side]
    did = f"{name} scores {total}" if total > 0 else f"{name} loses {-total}" if total else f"{name} gains nothing"
    # Where sides are letters the rules name them so; "A ball" is none.
    letters = "".join(one for one in names if len(one) == 1)
    why = re.sub(rf"\b[{letters}]\b(?! ball)", lambda found: names[found[0]], str(most["why"])) if letters else str(most["why"])
    if len(awards) == 1:
        return f"{did}. {why}"
    return f"{did}. The {'best' if total > 0 else 'worst'} of it, {abs(most['points'])}: {why}"


def _scores(now: Snapshot) -> str:
    return ", ".join(f"{side.name} {_spoken(side.score)}" for side in now.sides)


def _spoken(points: int) -> str:
    return f"minus {-points}" if points < 0 else str(points)


def _over(now: Snapshot) -> str:
    assert now.over is not None
    scores = {side.id: side for side in now.sides}
    if now.over.winner is None:
        return f"The game is a draw: {_scores(now)}."
    winner = scores.pop(now.over.winner)
    losers = " and ".join(_spoken(side.score) for side in scores.values())
    double = " The game counts double." if now.over.double else ""
    return f"{winner.name} wins, {_spoken(winner.score)} to {losers}.{double}"
