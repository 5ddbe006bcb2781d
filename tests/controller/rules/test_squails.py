"""Squails: the adjudicated cases, and the hard one that the interface must carry."""

from __future__ import annotations

from typing import Any

import pytest

from controller.rules.squails import Squails
from tests.rules_kit import case_params, check_case, play


@pytest.mark.parametrize("case", case_params("squails"))
def test_adjudicated_case(case: dict[str, Any]) -> None:
    check_case(case)


def test_a_touch_after_the_winning_round_takes_the_win_back() -> None:
    # SQU-19
    game = [
        {"event": "game", "game": "squails", "options": {"squails_each": 2}, "position": {"score": {"light": 4, "dark": 3}}},
        {"event": "round_end", "gaps_mm": {"light-s1": 12.7, "dark-s1": 25.4}},
    ]
    won = play(game)
    over = won.game.over(won.state)
    assert over is not None
    assert (over.winner, over.rule) == ("light", "SQU-24")

    touched = play([*game, {"event": "touch", "squails": ["light-s1"], "by": "light"}])

    assert touched.score == {"light": 4, "dark": 3}
    assert [(award.points, award.rule) for award in touched.awards] == [(1, "SQU-09"), (-1, "SQU-19")]
    assert touched.game.over(touched.state) is None
    again = play([*game, {"event": "touch", "squails": ["light-s1"], "by": "light"}, {"event": "new_round", "target_at": "centre"}])
    assert again.position["round"] == 2


def test_state_is_plain_json() -> None:
    game = Squails()
    state = game.start({"players": 3}, {"squails": {"A-s1": "over"}})
    assert game.state_from_json(game.state_to_json(state)) == state
