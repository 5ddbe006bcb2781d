"""The bagatelle table over real detectors: what counts as a stroke, and what never scores."""

from __future__ import annotations

import pytest

from controller.engine.requests import EnterEvent, Pause, Quarantine, Resume, Undo
from tests.bagatelle_kit import notices
from tests.table_kit import BUTTONS, CUPS, FULL, HEAD, SPOT, Bench


def shots(table: Bench) -> list[object]:
    return [h.event for h in table.events()]


# A table's life


def test_balls_in_cups_at_switch_on_never_score() -> None:
    table = Bench()
    table.set("cup-3", on=True)
    table.set("cup-7", on=True)
    table.set("spot-a", on=False)
    table.open().start()
    assert table.shown.phase == "arming"
    assert notices(table) == ["Lift the balls from cups 3 and 7.", "Put the black on spot a."]
    table.collect()
    assert table.shown.phase == "playing"
    assert table.score == {"A": 0, "B": 0}
    assert table.events() == []


def test_a_cup_without_a_switch_is_the_markers_in_play_and_while_the_balls_are_lifted() -> None:
    without = FULL.replace('[[sensor]]\nkind = "switch"\nrole = "cup-9"\nsource = "sim"\n', "")
    table = Bench(without).open().start()
    told = "Cup 9 has no switch: what lies in it is asked at the end of the turn."
    assert notices(table) == [told]
    table.play_ball(5, strike=True)
    assert table.ask(EnterEvent({"event": "end_turn"})).ok
    assert table.shown.phase == "clearing"
    assert told in notices(table)
    assert table.ask(Quarantine("cup-1")).ok
    assert "Cups 1 and 9 have no switch: what lies in them is asked at the end of the turn." in notices(table)


def test_lifting_nine_balls_out_of_the_cups_is_never_play() -> None:
    table = Bench().open().start()
    table.play_ball(1, 2, strike=True)
    for cup in (3, 4, 5, 6, 7, 8):
        table.play_ball(cup)
    table.play_ball(9, rest=7)
    assert table.shown.phase == "clearing"
    banked = table.score
    table.cross("down")
    table.cross("up")
    table.collect()
    table.wait(10)
    assert table.shown.phase == "playing"
    assert table.score == banked
    assert table.pending == {}
    assert len(table.events()) == 8


def test_a_paused_table_records_but_does_not_score() -> None:
    table = Bench().open().start()
    table.play_ball(5, strike=True)
    assert table.ask(Pause()).ok
    table.play_ball(7)
    assert table.pending == {"A": 5}
    assert table.ask(Resume()).ok
    assert table.shown.phase == "playing"
    assert table.pending == {"A": 5}
    assert notices(table) == ["Lift the ball from cup 7. It doesn't count in this turn."]


@pytest.mark.parametrize("button", ["next-ball", "end-of-turn"])
def test_a_button_at_the_table_ends_a_pause_and_does_nothing_else(button: str) -> None:
    table = Bench().open().start()
    table.play_ball(5, strike=True)
    assert table.ask(Pause()).ok
    table.press(button)
    assert table.shown.phase == "playing"
    assert (table.shown.turn, table.pending, table.shown.position["balls_left"]) == ("A", {"A": 5}, 7)


def test_the_new_game_button_must_be_held() -> None:
    table = Bench().open()
    table.press("new-game", 0.5)
    assert table.shown.phase == "idle"
    table.press("new-game", 2.2)
    assert table.shown.phase == "playing"
    first = table.shown.game_id
    table.play_ball(5, strike=True)
    table.press("new-game", 2.2)
    assert table.shown.game_id != first
    assert table.shown.phase == "arming"
    assert table.pending == {}


# Strokes


def test_a_ball_that_misses_the_black_is_lost_and_its_cup_must_be_cleared() -> None:
    table = Bench().open().start()
    table.play_ball(9)
    assert table.pending == {}
    table.play_ball(5, strike=True)
    assert table.pending == {"A": 5}
    assert "Lift the ball from cup 9. It doesn't count in this turn." in notices(table)
    table.set("cup-9", on=False)
    table.wait(1)
    assert table.pending == {"A": 5}
    assert notices(table) == []


def test_a_ball_that_comes_back_over_the_line_is_off() -> None:
    table = Bench().open().start()
    table.play_ball(strike=True, back=1)
    table.play_ball()
    event = shots(table)[0]
    assert isinstance(event, dict)
    assert {"ball": "white-1", "to": "past_half_way"} in event["moves"]


def test_what_moved_just_before_the_next_stroke_belongs_to_the_last() -> None:
    table = Bench().open().start()
    table.play_ball(strike=True, rest=0.2)
    table.set("cup-4", on=True)
    table.wait(0.03)
    # The switch of cup 4 has not settled when the next ball goes over the line.
    table.play_ball()
    first, *_ = shots(table)
    assert isinstance(first, dict)
    assert {"ball": "white-1", "to": "cup-4"} in first["moves"]


def test_a_ball_knocked_out_of_its_cup_loses_what_it_was_worth() -> None:
    table = Bench().open().start()
    table.play_ball(9, strike=True)
    table.cross()
    table.wait(1)
    table.set("cup-9", on=False)
    table.wait(1)
    assert table.pending == {}
    table.set("cup-2", on=True)
    table.wait(1)
    assert table.pending == {"A": 2}


def test_a_hand_in_the_beams_is_no_stroke() -> None:
    table = Bench().open().start()
    table.set("half-way", on=True, end=0)
    table.wait(0.04)
    table.set("half-way", on=True, end=1)
    table.wait(0.8)
    table.set("half-way", on=False, end=0)
    table.set("half-way", on=False, end=1)
    table.wait(1)
    assert table.engine.play is not None
    assert table.engine.play.table.drafts() == []
    text = "Something stays in the half-way beam: take it away. A ball that crosses meanwhile isn't seen: enter its shot."
    assert notices(table) == [text]


def test_the_turn_is_given_up_by_its_button_and_pressing_again_does_nothing() -> None:
    table = Bench().open().start()
    table.play_ball(6, 1, strike=True)
    table.press("end-of-turn")
    assert table.score == {"A": 7, "B": 0} or table.shown.provisional
    table.collect()
    assert table.shown.turn == "B"
    table.press("end-of-turn")
    assert table.shown.turn == "B"
    assert notices(table) == ["Nothing has been played in this turn yet, so END OF TURN does nothing."]


def test_without_beams_the_next_ball_button_tells_strokes_apart() -> None:
    table = Bench(f"{HEAD}\n{CUPS}\n{SPOT}\n{BUTTONS}").open().start()
    table.press("next-ball")
    table.wait(2)
    table.set("spot-a", on=False)
    table.set("cup-5", on=True)
    table.wait(9)
    table.press("next-ball")
    table.wait(30)
    table.press("next-ball")
    table.set("cup-2", on=True)
    table.wait(1)
    assert table.pending == {"A": 7}
    # The third ball is still out; nothing but the next press or the end of the turn can end its stroke.
    assert table.shown.position["balls_left"] == 5
    assert len(table.events()) == 2
    table.press("end-of-turn")
    assert table.shown.turn == "B"
    assert len(table.events()) == 4


def test_a_ball_called_that_no_beam_saw_fell_short() -> None:
    table = Bench().open().start(short_ball="removed")
    table.play_ball(strike=True)
    table.press("next-ball")
    table.wait(5)
    table.press("next-ball")
    table.cross()
    table.wait(1)
    event = shots(table)[-1]
    assert isinstance(event, dict)
    assert event["moves"] == [{"ball": "white-2", "to": "short"}]


def test_a_press_before_and_the_beams_after_are_one_stroke() -> None:
    table = Bench().open().start()
    for cup in (5, 6):
        table.press("next-ball")
        table.wait(1)
        table.play_ball(cup, strike=True)
    assert table.shown.position["balls_left"] == 6
    assert table.pending == {"A": 11}


# Corrections


def test_undo_takes_back_a_stroke_whose_ball_becomes_a_notice() -> None:
    table = Bench().open().start()
    table.play_ball(5, strike=True)
    table.play_ball(7)
    assert table.pending == {"A": 12}
    table.press("undo")
    assert table.pending == {"A": 5}
    assert notices(table) == ["Lift the ball from cup 7. It doesn't count in this turn."]
    table.press("undo")
    assert table.pending == {"A": 12}
    assert notices(table) == []


def test_undo_goes_back_over_the_end_of_a_turn() -> None:
    table = Bench().open().start()
    table.play_ball(5, strike=True)
    table.press("end-of-turn")
    table.collect()
    assert table.shown.turn == "B"
    assert table.ask(Undo()).ok
    assert table.shown.turn == "A"
    assert table.shown.phase == "playing"
    assert table.pending == {"A": 5}
    assert notices(table) == ["By the score a ball lies in cup 5, which is empty: put it back, or correct."]


def test_the_marker_enters_what_the_sensors_missed() -> None:
    table = Bench().open().start()
    table.play_ball(5, strike=True)
    entered = {"event": "shot", "ball": "white-2", "hit_black": False, "moves": [{"ball": "white-2", "to": "board"}]}
    assert table.ask(EnterEvent(entered)).ok
    assert table.shown.position["balls_left"] == 6
    table.play_ball(7)
    assert table.pending == {"A": 12}
    table.press("end-of-turn")
    (question,) = table.shown.questions
    assert [key for key, _ in question.choices] == ["none", "cup-5", "cup-7"]


def test_what_the_rules_refuse_changes_nothing_and_says_why() -> None:
    table = Bench().open().start()
    before = table.shown
    reply = table.ask(EnterEvent({"event": "shot", "ball": "black", "hit_black": True, "moves": []}))
    assert not reply.ok
    assert reply.error is not None
    assert "black" in reply.error
    assert table.shown.position == before.position


def test_a_full_table_is_what_the_other_tests_say() -> None:
    assert FULL.count("[[sensor]]") == 9 + 1 + 1 + 4
