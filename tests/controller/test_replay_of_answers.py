"""Games of all four kinds whose questions are answered at the table while they are played: a replay is what happened live."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from controller.engine.requests import Request, StartGame
from controller.engine.snapshot import Snapshot
from controller.fitting.detectors import build_detectors
from controller.simulation.stage import Stage, simulated_table
from controller.tablefile import TableFile
from hardware.recording import RecordingPanel
from hardware.signals import MS, SECOND
from hardware.sources.trace_file import TraceWriter
from tests.asking_kit import ANSWER
from tests.controller.test_replay import replayed, simulated_file
from tests.table_kit import Watcher, table_of

MINUTES = {"bagatelle": 8, "fortification": 4, "squails": 12, "maw": 4}
"""For so long each game is played: until some questions have been asked."""


def fitted_with_the_button(game: str) -> TableFile:
    shipped = simulated_table(game)
    (button,) = table_of(f'[table]\nid = "x"\ngame = "{game}"\n{ANSWER}').sensors
    return shipped.model_copy(update={"sensors": (*shipped.sensors, button)})


class AtTheTable:
    """Stands between the players and the engine: answers by the button alone, and enters nothing on a console."""

    def __init__(self, stage: Stage, seed: int) -> None:
        self.act = stage.evening.act
        self.sim = stage.sim
        self.chance = Random(seed)
        self.free = 0
        stage.evening.answers = False
        stage.evening.act = self  # type: ignore[assignment]  # it is called alike

    def __call__(self, now: int, shown: Snapshot) -> list[Request]:
        if shown.questions and now >= self.free:
            at = now
            for _ in range(self.chance.randrange(3)):
                at = self.press(at, 1500 * MS)
            self.free = self.press(at, 200 * MS) + SECOND
        return [request for request in self.act(now, shown) if isinstance(request.command, StartGame)]

    def press(self, at: int, lasts: int) -> int:
        self.sim.set("sim:answer", 0, at + 300 * MS)
        self.sim.set("sim:answer", 1, at + 300 * MS + lasts)
        return at + 300 * MS + lasts


@pytest.mark.parametrize("game", MINUTES)
def test_a_replay_with_answers_is_what_happened_live(game: str, tmp_path: Path) -> None:
    trace, table, watcher = tmp_path / "game.jsonl.gz", fitted_with_the_button(game), Watcher()
    with TraceWriter(trace, "simulated") as writer:
        panel = RecordingPanel(build_detectors(table), writer)
        stage = Stage(table, 5, panel=panel, publishers=[watcher], games=1)
        AtTheTable(stage, 5)
        stage.open()
        stage.play_until(stage.now + MINUTES[game] * 60 * SECOND)
    play = stage.engine.play
    assert play is not None
    answered = [move for move in play.moves if move.kind == "answer"]
    assert answered
    assert {move.body["by"] for move in answered} == {"button:answer"}
    path = simulated_file(game, tmp_path)
    path.write_text(path.read_text() + ANSWER)
    told: list[Any] = [json.loads(line) for line in replayed(path, trace).splitlines()]
    live = [{"kind": one.kind, "event": one.event, **one.ruling} for one in watcher.happenings]
    assert told[:-1] == json.loads(json.dumps(live))
    assert stage.shown is not None
    scores = {side.id: {"score": side.score, "pending": side.pending} for side in stage.shown.sides}
    assert told[-1] == {"kind": "end", "sides": scores, "provisional": stage.shown.provisional}
