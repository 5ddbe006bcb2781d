"""The service: one table with its sources, engine, journal, broker, scoreboard, put together from its table file."""

from __future__ import annotations

import contextlib
import logging
import os
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

from controller.announce.announcer import try_outputs
from controller.announce.speech import Voice
from controller.device import discovery_of
from controller.engine.answered import in_this_boot
from controller.engine.engine import Engine
from controller.engine.journal import Journal, JournalError
from controller.engine.loop import EngineLoop
from controller.engine.requests import Request
from controller.engine.snapshot import Publisher
from controller.fitting.detectors import build_detectors
from controller.fitting.outputs import build_announcer, build_lamps, build_voice
from controller.fitting.sources import build_sources, topics_heard
from controller.fitting.tables import fitted, rules_of, table_maker
from controller.flight_recorder import FlightRecorder, recorder_of
from controller.historian import Historian
from controller.installer import Installer
from controller.intake import Intake
from controller.publish.broker import Account, ManagedBroker
from controller.publish.discovery import Discovery
from controller.publish.hearing import Listener
from controller.publish.link import MqttPublisher, host_wall
from controller.publish.settings import MqttMisuse, MqttSettings, Tls, pin_fault, read_secret
from controller.publish.topics import Topics
from controller.rulebook import read_rules
from controller.tablefile import TableFile
from controller.tablefile.model import Mqtt
from controller.web.server import ScoreServer
from hardware.outputs.lamps import Lamps
from hardware.sources.source import Source
from hardware.watching import WatchedPanel, WatchedRecordingPanel

log = logging.getLogger(__name__)

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def wall_now() -> str:
    """Wall time in ISO 8601: a label for people, never used to order anything."""
    return datetime.now().astimezone().isoformat(timespec="seconds")


def boot_id() -> str:
    """Which boot of the machine this is: monotonic times of different boots can't be compared."""
    return BOOT_ID.read_text(encoding="ascii").strip()[:8]


class Service:
    """Runs a table until `stop`. `folder` is that of the table file.

    `start` raises what its parts raise, each a sentence with its remedy: `JournalError`, `SourceError`, `WebError`,
    `MqttMisuse`.
    """

    def __init__(self, table: TableFile, folder: Path, environment: Mapping[str, str] = os.environ) -> None:
        self.table = table
        self.folder = folder
        self._environment = environment
        self._stops: list[Callable[[], None]] = []
        self._players: list[Lamps | Voice] = []
        self._has_journal = self._orderly = False
        self.loop: EngineLoop | None = None
        self.web: ScoreServer | None = None
        self.broker: ManagedBroker | None = None

    def start(self) -> None:
        """Bring everything up, the sensors last: what they see can be kept and shown from the first moment."""
        path = self.table.journal_path(self.folder)
        new = [file for file in (path, *(Path(f"{path}{end}") for end in ("-lock", "-wal", "-shm"))) if not file.exists()]
        try:
            self._start()
        except BaseException:
            self.stop()
            if self._has_journal and path in new:
                # Made by this start, and nothing was played on it: the next one makes its own, perhaps elsewhere.
                for file in new:
                    file.unlink(missing_ok=True)
            raise

    def _start(self) -> None:
        table = self.table
        make_table, sources = table_maker(table), build_sources(table, required=False)
        journal = Journal(table.journal_path(self.folder))
        self._has_journal = True
        self._stops += [journal.close, lambda: self._all_told(journal)]
        recorder = self._recorder()
        detectors = build_detectors(table)
        panel = WatchedPanel(detectors) if recorder is None else WatchedRecordingPanel(detectors, recorder)
        kept, find, forget = journal.kept(boot_id(), time.monotonic_ns()), journal.find_game, journal.forget
        rules = rules_of(table)
        engine = Engine(fitted(table), rules, panel, make_table, kept, find_past=find, forget=forget, acts=recorder)
        publishers: list[Publisher] = []
        self.loop = EngineLoop(engine, sources, journal, publishers, clock=time.monotonic_ns, wall=wall_now)
        answered = in_this_boot(journal.answered(), boot_id(), time.monotonic_ns(), wall_now())
        intake = Intake(self._announce(table, sources, self.loop, publishers), answered)
        if table.web.listen is not None:
            self.web = self._web(table, intake, panel)
            self.web.start()
            self._stops.append(self.web.stop)
            publishers.append(self.web)
        if table.mqtt.broker != "none":
            link = self._mqtt(table.mqtt, intake, self.loop, topics_heard(table, sources))
            link.start()
            self._stops.append(link.close)
            publishers.append(link)
        self.loop.publishers = publishers
        self._stops.append(self._stop_loop)
        self.loop.open(boot_id(), version("tablemarker"))
        self.loop.start()
        for player in self._players:
            player.start()
            self._stops.append(player.stop)

    def _announce(
        self, table: TableFile, sources: Sequence[Source], loop: EngineLoop, publishers: list[Publisher]
    ) -> Callable[[Request], None]:
        """Give the table its lamps and its voice; what takes the requests of people, who may try an output."""
        lamps, voice = build_lamps(table, sources, loop.report), build_voice(table, loop.report)
        if lamps is None and voice is None:
            return loop.submit
        publishers.append(build_announcer(table, lamps, voice))
        self._players = [one for one in (lamps, voice) if one is not None]
        return loop.submit if lamps is None else try_outputs(lamps, loop.submit)

    def stop(self) -> None:
        """Take everything down again, in reverse; what waits is worked and kept first."""
        while self._stops:
            self._stops.pop()()

    def _stop_loop(self) -> None:
        assert self.loop is not None
        self._orderly = self.loop.alive
        self.loop.stop()

    def _all_told(self, journal: Journal) -> None:
        # Who is killed, or whose engine has died, can't say so: what was written last is told at the next start, while it is
        # still news.
        if self._orderly:
            with contextlib.suppress(JournalError):
                journal.told()

    def _recorder(self) -> FlightRecorder | None:
        table = self.table
        if table.record is None:
            return None

        def report(said: str | None) -> None:
            assert self.loop is not None, "nothing is recorded before the sensors are opened"
            if said is not None:
                log.warning("%s. The game goes on.", said[:1].upper() + said[1:])
            self.loop.report("recorder", said)

        recorder = recorder_of(table.record, self.folder, table.table.id, boot_id(), report)
        recorder.start()
        self._stops.append(recorder.stop)
        return recorder

    def _web(self, table: TableFile, intake: Intake, panel: WatchedPanel) -> ScoreServer:
        listen = table.web.listen
        assert listen is not None
        pin = read_secret("marker's PIN", self._path(table.marker.pin_file), table.marker.pin_env, self._environment)
        if pin is not None and (fault := pin_fault(pin)) is not None:
            raise MqttMisuse(f"the marker's PIN {fault}")
        rules = {table.table.game: read_rules(table.table.game)}
        inputs = Installer(table, panel, time.monotonic_ns)
        past = Historian(table.journal_path(self.folder), lambda: datetime.now().astimezone())
        return ScoreServer(
            listen.host, listen.port, wall=host_wall, rules=rules, intake=intake, token=pin, inputs=inputs, past=past
        )

    def _mqtt(self, mqtt: Mqtt, intake: Intake, loop: EngineLoop, hears: Mapping[str, Listener]) -> MqttPublisher:
        topics = Topics(self.table.prefix)
        password = read_secret("broker's password", self._path(mqtt.password_file), mqtt.password_env, self._environment)
        token = read_secret("token", self._path(mqtt.token_file), None, self._environment)
        username = mqtt.username
        discovery = discovery_of(self.table, token=token is not None)
        broker = mqtt.broker
        if not isinstance(broker, str):
            host, port = broker.host, broker.port
        else:
            marker = Account(username, password) if username and password else None
            self.broker = self._managed(mqtt, topics, marker, discovery, loop)
            host, port = self.broker.host, self.broker.port
            username, password = self.broker.account.username, self.broker.account.password
        files = mqtt.tls
        tls = None if files is None else Tls(self._path(files.ca_file), self._path(files.cert_file), self._path(files.key_file))
        settings = MqttSettings(
            host, port, self.table.client_id, username, password, tls=tls, commands=mqtt.commands, token=token
        )
        return MqttPublisher(
            settings,
            topics,
            intake,
            discovery=discovery,
            hears=hears,
            report=lambda faults: loop.report("mqtt", " ".join(faults) or None),
        )

    def _managed(
        self, mqtt: Mqtt, topics: Topics, marker: Account | None, discovery: Discovery, loop: EngineLoop
    ) -> ManagedBroker:
        def report(said: str | None) -> None:
            loop.report("broker", said)

        broker = ManagedBroker(
            topics,
            (mqtt.listen.host, mqtt.listen.port),
            marker=marker,
            open_commands=mqtt.commands and mqtt.token_file is not None,
            discovery=discovery,
            report=report,
        )
        broker.start()
        self._stops.append(broker.stop)
        return broker

    def _path(self, path: Path | None) -> Path | None:
        return None if path is None else self.folder / path
