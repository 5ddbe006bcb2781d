"""Rounds of squails: measured, doubted, gauged and claimed, over the whole engine."""

from __future__ import annotations

import math

from tests.squails_kit import EDGE, SQUAIL, SquailBench, at, ready
from tests.table_kit import same_again

DARK = math.pi / 2


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
