from __future__ import annotations

import pytest

from controller.publish.settings import MqttMisuse
from controller.publish.topics import Topics, publishable


def test_the_topics_of_a_table() -> None:
    topics = Topics.of_table("long-room")
    assert topics.prefix == "tablemarker/long-room"
    assert [topics.status, topics.score, topics.events, topics.questions, topics.health, topics.command, topics.reply] == [
        f"tablemarker/long-room/{name}" for name in ("status", "score", "events", "questions", "health", "command", "reply")
    ]
    assert topics.sensor("cup-3") == "tablemarker/long-room/sensors/cup-3"
    assert topics.every_sensor == "tablemarker/long-room/sensors/+"


@pytest.mark.parametrize("prefix", ["", "/pub", "pub/", "pub/#", "p+b", "$SYS", "pub\nuser x"])
def test_a_prefix_that_cannot_start_a_topic(prefix: str) -> None:
    with pytest.raises(MqttMisuse, match="can't start a topic"):
        Topics(prefix)


@pytest.mark.parametrize("name", ["", "a/b", "#", "a+"])
def test_a_sensor_name_that_cannot_stand_in_a_topic(name: str) -> None:
    with pytest.raises(MqttMisuse, match="can't stand in a topic"):
        Topics.of_table("t").sensor(name)


@pytest.mark.parametrize(
    ("topic", "may"),
    [("my/answers", True), ("", False), ("a/#", False), ("$SYS/x", False), ("a\0b", False), ("ä" * 40_000, False)],
)
def test_where_a_message_may_be_published(topic: str, may: bool) -> None:
    assert publishable(topic) is may
