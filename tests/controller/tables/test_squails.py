"""The table of squails: strokes, the line and the target, over the whole engine."""

from __future__ import annotations

import math

import pytest

from hardware.signals import MS
from tests.squails_kit import BUTTONS, CAMERA, EDGE, HALL, HEAD, SQUAIL, SquailBench, at, ready

LIGHT, DARK = -math.pi / 2, math.pi / 2


# Strokes


def test_a_squail_that_comes_to_rest_is_a_stroke_of_whose_turn_it_is() -> None:
    bench = ready()
    bench.play("light-s1", (100, 0))
    bench.play("dark-s1", (-100, 0))
    assert bench.events_told == [
        {"event": "strike", "player": "light-1", "squail": "light-s1"},
        {"event": "strike", "player": "dark-1", "squail": "dark-s1"},
    ]
    assert bench.shown.turn == "light"
    assert bench.asked == []


def test_one_that_hangs_over_the_edge_is_set_and_not_struck() -> None:
    bench = ready()
    bench.lying["light-s1"] = at(LIGHT, EDGE - SQUAIL / 2)
    bench.wait(10)
    assert bench.events_told == []
    bench.lying["light-s1"] = (50, 0)
    bench.wait(2)
    assert [event["squail"] for event in bench.events_told] == ["light-s1"]


def test_one_that_is_set_and_taken_up_again_was_no_stroke() -> None:
    bench = ready()
    bench.lying["light-s1"] = at(LIGHT, EDGE - SQUAIL / 2)
    bench.wait(3)
    del bench.lying["light-s1"]
    bench.wait(6)
    assert bench.events_told == []
    assert bench.asked == []


def test_a_squail_that_is_hit_by_another_is_no_stroke() -> None:
    bench = ready()
    bench.play("light-s1", (100, 0))
    bench.lying["light-s1"] = (140, 10)
    bench.play("dark-s1", (100, 0))
    assert [event["squail"] for event in bench.events_told] == ["light-s1", "dark-s1"]


def test_a_short_squail_may_be_taken_back_and_is_struck_again() -> None:
    bench = ready()
    bench.play("light-s1", at(LIGHT, EDGE - SQUAIL - 40))
    assert bench.events_told[-1] == {"event": "strike", "player": "light-1", "squail": "light-s1", "in_from_edge_mm": 40.0}
    del bench.lying["light-s1"]
    bench.wait(5)
    assert bench.events_told[-1] == {"event": "take_back", "squail": "light-s1"}
    bench.play("light-s1", (0, 100))
    assert [event["event"] for event in bench.events_told] == ["strike", "take_back", "strike"]


def test_a_short_squail_that_is_drawn_back_and_struck_at_once_was_taken_back_first() -> None:
    bench = ready()
    bench.play("light-s1", at(LIGHT, EDGE - SQUAIL - 40))
    bench.play("light-s1", (0, 100))
    assert [event["event"] for event in bench.events_told] == ["strike", "take_back", "strike"]
    assert bench.flagged == []


@pytest.mark.parametrize("spot", [at(DARK, EDGE - SQUAIL - 30), None], ids=["lies beyond the far line", "slid off the table"])
def test_one_that_goes_right_across_is_out_when_it_is_cried_in_time(spot: tuple[float, float] | None) -> None:
    bench = ready()
    bench.play("light-s1", spot)
    assert bench.events_told[-1]["crossed_far_line"] is True
    bench.press("dark-out")
    assert bench.events_told[-1] == {"event": "cry_out", "squail": "light-s1", "by": "dark"}
    assert bench.shown.position["squails"]["light-s1"] == "out"  # type: ignore[index,call-overload]


def test_nobody_cries_out_his_own_squail() -> None:
    bench = ready()
    bench.play("light-s1", at(DARK, EDGE - SQUAIL - 30))
    bench.press("light-out")
    assert [event["event"] for event in bench.events_told] == ["strike"]
    assert "Nothing has gone across" in bench.noticed


def test_one_that_was_not_cried_is_called_for_and_played_again_when_the_turns_are_done() -> None:
    bench = ready()
    bench.play("light-s1", at(DARK, EDGE - SQUAIL - 30))
    bench.play("dark-s1", (100, 0))
    bench.press("light-claim")
    assert bench.events_told[-1] == {"event": "claim_replay", "squail": "light-s1", "by": "light"}
    bench.play_all(but=("light-s1",))
    bench.wait(20)
    assert bench.shown.phase == "playing", "the round waits for the squail that is played again"
    del bench.lying["light-s1"]
    bench.wait(5)
    bench.play("light-s1", bench.near(20))
    bench.wait(4)
    assert [event["event"] for event in bench.events_told[-2:]] == ["strike", "round_end"]
    assert bench.score == {"light": 1, "dark": 0}


def test_one_that_waits_to_be_played_again_and_is_hit_by_the_last_stroke_is_still_to_be_played() -> None:
    bench = ready(squails_each=2)
    bench.play("light-s1", at(DARK, EDGE - SQUAIL - 30))
    bench.play("dark-s1", (100, 0))
    bench.press("light-claim")
    bench.play("light-s2", (-150, 0))
    bench.lying["dark-s2"] = at(DARK, EDGE - SQUAIL / 2)
    bench.wait(0.5)
    bench.lying |= {"dark-s2": (0, 400), "light-s1": (50, 350)}
    bench.wait(20)
    strikes = [event["squail"] for event in bench.events_told if event["event"] == "strike"]
    assert strikes == ["light-s1", "dark-s1", "light-s2", "dark-s2"]
    assert bench.shown.phase == "playing", "the round waits for the squail that is played again"


def test_what_lies_within_the_error_of_the_line_is_asked_and_the_gauge_answers() -> None:
    for touches, key in ((True, 40), (False, None)):
        bench = ready()
        bench.play("light-s1", at(LIGHT, EDGE - SQUAIL - 76.0))
        assert bench.asked == ["What became of light squail 1? The gauge, laid from the edge, tells whether it passed the line."]
        bench.lay(touches=touches)
        assert bench.asked == []
        assert (bench.events_told[-1].get("in_from_edge_mm") is None) == (key is None)


def test_a_stroke_that_follows_at_once_is_told_with_the_one_before() -> None:
    bench = ready()
    bench.play("light-s1", (100, 0), rest=0.3)
    bench.play("dark-s1", (-100, 0))
    assert [event["squail"] for event in bench.events_told] == ["light-s1", "dark-s1"]


def test_the_players_of_a_side_are_told_apart_by_the_turn_or_their_seats_or_asked() -> None:
    bench = ready(players=4)
    bench.play("light-s1", (100, 0))
    assert bench.asked == ["Who struck light squail 1?"]
    bench.press("seat-3")
    assert bench.asked == []
    assert bench.events_told[-1]["player"] == "light-2"
    bench.play("dark-s1", (-100, 0))
    assert bench.events_told[-1]["player"] == "dark-2"
    bench.press("seat-1")
    bench.play("light-s2", (0, 100))
    assert bench.events_told[-1]["player"] == "light-1"


def test_a_stroke_out_of_turn_is_kept_and_flagged_and_its_squail_counts_where_it_lies() -> None:
    bench = ready()
    bench.play("light-s1", (200, 0))
    bench.play("light-s2", bench.near(10))
    assert [event["squail"] for event in bench.flagged] == ["light-s2"]
    bench.lying["light-s2"] = bench.near(20)
    bench.play("dark-s1", (-200, 0))
    assert [event["squail"] for event in bench.events_told] == ["light-s1", "dark-s1"]
    bench.play_all()
    bench.wait(4)
    assert bench.score == {"light": 1, "dark": 0}


# The target


def test_a_target_that_is_moved_stays_and_distances_are_taken_from_there() -> None:
    bench = ready()
    bench.lying["target"] = (50, 60)
    bench.play("light-s1", bench.near(5))
    assert bench.events_told[-1]["target"] == "moved"
    bench.play_all()
    bench.wait(4)
    assert bench.score == {"light": 1, "dark": 0}


def test_a_target_struck_over_the_line_ends_the_round_and_gives_one_to_the_adversary() -> None:
    bench = ready()
    bench.lying["target"] = at(DARK, EDGE - 50)
    bench.play("light-s1", (0, 0))
    assert bench.score == {"light": 0, "dark": 1}
    assert bench.shown.phase == "clearing"
    bench.collect()
    assert (bench.shown.phase, bench.shown.turn) == ("playing", "light")


def test_whether_it_is_out_is_asked_within_the_error_and_the_gauge_answers() -> None:
    bench = ready()
    bench.lying["target"] = at(DARK, EDGE - 12.7 - 76.6)
    bench.play("light-s1", (0, 0))
    assert bench.asked == ["What became of the target? The gauge, laid from the edge, tells whether it is out."]
    assert bench.shown.provisional
    bench.lay(touches=True)
    assert bench.score == {"light": 0, "dark": 1}
    assert not bench.shown.provisional


def test_a_target_that_is_seen_no_longer_is_asked() -> None:
    bench = ready()
    del bench.lying["target"]
    bench.play("light-s1", (0, 0), rest=5)
    assert [key for key, _ in bench.shown.questions[0].choices] == ["out", "moved", "still"]
    bench.reply("still")
    assert bench.score == {"light": 0, "dark": 0}


def test_a_target_moved_by_no_stroke_is_told_and_scores_nothing() -> None:
    bench = ready()
    bench.lying["target"] = at(DARK, EDGE - 50)
    bench.wait(3)
    assert "moved by no stroke" in bench.noticed
    assert bench.events_told == []


def test_two_sensors_of_the_target_that_contradict_each_other_are_not_believed() -> None:
    bench = SquailBench(HEAD + CAMERA + HALL + BUTTONS).open()
    assert isinstance(bench, SquailBench)

    def hall(x: float) -> None:
        for n in range(30):
            bench.sim.tell("sim:target", f'{{"target":[{x},0]}}', bench.now + n * 100 * MS)

    hall(0)
    bench.wait(3)
    bench.start()
    bench.lying["target"] = at(0.0, EDGE - 40)
    hall(80)
    bench.play("light-s1", (40, 0))
    assert [key for key, _ in bench.shown.questions[0].choices] == ["moved", "out"]
    assert "at odds" in bench.noticed
