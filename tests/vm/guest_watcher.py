"""Inside the virtual machine: an MQTT client of its own, which has nothing of the program's but what it publishes."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

PORT = 1883
PATIENCE = 60.0
"""Seconds; the machine is slow."""


class Watcher:
    """Remembers the newest message of each topic of a table."""

    def __init__(self, table: str) -> None:
        self.topics: dict[str, str] = {}
        self._prefix = f"tablemarker/{table}/"
        self._news = threading.Condition()
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.on_message = self._heard
        self._client.connect("127.0.0.1", PORT)
        self._client.subscribe(f"{self._prefix}#", 1)
        self._client.loop_start()

    def _heard(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        with self._news:
            self.topics[message.topic.removeprefix(self._prefix)] = message.payload.decode()
            self._news.notify_all()

    def until(self, topic: str, accept: Callable[[Any], Any]) -> Any:
        """The newest message of a topic, read, once it is as wanted."""

        def there() -> bool:
            return topic in self.topics and bool(accept(json.loads(self.topics[topic])))

        with self._news:
            if not self._news.wait_for(there, PATIENCE):
                raise AssertionError(f"in vain waited for another {topic}: {self.topics}")
            return json.loads(self.topics[topic])

    def until_status(self, word: str) -> str | None:
        """The status once it is this word, or what it is after a while."""
        with self._news:
            self._news.wait_for(lambda: self.topics.get("status") == word, PATIENCE)
            return self.topics.get("status")

    def score(self, **wanted: Any) -> dict[str, Any]:
        """The score, once these fields have these values."""
        found: dict[str, Any] = self.until("score", lambda score: wanted.items() <= score.items())
        return found

    def command(self, token: str, **fields: str) -> None:
        """Tell the table something."""
        self._client.publish(f"{self._prefix}command", json.dumps({"token": token} | fields), qos=1).wait_for_publish(PATIENCE)
