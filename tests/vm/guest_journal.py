"""Inside the virtual machine: plays simulated games on a journal, and says what it has shown and on which record that rests.

python guest_journal.py PATH MODE          plays until the power goes: `MODE view 60`, `MODE shown 123`
python guest_journal.py PATH MODE check    `MODE found 131, integrity ok, taken up`
"""

from __future__ import annotations

import sqlite3
import sys
from typing import Literal, cast

from controller.engine.engine import Engine
from controller.engine.journal import Journal
from controller.engine.snapshot import Happening, Snapshot
from controller.fitting import build_panel, fitted, rules_of, table_maker
from controller.simulation.stage import Stage
from tests.table_kit import FULL, table_of

Mode = Literal["FULL", "NORMAL"]


class Room:
    """A subscriber whose news leaves the machine by the serial port."""

    def __init__(self, stage: Stage, mode: Mode) -> None:
        self._stage = stage
        self._mode = mode
        self._views = 0

    def offer(self, _snapshot: Snapshot, _happenings: tuple[Happening, ...]) -> None:
        self._views += 1
        print(f"{self._mode} view {self._views}\n{self._mode} shown {self._stage.engine.scribe.next_id - 1}", flush=True)


def play(path: str, mode: Mode) -> None:
    """Play until the power goes."""
    stage = Stage(table_of(FULL), 1, journal=Journal(path, synchronous=mode))
    stage.loop.publishers.append(Room(stage, mode))
    stage.open()
    while True:
        stage.step()


def check(path: str, mode: Mode) -> None:
    """Say what is there, and whether the game can be taken up."""
    journal = Journal(path)
    kept = journal.kept()
    table = table_of(FULL)
    engine = Engine(fitted(table), rules_of(table), build_panel(table), table_maker(table), kept)
    journal.close()
    with sqlite3.connect(path) as database:
        (integrity,) = database.execute("pragma integrity_check").fetchone()
    taken_up = "taken up" if not engine.faults else str(engine.faults)
    print(f"{mode} found {kept.last_id}, integrity {integrity}, {taken_up}")


if __name__ == "__main__":
    mode = cast(Mode, sys.argv[2])
    (check if sys.argv[3:] else play)(sys.argv[1], mode)
