"""The moves of one game, events, answers, undos and corrections, and what of them counts."""

from __future__ import annotations

from typing import Any

from controller.engine.corrections import corrected, missing
from controller.engine.fold import Entry
from controller.engine.occurrences import DEADLINE, Refused
from controller.engine.records import TAKEN_BACK, Record, effective


def brings_event(record: Record) -> bool:
    """Whether it is an event, or a correction that puts one in."""
    return record.kind in ("event", "correct") and record.body["event"] is not None


def entry_of(record: Record) -> Entry:
    """The event of a record that brings one."""
    body: dict[str, Any] = record.body
    evidence = tuple(body.get("evidence", ()))
    return Entry(record.id, body["event"], body.get("origin", "marker"), evidence, body.get("revision", 0))


class Moves:
    """Grows by `keep`; nothing that was kept is ever changed. Views follow what counts, in order."""

    def __init__(self) -> None:
        self.all: list[Record] = []
        self.entries: dict[int, Entry] = {}
        """By the id of its record: each event, as it was entered, told or put in."""
        self._counting: list[Record] | None = []

    def keep(self, record: Record) -> None:
        """One more has come."""
        self.all.append(record)
        self._counting = None
        if brings_event(record):
            self.entries[record.id] = entry_of(record)

    @property
    def counting(self) -> list[Record]:
        """Those that no undo has taken back."""
        if self._counting is None:
            self._counting = effective(self.all)
        return self._counting

    @property
    def line(self) -> list[Entry]:
        """The events after all corrections."""
        return corrected(self.counting, self.entries)

    @property
    def answers(self) -> dict[str, str]:
        """By question: the choice that was answered."""
        return {str(move.body["question"]): str(move.body["choice"]) for move in self.counting if move.kind == "answer"}

    @property
    def answered(self) -> tuple[str, ...]:
        """The questions that people have answered, not a deadline in their place."""
        given = (move.body for move in self.counting if move.kind == "answer")
        return tuple(str(body["question"]) for body in given if body["by"] != DEADLINE)

    def latest(self) -> Record:
        """What the next undo takes back. Raises `Refused` where there is nothing."""
        for move in reversed(self.counting):
            if move.kind in TAKEN_BACK:
                return move
        raise Refused("there is nothing to undo in this game")

    def of_revision(self, revision: int) -> int:
        """The record of the event of that revision. Raises `Refused` where no event of it counts."""
        standing = {entry.id for entry in self.line}
        for move in self.all:
            if move.id in standing and move.body.get("revision") == revision:
                return move.id
        raise Refused(missing(revision, self.all))
