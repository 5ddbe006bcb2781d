"""Bagatelle where what can't be meets what is told for certain already, and where things were put right while nobody watched."""

from __future__ import annotations

import pytest

from controller.engine.requests import Answer, Command, Correct, EnterEvent, Pause, Quarantine, Release, Resume, Undo
from controller.rules.awards import Json
from tests.table_kit import FULL, SPOT, Bench, same_again


def entered(ball: str, *, hit: bool = True) -> Command:
    return EnterEvent({"event": "shot", "ball": ball, "hit_black": hit, "moves": []})


def own_revision(table: Bench) -> int:
    assert table.engine.play is not None
    revision = table.engine.play.moves[-1].body["revision"]
    assert isinstance(revision, int)
    return revision


def test_an_answer_that_leaves_no_cup_to_ask_about_is_taken() -> None:
    table = Bench(FULL.replace(SPOT, "")).open().start()
    table.play_ball(6, 2)
    assert table.ask(entered("red-1", hit=False)).ok
    table.play_ball(8, 1, rest=0.3)
    table.press("end-of-turn")
    table.wait(1)
    assert table.ask(Answer("struck-1", "none")).ok
    assert table.score == {"A": 0, "B": 0}
    same_again(table)


@pytest.mark.parametrize("how", ["replace", "remove"])
@pytest.mark.parametrize("preview", [True, False])
def test_a_correction_that_leaves_no_cup_to_ask_about_is_shown_and_done(how: str, *, preview: bool) -> None:
    table = Bench().open().start()
    assert table.ask(entered("white-1")).ok
    revision = own_revision(table)
    table.cross()
    for cup in (9, 7, 3, 5):
        table.set(f"cup-{cup}", on=True)
        table.wait(0.3)
    assert [question.id[:6] for question in table.shown.questions] == ["extra-"]
    table.collect()
    to_cup: dict[str, Json] = {
        "event": "shot",
        "ball": "white-1",
        "hit_black": True,
        "moves": [{"ball": "white-1", "to": "cup-2"}],
    }
    changed = Correct(revision, replace=to_cup, preview=preview)
    assert table.ask(Correct(revision, remove=True, preview=preview) if how == "remove" else changed).ok
    same_again(table)


def test_a_correction_of_an_earlier_turn_and_its_undo_leave_the_question_of_this_one() -> None:
    table = Bench().open().start()
    assert table.ask(entered("red-1")).ok
    assert table.ask(EnterEvent({"event": "end_turn"})).ok
    ended = own_revision(table)
    table.play_ball(5, strike=True)
    table.press("end-of-turn")
    table.wait(1)
    assert [question.id for question in table.shown.questions] == ["black-2"]
    before = table.shown.questions
    assert table.ask(Correct(ended, remove=True)).ok
    assert table.ask(Undo()).ok
    assert table.shown.questions == before
    assert table.shown.provisional
    assert table.ask(Answer("black-2", "cup-5")).ok
    assert table.score == {"A": 0, "B": 10}


@pytest.mark.parametrize("how", ["pause", "off", "sensor out"])
def test_a_ball_that_was_lifted_while_nobody_watched_is_asked_about_no_more(how: str) -> None:
    table = Bench(FULL).open().start()
    table.set("cup-3", on=True)
    table.wait(1)
    assert len(table.shown.questions) == 1
    before: Command = Pause() if how == "pause" else Quarantine("cup-3")
    after: Command = Resume() if how == "pause" else Release("cup-3")
    if how == "off":
        # Bench.again finds all its inputs at rest.
        table = table.again().open()
        assert table.ask(Answer("go-on", "yes")).ok
    else:
        assert table.ask(before).ok
        table.set("cup-3", on=False)
        table.wait(1)
        assert table.ask(after).ok
    table.wait(1)
    assert (table.shown.questions, table.shown.notices, table.shown.provisional) == ((), (), False)


def test_a_stroke_that_was_taken_back_can_be_told_of_again() -> None:
    table = Bench(FULL).open().start()
    table.set("cup-3", on=True)
    table.wait(1)
    (question,) = table.shown.questions
    assert table.ask(Answer(question.id, "cup-3")).ok
    assert table.ask(Undo()).ok
    assert table.shown.position["balls_left"] == 8
    for choice, left in (("put", 8), ("cup-3", 7)):
        assert table.ask(Answer(question.id, choice)).ok
        table.wait(1)
        assert table.shown.position["balls_left"] == left
    same_again(table)
