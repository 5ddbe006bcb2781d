from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from controller.engine.snapshot import Snapshot
from controller.publish.messages import (
    Message,
    MqttHealth,
    ReplyMessage,
    encode,
    event_message,
    health_message,
    questions_message,
    score_message,
    sensor_message,
)
from controller.publish.schemas import MESSAGES, NAMES, schema_of
from controller.rules.awards import Over
from hardware.health import SourceHealth
from tests.publish_kit import happening, sensor, snapshot


def wall(at: int) -> str:
    return f"at {at}"


IDLE: Snapshot = replace(
    snapshot(),
    phase="idle",
    turn=None,
    last=None,
    earlier=(),
    unbanked=(),
    notices=(),
    questions=(),
    sides=(),
    over=Over(None, draw=True, double=False, rule="BAG-15"),
)
ILL = SourceHealth("gpio", up=False, lost=2, recovered=1, late=3, muted=("gpio:17",), faults=("the chip is gone: plug it in",))

SENT: list[tuple[str, Message]] = [
    ("score", score_message(snapshot())),
    ("score", score_message(IDLE)),
    ("event", event_message(happening(3), wall)),
    ("event", event_message(happening(4, kind="correction", before={"event": "shot"}, after=None), wall)),
    ("question", questions_message(snapshot())),
    ("question", questions_message(IDLE)),
    ("sensor", sensor_message(sensor("cup-1"), wall)),
    ("sensor", sensor_message(sensor("cup-1", value=True, since=5, edges=9, accepted=1, faults=("it chatters",)), wall)),
    ("sensor", sensor_message(sensor("gauge", value=76.2), wall)),
    ("health", health_message(snapshot(sources=(ILL,), faults=("the disk is full: make room",)), MqttHealth("5"))),
    ("reply", ReplyMessage(id=None, ok=False, error="no")),
    ("reply", ReplyMessage(id="a", ok=True, revision=4)),
]


@pytest.mark.parametrize(("name", "message"), SENT, ids=lambda value: value if isinstance(value, str) else "")
def test_what_is_sent_is_as_its_schema_says(name: str, message: Message) -> None:
    jsonschema.validate(json.loads(encode(message)), schema_of(name), jsonschema.Draft202012Validator)


@pytest.mark.parametrize(("name", "message"), SENT, ids=lambda value: value if isinstance(value, str) else "")
def test_a_schema_names_all_that_is_sent_and_wants_it(name: str, message: Message) -> None:
    sent, schema = json.loads(encode(message)), schema_of(name)
    assert set(schema["required"]) == set(schema["properties"]) == set(sent)
    validator = jsonschema.Draft202012Validator(schema)
    assert validator.is_valid(sent)
    for key in sent:
        assert not validator.is_valid({other: value for other, value in sent.items() if other != key}), key


@pytest.mark.parametrize("name", NAMES)
def test_every_schema_is_one(name: str) -> None:
    schema = schema_of(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["title"] == f"tablemarker {name}"


def test_every_message_bears_the_version_of_its_shape() -> None:
    for name in MESSAGES:
        assert schema_of(name)["properties"]["schema"]["const"] == 1
    assert {json.loads(encode(message))["schema"] for _, message in SENT} == {1}


def test_the_score_in_words_that_a_scoreboard_needs() -> None:
    score = json.loads(encode(score_message(snapshot(12))))
    assert score["table"] == "long-room"
    assert (score["game"], score["game_id"], score["revision"], score["phase"]) == ("bagatelle", "g1", 12, "playing")
    assert score["sides"][0] == {"id": "A", "name": "Ann", "score": 12, "pending": 7}
    assert score["last"] == {
        "event_id": 41,
        "banked": False,
        "awards": [{"side": "A", "points": 18, "rule": "BAG-12", "why": "Black in the centre cup: the black counts double."}],
        "event": {"event": "shot", "ball": "white-1"},
    }
    assert score["earlier"][0]["awards"][0]["rule"] == "BAG-11"
    assert score["unbanked"][0]["points"] == 7
    assert score["notices"] == [{"rule": "BAG-05", "text": "Lift the ball from cup 3."}]
    assert (score["questions"], score["over"], score["options"], score["seen"]) == (
        1,
        None,
        {"target": 120},
        {"cups": {"9": "ball"}},
    )


def test_a_question_says_what_the_answer_command_wants() -> None:
    (question,) = json.loads(encode(questions_message(snapshot())))["questions"]
    assert question["choices"] == [{"choice": "9", "text": "cup 9"}, {"choice": "none", "text": "none of them"}]
    assert (question["id"], question["likely"], question["hangs"]) == ("q7", "9", "18 points")


def test_an_event_comes_with_its_ruling_and_evidence() -> None:
    sent = json.loads(encode(event_message(happening(3, at=77), wall)))
    assert (sent["kind"], sent["revision"], sent["game_id"], sent["origin"], sent["at"]) == ("event", 3, "g1", "sensor", "at 77")
    assert sent["event"]["event"] == "shot"
    assert sent["ruling"]["score"] == {"A": 3, "B": 0}
    assert sent["evidence"] == [1, 2]


def test_a_reading_that_is_no_number_says_nothing() -> None:
    assert sensor_message(sensor("gauge", value=float("nan")), wall).value is None


def test_faults_of_the_state_and_of_the_link_are_told_once() -> None:
    message = health_message(snapshot(faults=("a", "b")), MqttHealth("5"), ("b", "c"))
    assert message.faults == ("a", "b", "c")


def test_health_names_the_sensors_that_have_faults() -> None:
    sensors = (sensor("cup-1"), sensor("cup-2", faults=("cup-2 chatters",)))
    assert health_message(snapshot(sensors=sensors), MqttHealth("5")).sensors == ("cup-2",)


def test_messages_are_utf_8_and_half_a_character_never_stops_them() -> None:
    assert encode({"name": "Åse"}) == '{"name":"Åse"}'.encode()
    broken: dict[str, Any] = {"name": "\ud800"}
    assert encode(broken) == b'{"name":"?"}'
