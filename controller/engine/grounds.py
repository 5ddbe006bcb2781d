"""What points rest on besides the event that gave them: a turn that is banked, a claim that is allowed, a card that was asked.

Pure. Where the rules bank late, an award is followed from the event that brought it to the one that banked it. Elsewhere the
rules are asked: an earlier event without which an award would be another is one that it rests on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from controller.engine.fold import Step
from controller.rules.awards import Award, Json, Ruling
from controller.rules.errors import BadEvent
from controller.rules.game import Game

How = Literal["own", "banked", "with", "settled"]
"""By its own event alone; brought before and banked by it; by it with what came before; only settled by it."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What one award rests on: the places of earlier events, in their order."""

    how: How = "own"
    places: tuple[int, ...] = ()


OWN = Ground()
MOST_BACK = 12
"""What one stroke leaves undone the next settles; between the two lie at most as many events."""


class Grounds:
    """The grounds of one game's awards. `opening`: the state before its first step."""

    def __init__(self, game: Game[Any], opening: Any, steps: Sequence[Step]) -> None:
        self._game = game
        self._opening = opening
        self._steps = steps
        self._brought = dict(enumerate(self._follow())) if game.unbanked(opening) is not None else {}

    def of(self, place: int, awards: Sequence[Award]) -> tuple[Ground, ...]:
        """One for each of the awards that the step at this place banked."""
        if place in self._brought:
            return self._banked(place, awards)
        if not awards:
            return ()
        if self._game.name == "fortification":
            return tuple(self._settled(place, award) for award in awards)
        begins, kinds = _TOLD[self._game.name]
        return tuple(self._with(place, award, begins, kinds) for award in awards)

    def _before(self, place: int) -> Any:
        return self._steps[place - 1].state if place else self._opening

    # Where a turn is banked at its end

    def _follow(self) -> Iterator[list[tuple[Award, int]]]:
        """Before each step: what is at stake, each with the place of the step that brought it."""
        at_stake = [(award, -1) for award in self._game.unbanked(self._opening) or ()]
        for place, step in enumerate(self._steps):
            yield at_stake
            had, at_stake = at_stake[:], []
            for award in self._game.unbanked(step.state) or ():
                at_stake.append((award, _taken(award, had, place)))

    def _banked(self, place: int, awards: Sequence[Award]) -> tuple[Ground, ...]:
        had = self._brought[place][:]
        brought = [_taken(award, had, place) for award in awards]
        return tuple(OWN if by in (place, -1) else Ground("banked", (by,)) for by in brought)

    # Where what was said before decides what an event is worth

    def _with(self, place: int, award: Award, begins: str, kinds: frozenset[str] | None) -> Ground:
        first = next((n for n in range(place - 1, -1, -1) if self._steps[n].event["event"] == begins), -1) + 1
        asked = [n for n in range(first, place) if kinds is None or self._steps[n].event["event"] in kinds]
        found = tuple(n for n in asked if self._steps[n].stood and award not in self._awards_without(n, place))
        return Ground("with", found) if found else OWN

    # Where an event settles what another left undone

    def _settled(self, place: int, award: Award) -> Ground:
        """A stroke that gives or takes it whatever it does itself settles it; what it rests on is the latest that brought it."""
        step = self._steps[place]
        if step.event["event"] != "stroke" or award not in self._awards(self._before(place), [_nothing(step.event)]):
            return OWN
        for earlier in range(place - 1, max(-1, place - 1 - MOST_BACK), -1):
            if award not in self._awards_without(earlier, place):
                return Ground("settled", (earlier,))
        return OWN

    def _awards_without(self, left_out: int, place: int) -> tuple[Award, ...]:
        """What the step at `place` would give without an earlier one; a stroke was played all the same, and did nothing."""
        events = [step.event for step in self._steps[left_out : place + 1]]
        instead = [_nothing(events[0])] if events[0]["event"] == "stroke" else []
        return self._awards(self._before(left_out), [*instead, *events[1:]])

    def _awards(self, state: Any, events: Sequence[Mapping[str, Json]]) -> tuple[Award, ...]:
        """What the last of these events gives."""
        awards: tuple[Award, ...] = ()
        for event in events:
            try:
                outcome = self._game.apply(state, self._game.read_in(state, event))
            except BadEvent:
                outcome = None
            awards = outcome.awards if isinstance(outcome, Ruling) else ()
            state = outcome.state if isinstance(outcome, Ruling) else state
        return awards


_TOLD: Mapping[str, tuple[str, frozenset[str] | None]] = {
    "maw": ("new_deal", None),
    # Where everything lies when a round is measured, its strokes don't matter any more.
    "squails": ("new_round", frozenset({"round_end", "cry_out", "touch", "claim", "dispute", "gauge", "allow"})),
}
"""By game: the event with which it begins anew, and the kinds that may decide what a later one is worth; None: all."""


def _nothing(stroke: Mapping[str, Json]) -> dict[str, Json]:
    return {**stroke, "facts": []}


def _taken(award: Award, had: list[tuple[Award, int]], place: int) -> int:
    """Where an award was brought: as long ago as it has been there, else now."""
    for number, (one, by) in enumerate(had):
        if one == award:
            del had[number]
            return by
    return place
