"""Squails: the adjudicated cases, a case for every rule, and the hard one that the interface must carry."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from controller.rules.squails.words import listed, spoken
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


FAR = {"event": "strike", "player": "light-1", "squail": "light-s1", "crossed_far_line": True}


def test_who_cries_too_late_is_told_so() -> None:
    # SQU-26
    struck = {"event": "strike", "player": "dark-1", "squail": "dark-s1"}
    cry = {"event": "cry_out", "squail": "light-s1", "by": "dark"}
    late = play([{"event": "game", "game": "squails"}, FAR, struck, cry])
    [refusal] = late.refused.values()
    assert (refusal.rule, refusal.text.partition(":")[0]) == ("SQU-26", "It is too late")


@pytest.mark.parametrize(
    "position",
    [
        {"next_begins": "light"},
        {"target": "out"},
        {"round": 2},
        {"to_play": "dark-1"},
        {"squails": {"light-s1": "played"}},
    ],
)
def test_the_lead_is_played_for_before_the_first_stroke_of_the_game_alone(position: dict[str, Any]) -> None:
    # SQU-03
    trial = {"event": "lead_trial", "gaps_mm": {"light": 1, "dark": 2}}
    opening = {"event": "game", "game": "squails", "position": position}
    assert [refusal.rule for refusal in play([opening, trial]).refused.values()] == ["SQU-03"]


@pytest.mark.parametrize(
    ("gaps", "leads"),
    [
        ({"A": 0, "B": 1, "C": 2}, "A"),
        ({"A": 9, "B": 0.5, "C": None}, "B"),
        ({"A": 9, "B": 9, "C": 10}, None),
        ({"A": 9, "B": 9, "C": 9}, None),
        ({"A": None, "B": None, "C": None}, None),
    ],
)
def test_one_who_is_nearest_alone_leads_and_a_level_trial_is_played_again(gaps: dict[str, Any], leads: str | None) -> None:
    # SQU-04, S-12
    played = play([{"event": "game", "game": "squails", "options": {"players": 3}}, {"event": "lead_trial", "gaps_mm": gaps}])
    assert not played.refused
    assert played.position["to_play"] == leads
    assert [notice.rule for notice in played.notices] == ([] if leads else ["S-12"])


@pytest.mark.parametrize(
    ("players", "gaps", "rule"),
    [
        (2, {"light": 1}, "SQU-03"),
        (3, {"A": 1, "B": 2}, "SQU-04"),
        (2, {"light": -1, "dark": 2}, "S-19"),
        (2, {"light": -0.5, "dark": None}, "S-19"),
    ],
)
def test_a_trial_for_the_lead_that_is_none(players: int, gaps: dict[str, Any], rule: str) -> None:
    opening = {"event": "game", "game": "squails", "options": {"players": players}}
    played = play([opening, {"event": "lead_trial", "gaps_mm": gaps}])
    assert [refusal.rule for refusal in played.refused.values()] == [rule]
    assert played.position["to_play"] is None


def test_a_game_opened_as_won_takes_no_correction() -> None:
    # SQU-24: no round of it is known that could be corrected.
    opening = {"event": "game", "game": "squails", "position": {"score": {"light": 5}}}
    claim = {"event": "claim", "by": "dark-1", "count": 1}
    assert [refusal.rule for refusal in play([opening, claim]).refused.values()] == ["SQU-24"]


def test_a_cry_is_closed_when_the_next_short_squail_lets_the_last_one_lie() -> None:
    # S-21: a stroke that falls short may be taken back, so it closes no cry; the one after it does.
    short = [
        {"event": "strike", "player": "dark-1", "squail": "dark-s1", "in_from_edge_mm": 0},
        {"event": "strike", "player": "light-1", "squail": "light-s2", "in_from_edge_mm": 0},
    ]
    cry = {"event": "cry_out", "squail": "light-s1", "by": "dark"}
    opening = {"event": "game", "game": "squails"}
    assert not play([opening, FAR, short[0], cry]).refused
    assert [refusal.rule for refusal in play([opening, FAR, *short, cry]).refused.values()] == ["SQU-26"]


def test_a_squail_taken_back_was_struck_by_nobody() -> None:
    # SQU-25b, SQU-20
    played = play(
        [
            {"event": "game", "game": "squails", "options": {"players": 4}},
            {"event": "strike", "player": "light-1", "squail": "light-s1", "in_from_edge_mm": 0},
            {"event": "take_back", "squail": "light-s1"},
            {"event": "round_end", "gaps_mm": {"light-s1": 10}},
        ]
    )
    assert played.position["next_begins"] == "light"


def test_a_squail_that_went_across_uncried_may_be_touched_too_soon() -> None:
    # S-24, SQU-19
    game = [{"event": "game", "game": "squails"}, FAR, {"event": "round_end", "gaps_mm": {"light-s1": 10}}]
    played = play(game)
    touches = [field.choices for form in played.game.offers(played.state) if form.event == "touch" for field in form.fields]
    assert (["light-s1"],) in touches
    assert play([*game, {"event": "touch", "squails": ["light-s1"], "by": "light"}]).score == {"light": 0, "dark": 0}


def test_names_as_people_say_them() -> None:
    assert [spoken(name) for name in ("light-2", "light-s3", "A-s1", "A")] == ["light 2", "light squail 3", "A's squail 1", "A"]


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


def test_a_squail_that_went_across_and_was_not_measured_cannot_be_gauged() -> None:
    # SQU-18, S-24
    played = play(
        [
            {"event": "game", "game": "squails"},
            FAR,
            {"event": "round_end", "gaps_mm": {"light-s2": 20}},
            {"event": "claim", "by": "light-1", "count": 2},
            {"event": "dispute", "by": "dark-1"},
            {"event": "gauge", "squail": "light-s1", "touches": True},
        ]
    )
    assert {n: (refusal.rule, refusal.text) for n, refusal in played.refused.items()} == {
        6: ("SQU-18", "Light squail 1 is out: there is nothing to measure.")
    }
    assert played.score == {"light": 1, "dark": 0}


@pytest.mark.parametrize(
    ("gaps", "told"),
    [
        ({"light-s1": 20}, ["Light lies nearest to the target, within the gauge."]),
        (
            {"light-s1": 20, "light-s2": 21},
            [
                "Light lies nearest to the target, within the gauge.",
                "Another of Light's lies nearer than any other side's, within the gauge.",
            ],
        ),
        (
            {"light-s1": 20, "light-s2": 21, "light-s3": 22},
            [
                "Light lies nearest to the target, within the gauge.",
                "2 more of Light's lie nearer than any other side's, within the gauge.",
            ],
        ),
    ],
)
def test_the_reason_of_a_round_tells_how_many_count(gaps: dict[str, Any], told: list[str]) -> None:
    # SQU-09, SQU-10
    assert [
        award.why for award in play([{"event": "game", "game": "squails"}, {"event": "round_end", "gaps_mm": gaps}]).awards
    ] == told


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ((), ""),
        (("light-s1",), "light squail 1"),
        (("A", "B"), "A and B"),
        (("light-s1", "light-s2", "dark-s3"), "light squail 1, light squail 2 and dark squail 3"),
    ],
)
def test_several_names_as_people_say_them(names: tuple[str, ...], said: str) -> None:
    assert listed(names) == said


@pytest.mark.parametrize(
    ("position", "offered"),
    [
        ({}, True),
        ({"round": 2}, False),
        ({"to_play": "light-1"}, False),
        ({"squails": {"light-s1": "played"}}, False),
    ],
)
def test_the_trial_for_the_lead_is_offered_before_the_first_stroke_alone(position: dict[str, Any], offered: bool) -> None:
    opened = play([{"event": "game", "game": "squails", "position": position}])
    assert ("lead_trial" in {form.event for form in opened.game.offers(opened.state)}) == offered


@pytest.mark.parametrize(
    ("statuses", "offered"),
    [
        ({"light-s1": "over"}, ["light-s1"]),
        ({"light-s1": "claimable"}, ["light-s1"]),
        ({"light-s1": "over", "dark-s8": "in_hand"}, []),
        ({"light-s1": "claimable", "dark-s8": "in_hand"}, ["light-s1"]),
        ({"light-s1": "out"}, []),
    ],
)
def test_when_a_squail_that_went_across_may_be_called_for(statuses: dict[str, str], offered: list[str]) -> None:
    # SQU-27
    lying = {f"{side}-s{n}": "played" for side in ("light", "dark") for n in range(1, 9)}
    opening = {"event": "game", "game": "squails", "position": {"squails": {**lying, **statuses}}}
    opened = play([opening])
    calls = [form.fields[0].choices for form in opened.game.offers(opened.state) if form.event == "claim_replay"]
    assert [one for choices in calls for one in choices] == offered
    called = play([opening, {"event": "claim_replay", "squail": "light-s1", "by": "light"}])
    assert bool(called.refused) != bool(offered)


@pytest.mark.parametrize(
    ("gaps", "why"),
    [({"light-s1": 20}, "a captain can't allow his own claim."), ({"light-s1": 80}, "nothing is claimed.")],
)
def test_who_has_nothing_to_allow_is_told_why(gaps: dict[str, Any], why: str) -> None:
    # SQU-19
    events = [{"event": "round_end", "gaps_mm": gaps}, {"event": "allow", "by": "light-1"}]
    [(_, refused)] = play([{"event": "game", "game": "squails"}, *events]).refused.items()
    assert (refused.rule, refused.text) == ("SQU-19", f"Light 1 has nothing to allow: {why}")
