from __future__ import annotations

import json
import queue
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from controller.engine.requests import Reply, Request
from controller.intake import Intake
from controller.publish.backoff import Backoff
from controller.publish.discovery import Discovery
from controller.publish.hearing import Listener
from controller.publish.link import MqttPublisher
from controller.publish.session import Patience
from controller.publish.settings import MqttSettings
from controller.publish.topics import Topics
from hardware.signals import MS, SECOND
from tests.broker_kit import DEADLINE, Mosquitto, Proxy, client, retained

TOPICS = Topics.of_table("long-room")
ALL = f"{TOPICS.prefix}/#"
STATE = {TOPICS.score, TOPICS.questions, TOPICS.health, TOPICS.sensor("cup-1"), TOPICS.sensor("cup-2")}


class Table:
    """A link as a running table has it, with the engine's part played by the test. Waits are short, so that tests are."""

    def __init__(
        self,
        port: int,
        *,
        topics: Topics = TOPICS,
        discovery: Discovery | None = None,
        hears: Mapping[str, Listener] | None = None,
        patience: Patience | None = None,
        **changes: Any,
    ) -> None:
        self.requests: queue.SimpleQueue[Request] = queue.SimpleQueue()
        self.reported: list[tuple[str, ...]] = []
        self.settings = MqttSettings(**{"host": "127.0.0.1", "port": port, "client_id": "tablemarker-long-room", **changes})
        self.link = MqttPublisher(
            self.settings,
            topics,
            Intake(self.requests.put),
            discovery=discovery,
            hears=hears,
            report=self.reported.append,
            patience=patience or Patience(connect=5 * SECOND, acknowledge=5 * SECOND, healthy=300 * MS, farewell=500 * MS),
            backoff=Backoff(first=0.05, longest=0.2, healthy=300 * MS),
        )
        self.link.start()

    def carry_out(self, reply: Reply | None = None) -> Request:
        """Play the engine: take the next request and answer it."""
        request = self.requests.get(timeout=DEADLINE)
        assert request.reply is not None
        request.reply(reply or Reply(ok=True, revision=9))
        return request


StartTable = Callable[..., Table]


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    broker = Mosquitto(tmp_path)
    yield broker
    broker.stop()


@pytest.fixture
def proxy(mosquitto: Mosquitto) -> Iterator[Proxy]:
    one = Proxy(mosquitto.port)
    yield one
    one.close()


@pytest.fixture
def start() -> Iterator[StartTable]:
    """Starts tables and ends them after the test."""
    tables: list[Table] = []

    def begin(port: int, **options: Any) -> Table:
        tables.append(Table(port, **options))
        return tables[-1]

    yield begin
    for table in tables:
        table.link.close()


def revision(port: int) -> int | None:
    """Of the score that the broker retains now."""
    score = retained(port, ALL).get(TOPICS.score)
    return None if score is None else json.loads(score)["revision"]


def wait_online(port: int) -> None:
    with client(port, TOPICS.status) as viewer:
        viewer.wait(lambda message: message.payload == b"online", "the table online")
