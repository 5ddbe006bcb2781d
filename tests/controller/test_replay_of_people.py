"""Games of all four kinds in which people have a hand at the console: a replay of the recording is what happened live."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from controller.fitting.detectors import build_detectors
from controller.simulation.stage import Stage, simulated_table
from hardware.recording import RecordingPanel
from hardware.signals import SECOND
from hardware.sources.trace_file import TraceWriter
from tests.people_kit import Meddler, Replayed, story, told, views_of
from tests.table_kit import Watcher

MINUTES = 8


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("game", ["bagatelle", "fortification", "squails", "maw"])
def test_a_replay_does_what_people_did(game: str, seed: int, tmp_path: Path) -> None:
    """Questions are answered; events are entered, undone and corrected in the middle of strokes."""
    trace, table, watcher = tmp_path / "game.jsonl", simulated_table(game), Watcher()
    with TraceWriter(trace, "simulated") as writer:
        panel = RecordingPanel(build_detectors(table), writer)
        stage = Stage(table, seed, games=2, publishers=[watcher], panel=panel, acts=writer)
        stage.engine.scribe.next_id += 1_000  # as where the journal has earlier games
        meddler = Meddler(stage, Random(seed))
        stage.open()
        while stage.now < (1_000 + 60 * MINUTES) * SECOND and not stage.done:
            stage.play_until(stage.now + meddler.chance.randrange(20, 160) * SECOND // 10)
            meddler.meddle()
    again = Replayed(table, trace)
    assert again.refused == []
    assert again.replay.faults == []
    assert again.told == told(watcher.happenings)
    live = stage.engine.play
    assert live is not None
    assert again.play is not None
    assert story(again.play) == story(live)
    assert stage.shown is not None
    assert views_of(again.shown) == views_of(stage.shown)
    assert meddler.did["Correct"] > 3, meddler.did
    assert meddler.did["EnterEvent"] > 1
    assert meddler.did["Undo"] > 3
    assert meddler.refused > 3
    assert len(again.done) > sum(meddler.did.values())
