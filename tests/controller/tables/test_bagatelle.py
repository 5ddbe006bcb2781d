"""The bagatelle table over real detectors: what counts as a stroke, and what never scores."""

from __future__ import annotations

import random

import pytest

from controller.engine.requests import Answer, EnterEvent, Pause, Quarantine, Resume, Undo
from tests.table_kit import BEAMS, BUTTONS, COLOURS, CUPS, FULL, HEAD, SPOT, Bench, same_again


def notices(table: Bench) -> list[str]:
    return [notice.text for notice in table.shown.notices]


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


# Questions


def test_counting_finds_the_black_where_it_can() -> None:
    table = Bench().open().start()
    table.play_ball(4, 6, strike=True)
    table.press("end-of-turn")
    (question,) = table.shown.questions
    # Two balls lay on the board and both fell: one of them is the black.
    assert [key for key, _ in question.choices] == ["cup-4", "cup-6"]
    assert question.hangs == "A +2"
    assert table.ask(Answer(question.id, "cup-6")).ok
    assert table.score == {"A": 16, "B": 0}


def test_what_comes_later_may_tell_that_it_was_the_black_that_came_back() -> None:
    table = Bench().open().start()
    table.play_ball(strike=True, back=1)
    table.play_ball(2, 5)
    for _ in range(5):
        table.play_ball()
    table.play_ball(rest=7)
    assert table.events("flagged") == []
    (question,) = table.shown.questions
    assert [key for key, _ in question.choices] == ["none", "cup-2", "cup-5"]
    assert table.ask(Answer(question.id, "none")).ok
    assert table.score == {"A": 7, "B": 0}
    assert table.shown.turn == "B"


def test_nothing_is_asked_when_no_answer_changes_anything() -> None:
    table = Bench().open().start()
    table.play_ball(strike=True)
    table.play_ball()
    table.press("end-of-turn")
    assert table.shown.questions == ()
    assert not table.shown.provisional


def test_with_colour_inputs_nothing_is_asked() -> None:
    table = Bench(f"{HEAD}\n{CUPS}\n{SPOT}\n{BEAMS}\n{BUTTONS}\n{COLOURS}").open().start()
    table.cross()
    table.wait(0.5)
    table.set("spot-a", on=False)
    table.set("black-5", on=True)
    table.set("cup-5", on=True)
    table.wait(0.5)
    table.set("cup-2", on=True)
    table.wait(3)
    assert table.pending == {"A": 12}
    table.press("end-of-turn")
    assert table.score == {"A": 12, "B": 0}
    assert table.shown.questions == ()
    assert not table.shown.provisional


def test_the_colour_of_a_cup_that_read_late_is_taken() -> None:
    table = Bench(f"{HEAD}\n{CUPS}\n{BEAMS}\n{COLOURS}").open().start()
    table.play_ball(5)
    assert table.pending == {"A": 5}
    table.set("black-5", on=True)
    table.wait(1)
    assert table.pending == {"A": 10}


LATE = f"{HEAD}\n{CUPS}\n{SPOT}\n{BEAMS}\n{BUTTONS}\n{COLOURS}"
FIVE_ALONE = f'{FULL}\n[[sensor]]\nkind = "switch"\nrole = "black-5"\nsource = "sim"'


def test_a_colour_that_is_told_after_its_stroke_is_taken_all_the_same() -> None:
    table = Bench(LATE).open().start()
    table.play_ball(5, strike=True)
    table.play_ball(2)
    assert table.pending == {"A": 7}
    table.set("black-5", on=True)
    table.wait(1)
    assert table.pending == {"A": 12}
    same_again(table)
    table.press("end-of-turn")
    assert (table.score, table.shown.questions, table.shown.provisional) == ({"A": 12, "B": 0}, (), False)


def test_a_colour_that_is_told_when_the_turn_is_over_answers_the_question() -> None:
    table = Bench(FIVE_ALONE).open().start()
    table.play_ball(strike=True)
    table.play_ball(3, 7)
    table.play_ball(5)
    table.press("end-of-turn")
    assert [key for key, _ in table.shown.questions[0].choices] == ["none", "cup-3", "cup-7"]
    table.set("black-5", on=True)
    table.wait(1)
    assert (table.shown.phase, table.shown.questions, table.shown.provisional) == ("clearing", (), False)
    assert table.score == {"A": 20, "B": 0}
    same_again(table)


def a_turn_with_the_black(seed: int, delay: float) -> Bench:
    """Four balls into some cups, the black among them; its colour input tells `delay` seconds after the cup has filled."""
    rng = random.Random(seed)
    cups = rng.sample(range(1, 10), 4)
    black = rng.randrange(4)
    table = Bench(LATE).open().start()
    for n, cup in enumerate(cups):
        table.play_ball(strike=n == 0, rest=0.5)
        if n == black and not delay:
            table.set(f"black-{cup}", on=True)
        table.set(f"cup-{cup}", on=True)
        if n == black and 0 < delay < 2:
            table.wait(delay)
            table.set(f"black-{cup}", on=True)
        table.wait(3)
    table.press("end-of-turn")
    table.wait(delay)
    table.set(f"black-{cups[black]}", on=True)
    table.wait(1)
    assert table.shown.phase == "clearing"
    same_again(table)
    return table


@pytest.mark.parametrize("seed", range(12))
def test_a_colour_gives_the_same_score_whenever_it_is_told(seed: int) -> None:
    at_once, soon, late = (a_turn_with_the_black(seed, delay) for delay in (0, 1, 5))
    assert at_once.score == soon.score == late.score
    assert [table.shown.provisional for table in (at_once, soon, late)] == [False, False, False]


def test_what_a_colour_input_tells_while_balls_are_lifted_is_no_answer() -> None:
    table = Bench(LATE).open().start()
    table.play_ball(5, strike=True)
    table.play_ball(2)
    table.press("end-of-turn")
    table.set("black-2", on=True)
    table.wait(0.3)
    assert table.score == {"A": 9, "B": 0}
    for on in (False, True):
        # The black is lifted a little before its cup is empty; a hand in an empty cup is no ball.
        table.set("black-2", on=on)
        table.wait(0.3)
        table.set("cup-2", on=False)
        table.wait(0.3)
    table.set("black-2", on=False)
    table.collect()
    assert (table.shown.turn, table.score) == ("B", {"A": 9, "B": 0})
    table.set("black-5", on=True)
    table.wait(1)
    assert table.score == {"A": 9, "B": 0}


def test_a_ball_put_back_into_a_cup_after_the_turn_is_no_answer() -> None:
    table = Bench(LATE).open().start()
    table.play_ball(5, strike=True)
    table.play_ball(2)
    table.press("end-of-turn")
    table.set("cup-5", on=False)
    table.wait(0.5)
    table.set("black-5", on=True)
    table.set("cup-5", on=True)
    table.wait(1)
    assert (table.shown.phase, table.score) == ("clearing", {"A": 7, "B": 0})


def test_what_people_have_answered_no_input_changes_later() -> None:
    table = Bench(FIVE_ALONE).open().start()
    table.play_ball(strike=True)
    table.play_ball(3, 7)
    table.play_ball(5)
    table.press("end-of-turn")
    assert table.ask(Answer(table.shown.questions[0].id, "cup-7")).ok
    score = table.score
    table.set("black-5", on=True)
    table.wait(1)
    assert table.score == score
    same_again(table)


@pytest.mark.parametrize("late", [False, True])
def test_two_cups_cannot_both_hold_the_black_so_it_is_asked(late: bool) -> None:
    table = Bench(LATE).open().start()
    table.play_ball(5, strike=True)
    table.set("black-5", on=True)
    table.wait(0.5)
    table.play_ball(2)
    if late:
        table.play_ball(3)
    table.set("black-2", on=True)
    table.wait(1)
    if not late:
        table.play_ball(3)
    assert table.pending == {"A": 10}
    same_again(table)
    table.press("end-of-turn")
    assert table.shown.provisional
    (question,) = table.shown.questions
    assert {"cup-2", "cup-5"} <= dict(question.choices).keys()
    assert table.ask(Answer(question.id, "cup-5")).ok
    assert (table.score, table.shown.provisional) == ({"A": 15, "B": 0}, False)
    same_again(table)


def test_a_black_that_spot_a_still_has_is_asked_about() -> None:
    table = Bench(LATE).open().start()
    table.set("black-5", on=True)
    table.play_ball(5)
    assert table.pending == {"A": 5}
    table.press("end-of-turn")
    assert [question.text for question in table.shown.questions] == [
        "Which cup holds the black?",
        "Which ball struck the black first?",
    ]
    same_again(table)
    # A spot that opens late was only slower than the cup.
    table = Bench(LATE).open().start()
    table.set("black-5", on=True)
    table.play_ball(5, rest=0.5)
    table.set("spot-a", on=False)
    table.wait(3)
    assert table.pending == {"A": 10}
    table.press("end-of-turn")
    assert (table.score, table.shown.questions) == ({"A": 10, "B": 0}, ())


def test_colours_that_find_the_black_nowhere_though_it_must_be_there_are_asked_about() -> None:
    table = Bench(LATE).open().start()
    table.play_ball(5, 2, strike=True)
    table.press("end-of-turn")
    assert [{key for key, _ in question.choices} for question in table.shown.questions] == [{"cup-5", "cup-2"}]
    assert table.score["A"] in (5 + 2 * 2, 2 * 5 + 2)
    same_again(table)


def test_without_spot_a_the_marker_is_asked_which_ball_struck_the_black() -> None:
    table = Bench(f"{HEAD}\n{CUPS}\n{BEAMS}\n{BUTTONS}").open().start()
    table.play_ball(9)
    table.play_ball(3)
    table.press("end-of-turn")
    by_text = {question.text: question for question in table.shown.questions}
    question = by_text["Which ball struck the black first?"]
    assert table.ask(Answer(question.id, "2")).ok
    black = next(q for q in table.shown.questions if q.text == "Which cup holds the black?")
    assert table.ask(Answer(black.id, "none")).ok
    assert table.score == {"A": 3, "B": 0}


def test_with_cups_alone_what_a_ball_does_tells_that_it_was_played() -> None:
    table = Bench(f"{HEAD}\n{CUPS}").open().start()
    for cup in (5, 6):
        table.set(f"cup-{cup}", on=True)
        table.wait(8)
    assert table.shown.position["balls_left"] == 6
    assert table.ask(EnterEvent({"event": "end_turn"})).ok
    assert table.shown.turn == "B"


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
