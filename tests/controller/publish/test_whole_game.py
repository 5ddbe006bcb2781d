"""Everything that leaves in the course of a whole simulated game is as the schemas say, and ends as the game did."""

from __future__ import annotations

import json
from collections import Counter

import jsonschema
import pytest

from controller.publish.messages import encode, score_message
from controller.publish.schemas import schema_of
from controller.publish.topics import Topics
from controller.rules.registry import GAME_NAMES
from controller.simulation.stage import Stage, simulated_table
from hardware.signals import SECOND
from tests.broker_kit import Mosquitto, client, retained
from tests.controller.publish.conftest import StartTable

pytestmark = pytest.mark.broker

SCHEMAS = {"score": "score", "events": "event", "questions": "question", "health": "health", "reply": "reply"}


@pytest.mark.parametrize("game", GAME_NAMES)
def test_every_message_of_a_whole_game_is_as_its_schema_says(game: str, mosquitto: Mosquitto, start: StartTable) -> None:
    stage = Stage(simulated_table(game), seed=5, games=1)
    table = start(mosquitto.port, topics=Topics("pub/table"))
    stage.loop.publishers.append(table.link)
    with client(mosquitto.port, "pub/table/#") as viewer:
        stage.open()
        while not stage.done:
            stage.step(SECOND)
        shown = stage.shown
        assert shown is not None
        viewer.wait(
            lambda message: message.topic.endswith("/score") and json.loads(message.payload)["revision"] == shown.revision,
            "the last score",
        )
        table.link.close()
        viewer.wait(lambda message: message.payload == b"offline", "the goodbye")
        messages = [(message.topic.removeprefix("pub/table/"), message.payload) for message in viewer.seen]
    stage.close()
    validators = {name: jsonschema.Draft202012Validator(schema_of(name)) for name in {*SCHEMAS.values(), "sensor"}}
    kinds: Counter[str] = Counter()
    for topic, payload in messages:
        if topic != "status":
            kinds[topic.split("/")[0]] += 1
            name = "sensor" if topic.startswith("sensors/") else SCHEMAS[topic]
            validators[name].validate(json.loads(payload))
    assert kinds.keys() >= {"score", "events", "questions", "sensors", "health"}
    events = [json.loads(payload) for topic, payload in messages if topic == "events"]
    assert len([event for event in events if event["kind"] == "event"]) >= 10
    assert retained(mosquitto.port)["pub/table/score"] == encode(score_message(shown))
