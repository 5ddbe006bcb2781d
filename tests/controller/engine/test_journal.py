"""The journal's file: what is kept, what is refused, and how it says so."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from controller.engine.journal import Journal, JournalError, read_records
from controller.engine.records import Record


def record(number: int, game: int | None = 1, kind: str = "event") -> Record:
    return Record(number, kind, game, number, "2026-11-30T20:00:00Z", {"event": {"event": "end_turn"}})  # type: ignore[arg-type]


def test_what_is_committed_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite3"
    journal = Journal(path)
    records = [record(1, kind="start"), record(2), record(3)]
    journal.commit(records, [(1, "open", "")])
    assert journal.kept().open_game == tuple(records)
    assert journal.kept().last_id == 3
    journal.commit([], [(1, "over", "")])
    assert journal.kept().open_game == ()
    journal.close()
    assert read_records(path) == records


def test_a_batch_is_kept_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite3"
    journal = Journal(path)
    journal.commit([record(1)])
    with pytest.raises(JournalError):
        journal.commit([record(2), record(1)])
    journal.close()
    assert [r.id for r in read_records(path)] == [1]


def test_it_syncs_every_commit(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "table.sqlite3")
    assert journal._db.execute("pragma journal_mode").fetchone() == ("wal",)
    assert journal._db.execute("pragma synchronous").fetchone() == (2,)
    journal.close()


@pytest.mark.parametrize(
    ("prepare", "says"),
    [
        (lambda path: path.write_text("my diary, and nobody else's, of the year 1819"), "file is no journal"),
        (lambda path: path.mkdir(), "check that the folder exists"),
    ],
)
def test_what_is_no_journal_is_named_with_the_remedy(tmp_path: Path, prepare: object, says: str) -> None:
    path = tmp_path / "table.sqlite3"
    prepare(path)  # type: ignore[operator]
    with pytest.raises(JournalError, match=says) as error:
        Journal(path)
    assert str(path) in str(error.value)


def test_a_folder_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="check that the folder exists"):
        Journal(tmp_path / "nowhere" / "table.sqlite3")


def test_a_journal_of_another_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite3"
    with sqlite3.connect(path) as database:
        database.execute("pragma user_version = 99")
    database.close()
    with pytest.raises(JournalError, match="version 99"):
        Journal(path)


def test_a_second_program_is_kept_out(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite3"
    journal = Journal(path)
    journal.commit([record(1)])
    code = f"from controller.engine.journal import Journal\nJournal({str(path)!r})"
    second = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "another program has it open" in second.stderr
    journal.close()
