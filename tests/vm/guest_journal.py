"""Inside the virtual machine: plays simulated games on a journal, and says what it has shown and on which record that rests.

python guest_journal.py PATH MODE          plays until the power goes: `MODE view 60`, `MODE shown {"revision": 71, …}`
python guest_journal.py PATH MODE check    `MODE found 131, integrity ok, taken up`; the journal as /mnt/share/MODE.sqlite3
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import sys
from typing import Literal, cast

from controller.engine.journal import Journal
from controller.engine.snapshot import Happening, Snapshot
from controller.simulation.stage import Stage
from tests.durable_kit import TABLE, engine_of, state_of

Mode = Literal["FULL", "NORMAL"]


class Room:
    """A subscriber whose news leaves the machine by the serial port."""

    def __init__(self, stage: Stage, mode: Mode) -> None:
        self._stage = stage
        self._mode = mode
        self._views = 0

    def offer(self, snapshot: Snapshot, _happenings: tuple[Happening, ...]) -> None:
        self._views += 1
        shown = json.dumps(state_of(snapshot) | {"rests_on": self._stage.engine.scribe.next_id - 1})
        # In one piece: another writes to the same port.
        os.write(1, f"{self._mode} shown {shown}\n{self._mode} view {self._views}\n".encode())


def play(path: str, mode: Mode) -> None:
    """Play until the power goes."""
    stage = Stage(TABLE, 1, journal=Journal(path, synchronous=mode))
    stage.loop.publishers.append(Room(stage, mode))
    stage.open()
    while True:
        stage.step()


def check(path: str, mode: Mode) -> None:
    """Say what is there, and whether the game can be taken up."""
    journal = Journal(path)
    kept = journal.kept()
    faults = engine_of(kept).faults
    journal.close()
    with sqlite3.connect(path) as database:
        (integrity,) = database.execute("pragma integrity_check").fetchone()
    print(f"{mode} found {kept.last_id}, integrity {integrity}, {faults or 'taken up'}")
    shutil.copy(path, f"/mnt/share/{mode}.sqlite3")


if __name__ == "__main__":
    mode = cast(Mode, sys.argv[2])
    (check if sys.argv[3:] else play)(sys.argv[1], mode)
