"""Bagatelle's positions: partial, complete, and those that can't stand."""

from __future__ import annotations

from typing import Any

import pytest

from controller.rules.bagatelle import Bagatelle
from controller.rules.errors import BadPosition
from tests.rules_kit import difference

GAME = Bagatelle()
START = {
    "score": {"A": 0, "B": 0},
    "turn": "A",
    "player": None,
    "balls_left": 8,
    "in_hand": ["white-1", "white-2", "white-3", "white-4", "red-1", "red-2", "red-3", "red-4"],
    "black": "spot-a",
    "black_struck": False,
    "cups": {},
    "turn_points": 0,
}


def opened(position: dict[str, Any], **options: Any) -> dict[str, Any]:
    return GAME.position(GAME.start(options, position))


def test_a_game_starts_with_all_words() -> None:
    assert GAME.position(GAME.start()) == START
    assert GAME.position(GAME.start({"partners": True}))["player"] == "A1"


@pytest.mark.parametrize(
    ("given", "follows"),
    [
        ({"score": {"B": 7}}, {"score": {"A": 0, "B": 7}}),
        ({"black_struck": True}, {"black": "board"}),
        ({"black": "cup-9"}, {"black_struck": True, "cups": {"9": "black"}, "turn_points": 18}),
        ({"cups": {"9": "black"}}, {"black_struck": True, "black": "cup-9"}),
        ({"cups": {"8": "red-1"}}, {"black_struck": True, "black": "board", "balls_left": 7, "turn_points": 8}),
        ({"black": "removed"}, {"black_struck": True}),
        ({"black": "removed", "black_struck": False}, {"balls_left": 8}),
        ({"black": "spot-a", "black_struck": True}, {"cups": {}}),
        ({"balls_left": 3}, {"in_hand": None, "black": "spot-a"}),
        (
            {"balls_left": 7, "cups": {"8": "red-1"}},
            {"in_hand": ["white-1", "white-2", "white-3", "white-4", "red-2", "red-3", "red-4"]},
        ),
        ({"in_hand": ["red-2", "white-1"]}, {"balls_left": 2}),
        ({"in_hand": None, "turn": "B"}, {"balls_left": 8}),
        ({"cups": {"9": "black", "1": "white-1"}, "turn_points": 19}, {"balls_left": 7}),
    ],
)
def test_what_a_position_leaves_out_has_its_normal_meaning(given: dict[str, Any], follows: dict[str, Any]) -> None:
    position = opened(given)
    said = {name: value for name, value in given.items() if value is not None}
    assert difference(said, position) is None
    assert difference(follows, position) is None
    assert opened(position) == position


@pytest.mark.parametrize(
    ("given", "player", "turn"),
    [({"turn": "B"}, "B1", "B"), ({"player": "A2"}, "A2", "A"), ({"player": "B2", "turn": "B"}, "B2", "B")],
)
def test_partners_position(given: dict[str, Any], player: str, turn: str) -> None:
    position = opened(given, partners=True)
    assert (position["player"], position["turn"]) == (player, turn)
    assert opened(position, partners=True) == position


@pytest.mark.parametrize(
    ("given", "points", "awarded"),
    [
        ({"cups": {"9": "black"}}, 18, {"BAG-12": 18}),
        ({"cups": {"9": "black"}, "turn_points": 18}, 18, {"BAG-12": 18}),
        ({"cups": {"9": "black"}, "turn_points": 25}, 25, {"BAG-12": 18, "BAG-11": 7}),
        ({"cups": {"9": "black"}, "turn_points": 4}, 4, {"BAG-11": 4}),
        ({"cups": {"9": "black"}, "turn_points": 0}, 0, {}),
        ({"cups": {"1": "white-1", "2": "black"}}, 5, {"BAG-11": 1, "BAG-12": 4}),
        ({"black_struck": True, "turn_points": 4}, 4, {"BAG-11": 4}),
    ],
)
def test_points_made_before_a_position(given: dict[str, Any], points: int, awarded: dict[str, int]) -> None:
    state = GAME.start({"scoring": "as_made"}, given)
    assert GAME.position(state)["turn_points"] == points
    assert {award.rule: award.points for award in GAME.unbanked(state)} == awarded
    assert opened(GAME.position(state), scoring="as_made") == GAME.position(state)


def test_a_finished_game_has_nobody_in_turn() -> None:
    state = GAME.start({}, {"score": {"A": 125, "B": 90}})
    over = GAME.over(state)
    assert over is not None
    assert (over.winner, over.double) == ("A", False)
    finished = GAME.position(state)
    assert finished["turn"] is None
    assert finished["balls_left"] == 0
    assert opened(finished) == finished
    assert opened({"score": {"A": 125}})["turn"] is None


def test_the_second_player_still_in_turn_at_the_target_has_his_last_turn() -> None:
    assert opened({"score": {"A": 125, "B": 90}, "turn": "B"})["turn"] == "B"
    assert opened({"score": {"A": 120, "B": 120}, "turn": "A"}, tie="extra_turns")["turn"] == "A"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"score": {"A": -1}}, "score of A is -1"),
        ({"score": {"C": 1}}, "unknown 'C'"),
        ({"score": {"A": 1.5}}, "whole number"),
        ({"scores": {}}, "did you mean 'score'"),
        ({"turn": "A1"}, "position.turn"),
        ({"turn": None}, "no side has reached 120"),
        *[({word: None}, f"{word}: null says nothing here") for word in START if word not in ("turn", "player", "in_hand")],
        ({"player": "A1"}, "only where partners play"),
        ({"balls_left": 0}, "1 to 8"),
        ({"balls_left": 9}, "1 to 8"),
        ({"balls_left": 2, "in_hand": ["red-1"]}, "in_hand names 1"),
        ({"balls_left": 8, "cups": {"1": "red-1"}}, "1 of the eight lie in cups"),
        ({"in_hand": ["black"]}, "the black is never in hand"),
        ({"in_hand": ["red-1", "red-1"]}, "once"),
        ({"in_hand": ["red-1"], "cups": {"1": "red-1"}}, "red-1: in hand and in a cup"),
        ({"in_hand": []}, "1 to 8"),
        ({"cups": {"1": "red-1", "2": "red-1"}}, "named twice"),
        ({"cups": {"0": "red-1"}}, "unknown '0'"),
        ({"cups": {"9": "black"}, "black": "cup-8"}, "the cups have it in cup-9"),
        ({"cups": {"9": "black"}, "black": "board"}, "the cups have it in cup-9"),
        ({"cups": {"9": "red-1"}, "black": "cup-8"}, "don't have it there"),
        ({"cups": {"9": "red-1"}, "black_struck": False}, "black_struck is false"),
        ({"black": "board", "black_struck": False}, "black_struck is false"),
        ({"cups": {"9": "red-1"}, "turn_points": 8}, "the cups hold 9"),
        ({"turn_points": 8}, "the cups hold 0"),
        ({"score": {"A": 120}, "turn": "A"}, "A can't be in turn"),
        ({"score": {"A": 120}, "balls_left": 3}, "the game is over"),
        ({"score": {"A": 120}, "turn": None, "black": "board"}, "the game is over"),
    ],
)
def test_positions_that_cannot_stand(given: dict[str, Any], says: str) -> None:
    with pytest.raises(BadPosition) as error:
        GAME.start({}, given)
    assert says in str(error.value)
    assert str(error.value).startswith("position")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"turn": "A", "player": "B1"}, "B1 plays for B"),
        ({"player": "C1"}, "position.player"),
        ({"player": None}, "player is null, but partners play"),
        ({"score": {"A": 120}, "player": "A2"}, "A can't be in turn"),
    ],
)
def test_partners_positions_that_cannot_stand(given: dict[str, Any], says: str) -> None:
    with pytest.raises(BadPosition, match=says):
        GAME.start({"partners": True}, given)


def test_points_made_are_never_negative() -> None:
    with pytest.raises(BadPosition, match="turn_points is -1"):
        GAME.start({"scoring": "as_made"}, {"turn_points": -1})


# Where a position leaves open which balls are in hand, each played one narrows it down.


def apply(state: Any, event: dict[str, Any]) -> Any:
    return GAME.apply(state, GAME.read(event))


def shot(ball: str, **moves: str) -> dict[str, Any]:
    listed = [{"ball": name.replace("_", "-"), "to": to} for name, to in moves.items()]
    return {"event": "shot", "ball": ball, "hit_black": False, "moves": listed}


def test_any_ball_may_be_played_while_it_is_open_which_are_in_hand() -> None:
    state = GAME.start({}, {"balls_left": 2, "black_struck": True, "cups": {"5": "white-1"}})
    assert apply(state, shot("white-1")).rule == "BAG-10"
    after = apply(state, shot("red-4", red_3="cup-9")).state
    position = GAME.position(after)
    assert (position["balls_left"], position["in_hand"], position["turn_points"]) == (1, None, 14)
    assert apply(after, shot("red-4")).rule == "BAG-10", "it has just been played"
    assert apply(after, shot("red-3")).rule == "BAG-10", "it moved, so it had been played"
    assert GAME.position(apply(after, shot("white-4")).state)["turn"] == "B"


def test_as_many_balls_stay_in_hand_as_the_position_says() -> None:
    state = GAME.start({}, {"balls_left": 7, "black_struck": True})
    after = apply(state, shot("red-4", red_3="cup-9")).state
    position = GAME.position(after)
    assert position["balls_left"] == 6
    assert position["in_hand"] == ["white-1", "white-2", "white-3", "white-4", "red-1", "red-2"], (
        "red 3 was the one played before"
    )
    assert apply(after, shot("red-2", red_1="cup-8")).rule == "BAG-10", "red 1 is in hand"


def test_a_ball_seen_in_a_cup_is_not_in_hand() -> None:
    state = GAME.start({}, {"balls_left": 7, "black_struck": True})
    event = {**shot("red-4"), "cups": {"1": "white-3", "2": "red-4"}}
    assert GAME.position(apply(state, event).state)["in_hand"] == ["white-1", "white-2", "white-4", "red-1", "red-2", "red-3"]
    others = {**shot("red-4"), "cups": {"1": "white-3", "2": "white-2"}}
    named = GAME.position(apply(state, others).state)
    assert set(named["cups"].values()) == {"white-3", "red-4"}, "two balls were played, and one of them was red 4"
    assert named["balls_left"] == len(named["in_hand"]) == 6


def test_balls_seen_under_one_name_are_two_of_those_that_may_have_been_played() -> None:
    state = GAME.start({}, {"balls_left": 2, "black_struck": True})
    ruling = apply(state, {"event": "end_turn", "cups": {"1": "white-1", "2": "white-1"}})
    assert ruling.state.a == 3
