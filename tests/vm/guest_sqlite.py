"""Inside the virtual machine: writes numbered rows to a SQLite database one a commit and says each once its commit has returned.

`guest_sqlite.py FILE SYNCHRONOUS`; with a third argument it only says what is there: `FILE found N, integrity ok`.
"""

from __future__ import annotations

import itertools
import sqlite3
import sys
import threading


def main(path: str, synchronous: str, check: bool) -> None:
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute(f"PRAGMA synchronous={synchronous}")
    database.execute("CREATE TABLE IF NOT EXISTS shown (number INTEGER PRIMARY KEY, filling TEXT)")
    if check:
        [[integrity]] = database.execute("PRAGMA integrity_check")
        [[newest]] = database.execute("SELECT coalesce(max(number), 0) FROM shown")
        print(f"{synchronous} found {newest}, integrity {integrity}", flush=True)
        return
    for number in itertools.count(1):
        database.execute("INSERT INTO shown VALUES (?, ?)", (number, "x" * 200))
        print(f"{synchronous} shown {number}", flush=True)
        threading.Event().wait(0.002)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], check=len(sys.argv) > 3)
