"""`tablemarker run` with a table fed by a board: firmware, line, program, mosquitto; a turn by moving pins, the score by MQTT."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.simulation.bounce import Contact, Edge, beam_break
from firmware_bridge.call import Call
from hardware.signals import MS, SECOND
from tests.avr.avr_kit import Board, BoardTime
from tests.broker_kit import Client, Mosquitto, eventually

pytestmark = [pytest.mark.avr, pytest.mark.broker, pytest.mark.slow, pytest.mark.timeout(900)]

ROOT = Path(__file__).parents[2]
TABLE = """
[table]
id = "pub"
game = "bagatelle"
roll = "3s"
[mqtt]
broker = "127.0.0.1:{port}"
[web]
listen = "off"
[[board]]
name = "left"
port = "{link}"
id = "left"
"""
CUPS = {f"cup-{n}": n + 1 for n in range(1, 10)}
PINS = CUPS | {"spot-a": 11, "new-game": 15, "end-of-turn": 16}
BEAMS = (12, 14)
KINDS = {"new-game": "button", "end-of-turn": "button"}


def table_file(port: int, link: Path) -> str:
    sensors = "".join(
        f'[[sensor]]\nrole = "{role}"\nkind = "{KINDS.get(role, "switch")}"\nsource = "board:left/{pin}"\n'
        for role, pin in PINS.items()
    )
    beam = f'[[sensor]]\nrole = "half-way"\nkind = "beam"\nsource = ["board:left/{BEAMS[0]}", "board:left/{BEAMS[1]}"]\n'
    return TABLE.format(port=port, link=link) + sensors + beam


class PubTable:
    """The pins of the table, moved as balls and fingers move them: with bounce."""

    def __init__(self, board: Board, clock: BoardTime) -> None:
        self.board = board
        self.clock = clock
        self.rng = random.Random(4)
        self.contact = Contact(6.2)
        for pin in (*PINS.values(), *BEAMS):
            board.pin(pin, 1)
        board.pin(PINS["spot-a"], 0)

    def run(self, pin: int, edges: list[Edge]) -> None:
        """Drive a pin through these edges, and wait until that is done."""
        for at, on in edges:
            self.board.pin(pin, 1 - on, after_us=20_000 + (at - edges[0][0]) // 1000)
        self.clock.wait(20 * MS + edges[-1][0] - edges[0][0])

    def change(self, role: str, on: int) -> None:
        self.run(PINS[role], self.contact.change(self.rng, 0, on))

    def ball(self, *cups: int, strike: bool = False) -> None:
        for beam in BEAMS:
            self.run(beam, beam_break(self.rng, 0, 30 * MS))
        self.clock.wait(400 * MS)
        if strike:
            self.change("spot-a", 0)
        for cup in cups:
            self.clock.wait(200 * MS)
            self.run(PINS[f"cup-{cup}"], self.contact.rattle(self.rng, 0))
        self.clock.wait(800 * MS)


class Program:
    """The service in a process of its own, and a client that hears its score."""

    def __init__(self, board: Board, folder: Path, broker: Mosquitto) -> None:
        assert board.link is not None
        path = folder / "table.toml"
        path.write_text(table_file(broker.port, board.link))
        launcher = [sys.executable, Path(__file__).with_name("by_board_time.py"), f"{board.link}.clock"]
        self.process = subprocess.Popen(
            [*launcher, "run", path], stderr=subprocess.PIPE, text=True, cwd=folder,
            env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        )  # fmt: skip
        assert self.process.stderr is not None
        first = self.process.stderr.readline()
        assert "pub is ready" in first, first + self.process.stderr.read()
        self.client = Client(broker.port, "tablemarker/pub/score")

    def score(self, **wanted: Any) -> dict[str, Any]:
        """The score, once these fields have these values; a busy machine may take its time."""

        def newest() -> dict[str, Any]:
            found: dict[str, Any] = json.loads(self.client.seen[-1].payload) if self.client.seen else {}
            return found

        eventually(lambda: wanted.items() <= newest().items(), f"a score with {wanted}", 120)
        return newest()

    def stop(self) -> str:
        self.client.close()
        self.process.terminate()
        _, complaints = self.process.communicate(timeout=60)
        assert self.process.returncode == 0
        return complaints


@pytest.fixture
def named(live: Board) -> Board:
    """The board of this table, with its id."""
    assert live.link is not None
    with Call(live.link) as call:
        call.name("left")
    return live


@pytest.fixture
def program(named: Board, tmp_path: Path) -> Iterator[tuple[PubTable, Program]]:
    broker = Mosquitto(tmp_path)
    table = PubTable(named, BoardTime(named))
    running = Program(named, tmp_path, broker)
    yield table, running
    if running.process.poll() is None:
        running.process.kill()
        running.process.communicate()
    broker.stop()


def nothing(table: PubTable, program: Program) -> None:
    """A quiet evening."""


def noise(table: PubTable, program: Program) -> None:  # noqa: ARG001 - a fault of the line
    """From now on one byte in four hundred is damaged, in both directions."""
    table.board.do("noise 400")


def sleepy_host(table: PubTable, program: Program) -> None:
    """The program stands still for two seconds."""
    program.process.send_signal(signal.SIGSTOP)
    table.clock.wait(2 * SECOND)
    program.process.send_signal(signal.SIGCONT)


def reset(table: PubTable, program: Program) -> None:  # noqa: ARG001 - a fault of the board
    """The board boots again."""
    table.board.do("reset")
    table.clock.wait(2 * SECOND)


def loose_cable(table: PubTable, program: Program) -> None:  # noqa: ARG001 - a fault of the cable
    """The cable is pulled out and put back."""
    table.board.do("unplug")
    table.clock.wait(SECOND)
    table.board.do("plug")
    table.clock.wait(2 * SECOND)


@pytest.mark.parametrize("fault", [nothing, noise, sleepy_host, reset, loose_cable], ids=lambda fault: fault.__name__)
def test_a_turn_is_scored_right(program: tuple[PubTable, Program], fault: Callable[[PubTable, Program], None]) -> None:
    table, running = program
    running.score(phase="idle")
    table.clock.wait(700 * MS)
    table.change("new-game", 1)
    table.clock.wait(2500 * MS)
    table.change("new-game", 0)
    running.score(phase="playing")
    table.ball(5, strike=True)
    fault(table, running)
    for cups in ((3,), (), (9,), (), (), (7,), ()):
        table.ball(*cups)
    banked = running.score(phase="clearing")
    assert [side["score"] for side in banked["sides"]] == [24, 0]
    complaints = running.stop()
    assert "Traceback" not in complaints
    assert complaints == "" or fault in (reset, loose_cable)
