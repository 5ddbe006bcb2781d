"""Plays simulated games on a journal file until it is killed; says on standard output what it has shown, and on what it rests.

Reads one order a line (journal, seed, kill, batch, order, room), and forks a child for each, so that a thousand kills cost no
more than the games they cut short. `kill`: `before-commit`, `between` (commit and publish), `elsewhere` (the preloaded library
kills, in a checkpoint) or a number of milliseconds after something was shown. `order`: `right`, or `shows-first` for a loop with
the fault that the tests are there to find.

With a `room` (mqtt: the broker's port; table: its name there) the child publishes by MQTT and serves its scoreboard too. It says
where, with its process id, and begins to play when it is sent a line. Nobody but whoever gave the order kills it then: at a named
point it says that it is there and stands still, so that whatever was shown before has the time to arrive.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any

from controller.engine.journal import Journal
from controller.engine.loop import EngineLoop
from controller.engine.snapshot import Happening, Snapshot
from controller.intake import Intake
from controller.publish.link import MqttPublisher, host_wall
from controller.publish.settings import MqttSettings
from controller.publish.topics import Topics
from controller.simulation.stage import Stage
from controller.web.server import ScoreServer
from tests.durable_kit import state_of
from tests.table_kit import FULL, table_of


def say(line: dict[str, Any]) -> None:
    """One line, straight through the pipe."""
    os.write(1, (json.dumps(line) + "\n").encode())


def die() -> None:
    """As a power cut ends it."""
    os.kill(os.getpid(), signal.SIGKILL)


def stand_still() -> None:
    """Say that the named point is reached; whoever listens kills."""
    say({"here": True})
    threading.Event().wait()


class Deadly(Journal):
    """A journal in which the process ends at a named point of a given commit."""

    def __init__(self, path: str, kill: str, batch: int, end: Callable[[], None]) -> None:
        super().__init__(path)
        self.kill, self.batch, self.count, self.end = kill, batch, 0, end
        # Every commit is followed by a checkpoint, so that kills find one often.
        self._db.execute("pragma wal_autocheckpoint=1")

    def commit(self, records: Any, games: Any = (), *more: Any) -> None:
        self.count += 1
        if self.kill == "before-commit" and self.count == self.batch:
            self.end()
        super().commit(records, games, *more)
        if self.kill == "between" and self.count == self.batch:
            self.end()


class ShowsFirst(EngineLoop):
    """The fault: publishes, then commits."""

    def keep(self, records: Any, games: Any) -> bool:
        if records:
            self.show(self.clock(), tuple(source.health() for source in self.sources), durable=True)
        return super().keep(records, games)


class Subscriber:
    """The nearest subscriber there is: one line a state."""

    def __init__(self, stage: Stage, begun: int) -> None:
        self.stage = stage
        self.begun = begun

    def offer(self, snapshot: Snapshot, _happenings: tuple[Happening, ...]) -> None:
        say(state_of(snapshot) | {"rests_on": self.stage.engine.scribe.next_id - 1})
        os.write(self.begun, b".")


def open_room(room: dict[str, Any], loop: EngineLoop) -> int:
    """Publish to whoever listens; gives the port of the scoreboard."""
    web = ScoreServer("127.0.0.1", 0, wall=host_wall)
    web.start()
    settings = MqttSettings("127.0.0.1", room["mqtt"], room["table"])
    link = MqttPublisher(settings, Topics.of_table(room["table"]), Intake(loop.submit))
    link.start()
    loop.publishers += [web, link]
    return web.port


def play(order: dict[str, Any], begun: int) -> None:
    """Play until killed."""
    room = order["room"]
    journal = Deadly(order["journal"], str(order["kill"]), order["batch"], stand_still if room else die)
    stage = Stage(table_of(FULL), order["seed"], journal=journal)
    if order["order"] == "shows-first":
        stage.loop.__class__ = ShowsFirst
    stage.loop.publishers.append(Subscriber(stage, begun))
    web = open_room(room, stage.loop) if room else None
    stage.open()
    if web is not None:
        say({"web": web, "pid": os.getpid()})
        os.read(0, 100)
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
        if not isinstance(order["kill"], str) and not order["room"]:
            os.read(watch, 1)
            select.select([], [], [], order["kill"] / 1000)
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(watch)
        os.write(1, b"dead\n")


if __name__ == "__main__":
    main()
