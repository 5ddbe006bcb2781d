"""Whoever opens many connections and sends nothing, or a byte now and then, keeps nobody from the marker's commands."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import httpx
import pytest

import controller.web.connections
from controller.engine.requests import Reply
from controller.intake import Intake
from controller.web.assets import Assets
from controller.web.connections import MOST_CONNECTIONS
from controller.web.server import ScoreServer
from tests.browser_kit import address, bagatelle
from tests.controller.web.test_commands import Engine, post

Serve = Callable[..., ScoreServer]
Open = Callable[..., socket.socket]
STREAM = b"GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
LARGE = f"GET /static/{Assets().version}/texts.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode() * 20
"""Asked for without reading what comes: ever so much waits to be sent."""
BODY = b"POST /api/command HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer 4711\r\nContent-Length: 99\r\n\r\n{"


@pytest.fixture
def marked(serve: Serve) -> ScoreServer:
    """A server that takes commands."""
    server = serve(intake=Intake(Engine(Reply(ok=True)).submit), token="4711")
    server.offer(bagatelle(1))
    return server


@pytest.fixture
def connect(marked: ScoreServer) -> Iterator[Open]:
    with ExitStack() as stack:

        def connect(said: bytes = b"", timeout: float = 60) -> socket.socket:
            one = stack.enter_context(socket.socket())
            one.settimeout(timeout)
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.connect(("127.0.0.1", marked.port))
            with contextlib.suppress(ConnectionError):  # it may be cut already
                one.sendall(said)
            return one

        yield connect


def cut(one: socket.socket) -> bool:
    """Whether the server has ended it; waits until it has."""
    try:
        while one.recv(1 << 16):
            pass
    except ConnectionResetError:
        return True
    return True


@pytest.mark.parametrize(
    ("said", "most"),
    [(b"", MOST_CONNECTIONS), (b"GET / HT", MOST_CONNECTIONS), (LARGE, 40)],
    ids=["nothing", "half a head", "an answer that nobody reads"],
)
def test_the_marker_is_answered_whatever_the_others_send(
    said: bytes, most: int, marked: ScoreServer, connect: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(controller.web.connections, "MOST_CONNECTIONS", most)
    stalled = [connect(said) for _ in range(most + 20)]
    for _ in range(5):
        assert post(marked).status_code == 200
        stalled += [connect(said) for _ in range(10)]
    assert httpx.get(address(marked, "/api/score"), timeout=10).status_code == 200


def test_streams_and_commands_are_not_cut_for_others(marked: ScoreServer, connect: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(controller.web.connections, "MOST_CONNECTIONS", 4)
    viewers = [connect(STREAM), connect(STREAM)]
    assert all(viewer.recv(100).startswith(b"HTTP/1.1 200") for viewer in viewers)
    command = connect(BODY)
    for _ in range(6):
        assert httpx.get(address(marked, "/healthz"), timeout=10).status_code == 200
        connect()
    marked.offer(bagatelle(77))
    for viewer in viewers:
        got = b""
        while b'"revision":77' not in got:
            more = viewer.recv(1 << 16)
            assert more
            got += more
    command.sendall(b'"command":"pause"}'.ljust(98))
    assert command.recv(100).startswith(b"HTTP/1.1 200")


def test_where_all_are_streams_the_newest_is_cut(marked: ScoreServer, connect: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(controller.web.connections, "MOST_CONNECTIONS", 2)
    viewers = [connect(STREAM), connect(STREAM)]
    assert all(viewer.recv(100).startswith(b"HTTP/1.1 200") for viewer in viewers)
    assert cut(connect())
    viewers[0].close()

    def answers() -> bool:
        with contextlib.suppress(httpx.TransportError):
            return httpx.get(address(marked, "/healthz")).status_code == 200
        return False

    deadline = time.monotonic() + 30
    while not answers():
        assert time.monotonic() < deadline


def test_a_head_that_comes_byte_by_byte_has_its_time_and_no_more(connect: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(controller.web.connections, "HEAD_SECONDS", 0.3)
    dribble, silent, second = connect(), connect(), connect(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert second.recv(1 << 12).startswith(b"HTTP/1.1 200")
    stop = threading.Event()

    def drip(one: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while not stop.wait(0.02):
                one.sendall(b"X")

    drips = [threading.Thread(target=drip, args=(one,)) for one in (dribble, second)]
    for thread in drips:
        thread.start()
    assert all(cut(one) for one in (dribble, silent, second))
    stop.set()
    for thread in drips:
        thread.join()


def test_a_body_that_no_answer_waits_for_holds_no_connection(connect: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(controller.web.connections, "HEAD_SECONDS", 0.3)
    one = connect(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\n")
    assert one.recv(1 << 12).startswith(b"HTTP/1.1 200")
    one.sendall(b"x")
    assert cut(one)


def test_requests_one_after_the_other_on_one_connection_go_on(marked: ScoreServer) -> None:
    with httpx.Client(base_url=address(marked), headers={"authorization": "Bearer 4711"}) as phone:
        for n in range(20):
            assert phone.post("/api/command", json={"command": "pause", "id": str(n)}).status_code == 200


def test_what_is_no_http_is_refused_and_leaves_no_line_in_the_log(connect: Open, caplog: pytest.LogCaptureFixture) -> None:
    one = connect(b"\x16\x03\x01 this is TLS\r\n\r\n")
    assert one.recv(100).startswith(b"HTTP/1.1 400")
    assert cut(one)
    assert caplog.text == ""
