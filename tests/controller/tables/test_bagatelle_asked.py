"""What can't be on a bagatelle board is asked, not scored: more cups filled than there are balls, and balls nobody played."""

from __future__ import annotations

import pytest

from controller.engine.requests import Answer, Correct, EnterEvent, Pause, Resume, Undo
from tests.table_kit import BEAMS, BUTTONS, COLOURS, CUPS, FULL, HEAD, SPOT, Bench, same_again

WHICH = "Cups 1, 2 and 3 filled, and only two balls were there to fill them. Which of them holds no ball of this turn?"
MORE = "None: one more ball was played, into cup 3"
TOO_MANY = "Cup 3 filled, but no ball was left to fill it. Lift the ball that was put there, or answer what is asked."
STRAY = "{} while no ball was in play. Was one played that no sensor saw?"


def notices(table: Bench) -> list[str]:
    return [notice.text for notice in table.shown.notices]


def asked(table: Bench) -> list[str]:
    return [question.text for question in table.shown.questions]


def answer(table: Bench, choice: str, place: int = 0) -> None:
    assert table.ask(Answer(table.shown.questions[place].id, choice)).ok
    same_again(table)


def moves(table: Bench) -> list[object]:
    """Where balls came to rest, shot by shot, as the game stands now."""
    assert table.engine.play is not None
    assert all(step.stood for step in table.engine.play.fold.steps)
    return [step.event["moves"] for step in table.engine.play.fold.steps if step.event["event"] == "shot"]


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


# Balls that nobody played


def stray(*cups: int, spot: bool = True, table: str = FULL) -> Bench:
    """Cups fill while no ball is in play. `spot`: the black stays where it is."""
    bench = Bench(table).open().start()
    if not spot:
        bench.set("spot-a", on=False)
        bench.wait(0.5)
    for cup in cups:
        bench.set(f"cup-{cup}", on=True)
        bench.wait(1)
    return bench


def test_a_cup_that_fills_while_no_ball_is_in_play_is_asked_about() -> None:
    table = stray(8)
    (question,) = table.shown.questions
    assert question.text == STRAY.format("Cup 8 filled")
    assert (dict(question.choices).keys(), question.likely) == ({"put", "cup-8"}, "put")
    assert (table.pending, table.shown.provisional) == ({}, True)
    assert notices(table) == ["Cup 8 filled while no ball was in play. Put it right, or answer what is asked."]
    same_again(table)


def test_a_hand_that_put_it_there_counts_nothing() -> None:
    table = stray(8)
    answer(table, "put")
    assert (table.shown.provisional, table.shown.position["balls_left"]) == (False, 8)
    assert notices(table) == ["Lift the ball from cup 8. It doesn't count in this turn."]
    assert table.ask(Undo()).ok
    assert asked(table) == [STRAY.format("Cup 8 filled")]
    same_again(table)


def test_a_ball_that_is_lifted_again_is_asked_about_no_more() -> None:
    table = stray(8, 3)
    assert asked(table) == [STRAY.format("Cups 3 and 8 filled")]
    table.set("cup-8", on=False)
    table.wait(1)
    assert asked(table) == [STRAY.format("Cup 3 filled")]
    table.set("cup-3", on=False)
    table.wait(1)
    assert (asked(table), notices(table), table.shown.provisional) == ([], [], False)
    same_again(table)


def test_a_ball_that_was_played_while_the_black_is_on_its_spot_missed_it() -> None:
    table = stray(8)
    answer(table, "cup-8")
    assert (table.shown.position["balls_left"], table.pending) == (7, {})
    table.play_ball(5, strike=True)
    table.play_ball()
    assert table.pending == {"A": 5}
    assert moves(table)[0] == [{"ball": "white-1", "to": "cup-8"}]
    first = table.events()[0]
    assert (first.event or {})["hit_black"] is False
    assert first.evidence
    same_again(table)


def test_a_ball_that_was_played_and_struck_the_black_counts() -> None:
    table = stray(8, spot=False)
    assert asked(table) == [STRAY.format("Cup 8 filled and the black left its spot")]
    assert dict(table.shown.questions[0].choices).keys() == {"put", "cup-8", "board"}
    answer(table, "cup-8")
    assert (table.pending, table.shown.position["balls_left"]) == ({"A": 8}, 7)
    table.play_ball(5)
    assert table.pending == {"A": 13}
    table.press("end-of-turn")
    assert [key for key, _ in table.shown.questions[0].choices] == ["none", "cup-5", "cup-8"]
    answer(table, "cup-8")
    assert table.score["A"] == 21


@pytest.mark.parametrize(("choice", "pending", "left"), [("both", 2 * 3 + 8, 7), ("cup-3", 3, 7), ("put", 0, 8)])
def test_several_cups_are_one_question(choice: str, pending: int, left: int) -> None:
    table = stray(8, 3, spot=False)
    assert asked(table) == [STRAY.format("Cups 3 and 8 filled and the black left its spot")]
    answer(table, choice)
    assert (sum(table.pending.values()), table.shown.position["balls_left"], asked(table)) == (pending, left, [])
    same_again(table)


def test_the_black_alone_left_its_spot() -> None:
    table = stray(spot=False)
    assert asked(table) == [STRAY.format("The black left its spot")]
    table.set("spot-a", on=True)
    table.wait(1)
    assert (asked(table), notices(table)) == ([], [])
    table.set("spot-a", on=False)
    table.wait(1)
    answer(table, "board")
    # From now on balls count.
    table.play_ball(5)
    assert (table.pending, table.shown.position["balls_left"]) == ({"A": 5}, 6)
    assert len(moves(table)) == 1
    same_again(table)


def test_where_no_sensor_sees_the_spot_it_is_asked_which_ball_struck_the_black() -> None:
    table = stray(8, table=f"{HEAD}\n{CUPS}\n{BEAMS}\n{BUTTONS}")
    answer(table, "cup-8")
    table.play_ball(5)
    table.press("end-of-turn")
    assert "Which ball struck the black first?" in asked(table)
    same_again(table)


def test_without_beams_people_may_have_forgotten_the_button() -> None:
    table = stray(8, spot=False, table=f"{HEAD}\n{CUPS}\n{SPOT}\n{BUTTONS}")
    answer(table, "cup-8")
    table.press("next-ball")
    table.set("cup-2", on=True)
    table.wait(1)
    assert (table.pending, table.shown.position["balls_left"]) == ({"A": 10}, 6)


def test_an_answer_while_the_next_ball_is_out_puts_its_stroke_before_that() -> None:
    table = stray(8)
    table.play_ball(5, strike=True)
    assert table.pending == {"A": 5}
    answer(table, "cup-8")
    assert (table.pending, table.shown.position["balls_left"]) == ({"A": 5}, 6)
    table.wait(1)
    assert moves(table) == [[{"ball": "white-1", "to": "cup-8"}]]


def test_an_answer_after_other_strokes_gives_a_ball_that_missed_no_points() -> None:
    table = stray(8)
    table.play_ball(5, strike=True)
    table.play_ball(4)
    answer(table, "cup-8")
    assert (table.pending, table.shown.position["balls_left"]) == ({"A": 9}, 5)
    table.play_ball(rest=0.1)
    assert moves(table)[1] == [{"ball": "white-2", "to": "board"}]
    same_again(table)


def test_undo_takes_back_the_stroke_that_people_said_was_played() -> None:
    table = stray(8, spot=False)
    answer(table, "cup-8")
    assert table.ask(Undo()).ok
    assert (table.pending, table.shown.position["balls_left"], asked(table)) == ({}, 8, [])
    assert notices(table) == ["Lift the ball from cup 8. It doesn't count in this turn."]
    same_again(table)
    assert table.ask(Undo()).ok
    assert (table.pending, table.shown.position["balls_left"]) == ({"A": 8}, 7)
    same_again(table)
    table.play_ball(5)
    assert table.pending == {"A": 13}


def test_another_answer_before_the_next_stroke_takes_the_stroke_away_again() -> None:
    table = stray(8, spot=False)
    name = table.shown.questions[0].id
    answer(table, "cup-8")
    for choice, pending in [("put", {}), ("cup-8", {"A": 8}), ("board", {})]:
        assert table.ask(Answer(name, choice)).ok
        assert table.pending == pending
        same_again(table)


def test_a_shot_that_people_enter_settles_it() -> None:
    table = stray(8)
    shot = {"event": "shot", "ball": "white-1", "hit_black": True, "moves": [{"ball": "white-1", "to": "cup-8"}]}
    assert table.ask(EnterEvent(shot)).ok
    assert (asked(table), table.pending, notices(table)) == ([], {"A": 8}, [])
    same_again(table)
    assert table.ask(Undo()).ok
    assert asked(table) == [STRAY.format("Cup 8 filled")]
    same_again(table)


def test_a_turn_that_is_given_up_leaves_it_to_people_to_put_the_shot_in() -> None:
    table = stray(8)
    table.play_ball(5, strike=True)
    table.press("end-of-turn")
    table.collect()
    question = table.shown.questions[0]
    assert question.text == STRAY.format("Cup 8 filled").replace("in play.", "in play, and the turn is over.")
    assert dict(question.choices).keys() == {"put", "entered"}
    assert table.shown.provisional
    same_again(table)
    assert table.ask(Undo()).ok
    assert asked(table) == [STRAY.format("Cup 8 filled")]
    assert table.ask(Undo()).ok
    answer(table, "entered")
    assert asked(table) == ["Which cup holds the black?"]


def test_when_all_eight_are_played_none_can_have_been_missed() -> None:
    table = stray(8)
    table.play_ball(5, strike=True)
    for _ in range(6):
        table.play_ball()
    assert asked(table) == [STRAY.format("Cup 8 filled")]
    table.play_ball(rest=0.5)
    assert asked(table) == []
    table.wait(9)
    assert (table.shown.phase, asked(table)) == ("clearing", ["Which cup holds the black?"])
    same_again(table)


def test_after_an_undo_a_cup_that_fills_is_asked_about_too() -> None:
    table = Bench().open().start()
    table.play_ball(5, strike=True)
    table.play_ball()
    assert table.ask(Undo()).ok
    table.set("cup-7", on=True)
    table.wait(1)
    answer(table, "cup-7")
    assert (table.pending, table.shown.position["balls_left"]) == ({"A": 12}, 6)


def test_what_happens_in_a_pause_is_not_asked_about() -> None:
    table = Bench().open().start()
    assert table.ask(Pause()).ok
    table.set("cup-8", on=True)
    table.wait(1)
    assert table.ask(Resume()).ok
    assert asked(table) == []
    assert notices(table) == ["Lift the ball from cup 8. It doesn't count in this turn."]


def test_switched_off_before_it_is_answered() -> None:
    table = stray(8, spot=False)
    table = table.again()
    table.set("cup-8", on=True)
    table.set("spot-a", on=False)
    table.open()
    assert table.engine.faults == {}
    table.ask(Resume())
    assert asked(table) == [STRAY.format("Cup 8 filled and the black left its spot")]
    answer(table, "cup-8")
    assert table.pending == {"A": 8}
    table = table.again("boot-3").open()
    assert table.engine.faults == {}
    assert table.pending == {"A": 8}


def test_by_the_ball_that_struck_the_black_it_is_known_which_balls_were_lost_before() -> None:
    table = Bench(f"{HEAD}\n{CUPS}\n{BEAMS}\n{BUTTONS}").open().start()
    table.play_ball()
    table.play_ball(3, 4)
    table.press("end-of-turn")
    place = asked(table).index("Which ball struck the black first?")
    answer(table, "2", place)
    # The first ball missed and was taken off: one of the two that fell is the black.
    assert [key for key, _ in table.shown.questions[0].choices] == ["cup-3", "cup-4"]
    answer(table, "cup-4")
    assert (table.score["A"], len(moves(table))) == (3 + 2 * 4, 2)
