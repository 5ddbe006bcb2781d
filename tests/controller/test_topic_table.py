"""A table of squails whose camera publishes what it sees on a topic of a real broker: from there to the score on that broker."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from controller.engine.requests import Request, StartGame
from controller.service import Service
from tests.broker_kit import Client, Mosquitto, client
from tests.squails_kit import EDGE, SQUAIL
from tests.table_kit import table_of

pytestmark = pytest.mark.broker

TOPIC = "parlour/camera"
TABLE = """
[table]
id = "parlour"
game = "squails"
quiet = "300ms"
[rules]
squails_each = 1
target = 1
[web]
listen = "off"
[mqtt]
broker = "127.0.0.1:PORT"
[[lines]]
name = "camera"
topic = "parlour/camera"
[[sensor]]
role = "squails"
kind = "position"
source = "lines:camera"
diameter = 1200.0
still = "150ms"
gone = "500ms"
silence = "1s"
"""


class Camera:
    """A program that publishes what it sees, fifty times a second, until it ends."""

    def __init__(self, port: int) -> None:
        self.lying: dict[str, tuple[float, float]] = {"target": (0.0, 0.0)}
        self._ending = threading.Event()
        self._client = paho.Client(CallbackAPIVersion.VERSION2)
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._ending.wait(0.02):
            self._client.publish(TOPIC, json.dumps(self.lying))

    def show(self, name: str, spot: tuple[float, float]) -> None:
        self.lying = {**self.lying, name: spot}  # another thread looks at it meanwhile

    def end(self) -> None:
        self._ending.set()
        self._thread.join()
        self._client.disconnect()
        self._client.loop_stop()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    broker = Mosquitto(tmp_path)
    yield broker
    broker.stop()


@pytest.fixture
def service(broker: Mosquitto, tmp_path: Path) -> Iterator[Service]:
    service = Service(table_of(TABLE.replace("PORT", str(broker.port))), tmp_path)
    service.start()
    yield service
    service.stop()


@pytest.fixture
def camera(broker: Mosquitto) -> Iterator[Camera]:
    camera = Camera(broker.port)
    yield camera
    camera.end()


def test_places_on_a_topic_become_a_game_and_its_score_on_the_same_broker(
    broker: Mosquitto, service: Service, camera: Camera
) -> None:
    assert service.loop is not None
    service.loop.submit(Request(StartGame(), "test"))
    with client(broker.port, "tablemarker/parlour/score") as viewer:
        shown(viewer, lambda score: score["phase"] == "playing" and score["seen"]["target"] is not None)
        for name, angle, spot in (("light-s1", -math.pi / 2, (60.0, 0.0)), ("dark-s1", math.pi / 2, (-300.0, 0.0))):
            seat = EDGE - SQUAIL / 2
            camera.show(name, (seat * math.cos(angle), seat * math.sin(angle)))
            threading.Event().wait(0.1)  # it is seen there, or at once where it was struck to: both are strokes
            camera.show(name, spot)
            shown(viewer, lambda score, name=name: score["position"]["squails"][name] == "played")
        score = shown(viewer, lambda score: score["phase"] == "over")
    assert [(side["id"], side["score"]) for side in score["sides"]] == [("light", 1), ("dark", 0)]
    assert score["last"]["awards"][0]["rule"] == "SQU-09"


def shown(viewer: Client, condition: Any) -> dict[str, Any]:
    """The first score that is so."""
    message = viewer.wait(lambda message: condition(json.loads(message.payload)), "the score")
    score: dict[str, Any] = json.loads(message.payload)
    return score
