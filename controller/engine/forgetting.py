"""A player is forgotten: the name is taken out of the journal's records, and "a player" stands in its place."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable

from controller.rules.awards import Json

SOMEBODY = "a player"

Forget = Callable[[str], int]
"""Takes a name out of the journal; gives in how many records it stood. Raises `JournalError`."""


def forget_in(db: sqlite3.Connection, name: str) -> int:
    """Replace the name in all records, in one transaction; gives in how many it stood. Raises `sqlite3.Error`."""
    db.execute("pragma secure_delete=on")
    # As it stands in the bodies: JSON escapes what isn't ASCII.
    found = db.execute("select id, kind, body from records where instr(body, ?)", (json.dumps(name)[1:-1],)).fetchall()
    bodies = [(number, kind, json.loads(body)) for number, kind, body in found]
    changed = [
        (json.dumps(without, separators=(",", ":")), number)
        for number, kind, body in bodies
        if (without := without_name(kind, body, name)) != body
    ]
    db.execute("begin immediate")
    try:
        db.executemany("update records set body = ? where id = ?", changed)
        # A reply may name anybody.
        db.execute("delete from answered")
        db.execute("commit")
    except sqlite3.Error:
        if db.in_transaction:
            db.execute("rollback")
        raise
    return len(changed)


def without_name(kind: str, body: dict[str, Json], name: str) -> dict[str, Json]:
    """A record's body in which the name no longer stands: not as a side's, nor as who did something, nor in the reason why.

    Sides in events are called by the rules' ids, which a name may be equal to: they are left.
    """
    changed = dict(body)
    sides, by, why = (body.get(key) for key in ("sides", "by", "why"))
    if kind == "start" and isinstance(sides, list):
        changed["sides"] = [SOMEBODY if side == name else side for side in sides]
    if isinstance(by, str) and by.startswith(f"{name} ("):
        changed["by"] = SOMEBODY + by[len(name) :]
    if isinstance(why, str):
        changed["why"] = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", SOMEBODY, why)
    return changed
