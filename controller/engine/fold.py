"""The fold: the rules run over a game's effective events, unknowns filled.

States before the first event that a change touches are kept, so that a long game costs no more than its latest turn.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from controller.rules.awards import Json, Refusal, Ruling
from controller.rules.errors import BadEvent
from controller.rules.game import Game
from controller.tables.table import LEFT_OUT

Binds = Mapping[str, Json]
"""Values by the names of unknowns."""

MOST_COMBINATIONS = 64
"""All combinations of open answers are tried up to this many; above that the questions are tried one at a time."""


def unknowns(value: Json) -> Iterator[str]:
    """The named unknowns in an event."""
    if isinstance(value, str):
        if value.startswith("?"):
            yield value
    elif isinstance(value, list):
        for item in value:
            yield from unknowns(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from unknowns(item)


def fill(value: Json, binds: Binds) -> Json:
    """The value with every named unknown replaced. An unknown that nothing binds stays, and the rules will refuse it.

    An item of a list that is bound to null is left out: what was seen turned out to be nothing.
    """
    if isinstance(value, str):
        return binds.get(value, value) if value.startswith("?") else value
    if isinstance(value, list):
        return [filled for item in value if (filled := fill(item, binds)) is not None or item is None]
    if isinstance(value, dict):
        return {key: fill(item, binds) for key, item in value.items()}
    return value


@dataclass(frozen=True, slots=True)
class Entry:
    """One effective event, by the id of its record."""

    id: int
    event: dict[str, Json]
    origin: str
    evidence: tuple[int, ...] = ()
    revision: int = 0
    """Its own, by which people name it."""
    unknown: frozenset[str] = field(init=False)
    """The named unknowns in it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "unknown", frozenset(unknowns(self.event)))

    def filled(self, binds: Binds) -> dict[str, Json]:
        """The event with its unknowns replaced; the event itself where there are none.

        A field of it that is bound to `LEFT_OUT` or to null isn't there: what was seen may be an event of another kind, with
        other fields.
        """
        if not self.unknown:
            return self.event
        event = fill(self.event, binds)
        assert isinstance(event, dict)
        return {
            key: value for key, value in event.items() if value != LEFT_OUT and (value is not None or self.event[key] is None)
        }


@dataclass(frozen=True, slots=True)
class Step:
    """One event as it came out: the state after it, and the ruling or refusal."""

    entry: Entry
    event: dict[str, Json]
    """With unknowns filled."""
    outcome: Ruling[Any] | Refusal
    state: Any

    @property
    def stood(self) -> bool:
        """Whether the rules allowed it."""
        return isinstance(self.outcome, Ruling)


NOT_SO = "By the answer to the question about it this did not happen."
"""Of an event whose unknown is filled with nothing."""

End = tuple[Any, tuple[bool, ...]]
"""Where events lead under some answers: the last state, and which of them stood."""


class Fold:
    """The states of one game, one a step."""

    def __init__(self, game: Game[Any], options: Mapping[str, Json], position: Mapping[str, Json]) -> None:
        self.game = game
        self.opening = game.start(options, position)
        self.steps: list[Step] = []
        self._binds: Binds = {}
        """What the unknowns of the steps are filled with."""
        self._tried: Sequence[Entry] = ()
        self._ends: dict[str, End] = {}
        """Where `_tried` led, by what its unknowns were filled with."""

    @classmethod
    def resumed(cls, other: Fold) -> Fold:
        """A fold of its own that begins with the other's steps."""
        fold = cls.__new__(cls)
        fold.game, fold.opening, fold.steps = other.game, other.opening, list(other.steps)
        fold._binds, fold._tried = other._binds, other._tried  # noqa: SLF001 - the same class, and none is changed in place
        fold._ends = other._ends  # noqa: SLF001 - as above
        return fold

    @property
    def state(self) -> Any:
        """The state now."""
        return self.steps[-1].state if self.steps else self.opening

    def state_before(self, entry: int) -> Any:
        """The state to which that entry came."""
        place = next(n for n, step in enumerate(self.steps) if step.entry.id == entry)
        return self.steps[place - 1].state if place else self.opening

    def run(self, entries: Sequence[Entry], binds: Binds) -> int:
        """Fold these entries; gives the number of the first step that is not what it was."""
        before, same = self._binds, 0
        changed = {name for name in before.keys() | binds.keys() if before.get(name, name) != binds.get(name, name)}
        for step, entry in zip(self.steps, entries, strict=False):
            if step.entry is not entry or (not changed.isdisjoint(entry.unknown) and step.event != entry.filled(binds)):
                break
            same += 1
        self._binds = dict(binds)
        del self.steps[same:]
        for entry in entries[same:]:
            self.steps.append(self.step(self.state, entry, entry.filled(binds)))
        return same

    def step(self, state: Any, entry: Entry, event: dict[str, Json]) -> Step:
        """Adjudicate one event."""
        try:
            outcome = self.game.apply(state, self.game.read_in(state, event))
        except BadEvent as error:
            # A field that an answer has left out may be one without which there is no such event.
            left_out = entry.event.keys() != event.keys()
            outcome = Refusal(self.game.prefix, NOT_SO if left_out else str(error))
        return Step(entry, event, outcome, outcome.state if isinstance(outcome, Ruling) else state)

    def try_out(self, entries: Sequence[Entry], answers: Iterable[Binds], start: int) -> list[End]:
        """Where these entries lead under each of the answers. `start`: no answer changes anything before it.

        Each time a game goes on its questions are mostly those of the time before, so what was tried then is gone on from, with
        the new entries alone.
        """
        goes_on = len(self._tried) <= len(entries) and all(map(operator.is_, self._tried, entries))
        known = self._ends if goes_on else {}
        before, now = _names(self._tried), _names(entries)
        ends: dict[str, End] = {}
        found: list[End] = []
        firm: End | None = None
        for binds in answers:
            filled = _filling(now, binds)
            if filled not in ends:
                if (end := known.get(_filling(before, binds))) is not None:
                    ends[filled] = self._end(end, entries[len(self._tried) :], binds)
                else:
                    firm = firm or self._firm(entries[:start], binds)
                    ends[filled] = self._end(firm, entries[start:], binds)
            found.append(ends[filled])
        self._tried, self._ends = tuple(entries), ends
        return found

    def _firm(self, entries: Sequence[Entry], binds: Binds) -> End:
        self.run(entries, binds)
        return self.state, tuple(step.stood for step in self.steps)

    def _end(self, end: End, entries: Sequence[Entry], binds: Binds) -> End:
        state, stood = end[0], [*end[1]]
        for entry in entries:
            step = self.step(state, entry, entry.filled(binds))
            state = step.state
            stood.append(step.stood)
        return state, tuple(stood)


def at_stake(game: Game[Any], state: Any) -> dict[str, int]:
    """By side: the points that a turn still out would bank."""
    stake: dict[str, int] = {}
    for award in game.unbanked(state) or ():
        stake[award.side] = stake.get(award.side, 0) + award.points
    return stake


def _names(entries: Iterable[Entry]) -> list[str]:
    """The named unknowns in these entries."""
    return sorted(frozenset[str]().union(*(entry.unknown for entry in entries)))


def _filling(names: Iterable[str], binds: Binds) -> str:
    """What these unknowns are filled with, so that it can be looked up; one that nothing binds stays its own name."""
    return repr([binds.get(name, name) for name in names])


def first_unknown(entries: Sequence[Entry], names: frozenset[str]) -> int:
    """The place of the first entry that holds one of these unknowns; the length where none does."""
    for place, entry in enumerate(entries):
        if not names.isdisjoint(entry.unknown):
            return place
    return len(entries)


def combinations(choices: Sequence[Sequence[str]], likely: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Answers to try together: all of them while they are few, else one question at a time, the others at their likely answer."""
    count = 1
    for keys in choices:
        count *= len(keys)
    if count <= MOST_COMBINATIONS:
        yield from itertools.product(*choices)
        return
    yield tuple(likely)
    for place, keys in enumerate(choices):
        for key in keys:
            if key != likely[place]:
                yield (*likely[:place], key, *likely[place + 1 :])
