"""The table of squails: strokes, the line, the target, rounds, doubts, the gauge and the captains, over the whole engine."""

from __future__ import annotations

import math

import pytest

from controller.engine.requests import EnterEvent, Pause, Resume
from hardware.signals import MS
from tests.squails_kit import BUTTONS, CAMERA, EDGE, GAUGE, HALL, HEAD, SQUAIL, SquailBench, at, ready
from tests.table_kit import same_again

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


# Rounds


def round_of(*, light: float, dark: float, **options: object) -> SquailBench:
    """A round of which one squail of each side lies near."""
    bench = ready(**options)
    bench.play("light-s1", bench.near(light))
    bench.play("dark-s1", bench.near(dark, angle=2.0))
    bench.play_all()
    bench.wait(4)
    return bench


def test_a_round_scores_when_every_squail_has_come_to_rest_and_the_next_begins_when_the_table_is_clear() -> None:
    bench = round_of(light=20, dark=40)
    assert bench.score == {"light": 1, "dark": 0}
    assert not bench.shown.provisional
    assert bench.shown.phase == "clearing"
    assert "Take the squails off the table: 16 lie there." in bench.noticed
    bench.lying = {"target": (15.0, 0.0)}
    bench.wait(6)
    assert "The target is 15 mm off" in bench.noticed
    bench.collect()
    assert (bench.shown.phase, bench.shown.turn, bench.shown.position["round"]) == ("playing", "light", 2)


def test_the_last_squail_may_be_taken_back_while_it_is_short() -> None:
    bench = ready(squails_each=1)
    bench.play("light-s1", bench.near(20))
    bench.play("dark-s1", at(DARK, EDGE - SQUAIL - 40))
    bench.wait(6)
    assert bench.shown.phase == "playing"
    bench.play("dark-s1", bench.near(10, angle=2))
    bench.wait(4)
    assert bench.score == {"light": 0, "dark": 1}


def test_a_squail_within_the_error_of_three_inches_is_asked_and_the_gauge_answers() -> None:
    for touches in (True, False):
        bench = round_of(light=75.5, dark=150)
        assert bench.asked == ["Does the gauge, laid at the target, touch light squail 1?"]
        assert bench.shown.provisional
        bench.lay(touches=touches)
        assert bench.asked == []
        assert bench.score == {"light": int(touches), "dark": 0}
        same_again(bench)


def test_what_the_gauge_said_last_is_taken_back_by_undo_and_asked_again() -> None:
    bench = round_of(light=75.5, dark=150)
    bench.press("gauge-no")
    assert (bench.asked, bench.score["light"]) == ([], 0)
    bench.press("undo")
    assert len(bench.asked) == 1
    bench.press("gauge-yes")
    assert (bench.asked, bench.score["light"]) == ([], 1)


def test_a_captains_own_claim_never_answers_the_question_about_it() -> None:
    bench = round_of(light=77.0, dark=150)
    bench.press("light-claim")
    bench.wait(3)
    assert bench.events_told[-1] == {"event": "claim", "by": "light-1", "count": 1}
    assert bench.asked == ["Does the gauge, laid at the target, touch light squail 1?"]
    assert bench.score == {"light": 0, "dark": 0}
    assert bench.shown.provisional
    bench.press("light-allow")
    assert bench.score == {"light": 0, "dark": 0}, "nor can he allow it"


def test_what_the_other_captain_allows_stands() -> None:
    bench = round_of(light=77.0, dark=150)
    bench.press("light-claim")
    bench.press("dark-allow")
    assert bench.score == {"light": 1, "dark": 0}
    assert not bench.shown.provisional


def test_which_side_lies_nearer_is_asked_within_the_errors_and_no_gauge_can_tell() -> None:
    for choice, score in (("light-s1", (1, 0)), ("dark-s1", (0, 1)), ("none", (0, 0))):
        bench = round_of(light=30.0, dark=31.5)
        assert bench.asked == ["Which squails lie nearest, and within the gauge?"]
        bench.lay(touches=True)
        assert len(bench.asked) == 1
        bench.reply(choice)
        assert (bench.score["light"], bench.score["dark"]) == score


def test_a_doubt_that_changes_nothing_is_not_asked() -> None:
    bench = ready()
    bench.play("light-s1", bench.near(10))
    bench.play("dark-s1", bench.near(40, angle=2))
    bench.play("light-s2", bench.near(76.2, angle=4))
    bench.play_all()
    bench.wait(4)
    assert bench.asked == []
    assert bench.score == {"light": 1, "dark": 0}


def test_a_disputed_claim_is_gauged_squail_by_squail() -> None:
    bench = ready()
    bench.play("light-s1", bench.near(10))
    bench.play("dark-s1", (-300, 0))
    bench.play("light-s2", bench.near(60, angle=2))
    bench.play_all()
    bench.wait(4)
    assert bench.score == {"light": 2, "dark": 0}
    bench.press("light-claim")
    bench.press("light-claim")
    bench.press("dark-dispute")
    assert "between the target and light squail 1" in bench.noticed
    bench.lay(touches=True)
    assert "between the target and light squail 2" in bench.noticed
    bench.wait(1)
    bench.lay(touches=True)
    assert bench.score == {"light": 2, "dark": 0}
    assert [event["event"] for event in bench.events_told[-4:]] == ["claim", "dispute", "gauge", "gauge"]
    assert bench.asked == []


def test_a_gauge_that_contradicts_the_camera_is_not_believed_unasked() -> None:
    bench = round_of(light=40, dark=150)
    bench.press("light-claim")
    bench.press("dark-dispute")
    bench.lay(touches=False)
    assert bench.asked == ["The gauge does not touch light squail 1, which was seen 40 mm off. Which is right?"]
    assert bench.shown.provisional
    bench.reply("seen")
    assert (bench.asked, bench.score) == ([], {"light": 1, "dark": 0})


def test_a_squail_where_the_target_stands_is_impossible_and_asked() -> None:
    bench = ready()
    bench.play("light-s1", (10, 0))
    bench.play_all()
    bench.wait(4)
    assert bench.asked == ["Where does light squail 1 lie? Its place and the target's can't both be right."]
    assert bench.score == {"light": 0, "dark": 0}
    bench.reply("against")
    assert bench.score == {"light": 1, "dark": 0}


def test_two_squails_that_would_lie_in_each_other_are_asked_about_where_it_matters() -> None:
    bench = ready()
    bench.play("light-s1", bench.near(20))
    bench.play("dark-s1", bench.near(30))
    bench.play("light-s2", at(2.0, 320.0))
    bench.play("dark-s2", at(2.05, 320.0))
    bench.play_all()
    bench.wait(4)
    assert bench.asked == ["Which squails lie nearest, and within the gauge?"]
    assert bench.shown.provisional
    bench.reply("dark-s1")
    assert bench.score == {"light": 0, "dark": 1}
    # Squails that touch lie as they do.
    bench = ready()
    bench.play("light-s1", bench.near(20))
    bench.play("dark-s1", bench.near(20 + 2 * SQUAIL))
    bench.play_all()
    bench.wait(4)
    assert (bench.asked, bench.score) == ([], {"light": 1, "dark": 0})


def test_a_game_is_over_when_a_side_has_the_number_and_a_question_may_take_it_back() -> None:
    bench = round_of(light=75.5, dark=150, target=1)
    assert (bench.shown.phase, bench.shown.provisional) == ("over", True)
    bench.lay(touches=False)
    assert (bench.shown.phase, bench.score["light"]) == ("clearing", 0)


# A camera that errs, falls silent, or isn't there


def test_a_squail_that_an_arm_hides_is_still_there() -> None:
    bench = ready()
    bench.play("light-s1", (100, 0))
    spot = bench.lying.pop("light-s1")
    bench.wait(2)
    bench.lying["light-s1"] = spot
    bench.play("dark-s1", (-100, 0))
    assert len(bench.events_told) == 2


def test_a_silent_camera_is_told_and_never_scores() -> None:
    bench = ready()
    bench.play("light-s1", bench.near(10))
    bench.seeing = False
    bench.wait(30)
    assert "The squails sensor tells nothing" in bench.noticed
    assert len(bench.events_told) == 1
    bench.lying["dark-s1"] = (-200, 0)
    bench.seeing = True
    bench.wait(3)
    assert "Nobody saw dark squail 1 struck" in bench.noticed
    assert len(bench.events_told) == 1


def test_a_round_of_which_strokes_were_missed_is_measured_all_the_same() -> None:
    bench = ready()
    bench.play("light-s1", bench.near(10))
    bench.seeing = False
    bench.wait(30)
    bench.lying["dark-s1"] = (-200, 0)
    bench.seeing = True
    bench.wait(3)
    bench.play_all()
    bench.wait(4)
    assert bench.score == {"light": 1, "dark": 0}


def test_what_people_enter_meanwhile_stands() -> None:
    bench = ready()
    bench.seeing = False
    bench.wait(10)
    strike = {"event": "strike", "player": "light-1", "squail": "light-s1", "target": "out"}
    assert bench.ask(EnterEvent(strike)).ok
    assert bench.score == {"light": 0, "dark": 1}


def test_rubbish_scores_nothing_and_is_told_with_the_sensors_health() -> None:
    bench = ready()
    for line in ("", "}{", '{"light-s1":[0,0,0],"light-s1":[1,1]}', '{"light-s9":[0,0]}', '{"light-s1":[9999,0]}'):
        bench.sim.tell("sim:squails", line, bench.now + MS)
        bench.wait(1)
    assert bench.events_told == []
    camera = next(sensor for sensor in bench.shown.sensors if sensor.name == "squails")
    assert camera.health.lost >= 4
    assert camera.health.faults


def test_nothing_that_moves_during_a_pause_is_play() -> None:
    bench = ready()
    assert bench.ask(Pause()).ok
    bench.play("light-s1", (100, 0))
    del bench.lying["light-s1"]
    bench.wait(5)
    assert bench.ask(Resume()).ok
    bench.wait(3)
    assert bench.events_told == []
    bench.play("light-s1", (100, 0))
    assert len(bench.events_told) == 1


def test_a_game_waits_until_the_target_stands_in_the_centre_and_the_table_is_clear() -> None:
    bench = SquailBench()
    bench.lying = {"target": (40.0, 0.0), "dark-s1": (200.0, 0.0)}
    bench.open()
    bench.wait(3)
    bench.start()
    assert bench.shown.phase == "arming"
    assert "The target is 40 mm off" in bench.noticed
    bench.collect()
    assert bench.shown.phase == "playing"


def test_a_game_taken_up_after_a_power_cut_goes_on_where_it_lay() -> None:
    bench = ready()
    bench.play("light-s1", bench.near(10))
    again = SquailBench(bench.table, bench.journal, "boot-2")
    again.lying = dict(bench.lying)
    again.open()
    again.wait(3)
    again.reply("yes")
    again.play("dark-s1", (-200, 0))
    assert [event["squail"] for event in again.events_told] == ["light-s1", "dark-s1"]
    same_again(again)


# Fewer sensors


def test_without_a_camera_seats_are_strokes_and_the_captains_count() -> None:
    bench = ready(HEAD + BUTTONS, squails_each=2)
    for seat in (1, 2, 1, 2):
        bench.press(f"seat-{seat}")
        bench.wait(2)
    assert [event["squail"] for event in bench.events_told] == ["light-s1", "dark-s1", "light-s2", "dark-s2"]
    bench.press("light-claim")
    bench.press("light-claim")
    bench.press("dark-allow")
    assert [event["event"] for event in bench.events_told[-3:]] == ["round_end", "claim", "allow"]
    assert bench.score == {"light": 2, "dark": 0}
    bench.press("seat-1")
    bench.wait(2)
    assert [event["event"] for event in bench.events_told[-2:]] == ["new_round", "strike"]


def test_with_a_sensor_of_the_target_alone_a_target_struck_out_scores() -> None:
    bench = SquailBench(HEAD + HALL + BUTTONS)
    bench.open()
    x = 0.0

    def hall(seconds: int) -> None:
        for n in range(seconds * 10):
            bench.sim.tell("sim:target", f'{{"target":[{x},0]}}', bench.now + n * 100 * MS)
        bench.wait(seconds)

    hall(3)
    bench.start()
    hall(2)
    x = EDGE - 40
    hall(3)
    bench.press("seat-1")
    hall(3)
    assert bench.score == {"light": 0, "dark": 1}
    x = 0.0
    hall(5)
    assert bench.shown.phase == "playing"


def test_a_gauge_that_is_laid_unasked_is_told() -> None:
    bench = ready(HEAD + CAMERA + GAUGE)
    bench.lay(touches=True)
    assert "nothing is asked of it" in bench.noticed
    assert bench.events_told == []


def test_where_everyone_plays_for_himself_a_round_is_measured_too() -> None:
    bench = ready(players=3, squails_each=1)
    for name, spot in (("A-s1", bench.near(10)), ("B-s1", bench.near(50, angle=2)), ("C-s1", bench.near(100, angle=4))):
        bench.lying[name] = (0.0, -587.0)
        bench.wait(0.5)
        bench.lying[name] = spot
        bench.wait(1.5)
    bench.wait(4)
    assert [event["player"] for event in bench.events_told[:3]] == ["A", "B", "C"]
    assert bench.score == {"A": 1, "B": 0, "C": 0}
