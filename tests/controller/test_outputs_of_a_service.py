"""A service with a lamp and a voice: what happens in a game is shown and said, and a lamp can be tried over HTTP."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from controller.service import Service
from controller.tablefile import load_table
from hardware.outputs.output import SimOutput
from tests.console_kit import wait_until

PIN = "4711"
COMMAND = "import sys; open(sys.argv[1], 'a').write(sys.stdin.read())"


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Room:
    def __init__(self, folder: Path) -> None:
        self.said = folder / "said"
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        path = folder / "table.toml"
        command = ", ".join(repr(word) for word in (sys.executable, "-c", COMMAND, str(self.said)))
        path.write_text(
            f'[table]\nid = "snug"\ngame = "bagatelle"\nsides = ["Ann", "Bob"]\n[web]\nlisten = "127.0.0.1:{port}"\n'
            f'[marker]\npin_env = "PIN"\n[speech]\ncommand = [{command}]\n'
            '[[output]]\nname = "lamp"\nkind = "lamp"\nsource = "sim"\non = ["turn"]\nside = "A"\n'
            '[[sensor]]\nkind = "switch"\nrole = "cup-3"\nsource = "sim"\n'
        )
        self.service = Service(load_table(path), folder, {"PIN": PIN})

    @property
    def lamp(self) -> SimOutput:
        lamps = self.service._players[0]
        (output,) = lamps._outputs.values()  # type: ignore[union-attr]  # the first of them are the lamps
        assert isinstance(output, SimOutput)
        return output

    def command(self, **command: Any) -> dict[str, Any]:
        answer = httpx.post(f"{self.url}/api/command", json=command, headers={"authorization": f"Bearer {PIN}"})
        reply: dict[str, Any] = answer.json()
        return reply


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path)
    room.service.start()
    yield room
    room.service.stop()


def test_the_turn_is_lit_and_the_score_is_called(room: Room) -> None:
    assert room.command(command="start_game")["ok"]
    wait_until(lambda: room.lamp.told == [True])
    wait_until(lambda: room.said.exists() and room.said.read_text() == "Ann to play.\n")
    assert room.command(command="event", event={"event": "end_turn"})["ok"]
    wait_until(lambda: room.lamp.told == [True, False])
    wait_until(lambda: room.said.read_text() == "Ann to play.\nBob to play.\n")


def test_a_lamp_is_tried_by_a_command_and_another_name_refused(room: Room) -> None:
    assert room.command(command="test_output", output="lamp")["ok"]
    wait_until(lambda: room.lamp.told == [True, False] * 3)
    reply = room.command(command="test_output", output="lmap")
    assert (reply["ok"], reply["error"]) == (False, "this table has no output 'lmap'; it has: lamp")


def test_the_installers_view_shows_its_inputs_and_outputs(room: Room) -> None:
    assert httpx.get(f"{room.url}/sensors").status_code == 200
    with httpx.stream("GET", f"{room.url}/api/sensors") as answer:
        lines = answer.iter_lines()
        told = next(line for line in lines if line.startswith("data: "))
    assert '"sensor":"cup-3"' in told
    assert '"output":"lamp"' in told
