"""What outlives a connection to the broker: the newest state, what waits to be sent, counts and faults.

The engine and whoever answers commands put things here from their own threads and go on at once; the link's thread takes them.
"""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections.abc import Callable, Mapping
from typing import Any

from controller.engine.snapshot import Happening, Snapshot
from controller.publish.discovery import Discovery
from controller.publish.messages import MqttHealth, Wall, encode, event_message
from controller.publish.outbox import Outbox, Passing, Rank, Waiting
from controller.publish.retained import RetainedSet
from controller.publish.sparing import Sparing
from controller.publish.topics import OFFLINE, ONLINE, Topics, publishable

log = logging.getLogger(__name__)

MOST_EVENTS = 500
MOST_REPLIES = 100

Report = Callable[[tuple[str, ...]], None]
"""Takes the link's faults whenever they change; called from any of its threads, and must not block."""


class Desk:
    """Shared by the link's thread, which alone sends, and by others, which only put things down."""

    def __init__(self, topics: Topics, wall: Wall, report: Report | None, discovery: Discovery | None = None) -> None:
        self.topics = topics
        self.discovery = discovery
        self.events = Waiting(MOST_EVENTS)
        self.replies = Waiting(MOST_REPLIES)
        self.outbox = Outbox(self.replies, self.events)
        self.outbox.retain(topics.status, ONLINE, Rank.BIRTH)
        for topic, payload in discovery.messages.items() if discovery is not None else ():
            self.outbox.retain(topic, payload, Rank.DISCOVERY)
        self.retained = RetainedSet(topics, wall)
        self.connections = 0
        self.retained_commands = 0
        self._wall = wall
        self._report = report
        self._newest: Snapshot | None = None
        self._collected: Snapshot | None = None
        self._shown: tuple[Snapshot, MqttHealth, tuple[str, ...]] | None = None
        self._lock = threading.Lock()
        self._faults: dict[str, str] = {}
        self._refused = 0
        self._last_refusal: str | None = None
        self._lines = Sparing()
        self._open = True
        self._wake = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)

    # Anyone's thread.

    def put_state(self, snapshot: Snapshot, happenings: tuple[Happening, ...], now: int) -> None:
        """Lay down the newest state in place of the one before, and what has happened."""
        self._newest = snapshot
        for happening in happenings:
            self.events.put(Passing(self.topics.events, _later(happening, self._wall), now), held=True)
        self.wake()

    def put_reply(self, message: Mapping[str, Any], now: int, response: str | None, correlation: bytes | None) -> None:
        """Lay down a reply, for the topic of all replies and for the one that an MQTT 5 sender named."""
        if not message["ok"]:
            self._refuse(message["error"], now)
        everyone, make = self.topics.reply, _dumped(message)
        self.replies.put(Passing(everyone, make, now, correlation if response == everyone else None))
        # Nobody gets us to write what only we should under our own prefix.
        if response is not None and publishable(response) and not response.startswith(self.topics.prefix + "/"):
            self.replies.put(Passing(response, make, now, correlation))
        self.wake()

    def fault(self, place: str, sentence: str | None) -> None:
        """Say what is wrong at one place of the link, or that nothing is any more."""
        with self._lock:
            if self._faults.get(place) == sentence:
                return
            if sentence is None:
                del self._faults[place]
            else:
                self._faults[place] = sentence
            faults = tuple(self._faults.values())
        if sentence is not None:
            log.warning("%s", sentence)
        if self._report is not None:
            self._report(faults)
        self.wake()

    @property
    def faults(self) -> tuple[str, ...]:
        """What is wrong with the link, each with its remedy."""
        with self._lock:
            return tuple(self._faults.values())

    def wake(self) -> None:
        """Let the link's thread look at the desk."""
        with self._lock:
            if self._open:
                os.eventfd_write(self._wake, 1)

    # The link's thread.

    @property
    def bell(self) -> int:
        """The file that can be read when something was put down."""
        return self._wake

    def heard(self) -> None:
        """Take note that the bell rang, before looking."""
        with contextlib.suppress(BlockingIOError):
            os.eventfd_read(self._wake)

    def collect(self) -> bool:
        """Move a new score into the outbox, before all that goes with it; whether there is any yet."""
        # Released before the state is looked at: an event is never sent before the score to which it led.
        self.events.release()
        snapshot = self._newest
        if snapshot is None:
            return False
        if snapshot is not self._collected:
            self._collected = snapshot
            self._retain(self.retained.score(snapshot))
        return True

    def collect_rest(self, protocol: str) -> None:
        """Move what else is new in the state of that score into the outbox."""
        snapshot = self._collected
        assert snapshot is not None, "its score was collected before"
        show = (snapshot, self._health(protocol), self.faults)
        shown = self._shown
        if shown is None or show[0] is not shown[0] or show[1:] != shown[1:]:
            self._shown = show
            self._retain(self.retained.update(*show))

    def _retain(self, changed: Mapping[str, bytes]) -> None:
        for topic, payload in changed.items():
            self.outbox.retain(topic, payload)

    def left_behind(self, topic: str) -> bool:
        """Whether what the broker retains there is ours of earlier days: a sensor, an entity that the table no longer has."""
        discovery = self.discovery
        if self.topics.of_sensor(topic):
            return not self.retained.owns(topic)
        return discovery is not None and discovery.owns(topic) and topic not in discovery.messages

    def farewell(self) -> None:
        """Let `offline` be the last that is sent."""
        self.outbox.retain(self.topics.status, OFFLINE, Rank.BIRTH)

    def close(self) -> None:
        """Free the bell; what is put down afterwards stays there."""
        with self._lock:
            if self._open:
                self._open = False
                os.close(self._wake)

    def _refuse(self, why: str, now: int) -> None:
        with self._lock:
            self._refused += 1
            self._last_refusal = why
            kept = self._lines.let(now)
        if kept is not None:
            before = f" ({kept} before it were refused without a line here)" if kept else ""
            log.warning("a command by MQTT was refused: %s%s", why, before)

    def _health(self, protocol: str) -> MqttHealth:
        with self._lock:
            return MqttHealth(
                protocol=protocol,
                connections=self.connections,
                events_dropped=self.events.dropped,
                events_late=self.events.late,
                replies_dropped=self.replies.dropped + self.replies.late,
                commands_refused=self._refused,
                commands_retained=self.retained_commands,
                last_refusal=self._last_refusal,
            )


def _later(happening: Happening, wall: Wall) -> Callable[[], bytes]:
    return lambda: encode(event_message(happening, wall))


def _dumped(message: Mapping[str, Any]) -> Callable[[], bytes]:
    return lambda: encode(message)
