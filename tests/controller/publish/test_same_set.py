"""Whatever becomes of the broker, it ends with what a fresh table on the same journal would tell a fresh broker."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from controller.device import discovery_of
from controller.publish.topics import Topics
from controller.service import Service
from controller.tablefile import TableFile, load_table
from tests.broker_kit import Mosquitto, client, command, eventually, retained

pytestmark = pytest.mark.broker

TOPICS = Topics.of_table("fort")
PRISONER = {
    "event": "stroke",
    "side": "english",
    "ball": "english-defence-1",
    "facts": [{"fact": "in_fort", "fort": "english-advanced-1", "ball": "french-attack"}],
}


def table_file(folder: Path, port: int) -> TableFile:
    (folder / "password").write_text("opensesame")
    path = folder / "fort.toml"
    path.write_text(f"""
        [table]
        id = "fort"
        game = "fortification"
        [web]
        listen = "off"
        [mqtt]
        broker = "127.0.0.1:{port}"
        username = "fort"
        password_file = "password"
        commands = true
        [[sensor]]
        role = "pocket-1"
        kind = "switch"
        source = "sim"
    """)
    return load_table(path)


@contextmanager
def table(folder: Path, port: int) -> Iterator[None]:
    service = Service(table_file(folder, port), folder)
    try:
        service.start()
        yield
    finally:
        service.stop()


def whole_set(folder: Path, port: int) -> dict[str, Any]:
    """All that the broker retains, once it is whole; without the link's own counts and the two marks that grow with each boot."""
    wanted = {TOPICS.status, TOPICS.score, TOPICS.questions, TOPICS.health, TOPICS.sensor("pocket-1")}
    wanted |= discovery_of(table_file(folder, port)).messages.keys()
    eventually(lambda: retained(port).keys() == wanted, "the whole set and nothing else")
    eventually(lambda: retained(port)[TOPICS.status] == b"online", "the table online")
    kept: dict[str, Any] = {
        topic: json.loads(message) if topic != TOPICS.status else message for topic, message in retained(port).items()
    }
    del kept[TOPICS.health]["mqtt"], kept[TOPICS.score]["revision"], kept[TOPICS.score]["at"]
    return kept


@pytest.mark.parametrize("keep", [False, True], ids=["without persistence", "with persistence"])
def test_after_a_restart_the_broker_has_what_a_fresh_table_would_tell(keep: bool, tmp_path: Path) -> None:
    mosquitto = Mosquitto(tmp_path, keep=keep)
    stale = (TOPICS.sensor("of-earlier-days"), "homeassistant/sensor/tablemarker_fort/of_earlier_days/config")
    try:
        with table(tmp_path, mosquitto.port):
            command(mosquitto.port, TOPICS, command="start_game")
            command(mosquitto.port, TOPICS, command="event", event=PRISONER)
            with client(mosquitto.port) as other:
                for topic in stale:
                    other.publish(topic, b"{}", retain=True)
            mosquitto.stop()
            mosquitto.start()
            restarted = whole_set(tmp_path, mosquitto.port)
        assert [side["score"] for side in restarted[TOPICS.score]["sides"]] == [6, 0]
    finally:
        mosquitto.stop()
    (tmp_path / "other").mkdir()
    fresh = Mosquitto(tmp_path / "other")
    try:
        with table(tmp_path, fresh.port):
            command(fresh.port, TOPICS, command="resume")  # a game that was interrupted begins with a pause
            assert whole_set(tmp_path, fresh.port) == restarted
    finally:
        fresh.stop()
