"""A broker inside the process, for the demo alone: it needs no package, and knows MQTT 3.1.1 only."""

from __future__ import annotations

import asyncio
import importlib.util
import logging
import socket
import threading

from controller.publish.settings import Protocol

START_SECONDS = 10.0
STOP_SECONDS = 5.0
SESSION_SECONDS = 60
"""How long the broker remembers a client that left."""


class NoEmbeddedBroker(Exception):
    """The demo's broker can't run; the message says why and what to do."""


class EmbeddedBroker:
    """amqtt in a thread with its own loop, on this machine's own address alone. `port` 0 takes a free one."""

    host = "127.0.0.1"
    protocol: Protocol = "3.1.1"

    def __init__(self, port: int = 0) -> None:
        self._port = port
        self._error: Exception | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop = asyncio.Event()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="demo broker", daemon=True)

    @property
    def port(self) -> int:
        """Its port; right once `start` has returned."""
        return self._port

    def start(self) -> None:
        """Start it and wait until it listens. Raises `NoEmbeddedBroker`."""
        if importlib.util.find_spec("amqtt") is None:
            raise NoEmbeddedBroker("the demo's broker isn't installed: pip install 'tablemarker[demo]'")
        try:
            # amqtt hides why it can't listen behind its own error and a traceback in its log.
            with socket.create_server((self.host, self._port)) as probe:
                self._port = probe.getsockname()[1]
        except OSError as error:
            reason = error.strerror or str(error)
            raise NoEmbeddedBroker(
                f"no broker can listen at port {self._port} ({reason}): choose another with --mqtt-port"
            ) from None
        self._thread.start()
        if not self._ready.wait(START_SECONDS):
            raise NoEmbeddedBroker(f"the demo's broker did not start within {START_SECONDS:.0f} s")
        if self._error is not None:
            raise NoEmbeddedBroker(f"the demo's broker did not start: {self._error}")

    def stop(self) -> None:
        """End it. May be called twice."""
        if self._loop is not None and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        # Imported here: a table with a real broker doesn't pay for it. amqtt has no types.
        from amqtt.broker import Broker  # type: ignore[import-untyped]  # noqa: PLC0415
        from amqtt.contexts import BrokerConfig, ListenerConfig  # type: ignore[import-untyped]  # noqa: PLC0415
        from amqtt.errors import BrokerError  # type: ignore[import-untyped]  # noqa: PLC0415

        for chatty in ("amqtt", "transitions"):
            logging.getLogger(chatty).setLevel(logging.CRITICAL)
        broker = Broker(
            BrokerConfig(
                listeners={"default": ListenerConfig(bind=f"{self.host}:{self._port}")},
                session_expiry_interval=SESSION_SECONDS,
                plugins={"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}},
            )
        )
        try:
            await broker.start()
        except BrokerError as error:
            self._error = error
            return
        finally:
            self._loop = asyncio.get_running_loop()
            self._ready.set()
        await self._stop.wait()
        await broker.shutdown()
