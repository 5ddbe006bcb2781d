"""The journal: every record of every game, in one SQLite file that survives a power cut.

WAL with `synchronous=FULL`: a commit that has returned is on the disk. One writer, one commit a batch.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, Any, Literal, cast
from urllib.parse import quote

from controller.engine.answered import KEPT, Answered
from controller.engine.forgetting import forget_in
from controller.engine.records import Record, RecordKind
from hardware.signals import SECOND

SCHEMA_VERSION = 1

GameState = Literal["open", "over", "abandoned"]

_SCHEMA = """
create table if not exists records(
  id integer primary key, kind text not null, game integer, at integer not null, wall text not null, body text not null
) strict;
create index if not exists records_of_game on records(game) where game is not null;
create index if not exists boots on records(kind) where kind = 'boot';
create index if not exists results on records(game) where kind = 'result';
create table if not exists games(game integer primary key, state text not null, changed text not null) strict;
create table if not exists answered(
  id text primary key, boot text not null, at integer not null, wall text not null, reply text not null
) strict;
create table if not exists told(one integer primary key check (one = 1), record integer not null) strict;
"""

_SELECT = "select id, kind, game, at, wall, body from records"


_INSERT = "insert into records values "
_ROW = "(?, ?, ?, ?, ?, ?)"
READERS_MS = 5000
"""How long is waited for readers before the log can be emptied."""
STILL_NEWS = 30 * SECOND
"""An event that is older is told to nobody who follows events."""
DAMAGED = (sqlite3.Error, ValueError, TypeError)
"""What reading may raise: SQLite's own, text or JSON that is none, and JSON that is no record."""
NO_ROOM_FOR_INDEX = ("SQLITE_IOERR_SHMOPEN", "SQLITE_IOERR_SHMSIZE")
"""SQLite's words for it; what it says to people is that the disk fails."""
FEW = 16
"""Records that are written in one statement."""

_FIND = """
select games.game, games.state from games join records on records.id = games.game
where games.game = ? or json_extract(records.body, '$.game_id') = ?
"""


class JournalError(Exception):
    """The journal can't be opened or written; the message names the file and the remedy."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What the journal holds at a start: the last record's id, the end of the last range of revisions, the open game.

    `news`: the first record that nobody may have been told of, so lately that it still is news; None where there is none.
    `ended`: the game that was over then, if it was, and none is open.
    """

    last_id: int
    last_revision: int
    open_game: tuple[Record, ...]
    news: int | None = None
    ended: tuple[Record, ...] = ()


class Journal:
    """One journal file, opened for writing by one program. `path` may be `:memory:` for tests and the demo."""

    def __init__(self, path: Path | str, *, synchronous: Literal["FULL", "NORMAL"] = "FULL") -> None:
        self.path = str(path)
        self._synchronous = synchronous
        self._lock = _only_writer(self.path)
        try:
            self._open()
        except DAMAGED as error:
            self._unlock()
            raise JournalError(_sentence(self.path, error)) from error
        except JournalError:
            self._unlock()
            raise

    def _open(self) -> None:
        """Open the file. On a disk too full for the index beside it, that is kept in memory, and no other program can read."""
        for alone in (False, True):
            self._db = self._connect("exclusive" if alone else "normal")
            try:
                self._prepare()
            except sqlite3.Error as error:
                self._db.close()
                if alone or error.sqlite_errorname not in NO_ROOM_FOR_INDEX:
                    raise
            else:
                self._alone = alone
                return

    def _connect(self, locking: str) -> sqlite3.Connection:
        # The engine's thread uses it; the main thread opens and closes it.
        db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=1)
        db.execute(f"pragma locking_mode={locking}")
        return db

    def _prepare(self) -> None:
        self._db.execute("pragma journal_mode=wal")
        self._db.execute(f"pragma synchronous={self._synchronous}")
        found = self._db.execute("pragma user_version").fetchone()[0]
        if found not in (0, SCHEMA_VERSION):
            raise JournalError(
                f"{self.path}: the journal is of version {found}, this program writes version {SCHEMA_VERSION}; "
                "move the file away or install the program that wrote it"
            )
        self._db.execute("begin immediate")
        for statement in _SCHEMA.split(";"):
            self._db.execute(statement)
        if found != SCHEMA_VERSION:  # it is written even where it stays the same, and the disk may be full
            self._db.execute(f"pragma user_version={SCHEMA_VERSION}")
        self._db.execute("commit")

    def kept(self, boot: str = "", now: int = 0) -> Kept:
        """What is there to go on from. Raises `JournalError` where the file is damaged.

        `boot` and `now`, monotonic nanoseconds: what was written in this boot, before a kill, may still be news.
        """
        try:
            return self._kept(boot, now)
        except (*DAMAGED, LookupError) as error:
            raise JournalError(_sentence(self.path, sqlite3.DatabaseError(f"malformed: {error}"))) from error

    def _kept(self, boot_now: str, now: int) -> Kept:
        last_id = self._db.execute("select coalesce(max(id), 0) from records").fetchone()[0]
        boot = self._db.execute("select body from records where kind = 'boot' order by id desc limit 1").fetchone()
        last_revision = json.loads(boot[0])["revisions"][1] if boot else 0
        row = self._db.execute("select game from games where state = 'open' order by game desc limit 1").fetchone()
        open_game = tuple(self.records_of(row[0])) if row else ()
        first = self._first_untold(boot_now)
        if first is None or first > last_id:
            return Kept(last_id, last_revision, open_game)
        row = self._db.execute("select max(game) from games where state = 'over'").fetchone()
        newest = open_game or tuple(self.records_of(row[0]))
        news = next((record.id for record in newest if record.id >= first and now - record.at <= STILL_NEWS), None)
        return Kept(last_id, last_revision, open_game, news, newest if news is not None and not open_game else ())

    def _first_untold(self, boot: str) -> int | None:
        """The first record of this boot that was written since the program last stopped in order."""
        found = "select min(id) from records where kind = 'boot' and json_extract(body, '$.boot') = ?"
        first = self._db.execute(found, (boot,)).fetchone()[0]
        told = self._db.execute("select record from told").fetchone()
        return None if first is None else max(first, told[0] + 1 if told else 0)

    def told(self) -> None:
        """Note, at an orderly stop, that all that is kept was told to whoever follows the events. Raises `JournalError`."""
        try:
            self._db.execute("insert or replace into told values (1, (select coalesce(max(id), 0) from records))")
        except sqlite3.Error as error:
            raise JournalError(_sentence(self.path, error)) from error

    def answered(self) -> list[Answered]:
        """The replies to commands with an id. Raises `JournalError`."""
        try:
            return [Answered.of_row(row) for row in self._db.execute("select id, boot, at, wall, reply from answered")]
        except DAMAGED as error:
            raise JournalError(_sentence(self.path, sqlite3.DatabaseError(f"malformed: {error}"))) from error

    def find_game(self, name: str) -> tuple[GameState, list[Record]] | None:
        """A game by its `game_id` or its number, with its records; None where there is none. Raises `JournalError`."""
        number = int(name) if name.isdecimal() and len(name) < 19 else None
        try:
            row = self._db.execute(_FIND, (number, name)).fetchone()
            return None if row is None else (row[1], self.records_of(row[0]))
        except DAMAGED as error:
            raise JournalError(_sentence(self.path, sqlite3.DatabaseError(f"malformed: {error}"))) from error

    def forget(self, name: str) -> int:
        """Take a player's name out of every record; gives in how many it stood. Raises `JournalError`.

        The file is written anew and its log emptied, so that no freed page of either still holds the name.
        """
        try:
            changed = forget_in(self._db, name)
            self._db.execute("vacuum")
            self._db.execute(f"pragma busy_timeout={READERS_MS}")
            busy, *_ = self._db.execute("pragma wal_checkpoint(truncate)").fetchone()
        except DAMAGED as error:
            raise JournalError(_sentence(self.path, error)) from error
        finally:
            self._db.execute("pragma busy_timeout=1000")
        if busy:
            raise JournalError(f"{self.path}: another program is reading, so its log still holds the name; ask again in a moment")
        return changed

    def records_of(self, game: int) -> list[Record]:
        """All records of one game, its start first."""
        rows = self._db.execute(f"{_SELECT} where game = ? order by id", (game,))
        return [_record(row) for row in rows]

    def commit(
        self,
        records: Iterable[Record],
        games: Iterable[tuple[int, GameState, str]] = (),
        answered: Iterable[Answered] = (),
    ) -> None:
        """Write a batch: all of it or nothing. When it returns, it is on the disk. Raises `JournalError`."""
        rows = [(r.id, r.kind, r.game, r.at, r.wall, json.dumps(r.body, separators=(",", ":"))) for r in records]
        changed, replies = list(games), [one.row() for one in answered]
        try:
            if self._alone:  # there may be room by now
                self._db.close()
                self._open()
            if not changed and not replies and 0 < len(rows) <= FEW:
                # One statement is a transaction of its own: half as much to say as with a begin and a commit around it.
                self._db.execute(_INSERT + ",".join(_ROW for _ in rows), tuple(chain.from_iterable(rows)))
                return
            self._db.execute("begin immediate")
            try:
                self._db.executemany(_INSERT + _ROW, rows)
                self._db.executemany("insert or replace into games values (?, ?, ?)", changed)
                if replies:
                    self._db.executemany("insert or replace into answered values (?, ?, ?, ?, ?)", replies)
                    self._db.execute("delete from answered where rowid <= (select max(rowid) from answered) - ?", (KEPT,))
                self._db.execute("commit")
            except sqlite3.Error:
                if self._db.in_transaction:
                    self._db.execute("rollback")
                raise
        except sqlite3.Error as error:
            raise JournalError(_sentence(self.path, error)) from error

    def close(self) -> None:
        """Close the file; the log is folded into it."""
        self._db.close()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()


def _only_writer(path: str) -> IO[bytes] | None:
    """Keep other writers out, who would use our ids, while readers may come.

    The lock is on a file of its own: closing any other handle of the journal itself would drop SQLite's own locks.
    """
    if path == ":memory:":
        return None
    try:
        lock = Path(f"{path}-lock").open("ab")  # noqa: SIM115 - held until the journal is closed
    except OSError as error:
        raise JournalError(_sentence(path, sqlite3.OperationalError(f"unable to open: {error.strerror}"))) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise JournalError(_sentence(path, sqlite3.OperationalError("locked"))) from None
    return lock


def read_records(path: Path | str) -> list[Record]:
    """All records of a journal, oldest first, also while a program writes it. Raises `JournalError`."""
    with reading(path) as db:
        return [_record(row) for row in db.execute(f"{_SELECT} order by id")]


def read_game(path: Path | str, game: int) -> list[Record]:
    """All records of one game, its start first; none where there is no such game. Raises `JournalError`."""
    with reading(path) as db:
        return [_record(row) for row in db.execute(f"{_SELECT} where game = ? order by id", (game,))]


def read_games(path: Path | str) -> list[tuple[int, GameState]]:
    """All games of a journal, oldest first, by the id of their start. Raises `JournalError`."""
    with reading(path) as db:
        return db.execute("select game, state from games order by game").fetchall()


@contextlib.contextmanager
def reading(path: Path | str) -> Iterator[sqlite3.Connection]:
    """A journal for reading. Raises `JournalError`."""
    try:
        db = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)
        try:
            yield db
        finally:
            db.close()
    except sqlite3.Error as error:
        raise JournalError(_sentence(str(path), error)) from error


def _record(row: tuple[Any, ...]) -> Record:
    body = json.loads(row[5])
    if not isinstance(body, dict):
        raise TypeError(f"record {row[0]} has no body")
    return Record(row[0], cast(RecordKind, row[1]), row[2], row[3], row[4], body)


_REMEDIES = {
    "locked": "another program has it open; stop the other tablemarker first",
    "full": "the disk is full; free some space",
    "readonly": "the file or the disk is read-only; check the owner and `mount`",
    "unable to open": "check that the folder exists and may be written by this user",
    "malformed": "the file is damaged; move it away, a new one will be made",
    "not a database": "the file is no journal; move it away or name another in [journal] path",
    "disk I/O": "the disk fails; check the SD card",
}


def _sentence(path: str, error: Exception) -> str:
    said = str(error) if isinstance(error, sqlite3.Error) else f"malformed: {error}"
    if getattr(error, "sqlite_errorname", "") in NO_ROOM_FOR_INDEX:
        said = "no room for its index: the disk is full"
    remedy = next((text for word, text in _REMEDIES.items() if word in said), "see the journal's disk")
    return f"{path}: {said}: {remedy}"
