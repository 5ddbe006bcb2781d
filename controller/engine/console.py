"""What the marker may do with a game: the forms now and at any earlier event, the list of its events, what an undo takes back.

All of it is worked out from what never changes, so whoever asks may do it in a thread of their own, and only when they look.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from controller.engine.corrections import apply_correction
from controller.engine.fold import Entry, Step
from controller.engine.moves import brings_event, entry_of
from controller.engine.questions import find_choice
from controller.engine.records import TAKEN_BACK, Record, effective
from controller.engine.snapshot import HouseRule, ListedEvent, Undoable
from controller.rules.awards import Award, Json, Refusal
from controller.rules.game import Form, Game

if TYPE_CHECKING:
    from controller.engine.play import GameInPlay
    from controller.tables.table import Question


@dataclass(frozen=True, slots=True)
class GameLedger:
    """The `Ledger` of one snapshot. `rules`: the house rules of the table file; no `opening`: no game is in play."""

    game: Game[Any]
    house: Mapping[str, Json]
    opening: Any = None
    steps: tuple[Step, ...] = ()
    moves: tuple[Record, ...] = ()
    binds: Mapping[str, Json] = field(default_factory=dict)
    """Values of the unknowns in events, also in those that no longer count."""
    questions: Mapping[str, Question] = field(default_factory=dict)
    """All that were asked, by their ids."""

    @classmethod
    def of(cls, play: GameInPlay, house: Mapping[str, Json]) -> GameLedger:
        """The ledger of a game as it stands now."""
        if play.abandoned:
            return cls(play.game, house)
        likely = (find_choice(question, question.likely) for question in play.questions.values())
        binds = {name: value for choice in likely if choice is not None for name, value in choice.binds.items()}
        steps, moves = tuple(play.fold.steps), tuple(play.moves)
        return cls(play.game, house, play.fold.opening, steps, moves, binds | play.settled.binds, dict(play.questions))

    @property
    def rules(self) -> tuple[HouseRule, ...]:
        """What a new game may be played by."""
        values = self.game.read_options(self.house)
        return tuple(HouseRule(option, values[option.name]) for option in self.game.options)

    @property
    def undoable(self) -> Undoable | None:
        """What an undo would take back: the latest effective record that can be."""
        by_id = {record.id: record for record in self.moves}
        latest = next((record for record in reversed(effective(list(self.moves))) if record.kind in TAKEN_BACK), None)
        if latest is None:
            return None
        concerned, brings_back = latest, False
        while concerned.kind == "undo":
            concerned, brings_back = by_id[_target(concerned)], not brings_back
        entry = _entry(concerned)
        kind: Any = "undo" if brings_back else concerned.kind
        return Undoable(kind, entry.filled(self.binds) if entry is not None else None, self._said(concerned))

    def _said(self, record: Record) -> str:
        """The question and its answer, where that is what is concerned."""
        question = self.questions.get(str(record.body["question"])) if record.kind == "answer" else None
        choice = find_choice(question, str(record.body["choice"])) if question is not None else None
        return f"{question.text} {choice.text}" if question is not None and choice is not None else ""

    def forms(self) -> tuple[Form, ...]:
        """What may be entered now, most likely first."""
        return () if self.opening is None else self.game.offers(self._before(len(self.steps)))

    def forms_before(self, revision: int) -> tuple[Form, ...] | None:
        """What might have been entered in the place of that event; None where the game has no such event."""
        for place, step in enumerate(self.steps):
            if step.entry.revision == revision:
                return self.game.offers(self._before(place))
        return None

    def events(self) -> tuple[ListedEvent, ...]:
        """All events of the game, in the order in which they count; those that no longer do at the place where they did."""
        places = {step.entry.id: place for place, step in enumerate(self.steps)}
        effective_moves = effective(list(self.moves))
        standing = {record.id for record in effective_moves}
        entries = {record.id: entry for record in self.moves if (entry := _entry(record)) is not None}
        line = [entries[record.id] for record in self.moves if record.kind == "event"]
        fates: dict[int, str] = {entry.id: "taken_back" for entry in line if entry.id not in standing}
        whys: dict[int, str] = {}
        for record in effective_moves:
            if record.kind != "correct":
                continue
            target, why = _target(record), str(record.body["why"])
            changed = line if target in fates else apply_correction(line, record, entries)
            if changed is line:
                continue
            if record.body["action"] != "insert_before":
                # What was changed or removed stays in sight, just before what stands there now.
                old = next(place for place, entry in enumerate(line) if entry.id == target)
                changed.insert(old, line[old])
                fates[target] = "removed" if record.body["action"] == "remove" else "replaced"
                whys[target] = why
            whys[record.id] = why
            line = changed
        by_id = {record.id: record for record in self.moves}
        return tuple(self._listed(entry, by_id[entry.id], places.get(entry.id), fates, whys) for entry in line)

    def _before(self, place: int) -> Any:
        return self.steps[place - 1].state if place else self.opening

    def _listed(
        self, entry: Entry, record: Record, place: int | None, fates: Mapping[int, str], whys: Mapping[int, str]
    ) -> ListedEvent:
        origin: Any = "sensor" if entry.origin == "sensor" else "marker"
        fate: Any = fates.get(entry.id, "taken_back")
        put_in = record.kind == "correct"
        event = entry.filled(self.binds)
        listed = ListedEvent(entry.revision, event, origin, record.wall, fate, put_in=put_in, why=whys.get(entry.id, ""))
        if place is None:
            return listed
        step, before = self.steps[place], self._before(place)
        turn = self.game.turn(before)
        if isinstance(step.outcome, Refusal):
            return replace(listed, event=step.event, fate="flagged", turn=turn, refusal=step.outcome)
        awards, banked = gained(self.game, before, step)
        return replace(listed, event=step.event, fate="stands", turn=turn, awards=awards, banked=banked)


def gained(game: Game[Any], before: Any, step: Step) -> tuple[tuple[Award, ...], bool]:
    """What a step that stood gave or took, and whether that is banked: its awards, else what it added to those not banked."""
    assert not isinstance(step.outcome, Refusal)
    if step.outcome.awards:
        return step.outcome.awards, True
    had = list(game.unbanked(before) or ())
    return tuple(award for award in game.unbanked(step.state) or () if not _taken(award, had)), False


def _taken(award: Award, had: list[Award]) -> bool:
    if award in had:
        had.remove(award)
        return True
    return False


def _target(record: Record) -> int:
    target = record.body["target"]
    assert isinstance(target, int)
    return target


def _entry(record: Record) -> Entry | None:
    """The event that a record brought, if it brought one."""
    return entry_of(record) if brings_event(record) else None
