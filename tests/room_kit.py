"""Who watches a table from outside: a subscriber of the broker's, and a viewer of the scoreboard's stream. They know the service
by what reaches them and by nothing else.
"""

from __future__ import annotations

import http.client
import json
import threading

import paho.mqtt.client as paho

from tests.broker_kit import DEADLINE, Client, Mosquitto, eventually
from tests.durable_kit import State, state_told


class Viewer:
    """Follows `/api/stream` until the service is gone; `seen` are the scores it was sent."""

    def __init__(self, port: int) -> None:
        self.seen: list[State] = []
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE)
        self._connection.request("GET", "/api/stream")
        self._stream = self._connection.getresponse()
        self._thread = threading.Thread(target=self._follow, name="viewer", daemon=True)
        self._thread.start()

    def _follow(self) -> None:
        kind = ""
        try:
            while line := self._stream.readline():
                word, _, rest = line.decode().rstrip("\n").partition(": ")
                if word == "event":
                    kind = rest
                # An event whose end was cut off is one that nobody can read.
                elif word == "data" and kind == "score" and line.endswith(b"\n"):
                    self.seen.append(state_told(json.loads(rest)))
        except (OSError, http.client.HTTPException):
            pass  # it was killed: so ends every stream here

    def leave(self) -> None:
        """Wait until nothing more can come."""
        self._thread.join(DEADLINE)
        assert not self._thread.is_alive(), "the stream goes on"
        self._connection.close()


class Room:
    """A broker with one subscriber for all tables, and a viewer for the table that is on."""

    def __init__(self, broker: Mosquitto) -> None:
        self.port = broker.port
        self.tables = 0
        self.viewer: Viewer | None = None
        self._subscriber = Client(broker.port, "tablemarker/+/score", "tablemarker/+/status")

    def next_table(self) -> str:
        """The name of a table that nobody has seen yet."""
        self.tables += 1
        return f"kill-{self.tables}"

    def watch(self, web: int) -> None:
        """Look at the scoreboard, and wait until everybody has seen something."""
        self.viewer = Viewer(web)
        eventually(lambda: all(self.seen.values()), "a first score")

    @property
    def seen(self) -> dict[str, list[State]]:
        """What each has seen of the newest table."""
        assert self.viewer is not None
        told = [json.loads(message.payload) for message in self._messages("score")]
        return {"mqtt": [*map(state_told, told)], "stream": [*self.viewer.seen]}

    def wait_for(self, revision: int) -> None:
        """Until everybody has seen this state."""
        eventually(lambda: all(seen[-1]["revision"] >= revision for seen in self.seen.values()), f"revision {revision}", 30)

    def leave(self) -> dict[str, list[State]]:
        """The service is dead: what each has seen in the end."""
        assert self.viewer is not None
        # The broker tells it after everything that it had from the service.
        eventually(lambda: any(m.payload == b"offline" for m in self._messages("status")), "the last will", 30)
        self.viewer.leave()
        return self.seen

    def close(self) -> None:
        """Unsubscribe."""
        self._subscriber.close()

    def _messages(self, name: str) -> list[paho.MQTTMessage]:
        wanted = f"tablemarker/kill-{self.tables}/{name}"
        return [message for message in [*self._subscriber.seen] if message.topic == wanted]
