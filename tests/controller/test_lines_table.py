"""A table of squails whose camera writes into a real pipe: from its lines to the score, through the service."""

from __future__ import annotations

import json
import math
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.engine.requests import Request, StartGame
from controller.engine.snapshot import Snapshot
from controller.service import Service
from tests.squails_kit import EDGE, SQUAIL
from tests.table_kit import Watcher, table_of

TABLE = """
[table]
id = "parlour"
game = "squails"
quiet = "300ms"
[rules]
squails_each = 1
target = 1
[web]
listen = "off"
[[lines]]
name = "camera"
pipe = "PIPE"
[[sensor]]
role = "squails"
kind = "position"
source = "lines:camera"
diameter = 1200.0
still = "150ms"
gone = "500ms"
silence = "1s"
"""


class Camera:
    """A program that writes what it sees, fifty times a second, until it ends."""

    def __init__(self, pipe: Path) -> None:
        self.pipe = pipe
        self.lying: dict[str, tuple[float, float]] = {"target": (0.0, 0.0)}
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        with self.pipe.open("w", buffering=1) as out:
            while not self._ending.wait(0.02):
                out.write(json.dumps(self.lying) + "\n")

    def show(self, name: str, spot: tuple[float, float]) -> None:
        self.lying = {**self.lying, name: spot}  # another thread looks at it meanwhile

    def end(self) -> None:
        self._ending.set()
        self._thread.join()


class Room:
    """The service, and what it shows."""

    def __init__(self, folder: Path) -> None:
        self.pipe = folder / "camera"
        os.mkfifo(self.pipe)
        self.service = Service(table_of(TABLE.replace("PIPE", str(self.pipe))), folder)
        self.service.start()
        assert self.service.loop is not None
        self.loop = self.service.loop
        self.watcher = Watcher()
        self.loop.publishers.append(self.watcher)

    def until(self, condition: Callable[[Snapshot], bool], what: str) -> Snapshot:
        deadline = time.monotonic() + 15
        while not self.watcher.snapshots or not condition(self.watcher.snapshots[-1]):
            assert time.monotonic() < deadline, f"waited in vain: {what}; {self.watcher.snapshots[-1:]}"
            threading.Event().wait(0.01)
        return self.watcher.snapshots[-1]


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path)
    yield room
    room.service.stop()


def test_lines_in_a_pipe_become_a_game_and_a_camera_that_ends_is_told_and_comes_back(room: Room) -> None:
    camera = Camera(room.pipe)
    try:
        room.loop.submit(Request(StartGame(), "test"))
        room.until(lambda shown: shown.phase == "playing" and shown.seen["target"] is not None, "the camera to see a clear table")
        for name, angle, spot in (("light-s1", -math.pi / 2, (60.0, 0.0)), ("dark-s1", math.pi / 2, (-300.0, 0.0))):
            seat = EDGE - SQUAIL / 2
            camera.show(name, (seat * math.cos(angle), seat * math.sin(angle)))
            threading.Event().wait(0.1)  # it is seen there, or at once where it was struck to: both are strokes
            camera.show(name, spot)
            squail = name
            room.until(lambda shown, squail=squail: shown.position["squails"][squail] == "played", "the stroke")  # type: ignore[misc,index,call-overload]
        shown = room.until(lambda shown: shown.phase == "over", "the end of the game")
        assert {side.id: side.score for side in shown.sides} == {"light": 1, "dark": 0}
    finally:
        camera.end()
    shown = room.until(lambda shown: any(not source.up for source in shown.sources), "the end of the camera told")
    assert any("has ended" in fault for source in shown.sources for fault in source.faults)
    again = Camera(room.pipe)
    try:
        room.until(lambda shown: all(source.up for source in shown.sources), "the camera back")
    finally:
        again.end()
