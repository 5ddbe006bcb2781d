"""Every command by a real mosquitto to a whole service, from clients of both versions: its reply, and what it did.

One broker and one service serve them all; each case brings the game to where its command means something.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jsonschema
import paho.mqtt.client as paho
import pytest

import controller.publish.mqtt
from controller.publish.broker import Account, _hashed
from controller.publish.schemas import schema_of
from controller.publish.topics import Topics
from controller.service import Service
from controller.tablefile import load_table
from hardware.outputs.output import SimOutput
from tests.broker_kit import Client, Mosquitto, eventually

pytestmark = pytest.mark.broker

PASSWORD = "the-brokers-own-password"
TOKEN = "the-token-of-this-house"
TOPICS = Topics.of_table("snug")
TABLE = """
[table]
id = "snug"
game = "maw"
sides = ["Ann", "Bob"]
[web]
listen = "off"
[mqtt]
broker = "127.0.0.1:{port}"
username = "marker"
password_file = "password"
token_file = "token"
commands = true
[[output]]
name = "lamp"
kind = "lamp"
source = "sim"
on = ["over"]
[[sensor]]
kind = "button"
role = "undo"
source = "sim"
"""
OFFENCE = {"event": "offence", "law": 4, "by": "A", "deals_again": True}
"""It raises a question of the rules where the seed is taken strictly."""


class House:
    """A broker and the service that talks to it."""

    def __init__(self, folder: Path) -> None:
        (folder / "accounts").write_text(_hashed(Account("marker", PASSWORD)) + "\n" + _hashed(Account("phone", "p")) + "\n")
        self.broker = Mosquitto(folder, extra=f"allow_anonymous false\npassword_file {folder / 'accounts'}")
        (folder / "table.toml").write_text(TABLE.format(port=self.broker.port))
        (folder / "password").write_text(PASSWORD)
        (folder / "token").write_text(TOKEN)
        self.service = Service(load_table(folder / "table.toml"), folder)

    def stop(self) -> None:
        self.service.stop()
        self.broker.stop()


class Phone:
    """Somebody who sends commands and sees what is retained."""

    def __init__(self, house: House, version: int) -> None:
        self.five = version == paho.MQTTv5
        lamps = house.service._players[0]
        (lamp,) = lamps._outputs.values()  # type: ignore[union-attr]  # the table has no voice
        assert isinstance(lamp, SimOutput)
        self.lamp = lamp
        wanted = [TOPICS.reply, TOPICS.score, TOPICS.events, f"{TOPICS.prefix}/sensors/+", "phone/replies"]
        self.client = Client(house.broker.port, *wanted, version=version, username="phone", password="p")
        self.newest: dict[str, dict[str, Any]] = {}
        self._count = 0
        self._numbers = iter(range(1, 10_000))

    def send(self, **command: Any) -> dict[str, Any]:
        """Send a command and wait for its reply, with MQTT 5 also at a topic of one's own."""
        mine = f"{'five' if self.five else 'three'}-{next(self._numbers)}"
        body = json.dumps({"id": mine, "token": TOKEN, **command})
        jsonschema.validate(json.loads(body), schema_of("command"))
        options: dict[str, Any] = {"response": "phone/replies", "correlation": mine.encode()} if self.five else {}
        self.client.publish(TOPICS.command, body, **options)
        eventually(lambda: self._answers(mine, TOPICS.reply), f"the reply to {command}", 30)
        (payload,) = self._answers(mine, TOPICS.reply)
        if self.five:
            eventually(lambda: self._answers(mine, "phone/replies"), f"the phone's own reply to {command}", 30)
            assert self._answers(mine, "phone/replies") == [payload]
            marked = next(m for m in self.client.seen if m.topic == "phone/replies" and m.payload == payload)
            assert marked.properties is not None
            assert marked.properties.CorrelationData == mine.encode()
        reply: dict[str, Any] = json.loads(payload)
        jsonschema.validate(reply, schema_of("reply"))
        return reply

    def do(self, **command: Any) -> dict[str, Any]:
        reply = self.send(**command)
        assert reply["ok"], reply
        return reply

    def last(self, topic: str) -> dict[str, Any]:
        """The newest message there."""
        found: dict[str, Any] = json.loads(next(m.payload for m in reversed(self.client.seen) if m.topic == topic))
        return found

    def score(self, revision: int) -> dict[str, Any]:
        """The score once it is that of a reply."""
        eventually(lambda: self.last(TOPICS.score)["revision"] >= revision, f"the score of revision {revision}", 30)
        return self.last(TOPICS.score)

    def _answers(self, mine: str, topic: str) -> list[bytes]:
        return [m.payload for m in [*self.client.seen] if m.topic == topic and f'"id":"{mine}"'.encode() in m.payload]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(tmp_path_factory.mktemp("house"))
    house.service.start()
    yield house
    house.stop()


@pytest.fixture(scope="module", params=[paho.MQTTv311, paho.MQTTv5], ids=["from 3.1.1", "from 5"])
def phone(house: House, request: pytest.FixtureRequest) -> Iterator[Phone]:
    phone = Phone(house, request.param)
    eventually(lambda: phone.client.seen, "the table to be born", 30)

    def listens() -> bool:
        # It listens once everything is sent: a command from before then is lost, as for any table that is away.
        phone.client.publish(TOPICS.command, json.dumps({"id": "knock", "token": TOKEN, "command": "explain"}))
        return any(b'"id":"knock"' in m.payload for m in phone.client.seen)

    eventually(listens, "the table to listen", 30)
    yield phone
    phone.client.close()


@dataclass(frozen=True)
class Case:
    """A command where it means something: `first` are done before, in a game of strict maw, and `check` sees what it did."""

    command: dict[str, Any]
    check: Callable[[Phone, dict[str, Any]], object]
    first: tuple[dict[str, Any], ...] = field(default=({"command": "event", "event": OFFENCE},))


def phase(wanted: str) -> Callable[[Phone, dict[str, Any]], object]:
    def check(phone: Phone, reply: dict[str, Any]) -> None:
        assert phone.score(reply["revision"])["phase"] == wanted

    return check


def offences(wanted: int) -> Callable[[Phone, dict[str, Any]], object]:
    def check(phone: Phone, reply: dict[str, Any]) -> None:
        assert phone.score(reply["revision"])["questions"] == wanted

    return check


def quarantined(wanted: bool) -> Callable[[Phone, dict[str, Any]], object]:
    def check(phone: Phone, _: dict[str, Any]) -> None:
        topic = TOPICS.sensor("undo")
        eventually(lambda: phone.last(topic)["quarantined"] is wanted, "the sensor's own topic to say so", 30)

    return check


def shown(_: Phone, reply: dict[str, Any]) -> None:
    (event,) = reply["detail"]["events"]
    assert event["event"]["event"] == "offence"


def forgotten(phone: Phone, reply: dict[str, Any]) -> None:
    assert phone.score(reply["revision"])["phase"] == "idle"
    assert phone.send(command="forget_player", name="Zoë")["error"] == "no game of the journal names 'Zoë'"


def lit(phone: Phone, _: dict[str, Any]) -> None:
    eventually(lambda: phone.lamp.told == [True, False] * 3, "the lamp to show itself", 30)


LATEST = "the revision of the latest event"
CASES = {
    "start_game": Case({"command": "start_game", "sides": ["Cid", "Dot"]}, phase("playing")),
    "event": Case({"command": "event", "event": OFFENCE}, offences(1), ()),
    "answer": Case({"command": "answer", "question": "ask-MAW-04a-1", "choice": "B"}, offences(0)),
    "undo": Case({"command": "undo"}, offences(0)),
    "correct": Case({"command": "correct", "revision": LATEST, "remove": True, "why": "it was lawful"}, offences(0)),
    "explain": Case({"command": "explain"}, shown),
    "pause": Case({"command": "pause"}, phase("paused")),
    "resume": Case({"command": "resume"}, phase("playing"), ({"command": "pause"},)),
    "abandon": Case({"command": "abandon"}, phase("abandoned")),
    "quarantine": Case({"command": "quarantine", "sensor": "undo"}, quarantined(True)),
    "release": Case({"command": "release", "sensor": "undo"}, quarantined(False), ({"command": "quarantine", "sensor": "undo"},)),
    "test_output": Case({"command": "test_output", "output": "lamp"}, lit),
    "forget_player": Case({"command": "forget_player", "name": "Zoë"}, forgotten, ({"command": "abandon"},)),
}


def test_no_command_is_left_out() -> None:
    assert set(CASES) == set(schema_of("command")["discriminator"]["mapping"])


@pytest.mark.parametrize("name", CASES)
def test_a_command_does_what_it_says_and_is_answered(name: str, phone: Phone) -> None:
    case = CASES[name]
    phone.lamp.told.clear()
    phone.do(command="start_game", sides=["Ann", "Zoë"], options={"strict_seed": True})
    for first in case.first:
        phone.do(**first)
    command = dict(case.command)
    if command.get("revision") == LATEST:
        eventually(lambda: any(m.topic == TOPICS.events for m in phone.client.seen), "the event", 30)
        command["revision"] = phone.do(command="explain")["detail"]["events"][-1]["revision"]
    case.check(phone, phone.do(**command))


REFUSED = {
    "start_game": ({"sides": ["Ann"]}, "maw has 2 sides with these options, not 1"),
    "event": ({"event": {"event": "no such"}}, "no such"),
    "answer": ({"question": "q", "choice": "c"}, "there is no question 'q'"),
    "undo": ({"if_revision": 1}, "the game has moved on"),
    "correct": ({"revision": 1, "remove": True}, "no event of this game has revision 1"),
    "explain": ({"revision": 1}, "has no event 1 that counts"),
    "resume": ({}, "the table is not paused"),
    "quarantine": ({"sensor": "undone"}, "this table has no sensor 'undone'; it has: undo"),
    "release": ({"sensor": "undone"}, "this table has no sensor 'undone'; it has: undo"),
    "test_output": ({"output": "lmap"}, "this table has no output 'lmap'; it has: lamp"),
    "forget_player": ({"name": "Zoë"}, "a game is in play"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_done_is_refused_in_a_sentence(name: str, phone: Phone) -> None:
    fields, said = REFUSED[name]
    before = phone.score(phone.do(command="start_game")["revision"])
    reply = phone.send(command=name, **fields)
    assert (reply["ok"], said in reply["error"]) == (False, True), reply
    assert phone.score(reply["revision"] or 0) == before


def test_neither_password_nor_token_stands_in_any_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = controller.publish.mqtt.Client

    def chatty(*given: Any, **options: Any) -> paho.Client:
        one = real(*given, **options)
        one.enable_logger(logging.getLogger("paho"))
        return one

    monkeypatch.setattr(controller.publish.mqtt, "Client", chatty)
    caplog.set_level(logging.DEBUG)
    house = House(tmp_path)
    house.service.start()
    phone = Phone(house, paho.MQTTv5)
    try:
        eventually(lambda: phone.client.seen, "the table to be born", 30)

        def refused() -> bool:
            # Again until it listens: what comes before is lost.
            phone.client.publish(TOPICS.command, json.dumps({"token": TOKEN, "command": "udno"}))
            return any(m.topic == TOPICS.reply for m in phone.client.seen)

        eventually(refused, "the refusal", 30)
    finally:
        phone.client.close()
        house.stop()
    assert "Sending CONNECT (u1, p1," in caplog.text, "paho says what it does"
    assert "Received PUBLISH" in caplog.text
    assert PASSWORD not in caplog.text
    assert TOKEN not in caplog.text
