from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from typing import Any

import httpx
import pytest

import controller.web.commands
from controller.engine.requests import Explain, Reply, Request, Undo
from controller.intake import Intake
from controller.web.server import ScoreServer
from tests.browser_kit import address, bagatelle, following, next_score

Serve = Callable[..., ScoreServer]
PIN = {"authorization": "Bearer 4711"}
UNDO = b'{"command":"undo","if_revision":7}'


class Engine:
    """Takes requests as the engine does, and answers each from a thread of its own."""

    def __init__(self, reply: Reply | None) -> None:
        self.requests: list[Request] = []
        self._reply = reply

    def submit(self, request: Request) -> None:
        self.requests.append(request)
        if self._reply is not None and request.reply is not None:
            threading.Thread(target=request.reply, args=(self._reply,)).start()


def post(server: ScoreServer, body: bytes = UNDO, **headers: str) -> httpx.Response:
    return httpx.post(address(server, "/api/command"), content=body, headers={**PIN, **headers}, timeout=20)


def start(serve: Serve, engine: Engine, **settings: Any) -> ScoreServer:
    return serve(intake=Intake(engine.submit), token="4711", **settings)


def test_a_command_reaches_the_engine_and_its_reply_comes_back(serve: Serve) -> None:
    engine = Engine(Reply(ok=True, revision=8))
    answer = post(start(serve, engine))
    assert answer.status_code == 200
    assert answer.json() == {"schema": 1, "id": None, "ok": True, "error": None, "revision": 8, "detail": None}
    assert [(request.command, request.via) for request in engine.requests] == [(Undo(if_revision=7), "web")]


def test_what_the_engine_refuses_is_said(serve: Serve) -> None:
    answer = post(start(serve, Engine(Reply(ok=False, error="there is nothing to undo in this game"))))
    assert answer.status_code == 409
    assert answer.json()["error"] == "there is nothing to undo in this game"


@pytest.mark.parametrize("body", [b"", b"undo", b"\xff", b'{"command":"undoo"}', b'{"command":"undo","a":1}', b"[" * 9000])
def test_garbage_is_refused_in_a_sentence_and_never_reaches_the_engine(serve: Serve, body: bytes) -> None:
    engine = Engine(Reply(ok=True))
    answer = post(start(serve, engine), body)
    assert answer.status_code == 409
    assert answer.json()["ok"] is False
    assert answer.json()["error"]
    assert engine.requests == []


def test_without_the_pin_nothing_happens(serve: Serve) -> None:
    engine = Engine(Reply(ok=True))
    server = start(serve, engine)
    answer = post(server, authorization="Bearer 1234")
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert answer.json() == {"ok": False, "error": "that is not the marker's PIN"}
    assert post(server, origin="http://evil.example").status_code == 403
    assert post(server, host="evil.example").status_code == 421
    assert engine.requests == []


def test_wrong_tries_are_counted_per_table_whoever_makes_them(serve: Serve) -> None:
    server = start(serve, Engine(Reply(ok=True)), clock=lambda: 0)
    for _ in range(5):
        assert post(server, authorization="Bearer 0").status_code == 401
    answer = post(server)
    assert answer.status_code == 429
    assert answer.headers["retry-after"] == "10"


def test_a_table_without_a_pin_takes_no_commands(serve: Serve) -> None:
    answer = post(serve(intake=Intake(Engine(Reply(ok=True)).submit)))
    assert answer.status_code == 403
    assert "[marker]" in answer.json()["error"]


def test_a_long_body_is_turned_away_before_it_is_here(serve: Serve) -> None:
    server = start(serve, Engine(Reply(ok=True)))
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as sender:
        head = "POST /api/command HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer 4711\r\nContent-Length: 100000000\r\n\r\n"
        sender.sendall(head.encode() + b"x" * 20_000)
        assert b"413" in sender.recv(1000).splitlines()[0]


def test_a_body_that_does_not_arrive_is_not_waited_for_long(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(controller.web.commands, "BODY_SECONDS", 0.2)
    server = start(serve, Engine(Reply(ok=True)))
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as sender:
        sender.sendall(
            b"POST /api/command HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer 4711\r\nContent-Length: 30\r\n\r\n{"
        )
        assert b"408" in sender.recv(1000).splitlines()[0]


def test_an_engine_that_does_not_answer_is_said_to_be_silent(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(controller.web.commands, "REPLY_SECONDS", 0.2)
    engine = Engine(None)
    server = start(serve, engine)
    server.offer(bagatelle(1))
    assert post(server).status_code == 504
    # Its late answer finds nobody and hurts nobody.
    assert engine.requests[0].reply is not None
    engine.requests[0].reply(Reply(ok=True))
    with following(server) as messages:
        assert next_score(messages)["revision"] == 1


def test_an_answer_after_the_server_has_stopped_hurts_nobody(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(controller.web.commands, "REPLY_SECONDS", 0.1)
    engine = Engine(None)
    server = start(serve, engine)
    post(server)
    server.stop()
    assert engine.requests[0].reply is not None
    engine.requests[0].reply(Reply(ok=True))


def test_only_a_post_is_a_command(serve: Serve) -> None:
    server = start(serve, Engine(Reply(ok=True)))
    assert httpx.get(address(server, "/api/command"), headers=PIN).status_code == 405


def test_why_an_event_gave_its_points_is_open_to_read(serve: Serve) -> None:
    engine = Engine(Reply(ok=True, revision=8, detail={"events": [{"because": "cup-5 filled"}]}))
    answer = httpx.get(address(start(serve, engine), "/api/console/events/7/why"))
    assert (answer.status_code, answer.json()["detail"]) == (200, {"events": [{"because": "cup-5 filled"}]})
    assert [request.command for request in engine.requests] == [Explain(revision=7)]


@pytest.mark.parametrize("revision", ["x", "-1", "9" * 5000])
def test_why_of_what_is_no_revision_never_reaches_the_engine(serve: Serve, revision: str) -> None:
    engine = Engine(Reply(ok=True))
    assert httpx.get(address(start(serve, engine), f"/api/console/events/{revision}/why")).status_code == 404
    assert engine.requests == []


def test_those_who_ask_why_leave_room_for_the_marker(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(controller.web.commands, "MOST_READERS", 0)
    engine = Engine(Reply(ok=True))
    server = start(serve, engine)
    answer = httpx.get(address(server, "/api/console/events/7/why"))
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    assert post(server).status_code == 200
