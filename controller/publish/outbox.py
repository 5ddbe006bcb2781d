"""What waits to be sent to the broker, and in which order: pure, time is an argument.

Retained topics hold their newest message alone, and at most one unacknowledged message each: a second one on its way could be
overtaken by the first, sent again after a lost connection, and the older would stay. Events and replies pass by: they wait in
bounded queues and are too old after half a minute. On each connection everything retained is sent anew.
"""

from __future__ import annotations

import itertools
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from hardware.signals import SECOND


class Rank(IntEnum):
    """The order of retained messages on a new connection."""

    BIRTH = 0
    DISCOVERY = 1
    STATE = 2


@dataclass(frozen=True, slots=True)
class Passing:
    """A message that isn't retained. `make` gives its bytes when it is sent: what is dropped before was never encoded."""

    topic: str
    make: Callable[[], bytes]
    at: int
    """When it was handed over, in monotonic nanoseconds."""
    correlation: bytes | None = None
    """MQTT 5 correlation data, for a reply."""


@dataclass(frozen=True, slots=True)
class Sending:
    """A message to send now, at QoS 1; `ticket` names it in `Outbox.acknowledged`."""

    ticket: int
    topic: str
    payload: bytes
    retain: bool
    correlation: bytes | None = None


class Waiting:
    """A queue for passing messages, filled from any thread. When it is full the oldest goes; `dropped` and `late` count."""

    def __init__(self, limit: int, stale: int = 30 * SECOND) -> None:
        self.limit = limit
        self.dropped = 0
        self.late = 0
        self._stale = stale
        self._queue: deque[Passing] = deque()
        self._held = 0
        self._lock = threading.Lock()

    def put(self, message: Passing, *, held: bool = False) -> None:
        """Add one at the end; one that is `held` isn't taken before the next `release`."""
        with self._lock:
            self._queue.append(message)
            self._held = self._held + 1 if held else 0
            if len(self._queue) > self.limit:
                self._queue.popleft()
                self.dropped += 1
                self._held = min(self._held, self.limit)

    def release(self) -> None:
        """Let go of all that were held so far."""
        with self._lock:
            self._held = 0

    def put_back(self, messages: list[Passing]) -> None:
        """Add those that were taken, but perhaps never arrived, before all others."""
        with self._lock:
            room = self.limit - len(self._queue)
            kept = messages[-room:] if room else []
            self.dropped += len(messages) - len(kept)
            self._queue.extendleft(reversed(kept))

    def take(self, now: int) -> Passing | None:
        """The oldest that isn't too old."""
        with self._lock:
            while len(self._queue) > self._held:
                message = self._queue.popleft()
                if now - message.at <= self._stale:
                    return message
                self.late += 1
        return None

    def __len__(self) -> int:
        return len(self._queue)


@dataclass(slots=True)
class _Topic:
    payload: bytes
    rank: Rank
    sent: bytes | None = None
    """What is on its way, unacknowledged."""
    again: bool = False
    """Whether it is due once more after that."""


@dataclass(frozen=True, slots=True)
class _Flight:
    since: int
    message: Passing | str
    queue: Waiting | None = None


class Outbox:
    """Decides what is sent next. One thread uses it; the queues it takes from may be filled by others."""

    def __init__(self, replies: Waiting, events: Waiting) -> None:
        self._queues = (replies, events)
        self._topics: dict[str, _Topic] = {}
        self._due: dict[str, None] = {}  # topics to send, in order; never one that has a message on its way
        self._flights: dict[int, _Flight] = {}
        self._window = 0
        self._tickets = itertools.count(1)

    def retain(self, topic: str, payload: bytes, rank: Rank = Rank.STATE) -> None:
        """Let this be what the broker keeps for the topic; an empty one clears it."""
        known = self._topics.get(topic)
        if known is None:
            known = self._topics[topic] = _Topic(payload, rank)
        elif known.payload == payload:
            return
        known.payload = payload
        if known.sent is None:
            self._due[topic] = None

    def connected(self, window: int) -> None:
        """A new connection stands, on which at most `window` messages may be unacknowledged. Everything retained is due again."""
        self._window = window
        self.repeat()

    def repeat(self) -> None:
        """Somebody has just come who may have missed what was sent: everything retained is due again."""
        ordered = sorted(self._topics, key=lambda topic: self._topics[topic].rank)
        self._due = {topic: None for topic in ordered if self._topics[topic].sent is None}
        for topic in self._topics.values():
            topic.again = topic.sent is not None

    def lost(self) -> None:
        """The connection is gone. What wasn't acknowledged may have arrived or not."""
        self._window = 0
        for topic in self._topics.values():
            topic.sent, topic.again = None, False
        for queue in self._queues:
            queue.put_back([f.message for f in self._flights.values() if f.queue is queue and isinstance(f.message, Passing)])
        self._flights.clear()

    def next(self, now: int, *, passing: bool = True) -> Sending | None:
        """What to send now, of what passes by only if `passing`; None while there is nothing or the window is full."""
        if len(self._flights) >= self._window:
            return None
        ticket = next(self._tickets)
        for topic in self._due:
            known = self._topics[topic]
            del self._due[topic]
            known.sent = known.payload
            self._flights[ticket] = _Flight(now, topic)
            return Sending(ticket, topic, known.payload, retain=True)
        for queue in self._queues if passing else ():
            message = queue.take(now)
            if message is not None:
                # Made before it counts as sent: one that can't be made is gone, and doesn't come back on each connection.
                payload = message.make()
                self._flights[ticket] = _Flight(now, message, queue)
                return Sending(ticket, message.topic, payload, retain=False, correlation=message.correlation)
        return None

    def acknowledged(self, ticket: int) -> None:
        """The broker has this one."""
        flight = self._flights.pop(ticket, None)
        if flight is None or not isinstance(flight.message, str):
            return
        topic = flight.message
        known = self._topics[topic]
        if known.sent != known.payload or known.again:
            self._due[topic] = None
        elif not known.payload:
            del self._topics[topic]
        known.sent, known.again = None, False

    @property
    def all_sent(self) -> bool:
        """Whether everything retained was sent on this connection."""
        return not self._due

    @property
    def settled(self) -> bool:
        """Whether nothing is due and everything retained was acknowledged."""
        return not self._due and not any(isinstance(flight.message, str) for flight in self._flights.values())

    def unacknowledged_since(self) -> int | None:
        """When the oldest message that isn't acknowledged was sent."""
        return min((flight.since for flight in self._flights.values()), default=None)

    def __len__(self) -> int:
        """How many messages it holds: one a retained topic, and those on their way. The queues count for themselves."""
        return len(self._topics) + len(self._flights)
