"""Where games are kept: the disk and the journal."""

from __future__ import annotations

import errno
import fcntl
import os
import secrets
import shutil
import sqlite3
import tempfile
from dataclasses import dataclass
from pathlib import Path

from controller.doctor.findings import Finding, fault, untold, well
from controller.engine.journal import JournalError, reading

NEEDED = 100_000_000
"""Bytes that should be free beside what the recorder takes: years of games, and room for the system."""
IN_MEMORY = frozenset({"tmpfs", "ramfs"})


@dataclass(frozen=True, slots=True)
class Disk:
    """One folder and the disk below it; bytes. `error`: why nothing can be written there; `damaged`: it isn't read as written."""

    folder: Path
    free: int = 0
    wanted: int = NEEDED
    kind: str = ""
    error: int | None = None
    damaged: bool = False
    user: str = ""


def read_disk(folder: Path, wanted: int = NEEDED) -> Disk:
    """Look at a folder, write a little there and read it back."""
    folder = folder.resolve()
    user = str(os.geteuid())
    sample = secrets.token_bytes(8192)
    try:
        free = shutil.disk_usage(folder).free
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(sample)
            file.flush()
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)  # so that it is read from the disk
            file.seek(0)
            damaged = file.read() != sample
    except OSError as error:
        return Disk(folder, wanted=wanted, kind=_kind(folder), error=error.errno or errno.EIO, user=user)
    return Disk(folder, free, wanted, _kind(folder), damaged=damaged, user=user)


def _kind(folder: Path) -> str:
    """Which file system it is on; empty where that isn't told."""
    try:
        mounts = Path("/proc/self/mounts").read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    whole = f"{folder.resolve()}/"
    found = [(len(where), kind) for _, where, kind, *_ in map(str.split, mounts) if whole.startswith(f"{where.rstrip('/')}/")]
    return max(found, default=(0, ""))[1]


def check_disk(disk: Disk) -> Finding:
    """Whether games can be kept there."""
    there = disk.folder
    wrong = what_is_wrong(disk, "path in [journal]")
    if wrong is not None:
        return fault("disk", wrong)
    if disk.kind in IN_MEMORY:
        return fault("disk", f"{there} is in memory ({disk.kind}): games are gone when it is switched off; keep them on a disk")
    if disk.free < disk.wanted:
        return fault(
            "disk",
            f"{_megabytes(disk.free)} are free at {there}, {_megabytes(disk.wanted)} are wanted: free some, or fit a larger card",
        )
    return well("disk", f"{there} can be written, {_megabytes(disk.free)} are free")


def what_is_wrong(disk: Disk, key: str) -> str | None:
    """Why nothing can be kept there, with the remedy. `key` of the table file names the folder."""
    there = disk.folder
    match disk.error:
        case None:
            return f"what is written to {there} isn't what is read from it: replace the SD card" if disk.damaged else None
        case errno.ENOENT | errno.ENOTDIR:
            return f"there is no folder {there}: make it, or set {key} to another place"
        case errno.EROFS:
            return (
                f"{there} is read-only: set {key} to a disk that isn't, or, if it was writable before, the card has "
                "had errors and wants replacing (`dmesg` says)"
            )
        case errno.EACCES | errno.EPERM:
            return f"user {disk.user} may not write to {there}: sudo chown -R {disk.user} {there}"
        case errno.ENOSPC | errno.EDQUOT:
            return f"{there} is full: free some space, or set {key} to another disk"
        case number:
            return f"{there} can't be written ({os.strerror(number)}): check the SD card (`dmesg` says more)"


def _megabytes(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.0f} MB"


@dataclass(frozen=True, slots=True)
class JournalState:
    """The journal's file. `held`: another program writes it; `trouble`: why it can't be read."""

    path: Path
    there: bool
    held: bool = False
    games: int = 0
    trouble: str | None = None


def read_journal(path: Path) -> JournalState:
    """Look into the journal, whether or not a table uses it."""
    held = _held(Path(f"{path}-lock"))
    if not path.exists():
        return JournalState(path, there=False, held=held)
    try:
        with reading(path) as db:
            said = db.execute("pragma quick_check(1)").fetchone()[0]
            if said != "ok":
                raise sqlite3.DatabaseError(f"malformed: {said}")
            games = db.execute("select count(*) from games").fetchone()[0]
    except JournalError as error:
        return JournalState(path, there=True, held=held, trouble=str(error))
    return JournalState(path, there=True, held=held, games=games)


def _held(lock: Path) -> bool:
    try:
        with lock.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False  # there is none, or it isn't ours to look at: then the journal's own trouble says so
    return False


def check_journal(journal: JournalState) -> Finding:
    """Whether the games that are kept can be read."""
    if journal.trouble is not None:
        return fault("journal", journal.trouble)
    runs = "; a tablemarker runs with it" if journal.held else ""
    if not journal.there:
        return untold("journal", f"{journal.path} isn't there yet: it is made by the first start{runs}")
    return well("journal", f"{journal.path} is sound, {journal.games} game{'' if journal.games == 1 else 's'}{runs}")
