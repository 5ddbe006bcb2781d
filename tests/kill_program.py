"""Plays simulated games on a journal file until it is killed; says on standard output what it has shown, and on what it rests.

Reads one order a line (journal, seed, kill, batch, order), and forks a child for each, so that a
thousand kills cost no more than the games they cut short. `kill`: `before-commit`, `between` (commit and publish), `elsewhere`
(the preloaded library kills, in a checkpoint) or a number of milliseconds after something was shown. `order`: `right`, or
`shows-first` for a loop with the fault that the tests are there to find.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
from typing import Any

from controller.engine.journal import Journal
from controller.engine.loop import EngineLoop
from controller.engine.snapshot import Happening, Snapshot
from controller.simulation.stage import Stage
from tests.table_kit import FULL, table_of


class Deadly(Journal):
    """A journal in which the process dies at a named point of a given commit."""

    def __init__(self, path: str, kill: str, batch: int) -> None:
        super().__init__(path)
        self.kill, self.batch, self.count, self.last = kill, batch, 0, 0
        # Every commit is followed by a checkpoint, so that kills find one often.
        self._db.execute("pragma wal_autocheckpoint=1")

    def commit(self, records: Any, games: Any = ()) -> None:
        self.count += 1
        if self.kill == "before-commit" and self.count == self.batch:
            os.kill(os.getpid(), signal.SIGKILL)
        super().commit(records, games)
        self.last = max((r.id for r in records), default=self.last)
        if self.kill == "between" and self.count == self.batch:
            os.kill(os.getpid(), signal.SIGKILL)


class ShowsFirst(EngineLoop):
    """The fault: publishes, then commits."""

    def keep(self, records: Any, games: Any) -> bool:
        if records:
            self.show(self.clock(), tuple(source.health() for source in self.sources), durable=True)
        return super().keep(records, games)


class Subscriber:
    """What the room has seen: one line a state, straight through a pipe."""

    def __init__(self, stage: Stage, begun: int) -> None:
        self.stage = stage
        self.begun = begun

    def offer(self, snapshot: Snapshot, _happenings: tuple[Happening, ...]) -> None:
        rests_on = self.stage.engine.scribe.next_id - 1
        scores = [[side.score, side.pending] for side in snapshot.sides]
        line = {"revision": snapshot.revision, "rests_on": rests_on, "scores": scores, "game": snapshot.game_id}
        os.write(1, (json.dumps(line) + "\n").encode())
        os.write(self.begun, b".")


def play(order: dict[str, Any], begun: int) -> None:
    """Play until killed."""
    journal = Deadly(order["journal"], str(order["kill"]), order["batch"])
    stage = Stage(table_of(FULL), order["seed"], journal=journal)
    if order["order"] == "shows-first":
        stage.loop.__class__ = ShowsFirst
    stage.loop.publishers.append(Subscriber(stage, begun))
    stage.open()
    while True:
        stage.step()


def main() -> None:
    """Take orders."""
    for text in sys.stdin:
        order = json.loads(text)
        watch, begun = os.pipe()
        child = os.fork()
        if child == 0:
            play(order, begun)
        os.close(begun)
        if not isinstance(order["kill"], str):
            os.read(watch, 1)
            select.select([], [], [], order["kill"] / 1000)
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(watch)
        os.write(1, b"dead\n")


if __name__ == "__main__":
    main()
