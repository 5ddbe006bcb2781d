"""What somebody has seen of a table, held against its journal: is all of it there, and does the journal tell the same?

A state that was shown: `revision`, `game` (its id; empty before the first), `turn`, `scores` (banked and pending of each side, in
their order). Whoever is next to the engine knows also on which record it `rests_on`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from controller.engine.engine import Engine
from controller.engine.journal import Journal, Kept, read_records
from controller.engine.records import Record
from controller.engine.snapshot import Snapshot
from controller.fitting.detectors import build_panel
from controller.fitting.tables import fitted, rules_of, table_maker
from tests.table_kit import FULL, table_of

State = dict[str, Any]
TABLE = table_of(FULL)


def engine_of(kept: Kept) -> Engine:
    """An engine that takes up what is kept."""
    return Engine(fitted(TABLE), rules_of(TABLE), build_panel(TABLE), table_maker(TABLE), kept)


def state_of(snapshot: Snapshot) -> State:
    """What a snapshot shows."""
    scores = [[side.score, side.pending] for side in snapshot.sides]
    return {"revision": snapshot.revision, "game": snapshot.game_id, "turn": snapshot.turn, "scores": scores}


def state_told(score: dict[str, Any]) -> State:
    """What a message about the score tells."""
    scores = [[side["score"], side["pending"]] for side in score["sides"]]
    return {"revision": score["revision"], "game": score["game_id"], "turn": score["turn"], "scores": scores}


def folded(records: Sequence[Record], rests_on: int) -> State:
    """What the journal tells of the moment at which that record was its last; the revision is not the one that was shown."""
    before = [record for record in records if record.id <= rests_on]
    start = next((record.id for record in reversed(before) if record.kind == "start"), None)
    game = tuple(record for record in before if start is not None and record.game == start)
    snapshot, _ = engine_of(Kept(rests_on, 0, game)).view([], durable=True, now=0)
    return state_of(snapshot)


def missing(journal: Path, seen: State, shown: Iterable[State]) -> str | None:
    """What is wrong with the journal of somebody who has `seen` this, of the states that were `shown`; None if nothing is.

    The state must rest on records that are kept, lie between the revisions of the events before it and of those after it, and
    be what the fold of these records gives.
    """
    rests_on = next((one["rests_on"] for one in shown if one["revision"] == seen["revision"]), None)
    if rests_on is None:
        return f"{seen} was never shown"
    records = read_records(journal)
    last = records[-1].id if records else 0
    if last < rests_on:
        return f"{seen} rests on record {rests_on}, kept to {last}"
    boot = next(record for record in reversed(records) if record.id <= rests_on and record.kind == "boot")
    before = [record.body["revision"] for record in records if boot.id < record.id <= rests_on and "revision" in record.body]
    after = [record.body["revision"] for record in records if record.id > rests_on and "revision" in record.body]
    lowest, highest = boot.body["revisions"]  # type: ignore[misc, union-attr]  # a boot record has both
    if not max([lowest, *before]) <= seen["revision"] < min([highest + 1, *after]):  # type: ignore[type-var, operator]  # numbers
        return f"revision {seen['revision']} on record {rests_on} is not between {before[-1:]} and {after[:1]}"
    told = folded(records, rests_on) | {"revision": seen["revision"]}
    if told != seen:
        return f"seen: {seen}, on record {rests_on} the journal tells: {told}"
    return None


def taken_up(journal: Path) -> dict[str, str]:
    """What is wrong when the game goes on from this journal: nothing, if all is well."""
    again = Journal(journal)
    kept = again.kept()
    again.close()
    return engine_of(kept).faults
