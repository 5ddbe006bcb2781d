"""Each event that sensors told carries the observations that led to it, in whole simulated games."""

from __future__ import annotations

import pytest

from controller.engine.play import GameInPlay
from controller.rules.registry import GAME_NAMES
from controller.simulation.stage import Stage, simulated_table
from hardware.signals import SECOND

LONGEST = 4 * 3600 * SECOND


def without_evidence(play: GameInPlay) -> set[str]:
    """The kinds of events that sensors told and nothing led to."""
    return {str(step.event["event"]) for step in play.fold.steps if step.entry.origin == "sensor" and not step.entry.evidence}


@pytest.mark.timeout(300)
@pytest.mark.parametrize("game", GAME_NAMES)
def test_every_event_of_sensors_has_what_led_to_it(game: str) -> None:
    told = 0
    for seed in range(8):
        stage = Stage(simulated_table(game), seed, games=1)
        stage.open()
        stage.hurry_until(stage.now + LONGEST)
        assert stage.engine.play is not None
        assert without_evidence(stage.engine.play) == set(), f"game {seed}"
        told += sum(step.entry.origin == "sensor" for step in stage.engine.play.fold.steps)
    assert told > 160
