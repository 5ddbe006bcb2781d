"""Commands that come by a real mosquitto, from clients of both versions."""

from __future__ import annotations

import json
import queue
import threading
from typing import Any, Literal

import jsonschema
import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from controller.engine import requests
from controller.engine.requests import Reply
from controller.publish.mqtt import LARGEST_PACKET
from controller.publish.schemas import schema_of
from tests.broker_kit import DEADLINE, Client, Mosquitto, client, eventually, retained
from tests.controller.publish.conftest import TOPICS, StartTable, Table
from tests.publish_kit import snapshot
from tests.table_kit import Bench

pytestmark = pytest.mark.broker

UNDO = b'{"command":"undo","id":"u1"}'


def running(start: StartTable, mosquitto: Mosquitto, **options: Any) -> Table:
    """A table that takes commands and listens to them already."""
    # A table clears what sensors of earlier days have left as soon as it listens.
    stray = TOPICS.sensor("stray")
    with client(mosquitto.port) as one:
        one.publish(stray, b"{}", retain=True)
    table = start(mosquitto.port, **{"username": "marker", "password": "m", "commands": True, **options})
    table.link.offer(snapshot(1), ())
    eventually(lambda: stray not in retained(mosquitto.port), "the table to listen")
    return table


def reply_of(sender: Client) -> dict[str, Any]:
    reply: dict[str, Any] = json.loads(sender.wait(lambda message: message.topic == TOPICS.reply, "the reply").payload)
    return reply


def nothing_asked(table: Table) -> bool:
    try:
        table.requests.get_nowait()
    except queue.Empty:
        return True
    return False


@pytest.mark.parametrize("ours", ["5", "3.1.1"])
@pytest.mark.parametrize("theirs", [paho.MQTTv5, paho.MQTTv311], ids=["from 5", "from 3.1.1"])
def test_a_command_is_carried_out_and_answered(ours: str, theirs: int, mosquitto: Mosquitto, start: StartTable) -> None:
    table = running(start, mosquitto, protocol=ours)
    with client(mosquitto.port, TOPICS.reply, version=theirs) as sender:
        sender.publish(TOPICS.command, '{"command":"answer","id":"a1","question":"q7","choice":"9","if_revision":4}')
        request = table.carry_out(Reply(ok=False, error="the game has moved on: look at the score"))
        assert request.command == requests.Answer("q7", "9", 4)
        assert request.via == "mqtt"
        assert reply_of(sender) == {
            "schema": 1,
            "id": "a1",
            "ok": False,
            "error": "the game has moved on: look at the score",
            "revision": None,
            "detail": None,
        }


def test_an_mqtt_5_client_is_answered_at_its_own_topic_too(mosquitto: Mosquitto, start: StartTable) -> None:
    table = running(start, mosquitto)
    with client(mosquitto.port, TOPICS.reply, "my/answers") as sender:
        sender.publish(TOPICS.command, UNDO, response="my/answers", correlation=b"c1")
        table.carry_out()
        mine = sender.wait(lambda message: message.topic == "my/answers")
        assert mine.properties is not None
        assert mine.properties.CorrelationData == b"c1"
        everyones = next(message for message in sender.seen if message.topic == TOPICS.reply)
    assert (
        json.loads(mine.payload)
        == json.loads(everyones.payload)
        == {
            "schema": 1,
            "id": "u1",
            "ok": True,
            "error": None,
            "revision": 9,
            "detail": None,
        }
    )


def test_the_reply_topic_itself_as_response_topic_gets_one_marked_reply(mosquitto: Mosquitto, start: StartTable) -> None:
    table = running(start, mosquitto)
    with client(mosquitto.port, TOPICS.reply) as sender:
        sender.publish(TOPICS.command, UNDO, response=TOPICS.reply, correlation=b"c1")
        table.carry_out()
        reply = sender.wait(lambda _: True)
        assert reply.properties is not None
        assert reply.properties.CorrelationData == b"c1"
        sender.publish(TOPICS.command, UNDO, response=TOPICS.reply, correlation=b"c2")
        reply = sender.wait(lambda _: True)
        assert reply.properties is not None
        assert reply.properties.CorrelationData == b"c2"


def test_nobody_gets_the_table_to_publish_a_false_score(mosquitto: Mosquitto, start: StartTable) -> None:
    table = running(start, mosquitto)
    with client(mosquitto.port, f"{TOPICS.prefix}/#") as sender:
        sender.publish(TOPICS.command, UNDO, response=TOPICS.score)
        table.carry_out()
        reply_of(sender)
        sender.publish(TOPICS.command, b"garbage")
        reply_of(sender)
        shown = [json.loads(message.payload) for message in sender.seen if message.topic == TOPICS.score]
    assert [score["revision"] for score in shown] == [1]


def test_a_repeated_id_gets_the_first_reply_and_counts_once(mosquitto: Mosquitto, start: StartTable) -> None:
    table = running(start, mosquitto)
    with client(mosquitto.port, TOPICS.reply) as sender:
        sender.publish(TOPICS.command, UNDO)
        table.carry_out(Reply(ok=True, revision=11))
        first = reply_of(sender)
        sender.publish(TOPICS.command, UNDO)
        assert reply_of(sender) == first
    assert nothing_asked(table)


@pytest.mark.parametrize("before", [True, False], ids=["found on connecting", "sent while listening"])
def test_a_retained_command_is_refused_cleared_and_reported(before: bool, mosquitto: Mosquitto, start: StartTable) -> None:
    with client(mosquitto.port, TOPICS.reply) as sender:
        if before:
            sender.publish(TOPICS.command, UNDO, retain=True)
        table = running(start, mosquitto)
        if not before:
            sender.publish(TOPICS.command, UNDO, retain=True)
        reply = reply_of(sender)
        assert not reply["ok"]
        assert reply["error"].startswith("a retained command would run again at each start: it was cleared")
        eventually(lambda: TOPICS.command not in retained(mosquitto.port), "the clearing")
        assert nothing_asked(table)
        eventually(lambda: json.loads(retained(mosquitto.port)[TOPICS.health])["mqtt"]["commands_retained"] == 1, "the report")
        sender.publish(TOPICS.command, UNDO)
        assert table.carry_out().command == requests.Undo()


@pytest.mark.parametrize(
    ("garbage", "said"),
    [
        (b"\xff\x00", "a command is text in UTF-8"),
        (b"undo", "a command is a JSON object"),
        (b'{"command":"udno"}', "unknown command 'udno'; did you mean 'undo'?"),
        (b'{"command":"undo","id":"x","id":"y"}', "stands twice"),
        (b'{"command":"undo","note":"' + b"x" * 20_000 + b'"}', "at most 16384 bytes"),
    ],
)
def test_garbage_gets_a_sentence_and_changes_nothing(garbage: bytes, said: str, mosquitto: Mosquitto, start: StartTable) -> None:
    table = running(start, mosquitto)
    with client(mosquitto.port, TOPICS.reply) as sender:
        sender.publish(TOPICS.command, garbage)
        reply = reply_of(sender)
        assert not reply["ok"]
        assert said in reply["error"]
    assert nothing_asked(table)
    eventually(lambda: said in (json.loads(retained(mosquitto.port)[TOPICS.health])["mqtt"]["last_refusal"] or ""), "the report")


def test_what_is_far_too_large_is_kept_by_the_broker(mosquitto: Mosquitto, start: StartTable) -> None:
    table = running(start, mosquitto)
    with client(mosquitto.port, TOPICS.reply) as sender:
        sender.publish(TOPICS.command, b"x" * (LARGEST_PACKET + 1))
        sender.publish(TOPICS.command, UNDO)
        table.carry_out()
        assert reply_of(sender)["id"] == "u1", "nothing was said of the other"


def test_commands_are_off_unless_the_table_file_says_otherwise(mosquitto: Mosquitto, start: StartTable) -> None:
    table = running(start, mosquitto, commands=False)
    with client(mosquitto.port, TOPICS.reply) as sender:
        sender.publish(TOPICS.command, UNDO)
        assert reply_of(sender)["error"] == "commands by MQTT are off; set commands = true in [mqtt] of the table file"
    assert nothing_asked(table)


def test_where_a_token_is_set_each_command_must_carry_it(
    mosquitto: Mosquitto, start: StartTable, caplog: pytest.LogCaptureFixture
) -> None:
    token = "the-token-of-the-house"
    table = running(start, mosquitto, username=None, password=None, token=token)
    with client(mosquitto.port, TOPICS.reply) as sender:
        for carried in ({}, {"token": "another-token-entirely"}):
            sender.publish(TOPICS.command, json.dumps({"command": "undo", **carried}))
            assert reply_of(sender)["error"] == "the command lacks the right token in its field 'token'"
        assert nothing_asked(table)
        sender.publish(TOPICS.command, json.dumps({"command": "undo", "token": token}))
        assert table.carry_out().command == requests.Undo()
    assert token not in caplog.text


def test_an_empty_message_on_the_command_topic_is_no_command(mosquitto: Mosquitto, start: StartTable) -> None:
    table = running(start, mosquitto, protocol="3.1.1")
    with client(mosquitto.port, TOPICS.reply) as sender:
        sender.publish(TOPICS.command, b"")
        sender.publish(TOPICS.command, UNDO)
        table.carry_out()
        assert reply_of(sender)["id"] == "u1"
    assert len(sender.seen) == 1


def test_why_points_were_given_is_answered_and_nothing_is_changed(mosquitto: Mosquitto, start: StartTable) -> None:
    bench = Bench().open().start()
    bench.play_ball(5, strike=True)
    bench.play_ball(rest=1)
    shown = bench.shown
    table = running(start, mosquitto)
    with client(mosquitto.port, TOPICS.reply) as sender:
        sender.publish(TOPICS.command, b'{"command":"explain"}')
        request = table.requests.get(timeout=DEADLINE)
        assert request.reply is not None
        request.reply(bench.ask(request.command))
        reply = reply_of(sender)
    jsonschema.validate(reply, schema_of("reply"))
    (line,) = reply["detail"]["lines"]
    seen = "half-way crossing up, spot-a lost its ball, cup-5 filled"
    assert line == f"+5 at stake BAG-11: {seen}, black on the board, white 1 in cup 5, likely, not answered"
    assert bench.shown == shown


@pytest.mark.parametrize("ours", ["5", "3.1.1"])
def test_a_command_from_while_the_table_was_away_is_never_carried_out(
    ours: Literal["5", "3.1.1"], mosquitto: Mosquitto, start: StartTable
) -> None:
    # The worst that can be: whatever had our client id before has left a session, in which the broker keeps commands.
    forgetful = paho.Client(CallbackAPIVersion.VERSION2, "tablemarker-long-room", clean_session=False, protocol=paho.MQTTv311)
    subscribed = threading.Event()
    forgetful.on_connect = lambda *_: forgetful.subscribe(TOPICS.command, 1)
    forgetful.on_subscribe = lambda *_: subscribed.set()
    forgetful.connect("127.0.0.1", mosquitto.port)
    forgetful.loop_start()
    assert subscribed.wait(DEADLINE)
    forgetful.disconnect()
    forgetful.loop_stop()
    with client(mosquitto.port, TOPICS.reply) as sender:
        sender.publish(TOPICS.command, '{"command":"undo","id":"late"}')
        table = running(start, mosquitto, protocol=ours)
        assert sender.seen == [], "nobody says that it was done"
        sender.publish(TOPICS.command, UNDO)
        assert table.carry_out().command == requests.Undo()
        assert reply_of(sender)["id"] == "u1"
    assert nothing_asked(table)
    assert len(sender.seen) == 1
