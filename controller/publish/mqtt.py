"""The one file that knows paho: a connection to the broker, from its opening to its end.

paho runs in our thread, by its functions for an outside loop, and its call-backs only note what happened. A connection is never
used twice: a paho client that reconnects by itself sends its old unacknowledged score after the new one, and the old one stays.
"""

from __future__ import annotations

import select
import socket
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from paho.mqtt import MQTTException
from paho.mqtt.client import Client, MQTTMessage, MQTTv5, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from controller.publish.settings import MqttMisuse, MqttSettings, Protocol
from controller.publish.topics import OFFLINE

WINDOW = 20
"""Messages unacknowledged at once: as many as paho and mosquitto take without holding any back."""
LARGEST_PACKET = 256 * 1024
"""Bytes; an MQTT 5 broker keeps anything larger to itself."""
MALFORMED = (MQTTException, ValueError, IndexError, KeyError, struct.error)
"""What paho raises for bytes that aren't MQTT."""


class LinkDown(Exception):
    """There is no connection, or no longer; the message says why and what to do."""


class TakenOver(LinkDown):
    """Another client with our id has taken our place."""


class Closed(LinkDown):
    """The broker took us in and then closed the connection without a word."""


class ProtocolRefused(LinkDown):
    """The broker doesn't speak this version of MQTT."""


@dataclass(frozen=True, slots=True)
class Connected:
    """The broker took us in. `window`: how many messages it takes before it has acknowledged the first."""

    window: int


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """The broker has a message; `refused` says why it threw it away, if it did."""

    mid: int
    refused: str | None


@dataclass(frozen=True, slots=True)
class Subscribed:
    """The broker's answer to a subscription; `refused` says for which topics it isn't given, and why."""

    topics: tuple[str, ...]
    refused: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Received:
    """A message that we subscribed to. `response` and `correlation`: where an MQTT 5 sender wants its answer, and how marked."""

    topic: str
    payload: bytes
    retained: bool
    response: str | None = None
    correlation: bytes | None = None


Report = Connected | Acknowledged | Subscribed | Received


class Connection:
    """One connection. Used by one thread; every method raises `LinkDown` once it has ended."""

    def __init__(self, settings: MqttSettings, protocol: Protocol, will: str) -> None:
        self._settings = settings
        self._five = protocol == "5"
        self._taken_in = False
        self._reports: list[Report] = []
        self._asked: dict[int, tuple[str, ...]] = {}
        self._down: LinkDown | None = None
        self._client = client = Client(
            CallbackAPIVersion.VERSION2,
            client_id=settings.client_id,
            clean_session=None if self._five else True,
            protocol=MQTTv5 if self._five else MQTTv311,
            reconnect_on_failure=False,
        )
        client.on_socket_open = _no_delay
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_publish = self._on_publish
        client.on_subscribe = self._on_subscribe
        client.on_message = self._on_message
        client.will_set(will, OFFLINE, qos=1, retain=True)
        if settings.username is not None:
            client.username_pw_set(settings.username, settings.password)

    def open(self, timeout: float) -> None:
        """Reach the broker and say who we are; whether it takes us in is reported by `poll`."""
        self._client.connect_timeout = timeout
        properties = None
        if self._five:
            properties = _properties(PacketTypes.CONNECT)
            properties.MaximumPacketSize = LARGEST_PACKET
        try:
            if self._settings.tls is not None:
                self._client.tls_set_context(self._settings.tls.context())
            self._client.connect(self._settings.host, self._settings.port, self._settings.keepalive, properties=properties)
        except MqttMisuse as error:
            why = str(error)
        except (OSError, ValueError) as error:
            why = unreachable(self._settings, error)
        else:
            return
        # Raised out here, without paho's error: that one would keep a half-open socket alive.
        raise LinkDown(why)

    def publish(self, topic: str, payload: bytes, *, retain: bool, correlation: bytes | None = None) -> int:
        """Send at QoS 1; gives the number by which `Acknowledged` names it."""
        properties = None
        if self._five and correlation is not None:
            properties = _properties(PacketTypes.PUBLISH)
            properties.CorrelationData = correlation
        sent = self._client.publish(topic, payload, qos=1, retain=retain, properties=properties)
        if sent.rc != MQTTErrorCode.MQTT_ERR_SUCCESS:
            raise self._ended()
        return sent.mid

    def subscribe(self, *topics: str) -> None:
        """Ask for messages at QoS 1; with MQTT 5 without those that we send ourselves."""
        # Retain as published: a command that is retained while we listen shows it at once, not only on the next connection.
        options = SubscribeOptions(qos=1, noLocal=True, retainAsPublished=True)
        wanted: list[Any] = [(topic, options if self._five else 1) for topic in topics]
        code, mid = self._client.subscribe(wanted)
        if code != MQTTErrorCode.MQTT_ERR_SUCCESS or mid is None:
            raise self._ended()
        self._asked[mid] = topics

    def poll(self, timeout: float, wake: int) -> list[Report]:
        """Wait up to `timeout` seconds for the broker, or until the file `wake` can be read; gives what has happened."""
        client, link = self._client, self._client.socket()
        if self._down is not None or link is None:
            raise self._ended()
        waiting = getattr(link, "pending", int)()  # bytes that TLS has already taken from the socket
        poller = select.poll()
        poller.register(wake, select.POLLIN)
        poller.register(link.fileno(), select.POLLIN | (select.POLLOUT if client.want_write() else 0))
        seen = dict(poller.poll(0 if waiting else timeout * 1000)).get(link.fileno(), 0)
        try:
            if waiting or seen & ~select.POLLOUT:
                client.loop_read()
            if seen & select.POLLOUT:
                client.loop_write()
            client.loop_misc()
        except MALFORMED:
            self.drop()
            raise LinkDown(f"what answers at {self._settings.address} doesn't speak MQTT: check broker in [mqtt]") from None
        reports, self._reports = self._reports, []
        return reports

    def leave(self) -> None:
        """Say goodbye, so that the broker doesn't publish our last will."""
        self._client.disconnect()
        self.drop()

    def drop(self) -> None:
        """Cut the connection as it is; may be called twice."""
        link = self._client.socket()
        if link is not None:
            link.close()

    def _ended(self) -> LinkDown:
        return self._down or closed(self._settings, taken_in=self._taken_in)

    # What paho calls, in our own thread, from within the functions above.

    def _on_connect(self, _client: Client, _data: Any, _flags: Any, reason: ReasonCode, properties: Properties | None) -> None:
        if reason.is_failure:
            self._down = refusal(self._settings, reason)
        else:
            self._taken_in = True
            self._reports.append(Connected(min(WINDOW, getattr(properties, "ReceiveMaximum", WINDOW))))

    def _on_disconnect(self, _client: Client, _data: Any, flags: Any, reason: ReasonCode, _properties: Any) -> None:
        if self._down is None:
            said = flags.is_disconnect_packet_from_server or reason.getName() == "Keep alive timeout"
            self._down = farewell(self._settings, reason) if said else self._ended()

    def _on_publish(self, _client: Client, _data: Any, mid: int, reason: ReasonCode, _properties: Any) -> None:
        self._reports.append(Acknowledged(mid, reason.getName() if reason.is_failure else None))

    def _on_subscribe(self, _client: Client, _data: Any, mid: int, reasons: list[ReasonCode], _properties: Any) -> None:
        topics = self._asked.pop(mid)
        answers = zip(topics, reasons, strict=True)
        self._reports.append(Subscribed(topics, {topic: reason.getName() for topic, reason in answers if reason.is_failure}))

    def _on_message(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        properties = message.properties
        self._reports.append(
            Received(
                message.topic,
                bytes(message.payload),
                message.retain,
                getattr(properties, "ResponseTopic", None),
                getattr(properties, "CorrelationData", None),
            )
        )


def _properties(packet: int) -> Properties:
    return Properties(packet)  # type: ignore[no-untyped-call]  # paho types its client, but not its properties


def _no_delay(_client: Client, _data: Any, link: Any) -> None:
    # Without it three small messages in a row wait for an acknowledgement of TCP, 40 ms later.
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def unreachable(settings: MqttSettings, error: Exception) -> str:
    """Why the broker can't be reached, and the remedy."""
    where = settings.address
    match error:
        case ConnectionRefusedError():
            return f'no broker answers at {where}: start one there, or set broker = "managed" in [mqtt]'
        case socket.gaierror():
            return f"the broker's name {settings.host!r} isn't known on this network: check broker in [mqtt]"
        case TimeoutError():
            return f"{where} doesn't answer: check broker in [mqtt], the network, and the firewall of that machine"
        case ConnectionResetError() if settings.tls is not None:
            return f"{where} broke off at the start of an encrypted link: see whether that port speaks TLS, as 8883 usually does"
        case OSError() if type(error).__module__ == "ssl":
            why = getattr(error, "verify_message", "") or getattr(error, "reason", "") or str(error)
            return f"no encrypted link to {where} ({why}): check the port and ca_file in [mqtt.tls]"
        case OSError():
            return f"the broker at {where} can't be reached: {error.strerror or error}"
        case _:
            return f"{where} can't be the address of a broker ({error}): check broker in [mqtt]"


def refusal(settings: MqttSettings, reason: ReasonCode) -> LinkDown:
    """Why the broker didn't take us in, and the remedy."""
    name, where = reason.getName(), f"the broker at {settings.address}"
    if name == "Unsupported protocol version":
        return ProtocolRefused(f"{where} doesn't speak this version of MQTT")
    if name in ("Bad user name or password", "Not authorized"):
        who = "clients without an account" if settings.username is None else f"the account {settings.username!r}"
        return LinkDown(f"{where} refuses {who}: check username and password_file in [mqtt]")
    if name == "Client identifier not valid":
        return LinkDown(f"{where} refuses the client id {settings.client_id!r}: set another client_id in [mqtt]")
    return LinkDown(f"{where} refuses the connection: {name.lower()}")


def farewell(settings: MqttSettings, reason: ReasonCode) -> LinkDown:
    """Why the broker threw us out, and the remedy."""
    name = reason.getName()
    if name == "Session taken over":
        return TakenOver(taken_over(settings))
    if name == "Keep alive timeout":
        return LinkDown(f"the broker at {settings.address} has fallen silent: check the network between, and whether it runs")
    return LinkDown(f"the broker at {settings.address} ended the connection: {name.lower()}")


def taken_over(settings: MqttSettings) -> str:
    """What to do about another client with our id."""
    return (
        f"another program uses the client id {settings.client_id!r} at the broker {settings.address}: "
        "stop it, or set another client_id in [mqtt] of one of them"
    )


def closed(settings: MqttSettings, *, taken_in: bool) -> LinkDown:
    """What to make of a connection that was closed without a word."""
    said = f"the broker at {settings.address} closed the connection"
    if taken_in:
        return Closed(said)
    return LinkDown(f"{said} before it took us in: check broker in [mqtt] and the broker's log")
