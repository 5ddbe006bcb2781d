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


def test_a_byte_of_its_first_page_that_is_no_text_is_said(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite3"
    Journal(path).close()
    path.write_bytes(path.read_bytes().replace(b"CREATE INDEX", b"CR\xffATE INDEX", 1))
    with pytest.raises(JournalError, match="malformed") as error:
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


IMPORTS = """
import os, resource, sys
from controller.engine.journal import Journal, JournalError, read_records
from controller.engine.records import Record
path = sys.argv[1]
"""
A_JOURNAL = f"""{IMPORTS}
journal = Journal(path)
journal.commit([Record(1, "event", 1, 1, "", {{}})])
"""
ON_A_FULL_DISK = (
    IMPORTS
    + """
most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (0, most))
journal = Journal(path)
print(journal.kept().last_id)
try:
    journal.commit([Record(2, "event", 1, 2, "", {})])
except JournalError:
    print("not saved")
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
journal.commit([Record(2, "event", 1, 2, "", {})])
print(*(record.id for record in read_records(path)))
"""
)


@pytest.mark.parametrize("index_stays", [False, True], ids=["after a stop", "after a kill"])
def test_it_can_be_opened_on_a_full_disk_and_is_written_once_there_is_room(tmp_path: Path, *, index_stays: bool) -> None:
    # A limit on the size of files is the nearest to a full disk that needs no disk of its own: SQLite makes no file longer.
    path = tmp_path / "table.sqlite3"
    ending = "os._exit(0)" if index_stays else "journal.close()"
    run(A_JOURNAL + ending, str(path))
    assert path.with_name("table.sqlite3-shm").exists() == index_stays
    assert run(ON_A_FULL_DISK, str(path)) == ["1", "not saved", "1 2"]


def run(code: str, *arguments: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()
