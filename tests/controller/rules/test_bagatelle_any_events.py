"""Bagatelle under any well-formed events at all, in any order: rulings and refusals, never an exception."""

from __future__ import annotations

from typing import Any, get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rules.awards import Ruling
from controller.rules.bagatelle import Bagatelle
from controller.rules.bagatelle.words import Ball, Cup, Rest
from tests.legal_play import check_state, option_values, try_event

GAME = Bagatelle()
SIDES = st.sampled_from(["A", "B"])
BALLS = st.sampled_from(get_args(Ball))
SEEN = st.dictionaries(st.sampled_from(get_args(Cup)), BALLS, max_size=5)
MOVES = st.lists(st.fixed_dictionaries({"ball": BALLS, "to": st.sampled_from(get_args(Rest))}), max_size=4)
SHOTS = st.fixed_dictionaries(
    {"event": st.just("shot"), "ball": BALLS, "hit_black": st.booleans(), "moves": MOVES},
    optional={"from": st.sampled_from(["b", "behind_b", "ahead_of_b"]), "side": SIDES, "cups": SEEN},
)
END_TURNS = st.fixed_dictionaries({"event": st.just("end_turn")}, optional={"side": SIDES, "cups": SEEN})
TURNS = st.fixed_dictionaries({"event": st.just("turn"), "side": SIDES}, optional={"cups": SEEN})
EVENTS = st.lists(st.one_of(SHOTS, SHOTS, SHOTS, END_TURNS, TURNS), max_size=25)
OPTIONS = st.fixed_dictionaries({}, optional={o.name: st.sampled_from(option_values(o)) for o in GAME.options})
POSITIONS = st.sampled_from(
    [
        {},
        {"balls_left": 3, "black_struck": True},
        {"balls_left": 6, "cups": {"9": "black", "1": "red-4"}},
        {"balls_left": 5, "black": "removed", "black_struck": False},
        {"in_hand": ["red-1", "white-4"], "black": "cup-4"},
    ]
)


@settings(max_examples=150, deadline=None)
@given(options=OPTIONS, position=POSITIONS, events=EVENTS)
def test_any_events(options: dict[str, Any], position: dict[str, Any], events: list[dict[str, Any]]) -> None:
    state = GAME.start(options, position)
    for event in events:
        outcome = try_event(GAME, state, event)
        if not isinstance(outcome, Ruling):
            continue
        state = outcome.state
        check_state(GAME, state, options)
        in_cups = [ball for ball in state.turn.cups if ball]
        assert len(state.turn.cups) == 9
        assert len(set(in_cups)) == len(in_cups)
        assert not set(in_cups) & {ball for ball, _ in state.turn.off}
        # Of the eight, those in cups, those taken off and those to be played are all there are.
        assert len([ball for ball in in_cups if ball != "black"]) <= 8 - state.turn.balls_left
        if options.get("scoring", "final") == "final":
            assert sum(award.points for award in (*outcome.awards, *(outcome.unbanked or ()))) <= 54
