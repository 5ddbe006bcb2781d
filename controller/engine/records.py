"""The journal's records: what happened, in the order in which it was taken.

Nothing is ever changed in place, but for the name of a player who is forgotten.

| kind | body |
|---|---|
| `boot` | `boot`, `revisions` (the range reserved), `version` of the program |
| `start` | `game`, `game_id`, `options`, `sides` (names), `position`, `rules` (version) |
| `observation` | `sensor`, `role`, `kind`, `value`, `at`, `known`, `late`; of a bell `sound` |
| `baseline` | `levels` by role |
| `event` | `event` (may hold named unknowns), `origin`, `evidence`, `by`, `revision` |
| `question` | `id`, `text`, `choices`, `likely`, `due`, `because` (the record that a table followed when it told of it) |
| `answer` | `question`, `choice`, `by` |
| `undo` | `target` (a record), `by` |
| `correct` | `target` (an event or a correction that put one in), `action`, `event`, `why`, `by`, `revision` |
| `command` | `command` (pause, resume, abandon, finish), `by`; of finish `entering`, where an event was about to be entered |
| `command` | `command` (quarantine, release, lost), `sensor`, `lost` (all roles that are out now), `by`, `why` |
| `deadline` | `t`: the table was advanced to `t` and acted |
| `gap` | `source`, `lost`: so many signals; or `source`, `what` (away, back), `since`, `until`, `missed` |
| `result` | `score`, `over`, `rules` (version), `best` (the most points that one turn gave each side) |
| `forget` | `records`: in so many a player's name was replaced, `by`; of no game, and without the name |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from controller.rules.awards import Json

RecordKind = Literal[
    "boot",
    "start",
    "observation",
    "baseline",
    "event",
    "question",
    "answer",
    "undo",
    "correct",
    "command",
    "deadline",
    "gap",
    "result",
    "forget",
]

TAKEN_BACK: dict[str, str] = {
    "event": "The latest event was taken back.",
    "answer": "The latest answer was taken back.",
    "correct": "The latest correction was taken back.",
    "undo": "What was taken back stands again.",
}
"""What `undo` may take back, and what the room is told then: an undo of an undo is a redo."""


@dataclass(frozen=True, slots=True)
class Record:
    """One line of the journal.

    `id` grows by one; `game` is the id of the game's `start` record; `at`: monotonic nanoseconds of the boot in which it was
    written; `wall`: ISO 8601, a label for people.
    """

    id: int
    kind: RecordKind
    game: int | None
    at: int
    wall: str
    body: dict[str, Json]


def effective(records: list[Record]) -> list[Record]:
    """The records that no effective undo has taken back, in order."""
    gone: set[int] = set()
    for record in reversed(records):
        if record.kind == "undo" and record.id not in gone:
            target = record.body["target"]
            assert isinstance(target, int)
            gone.add(target)
    return [record for record in records if record.id not in gone]
