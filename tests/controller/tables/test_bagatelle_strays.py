"""Cups of a bagatelle board that fill, or a black that leaves its spot, while no ball is in play: people are asked."""

from __future__ import annotations

import pytest

from controller.engine.requests import Answer, EnterEvent, Pause, Resume, Undo
from tests.bagatelle_kit import answer, asked, moves, notices
from tests.table_kit import BEAMS, BUTTONS, CUPS, FULL, HEAD, SPOT, Bench, same_again

STRAY = "{} while no ball was in play. Was one played that no sensor saw?"


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
