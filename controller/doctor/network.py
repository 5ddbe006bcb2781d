"""The broker and the scoreboard's port."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace

from controller.doctor.findings import Finding, fault, untold, well
from controller.publish.mqtt import Acknowledged, Connected, Connection, LinkDown, ProtocolRefused, Report, Subscribed
from controller.publish.settings import MqttSettings, Protocol
from controller.publish.topics import Topics
from controller.web.errors import PortTaken, WebError
from controller.web.server import listen
from hardware.signals import SECOND

PATIENCE = 5.0
"""Seconds for each answer of the broker."""
PROBE = "doctor"
"""Below the table's prefix: where it is tried whether the broker lets us write. Nothing is kept there."""


def ask_broker(settings: MqttSettings, topics: Topics) -> str | None:
    """What keeps the table from working with this broker, with the remedy; None: nothing.

    Under a client id of its own: with the table's, the broker would throw the table out.
    """
    ours = replace(settings, client_id=f"{settings.client_id}-doctor")
    try:
        try:
            return _ask(ours, topics, "5")
        except ProtocolRefused:
            return _ask(ours, topics, "3.1.1")
    except LinkDown as down:
        return str(down)


def _ask(settings: MqttSettings, topics: Topics, protocol: Protocol) -> str | None:
    who = "clients without an account" if settings.username is None else f"the account {settings.username!r}"
    denied = f"the broker at {settings.address} doesn't let {who}"
    probe = f"{topics.prefix}/{PROBE}"
    connection = Connection(settings, protocol, probe)
    wake, end = os.pipe()
    try:
        connection.open(PATIENCE)
        _await(connection, wake, lambda report: isinstance(report, Connected))
        connection.publish(probe, b"", retain=False)
        written = _await(connection, wake, lambda report: isinstance(report, Acknowledged))
        if isinstance(written, Acknowledged) and written.refused is not None:
            return f"{denied} write ({written.refused.lower()}): allow {topics.prefix}/# in its access list"
        connection.subscribe(topics.command)
        read = _await(connection, wake, lambda report: isinstance(report, Subscribed))
        if isinstance(read, Subscribed) and read.refused:
            return f"{denied} read ({', '.join(read.refused.values()).lower()}): allow {topics.prefix}/# in its access list"
        connection.leave()
    finally:
        connection.drop()
        os.close(wake)
        os.close(end)
    return None


def _await(connection: Connection, wake: int, is_it: Callable[[Report], bool]) -> Report:
    until = time.monotonic_ns() + round(PATIENCE * SECOND)
    while (left := until - time.monotonic_ns()) > 0:
        for report in connection.poll(left / SECOND, wake):
            if is_it(report):
                return report
    raise LinkDown("the broker takes connections but doesn't answer in five seconds: check broker in [mqtt]")


def check_broker(address: str | None, trouble: str | None) -> Finding:
    """What was found at the broker's address; None: the table doesn't speak MQTT."""
    if address is None:
        return untold("broker", "the table file says that there is none")
    if trouble is not None:
        return fault("broker", trouble)
    return well("broker", f"the one at {address} takes the table in, and lets it write and read")


def check_managed(program: str | None, address: str, taken: bool, *, running: bool) -> Finding:
    """Whether a mosquitto of the table's own could be started. `program`: where it is; `taken`: whether its port is."""
    if program is None:
        return fault("broker", "mosquitto isn't installed: sudo apt install mosquitto, or set broker in [mqtt] to one elsewhere")
    if taken and not running:
        return fault(
            "broker",
            f"{address} is taken, perhaps by Debian's own mosquitto service: sudo systemctl disable --now mosquitto, or set "
            "listen in [mqtt] to another port",
        )
    state = "runs with the table" if running else "can be started"
    return well("broker", f"{program} {state} at {address}")


def port_trouble(host: str, port: int) -> WebError | None:
    """Why nothing could listen there; None: it could."""
    try:
        listen(host, port).close()
    except WebError as error:
        return error
    return None


def check_web(address: str | None, trouble: WebError | None, *, running: bool) -> Finding:
    """Whether the scoreboard can be served; `address` None: it is off."""
    if address is None:
        return untold("scoreboard", "the table file says that it is off")
    if isinstance(trouble, PortTaken) and running:
        return well("scoreboard", f"it is served at {address} by the tablemarker that runs")
    if trouble is not None:
        return fault("scoreboard", f"{trouble}; it stands in [web] listen")
    return well("scoreboard", f"{address} is free")
