"""Bagatelle: the cups as sensors saw them, and balls that score as they are holed."""

from __future__ import annotations

from tests.controller.rules.bagatelle_words import EIGHT, STRUCK, bagatelle, refusal, shot, turn_of

# The cups as seen (B-01, B-15).


def test_cups_as_seen_count_and_a_difference_is_a_notice() -> None:
    played = bagatelle(shot("white-1", {"black": "cup-9", "white-1": "cup-7"}, hit=True, cups={"9": "black", "6": "white-1"}))
    assert played.position["cups"] == {"6": "white-1", "9": "black"}
    assert played.position["turn_points"] == 24
    [notice] = played.notices
    assert notice.rule == "B-01"
    assert "cup 6 is filled" in notice.text
    assert "cup 7 is empty" in notice.text


def test_cups_seen_as_the_moves_have_them_are_no_difference() -> None:
    moves = {"black": "cup-9", "white-1": "cup-7"}
    assert not bagatelle(shot("white-1", moves, hit=True, cups={"9": "black", "7": "white-1"})).notices


def test_another_cup_with_the_black_is_a_difference() -> None:
    moves = {"black": "cup-9", "white-1": "cup-7"}
    played = bagatelle(shot("white-1", moves, hit=True, cups={"9": "white-1", "7": "black"}))
    assert played.position["turn_points"] == 14 + 9
    assert ["black is in cup 7" in n.text for n in played.notices] == [True]


def test_which_white_or_red_was_seen_makes_no_difference() -> None:
    seen = {"9": "red-4", "8": "red-4"}
    played = bagatelle(STRUCK, shot("white-2", {"white-1": "cup-9", "white-2": "cup-8"}, cups=seen))
    assert not played.notices
    assert sorted(played.position["cups"].values()) == ["white-1", "white-2"]
    assert "red-4" in played.position["in_hand"]


def test_cups_seen_empty_hold_nothing() -> None:
    played = bagatelle(shot("white-1", {"black": "cup-9"}, hit=True), {"event": "end_turn", "cups": {}})
    assert played.score["A"] == 0
    assert [n.rule for n in played.notices] == ["B-01", "BAG-04"]


def test_cups_seen_at_the_end_of_a_turn_are_banked() -> None:
    for closing in ({"event": "end_turn"}, {"event": "turn", "side": "B"}):
        played = bagatelle(STRUCK, {**closing, "cups": {"5": "black"}})
        assert played.points() == {("A", "BAG-12"): 10}
    eighth = bagatelle(*turn_of(9)[:7], shot("red-4", {"red-4": "cup-1"}, cups={"9": "white-1", "2": "red-4"}))
    assert eighth.points() == {("A", "BAG-11"): 11}


def test_cups_before_the_black_is_struck_are_ignored() -> None:
    played = bagatelle(
        shot("white-1", {"white-1": "cup-9"}, cups={"9": "white-1"}), {"event": "end_turn", "cups": {"9": "white-1"}}
    )
    assert played.score == {"A": 0, "B": 0}
    assert [n.rule for n in played.notices] == ["BAG-06", "B-15", "BAG-04"]
    stray = bagatelle(shot("white-1", {"white-1": "cup-9"}, cups={"9": "white-1", "3": "white-2"}))
    assert [n.rule for n in stray.notices] == ["BAG-06", "B-15"]


def test_a_black_seen_in_a_cup_was_struck() -> None:
    at_the_shot = bagatelle(shot("white-1", {"white-1": "cup-2"}, cups={"8": "black", "2": "white-1"}))
    assert (at_the_shot.position["black_struck"], at_the_shot.position["turn_points"]) == (True, 18)
    at_the_end = bagatelle(shot("white-1", {"white-1": "cup-2"}), {"event": "end_turn", "cups": {"8": "black", "2": "white-1"}})
    assert at_the_end.score["A"] == 18
    assert "BAG-05" in [n.rule for n in at_the_end.notices]


def test_cups_seen_before_the_first_ball_are_to_be_cleared() -> None:
    for event in ({"event": "turn", "side": "A", "cups": {"9": "black"}}, {"event": "end_turn", "cups": {"9": "black"}}):
        played = bagatelle(event)
        assert played.score == {"A": 0, "B": 0}
        assert played.notices[0].rule == "BAG-04"


def test_more_balls_seen_than_played_is_refused() -> None:
    assert refusal(bagatelle(shot("white-1", {"black": "board"}, hit=True, cups={"9": "white-1", "8": "white-2"}))) == "BAG-10"
    assert refusal(bagatelle(shot("white-1", {"black": "board"}, hit=True, cups={"9": "black", "8": "black"}))) == "BAG-01"
    assert refusal(bagatelle(STRUCK, {"event": "end_turn", "cups": {"9": "black", "8": "black"}})) == "BAG-01"


def test_a_ball_seen_in_a_cup_was_not_lifted() -> None:
    events = [shot("white-1"), shot("white-2", {"black": "board"}, hit=True, cups={"9": "white-1", "8": "white-2"})]
    played = bagatelle(*events, shot("white-3", {"white-1": "board", "white-3": "cup-9"}))
    assert played.position["cups"] == {"8": "white-2", "9": "white-3"}


def test_a_removed_black_stays_removed_unless_it_is_seen() -> None:
    back = shot("white-1", {"black": "past_half_way", "white-1": "cup-1"}, hit=True)
    assert bagatelle(back, shot("white-2", cups={"1": "white-1"})).position["black"] == "removed"
    seen = shot("white-2", cups={"1": "white-1", "9": "black"})
    assert bagatelle(back, seen).position["turn_points"] == 19
    assert bagatelle(back, seen, shot("white-3", cups={"1": "white-1"})).position["black"] == "board"


def test_a_black_knocked_out_as_seen_lies_on_the_board() -> None:
    played = bagatelle(shot("white-1", {"black": "cup-9"}, hit=True), shot("white-2", cups={}))
    assert (played.position["black"], played.position["turn_points"]) == ("board", 0)


# As made (B-01).


def test_as_made_every_holing_counts() -> None:
    events = [
        shot("white-1", {"black": "cup-1", "white-1": "cup-9"}, hit=True),
        shot("white-2", {"black": "cup-8", "white-1": "past_half_way"}),
        shot("white-3", {"white-3": "cup-9"}),
    ]
    made = bagatelle(*events, {"event": "end_turn"}, scoring="as_made")
    assert made.points() == {("A", "BAG-12"): 2 + 16, ("A", "BAG-11"): 9 + 9}
    final = bagatelle(*events, {"event": "end_turn"})
    assert final.points() == {("A", "BAG-12"): 16, ("A", "BAG-11"): 9}


def test_as_made_a_ball_that_stays_in_its_cup_is_not_holed_again() -> None:
    played = bagatelle(shot("white-1", {"black": "cup-9"}, hit=True), shot("white-2", {"black": "cup-9"}), scoring="as_made")
    assert played.position["turn_points"] == 18


def test_as_made_cups_as_seen_give_no_points() -> None:
    seen = {"9": "black", "8": "white-1"}
    played = bagatelle(shot("white-1", {"black": "board", "white-1": "cup-8"}, hit=True, cups=seen), scoring="as_made")
    assert (played.position["turn_points"], played.position["cups"]) == (8, {"8": "white-1", "9": "black"})


def test_as_made_may_pass_the_most_that_final_cups_can_hold() -> None:
    swaps = [shot(ball, {"black": "cup-9" if n % 2 else "cup-8"}, hit=True) for n, ball in enumerate(EIGHT)]
    assert bagatelle(*swaps, scoring="as_made").score["A"] == 4 * 16 + 4 * 18
