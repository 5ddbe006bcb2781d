"""Real brokers, clients and bad networks for tests; none of it sleeps: everything waits for a condition with a deadline."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import queue
import select
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from controller.publish.topics import Topics

DEADLINE = 15.0
"""Seconds; nothing here takes more than a few on an idle machine."""


def eventually(condition: Callable[[], object], what: str, deadline: float = DEADLINE) -> None:
    """Wait until `condition` holds; fail saying what was waited for."""
    until = time.monotonic() + deadline
    pause = threading.Event()
    while not condition():
        assert time.monotonic() < until, f"in vain waited for {what}"
        pause.wait(0.005)


def resident() -> int:
    """Bytes of memory that this process has."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGESIZE")


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


class Mosquitto:
    """A mosquitto of one's own on a free port, or on `port`. `keep`: whether it persists retained messages over a restart."""

    def __init__(self, folder: Path, *, keep: bool = False, extra: str = "", port: int | None = None) -> None:
        self.port = port or free_port()
        self._config = folder / "mosquitto.conf"
        self._log = folder / "mosquitto.log"
        # Each change is written at once: what the broker keeps is not what is under test.
        persistence = (
            f"persistence true\npersistence_location {folder}/\nautosave_on_changes true\nautosave_interval 1\n"
            if keep
            else "persistence false\n"
        )
        user = "user root\n"  # it may not read the test's folder otherwise; without effect for anyone but root
        self._config.write_text(
            f"listener {self.port} 127.0.0.1\nset_tcp_nodelay true\n{user}{persistence}log_dest stderr\n"
            f"{extra or 'allow_anonymous true'}\n"
        )
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        program = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
        assert program is not None
        with self._log.open("ab") as log:
            self._process = subprocess.Popen([program, "-c", str(self._config)], stderr=log)
        eventually(lambda: answers(self.port), f"mosquitto on port {self.port}: {self.log()}")

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(DEADLINE)
            self._process = None

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait(DEADLINE)
        self._process = None

    def log(self) -> str:
        return self._log.read_text() if self._log.exists() else ""


def answers(port: int) -> bool:
    """Whether something listens there."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Client:
    """A subscriber and sender, as any other program might be."""

    def __init__(
        self,
        port: int,
        *topics: str,
        version: int = paho.MQTTv5,
        client_id: str = "",
        username: str | None = None,
        password: str | None = None,
        host: str = "127.0.0.1",
    ) -> None:
        self.messages: queue.SimpleQueue[paho.MQTTMessage] = queue.SimpleQueue()
        self.seen: list[paho.MQTTMessage] = []
        self._ready = threading.Event()
        self._topics = topics
        self._client = paho.Client(CallbackAPIVersion.VERSION2, client_id=client_id, protocol=version)  # type: ignore[arg-type]
        if username is not None:
            self._client.username_pw_set(username, password)
        self._client.on_connect = self._connected
        self._client.on_subscribe = lambda *_: self._ready.set()
        self._client.on_message = lambda _c, _d, message: self._take(message)
        self._client.connect(host, port)
        self._client.loop_start()
        assert self._ready.wait(DEADLINE), "the client did not connect"

    def _connected(self, client: paho.Client, _data: object, _flags: object, _reason: object, _properties: object) -> None:
        if self._topics:
            client.subscribe([(topic, 1) for topic in self._topics])
        else:
            self._ready.set()

    def _take(self, message: paho.MQTTMessage) -> None:
        self.seen.append(message)
        self.messages.put(message)

    def publish(
        self,
        topic: str,
        payload: bytes | str,
        *,
        retain: bool = False,
        response: str | None = None,
        correlation: bytes | None = None,
    ) -> None:
        properties = None
        if response is not None:
            properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
            properties.ResponseTopic = response
            if correlation is not None:
                properties.CorrelationData = correlation
        self._client.publish(topic, payload, qos=1, retain=retain, properties=properties).wait_for_publish(DEADLINE)

    def wait(self, accept: Callable[[paho.MQTTMessage], bool], what: str = "a message") -> paho.MQTTMessage:
        """The first message that `accept` takes, of those that come from now on or are still unread."""
        until = time.monotonic() + DEADLINE
        while True:
            try:
                message = self.messages.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"in vain waited for {what}; seen {[m.topic for m in self.seen]}") from None
            if accept(message):
                return message

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


@contextmanager
def client(port: int, *topics: str, **options: object) -> Iterator[Client]:
    """A client for a while."""
    one = Client(port, *topics, **options)  # type: ignore[arg-type]
    try:
        yield one
    finally:
        one.close()


def retained(port: int, pattern: str = "#", **options: object) -> dict[str, bytes]:
    """Everything that the broker retains now."""
    with client(port, pattern, "end/of/list", **options) as one:
        # The broker hands out what it retains before anything that is published after the subscription.
        with client(port, **options) as other:
            other.publish("end/of/list", b"end")
        one.wait(lambda message: message.topic == "end/of/list", "the end of the retained messages")
        return {message.topic: bytes(message.payload) for message in one.seen if message.retain and message.payload}


_ids = itertools.count(1)


def command(port: int, topics: Topics, **fields: Any) -> None:
    """Have a table carry out a command: sent again until it listens, which is safe with an id."""
    body = json.dumps({"id": f"test-{next(_ids)}", **fields})
    with client(port, topics.reply) as sender:

        def answered() -> bool:
            sender.publish(topics.command, body)
            return bool(sender.seen)

        eventually(answered, "a reply")
        reply = json.loads(sender.seen[0].payload)
    assert reply["ok"], reply


class Proxy:
    """A network in between: it can freeze (bytes wait), cut connections, and refuse new ones."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.frozen_up = threading.Event()
        """What the client sends doesn't arrive."""
        self.frozen_down = threading.Event()
        """What the broker sends doesn't arrive."""
        self.accepted = 0
        self._pairs: dict[socket.socket, socket.socket] = {}
        self._upstream: set[socket.socket] = set()
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._stopping.is_set():
            with self._lock:
                sources = [self._listener] + [
                    one for one in self._pairs if not (self.frozen_down if one in self._upstream else self.frozen_up).is_set()
                ]
            try:
                readable, _, _ = select.select(sources, [], [], 0.01)
            except (OSError, ValueError):
                continue  # one of them was cut meanwhile
            with self._lock:
                for source in readable:
                    if source is self._listener:
                        self._accept()
                    elif source in self._pairs:
                        self._pass(source)

    def _accept(self) -> None:
        near, _ = self._listener.accept()
        self.accepted += 1
        try:
            far = socket.create_connection(("127.0.0.1", self._target))
        except ConnectionRefusedError:
            near.close()
            return
        for one in (near, far):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._pairs[near], self._pairs[far] = far, near
        self._upstream.add(far)

    def _pass(self, source: socket.socket) -> None:
        other = self._pairs[source]
        try:
            data = source.recv(65536)
            if data:
                other.sendall(data)
                return
        except OSError:
            pass  # one side is gone: so is the other
        self._close(source)

    def _close(self, one: socket.socket) -> None:
        other = self._pairs.pop(one)
        self._pairs.pop(other)
        for end in (one, other):
            self._upstream.discard(end)
            end.close()

    def cut(self) -> None:
        """End every connection there is, with what is under way in it."""
        with self._lock:
            while self._pairs:
                self._close(next(iter(self._pairs)))

    def close(self) -> None:
        self._stopping.set()
        self._thread.join(DEADLINE)
        self.cut()
        self._listener.close()


@contextmanager
def peer(treat: Callable[[socket.socket], None]) -> Iterator[tuple[int, list[float]]]:
    """Something that listens and treats every connection so; gives its port, and the times of the connections."""
    accepted: list[float] = []
    stopping = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]

        def serve() -> None:
            while True:
                connection, _ = listener.accept()
                with connection, contextlib.suppress(OSError):  # the other side may leave at any moment
                    if stopping.is_set():
                        return
                    accepted.append(time.monotonic())
                    treat(connection)

        server = threading.Thread(target=serve, daemon=True)
        server.start()
        yield port, accepted
        stopping.set()
        with socket.create_connection(("127.0.0.1", port)):
            server.join(DEADLINE)
