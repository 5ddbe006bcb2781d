"""The link to the broker: takes each state from the engine at once, and sees to it that the broker gets the newest."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping
from datetime import UTC, datetime

from controller.engine.snapshot import Happening, Snapshot
from controller.intake import Intake
from controller.publish.backoff import Backoff
from controller.publish.desk import Desk, Report
from controller.publish.discovery import Discovery
from controller.publish.hearing import Listener
from controller.publish.messages import Wall
from controller.publish.mqtt import Closed, LinkDown, ProtocolRefused, TakenOver, taken_over
from controller.publish.session import Patience, Session
from controller.publish.settings import MqttSettings, Protocol
from controller.publish.topics import Topics
from hardware.signals import SECOND

log = logging.getLogger(__name__)

WATCH_SECONDS = 30.0
STUCK = 60 * SECOND


def host_wall(at: int) -> str:
    """The wall time of a time on this machine's monotonic clock, as its clock has it now."""
    seconds = time.time() - (time.monotonic_ns() - at) / SECOND
    return datetime.fromtimestamp(seconds, UTC).astimezone().isoformat(timespec="milliseconds")


class MqttPublisher:
    """Publishes a table by MQTT and takes its commands.

    `discovery`: what Home Assistant is told. `hears`: who hears which other topics. `report` is told what is wrong with the link
    whenever that changes. Nothing here raises once it is made: a broker that is away, slow, or not what it should be is a fault
    with its remedy, and the game goes on.
    """

    def __init__(
        self,
        settings: MqttSettings,
        topics: Topics,
        intake: Intake,
        *,
        discovery: Discovery | None = None,
        hears: Mapping[str, Listener] | None = None,
        wall: Wall = host_wall,
        report: Report | None = None,
        patience: Patience | None = None,
        backoff: Backoff | None = None,
    ) -> None:
        self._settings = settings
        self._protocol: Protocol = settings.protocol or "5"
        self._intake = intake
        self._hears = dict(hears or {})
        self._patience = patience or Patience()
        self._backoff = backoff or Backoff()
        self._closed_before = False
        self._leaving = threading.Event()
        self._desk = Desk(topics, wall, report, discovery)
        self._thread = threading.Thread(target=self._supervise, name="mqtt", daemon=True)

    def start(self) -> None:
        """Begin to connect, and go on until `close`."""
        self._thread.start()

    def offer(self, snapshot: Snapshot, happenings: tuple[Happening, ...]) -> None:
        """Take the newest state and what has happened since the last call; costs a few microseconds whatever the broker does."""
        self._desk.put_state(snapshot, happenings, time.monotonic_ns())

    @property
    def faults(self) -> tuple[str, ...]:
        """What is wrong with the link, each with its remedy."""
        return self._desk.faults

    def close(self, timeout: float = 5.0) -> None:
        """Say `offline` and leave; give up after `timeout` seconds. May be called twice."""
        self._leaving.set()
        self._desk.wake()
        if self._thread.ident is not None:
            self._thread.join(timeout)
        if not self._thread.is_alive():
            self._desk.close()

    def _supervise(self) -> None:
        while not self._leaving.is_set():
            session = Session(
                self._settings,
                self._protocol,
                desk=self._desk,
                intake=self._intake,
                hears=self._hears,
                patience=self._patience,
                leaving=self._leaving.is_set,
            )
            worker = threading.Thread(target=session.run, name="mqtt session", daemon=True)
            worker.start()
            self._watch(worker, session)
            if not session.left:
                self._lost(session)

    def _watch(self, worker: threading.Thread, session: Session) -> None:
        said = f"the link to {self._settings.address} has stood still for over a minute: restart tablemarker"
        while worker.is_alive():
            worker.join(WATCH_SECONDS)
            still = worker.is_alive() and time.monotonic_ns() - session.beat > STUCK
            self._desk.fault("still", said if still else None)

    def _lost(self, session: Session) -> None:
        lasted = 0 if session.since is None else time.monotonic_ns() - session.since
        in_a_row, self._closed_before = self._closed_before and lasted < self._patience.healthy, False
        match session.ended:
            case ProtocolRefused() if self._settings.protocol is None and self._protocol == "5":
                log.info("the broker at %s doesn't know MQTT 5; going on with MQTT 3.1.1", self._settings.address)
                self._protocol = "3.1.1"
                return
            case TakenOver() as down:
                self._desk.fault("client id", str(down))
            case Closed() if in_a_row:
                # MQTT 3.1.1 has no words for it, and mosquitto 2.0.11 closes before it has sent those of MQTT 5.
                self._closed_before = True
                self._desk.fault("client id", taken_over(self._settings))
            case LinkDown() as down:
                self._closed_before = isinstance(down, Closed)
                self._desk.fault("link", str(down))
            case None:
                # Its traceback has gone to standard error: it is a mistake of ours.
                self._desk.fault("link", "the MQTT loop ended by a mistake in the program; it starts again. Please report it")
        self._leaving.wait(self._backoff.after(lasted))
