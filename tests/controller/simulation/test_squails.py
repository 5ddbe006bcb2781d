"""Whole simulated games of squails, through the camera's lines: the marker's score is the world's."""

from __future__ import annotations

from collections import Counter

import pytest

from controller.simulation.stage import Stage, simulated_table
from hardware.signals import SECOND

LONGEST = 4 * 3600 * SECOND


def played(seed: int) -> Stage:
    stage = Stage(simulated_table("squails"), seed, games=1)
    stage.open()
    # In few large batches; every tenth game turn by turn, as it would be live. Neither may change anything.
    (stage.play_until if seed % 10 == 0 else stage.hurry_until)(stage.now + LONGEST)
    assert stage.shown is not None
    return stage


@pytest.mark.timeout(300)
@pytest.mark.parametrize("seeds", [range(30), pytest.param(range(100, 200), marks=pytest.mark.slow)], ids=["thirty", "a hundred"])
def test_games_of_squails_end_with_their_true_score(seeds: range) -> None:
    events: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for seed in seeds:
        stage = played(seed)
        assert stage.shown is not None
        assert stage.done, f"game {seed} does not end: {stage.shown.phase}, {[notice.text for notice in stage.shown.notices]}"
        assert {side.id: side.score for side in stage.shown.sides} == stage.evening.true_score, f"game {seed}"
        assert stage.engine.play is not None
        events.update(str(step.event["event"]) for step in stage.engine.play.fold.steps if step.stood)
        asked.update(question.split("-")[0] for question in stage.engine.play.questions)
    # All of what the requirement names has happened.
    assert set(events) >= {
        "strike",
        "take_back",
        "cry_out",
        "claim_replay",
        "round_end",
        "claim",
        "allow",
        "dispute",
        "gauge",
        "new_round",
    }
    assert set(asked) >= {"near", "gauge", "line", "target"}


def test_the_same_seed_plays_the_same_game() -> None:
    events = [[step.event for step in stage.engine.play.fold.steps] for stage in (played(3), played(3)) if stage.engine.play]
    assert events[0] == events[1]
