"""Players who leave, and questions that nobody answers: deadlines that are records, and are the same when run again."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.__main__ import cli
from controller.engine.journal import Journal
from controller.engine.requests import Answer, Resume, StartGame, Undo
from controller.tablefile.values import UNITS
from tests.table_kit import FULL, HEAD, Bench, same_again

LEAVING = FULL.replace(HEAD, f'{HEAD}idle_after = "10min"\nabandon_after = "30min"\n')
ASKING = FULL.replace(HEAD, f'{HEAD}answer_within = "2min"\n')
MINUTE = UNITS["min"] // 10**9


def bodies(table: Bench, kind: str) -> list[dict[str, object]]:
    journal = table.journal
    assert isinstance(journal, Journal)
    assert table.engine.play is not None
    return [dict(record.body) for record in journal.records_of(table.engine.play.start.id) if record.kind == kind]


def asked_about_the_black(text: str = ASKING, journal: Journal | None = None) -> Bench:
    """A turn is over and which cup holds the black is asked."""
    table = Bench(text, journal).open().start()
    table.play_ball(5, strike=True)
    table.play_ball(3)
    for _ in range(5):
        table.play_ball()
    table.play_ball(9, rest=6)
    assert [question.id for question in table.shown.questions] == ["black-1"]
    return table


def test_players_who_leave_find_the_game_paused_and_go_on() -> None:
    table = Bench(LEAVING).open().start()
    table.play_ball(5, strike=True)
    table.wait(9 * MINUTE)
    assert table.shown.phase == "playing"
    table.wait(2 * MINUTE)
    assert table.shown.phase == "paused"
    (question,) = table.shown.questions
    assert (question.id, question.text) == ("go-on", "Nobody has played for 10 min. Go on?")
    assert bodies(table, "command")[-1] == {"command": "pause", "by": "idle"}
    same_again(table)
    table.press("next-ball")
    assert (table.shown.phase, table.shown.questions) == ("playing", ())
    table.play_ball(7)
    assert table.pending == {"A": 12}


def test_a_move_or_a_command_begins_the_time_anew() -> None:
    table = Bench(LEAVING).open().start()
    for _ in range(3):
        table.wait(9 * MINUTE)
        table.play_ball(strike=True)
        table.wait(9 * MINUTE)
        table.ask(Answer("black-9", "none"))
    assert table.shown.phase == "playing"


def test_players_who_stay_away_have_given_the_game_up() -> None:
    table = Bench(LEAVING).open().start()
    table.play_ball(5, strike=True)
    table.wait(29 * MINUTE)
    assert table.shown.phase == "paused"
    table.wait(2 * MINUTE)
    assert (table.shown.phase, table.shown.questions) == ("abandoned", ())
    assert bodies(table, "command")[-1] == {"command": "abandon", "by": "idle"}
    assert table.again().open().shown.phase == "idle"


def test_a_game_left_paused_at_the_wall_is_given_up_too() -> None:
    table = Bench(LEAVING).open().start()
    table = table.again().open()
    table.wait(31 * MINUTE)
    assert table.shown.phase == "abandoned"


def test_without_a_word_in_the_table_file_nobody_is_hurried() -> None:
    table = asked_about_the_black(FULL)
    table.wait(180 * MINUTE)
    assert table.shown.phase == "clearing"
    assert [question.unanswered for question in table.shown.questions] == [""]


def test_a_question_that_nobody_answers_has_the_likely_answer_marked_as_nobodys() -> None:
    table = asked_about_the_black()
    (question,) = table.shown.questions
    assert question.unanswered == "If nobody answers within 2 min, it is taken as: None of them."
    table.wait(1.5 * MINUTE)
    assert table.shown.provisional
    table.wait(1 * MINUTE)
    assert (table.shown.provisional, table.shown.questions, table.score) == (False, (), {"A": 17, "B": 0})
    assert bodies(table, "answer") == [{"question": "black-1", "choice": "none", "by": "deadline"}]
    assert str(table.events("correction")[-1].event["why"]).endswith("nobody answered in time.")
    same_again(table)


def test_explain_says_that_nobody_answered(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "table.sqlite3")
    table = asked_about_the_black(journal=journal)
    table.wait(3 * MINUTE)
    assert table.engine.play is not None
    number = str(table.engine.play.start.id)
    journal.close()
    told = CliRunner().invoke(cli, ["explain", number, "--journal", journal.path])
    assert "Which cup holds the black? None of them, since nobody answered in time." in told.stdout


def test_the_deadline_takes_the_answer_by_which_the_score_stands() -> None:
    table = asked_about_the_black()
    play = table.engine.play
    assert play is not None
    assert play.in_force("black-1") == "none"
    table.ask(Answer("black-1", "cup-5"))
    table.ask(Undo())
    table.wait(1.9 * MINUTE)
    assert table.shown.provisional, "asked anew by the undo"
    table.wait(1 * MINUTE)
    assert table.score == {"A": 17, "B": 0}


def test_the_result_is_final_when_the_deadline_has_passed() -> None:
    table = Bench(ASKING).open()
    table.ask(StartGame(options={"target": 20}, position={"score": {"A": 26, "B": 8}, "turn": "B"}))
    table.wait(0.5)
    table.play_ball(5, strike=True)
    table.play_ball(3)
    for _ in range(5):
        table.play_ball()
    table.play_ball(9, rest=6)
    assert (table.shown.phase, table.shown.provisional) == ("over", True)
    table.wait(3 * MINUTE)
    assert not table.shown.provisional
    assert len(table.events("result")) == 1


def test_a_game_that_is_over_but_for_an_answer_is_not_thrown_away() -> None:
    table = Bench(LEAVING).open()
    table.ask(StartGame(options={"target": 20}, position={"score": {"A": 26, "B": 8}, "turn": "B"}))
    table.wait(0.5)
    table.play_ball(5, strike=True)
    table.play_ball(3)
    for _ in range(5):
        table.play_ball()
    table.play_ball(9, rest=6)
    table.wait(120 * MINUTE)
    assert (table.shown.phase, table.shown.provisional) == ("over", True)


@pytest.mark.parametrize("boots", [1, 2])
def test_after_a_restart_the_question_has_its_whole_time_again(boots: int) -> None:
    table = asked_about_the_black()
    for boot in range(boots):
        table.wait(1.5 * MINUTE)
        table = table.again(f"boot-{boot + 2}").open()
    table.wait(10 * MINUTE)
    assert table.shown.provisional, "no time passes while the table is paused"
    table.ask(Resume())
    table.wait(1.5 * MINUTE)
    assert table.shown.provisional
    table.wait(1 * MINUTE)
    assert not table.shown.provisional
