"""A wire moved to another pin in the middle of a game: killed, the table file put right, started again, the game goes on."""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from firmware_bridge.fake_board import FakeBoard
from firmware_bridge.fake_cable import FakeCable
from tests.table_kit import BEAMS, BUTTONS, CUPS, SPOT

ROOT = Path(__file__).resolve().parents[2]
ROLES = [*(f"cup-{n}" for n in range(1, 10)), "spot-a", "near", "far", "next-ball", "end-of-turn", "new-game", "undo"]
PINS = {role: pin for pin, role in enumerate(ROLES, 2)}
SPARE = 18


def table_file(cable: FakeCable, web: int, pins: dict[str, int]) -> str:
    parts = f"{CUPS}\n{SPOT}\n{BEAMS}\n{BUTTONS}".split('"sim"')
    sensors = "".join(f'{part}"board:left/{pins[role]}"' for part, role in zip(parts, ROLES, strict=False)) + parts[-1]
    head = f'[table]\nid = "bar"\ngame = "bagatelle"\nquiet = "500ms"\nroll = "500ms"\n[web]\nlisten = "127.0.0.1:{web}"\n'
    return f'{head}[[board]]\nname = "left"\nport = "{cable.path}"\n{sensors}'


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def running(table: Path) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "controller", "run", str(table)], cwd=ROOT, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    try:
        first = process.stderr.readline()
        assert "bar is ready" in first, first
        yield process
    finally:
        process.kill()
        process.communicate()


def until(web: int, condition: Callable[[dict[str, Any]], bool], what: str) -> dict[str, Any]:
    end = time.monotonic() + 20
    while True:
        with urllib.request.urlopen(f"http://127.0.0.1:{web}/api/score", timeout=5) as answer:
            shown: dict[str, Any] = json.load(answer)
        if condition(shown):
            return shown
        assert time.monotonic() < end, f"waited in vain: {what}: {shown}"
        threading.Event().wait(0.02)


def pending(shown: dict[str, Any]) -> int:
    points: int = shown["sides"][0]["pending"]
    return points


class Player:
    def __init__(self, cable: FakeCable) -> None:
        self.cable = cable

    def set(self, pin: int, *, on: bool) -> None:
        self.cable.set(pin, 0 if on else 1)

    def press(self, role: str, seconds: float = 0.1) -> None:
        self.set(PINS[role], on=True)
        threading.Event().wait(seconds)
        self.set(PINS[role], on=False)

    def cross(self) -> None:
        for end in ("near", "far"):
            self.set(PINS[end], on=True)
            threading.Event().wait(0.012)
            self.set(PINS[end], on=False)


def test_a_pin_is_swapped_without_ending_the_game(tmp_path: Path) -> None:
    web, path = free_port(), tmp_path / "bar.toml"
    with FakeCable(FakeBoard("left"), tmp_path / "usb-left") as cable:
        player = Player(cable)
        for pin in (*PINS.values(), SPARE):
            player.set(pin, on=pin == PINS["spot-a"])
        path.write_text(table_file(cable, web, PINS))
        with running(path) as process:
            player.press("new-game", 2.2)
            begun = until(web, lambda shown: shown["phase"] == "playing", "the game")
            player.cross()
            player.set(PINS["spot-a"], on=False)
            player.set(PINS["cup-5"], on=True)
            until(web, lambda shown: pending(shown) == 5, "the first ball")
            process.send_signal(signal.SIGKILL)
            process.wait()
        path.write_text(table_file(cable, web, PINS | {"cup-3": SPARE}))
        with running(path):
            shown = until(web, lambda shown: shown["phase"] == "paused", "the game, taken up")
            assert (shown["game_id"], pending(shown)) == (begun["game_id"], 5)
            player.press("next-ball")
            until(web, lambda shown: shown["phase"] == "playing", "the game going on")
            player.cross()
            player.set(SPARE, on=True)
            shown = until(web, lambda shown: pending(shown) == 8, "the ball that the new pin saw")
            assert (shown["game_id"], shown["provisional"]) == (begun["game_id"], False)
