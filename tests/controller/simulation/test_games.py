"""Whole simulated games: the marker's score is the world's, whatever the switches do on the way."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.engine.requests import Request, StartGame
from controller.fitting.detectors import build_detectors
from controller.simulation.bounce import Edge
from controller.simulation.stage import Stage, simulated_table
from hardware.panel import Panel
from hardware.recording import RecordingPanel
from hardware.signals import SECOND
from hardware.sources.trace_file import TraceWriter
from tests.maw_kit import LEAST
from tests.table_kit import table_of

GAMES = 1000
LONGEST = 4 * 3600 * SECOND
"""No game takes an evening."""


def play(seed: int, panel: Panel | None = None, game: str = "bagatelle") -> str | None:
    """Play one game; gives what is wrong with it."""
    stage = Stage(simulated_table(game), seed, games=1, panel=panel)
    stage.open()
    # In few large batches; every tenth game turn by turn, as it would be live. Neither may change anything.
    (stage.play_until if seed % 10 == 0 else stage.hurry_until)(stage.now + LONGEST)
    assert stage.shown is not None
    shown = {side.id: side.score for side in stage.shown.sides}
    true = stage.evening.true_score
    if not stage.done:
        return f"game {seed} does not end: {stage.shown.phase}, {[notice.text for notice in stage.shown.notices]}"
    if shown != true:
        return f"game {seed} ended {true}, but the marker says {shown}"
    return None


def play_some(seeds: range) -> list[tuple[int, str]]:
    return [(seed, wrong) for seed in seeds if (wrong := play(seed)) is not None]


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_thousand_games_end_with_their_true_score(tmp_path: Path) -> None:
    processes = multiprocessing.cpu_count()
    parts = [range(start, GAMES, processes * 4) for start in range(processes * 4)]
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        wrong = [item for found in pool.map(play_some, parts) for item in found]
    for seed, _ in wrong[:3]:
        record(seed, tmp_path / f"game-{seed}.jsonl")
    assert wrong == [], f"their traces are in {tmp_path}"


def record(seed: int, path: Path) -> None:
    """Play a game again and keep every call of its panel."""
    detectors = build_detectors(simulated_table("bagatelle"))
    with TraceWriter(path, "simulated") as writer:
        play(seed, RecordingPanel(detectors, writer))


def test_the_same_seed_plays_the_same_game(tmp_path: Path) -> None:
    for name in ("once", "again"):
        record(7, tmp_path / name)
    assert (tmp_path / "once").read_bytes() == (tmp_path / "again").read_bytes()
    assert len((tmp_path / "once").read_text().splitlines()) > 1000


def test_however_the_balls_rattle_each_counts_once(mocker: MockerFixture) -> None:
    stage = Stage(simulated_table("bagatelle"), 5, games=1)
    moved: Counter[str] = Counter()
    really = stage.evening._edges  # type: ignore[attr-defined]

    def move(role: str, edges: list[Edge], end: int = 0) -> int:
        moved[role] += 1
        return int(really(role, edges, end))

    mocker.patch.object(stage.evening, "_edges", move)
    stage.open()
    stage.play_until(stage.now + LONGEST)
    assert stage.shown is not None
    cups = [sensor for sensor in stage.shown.sensors if sensor.role.startswith("cup-")]
    assert {cup.role: cup.health.accepted for cup in cups} == {cup.role: moved[cup.role] for cup in cups}
    assert sum(cup.health.edges for cup in cups) > 3 * sum(cup.health.accepted for cup in cups)


def test_without_detectors_there_is_no_score() -> None:
    stage = Stage(simulated_table("bagatelle"), 1, panel=Panel([]))
    stage.open()
    stage.loop.submit(Request(StartGame(), "test"))
    stage.play_until(stage.now + 600 * SECOND)
    assert stage.shown is not None
    assert stage.shown.phase == "playing"
    assert all(side.score == side.pending == 0 for side in stage.shown.sides)
    assert stage.shown.position["balls_left"] == 8


@pytest.mark.timeout(600)
@pytest.mark.parametrize("seeds", [range(100, 104), pytest.param(range(104, 140), marks=pytest.mark.slow)], ids=["some", "tens"])
def test_games_of_fortification_end_with_their_true_score(seeds: range) -> None:
    wrong = [found for seed in seeds if (found := play(seed, game="fortification")) is not None]
    assert wrong == []


@pytest.mark.timeout(600)
@pytest.mark.parametrize("seeds", [range(30), pytest.param(range(30, 200), marks=pytest.mark.slow)], ids=["some", "hundreds"])
def test_sets_of_maw_end_with_their_true_score(seeds: range) -> None:
    wrong = [found for seed in seeds if (found := play(seed, game="maw")) is not None]
    assert wrong == []


@pytest.mark.parametrize("seeds", [range(8), pytest.param(range(8, 100), marks=pytest.mark.slow)], ids=["some", "tens"])
def test_sets_of_maw_at_a_table_with_the_least_end_with_their_true_score_too(seeds: range) -> None:
    """One reader and ten calls: no button says who deals and who takes a trick, so people are asked."""
    for seed in seeds:
        stage = Stage(table_of(LEAST), seed, games=1)
        stage.open()
        stage.hurry_until(stage.now + LONGEST)
        assert stage.shown is not None
        assert stage.done
        assert ({side.id: side.score for side in stage.shown.sides}, seed) == (stage.evening.true_score, seed)


def test_the_sets_of_maw_have_all_that_a_table_must_notice() -> None:
    # What is never played proves nothing.
    done: Counter[str] = Counter()
    for seed in range(40):
        stage = Stage(simulated_table("maw"), seed, games=1)
        stage.open()
        stage.hurry_until(stage.now + LONGEST)
        assert stage.engine.play is not None
        for step in stage.engine.play.fold.steps:
            event = step.event
            done[f"{event['event']} {event.get('law', event.get('has_ace', ''))} {'stood' if step.stood else 'refused'}"] += 1
        done.update(question.partition("-")[0] for question in stage.engine.play.questions)
    calls = ("ask  stood", "vie  stood", "vie  refused", "pledge  stood", "give_back  stood")
    robs = ("rob True stood", "rob False stood", "rob")
    offences = ("offence 2 stood", "offence 4 stood", "offence 5 stood", "ace", "law", "help")
    assert [what for what in (*calls, *robs, *offences) if not done[what]] == [], done
    assert done["law"] > done["offence 2 stood"], "some that look like a renounce are none"
