"""A program that is killed, and started again: what was answered gets the same answer, what nobody was told is told."""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from controller.engine.journal import Journal
from controller.engine.requests import EnterEvent, Reply, Request, StartGame
from controller.service import Service, boot_id
from controller.tablefile import load_table
from tests.broker_kit import Mosquitto, client, free_port
from tests.controller.commands.test_run import SENSOR, program, table_file

PIN = "4711"


class Room:
    """A table whose program comes and goes."""

    def __init__(self, folder: Path, mqtt: str = "none") -> None:
        self.url = f"http://127.0.0.1:{free_port()}"
        (folder / "pin").write_text(PIN)
        more = f'{SENSOR}[marker]\npin_file = "pin"\n'
        self.table = table_file(folder, web=self.url.removeprefix("http://"), mqtt=mqtt, more=more)

    def command(self, **command: Any) -> dict[str, Any]:
        answer = httpx.post(f"{self.url}/api/command", json=command, headers={"authorization": f"Bearer {PIN}"}, timeout=30)
        reply: dict[str, Any] = answer.json()
        return reply

    def events(self) -> list[Any]:
        events: list[Any] = httpx.get(f"{self.url}/api/console/events", timeout=30).json()["events"]
        return events


def ready(process: subprocess.Popen[str]) -> None:
    assert process.stderr is not None
    while "is ready" not in process.stderr.readline():
        assert process.poll() is None


TURN = {"event": "end_turn"}


@pytest.mark.broker
def test_after_a_kill_an_id_gets_its_first_reply_and_an_event_that_nobody_heard_of_is_told(tmp_path: Path) -> None:
    port = free_port()
    room = Room(tmp_path, f"127.0.0.1:{port}")
    with program(room.table) as process:
        ready(process)
        assert room.command(command="start_game")["ok"]
        done = room.command(command="event", event=TURN, id="phone-1")
        refused = room.command(command="resume", id="phone-2")
        process.send_signal(signal.SIGKILL)
        process.wait(60)
    assert (done["ok"], refused["ok"]) == (True, False)
    broker = Mosquitto(tmp_path, port=port)
    with client(port, "tablemarker/long-room/events") as follower, program(room.table) as process:
        ready(process)
        told = json.loads(follower.wait(lambda _: True, "the event").payload)
        assert (told["kind"], told["event"]["event"]) == ("event", "end_turn")
        before = room.events()
        assert told["revision"] == before[-1]["revision"]
        assert room.command(command="event", event=TURN, id="phone-1") == done
        assert room.events() == before
        # Now it could be done, and still it is the command that was refused.
        assert room.command(command="resume", id="phone-2") == refused
        assert room.command(command="resume", id="phone-3")["ok"]
        assert room.command(command="event", event=TURN, id="phone-4")["ok"]
        assert len(room.events()) == len(before) + 1
    broker.stop()


def test_an_orderly_stop_leaves_nothing_to_be_told_again(tmp_path: Path) -> None:
    table = table_file(tmp_path)
    service = Service(load_table(table), tmp_path)
    service.start()
    assert service.loop is not None
    replies: queue.SimpleQueue[Reply] = queue.SimpleQueue()
    for command in (StartGame(), EnterEvent({"event": "end_turn"})):
        service.loop.submit(Request(command, "test", replies.put))
        assert replies.get(timeout=30).ok
    service.stop()
    journal = Journal(tmp_path / "long-room.sqlite3")
    assert journal.kept(boot_id(), time.monotonic_ns()).news is None
    journal._db.execute("delete from told")
    assert journal.kept(boot_id(), time.monotonic_ns()).news is not None, "as after a kill"
    journal.close()
