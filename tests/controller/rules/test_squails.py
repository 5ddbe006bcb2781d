"""Squails: the adjudicated cases, a case for every rule, and the hard one that the interface must carry."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.rules_kit import case_params, check_case, load_cases, play

ROOT = Path(__file__).parents[3]
RULE_ID = re.compile(r"\b(?:SQU-\d\d[a-z]?|S-\d\d)\b")
NOT_ADJUDICATED = "*Not adjudicated:*"


@pytest.mark.parametrize("case", case_params("squails"))
def test_adjudicated_case(case: dict[str, Any]) -> None:
    check_case(case)


@pytest.mark.parametrize("case", case_params("squails_rules"))
def test_rule(case: dict[str, Any]) -> None:
    check_case(case)
    played, expect = play(case["transcript"]), case["expect"]
    assert {str(line): refusal.rule for line, refusal in played.refused.items()} == expect.get("refused_by", {})
    if "notices" in expect:
        assert [notice.rule for notice in played.notices] == expect["notices"]


def test_a_touch_after_the_winning_round_takes_the_win_back() -> None:
    # SQU-19
    game = [
        {"event": "game", "game": "squails", "options": {"squails_each": 2}, "position": {"score": {"light": 4, "dark": 3}}},
        {"event": "round_end", "gaps_mm": {"light-s1": 12.7, "dark-s1": 25.4}},
    ]
    touch = {"event": "touch", "squails": ["light-s1"], "by": "light"}
    won, touched = play(game), play([*game, touch])
    again = play([*game, touch, {"event": "new_round", "target_at": "centre"}])

    over = won.game.over(won.state)
    assert over is not None
    assert (over.winner, over.rule) == ("light", "SQU-24")
    assert touched.score == {"light": 4, "dark": 3}
    assert [(award.points, award.rule) for award in touched.awards] == [(1, "SQU-09"), (-1, "SQU-19")]
    assert touched.game.over(touched.state) is None
    assert again.position["round"] == 2


def test_a_claim_names_the_nearest_squails_though_one_was_touched() -> None:
    # S-04, SQU-19: the one claimed is the nearest, and that is null.
    played = play(
        [
            {"event": "game", "game": "squails"},
            {"event": "round_end", "gaps_mm": {"light-s1": 20, "light-s2": 10}},
            {"event": "touch", "squails": ["light-s2"], "by": "light"},
            {"event": "claim", "by": "light-1", "count": 1},
        ]
    )
    assert played.score == {"light": 0, "dark": 0}
    assert [notice.text for notice in played.notices] == ["Light 1 claims 1, 0 so far: the other captain allows or disputes it."]


def rules_of_the_book() -> dict[str, str]:
    """The text of the rule book under each rule id."""
    parts = re.split(
        r"^### (SQU-\d\d[a-z]?|S-\d\d)\b", (ROOT / "seeds/squails.md").read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_rule_has_a_case_or_says_why_nobody_can_judge_it() -> None:
    tried = {rule for name in ("squails", "squails_rules") for case in load_cases(name) for rule in case["rules"]}
    for rule, text in rules_of_the_book().items():
        assert (rule in tried) != (NOT_ADJUDICATED in text), rule


def test_every_rule_that_the_code_names_is_in_the_book() -> None:
    book = rules_of_the_book()
    for module in (ROOT / "controller/rules/squails").glob("*.py"):
        for rule in RULE_ID.findall(module.read_text(encoding="utf-8")):
            assert rule in book, f"{module.name}: {rule}"
