"""What is told of all games reads their starts and results alone, by index; sides are called by the right names."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from controller.engine import chronicle
from controller.engine.archive import list_games
from controller.engine.chronicle import EVENING, finished, tally
from controller.engine.journal import reading
from controller.historian import LAST
from tests.history_kit import NOW, parlour, simulated


@pytest.mark.parametrize(
    ("query", "given"), [(chronicle._FINISHED, (LAST, 21)), (chronicle._RESULTS, ())], ids=["a page of games", "the tally"]
)
def test_no_record_is_looked_at_that_is_not_wanted(tmp_path: Path, query: str, given: tuple[int, ...]) -> None:
    with parlour(tmp_path) as place:
        place.play("Ann", "Bob")
        with reading(place.path) as db:
            plan = [str(row[3]) for row in db.execute(f"explain query plan {query}", given)]
    assert any("results" in step for step in plan)
    assert not [step for step in plan if step.startswith("SCAN") and "games" not in step and "CONSTANT" not in step], plan


@pytest.mark.parametrize("game", ["bagatelle", "fortification", "squails", "maw"])
def test_a_page_says_of_each_game_what_folding_it_says(tmp_path: Path, game: str) -> None:
    path = tmp_path / "table.sqlite3"
    simulated(path, game)
    (kept,), (told,) = list_games(path), finished(path, before=LAST, most=5)
    assert {side.name: side.score for side in told.sides} == {kept.names[side]: points for side, points in kept.score.items()}
    assert kept.over is not None
    winner = None if kept.over.winner is None else kept.names[kept.over.winner]
    assert [side.name for side in told.sides if side.won] == ([] if winner is None else [winner])
    assert (told.number, told.game, told.draw, told.double) == (kept.number, game, kept.over.draw, kept.over.double)
    assert not told.corrected


def test_a_game_without_an_end_any_more_has_no_winner(tmp_path: Path) -> None:
    with parlour(tmp_path) as place:
        place.play("Ann", "Bob")
        first = place.revisions
        place.play("Cid", "Bob")
        number = str(finished(place.path, before=LAST, most=2)[1].number)
        assert place.remove(first[3], number).ok
        game = finished(place.path, before=LAST, most=2)[1]
        assert (game.over, game.corrected, [side.won for side in game.sides]) == (False, True, [False, False])
        players: dict[str, Any] = {player.name: player.won for player in tally(place.path, NOW, 5).players}
    assert players == {"Ann": 0, "Bob": 0, "Cid": 1}


def test_the_evening_is_over_after_ten_hours(tmp_path: Path) -> None:
    with parlour(tmp_path) as place:
        place.play("Ann", "Bob")
        ended = datetime.fromisoformat(finished(place.path, before=LAST, most=1)[0].ended)
        during = tally(place.path, ended + EVENING - timedelta(seconds=1), 5)
        after = tally(place.path, ended + EVENING, 5)
    assert [turn.points for turn in during.evening["bagatelle"]] == [25]
    assert (after.evening, [turn.points for turn in after.ever["bagatelle"]]) == ({}, [25])
