"""What is asked of a bagatelle board, and what colour inputs answer."""

from __future__ import annotations

import random

import pytest

from controller.engine.requests import Answer, EnterEvent
from tests.table_kit import BEAMS, BUTTONS, COLOURS, CUPS, FULL, HEAD, SPOT, Bench, same_again


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
