"""The demo: a simulated table before an audience, with the scoreboard and a broker, at a pace that people can watch."""

from __future__ import annotations

import tempfile
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from controller.device import discovery_of
from controller.engine.journal import Journal
from controller.engine.requests import Abandon, Request, StartGame
from controller.engine.snapshot import Snapshot
from controller.fitting.detectors import build_detectors
from controller.historian import Historian
from controller.installer import Installer
from controller.intake import Intake
from controller.publish.embedded import EmbeddedBroker
from controller.publish.link import MqttPublisher
from controller.publish.settings import MqttSettings
from controller.publish.topics import Topics
from controller.rulebook import read_rules
from controller.simulation.stage import EPOCH, FRAME, Stage, simulated_table
from controller.web.server import ScoreServer
from hardware.signals import SECOND
from hardware.watching import WatchedPanel

PIN = "1234"
"""Of the demo's console, which this machine alone can reach."""
STUCK = 120 * SECOND
"""When nothing has happened for so long, the players have lost track of their game."""


class Show:
    """A stage with an audience. `start` raises `WebError` and `NoEmbeddedBroker`."""

    def __init__(self, game: str, seed: int, *, speed: float, games: int | None, port: int, mqtt_port: int) -> None:
        self._began = datetime.now(UTC)
        self._speed = speed
        table = simulated_table(game)
        panel = WatchedPanel(build_detectors(table))
        # Its games can be looked at while it lasts, and are gone with it.
        self._folder = tempfile.TemporaryDirectory(prefix="tablemarker-demo-")
        journal = Path(self._folder.name) / "demo.sqlite3"
        self._journal = Journal(journal, synchronous="NORMAL")
        self._stage = Stage(table, seed, games=games, panel=panel, journal=self._journal)
        topics = Topics(table.prefix)
        self.prefix = topics.prefix
        self._web = ScoreServer(
            "127.0.0.1",
            port,
            wall=self._wall,
            rules={game: read_rules(game)},
            intake=Intake(self._submit),
            token=PIN,
            inputs=Installer(table, panel, lambda: self._stage.now),
            past=Historian(journal, self._stage.date),
        )
        self._broker = EmbeddedBroker(mqtt_port)
        self._topics = topics
        self._discovery = discovery_of(table)
        self._link: MqttPublisher | None = None
        self._meddled = False
        """Whether a visitor has begun or ended a game."""
        self._seen = 0
        self._moved = EPOCH

    @property
    def port(self) -> int:
        """The scoreboard's port."""
        return self._web.port

    @property
    def mqtt_port(self) -> int:
        """The broker's port."""
        return self._broker.port

    @property
    def shown(self) -> Snapshot | None:
        """The newest state."""
        return self._stage.shown

    def start(self) -> None:
        """Open the doors."""
        self._web.start()
        self._broker.start()
        settings = MqttSettings(self._broker.host, self._broker.port, "tablemarker-demo", protocol=self._broker.protocol)
        intake = Intake(self._submit)
        self._link = MqttPublisher(settings, self._topics, intake, discovery=self._discovery, wall=self._wall)
        self._link.start()
        self._stage.loop.publishers += [self._web, self._link]
        self._stage.open()

    def run(self, stop: threading.Event) -> None:
        """Play until the last game is over or `stop` is set, a frame at a time."""
        began = time.monotonic_ns()
        while not self._stage.done and not stop.wait(FRAME / SECOND):
            self.play_until(EPOCH + round((time.monotonic_ns() - began) * self._speed))

    def play_until(self, now: int) -> None:
        """Go on to this time of the simulated clock; players who can't go on, since somebody has meddled, begin anew."""
        meddled, self._meddled = self._meddled, False
        self._stage.play_until(now)
        if meddled:
            self._stage.sit_down_again()
        shown = self._stage.shown
        assert shown is not None, "the stage is open"
        if shown.revision != self._seen or shown.phase == "paused":
            self._seen, self._moved = shown.revision, self._stage.now
        elif self._stage.now - self._moved > STUCK:
            self._moved = self._stage.now
            self._stage.sit_down_again()

    def _submit(self, request: Request) -> None:
        self._stage.loop.submit(request)
        if isinstance(request.command, StartGame | Abandon):
            self._meddled = True

    def stop(self) -> None:
        """Close the doors."""
        if self._link is not None:
            self._link.close()
        self._broker.stop()
        self._web.stop()
        self._stage.close()
        self._journal.close()
        self._folder.cleanup()

    def _wall(self, at: int) -> str:
        moment = self._began + timedelta(microseconds=(at - EPOCH) / self._speed / 1000)
        return moment.astimezone().isoformat(timespec="milliseconds")
