"""The web server: one thread with its own loop, fed by the engine through `offer`."""

from __future__ import annotations

import asyncio
import errno
import socket
import threading
import time
from collections.abc import Callable

import uvicorn

from controller.engine.snapshot import Happening, Snapshot
from controller.intake import Intake
from controller.publish.messages import Wall
from controller.web.access import Access
from controller.web.app import RuleWords, build
from controller.web.assets import Assets
from controller.web.commands import Commands
from controller.web.connections import Connection
from controller.web.errors import PortRefused, PortTaken, WebError
from controller.web.history import HistoryPages, Past
from controller.web.sensors import Inputs, SensorPage
from controller.web.stream import Newest, Stream

MOST_VIEWERS = 200
SEND_BUFFER = 64 * 1024
"""Bytes the kernel may hold for one viewer: a screenful, so that one who doesn't read is noticed."""
STALLED_MS = 20_000
"""A viewer who takes nothing for so long is let go by the kernel."""
START_SECONDS = 10.0
STOP_SECONDS = 5.0


class ScoreServer:
    """Serves the scoreboard. A `Publisher`: `offer` never blocks and may be called before `start` and after `stop`.

    `port` 0 takes any free one. `wall` gives the wall time of a monotonic one; `rules` are the sentences of each game's rules;
    `intake` takes commands, and `token` is the marker's PIN (None: commands are refused); `inputs` are what `/sensors` shows,
    `past` what `/history` does.
    """

    def __init__(
        self,
        host: str,
        port: int,
        *,
        wall: Wall,
        rules: RuleWords | None = None,
        intake: Intake | None = None,
        token: str | None = None,
        inputs: Inputs | None = None,
        past: Past | None = None,
        most_viewers: int = MOST_VIEWERS,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._host = host
        self._port = port
        self._newest = Newest(wall)
        assets = Assets()
        self._stream = Stream(self._newest, assets.version, most_viewers)
        commands = None if intake is None else Commands(Access(token, clock), intake, clock)
        sensors = None if inputs is None else SensorPage(assets, self._newest, inputs)
        history = None if past is None else HistoryPages(assets, past)
        self._app = build(assets, self._newest, self._stream, commands, rules or {}, sensors=sensors, history=history)
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def port(self) -> int:
        """The port that is served: after `start` a real one even if 0 was asked for."""
        return self._port

    @property
    def viewers(self) -> int:
        """How many follow the stream now."""
        return self._stream.viewers

    def offer(self, snapshot: Snapshot, happenings: tuple[Happening, ...] = ()) -> None:
        """Take the newest state. Never blocks."""
        self._newest.offer(snapshot, happenings)

    def start(self) -> None:
        """Open the port and serve it. Raises `PortTaken`, `PortRefused` or `WebError`."""
        listener = listen(self._host, self._port)
        self._port = listener.getsockname()[1]
        self._server = _Server(self._app, self._newest, self._stream)
        self._thread = threading.Thread(target=self._server.run_on, args=(listener,), name="web", daemon=True)
        self._thread.start()
        if not self._server.ready.wait(START_SECONDS):
            raise WebError(f"the web server did not start within {START_SECONDS:.0f} seconds")

    def stop(self) -> None:
        """Let every viewer go and close the port."""
        if self._server is None or self._thread is None:
            return
        if self._thread.is_alive():
            self._server.ask_to_stop()
        self._thread.join(STOP_SECONDS)
        self._server = self._thread = None


class _Server(uvicorn.Server):
    """uvicorn inside a thread, asleep while nothing happens."""

    def __init__(self, app: object, newest: Newest, stream: Stream) -> None:
        super().__init__(
            uvicorn.Config(
                app,  # type: ignore[arg-type] # uvicorn's own type for the same protocol
                log_config=None,
                log_level="error",  # what a stranger sends that is no HTTP is no news for the log
                access_log=False,
                lifespan="off",
                ws="none",
                http=Connection,
                server_header=False,
                date_header=False,
                timeout_graceful_shutdown=2,
            )
        )
        self.ready = threading.Event()
        self._newest = newest
        self._stream = stream
        self._loop: asyncio.AbstractEventLoop | None = None
        self._asked = asyncio.Event()

    def run_on(self, listener: socket.socket) -> None:
        """Serve until `ask_to_stop`: the thread's work."""
        with listener:
            asyncio.run(self.serve(sockets=[listener]))

    async def main_loop(self) -> None:
        """Wait to be stopped. uvicorn's own loop looks ten times a second, which would be most of a quiet table's wake-ups."""
        self._loop = asyncio.get_running_loop()
        self._newest.attach(self._loop)
        self._stream.start()
        self.ready.set()
        try:
            await self._asked.wait()
        finally:
            self._newest.attach(None)
            self._stream.stop()

    def ask_to_stop(self) -> None:
        """End the service, from any thread."""
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._asked.set)


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. Raises `PortTaken`, `PortRefused` or `WebError`, each with the remedy."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except OSError as error:
        raise WebError(
            f"{host!r} is no address to listen on ({error.strerror}): use 0.0.0.0, or one that `ip address` shows"
        ) from error
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALLED_MS)
        listener.bind(address)
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise _explained(error, host, port) from error
    return listener


def _explained(error: OSError, host: str, port: int) -> WebError:
    where = f"port {port} on {host}"
    if error.errno == errno.EADDRINUSE:
        return PortTaken(
            f"{where} is taken by another program: stop it (`ss -ltnp 'sport = :{port}'` names it) or choose another port"
        )
    if error.errno == errno.EACCES:
        return PortRefused(f"{where} is not open to this user: choose a port of 1024 or more")
    if error.errno == errno.EADDRNOTAVAIL:
        return PortRefused(f"{host} is no address of this machine: listen on 0.0.0.0, or on one that `ip address` shows")
    return WebError(f"{where} can't be served: {error.strerror}")
