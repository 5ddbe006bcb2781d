"""`tablemarker run` with a table fed by a board: firmware, line, program, mosquitto; a turn by moving pins, the score by MQTT."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.call import Call
from hardware.signals import MS, SECOND
from tests.avr.avr_kit import Board, BoardTime
from tests.avr.pub_table import PINS, PubTable, table_file
from tests.broker_kit import Client, Mosquitto, eventually

pytestmark = [pytest.mark.avr, pytest.mark.broker, pytest.mark.slow, pytest.mark.timeout(900)]

ROOT = Path(__file__).parents[2]


class Program:
    """The service in a process of its own, and a client that hears its score."""

    def __init__(self, board: Board, folder: Path, broker: Mosquitto) -> None:
        assert board.link is not None
        path = folder / "table.toml"
        path.write_text(table_file(broker.port, f'port = "{board.link}"'))
        launcher = [sys.executable, Path(__file__).with_name("by_board_time.py"), f"{board.link}.clock"]
        self.process = subprocess.Popen(
            [*launcher, "run", path], stderr=subprocess.PIPE, text=True, cwd=folder,
            env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        )  # fmt: skip
        assert self.process.stderr is not None
        first = self.process.stderr.readline()
        assert "pub is ready" in first, first + self.process.stderr.read()
        self.client = Client(broker.port, "tablemarker/pub/score")
        self.asking = Client(broker.port, "tablemarker/pub/questions")

    def score(self, **wanted: Any) -> dict[str, Any]:
        """The score, once these fields have these values; a busy machine may take its time."""

        def newest() -> dict[str, Any]:
            found: dict[str, Any] = json.loads(self.client.seen[-1].payload) if self.client.seen else {}
            return found

        eventually(lambda: wanted.items() <= newest().items(), f"a score with {wanted}", 120)
        return newest()

    def questions(self, count: int) -> list[dict[str, Any]]:
        """What people are asked, once it is so many questions."""

        def newest() -> list[dict[str, Any]]:
            found: list[dict[str, Any]] = json.loads(self.asking.seen[-1].payload)["questions"] if self.asking.seen else []
            return found

        eventually(lambda: len(newest()) == count, f"{count} questions", 120)
        return newest()

    def stop(self) -> str:
        self.client.close()
        self.asking.close()
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


def nothing(table: PubTable, program: Program) -> None:  # noqa: ARG001 - a quiet evening
    table.ball(3)


def noise(table: PubTable, program: Program) -> None:  # noqa: ARG001 - a fault of the line
    """From now on one byte in four hundred is damaged, in both directions."""
    table.board.do("noise 400")
    table.ball(3)


def sleepy_host(table: PubTable, program: Program) -> None:
    """The program stands still for two seconds: the ball comes and drops meanwhile."""
    program.process.send_signal(signal.SIGSTOP)
    end = table.clock.monotonic_ns() + 2 * SECOND
    table.ball(3)
    table.clock.wait(max(0, end - table.clock.monotonic_ns()))
    program.process.send_signal(signal.SIGCONT)


def reset(table: PubTable, program: Program) -> None:  # noqa: ARG001 - a fault of the board
    """The board boots, and the ball drops before it has been set up again."""
    table.ball()
    table.board.do("reset")
    table.board.pin(PINS["cup-3"], 0)
    table.clock.wait(2 * SECOND)


def loose_cable(table: PubTable, program: Program) -> None:  # noqa: ARG001 - a fault of the cable
    """The cable is out, and the board without power, while the ball drops."""
    table.ball()
    table.board.do("unplug")
    table.board.pin(PINS["cup-3"], 0)
    table.clock.wait(SECOND)
    table.board.do("plug")
    table.clock.wait(2 * SECOND)


BLIND = (reset, loose_cable)
"""What the board itself could not note meanwhile."""


@pytest.mark.parametrize("fault", [nothing, noise, sleepy_host, reset, loose_cable], ids=lambda fault: fault.__name__)
def test_a_turn_is_scored_right(program: tuple[PubTable, Program], fault: Callable[[PubTable, Program], None]) -> None:
    """The second ball drops into cup 3 in the middle of the fault; where more may have been missed people are told and asked."""
    table, running = program
    running.score(phase="idle")
    table.clock.wait(700 * MS)
    table.press("new-game", 2500 * MS)
    running.score(phase="playing")
    table.ball(5, strike=True)
    fault(table, running)
    for cups in ((), (9,), (), (), (7,), ()):
        table.ball(*cups)
    banked = running.score(phase="clearing")
    assert [side["score"] for side in banked["sides"]] == [24, 0]
    asked = [question["text"] for question in running.questions(banked["questions"])]
    doubts = [text for text in asked if text.startswith("board:left was away from") and "may have missed something" in text]
    assert len(doubts) == (1 if fault in BLIND else 0), asked
    assert banked["provisional"] or not doubts
    complaints = running.stop()
    assert "Traceback" not in complaints
    assert (complaints != "") == (fault in BLIND), complaints
