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
        self._scored: Snapshot | None = None
        self._sensors: dict[str, SensorView] = {}
        self._sensor_topics: dict[str, str] = {}

    def update(self, snapshot: Snapshot, mqtt: MqttHealth, faults: tuple[str, ...] = ()) -> dict[str, bytes]:
        """The topics whose message changed, with the new one; an empty message clears the topic of a sensor that is gone."""
        changed = self.score(snapshot)
        self._show(changed, self._topics.questions, questions_message(snapshot))
        self._show_sensors(changed, snapshot.sensors)
        self._show(changed, self._topics.health, health_message(snapshot, mqtt, faults))
        return changed

    def score(self, snapshot: Snapshot) -> dict[str, bytes]:
        """The same of the score alone."""
        changed: dict[str, bytes] = {}
        if snapshot is not self._scored:
            self._scored = snapshot
            self._show_score(changed, score_message(snapshot))
        return changed

    def owns(self, topic: str) -> bool:
        """Whether something of ours is retained there now."""
        return topic in self._shown

    def _show_score(self, changed: dict[str, bytes], score: ScoreMessage) -> None:
        shown = self._shown.get(self._topics.score)
        if isinstance(shown, ScoreMessage) and shown.revision == score.revision:
            score = replace(score, at=shown.at)  # the time of day alone is no news
        self._show(changed, self._topics.score, score)

    def _show_sensors(self, changed: dict[str, bytes], views: tuple[SensorView, ...]) -> None:
        for view in views:
            shown = self._sensors.get(view.name)
            if shown is None:
                self._sensor_topics[view.name] = self._topics.sensor(view.name)
            if shown is None or (shown is not view and _news(shown) != _news(view)):
                self._sensors[view.name] = view
                self._show(changed, self._sensor_topics[view.name], sensor_message(view, self._wall))
        if len(views) < len(self._sensors):
            for name in self._sensors.keys() - {view.name for view in views}:
                topic = self._sensor_topics[name]
                del self._sensors[name], self._shown[topic]
                changed[topic] = b""

    def _show(self, changed: dict[str, bytes], topic: str, message: Message) -> None:
        if message != self._shown.get(topic):
            self._shown[topic] = message
            changed[topic] = encode(message)


def _news(view: SensorView) -> tuple[Any, ...]:
    # A chattering input counts thousands of edges a second: its counts alone are no reason to publish.
    health = view.health
    return view.role, view.kind, view.source, view.quarantined, health.value, health.since, health.faults
