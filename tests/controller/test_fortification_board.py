"""`tablemarker run` with the table of fortification that is shipped, its board a fake one behind a pseudo-terminal, and
mosquitto: a ring of a bell becomes the right score, read by a client of its own.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.rules.fortification.words import FORTS
from controller.simulation.bells import Bells
from controller.tablefile import load_table
from controller.tablefile.sensors import BellSensor
from firmware_bridge.fake_board import MEGA, FakeBoard
from firmware_bridge.fake_cable import FakeCable
from hardware.signals import MS, SECOND
from tests.broker_kit import Client, Mosquitto, eventually

pytestmark = [pytest.mark.broker, pytest.mark.slow]

SHIPPED = Path(__file__).resolve().parents[2] / "config" / "fortification.toml"
CHANGED = {
    'usb_serial = "CHANGE-ME"': 'port = "{port}"',
    'listen = "0.0.0.0:8080"': 'listen = "off"',
    'broker = "managed"': 'broker = "127.0.0.1:{broker}"',
}
"""What somebody changes who tries it at home; all else is as shipped."""


class Fort:
    """The table, its inputs moved by balls and hands."""

    def __init__(self, path: Path, cable: FakeCable) -> None:
        self.cable = cable
        self.sensors = {sensor.role: sensor for sensor in load_table(path).sensors}
        self.bells = Bells(random.Random(7))
        for role, sensor in self.sensors.items():
            for end in range(len(sensor.channels)):
                self.set(role, on=role.endswith(("-colours", "-spot")), end=end)

    def pin(self, role: str, end: int = 0) -> int:
        return int(self.sensors[role].channels[end].rpartition("/")[2])

    def set(self, role: str, *, on: bool, end: int = 0) -> None:
        level = self.sensors[role].active_level
        self.cable.set(self.pin(role, end), level if on else 1 - level)

    def let_pass(self, seconds: float) -> None:
        threading.Event().wait(seconds)

    def press(self, role: str, seconds: float = 0.15) -> None:
        self.set(role, on=True)
        self.let_pass(seconds)
        self.set(role, on=False)

    def stroke(self, ball: str) -> None:
        """The marker presses the button, the ball leaves its spot."""
        self.press("stroke")
        self.set(f"{ball}-spot", on=False)
        self.let_pass(1.2)  # two presses within a second count once

    def back(self, ball: str) -> None:
        """A hand puts a ball back."""
        self.set(f"{ball}-spot", on=True)
        self.let_pass(0.3)

    def into(self, fort: str) -> None:
        """A ball rolls under the arch and rings; each bell hears the blow as its converter would tell it."""
        self.press(f"{fort}-arch", 0.03)
        bell = self.sensors[fort]
        assert isinstance(bell, BellSensor)
        start = time.monotonic_ns()
        self.bells.ring(FORTS.index(fort), start, 1.2)
        span = (start - 10 * MS, start + SECOND)
        for at, which, reading in sorted(self.bells.heard(bell.threshold, span, bell.period, bell.tail)):
            self.let_pass(max(0, at - time.monotonic_ns()) / SECOND)
            pin = self.pin(FORTS[which])
            self.cable.do(lambda board, now, pin=pin, reading=reading: board.read(pin, reading, now))  # type: ignore[misc]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[tuple[Fort, Client]]:
    broker = Mosquitto(tmp_path)
    path, text = tmp_path / "fort.toml", SHIPPED.read_text("utf-8")
    for old, new in CHANGED.items():
        assert text.count(old) == 1
        text = text.replace(old, new.format(port=tmp_path / "usb-table", broker=broker.port))
    path.write_text(text, "utf-8")
    command: list[str | Path] = [sys.executable, "-m", "controller", "run", path]
    with FakeCable(FakeBoard(channels=MEGA, build="mega 0.1.0"), tmp_path / "usb-table") as cable:
        fort = Fort(path, cable)
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as program:
            assert program.stderr is not None
            assert program.stderr.readline() == "fortification-1 is ready.\n"
            client = Client(broker.port, "tablemarker/fortification-1/score")
            yield fort, client
            client.close()
            program.terminate()
            assert program.communicate(timeout=60)[1] == ""
    broker.stop()


def newest(client: Client) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(client.seen[-1].payload)
    return found


def until(client: Client, **wanted: Any) -> None:
    eventually(lambda: client.seen and wanted.items() <= newest(client).items(), f"a score with {wanted}")


def test_one_ring_takes_a_fort(table: tuple[Fort, Client]) -> None:
    fort, client = table
    until(client, phase="idle")
    fort.press("new-game", 2.3)
    until(client, phase="playing", turn="english")
    fort.stroke("english-attack")
    for on in (True, False):
        for end in (0, 1):
            fort.set("english-pass", on=on, end=end)
            fort.let_pass(0.02)
    until(client, turn="french")
    fort.set("french-pass-colours", on=False)
    fort.back("english-attack")
    fort.stroke("french-defence-1")
    fort.back("french-defence-1")
    fort.stroke("english-attack")
    fort.into("french-advanced-1")
    until(client, turn="french")
    score = newest(client)
    assert [side["score"] for side in score["sides"]] == [4, 0]
    assert (score["provisional"], score["questions"]) == (False, 0)
    assert score["position"]["forts"]["french-advanced-1"] == "rung"
    fort.set("french-advanced-1-colours", on=False)
    eventually(lambda: newest(client)["position"]["forts"]["french-advanced-1"] == "taken", "the fort taken")
    assert newest(client)["sides"] == score["sides"]
