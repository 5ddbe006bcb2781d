"""The flow of the documentation in a real Node-RED, with what a table publishes at a real mosquitto."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.engine.snapshot import LastAwards, SideView, Snapshot
from controller.publish.topics import Topics
from controller.rules.awards import Award, Over
from tests.broker_kit import Client, Mosquitto, client
from tests.controller.publish.conftest import StartTable
from tests.node_red_kit import NodeRed
from tests.publish_kit import happening, snapshot

pytestmark = [pytest.mark.broker, pytest.mark.node_red, pytest.mark.timeout(600)]

DOCS = Path(__file__).parents[3] / "docs"
TOPICS = Topics.of_table("fort")
WHY = "The French attacking ball is a prisoner of war in the first English advanced fort."
PRISONER = Award("english", 6, "FORT-25", WHY)
BELL = Award("french", 2, "FORT-22a", "The bell of the English grand fort.")
WON = Over("english", draw=False, double=False, rule="FORT-00c")


@pytest.fixture
def flow(mosquitto: Mosquitto, tmp_path: Path) -> Iterator[NodeRed]:
    """The flow as it is imported; no node of it may complain."""
    one = NodeRed(tmp_path, json.loads((DOCS / "node-red" / "flow.json").read_text("utf-8")), mosquitto.port)
    yield one
    one.stop()
    assert re.findall(r".*\[error\].*|.*\[warn\] \[.*", one.log()) == []


@pytest.fixture
def house(flow: NodeRed, mosquitto: Mosquitto) -> Iterator[Client]:  # noqa: ARG001 - the flow must run
    """Hears what the lamp and the voice are told, and the scores."""
    with client(mosquitto.port, "house/#", TOPICS.score) as one:
        yield one


def score(revision: int, english: int, french: int, last: LastAwards | None, **changes: Any) -> Snapshot:
    sides = (SideView("english", "Ann", english), SideView("french", "Bob", french))
    state = snapshot(revision, table="fort", game="fortification", sides=sides, turn="english", last=last)
    return replace(state, **{"earlier": (), "unbanked": (), "questions": (), **changes})


def ruling(*awards: Award) -> dict[str, Any]:
    given = [{"side": one.side, "points": one.points, "rule": one.rule, "why": one.why} for one in awards]
    return {"ok": True, "awards": given, "notices": [], "score": {"english": 6, "french": 2}, "over": None}


def test_the_lamp_flashes_at_a_prisoner_of_war_and_at_the_end_and_at_nothing_else(
    house: Client, mosquitto: Mosquitto, start: StartTable
) -> None:
    bell, prisoner = happening(2, ruling=ruling(BELL), event_id=6), happening(3, ruling=ruling(BELL, PRISONER), event_id=7)
    correction = happening(4, kind="correction", ruling={}, before={}, after={})
    result = happening(5, kind="result", ruling=ruling(PRISONER))
    table = start(mosquitto.port, topics=TOPICS)
    table.link.offer(score(5, 6, 2, None), (bell, prisoner, prisoner, correction, result))
    lamp = [json.loads(house.wait(lambda message: message.topic == "house/lamp", "the lamp").payload) for _ in range(2)]
    assert lamp == [{"flash": "short"}, {"flash": "long"}]


def test_the_voice_calls_what_is_new_and_certain(house: Client, mosquitto: Mosquitto, start: StartTable) -> None:
    table = start(mosquitto.port, topics=TOPICS)
    first, second = LastAwards(40, (BELL,), banked=True), LastAwards(41, (PRISONER,), banked=True)
    third = LastAwards(44, (PRISONER, BELL), banked=True)
    states = (
        score(1, 0, 2, first),  # what was there before the flow: not called
        score(2, 6, 2, second),
        score(3, 6, 2, second, phase="paused"),
        score(4, 0, 2, first),  # taken back
        score(5, 6, 2, replace(second, event_id=0, banked=False)),  # may still change
        score(6, 6, 2, replace(second, event_id=43), provisional=True),
        score(7, 12, 4, third, phase="over", over=WON),
        score(8, 0, 0, None, game_id="g2"),
        score(9, 6, 0, replace(second, event_id=50), game_id="g2"),
    )
    for state in states:
        table.link.offer(state, ())
        house.wait(lambda message: message.topic == TOPICS.score, "the score")  # each: of two in a row the second alone may come
    house.wait(lambda message: b"Ann 6, Bob 0" in message.payload, "the last call")
    called = [message.payload.decode() for message in house.seen if message.topic == "house/say"]
    assert called == [
        f"Ann: 6. {WHY} The score: Ann 6, Bob 2.",
        f"Ann: 6. {WHY} Bob: 2. {BELL.why} The score: Ann 12, Bob 4. Ann has won.",
        f"Ann: 6. {WHY} The score: Ann 6, Bob 0.",
    ]
    assert called[0].replace("Ann", "English").replace("Bob", "French").replace("French 2", "French 0") in page()


def page() -> str:
    return " ".join((DOCS / "node-red.md").read_text("utf-8").split())
