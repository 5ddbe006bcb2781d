"""One connection's worth of talk with the broker: birth, everything retained, then listen; until it ends."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from controller.intake import Intake, refusal
from controller.publish.desk import Desk
from controller.publish.hearing import Listener
from controller.publish.mqtt import (
    Acknowledged,
    Connected,
    Connection,
    LinkDown,
    Received,
    Report,
    Subscribed,
)
from controller.publish.outbox import Sending
from controller.publish.settings import MqttSettings, Protocol
from controller.publish.topics import ONLINE
from hardware.signals import SECOND

log = logging.getLogger(__name__)

RETAINED = "a retained command would run again at each start: it was cleared; send it without the retain flag"
OFF = "commands by MQTT are off; set commands = true in [mqtt] of the table file"


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the link waits for what: nanoseconds."""

    connect: int = 10 * SECOND
    """For the broker to answer, and again to take us in."""
    acknowledge: int = 20 * SECOND
    """For a message to be acknowledged, before the connection is given up."""
    healthy: int = 30 * SECOND
    """A connection that has lasted so long is a good one."""
    farewell: int = 2 * SECOND
    """For the last messages, when the program ends."""


class Session:
    """Lives as long as one connection and runs in its own thread. `ended` says why it ended, None while it hasn't."""

    def __init__(
        self,
        settings: MqttSettings,
        protocol: Protocol,
        *,
        desk: Desk,
        intake: Intake,
        hears: Mapping[str, Listener],
        patience: Patience,
        leaving: Callable[[], bool],
    ) -> None:
        self.ended: LinkDown | None = None
        self.left = False
        self.since: int | None = None
        """When the broker took us in."""
        self.beat = time.monotonic_ns()
        """When its loop last turned."""
        self._settings = settings
        self._protocol = protocol
        self._desk = desk
        self._intake = intake
        self._hears = hears
        self._patience = patience
        self._leaving = leaving
        self._leave_by: int | None = None
        self._born = False
        self._listening = False
        self._sent: dict[int, Sending] = {}
        self._connection = Connection(settings, protocol, desk.topics.status)

    def run(self) -> None:
        """Connect and talk until the connection ends or the program does."""
        try:
            self._connection.open(self._patience.connect / SECOND)
            self._talk()
        except LinkDown as down:
            self.ended = down
        finally:
            self._connection.drop()
            self._desk.outbox.lost()
            for listener in self._hears.values():
                listener.lost(str(self.ended or f"the link to the broker at {self._settings.address} has ended"))

    def _talk(self) -> None:
        answer_by = time.monotonic_ns() + self._patience.connect
        while True:
            self.beat = now = time.monotonic_ns()
            if self.since is not None:
                self._work(now, self.since)
            elif now > answer_by:
                raise LinkDown(f"{self._settings.address} takes connections but doesn't answer: check broker in [mqtt]")
            if self._leaving() and self._farewell(now):
                self._connection.leave()
                self.left = True
                return
            for report in self._connection.poll(self._pause(now, answer_by), self._desk.bell):
                self._hear(report)
            self._desk.heard()

    def _work(self, now: int, since: int) -> None:
        desk = self._desk
        # The birth waits for a state: a viewer who sees `online` finds a score.
        if not desk.collect():
            return
        self._born = True
        self._send(now, passing=False)
        desk.collect_rest(self._protocol)
        self._send(now)
        if not self._listening and desk.outbox.all_sent:
            self._listening = True
            self._connection.subscribe(desk.topics.command, desk.topics.every_sensor, *self._hears)
            if desk.discovery is not None:
                self._connection.subscribe(*desk.discovery.births, *desk.discovery.filters)
        oldest = desk.outbox.unacknowledged_since()
        if oldest is not None and now - oldest > self._patience.acknowledge:
            seconds = self._patience.acknowledge // SECOND
            raise LinkDown(f"the broker at {self._settings.address} has acknowledged nothing for {seconds} s: restart it")
        if now - since > self._patience.healthy:
            desk.fault("client id", None)

    def _send(self, now: int, *, passing: bool = True) -> None:
        """Send what is due, as far as the broker takes it."""
        while (sending := self._desk.outbox.next(now, passing=passing)) is not None:
            mid = self._connection.publish(sending.topic, sending.payload, retain=sending.retain, correlation=sending.correlation)
            self._sent[mid] = sending

    def _farewell(self, now: int) -> bool:
        """Whether nothing keeps us: `offline` was acknowledged, or can't or needn't be said, or the time for it is over."""
        if self.since is None or not self._born:
            return True
        if self._leave_by is None:
            self._leave_by = now + self._patience.farewell
            self._desk.farewell()
            self._desk.wake()  # look at the outbox once more
            return False
        return self._desk.outbox.settled or now > self._leave_by

    def _pause(self, now: int, answer_by: int) -> float:
        """Seconds until something must be done although the broker says nothing."""
        until = now + self._settings.keepalive * SECOND // 4
        oldest = self._desk.outbox.unacknowledged_since()
        if self.since is None:
            until = min(until, answer_by)
        elif now <= self.since + self._patience.healthy:
            until = min(until, self.since + self._patience.healthy)
        if oldest is not None:
            until = min(until, oldest + self._patience.acknowledge)
        if self._leave_by is not None:
            until = min(until, self._leave_by)
        return max(0, until - now) / SECOND + 0.001

    def _hear(self, report: Report) -> None:
        match report:
            case Connected(window):
                self.since = time.monotonic_ns()
                self._desk.connections += 1
                self._desk.outbox.connected(window)
                for place in ("link", "publish", "discovery"):
                    self._desk.fault(place, None)
                log.info("connected to the broker at %s by MQTT %s", self._settings.address, self._protocol)
            case Acknowledged(mid, refused):
                sent = self._sent.pop(mid)
                self._desk.outbox.acknowledged(sent.ticket)
                if refused is not None:
                    self._denied("write", sent.topic, refused)
            case Subscribed(topics, refusals):
                if self._desk.topics.command in topics and not refusals:
                    self._desk.fault("subscribe", None)
                for topic, reason in refusals.items():
                    if (listener := self._hears.get(topic)) is not None:
                        listener.lost(f"the broker at {self._settings.address} doesn't let us read {topic} ({reason.lower()})")
                    else:
                        self._denied("read", topic, reason)
            case Received():
                self._receive(report)

    def _denied(self, what: str, topic: str, reason: str) -> None:
        """Say what the broker doesn't let us do."""
        desk, discovery = self._desk, self._desk.discovery
        who, where = self._settings.username or "us", self._settings.address
        said = f"the broker at {where} doesn't let {who} {what} ({reason.lower()}): allow"
        if discovery is None or not discovery.concerns(topic):
            place = "publish" if what == "write" else "subscribe"
            desk.fault(place, f"{said} {desk.topics.prefix}/# in its access list")
        elif topic.startswith(f"{discovery.prefix}/"):
            # Elsewhere it was only a look at what might have been left behind.
            desk.fault("discovery", f'{said} {discovery.prefix}/# in its access list, or set discovery = "off" in [mqtt]')

    def _receive(self, received: Received) -> None:
        desk, now = self._desk, time.monotonic_ns()
        if (listener := self._hears.get(received.topic)) is not None:
            # What the broker kept of earlier is no news.
            if not received.retained:
                listener.take(received.payload)
            return
        if desk.discovery is not None and received.topic in desk.discovery.births:
            if received.payload == ONLINE:
                desk.outbox.repeat()
            return
        if received.topic != desk.topics.command:
            if received.retained and received.payload and desk.left_behind(received.topic):
                desk.outbox.retain(received.topic, b"")
            return
        if not received.payload:
            return  # someone cleared the topic, perhaps we did
        give = partial(desk.put_reply, now=now, response=received.response, correlation=received.correlation)
        if received.retained:
            desk.outbox.retain(received.topic, b"")
            desk.retained_commands += 1
            give(refusal(None, RETAINED))
        elif not self._settings.commands:
            give(refusal(None, OFF))
        else:
            self._intake.take(received.payload, give, now=now, via="mqtt", token=self._settings.token)
