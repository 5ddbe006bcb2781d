"""What can't be on a bagatelle board is asked, not scored: more cups filled than there are balls, and balls nobody played."""

from __future__ import annotations

import pytest

from controller.engine.requests import Answer, Correct, Resume, Undo
from tests.bagatelle_kit import answer, asked, moves, notices
from tests.table_kit import COLOURS, FULL, Bench, same_again

WHICH = "Cups 1, 2 and 3 filled, and only two balls were there to fill them. Which of them holds no ball of this turn?"
MORE = "None: one more ball was played, into cup 3"
TOO_MANY = "Cup 3 filled, but no ball was left to fill it. Lift the ball that was put there, or answer what is asked."


def three_cups(table: str = FULL) -> Bench:
    """Two balls lie on the bed, and three cups fill."""
    bench = Bench(table).open().start()
    bench.play_ball(1, 2, 3, strike=True)
    return bench


# More cups than balls


def test_it_is_asked_at_once_which_cup_holds_no_ball_and_the_last_counts_nothing_until_then() -> None:
    table = three_cups()
    (question,) = table.shown.questions
    assert question.text == WHICH
    assert dict(question.choices) == {"cup-1": "Cup 1", "cup-2": "Cup 2", "cup-3": "Cup 3", "played": MORE}
    assert question.likely == "cup-3"
    # Both balls fell, so one of them is the black.
    assert (table.pending, table.shown.provisional) == ({"A": 1 * 2 + 2}, True)
    assert notices(table) == [TOO_MANY]
    same_again(table)


@pytest.mark.parametrize(("choice", "points"), [("cup-1", 2 * 2 + 3), ("cup-2", 1 * 2 + 3), ("cup-3", 1 * 2 + 2)])
def test_the_cup_that_people_name_does_not_count_and_its_ball_is_to_be_lifted(choice: str, points: int) -> None:
    table = three_cups()
    answer(table, choice)
    assert (table.pending, table.shown.provisional) == ({"A": points}, False)
    cup = choice.removeprefix("cup-")
    assert notices(table) == [f"Lift the ball from cup {cup}. It doesn't count in this turn."]
    table.set(f"{choice}", on=False)
    table.wait(1)
    assert (table.pending, notices(table)) == ({"A": points}, [])
    # What is left of it is asked at the end: which of the others holds the black.
    table.press("end-of-turn")
    assert asked(table) == ["Which cup holds the black?"]
    assert choice not in dict(table.shown.questions[0].choices)
    assert len(moves(table)) == 1


def test_one_more_ball_was_played_says_that_a_stroke_was_missed() -> None:
    table = three_cups()
    answer(table, "played")
    assert (table.pending, table.shown.position["balls_left"], notices(table)) == ({"A": 7}, 6, [])
    table.play_ball(9)
    assert table.pending == {"A": 16}
    assert moves(table)[1] == [{"ball": "white-2", "to": "cup-3"}]
    assert table.events()[1].evidence
    same_again(table)
    table.press("end-of-turn")
    assert [key for key, _ in table.shown.questions[0].choices] == ["cup-1", "cup-2"]


@pytest.mark.parametrize(("cup", "points"), [(1, 2 * 2 + 3), (2, 1 * 2 + 3), (3, 1 * 2 + 2)])
def test_whoever_lifts_one_of_them_shows_which_it_is(cup: int, points: int) -> None:
    table = three_cups()
    table.set(f"cup-{cup}", on=False)
    table.wait(1)
    assert (table.pending, table.shown.provisional, notices(table)) == ({"A": points}, False, [])
    same_again(table)
    # A ball that is put there again is one too many again.
    table.set(f"cup-{cup}", on=True)
    table.wait(1)
    assert len(table.shown.questions) == 1
    assert table.pending == {"A": points}
    same_again(table)


def test_it_is_shown_too_when_its_stroke_is_an_event() -> None:
    table = three_cups()
    table.play_ball()
    assert table.pending == {"A": 4}
    table.set("cup-2", on=False)
    table.wait(1)
    assert (table.pending, table.shown.provisional) == ({"A": 1 * 2 + 3}, False)
    assert len(moves(table)) == 1
    same_again(table)


def test_an_answer_stays_when_more_happens() -> None:
    table = three_cups()
    answer(table, "cup-1")
    table.play_ball(7)
    table.play_ball(8)
    assert asked(table) == []
    assert table.pending == {"A": 4 + 3 + 7 + 8}
    same_again(table)
    table.press("end-of-turn")
    assert [key for key, _ in table.shown.questions[0].choices] == ["cup-2", "cup-3"]
    answer(table, "cup-3")
    assert (table.score, table.shown.provisional) == ({"A": 2 + 6 + 7 + 8, "B": 0}, False)


def test_of_two_too_many_one_is_asked_after_the_other() -> None:
    table = three_cups()
    table.set("cup-4", on=True)
    table.wait(1)
    assert asked(table) == [WHICH]
    assert len(notices(table)) == 2
    answer(table, "cup-1")
    assert asked(table) == [WHICH.replace("1, 2 and 3", "2, 3 and 4")]
    answer(table, "cup-2")
    assert (table.pending, table.shown.provisional) == ({"A": 2 * 3 + 4}, False)
    assert table.ask(Undo()).ok
    # An undo ends the stroke that is out, and takes that back first.
    assert (asked(table), table.pending) == ([], {})
    assert table.ask(Undo()).ok
    assert table.pending == {"A": 2 * 3 + 4}
    same_again(table)


def test_what_is_not_answered_is_asked_after_the_turn_too() -> None:
    table = three_cups()
    table.play_ball(7)
    table.press("end-of-turn")
    table.collect()
    assert (table.shown.phase, table.shown.turn, table.shown.provisional) == ("playing", "B", True)
    assert asked(table) == [WHICH, "Which cup holds the black?"]
    # The turn is over: a stroke that was missed can't be told any more.
    assert [key for key, _ in table.shown.questions[0].choices] == ["cup-1", "cup-2", "cup-3"]
    table.play_ball(5, strike=True)
    answer(table, "cup-2")
    assert table.score["A"] == 2 * 1 + 3 + 7
    assert [key for key, _ in table.shown.questions[0].choices] == ["cup-1", "cup-3"]
    assert table.ask(Undo()).ok
    assert table.score["A"] == 2 * 1 + 3 + 7
    assert table.pending == {}
    same_again(table)


def test_an_answer_after_the_turn_is_taken_back_and_given_again() -> None:
    table = three_cups()
    table.press("end-of-turn")
    table.collect()
    answer(table, "cup-1")
    assert table.score["A"] == 2 * 2 + 3
    for _ in range(2):
        assert table.ask(Undo()).ok
        assert (table.score["A"], asked(table)[0]) == (2 * 1 + 2, WHICH)
        same_again(table)
        assert table.ask(Undo()).ok
        assert (table.score["A"], asked(table)) == (2 * 2 + 3, ["Which cup holds the black?"])
        same_again(table)
    answer(table, "cup-3")
    assert (table.score["A"], table.shown.provisional) == (2 + 2 * 3, False)


def test_a_game_has_no_result_before_it_is_answered() -> None:
    table = Bench().open()
    table.start(target=5)
    table.play_ball(6, strike=True)
    table.press("end-of-turn")
    answer(table, "none")
    table.collect()
    table.play_ball(1, 2, 3, strike=True)
    table.press("end-of-turn")
    assert (table.shown.phase, table.events("result")) == ("over", [])
    answer(table, "cup-1")
    assert table.ask(Answer(table.shown.questions[0].id, "cup-3")).ok
    assert (table.score, len(table.events("result"))) == ({"A": 6, "B": 2 + 2 * 3}, 1)


def test_a_stroke_that_is_taken_back_takes_its_question_along() -> None:
    table = three_cups()
    assert table.ask(Undo()).ok
    assert (asked(table), table.shown.provisional, table.pending) == ([], False, {})
    same_again(table)
    assert table.ask(Undo()).ok
    assert (asked(table), table.pending) == ([WHICH], {"A": 4})
    same_again(table)


def test_a_correction_that_puts_the_missed_stroke_in_settles_it() -> None:
    table = three_cups()
    table.play_ball()
    missed = {"event": "shot", "ball": "white-3", "hit_black": True, "moves": [{"ball": "white-3", "to": "board"}]}
    first = table.events()[0].revision
    assert table.ask(Correct(first, insert_before=missed)).ok
    # Now three balls lay there, and one of the cups holds the black.
    assert (asked(table), table.pending, table.shown.provisional) == ([], {"A": 1 * 2 + 2 + 3}, False)
    same_again(table)
    assert table.ask(Undo()).ok
    assert (asked(table), table.pending) == ([WHICH], {"A": 4})
    same_again(table)


def test_a_correction_between_leaves_the_answer_where_it_was_given() -> None:
    table = three_cups()
    table.play_ball(7)
    answer(table, "cup-1")
    table.play_ball()
    second = table.events()[1].revision
    assert table.ask(Correct(second, remove=True)).ok
    assert table.pending == {"A": 2 * 2 + 3}
    same_again(table)
    assert table.ask(Undo()).ok
    assert table.pending == {"A": 2 * 2 + 3 + 7}
    same_again(table)


def test_switched_off_between_the_question_and_its_answer() -> None:
    table = three_cups()
    table.play_ball()
    table = table.again().open()
    table.ask(Resume())
    assert asked(table) == [WHICH]
    answer(table, "cup-1")
    assert table.pending == {"A": 7}
    table = table.again("boot-3").open()
    table.ask(Resume())
    assert (asked(table), table.pending) == ([], {"A": 7})


def test_colours_tell_which_holds_no_ball() -> None:
    table = Bench(f"{FULL}\n{COLOURS}").open().start()
    table.cross()
    table.wait(0.5)
    table.set("spot-a", on=False)
    for cup in (1, 2, 3):
        table.set(f"cup-{cup}", on=True)
        table.wait(0.2)
    table.wait(3)
    assert asked(table) == [WHICH]
    table.set("black-3", on=True)
    table.wait(1)
    # The black is there, so another is the one too many.
    assert [key for key, _ in table.shown.questions[0].choices] == ["cup-1", "cup-2", "played"]
    assert table.pending == {"A": 1 + 2 * 3}
    same_again(table)
    answer(table, "cup-1")
    assert (table.pending, table.shown.provisional) == ({"A": 2 + 2 * 3}, False)


def test_colours_may_leave_one_cup_alone() -> None:
    table = Bench(f"{FULL}\n{COLOURS}").open().start()
    table.play_ball(strike=True, back=1, rest=1)
    for cup in (1, 2):
        table.set(f"cup-{cup}", on=True)
        table.wait(0.5)
    assert asked(table) == [
        "Cups 1 and 2 filled, and only one ball was there to fill them. Which of them holds no ball of this turn?"
    ]
    table.set("black-2", on=True)
    table.wait(1)
    (question,) = table.shown.questions
    assert question.text == "Cup 1 filled, and no ball was there to fill it. Was one more played?"
    assert dict(question.choices) == {"cup-1": "No: it holds no ball of this turn", "played": "Yes, into cup 1"}
    assert table.pending == {"A": 2 * 2}
    answer(table, "played")
    assert (table.pending, table.shown.position["balls_left"]) == ({"A": 1 + 2 * 2}, 6)
    table.play_ball()
    assert moves(table)[1] == [{"ball": "white-2", "to": "cup-1"}]


def test_before_the_black_is_struck_nothing_hangs_on_it() -> None:
    table = Bench().open().start()
    table.play_ball(4, 6)
    assert (asked(table), table.shown.provisional, table.pending) == ([], False, {})
    assert notices(table) == ["Cup 6 filled, but no ball was left to fill it. Lift that ball, or enter what was missed."]
    # A switch that told late that the black was struck makes room for it.
    table.set("spot-a", on=False)
    table.wait(1)
    assert (asked(table), table.pending, notices(table)) == ([], {"A": 4 * 2 + 6}, [])


def test_a_ball_that_is_put_back_is_no_ball_more() -> None:
    table = Bench().open().start()
    table.play_ball(5, strike=True)
    table.play_ball()
    assert table.ask(Undo()).ok
    table.set("cup-5", on=False)
    table.wait(1)
    assert notices(table) == ["By the score a ball lies in cup 5, which is empty: put it back, or correct."]
    table.set("cup-5", on=True)
    table.wait(1)
    assert (notices(table), asked(table), table.pending) == ([], [], {"A": 5})
