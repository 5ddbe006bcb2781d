"""Bagatelle: the handed cases, then each rule and each house rule, and how they meet."""

from __future__ import annotations

from typing import Any

import pytest

from controller.rules.bagatelle import Bagatelle
from controller.rules.errors import BadEvent, BadOption
from tests.controller.rules.bagatelle_words import EIGHT, STRUCK, bagatelle, refusal, shot, turn_of
from tests.rules_kit import case_params, check_case


@pytest.mark.parametrize("case", case_params("bagatelle"))
def test_handed_case(case: dict[str, Any]) -> None:
    check_case(case)


@pytest.mark.parametrize("case", case_params("bagatelle_rules"))
def test_case_of_a_rule(case: dict[str, Any]) -> None:
    check_case(case)


# The last turn after the target is reached (BAG-15): nothing ends until the second player has replied.


def test_first_player_at_the_target_leaves_the_second_his_eight_balls() -> None:
    played = bagatelle(*turn_of(9), position={"score": {"A": 115, "B": 100}})
    assert played.game.over(played.state) is None
    assert played.position["turn"] == "B"
    assert [n.rule for n in played.notices][-1] == "BAG-15a"


def test_second_player_overtakes_in_his_last_turn() -> None:
    played = bagatelle(*turn_of(9), *turn_of(9, 8, 7), position={"score": {"A": 115, "B": 101}})
    over = played.game.over(played.state)
    assert (over.winner, over.rule, over.double) == ("B", "BAG-15b", False)


def test_second_player_reaching_first_ends_the_game_only_when_his_eight_are_played() -> None:
    position = {"score": {"A": 80, "B": 119}, "turn": "B"}
    seven = bagatelle(*turn_of(9)[:7], position=position)
    assert seven.game.over(seven.state) is None
    eight = bagatelle(*turn_of(9), position=position)
    over = eight.game.over(eight.state)
    assert (over.winner, over.rule) == ("B", "BAG-14b")
    assert eight.score == {"A": 80, "B": 128}
    assert eight.position["turn"] is None
    assert eight.game.turn(eight.state) is None
    assert eight.game.offers(eight.state) == ()


def test_events_after_the_end_are_refused() -> None:
    for late in (STRUCK, {"event": "end_turn"}, {"event": "turn", "side": "A"}):
        played = bagatelle(*turn_of(9), late, position={"score": {"B": 119}, "turn": "B"})
        assert refusal(played) == "BAG-14b"


def test_equal_totals_are_a_draw_by_default() -> None:
    level = bagatelle(*turn_of(9), position={"score": {"A": 129, "B": 120}, "turn": "B"})
    over = level.game.over(level.state)
    assert (over.winner, over.draw, over.double, over.rule) == (None, True, False, "B-02")


def test_equal_totals_may_play_on_turn_by_turn() -> None:
    level = bagatelle(*turn_of(9), position={"score": {"A": 129, "B": 120}, "turn": "B"}, tie="extra_turns")
    assert level.game.over(level.state) is None
    assert level.notices[-1].rule == "B-02"
    ahead = bagatelle(*turn_of(9), *turn_of(9), position={"score": {"A": 129, "B": 120}, "turn": "B"}, tie="extra_turns")
    assert ahead.game.over(ahead.state) is None, "B still has his extra turn"
    done = bagatelle(
        *turn_of(9), *turn_of(9), *turn_of(8), position={"score": {"A": 129, "B": 120}, "turn": "B"}, tie="extra_turns"
    )
    over = done.game.over(done.state)
    assert (over.winner, over.rule) == ("A", "BAG-15b")
    still = bagatelle(
        *turn_of(9), *turn_of(9), *turn_of(9), position={"score": {"A": 129, "B": 120}, "turn": "B"}, tie="extra_turns"
    )
    assert still.game.over(still.state) is None


def test_the_room_is_told_what_the_last_turns_are_for() -> None:
    exactly = bagatelle(*turn_of(5), position={"score": {"A": 115, "B": 100}})
    assert [n.rule for n in exactly.notices] == ["BAG-04", "BAG-15a"]
    short = bagatelle(*turn_of(4), position={"score": {"A": 115, "B": 100}})
    assert [n.rule for n in short.notices] == ["BAG-04"]
    extra = bagatelle(*turn_of(9), position={"score": {"A": 120, "B": 120}}, tie="extra_turns")
    assert [n.rule for n in extra.notices] == ["BAG-04", "B-02"]


# The double (BAG-16) and the corner (BAG-03, B-04).


@pytest.mark.parametrize(
    ("loser", "options", "double"),
    [
        (60, {}, True),
        (61, {}, False),
        (60, {"target": 200}, True),
        (61, {"target": 200, "corner": "half_target"}, True),
        (100, {"target": 200, "corner": "half_target"}, True),
        (101, {"target": 200, "corner": "half_target"}, False),
        (49, {"target": 50}, True),
        (25, {"target": 51, "corner": "half_target"}, True),
        (26, {"target": 51, "corner": "half_target"}, False),
    ],
)
def test_loser_short_of_the_corner_loses_double(loser: int, options: dict[str, Any], double: bool) -> None:
    target = options.get("target", 120)
    played = bagatelle({"event": "end_turn"}, position={"score": {"A": target, "B": loser}, "turn": "B"}, **options)
    over = played.game.over(played.state)
    assert (over.winner, over.double, over.rule) == ("A", double, "BAG-15b")


# Partners (BAG-17).


def test_partners_play_a_whole_eight_in_turn() -> None:
    played = bagatelle(partners=True)
    seen = []
    for _ in range(5):
        seen.append(played.position["player"])
        played.state = played.game.apply(played.state, played.game.read({"event": "end_turn"})).state
    assert seen == ["A1", "B1", "A2", "B2", "A1"]


def test_partners_game_ends_after_the_reply_of_the_other_side() -> None:
    played = bagatelle(*turn_of(9), position={"score": {"A": 115}, "player": "A2"}, partners=True)
    assert played.position["player"] == "B2"
    assert played.game.over(played.state) is None
    done = bagatelle(*turn_of(9), {"event": "end_turn"}, position={"score": {"A": 115}, "player": "A2"}, partners=True)
    assert done.game.over(done.state).winner == "A"


# The duty to strike the black (BAG-05 to BAG-07).


def test_the_black_is_never_played() -> None:
    assert refusal(bagatelle(shot("black", {"black": "cup-9"}, hit=True))) == "BAG-05"


def test_missed_balls_are_lifted_and_their_cups_named() -> None:
    played = bagatelle(shot("white-1", {"white-1": "cup-9"}), shot("white-2"))
    assert [n.rule for n in played.notices] == ["BAG-06", "BAG-07"]
    assert "cup 9" in played.notices[0].text
    assert played.position["cups"] == {}


def test_a_lost_ball_neither_moves_nor_is_played_again() -> None:
    assert refusal(bagatelle(shot("white-1"), shot("white-2", {"black": "board", "white-1": "cup-9"}, hit=True))) == "BAG-06"
    assert refusal(bagatelle(shot("white-1"), shot("white-1", {"black": "board"}, hit=True))) == "BAG-10"


def test_eight_misses_are_nothing_and_the_turn_passes() -> None:
    # B-03
    played = bagatelle(*[shot(ball) for ball in EIGHT])
    assert played.score == {"A": 0, "B": 0}
    assert played.position["turn"] == "B"
    assert played.position["black"] == "spot-a"


@pytest.mark.parametrize("to", ["cup-8", "board", "half_way_line", "past_half_way", "off_table"])
def test_a_black_that_left_its_spot_was_struck(to: str) -> None:
    played = bagatelle(shot("white-1", {"black": to, "white-1": "cup-3"}, hit=False))
    assert played.position["black_struck"] is True
    assert played.position["turn_points"] == 3 + (16 if to == "cup-8" else 0)
    assert "BAG-05" in [n.rule for n in played.notices]


def test_a_struck_black_that_no_move_names_lies_on_the_board() -> None:
    # B-12: that it was struck counts, not how
    assert bagatelle(shot("white-1", hit=True)).position["black"] == "board"


def test_a_ball_short_of_the_line_cannot_have_struck_the_black() -> None:
    assert refusal(bagatelle(shot("white-1", {"white-1": "short"}, hit=True))) == "BAG-05"
    assert refusal(bagatelle(shot("white-1", {"black": "short"}, hit=True))) == "BAG-05"


def test_a_short_ball_before_the_black_is_struck_has_missed() -> None:
    played = bagatelle(shot("white-1", {"white-1": "short"}))
    assert (played.position["balls_left"], played.notices[0].rule) == (7, "BAG-06")


# Balls that go off (BAG-08, B-05, B-07, B-08).


@pytest.mark.parametrize(
    ("applies_to", "white_1_off", "played_off", "black"),
    [("any", True, True, "removed"), ("cue_ball", False, True, "board"), ("any_but_black", True, True, "board")],
)
def test_which_balls_go_off_past_the_half_way_line(applies_to: str, white_1_off: bool, played_off: bool, black: str) -> None:
    back = shot("white-2", {"white-1": "past_half_way", "white-2": "past_half_way", "black": "past_half_way"})
    played = bagatelle(STRUCK, back, half_way_applies_to=applies_to)
    assert played.position["black"] == black
    for ball, off in (("white-1", white_1_off), ("white-2", played_off)):
        again = bagatelle(STRUCK, back, shot("white-3", {ball: "cup-9"}), half_way_applies_to=applies_to)
        assert bool(again.refused) == off, ball
        if off:
            assert refusal(again) == "BAG-08"


def test_a_black_driven_back_from_its_cup_scores_nothing() -> None:
    played = bagatelle(shot("white-1", {"black": "cup-9"}, hit=True), shot("white-2", {"black": "past_half_way"}))
    assert (played.position["black"], played.position["turn_points"], played.position["cups"]) == ("removed", 0, {})


def test_a_black_off_the_bed_is_neither_struck_nor_moved() -> None:
    for late in (shot("white-2", hit=True), shot("white-2", {"black": "cup-9"})):
        gone = shot("white-1", {"black": "off_table"}, hit=True)
        assert refusal(bagatelle(gone, late)) == "BAG-08"


def test_a_black_off_the_table_was_struck_and_later_balls_count() -> None:
    played = bagatelle(shot("white-1", {"black": "off_table"}, hit=True), shot("white-2", {"white-2": "cup-7"}))
    assert (played.position["black"], played.position["turn_points"]) == ("removed", 7)
    assert played.notices[0].rule == "B-07"


def test_short_ball_house_rules() -> None:
    weak = shot("white-2", {"white-2": "short"})
    nudge = shot("white-3", {"white-2": "cup-9"})
    stays = bagatelle(STRUCK, weak, nudge)
    assert (stays.position["turn_points"], stays.position["balls_left"]) == (9, 5)
    removed = bagatelle(STRUCK, weak, nudge, short_ball="removed")
    assert refusal(removed) == "B-08"
    again = bagatelle(STRUCK, weak, short_ball="replay")
    assert (again.position["balls_left"], "white-2" in again.position["in_hand"]) == (7, True)
    assert again.notices[-1].rule == "B-08"
    other = bagatelle(STRUCK, weak, shot("white-3", {"white-3": "cup-9"}), short_ball="replay")
    assert (other.position["balls_left"], other.position["turn_points"]) == (6, 9)
    first = bagatelle(shot("white-1", {"white-1": "short"}), short_ball="replay")
    assert (first.position["balls_left"], first.position["black_struck"]) == (8, False)


# From where a ball is played (BAG-09, B-13).


@pytest.mark.parametrize(
    ("struck", "where", "void"),
    [
        (False, "b", False),
        (False, "behind_b", True),
        (False, "ahead_of_b", True),
        (True, "behind_b", False),
        (True, "ahead_of_b", True),
    ],
)
def test_a_ball_from_the_wrong_place_is_played_again(struck: bool, where: str, void: bool) -> None:
    before = [STRUCK] if struck else []
    ball = "white-2" if struck else "white-1"
    played = bagatelle(*before, shot(ball, {"black": "cup-9", ball: "cup-8"}, hit=True, **{"from": where}))
    assert not played.refused
    assert (ball in played.position["in_hand"]) == void
    assert played.position["turn_points"] == (0 if void else 26)
    assert played.position["black_struck"] == (struck or not void)
    said = [n.text for n in played.notices if n.rule == "BAG-09"]
    assert len(said) == void
    assert all(text.endswith("from spot b or behind it." if struck else "again from spot b.") for text in said)


def test_an_impossible_shot_is_refused_even_when_it_would_be_void() -> None:
    wrong = shot("white-2", {"red-1": "cup-9"}, **{"from": "ahead_of_b"})
    played = bagatelle(STRUCK, wrong)
    assert refusal(played) == "BAG-10"
    assert played.refused[3].text.startswith("Red 1 can't move")


# What can't have happened.


@pytest.mark.parametrize(
    ("events", "rule"),
    [
        ([STRUCK, shot("white-2", {"red-1": "cup-9"})], "BAG-10"),
        ([STRUCK, shot("white-2", {"white-2": "cup-9", "white-1": "cup-9"})], "BAG-02"),
        (
            [STRUCK, {**shot("white-2"), "moves": [{"ball": "white-2", "to": "cup-9"}, {"ball": "white-2", "to": "board"}]}],
            "BAG-01",
        ),
        ([shot("white-1", side="B")], "BAG-10"),
        ([{"event": "end_turn", "side": "B"}], "BAG-10"),
        ([{"event": "ruling", "ask": "MAW-09c", "by": "A", "value": True}], "BAG-10"),
        ([shot("white-1"), shot("white-2", {"black": "board", "white-3": "board"}, hit=True)], "BAG-07"),
    ],
)
def test_refusals(events: list[dict[str, Any]], rule: str) -> None:
    before, played = bagatelle(*events[:-1]), bagatelle(*events)
    assert refusal(played) == rule
    assert played.state == before.state


def test_balls_may_change_places_in_one_shot() -> None:
    played = bagatelle(shot("white-1", {"black": "cup-9"}, hit=True), shot("white-2", {"white-2": "cup-9", "black": "cup-8"}))
    assert played.position["cups"] == {"8": "black", "9": "white-2"}
    assert played.position["turn_points"] == 9 + 16


# Turns: given up, opened, closed (BAG-10, B-14).


def test_a_turn_given_up_before_its_first_ball_banks_nothing() -> None:
    played = bagatelle({"event": "end_turn"})
    assert (played.position["turn"], played.awards) == ("B", [])


def test_opening_the_other_sides_turn_closes_an_unfinished_one() -> None:
    played = bagatelle(shot("white-1", {"black": "cup-4"}, hit=True), {"event": "turn", "side": "B"})
    assert (played.score, played.position["turn"], played.position["balls_left"]) == ({"A": 8, "B": 0}, "B", 8)


@pytest.mark.parametrize(
    ("before", "side", "stands"),
    [([], "A", True), ([], "B", False), ([STRUCK], "A", False), ([STRUCK], "B", True), ([{"event": "end_turn"}], "B", True)],
)
def test_who_may_open_a_turn(before: list[dict[str, Any]], side: str, stands: bool) -> None:
    played = bagatelle(*before, {"event": "turn", "side": side})
    if stands:
        assert not played.refused
        assert played.position["turn"] == side
    else:
        assert refusal(played) == "BAG-10"
        waits = "plays until the eight balls are gone" if before else "is next to play"
        assert next(iter(played.refused.values())).text == f"{side}'s turn can't begin now: A {waits}."


# What is provisional (B-14), and the words of events and options.


def test_nothing_is_banked_before_the_turn_ends() -> None:
    played = bagatelle(shot("white-1", {"black": "cup-9", "white-1": "cup-8"}, hit=True))
    assert played.score == {"A": 0, "B": 0}
    assert [(a.points, a.rule) for a in played.game.unbanked(played.state)] == [(18, "BAG-12"), (8, "BAG-11")]


@pytest.mark.parametrize(
    ("event", "says"),
    [
        ({"event": "shoot"}, "did you mean 'shot'"),
        (shot("white-5"), "did you mean 'white-"),
        (shot("white-1", {"white-1": "cup-10"}), "did you mean 'cup-1'"),
        ({"event": "shot", "ball": "white-1", "moves": []}, "hit_black"),
        ({**shot("white-1"), "hit_black": 1}, "true or false"),
        ({**shot("white-1"), "moves": None}, "a list"),
        ({**shot("white-1"), "spin": "left"}, "unknown field 'spin'"),
        (shot("white-1", side="C"), "unknown 'C'"),
        (shot("white-1", cups={"10": "black"}), "unknown '10'"),
        (shot("white-1", **{"from": None}), "from: null says nothing here"),
        ({"event": "end_turn", "side": None}, "side: null says nothing here"),
        ({"event": "turn"}, "side"),
        ({"event": "ruling", "ask": "MAW-09c", "by": "english", "value": True}, "ruling: by: unknown 'english'"),
    ],
)
def test_events_that_cannot_be_read(event: dict[str, Any], says: str) -> None:
    with pytest.raises(BadEvent) as error:
        Bagatelle().read(event)
    assert says in str(error.value)


def test_event_words_survive_a_round_trip() -> None:
    game = Bagatelle()
    written = shot(
        "white-1", {"black": "cup-9"}, hit=True, **{"from": "b", "side": "A", "cups": {"9": "black"}, "note": ["kept"]}
    )
    assert game.write(game.read(written)) == written


@pytest.mark.parametrize(
    "options", [{"target": 0}, {"target": "120"}, {"partners": 1}, {"corner": 61}, {"tie": "replay"}, {"goal": 1}]
)
def test_options_that_cannot_be(options: dict[str, Any]) -> None:
    with pytest.raises(BadOption):
        Bagatelle().start(options)


def test_every_option_says_what_it_does() -> None:
    for option in Bagatelle.options:
        assert option.text.endswith("."), option.name
        assert "\n" not in option.text
        assert option.item, option.name


def test_a_target_too_large_for_a_float_can_still_be_halved() -> None:
    game, target = Bagatelle(), 10**400
    over = game.over(game.start({"target": target, "corner": "half_target"}, {"score": {"A": target, "B": target // 2}}))
    assert over is not None
    assert over.double


def test_before_the_first_ball_only_what_lies_in_cups_is_to_be_lifted() -> None:
    # BAG-04
    nothing, nine = ({"event": "turn", "side": "A", "cups": cups} for cups in ({}, {"9": "black"}))
    assert bagatelle(nothing).notices == []
    assert [(n.rule, n.text) for n in bagatelle(nine).notices] == [("BAG-04", "Lift what lies in cup 9 before play.")]


def test_the_black_is_told_of_as_the_black_and_a_ball_by_its_number() -> None:
    off = bagatelle(shot("white-1", {"black": "past_half_way", "white-1": "off_table"}, hit=True))
    assert [n.text.partition(" came")[0].partition(" left")[0] for n in off.notices] == ["The black", "White 1"]


@pytest.mark.parametrize("short_ball", ["stays", "removed", "replay"])
@pytest.mark.parametrize("to", ["board", "cup-3"])
def test_house_rules_of_short_balls_are_for_short_balls_alone(short_ball: str, to: str) -> None:
    # B-08
    played = bagatelle(STRUCK, shot("white-2", {"white-2": to}), short_ball=short_ball)
    assert (played.notices, played.refused) == ([], {})
    assert played.position["balls_left"] == 6
    assert played.position["cups"] == ({"3": "white-2"} if to == "cup-3" else {})
    assert [n.rule for n in bagatelle(STRUCK, shot("white-2", {"white-2": "off_table"}), short_ball=short_ball).notices] == [
        "B-07"
    ]
