"""The link and a broker that isn't there, isn't one, or won't have it: each is one line with the remedy, and holds nothing up."""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.publish.session import Patience
from hardware.signals import MS, SECOND
from tests.broker_kit import Mosquitto, Proxy, client, eventually, free_port, peer, resident, retained
from tests.controller.publish.conftest import STATE, TOPICS, StartTable, revision, wait_online
from tests.publish_kit import happening, snapshot

pytestmark = pytest.mark.broker


def test_no_broker_is_one_line_with_the_remedy(start: StartTable, caplog: pytest.LogCaptureFixture) -> None:
    port = free_port()
    with caplog.at_level(logging.INFO):
        table = start(port)
        for n in range(1, 200):
            table.link.offer(snapshot(n), (happening(n),))
        backoff = table.link._backoff
        eventually(lambda: backoff._next == backoff.longest, "a few attempts")
    line = f'no broker answers at 127.0.0.1:{port}: start one there, or set broker = "managed" in [mqtt]'
    assert [record.message for record in caplog.records] == [line]
    assert table.reported == [(line,)]
    assert table.link.faults == (line,)


def test_a_broker_that_comes_later_is_found(proxy: Proxy, mosquitto: Mosquitto, start: StartTable) -> None:
    mosquitto.stop()
    table = start(proxy.port)
    table.link.offer(snapshot(1), ())
    eventually(lambda: table.link.faults, "the fault")
    mosquitto.start()
    eventually(lambda: revision(mosquitto.port) == 1, "the score")
    eventually(lambda: not table.link.faults, "the end of the fault")


@pytest.fixture
def deaf() -> Iterator[socket.socket]:
    """Takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener


def test_a_broker_that_accepts_and_never_answers(deaf: socket.socket, start: StartTable) -> None:
    port = deaf.getsockname()[1]
    table = start(port, patience=Patience(connect=100 * MS))
    table.link.offer(snapshot(1), ())
    eventually(lambda: table.link.faults, "the fault")
    assert table.link.faults == (f"127.0.0.1:{port} takes connections but doesn't answer: check broker in [mqtt]",)


def test_closing_does_not_wait_for_a_broker_that_never_answers(deaf: socket.socket, start: StartTable) -> None:
    table = start(deaf.getsockname()[1], patience=Patience())
    table.link.offer(snapshot(1), ())
    connection, _ = deaf.accept()
    with connection:
        connection.recv(1000)
        began = time.monotonic()
        table.link.close(timeout=60)
        assert time.monotonic() - began < 5  # Patience would have it wait for twice that


def test_a_table_that_never_had_a_state_leaves_without_a_word(mosquitto: Mosquitto, start: StartTable) -> None:
    table = start(mosquitto.port, patience=Patience(farewell=60 * SECOND))
    eventually(lambda: "tablemarker-long-room" in mosquitto.log(), "the connection")
    began = time.monotonic()
    table.link.close(timeout=60)
    assert time.monotonic() - began < 5
    assert retained(mosquitto.port) == {}


def test_closing_does_not_wait_for_a_broker_that_is_frozen(mosquitto: Mosquitto, proxy: Proxy, start: StartTable) -> None:
    table = start(proxy.port, patience=Patience(farewell=100 * MS))
    table.link.offer(snapshot(1), ())
    wait_online(mosquitto.port)
    proxy.frozen_down.set()
    table.link.offer(snapshot(2), ())
    began = time.monotonic()
    table.link.close(timeout=60)
    assert time.monotonic() - began < 5
    with client(mosquitto.port, TOPICS.status) as viewer:
        viewer.wait(lambda message: message.payload == b"offline", "the goodbye, or the last will")


def test_a_broker_that_accepts_and_drops_is_asked_less_and_less(start: StartTable) -> None:
    with peer(socket.socket.close) as (port, accepted):
        table = start(port)
        table.link.offer(snapshot(1), (happening(1),))
        eventually(lambda: len(accepted) >= 5, "a few attempts")
        where = f"the broker at 127.0.0.1:{port}"
        assert table.link.faults == (
            f"{where} closed the connection before it took us in: check broker in [mqtt] and the broker's log",
        )
        assert table.link._backoff._next == table.link._backoff.longest
        table.link.close()


def test_a_broker_that_accepts_and_drops_for_a_whole_evening_costs_no_more_than_at_first(start: StartTable) -> None:
    with peer(socket.socket.close) as (port, accepted):
        table = start(port)
        desk, backoff = table.link._desk, table.link._backoff
        backoff._next = backoff.longest = 0.001
        revision = 0

        def play(attempts: int) -> tuple[int, int, int]:
            """Go on until it has tried so often; memory, open files and threads then."""
            nonlocal revision
            until = len(accepted) + attempts
            while len(accepted) < until:
                revision += 1
                table.link.offer(snapshot(revision), (happening(revision),))
                time.sleep(0.0001)  # the link's thread has its turn
            return resident(), len(os.listdir("/proc/self/fd")), threading.active_count()  # noqa: PTH208 - files of the kernel

        before = play(100)
        after = play(200)
        assert revision > desk.events.limit
        assert after[0] - before[0] < 10 << 20
        assert (after[1] - before[1], after[2] - before[2]) <= (4, 1)
        assert len(desk.outbox) + len(desk.events) + len(desk.replies) <= desk.events.limit + len(STATE) + 1
        table.link.close()


@pytest.mark.parametrize("answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\x20\x03\x00\x00\xff\xff\xff", bytes(range(256))])
def test_what_answers_but_is_no_broker(answer: bytes, start: StartTable) -> None:
    def treat(connection: socket.socket) -> None:
        connection.recv(1000)
        connection.sendall(answer)
        connection.shutdown(socket.SHUT_WR)
        connection.recv(1000)

    with peer(treat) as (port, _):
        table = start(port)
        table.link.offer(snapshot(1), ())
        eventually(lambda: table.link.faults, "the fault")
        assert table.link.faults[0].startswith(
            (f"what answers at 127.0.0.1:{port} doesn't", f"the broker at 127.0.0.1:{port} closed")
        )
        table.link.close()


def test_a_broker_that_does_not_know_mqtt_5_is_spoken_to_in_3_1_1(start: StartTable, caplog: pytest.LogCaptureFixture) -> None:
    versions: list[int] = []

    def treat(connection: socket.socket) -> None:
        versions.append(connection.recv(1000)[8])
        connection.sendall(b"\x20\x02\x00\x01" if versions[-1] == 5 else b"\x20\x02\x00\x00")
        connection.recv(1000)

    with caplog.at_level(logging.INFO), peer(treat) as (port, _):
        table = start(port)
        eventually(lambda: "by MQTT 3.1.1" in caplog.text, "the connection")
        assert versions == [5, 4]
        assert f"the broker at 127.0.0.1:{port} doesn't know MQTT 5" in caplog.text
        table.link.close()


def test_a_name_that_nobody_knows(start: StartTable) -> None:
    table = start(1883, host="broker.invalid")
    eventually(lambda: table.link.faults, "the fault")
    assert table.link.faults == ("the broker's name 'broker.invalid' isn't known on this network: check broker in [mqtt]",)


def test_a_wrong_password_names_the_account_and_not_the_password(
    tmp_path: Path, start: StartTable, caplog: pytest.LogCaptureFixture
) -> None:
    accounts = tmp_path / "accounts"
    accounts.write_text("bar:$7$101$AAAAAAAAAAAAAAAA$AAAA\n")
    mosquitto = Mosquitto(tmp_path, extra=f"allow_anonymous false\npassword_file {accounts}")
    try:
        table = start(mosquitto.port, username="bar", password="opensesame")
        table.link.offer(snapshot(1), ())
        eventually(lambda: table.link.faults, "the fault")
        where = f"the broker at 127.0.0.1:{mosquitto.port}"
        assert table.link.faults == (f"{where} refuses the account 'bar': check username and password_file in [mqtt]",)
        other = start(mosquitto.port, client_id="other")
        eventually(lambda: other.link.faults, "the fault")
        assert other.link.faults == (f"{where} refuses clients without an account: check username and password_file in [mqtt]",)
    finally:
        mosquitto.stop()
    assert "opensesame" not in caplog.text


def test_an_access_list_that_forbids_the_score_is_said(tmp_path: Path, start: StartTable) -> None:
    access = tmp_path / "access"
    access.write_text("topic read #\n")
    mosquitto = Mosquitto(tmp_path, extra=f"allow_anonymous true\nacl_file {access}")
    try:
        table = start(mosquitto.port)
        table.link.offer(snapshot(1), ())
        eventually(lambda: table.link.faults, "the fault")
        assert f"doesn't let us write (not authorized): allow {TOPICS.prefix}/# in its access list" in table.link.faults[0]
        access.write_text("topic readwrite #\n")
        mosquitto.stop()
        mosquitto.start()
        eventually(lambda: revision(mosquitto.port) == 1, "the score")
        eventually(lambda: not table.link.faults, "the end of the fault")
    finally:
        mosquitto.stop()


@pytest.mark.parametrize("protocol", ["5", "3.1.1"])
def test_another_program_with_our_client_id_is_said_plainly(protocol: str, mosquitto: Mosquitto, start: StartTable) -> None:
    table = start(mosquitto.port, protocol=protocol)
    table.link.offer(snapshot(1), ())
    wait_online(mosquitto.port)
    other = start(mosquitto.port, protocol=protocol)
    other.link.offer(snapshot(1), ())
    said = (
        f"another program uses the client id 'tablemarker-long-room' at the broker 127.0.0.1:{mosquitto.port}: "
        "stop it, or set another client_id in [mqtt] of one of them"
    )
    eventually(lambda: said in table.link.faults, "the fault")
    other.link.close()
    eventually(lambda: not table.link.faults, "the end of the fault, after a healthy while")
    assert table.reported[-1] == ()


def test_a_broker_that_says_so_is_believed_at_once(start: StartTable) -> None:
    def treat(connection: socket.socket) -> None:
        connection.recv(1000)
        connection.sendall(b"\x20\x03\x00\x00\x00" + b"\xe0\x02\x8e\x00")
        connection.recv(1000)

    with peer(treat) as (port, _):
        table = start(port)
        eventually(lambda: table.link.faults, "the fault")
        assert table.link.faults[0].startswith("another program uses the client id")
        table.link.close()


def test_one_closed_connection_proves_nothing(mosquitto: Mosquitto, proxy: Proxy, start: StartTable) -> None:
    table = start(proxy.port)
    table.link.offer(snapshot(1), ())
    wait_online(mosquitto.port)
    proxy.cut()
    eventually(lambda: table.reported, "the fault")
    eventually(lambda: not table.link.faults, "the end of the fault")
    assert table.reported[0] == (f"the broker at 127.0.0.1:{proxy.port} closed the connection",)
