"""Corrections: any event of a game changed, removed, or another put in before it; the rules run again from there.

A correction is a record that names its target. Nothing is edited in place, so every correction can itself be taken back.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from controller.engine.fold import Entry, Fold, Step, at_stake
from controller.engine.records import Record
from controller.rules.awards import Json
from controller.rules.game import Form, Game

Action = Literal["replace", "remove", "insert_before"]

MOST_INSERTIONS = 60
"""How many events are tried to save those that a correction would leave without their place."""


def corrected(records: Sequence[Record], entries: dict[int, Entry]) -> list[Entry]:
    """The entries of a game after its effective corrections, in order. `records`: the effective ones."""
    line = [entries[record.id] for record in records if record.kind == "event"]
    for record in records:
        if record.kind == "correct":
            line = apply_correction(line, record, entries)
    return line


def apply_correction(line: list[Entry], record: Record, entries: dict[int, Entry]) -> list[Entry]:
    """The entries after one more correction; unchanged where its target is gone."""
    place = next((n for n, entry in enumerate(line) if entry.id == record.body["target"]), None)
    if place is None:
        return line
    action = record.body["action"]
    put = [] if action == "remove" else [entries[record.id]]
    return line[:place] + put + line[place + (action != "insert_before") :]


def missing(revision: int, moves: Iterable[Record]) -> str:
    """Why no event of that revision can be corrected: there was none, or another correction was before this one."""
    for move in moves:
        is_event = move.kind == "event" or (move.kind == "correct" and move.body["action"] != "remove")
        if is_event and move.body.get("revision") == revision:
            return f"the event of revision {revision} was changed, removed or taken back meanwhile; look at the list"
    return f"no event of this game has revision {revision}; the events topic and the game's list tell each one's own"


@dataclass(frozen=True, slots=True)
class Consequence:
    """What a correction would do.

    The scores `before` and `after`, what is then at stake in a turn still out, the later events that would no longer stand, each
    with the revision of its record, and an event that, entered before the first of them, saves the most of them.
    """

    before: dict[str, int]
    after: dict[str, int]
    stake_before: dict[str, int]
    stake_after: dict[str, int]
    fallen: tuple[tuple[int, dict[str, Json]], ...]
    saving: dict[str, Json] | None = None


def weigh(now: Sequence[Step], then: Fold) -> Consequence:
    """Compare a game as it stands, by its steps, with how it would stand."""
    game = then.game
    states = (now[-1].state if now else then.opening, then.state)
    stood = {step.entry.id for step in now if step.stood}
    fallen = [step for step in then.steps if not step.stood and step.entry.id in stood]
    saving = _saving(then, fallen) if fallen else None
    before, after = (at_stake(game, state) for state in states)
    told = tuple((step.entry.revision, step.event) for step in fallen)
    return Consequence(dict(game.score(states[0])), dict(game.score(states[1])), before, after, told, saving)


def _saving(then: Fold, fallen: Sequence[Step]) -> dict[str, Json] | None:
    place = next(n for n, step in enumerate(then.steps) if step is fallen[0])
    state = then.steps[place - 1].state if place else then.opening
    ids = {step.entry.id for step in fallen}
    best: dict[str, Json] | None = None
    most = 0
    for event in itertools.islice(offered_events(then.game, state), MOST_INSERTIONS):
        tried = then.step(state, Entry(0, event, "marker"), event)
        if not tried.stood:
            continue
        after, saved = tried.state, 0
        for step in then.steps[place:]:
            later = then.step(after, step.entry, step.event)
            after = later.state
            saved += later.stood and step.entry.id in ids
        if saved > most:
            best, most = event, saved
    return best


def offered_events(game: Game[Any], state: Any) -> Iterator[dict[str, Json]]:
    """Events that may be entered now, one of each closed form first, then its other fillings."""
    fillings = [_fillings(form) for form in game.offers(state) if form.closed]
    while fillings:
        rest = []
        for filling in fillings:
            event = next(filling, None)
            if event is not None:
                yield event
                rest.append(filling)
        fillings = rest


def _fillings(form: Form) -> Iterator[dict[str, Json]]:
    names = [field.name for field in form.fields]
    for values in itertools.product(*(field.choices for field in form.fields)):
        yield {"event": form.event, **dict(zip(names, values, strict=True))}
