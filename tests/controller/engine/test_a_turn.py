"""A turn of bagatelle from switches to the score."""

from __future__ import annotations

from controller.engine.journal import Journal
from controller.engine.requests import Answer, StartGame, Undo
from tests.table_kit import Bench


def test_balls_drop_and_the_screens_know_a_second_later() -> None:
    table = Bench().open().start()
    assert table.shown.phase == "playing"
    table.cross()
    table.wait(0.5)
    table.set("spot-a", on=False)
    table.wait(0.5)
    table.set("cup-7", on=True)
    table.wait(1)
    assert table.pending == {"A": 7}
    assert table.score == {"A": 0, "B": 0}
    assert table.shown.last is not None
    assert table.shown.last.awards[0].rule == "BAG-11"


def test_a_turn_of_eight_is_banked_and_the_black_is_asked_for_once() -> None:
    table = Bench().open().start()
    table.play_ball(5, strike=True)
    table.play_ball(3)
    for _ in range(5):
        table.play_ball()
    assert table.shown.questions == ()
    table.play_ball(9, rest=6)
    assert table.score == {"A": 17, "B": 0}
    assert table.shown.provisional
    assert table.shown.phase == "clearing"
    (question,) = table.shown.questions
    assert [key for key, _ in question.choices] == ["none", "cup-3", "cup-5", "cup-9"]
    assert table.ask(Answer(question.id, "cup-5")).ok
    assert table.score == {"A": 22, "B": 0}
    assert not table.shown.provisional
    assert table.shown.questions == ()
    table.collect()
    assert table.shown.phase == "playing"
    assert table.shown.turn == "B"
    assert table.ask(Undo()).ok
    assert table.score == {"A": 17, "B": 0}
    assert table.ask(Undo()).ok
    assert table.score == {"A": 22, "B": 0}


def test_a_game_goes_on_after_the_power_was_cut() -> None:
    table = Bench().open().start()
    table.play_ball(5, strike=True)
    table.play_ball(3)
    shown = table.shown
    table = table.again().open()
    assert table.shown.phase == "paused"
    assert table.engine.faults == {}
    assert table.shown.revision > shown.revision
    (question,) = table.shown.questions
    assert question.id == "go-on"
    table.set("cup-5", on=True)
    table.set("cup-3", on=True)
    table.wait(1)
    assert table.ask(Answer("go-on", "yes")).ok
    assert table.shown.phase == "playing"
    assert table.pending == {"A": 8}
    assert table.shown.game_id == shown.game_id


def test_the_next_ball_after_a_power_cut_is_a_stroke_of_its_own() -> None:
    table = Bench().open().start()
    table.play_ball(5, strike=True)
    assert table.events() == []
    table = table.again()
    table.set("cup-5", on=True)
    table.set("spot-a", on=False)
    table.open()
    assert len(table.events()) == 1, "the stroke that was open is over"
    assert table.ask(Answer("go-on", "yes")).ok
    table.play_ball(7)
    assert table.pending == {"A": 12}
    assert table.again().open().engine.faults == {}


def test_what_was_moved_while_the_power_was_off_is_a_notice_and_never_play() -> None:
    table = Bench().open().start()
    table.play_ball(5, strike=True)
    table.play_ball(3)
    table = table.again()
    table.set("cup-3", on=True)
    table.set("cup-9", on=True)
    table.open()
    assert table.ask(Answer("go-on", "yes")).ok
    table.wait(10)
    assert table.pending == {"A": 8}
    assert [notice.text for notice in table.shown.notices] == [
        "Lift the ball from cup 9. It doesn't count in this turn.",
        "By the score a ball lies in cup 5, which is empty: put it back, or correct.",
    ]


def test_a_winner_who_hangs_on_a_question_has_not_won_before_it_is_answered() -> None:
    table = Bench().open()
    assert isinstance(table.journal, Journal)
    table.ask(StartGame(options={"target": 20}, position={"score": {"A": 26, "B": 8}, "turn": "B"}))
    table.wait(0.5)
    table.play_ball(5, strike=True)
    table.play_ball(3)
    for _ in range(5):
        table.play_ball()
    table.play_ball(9, rest=6)
    assert (table.shown.phase, table.shown.provisional, table.score) == ("over", True, {"A": 26, "B": 25})
    assert table.shown.over is not None
    assert table.shown.over.winner == "A"
    assert table.events("result") == []
    assert table.journal.kept().open_game != ()
    (question,) = table.shown.questions
    assert question.hangs == "B +9, how the game ends"
    assert table.ask(Answer(question.id, "cup-9")).ok
    assert (table.shown.phase, table.shown.provisional, table.score) == ("over", False, {"A": 26, "B": 34})
    assert table.shown.over.winner == "B"
    assert len(table.events("result")) == 1
    assert table.journal.kept().open_game == ()
