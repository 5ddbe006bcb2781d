"""The demo's broker. It keeps to the standard less than mosquitto does: tests that matter run against that one."""

from __future__ import annotations

import gc
import json
import socket
from collections.abc import Iterator

import paho.mqtt.client as paho
import pytest

from controller.publish.discovery import Discovery, TableDevice
from controller.publish.embedded import EmbeddedBroker, NoEmbeddedBroker
from tests.broker_kit import client
from tests.controller.publish.conftest import TOPICS, StartTable
from tests.publish_kit import happening, snapshot

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
"""amqtt leaves connections to the garbage collector when it stops."""


@pytest.fixture(autouse=True)
def _swept() -> Iterator[None]:
    # Here, and not in the middle of a test that has nothing to do with it.
    yield
    gc.collect()


@pytest.fixture
def embedded() -> Iterator[EmbeddedBroker]:
    broker = EmbeddedBroker()
    broker.start()
    yield broker
    broker.stop()


def test_a_viewer_sees_the_score_now_and_as_it_changes(embedded: EmbeddedBroker, start: StartTable) -> None:
    table = start(embedded.port, protocol=embedded.protocol)
    table.link.offer(snapshot(1), ())
    with client(embedded.port, f"{TOPICS.prefix}/#", version=paho.MQTTv311) as viewer:
        viewer.wait(lambda message: message.topic == TOPICS.score, "the score")
        table.link.offer(snapshot(2), (happening(2),))
        viewer.wait(lambda message: message.topic == TOPICS.score and json.loads(message.payload)["revision"] == 2, "the next")
        viewer.wait(lambda message: message.topic == TOPICS.events, "the event")
        table.link.close()
        viewer.wait(lambda message: message.payload == b"offline", "the goodbye")
    assert table.reported == []


def test_it_hands_out_what_nobody_asked_for_and_none_of_that_is_cleared(embedded: EmbeddedBroker, start: StartTable) -> None:
    told = Discovery("homeassistant", TableDevice("long-room", "Long", "bagatelle", sides=2, buttons=False, version="1"), TOPICS)
    others = ("homeassistant/sensor/boiler/config", "elsewhere", f"{TOPICS.prefix}/elsewhere")
    gone = TOPICS.sensor("gone")
    with client(embedded.port, version=paho.MQTTv311) as other:
        for topic in (*others, gone):
            other.publish(topic, b"{}", retain=True)
    table = start(embedded.port, protocol=embedded.protocol, discovery=told)
    with client(embedded.port, "#", version=paho.MQTTv311) as viewer:
        table.link.offer(snapshot(1), ())
        viewer.wait(lambda message: message.topic == gone and not message.payload, "the end of a sensor of earlier days")
        table.link.offer(snapshot(2), ())
        viewer.wait(lambda message: message.topic == TOPICS.score and json.loads(message.payload)["revision"] == 2, "the next")
        assert not [message.topic for message in viewer.seen if not message.payload and message.topic != gone]
        assert {message.topic for message in viewer.seen} >= told.messages.keys()


def test_its_port_is_free_again_after_it_has_stopped(embedded: EmbeddedBroker) -> None:
    with client(embedded.port, version=paho.MQTTv311):
        pass
    embedded.stop()
    embedded.stop()
    again = EmbeddedBroker(embedded.port)
    again.start()
    with client(again.port, version=paho.MQTTv311):
        pass
    again.stop()


def test_a_port_that_is_taken_is_said_with_the_remedy() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(NoEmbeddedBroker, match=f"at port {port} .*in use.*: choose another with --mqtt-port"):
            EmbeddedBroker(port).start()


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(NoEmbeddedBroker, match=r"pip install 'tablemarker\[demo\]'"):
        EmbeddedBroker().start()
