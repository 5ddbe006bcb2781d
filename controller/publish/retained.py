"""What the broker should keep for whoever connects later: the retained messages of one table, made from its newest state."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from controller.engine.snapshot import SensorView, Snapshot
from controller.publish.messages import (
    Message,
    MqttHealth,
    ScoreMessage,
    Wall,
    encode,
    health_message,
    questions_message,
    score_message,
    sensor_message,
)
from controller.publish.topics import Topics


class RetainedSet:
    """Compares each state with the one before it and gives the topics that changed."""

    def __init__(self, topics: Topics, wall: Wall) -> None:
        self._topics = topics
        self._wall = wall
        self._shown: dict[str, Message] = {}
        self._sensors: dict[str, SensorView] = {}

    def update(self, snapshot: Snapshot, mqtt: MqttHealth, faults: tuple[str, ...] = ()) -> dict[str, bytes]:
        """The topics whose message changed, with the new one; an empty message clears the topic of a sensor that is gone."""
        changed: dict[str, bytes] = {}
        self._show(changed, self._topics.score, score_message(snapshot))
        self._show(changed, self._topics.questions, questions_message(snapshot))
        views = {self._topics.sensor(view.name): view for view in snapshot.sensors}
        for topic in [topic for topic in self._sensors if topic not in views]:
            del self._sensors[topic], self._shown[topic]
            changed[topic] = b""
        for topic, view in views.items():
            shown = self._sensors.get(topic)
            if shown is None or _news(shown) != _news(view):
                self._sensors[topic] = view
                self._show(changed, topic, sensor_message(view, self._wall))
        self._show(changed, self._topics.health, health_message(snapshot, mqtt, faults))
        return changed

    def owns(self, topic: str) -> bool:
        """Whether something of ours is retained there now."""
        return topic in self._shown

    def _show(self, changed: dict[str, bytes], topic: str, message: Message) -> None:
        shown = self._shown.get(topic)
        if isinstance(message, ScoreMessage) and isinstance(shown, ScoreMessage) and replace(message, at=shown.at) == shown:
            return  # nothing but the time of day is new
        if message != shown:
            self._shown[topic] = message
            changed[topic] = encode(message)


def _news(view: SensorView) -> tuple[Any, ...]:
    # A chattering input counts thousands of edges a second: its counts alone are no reason to publish.
    health = view.health
    return view.role, view.kind, view.source, view.quarantined, health.value, health.since, health.faults
