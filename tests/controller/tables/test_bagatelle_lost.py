"""Cups of a bagatelle board that no switch sees: what lies in them is asked at the end of the turn, and only then."""

from __future__ import annotations

from controller.engine.requests import Answer, EnterEvent, Quarantine, StartGame, Undo
from tests.table_kit import COLOURS, FULL, Bench, same_again

BOTH = "Which cup holds the black, and does a ball lie in {}, which no sensor sees?"


def ready(*lost: str, table: str = FULL) -> Bench:
    bench = Bench(table).open()
    for sensor in lost:
        assert bench.ask(Quarantine(sensor)).ok
    return bench.start()


def a_turn(table: Bench, *fills: int) -> None:
    """The black is struck, so many cups fill one by one, and the turn is given up."""
    table.play_ball(strike=True)
    for cup in fills:
        table.play_ball(cup)
    table.press("end-of-turn")
    table.wait(1)


def test_what_lies_in_a_cup_that_nobody_sees_is_asked_at_the_end_of_the_turn() -> None:
    table = ready("cup-5")
    table.play_ball(strike=True)
    assert table.shown.questions == ()
    table.play_ball(3)
    table.press("end-of-turn")
    (question,) = table.shown.questions
    assert question.text == BOTH.format("cup 5")
    assert dict(question.choices) == {
        "none": "None of them; nothing in cup 5",
        "cup-3": "Cup 3; nothing in cup 5",
        "none+5": "None of them; a ball in cup 5",
        "cup-5": "Cup 5",
        "cup-3+5": "Cup 3; a ball in cup 5",
    }
    assert (table.score["A"], table.shown.provisional) == (3, True)
    same_again(table)
    for choice, points in [("none", 3), ("cup-3", 6), ("none+5", 8), ("cup-5", 13), ("cup-3+5", 11)]:
        assert table.ask(Answer("black-1", choice)).ok
        assert (choice, table.score["A"], table.shown.provisional) == (choice, points, False)
        assert table.ask(Undo()).ok
    same_again(table)


def test_a_cup_that_is_left_out_in_the_middle_of_a_turn_counts_from_the_next_stroke_on() -> None:
    table = ready()
    table.play_ball(strike=True)
    table.play_ball(3)
    assert table.ask(Quarantine("cup-5")).ok
    table.play_ball()
    table.press("end-of-turn")
    assert table.ask(Answer("black-1", "none+5")).ok
    assert table.score["A"] == 8


def test_with_two_such_cups_all_that_may_be_is_offered_and_with_three_people_enter_it() -> None:
    table = ready("cup-5", "cup-7")
    a_turn(table)
    (question,) = table.shown.questions
    assert question.text == BOTH.format("cup 5 or 7")
    assert [key for key, _ in question.choices] == ["none", "none+5", "cup-5", "none+7", "cup-7", "cup-5+7", "cup-7+5"]
    assert table.ask(Answer("black-1", "cup-7+5")).ok
    assert table.score["A"] == 19
    table = ready("cup-5", "cup-7", "cup-9")
    assert [n.text for n in table.shown.notices] == [
        "Cups 5, 7 and 9 have no switch: enter the shot of a ball that falls into them."
    ]
    a_turn(table)
    assert table.shown.questions == ()


def test_a_ball_that_people_have_entered_is_not_asked_about() -> None:
    table = ready("cup-5")
    table.play_ball(strike=True)
    moves = [{"ball": "white-2", "to": "cup-5"}]
    assert table.ask(EnterEvent({"event": "shot", "ball": "white-2", "hit_black": False, "moves": moves})).ok
    table.play_ball(3)
    table.press("end-of-turn")
    assert [question.text for question in table.shown.questions] == ["Which cup holds the black?"]


def test_where_the_black_was_not_struck_nothing_counts_and_nobody_is_asked() -> None:
    table = ready("cup-5")
    table.play_ball()
    table.press("end-of-turn")
    assert (table.shown.questions, table.shown.turn) == ((), "B")


def test_the_last_turn_of_a_game_is_asked_about_before_its_result() -> None:
    table = Bench(FULL).open()
    assert table.ask(Quarantine("cup-9")).ok
    table.ask(StartGame(options={"target": 20}, position={"score": {"A": 26, "B": 20}, "turn": "B"}))
    table.wait(0.5)
    a_turn(table, 3)
    assert (table.shown.phase, table.shown.provisional) == ("over", True)
    assert table.ask(Answer("black-1", "none+9")).ok
    assert table.shown.over is not None
    assert (table.shown.over.winner, table.score, len(table.events("result"))) == ("B", {"A": 26, "B": 32}, 1)


def test_the_colour_of_the_black_tells_that_it_lies_in_a_cup_with_no_switch() -> None:
    table = ready("cup-5", table=f"{FULL}\n{COLOURS}")
    table.play_ball(strike=True)
    table.set("black-5", on=True)
    table.wait(3)
    assert table.pending == {"A": 10}
    table.press("end-of-turn")
    assert (table.score["A"], table.shown.questions) == (10, ())
    same_again(table)


def test_every_turn_asks_anew() -> None:
    table = ready("cup-5")
    for number, side in enumerate("AB", 1):
        a_turn(table)
        assert [question.id for question in table.shown.questions] == [f"black-{number}"]
        assert table.ask(Answer(f"black-{number}", "none+5")).ok
        assert table.score[side] == 5
        table.collect()
    assert table.shown.phase == "playing"
