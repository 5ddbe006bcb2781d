"""What holds in every game, in legal play and after events that can't be."""

from __future__ import annotations

import json
import math
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rulebook import read_rules
from controller.rules.awards import Refusal, Ruling
from controller.rules.bagatelle import Bagatelle
from controller.rules.errors import BadEvent, BadOption, BadPosition
from controller.rules.game import Game
from controller.rules.registry import find_game
from tests.controller.rules.award_rules import award_rules
from tests.legal_play import (
    a_closed_filling,
    check_state,
    option_values,
    play_by_offers,
    play_on,
    some_position_under_any_house_rules,
    some_start,
    try_event,
)
from tests.rules_kit import GAMES, load_cases

every_game = pytest.mark.parametrize("name", GAMES)
some_examples = settings(max_examples=40, deadline=None)
chances = st.randoms(use_true_random=False)


@every_game
@some_examples
@given(chance=chances)
def test_play_keeps_the_score_the_state_and_the_past(name: str, chance: Random) -> None:
    game = find_game(name)
    first, options = some_start(chance, game)
    check_state(game, first, options)
    state, stood = first, []
    for event, ruling in play_on(chance, game, first, steps=10):
        state = ruling.state
        stood.append(event)
        check_state(game, state, options)
    assert folded(game, first, stood) == state
    if stood:
        # Undo is the fold of what came before: it must be a state from which the last event leads back here.
        outcome = try_event(game, folded(game, first, stood[:-1]), stood[-1])
        assert isinstance(outcome, Ruling)
        assert outcome.state == state


def folded(game: Game[Any], state: Any, events: list[dict[str, Any]]) -> Any:
    """The state after events that all stand, kept as JSON between them as a journal would."""
    for event in events:
        outcome = game.apply(game.state_from_json(game.state_to_json(state)), game.read(event))
        assert isinstance(outcome, Ruling)
        state = outcome.state
    return state


@every_game
@some_examples
@given(chance=chances)
def test_every_filling_of_a_closed_form_stands(name: str, chance: Random) -> None:
    game = find_game(name)
    state, _ = some_start(chance, game)
    for _ in range(12):
        event = a_closed_filling(chance, game, state)
        if event is None:
            break
        outcome = try_event(game, state, event)
        assert isinstance(outcome, Ruling), (event, outcome)
        state = outcome.state


@every_game
def test_a_game_that_goes_on_always_offers_something(name: str) -> None:
    game, chance = find_game(name), Random(3)
    for _ in range(60):
        state, _ = some_start(chance, game)
        for _, ruling in play_on(chance, game, state, steps=6):
            forms = game.offers(ruling.state)
            assert forms or game.over(ruling.state) is not None
            assert len({repr(form) for form in forms}) == len(forms), "the same form is offered twice"
            for field in (field for form in forms for field in form.fields):
                told = [json.dumps(choice) for choice in field.choices]
                assert len(told) == len(set(told)), field.name


@every_game
def test_play_by_offers_alone_reaches_every_rule_that_the_code_can_award(name: str) -> None:
    game, chance, wanted = find_game(name), Random(5), award_rules(name)
    assert wanted >= {award["rule"] for case in load_cases(name) for award in case["expect"].get("awards", ())}
    reached: set[str] = set()
    for _ in range(12000):
        state = some_position_under_any_house_rules(chance, game)
        for _, ruling in play_by_offers(chance, game, state, steps=8):
            reached |= {award.rule for award in ruling.awards}
        if reached >= wanted:
            break
    assert reached == wanted


PREFIXES = {"bagatelle": "BAG", "fortification": "FORT", "squails": "SQU", "maw": "MAW"}


@every_game
def test_a_game_is_found_by_its_name_and_its_rules_bear_its_prefix(name: str) -> None:
    game = find_game(name)
    assert (game.name, game.prefix) == (name, PREFIXES[name])
    assert any(rule.startswith(f"{game.prefix}-") for rule in read_rules(name))


@every_game
def test_every_option_says_in_one_line_what_it_does(name: str) -> None:
    book = read_rules(name)
    for option in find_game(name).options:
        assert option.item in book, option.name
        assert not option.choices or option.default == option.choices[0]
        assert len({json.dumps(choice) for choice in option.choices}) == len(option.choices)
        assert option.text, option.name
        assert "\n" not in option.text
        for value in option_values(option):
            find_game(name).start({option.name: value})


@every_game
@pytest.mark.parametrize(
    "other", [{"game": "whist"}, {"game": None}, {"version": 0}, {"version": None}, {"state": None}, {"state": {"no": 1}}]
)
def test_a_state_that_another_game_or_version_wrote_is_not_read(name: str, other: dict[str, Any]) -> None:
    game = find_game(name)
    written = game.state_to_json(game.start())
    assert game.state_from_json(written) == game.start()
    with pytest.raises(BadPosition):
        game.state_from_json({**written, **other})


NUMBERS: dict[str, dict[str, tuple[float | None, int, int | None, bool]]] = {
    "bagatelle": {"target": (120, 1, None, True)},
    "fortification": {"target": (20, 1, None, True)},
    "squails": {
        "target": (5, 1, None, True),
        "players": (2, 2, 8, True),
        "gauge_mm": (76.2, 1, None, False),
        "squails_each": (None, 1, 8, True),
    },
    "maw": {"out": (27, 1, None, True), "livings": (2, 1, None, True), "game_value": (4, 1, None, True)},
}
"""Default, least and most of the house rules that are numbers, and whether only whole ones are taken."""


@every_game
def test_the_bounds_of_every_house_rule_that_is_a_number(name: str) -> None:
    game = find_game(name)
    numbers = [option for option in game.options if not option.choices or None in option.choices]
    assert {one.name: (one.default, one.least, one.most, one.whole) for one in numbers} == NUMBERS[name]
    for option in numbers:
        beyond = [option.least - 1, "3", True, math.inf, -math.inf, math.nan, [option.least]]
        beyond += [option.least + 0.5] if option.whole else []
        beyond += [] if option.most is None else [option.most + 1]
        for value in beyond:
            with pytest.raises(BadOption, match=rf"^option {option.name}\b"):
                game.start({option.name: value})


OPTIONAL = {
    "bagatelle": {("shot", "cups"), ("shot", "from")},
    "fortification": {("stroke", "hidden_ball")},
    "squails": {("strike", "target"), ("strike", "crossed_far_line")},
    "maw": {("offence", "looked_at"), ("play", "card"), ("lead", "card"), ("rob", "same_card_back"), ("rob", "made_out_by")},
}
"""Fields of forms that may be left out, by kind of event."""


@every_game
def test_which_fields_of_forms_may_be_left_out(name: str) -> None:
    game, chance = find_game(name), Random(3)
    left_out, needed = set(), set()
    for _ in range(60):
        first, _ = some_start(chance, game)
        for state in (first, *(ruling.state for _, ruling in play_on(chance, game, first, steps=6))):
            for form in game.offers(state):
                for one in form.fields:
                    (needed if one.required else left_out).add((form.event, one.name))
    assert left_out == OPTIONAL[name]
    assert not left_out & needed


@every_game
@pytest.mark.parametrize("wrong", [[], "shot", None, {}, {"event": 1}])
def test_what_is_no_event_is_bad(name: str, wrong: Any) -> None:
    with pytest.raises(BadEvent):
        find_game(name).read(wrong)


@pytest.mark.parametrize("name", GAMES)
def test_a_ruling_is_the_marker_s_or_a_side_s_and_nobody_else_s(name: str) -> None:
    game = find_game(name)
    state = game.start({}, {})
    for by in ("marker", *game.sides(state)):
        assert isinstance(
            game.apply(state, game.read_in(state, {"event": "ruling", "ask": "?", "by": by, "value": True})), Refusal
        )
    with pytest.raises(BadEvent, match="by"):
        game.read_in(state, {"event": "ruling", "ask": "?", "by": "stranger", "value": True})


def test_a_ruling_by_a_side_that_a_game_of_squails_hasn_t_is_bad() -> None:
    game = find_game("squails")
    with pytest.raises(BadEvent, match="'dark' isn't in this game"):
        game.read_in(game.start({"players": 3}, {}), {"event": "ruling", "ask": "?", "by": "dark", "value": True})


@some_examples
@given(chance=chances)
def test_a_turn_of_bagatelle_is_never_worth_more_than_the_cups_hold(chance: Random) -> None:
    game = Bagatelle()
    options = {"half_way_applies_to": chance.choice(("any", "cue_ball", "any_but_black"))}
    for _, ruling in play_on(chance, game, game.start(options), steps=30):
        for points in (ruling.awards, ruling.unbanked or ()):
            with_black = any(award.rule == "BAG-12" for award in points)
            assert sum(award.points for award in points) <= (54 if with_black else 44)
