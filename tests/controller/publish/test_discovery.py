"""What Home Assistant is told; what it makes of it is in `test_home_assistant.py`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.device import device_of
from controller.publish.discovery import Discovery, TableDevice
from controller.publish.topics import Topics
from controller.tablefile import TableFile
from tests.broker_kit import Mosquitto, client, eventually, retained
from tests.controller.publish.conftest import TOPICS, StartTable
from tests.publish_kit import happening, snapshot

DEVICE = TableDevice("long-room", "The long room", "bagatelle", sides=2, buttons=True, version="1.2.3")
NODE = "tablemarker_long-room"
ENTITIES = {
    ("sensor", "score_1"),
    ("sensor", "score_2"),
    ("sensor", "current_player"),
    ("sensor", "phase"),
    ("sensor", "last_award"),
    ("binary_sensor", "provisional"),
    ("binary_sensor", "not_saved"),
    ("binary_sensor", "board_away"),
    ("binary_sensor", "stuck_input"),
    ("button", "undo"),
    ("button", "pause"),
    ("button", "resume"),
    ("button", "new_game"),
    ("event", "call"),
}


def discovery(prefix: str | None = "homeassistant", **changes: Any) -> Discovery:
    return Discovery(prefix, replace(DEVICE, **changes), TOPICS)


def told(one: Discovery) -> dict[tuple[str, str], dict[str, Any]]:
    """The messages, by kind of entity and thing."""
    found = {}
    for topic, payload in one.messages.items():
        _, component, node, thing, config = topic.split("/")
        assert (node, config) == (NODE, "config")
        found[component, thing] = json.loads(payload)
    return found


def table(**table: Any) -> TableFile:
    rules = table.pop("rules", {})
    mqtt = table.pop("mqtt", {"broker": "managed"})
    return TableFile.model_validate({"table": {"id": "long-room", "game": "bagatelle", **table}, "rules": rules, "mqtt": mqtt})


def test_a_table_has_these_entities() -> None:
    assert told(discovery()).keys() == ENTITIES


def test_all_belong_to_one_device_under_ids_that_only_the_tables_id_decides() -> None:
    here = told(discovery())
    elsewhere = told(discovery(name="Der lange Raum", game="maw", version="2"))
    for key, message in here.items():
        assert message["device"]["identifiers"] == elsewhere[key]["device"]["identifiers"] == [NODE]
        assert message["unique_id"] == elsewhere[key]["unique_id"] == f"{NODE}_{key[1]}"
        assert message["device"]["name"] == "The long room"
        assert message["device"]["sw_version"] == "1.2.3"
        assert message["availability_topic"] == TOPICS.status
    assert len({message["unique_id"] for message in here.values()}) == len(ENTITIES)


def test_no_message_has_a_version_of_its_shape_for_home_assistant_takes_none() -> None:
    assert not any("schema" in message for message in told(discovery()).values())


def test_there_is_a_score_for_each_side_whoever_plays() -> None:
    found = {thing: message for (_, thing), message in told(discovery(sides=4)).items() if thing.startswith("score")}
    assert found.keys() == {f"score_{n}" for n in range(1, 5)}
    assert len({message["unique_id"] for message in found.values()}) == len({message["name"] for message in found.values()}) == 4
    for n in range(4):
        assert f"sides[{n}]" in found[f"score_{n + 1}"]["value_template"]
        assert f"sides[{n}]" in found[f"score_{n + 1}"]["json_attributes_template"]


@pytest.mark.parametrize(
    ("game", "rules", "sides"),
    [
        ("bagatelle", {}, 2),
        ("fortification", {}, 2),
        ("maw", {}, 2),
        ("squails", {"players": 3}, 3),
        ("squails", {"players": 4}, 2),
        ("squails", {"players": 7}, 7),
    ],
)
def test_the_slots_are_those_of_the_house_rules(game: str, rules: dict[str, Any], sides: int) -> None:
    assert device_of(table(game=game, rules=rules)).sides == sides


def test_a_device_is_called_what_people_call_the_table() -> None:
    assert device_of(table(name="The table by the fire")).name == "The table by the fire"
    assert device_of(table()).name == "long-room"


def test_no_entity_begins_with_the_name_of_its_device() -> None:
    for name in ("B", "Score", "New game"):
        messages = told(discovery(name=name)).values()
        assert {message["device"]["name"] for message in messages} == {f"Table {name}"}
        assert not any(message["name"].startswith(message["device"]["name"]) for message in messages)


def test_where_no_command_would_be_taken_there_are_no_buttons() -> None:
    assert told(discovery(buttons=False)).keys() == {key for key in ENTITIES if key[0] != "button"}


def test_a_token_is_not_given_away_in_buttons() -> None:
    commands = table(mqtt={"broker": "managed", "commands": True, "token_file": "token"})
    assert device_of(commands).buttons
    assert not device_of(commands, token=True).buttons
    assert not device_of(table()).buttons


def test_another_prefix_and_none() -> None:
    other = discovery("ha/pub")
    assert all(topic.startswith("ha/pub/") for topic in other.messages)
    assert other.births == ("ha/pub/status", "homeassistant/status")
    off = discovery(None)
    assert (off.messages, off.births) == ({}, ())
    assert off.filters == (f"homeassistant/+/{NODE}/+/config",)


def test_a_table_does_not_take_its_own_birth_for_home_assistants() -> None:
    assert Discovery("homeassistant", DEVICE, Topics("homeassistant")).births == ()


@pytest.mark.parametrize(
    ("topic", "owns"),
    [
        (f"homeassistant/sensor/{NODE}/score_9/config", True),
        (f"homeassistant/switch/{NODE}/of_earlier_days/config", True),
        (f"homeassistant/sensor/{NODE}2/score_1/config", False),
        ("homeassistant/sensor/score_1/config", False),
        (f"homeassistant/sensor/{NODE}/score_1/state", False),
        (f"elsewhere/sensor/{NODE}/score_1/config", False),
        ("homeassistant/status", False),
    ],
)
def test_which_topics_are_the_tables_own(topic: str, owns: bool) -> None:
    assert discovery().owns(topic) is owns


def test_the_table_file_says_where_home_assistant_listens_or_off() -> None:
    def prefix(**mqtt: Any) -> str | None:
        return table(mqtt={"broker": "managed", **mqtt}).discovery_prefix

    assert prefix() == "homeassistant"
    assert prefix(discovery="ha") == "ha"
    assert prefix(discovery="off") is None


ALL = f"{TOPICS.prefix}/#"
STATE = {TOPICS.score, TOPICS.questions, TOPICS.health, TOPICS.sensor("cup-1"), TOPICS.sensor("cup-2")}


def kinds(topics: list[str]) -> list[str]:
    """The topics, in runs of one kind."""
    runs: list[str] = []
    for topic in topics:
        kind = "birth" if topic == TOPICS.status else "discovery" if topic.startswith("homeassistant/") else "state"
        if runs[-1:] != [kind]:
            runs.append(kind)
    return runs


@pytest.mark.broker
def test_birth_then_discovery_then_state_then_listening(mosquitto: Mosquitto, start: StartTable) -> None:
    with client(mosquitto.port, ALL, "homeassistant/#") as viewer:
        table = start(mosquitto.port, discovery=discovery())
        table.link.offer(snapshot(1), (happening(1),))
        viewer.wait(lambda message: message.topic == TOPICS.events, "the event")
        topics = [message.topic for message in viewer.seen]
    assert kinds(topics) == ["birth", "discovery", "state"]
    assert set(retained(mosquitto.port)) == {TOPICS.status, *STATE, *discovery().messages}


@pytest.mark.broker
@pytest.mark.parametrize("protocol", ["5", "3.1.1"])
@pytest.mark.parametrize("retain", [False, True], ids=["passing", "retained"])
def test_to_home_assistants_birth_everything_is_said_again_in_order(
    protocol: str, retain: bool, mosquitto: Mosquitto, start: StartTable
) -> None:
    table = start(mosquitto.port, discovery=discovery(), protocol=protocol)
    table.link.offer(snapshot(1), ())
    eventually(lambda: len(retained(mosquitto.port)) == 1 + len(STATE) + len(ENTITIES), "all that is retained")
    whole = retained(mosquitto.port)
    with client(mosquitto.port, "#") as viewer:
        viewer.wait(lambda _: len(viewer.seen) >= len(whole), "what is retained")
        viewer.publish("homeassistant/status", "offline", retain=retain)
        viewer.publish("homeassistant/status", "online", retain=retain)
        viewer.wait(lambda _: len(viewer.seen) >= 2 * len(whole) + 2, "everything once more")
        again = [message for message in viewer.seen[len(whole) :] if message.topic != "homeassistant/status"]
    assert kinds([message.topic for message in again]) == ["birth", "discovery", "state"]
    assert {message.topic: bytes(message.payload) for message in again} == whole


@pytest.mark.broker
def test_entities_of_another_table_file_are_cleared_and_nobody_elses(mosquitto: Mosquitto, start: StartTable) -> None:
    first = start(mosquitto.port, discovery=discovery(sides=3))
    first.link.offer(snapshot(1), ())
    eventually(lambda: set(discovery(sides=3).messages) <= set(retained(mosquitto.port)), "the first table file's entities")
    first.link.close()
    others = ("homeassistant/sensor/tablemarker_long-room2/score_3/config", "homeassistant/sensor/boiler/config")
    with client(mosquitto.port) as other:
        for topic in others:
            other.publish(topic, b'{"x":1}', retain=True)
    second = start(mosquitto.port, discovery=discovery(buttons=False))
    second.link.offer(snapshot(1), ())
    wanted = {*discovery(buttons=False).messages, *others}
    eventually(lambda: set(retained(mosquitto.port, "homeassistant/#")) == wanted, "the second one's alone")


@pytest.mark.broker
@pytest.mark.parametrize("prefix", [None, "ha"])
def test_switched_off_or_moved_the_old_messages_are_cleared(prefix: str | None, mosquitto: Mosquitto, start: StartTable) -> None:
    first = start(mosquitto.port, discovery=discovery())
    first.link.offer(snapshot(1), ())
    eventually(lambda: set(discovery().messages) <= set(retained(mosquitto.port)), "the entities")
    first.link.close()
    start(mosquitto.port, discovery=discovery(prefix)).link.offer(snapshot(1), ())
    eventually(lambda: not retained(mosquitto.port, "homeassistant/#"), "the end of the old messages")
    assert set(retained(mosquitto.port, "ha/#")) == set(discovery(prefix).messages)


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker whose access list knows only the table's own topics."""
    access = tmp_path / "access"
    access.write_text(f"topic readwrite {TOPICS.prefix}/#\ntopic readwrite end/of/list\n")
    mosquitto = Mosquitto(tmp_path, extra=f"allow_anonymous true\nacl_file {access}")
    yield mosquitto
    mosquitto.stop()


@pytest.mark.broker
def test_a_broker_that_forbids_it_is_named_with_both_remedies(guarded: Mosquitto, start: StartTable) -> None:
    table = start(guarded.port, discovery=discovery())
    table.link.offer(snapshot(1), ())
    eventually(lambda: table.link.faults, "the fault")
    said = (
        f"the broker at 127.0.0.1:{guarded.port} doesn't let us write (not authorized): "
        'allow homeassistant/# in its access list, or set discovery = "off" in [mqtt]'
    )
    assert table.link.faults == (said,)
    eventually(lambda: set(retained(guarded.port, ALL)) >= STATE, "the state all the same")


@pytest.mark.broker
def test_switched_off_a_broker_that_forbids_it_is_no_fault(guarded: Mosquitto, start: StartTable) -> None:
    table = start(guarded.port, discovery=discovery(None))
    table.link.offer(snapshot(1), ())
    eventually(lambda: set(retained(guarded.port, ALL)) >= STATE, "the state")
    assert table.reported in ([], [()])
