"""After every step of legal play, events that must be refused are, by a rule of the book, and leave no trace."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rulebook import read_rules
from controller.rules.awards import Refusal
from controller.rules.game import Game
from controller.rules.registry import find_game
from tests.controller.rules.illegal_events import TWICE, illegal_events
from tests.legal_play import Json, play_by_offers, some_position_under_any_house_rules
from tests.rules_kit import GAMES

every_game = pytest.mark.parametrize("name", GAMES)


def refuse_all(game: Game[Any], state: Any, before: Json | None) -> set[str]:
    """Try every event that is illegal here; gives the rules by which they were refused."""
    written, rules = game.state_to_json(state), set()
    for event in illegal_events(game, state, before):
        outcome = game.apply(state, game.read(event))
        assert isinstance(outcome, Refusal), (event, game.position(state))
        rules.add(outcome.rule)
    assert game.state_to_json(state) == written
    return rules


@every_game
@settings(max_examples=50, deadline=None)
@given(chance=st.randoms(use_true_random=False))
def test_after_every_legal_step_what_is_illegal_there_is_refused(name: str, chance: Random) -> None:
    game, book = find_game(name), read_rules(name)
    state = some_position_under_any_house_rules(chance, game)
    rules = refuse_all(game, state, None)
    for event, ruling in play_by_offers(chance, game, state, steps=10):
        rules |= refuse_all(game, ruling.state, event)
    assert rules
    assert rules <= set(book)


@every_game
def test_illegal_events_are_tried_after_each_kind_of_event_and_after_the_end(name: str) -> None:
    game, chance = find_game(name), Random(7)
    kinds, ended = set(), 0
    for _ in range(1000):
        for event, ruling in play_by_offers(chance, game, some_position_under_any_house_rules(chance, game), steps=12):
            kinds.add(event["event"])
            assert refuse_all(game, ruling.state, event)
            ended += ruling.over is not None
        if kinds >= TWICE[name] and ended:
            break
    assert kinds >= TWICE[name]
    assert ended
