"""Fortification billiards: the adjudicated cases, what can't be read, and what is offered."""

from __future__ import annotations

import json
from typing import Any

import pytest

from controller.rules.errors import BadEvent, BadOption, BadPosition
from controller.rules.fortification import Fortification
from tests.controller.rules.fortification_words import Json, bell, colours, hit, in_fort, left, lifted, passes, stroke
from tests.rules_kit import case_params, check_case, play

GAME = Fortification()
OPENING: Json = {"event": "game", "game": "fortification", "position": {"pass": {"english": "regular"}}}


@pytest.mark.parametrize("case", case_params("fortification"))
def test_case(case: dict[str, Any]) -> None:
    check_case(case)


@pytest.mark.parametrize("case", case_params("fortification_rules"))
def test_case_of_a_rule(case: dict[str, Any]) -> None:
    check_case(case)


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ({"event": "strokes"}, "did you mean 'stroke'?"),
        ({"event": "stroke", "side": "english", "facts": []}, "'ball' is missing"),
        ({**stroke("ea"), "ball": "english-atack"}, "did you mean 'english-attack'?"),
        ({**stroke("ea"), "speed": 3}, "unknown field 'speed'"),
        ({**stroke("ea"), "declared": "i_do_not_see"}, "'hidden' is missing"),
        ({**stroke("ea"), "hidden": True}, "belong to a declared stroke"),
        ({**stroke("ea"), "hidden_ball": "french-attack"}, "belong to a declared stroke"),
        ({**stroke("ea"), "declared": None}, "declared: null says nothing here"),
        (
            {"event": "ruling", "ask": "MAW-09c", "by": "A", "value": True},
            "ruling: by: unknown 'A'; allowed: english, french, marker",
        ),
        (stroke("ea", {"fact": "bell", "ball": "english-attack"}), "'bell' wants the field 'fort'"),
        (stroke("ea", {"fact": "pass", "ball": "english-attack"}), "'pass' wants the field 'from'"),
        (stroke("ea", {"fact": "hit", "ball": "french-attack"}), "'hit' wants the field 'cushion_first'"),
        (stroke("ea", {**left("holed", "ea"), "fort": "french-grand"}), "'holed' has no field 'fort'"),
        (stroke("ea", {**left("holed", "ea"), "fact": "hold"}), "did you mean 'holed'?"),
        ({**colours("fG"), "of": "french-great"}, "french-grand"),
        ({"event": "lag", "distance_mm": {"A": -1, "B": 2}, "far_cushion": {"A": True, "B": True}}, "not below 0"),
        ({"event": "lag", "distance_mm": {"A": 2, "B": -1}, "far_cushion": {"A": True, "B": True}}, "not below 0"),
        ({"event": "lag", "distance_mm": {"A": True, "B": 2}, "far_cushion": {"A": True, "B": True}}, "distance_mm.A: a number"),
    ],
)
def test_what_can_not_be_read(event: Json, said: str) -> None:
    with pytest.raises(BadEvent, match=r".") as caught:
        GAME.read(event)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ({"pas": {}}, "did you mean 'pass'?"),
        ({"forts": {"french-attack": "taken"}}, "french-grand"),
        ({"forts": {"french-grand": "fallen"}}, "position.forts.french-grand"),
        ({"score": {"english": 1.5}}, "a whole number"),
        ({"turn": None}, "position.turn"),
        ({"english": "C"}, "position.english"),
    ],
)
def test_what_is_no_position(position: Json, said: str) -> None:
    with pytest.raises(BadPosition) as caught:
        GAME.start(None, position)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value"), [("los", "deduct"), ("loss", "credit"), ("target", 0), ("target", True), ("turn", None)]
)
def test_what_is_no_option(name: str, value: Any) -> None:
    with pytest.raises(BadOption, match=name):
        GAME.start({name: value})


def test_a_nobodys_question_is_refused() -> None:
    played = play([OPENING, {"event": "ruling", "ask": "FORT-37a", "by": "marker", "value": True}])
    assert list(played.refused) == [2]


def test_what_every_event_may_carry_is_kept() -> None:
    event = {**stroke("ea"), "id": 7, "at": "noon", "origin": "sensor", "evidence": [1, 2], "note": "?"}
    assert GAME.write(GAME.read(event)) == event


def offered(*events: Json, opening: Json = OPENING) -> dict[str, list[Any]]:
    """What is offered after some events: for each kind of event the choices of its first field."""
    forms = GAME.offers(play([opening, *events]).state)
    return {form.event: list(form.fields[0].choices) for form in reversed(forms)}


def test_offers_follow_what_is_outstanding() -> None:
    assert set(offered(opening={"event": "game", "game": "fortification"})) == {"lag", "stroke"}
    assert offered() == {"stroke": ["english"]}
    took = offered(stroke("ea", bell("fA1", "ea"), hit("ed1")))
    assert took["colours_down"] == ["french-advanced-1"]
    assert took["ball_lifted"] == ["french-advanced-1"]
    assert took["respotted"] == ["english-attack"]
    assert took["demand_respot"] == ["english-defence-1"]
    assert took["stroke"] == ["french"]
    assert offered(stroke("ea", bell("fA1", "ea")), lifted("fA1", "ea", "f"))["colours_down"] == ["french-advanced-1"]
    assert offered(stroke("ea", passes("ea")), opening={"event": "game", "game": "fortification"})["colours_down"] == [
        "french-pass"
    ]


def test_the_interface_of_all_games() -> None:
    state = GAME.start({"target": 2})
    assert GAME.sides(state) == ("english", "french")
    assert GAME.turn(state) == "english"
    assert (GAME.unbanked(state), GAME.asks(state)) == (None, ())
    won = play([{**OPENING, "options": {"target": 2}}, stroke("ea", left("holed", "fa"))]).state
    assert GAME.turn(won) is None
    assert GAME.over(won) is not None


def test_nothing_is_left_to_a_ruling() -> None:
    played = play([OPENING, {"event": "ruling", "ask": "FORT-37a", "by": "english", "value": True}])
    assert [refusal.rule for refusal in played.refused.values()] == ["FORT-37a"]


@pytest.mark.parametrize(("side", "own", "enemy"), [("english", "e", "f"), ("french", "f", "e")])
def test_every_single_thing_that_can_happen_in_a_stroke_is_offered(side: str, own: str, enemy: str) -> None:
    balls, forts = ("a", "d1", "d2"), ("A1", "A2", "R1", "R2", "G")
    facts = [passes(f"{own}a", way) for way in ("own_side", "enemy_side")]
    facts += [bell(f"{enemy}{fort}", f"{own}{ball}") for ball in balls for fort in forts]
    facts += [in_fort(f"{of}{fort}", f"{whose}{ball}") for of in "ef" for fort in forts for whose in "ef" for ball in balls]
    facts += [
        left(kind, f"{whose}{ball}")
        for kind in ("holed", "off_table", "on_fort", "on_cushion")
        for whose in "ef"
        for ball in balls
    ]
    hits = [hit(f"{whose}{ball}", cushion=first) for whose in "ef" for ball in balls for first in (True, False)]
    forms = [form for form in GAME.offers(GAME.start(position={"turn": side})) if form.event == "stroke"]
    one, several, hidden, hidden_several, upon_own = (
        [json.dumps(choice, sort_keys=True) for choice in form.fields[-1].choices] for form in forms
    )
    assert sorted(one) == in_order([[], *([fact] for fact in facts)])
    assert sorted(several) == sorted(hidden_several) == in_order([*facts, *hits])
    assert sorted(hidden) == in_order([[], *([hit(f"{enemy}{ball}", cushion=c)] for ball in balls for c in (True, False))])
    assert sorted(upon_own) == in_order([[hit(f"{own}{ball}")] for ball in ("d1", "d2")])


def in_order(choices: list[Any]) -> list[str]:
    """Choices as text, however they were ordered."""
    return sorted(json.dumps(choice, sort_keys=True) for choice in choices)
