"""Random games of all four rules, entered and corrected at random: their recording, replayed, gives the same final state."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from controller.engine.engine import Engine
from controller.engine.journal import Kept
from controller.fitting.detectors import build_detectors
from controller.fitting.tables import fitted, rules_of, table_maker
from controller.rules.registry import GAME_NAMES
from controller.simulation.stage import Stage, simulated_table
from hardware.panel import Panel
from hardware.recording import RecordingPanel
from hardware.signals import SECOND
from hardware.sources.trace_file import TraceWriter
from tests.controller.engine.test_random_corrections import ACTS, Marker, Visitor
from tests.people_kit import Replayed, story

GAMES = 25


class RecordedMarker(Marker):
    """Whoever enters a game of which no sensor tells anything, recorded."""

    def __init__(self, chance: Random, name: str, writer: TraceWriter) -> None:
        table = simulated_table(name)
        self.chance = chance
        self.game = rules_of(table)
        panel: Panel = RecordingPanel([], writer)
        self.engine = Engine(fitted(table), self.game, panel, table_maker(table), Kept(0, 0, ()), acts=writer)
        self.engine.boot("boot", {}, 0, "", "test")
        self.now = 0
        self.line = []
        self.corrected = self.taken_back = 0
        while not self.ask(self.some_opening()).ok:
            continue


class RecordedVisitor(Visitor):
    """Whoever corrects a game that simulated players play through its sensors, recorded."""

    def __init__(self, chance: Random, name: str, writer: TraceWriter) -> None:
        table = simulated_table(name)
        self.chance = chance
        panel = RecordingPanel(build_detectors(table), writer)
        self.stage = Stage(table, chance.randrange(1000), games=1, panel=panel, acts=writer)
        self.stage.open()
        self.corrected = self.taken_back = 0


@pytest.mark.parametrize("name", GAME_NAMES)
def test_games_that_people_enter(name: str, tmp_path: Path) -> None:
    corrected = taken_back = 0
    for number in range(GAMES):
        path = tmp_path / f"{number}.jsonl"
        with TraceWriter(path, "boot") as writer:
            marker = RecordedMarker(Random(f"recorded {name} {number}"), name, writer)
            for _ in range(ACTS):
                marker.act()
        again = Replayed(simulated_table(name), path)
        live = marker.engine.play
        assert live is not None
        assert again.play is not None
        assert (again.refused, again.replay.faults) == ([], [])
        assert story(again.play) == story(live)
        corrected += marker.corrected
        taken_back += marker.taken_back
    assert corrected > 10
    assert taken_back > 3


@pytest.mark.parametrize("name", GAME_NAMES)
def test_games_that_sensors_tell(name: str, tmp_path: Path) -> None:
    with TraceWriter(tmp_path / "game.jsonl", "simulated") as writer:
        visitor = RecordedVisitor(Random(f"recorded {name}"), name, writer)
        for _ in range(25):
            visitor.stage.play_until(visitor.stage.now + 15 * SECOND)
            visitor.correct()
    again = Replayed(simulated_table(name), tmp_path / "game.jsonl")
    live = visitor.stage.engine.play
    assert live is not None
    assert again.play is not None
    assert (again.refused, again.replay.faults) == ([], [])
    assert story(again.play) == story(live)
    assert visitor.corrected > 1
