"""What follows from a fold: where the rules stand, as a table is told it, and the best turns of a game. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from controller.engine.fold import Fold, Step
from controller.rules.awards import Json, Ruling
from controller.tables.table import Standing


def standing_of(
    fold: Fold, options: dict[str, Json], asked: tuple[str, ...], answered: tuple[str, ...], answers: Mapping[str, str]
) -> Standing:
    """Where the rules stand. `options`: the house rules; `asked`, `answered`: ids of questions; `answers`: their choices."""
    game, turns, first = fold.game, 0, 0
    side = game.turn(fold.opening)
    for place, step in enumerate(fold.steps):
        now = game.turn(step.state)
        if now != side:
            turns, first, side = turns + 1, place + 1, now
    events, before = standing_events(fold.steps[first:]), standing_events(fold.steps[:first])
    over = game.over(fold.state) is not None
    return Standing(game.position(fold.state), over, turns, events, before + events, options, asked, answered, answers)


def best_turns(steps: Iterable[Step]) -> dict[str, int]:
    """By side: the most points that one event banked for it, where any did: a turn, a stroke, a round, a game of maw."""
    best: dict[str, int] = {}
    for step in steps:
        banked = Counter[str]()
        for award in step.outcome.awards if isinstance(step.outcome, Ruling) else ():
            banked[award.side] += award.points
        best |= {side: points for side, points in banked.items() if points > best.get(side, 0)}
    return best


def standing_events(steps: Iterable[Step]) -> tuple[tuple[int, dict[str, Json]], ...]:
    """The events that the rules allowed, unknowns filled, with the ids of their records."""
    return tuple((step.entry.id, step.event) for step in steps if step.stood)
