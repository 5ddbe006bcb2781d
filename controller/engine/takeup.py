"""Taking an open game up again after a restart: its events are the truth, its table is run again beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from controller.engine.occurrences import Refused
from controller.engine.play import GameInPlay
from controller.engine.records import TAKEN_BACK, Record, RecordKind
from controller.rules.awards import Json
from controller.rules.game import Game
from controller.rules.shapes import reader
from controller.tables.table import Table
from hardware.observations import Observation

BAD_RECORDS = (LookupError, TypeError, ValueError, AttributeError, AssertionError, StopIteration)
"""What a table may raise that is told again what another has seen, or something that no program has written."""


class Differs(Exception):
    """The table, run again, did something else than the journal says."""


class _Replay:
    """Hands out the journal's records instead of writing new ones."""

    def __init__(self, records: Sequence[Record]) -> None:
        # Of signals that were lost nothing follows; a source that was away is a doubt.
        self.records = [record for record in records if record.kind != "gap" or "what" in record.body]
        self.place = 1

    def note(self, kind: RecordKind, body: dict[str, Json], at: int) -> Record:  # noqa: ARG002 - the signature of Note
        if self.place >= len(self.records):
            raise Differs(f"{kind} now follows the last record {self.records[-1].id}")
        record = self.records[self.place]
        if record.kind != kind or _told(record.body) != _told(body):
            raise Differs(f"record {record.id} is {record.kind} {record.body}; now it would be {kind} {body}")
        self.place += 1
        return record


def _told(body: dict[str, Json]) -> dict[str, Json]:
    # The engine adds its revision to what the game notes; older journals don't say why a question was told again, nor all that
    # led to it or to an event: by that nothing goes on otherwise.
    return {**body, "revision": None, "because": None, "evidence": None}


def take_up(
    records: Sequence[Record], game: Game[Any], tables: tuple[Table, Table], news: int | None = None
) -> tuple[GameInPlay, str | None]:
    """The game as its records left it, and what differed, if anything did.

    `tables`: two fresh tables, the second for when the first one's run differs: then the game stands on its events alone.
    `news`: the record from which on what happened is left to be told; not a correction, which could not be told from a new one.
    """
    replay = _Replay(records)
    try:
        play = GameInPlay(replay.records[0], game, tables[0], replay.note)
        while replay.place < len(replay.records):
            if news is None or replay.records[replay.place].id < news:
                play.occurrences.clear()
            _drive(play, replay)
    except (Differs, Refused, *BAD_RECORDS) as difference:
        return on_events_alone(replay.records, game, tables[1]), f"{difference!r}"
    play.occurrences = [one for one in play.occurrences if news is not None and one.kind != "correction"]
    play.presses.clear()
    return play, None


def _drive(play: GameInPlay, replay: _Replay) -> None:
    place = replay.place
    record = replay.records[place]
    _do_again(play, record)
    if replay.place == place:
        raise Differs(f"of record {record.id} ({record.kind}) nothing comes now")
    play.presses.clear()


def _do_again(play: GameInPlay, record: Record) -> None:
    body: dict[str, Any] = record.body
    if record.kind == "observation":
        play.observe(reader(Observation)(body, ""))
    elif record.kind == "baseline":
        play.baseline(body["levels"], record.at)
    elif record.kind == "deadline":
        play.advance(body["t"])
    elif record.kind == "answer":
        play.answer(body["question"], body["choice"], body["by"], record.at)
    elif record.kind == "undo":
        play.undo(body["by"], record.at, why=body.get("why", ""))
    elif record.kind == "correct":
        target = next(move for move in play.moves if move.id == body["target"])
        revision: Any = target.body["revision"]
        play.correct(revision, body["action"], body["event"], why=body["why"], by=body["by"], at=record.at)
    elif record.kind == "event" and body["origin"] == "marker":
        play.enter(body["event"], body["by"], record.at)
    elif record.kind == "gap":
        play.gap(body, record.at)
    elif record.kind == "command":
        play.command(body, record.at)
    else:
        raise Differs(f"record {record.id} ({record.kind}) follows from nothing")


def on_events_alone(records: Sequence[Record], game: Game[Any], table: Table) -> GameInPlay:
    """The game by its events, answers, undos and corrections, without what its table saw."""

    def note(kind: RecordKind, body: dict[str, Json], at: int) -> Record:
        return Record(0, kind, records[0].id, at, "", body)

    play = GameInPlay(records[0], game, table, note)
    for record in records[1:]:
        if record.kind == "question":
            play.tellings.take_record(record)
    play.adopt([record for record in records if record.kind in TAKEN_BACK])
    return play
