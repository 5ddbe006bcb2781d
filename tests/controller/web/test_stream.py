from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace

import httpx
import pytest

import controller.web.server
import controller.web.stream
from controller.rules.awards import Notice
from controller.web.server import ScoreServer
from tests.broker_kit import resident
from tests.browser_kit import QUESTION, address, bagatelle, correction, following, next_score

Serve = Callable[..., ScoreServer]


def wait_for(condition: Callable[[], bool], seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    pause = threading.Event()
    while not condition():
        assert time.monotonic() < deadline, "it did not come true in time"
        pause.wait(0.02)


Stall = Callable[[ScoreServer], socket.socket]


@pytest.fixture
def stall() -> Iterator[Stall]:
    """A viewer who asks for the stream and never reads."""
    with ExitStack() as stack:

        def stall(server: ScoreServer) -> socket.socket:
            viewer = stack.enter_context(socket.socket())
            viewer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            viewer.connect(("127.0.0.1", server.port))
            viewer.sendall(b"GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            return viewer

        yield stall


def test_a_viewer_hears_at_once_that_the_link_lives_then_the_newest_state(server: ScoreServer) -> None:
    server.offer(bagatelle(1))
    server.offer(bagatelle(2, questions=(QUESTION,)))
    with following(server) as messages:
        kind, hello = next(messages)
        assert kind == "alive"
        assert set(hello) == {"version", "run"}
        kind, questions = next(messages)
        assert kind == "questions"
        assert questions["questions"][0]["choices"][0] == {"choice": "cup-9", "text": "cup 9"}
        kind, score = next(messages)
        assert kind == "score"
        assert (score["schema"], score["revision"], score["sides"][0]["score"]) == (1, 2, 87)


def test_the_stream_and_the_score_are_the_same_json(server: ScoreServer) -> None:
    server.offer(bagatelle(3))
    with following(server) as messages:
        assert next_score(messages) == httpx.get(address(server, "/api/score")).json()


def test_a_change_reaches_a_viewer_and_what_did_not_change_is_not_told_again(server: ScoreServer) -> None:
    server.offer(bagatelle(1))
    with following(server) as messages:
        next_score(messages)
        server.offer(bagatelle(2))
        assert next(messages)[0] == "score"


def test_the_link_is_told_to_live_while_nothing_happens(server: ScoreServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(controller.web.stream, "ALIVE_SECONDS", 0.05)
    with following(server) as messages:
        assert [next(messages)[0] for _ in range(3)] == ["alive", "alive", "alive"]


def test_a_correction_comes_just_before_the_score_that_it_changed(server: ScoreServer) -> None:
    server.offer(bagatelle(1))
    with following(server) as messages:
        next_score(messages)
        server.offer(bagatelle(2), (correction(2, {"A": 113, "B": 104}, {"A": 87, "B": 104}),))
        kind, told = next(messages)
        assert (kind, told["kind"], told["before"]["A"], told["after"]["A"]) == ("correction", "correction", 113, 87)
        assert next_score(messages)["revision"] == 2


def test_who_comes_later_hears_no_old_correction(server: ScoreServer) -> None:
    server.offer(bagatelle(1), (correction(1, {"A": 1}, {"A": 2}),))
    with following(server) as messages:
        assert [next(messages)[0] for _ in range(3)] == ["alive", "questions", "score"]


def test_states_may_be_offered_before_the_start_and_after_the_stop(serve: Serve) -> None:
    server = serve()
    server.stop()
    server.offer(bagatelle(1))
    server.start()
    server.offer(bagatelle(2))
    with following(server) as messages:
        assert next_score(messages)["revision"] == 2


def test_stopping_lets_every_viewer_go_and_frees_the_port(serve: Serve) -> None:
    server = serve()
    server.offer(bagatelle(1))
    with following(server) as messages:
        next_score(messages)
        server.stop()
        assert list(messages) == []
    assert serve(server.port).port == server.port


def test_a_viewer_who_is_slow_gets_the_newest_state_and_not_every_one(server: ScoreServer, stall: Stall) -> None:
    long = (Notice("BAG-10", "Lift the balls. " * 200),)
    states = 400
    slow = stall(server)
    with following(server) as messages:
        for revision in range(1, states + 1):
            server.offer(bagatelle(revision, notices=long))
            # Each is sent before the next is offered, so a viewer who keeps up gets every one.
            next_score(messages, lambda score, wanted=revision: score["revision"] == wanted)  # type: ignore[misc]
        got = b""
        slow.settimeout(10)
        while f'"revision":{states},'.encode() not in got:
            got += slow.recv(1 << 20)
    assert got.count(b"event: score") < states / 2


def test_two_hundred_stalled_viewers_hurt_nobody_and_more_get_503(server: ScoreServer, stall: Stall) -> None:
    server.offer(bagatelle(1))
    viewers = [stall(server) for _ in range(controller.web.server.MOST_VIEWERS)]
    wait_for(lambda: server.viewers == len(viewers))
    turned_away = httpx.get(address(server, "/api/stream"))
    assert turned_away.status_code == 503
    assert "200 viewers" in turned_away.json()["error"]
    assert turned_away.headers["retry-after"]

    slowest, long = 0.0, (Notice("BAG-10", "Lift the balls. " * 200),)
    for revision in range(2, 502):
        before = time.perf_counter()
        server.offer(bagatelle(revision, notices=long))
        slowest = max(slowest, time.perf_counter() - before)
        if revision == 101:
            wait_for(lambda: httpx.get(address(server, "/api/score")).json()["revision"] == 101)
            held = resident()
    assert slowest < 0.1, "the engine was held up"
    wait_for(lambda: httpx.get(address(server, "/api/score")).json()["revision"] == 501)
    assert httpx.get(address(server)).status_code == 200
    # Each of those states for each of these viewers would be 250 MB.
    assert resident() - held < 20 << 20

    for viewer in viewers:
        viewer.close()
    wait_for(lambda: server.viewers == 0)
    with following(server) as messages:
        assert next_score(messages)["revision"] == 501


def test_a_viewer_who_takes_nothing_for_long_is_let_go(serve: Serve, stall: Stall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(controller.web.server, "STALLED_MS", 300)
    server = serve()
    server.offer(bagatelle(1))
    stall(server)
    wait_for(lambda: server.viewers == 1)
    revision = 1
    long = (Notice("BAG-10", "Lift the balls. " * 2000),)

    def gone() -> bool:
        nonlocal revision
        revision += 1
        server.offer(bagatelle(revision, notices=long))
        return server.viewers == 0

    wait_for(gone, seconds=30)


def test_offers_from_many_threads_end_with_the_newest(server: ScoreServer) -> None:
    snapshot = bagatelle(0)
    lock, revision = threading.Lock(), 0

    def offer() -> None:
        nonlocal revision
        for _ in range(200):
            with lock:
                revision += 1
                server.offer(replace(snapshot, revision=revision))

    threads = [threading.Thread(target=offer) for _ in range(4)]
    with following(server) as messages:
        for thread in threads:
            thread.start()
        seen = [next_score(messages)["revision"]]
        while seen[-1] < 800:
            seen.append(next_score(messages)["revision"])
    for thread in threads:
        thread.join()
    assert seen == sorted(set(seen))


def test_a_server_that_nobody_watches_sleeps(server: ScoreServer) -> None:
    server.offer(bagatelle(1))
    httpx.get(address(server, "/healthz"))
    thread = next(thread for thread in threading.enumerate() if thread.name == "web")

    def wakes() -> int:
        with open(f"/proc/self/task/{thread.native_id}/status", encoding="ascii") as status:  # noqa: PTH123 - a file of the kernel
            return int(next(line for line in status if line.startswith("voluntary_ctxt_switches")).split()[1])

    # The connection of the request above has its farewell first.
    wait_for(lambda: _quiet(wakes), seconds=20)


def _quiet(wakes: Callable[[], int]) -> bool:
    before = wakes()
    threading.Event().wait(1.0)
    return wakes() - before <= 1


def test_asking_for_the_head_of_the_stream_does_not_open_it(server: ScoreServer) -> None:
    assert httpx.head(address(server, "/api/stream"), timeout=5).headers["content-type"].startswith("text/event-stream")
    assert server.viewers == 0
