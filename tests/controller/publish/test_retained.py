from __future__ import annotations

import json

import pytest

from controller.engine.snapshot import Snapshot
from controller.publish.messages import MqttHealth
from controller.publish.retained import RetainedSet
from controller.publish.topics import Topics
from tests.publish_kit import sensor, snapshot

TOPICS = Topics.of_table("long-room")
LINK = MqttHealth("5")


@pytest.fixture
def kept() -> RetainedSet:
    return RetainedSet(TOPICS, str)


def changed(kept: RetainedSet, state: Snapshot, link: MqttHealth = LINK) -> set[str]:
    return {topic.removeprefix(f"{TOPICS.prefix}/") for topic in kept.update(state, link)}


def test_the_first_state_fills_every_topic(kept: RetainedSet) -> None:
    assert changed(kept, snapshot()) == {"score", "questions", "health", "sensors/cup-1", "sensors/cup-2"}


def test_only_what_changed_is_sent_again(kept: RetainedSet) -> None:
    kept.update(snapshot(1), LINK)
    assert changed(kept, snapshot(1)) == set()
    assert changed(kept, snapshot(2)) == {"score"}
    assert changed(kept, snapshot(2, questions=())) == {"score", "questions"}  # the score says how many wait
    assert changed(kept, snapshot(2, questions=()), MqttHealth("5", events_dropped=1)) == {"health"}


def test_the_time_of_day_alone_is_no_news(kept: RetainedSet) -> None:
    kept.update(snapshot(), LINK)
    assert changed(kept, snapshot(at="2026-11-30T21:15:00+00:00")) == set()


def test_counts_of_a_sensor_alone_are_no_news_but_come_with_the_next(kept: RetainedSet) -> None:
    kept.update(snapshot(sensors=(sensor("cup-1", edges=1),)), LINK)
    assert changed(kept, snapshot(sensors=(sensor("cup-1", edges=900),))) == set()
    sent = kept.update(snapshot(sensors=(sensor("cup-1", value=True, since=3, edges=901),)), LINK)
    message = json.loads(sent[TOPICS.sensor("cup-1")])
    assert (message["value"], message["since"], message["edges"]) == (True, "3", 901)


def test_a_sensor_that_is_gone_is_cleared(kept: RetainedSet) -> None:
    kept.update(snapshot(), LINK)
    assert kept.owns(TOPICS.sensor("cup-2"))
    assert kept.update(snapshot(sensors=(sensor("cup-1"),)), LINK) == {TOPICS.sensor("cup-2"): b""}
    assert not kept.owns(TOPICS.sensor("cup-2"))
    assert changed(kept, snapshot()) == {"sensors/cup-2"}
