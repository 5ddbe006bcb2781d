"""Corrections: any event of a game changed, removed, or another put in before it; the rules run again from there.

A correction is a record that names its target. Nothing is edited in place, so every correction can itself be taken back.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from controller.engine.fold import Binds, Entry, Fold
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

    The scores `before` and `after`, what is then at stake in a turn still out, the later events that would no longer stand, and
    an event that, entered before the first of them, saves the most of them.
    """

    before: dict[str, int]
    after: dict[str, int]
    stake_before: dict[str, int]
    stake_after: dict[str, int]
    fallen: tuple[Entry, ...]
    saving: dict[str, Json] | None = None


def weigh(fold: Fold, changed: Sequence[Entry], binds: Binds) -> Consequence:
    """Compare a game as it stands with how it would stand."""
    stood = {step.entry.id for step in fold.steps if step.stood}
    trial = Fold.resumed(fold)
    trial.run(changed, binds)
    fallen = tuple(step.entry for step in trial.steps if not step.stood and step.entry.id in stood)
    saving = _saving(trial, changed, binds, fallen) if fallen else None
    score, states = fold.game.score, (fold.state, trial.state)
    before, after = (_at_stake(fold.game, state) for state in states)
    return Consequence(dict(score(states[0])), dict(score(states[1])), before, after, fallen, saving)


def _at_stake(game: Game[Any], state: Any) -> dict[str, int]:
    stake: dict[str, int] = {}
    for award in game.unbanked(state) or ():
        stake[award.side] = stake.get(award.side, 0) + award.points
    return stake


def _saving(trial: Fold, changed: Sequence[Entry], binds: Binds, fallen: Sequence[Entry]) -> dict[str, Json] | None:
    place = next(n for n, entry in enumerate(changed) if entry is fallen[0])
    state = trial.steps[place - 1].state if place else trial.opening
    ids = {entry.id for entry in fallen}
    best: dict[str, Json] | None = None
    most = 0
    for event in itertools.islice(offered_events(trial.game, state), MOST_INSERTIONS):
        step = trial.step(state, Entry(0, event, "marker"), event)
        if not step.stood:
            continue
        after, saved = step.state, 0
        for entry in changed[place:]:
            later = trial.step(after, entry, entry.filled(binds))
            after = later.state
            saved += later.stood and entry.id in ids
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
