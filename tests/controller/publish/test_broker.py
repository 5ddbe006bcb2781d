"""The broker that we start ourselves: a real mosquitto."""

from __future__ import annotations

import json
import logging
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.publish import broker as broker_module
from controller.publish.backoff import Backoff
from controller.publish.broker import Account, ManagedBroker
from controller.publish.discovery import Discovery, TableDevice
from controller.publish.settings import MqttMisuse
from tests.broker_kit import answers, client, eventually, retained
from tests.controller.publish.conftest import TOPICS, StartTable
from tests.publish_kit import snapshot

pytestmark = pytest.mark.broker

MARKER = Account("bar", "opensesame")
StartBroker = Callable[..., ManagedBroker]


@pytest.fixture
def manage() -> Iterator[StartBroker]:
    """Starts managed brokers and ends them after the test."""
    started: list[ManagedBroker] = []

    def begin(listen: tuple[str, int] = ("127.0.0.1", 0), **options: Any) -> ManagedBroker:
        one = ManagedBroker(TOPICS, listen, backoff=Backoff(first=0.05, longest=0.1), **options)
        started.append(one)
        one.start()
        return one

    yield begin
    for one in started:
        one.stop()


def ours(managed: ManagedBroker) -> dict[str, str]:
    return {"username": managed.account.username, "password": managed.account.password}


def test_it_is_ready_when_start_returns_and_gone_when_stop_does(manage: StartBroker) -> None:
    managed = manage()
    assert managed.fault is None
    assert answers(managed.port)
    pid = managed.pid
    assert pid is not None
    managed.stop()
    assert not answers(managed.port)
    assert not Path(f"/proc/{pid}").exists()
    managed.stop()


def test_strangers_may_read_everything_but_commands_and_write_nothing(manage: StartBroker, start: StartTable) -> None:
    managed = manage(marker=MARKER)
    table = start(managed.port, commands=True, **ours(managed))
    table.link.offer(snapshot(1), ())
    with (
        client(managed.port, "#") as stranger,
        client(managed.port, "#", username=MARKER.username, password=MARKER.password) as marker,
    ):
        stranger.wait(lambda message: message.topic == TOPICS.health, "the state")
        for topic in (TOPICS.score, TOPICS.command, "anything/else"):
            stranger.publish(topic, b'{"command":"undo","id":"stranger"}')
        marker.publish(TOPICS.score, b"FALSE SCORE")
        marker.publish(TOPICS.command, b'{"command":"undo","id":"marker"}')
        table.carry_out()
        stranger.wait(lambda message: message.topic == TOPICS.reply, "the reply")
        assert TOPICS.command not in {message.topic for message in stranger.seen}
        assert b"stranger" not in b"".join(message.payload for message in marker.seen)
        assert b"FALSE SCORE" not in b"".join(message.payload for message in stranger.seen)


def test_home_assistant_may_read_what_it_is_told_and_with_an_account_say_that_it_has_started(
    manage: StartBroker, start: StartTable
) -> None:
    told = Discovery("ha", TableDevice("long-room", "The long room", "bagatelle", sides=2, buttons=True, version="1"), TOPICS)
    managed = manage(marker=MARKER, discovery=told)
    table = start(managed.port, discovery=told, **ours(managed))
    table.link.offer(snapshot(1), ())
    eventually(lambda: retained(managed.port, "ha/#", **ours(managed)) == told.messages, "all that it is told")
    with client(managed.port, "#") as stranger:
        stranger.wait(lambda _: len(stranger.seen) >= len(told.messages) + 6, "everything retained")
        assert {message.topic for message in stranger.seen} >= told.messages.keys()
        count = len(stranger.seen)
        stranger.publish("ha/status", "online")
        stranger.publish(next(iter(told.messages)), "")
        with client(managed.port, username=MARKER.username, password=MARKER.password) as marker:
            marker.publish("ha/sensor/other/x/config", "{}")
            marker.publish("ha/status", "online")
        stranger.wait(lambda _: len(stranger.seen) >= 2 * count + 1, "everything again, once")
    births = [message for message in stranger.seen if message.topic == "ha/status"]
    assert len(births) == 1
    assert retained(managed.port, "ha/#", **ours(managed)) == told.messages


def test_where_each_command_carries_a_token_strangers_may_send_and_still_not_read_them(
    manage: StartBroker, start: StartTable
) -> None:
    token = "the-token-of-the-house"
    managed = manage(open_commands=True)
    table = start(managed.port, commands=True, token=token, **ours(managed))
    table.link.offer(snapshot(1), ())
    with client(managed.port, "#") as stranger:
        stranger.wait(lambda message: message.topic == TOPICS.health, "the state")
        stranger.publish(TOPICS.command, json.dumps({"command": "undo", "id": "s", "token": token}))
        table.carry_out()
        stranger.wait(lambda message: message.topic == TOPICS.reply, "the reply")
        assert token.encode() not in b"".join(message.payload for message in stranger.seen)


def test_a_wrong_password_is_no_stranger(manage: StartBroker, start: StartTable) -> None:
    managed = manage(marker=MARKER)
    table = start(managed.port, username=MARKER.username, password="wrong")
    eventually(lambda: table.link.faults, "the fault")
    assert "refuses the account 'bar'" in table.link.faults[0]


def test_when_it_dies_it_is_started_again_and_has_the_whole_set_again(
    manage: StartBroker, start: StartTable, caplog: pytest.LogCaptureFixture
) -> None:
    reported: list[str | None] = []
    managed = manage(report=reported.append)
    table = start(managed.port, **ours(managed))
    table.link.offer(snapshot(1), ())
    eventually(lambda: TOPICS.health in retained(managed.port, **ours(managed)), "the state")
    first = managed.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    eventually(lambda: managed.pid not in {None, first} and answers(managed.port), "another mosquitto")
    eventually(lambda: TOPICS.health in retained(managed.port, **ours(managed)), "the state again")
    assert reported == ["mosquitto failed: ended with status -9; it is started again", None]
    assert managed.fault is None
    assert managed.account.password not in caplog.text


def test_a_port_that_is_taken_is_one_line_with_the_remedies_until_it_is_free(
    manage: StartBroker, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO), socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        managed = manage(("127.0.0.1", port))
        assert managed.fault is not None
        eventually(lambda: managed._backoff._next == managed._backoff.longest, "a few attempts")
    assert managed.fault == (
        f"port {port} at 127.0.0.1 is taken, perhaps by Debian's own mosquitto service: use that one "
        f'(broker = "localhost:{port}" in [mqtt]), end it (sudo systemctl disable --now mosquitto), or set listen to another port'
    )
    assert [record.message for record in caplog.records if record.levelno >= logging.WARNING] == [managed.fault]
    eventually(lambda: managed.fault is None, "the broker, once the port is free")


def test_an_address_of_another_machine(manage: StartBroker) -> None:
    assert manage(("192.0.2.1", 1883)).fault == "192.0.2.1 is no address of this machine: check listen in [mqtt]"


def test_a_machine_without_mosquitto(manage: StartBroker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker_module, "SYSTEM_FOLDERS", "/nowhere")
    monkeypatch.setenv("PATH", "/nowhere")
    assert (
        manage().fault == "mosquitto isn't installed: sudo apt install mosquitto, or set broker in [mqtt] to a broker elsewhere"
    )


@pytest.mark.parametrize("name", ["", "a:b", "a\nuser x"])
def test_an_account_that_its_files_cannot_hold(name: str) -> None:
    with pytest.raises(MqttMisuse, match="can't be used: write it without : and control characters"):
        Account(name, "p")


def test_passwords_are_not_shown_nor_kept_in_clear(manage: StartBroker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    tmp_path.chmod(0o755)
    managed = manage(marker=MARKER)
    (folder,) = tmp_path.iterdir()
    assert folder.stat().st_mode & 0o077 == 0
    for file in folder.iterdir():
        assert file.stat().st_mode & 0o077 == 0
        assert MARKER.password not in file.read_text()
        assert managed.account.password not in file.read_text()
    assert MARKER.password not in repr(MARKER)
    managed.stop()
    assert list(tmp_path.iterdir()) == []


PROGRAM = """
import sys, threading
from controller.publish.broker import ManagedBroker
from controller.publish.topics import Topics
broker = ManagedBroker(Topics.of_table("t"), ("127.0.0.1", 0))
broker.start()
print(broker.port, broker.pid, flush=True)
threading.Event().wait()
"""


def test_it_does_not_outlive_us_when_we_are_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        port, pid = map(int, program.stdout.readline().split())
        assert answers(port)
        program.kill()
        program.wait()
        eventually(lambda: not answers(port), "the end of mosquitto")
        eventually(lambda: not Path(f"/proc/{pid}").exists() or "Z" in Path(f"/proc/{pid}/stat").read_text(), "its process")
