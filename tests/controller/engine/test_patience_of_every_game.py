"""Players who leave and questions that nobody answers, in each of the four games: a pause, an end, an answer, kept as records."""

from __future__ import annotations

from typing import Any

import pytest

from controller.engine.requests import Answer, Resume
from controller.tablefile.values import UNITS
from tests.asking_kit import GAMES
from tests.table_kit import same_again

MINUTE = UNITS["min"] // 10**9
LEAVING = 'idle_after = "10min"\nabandon_after = "30min"\n'
ASKING = 'answer_within = "2min"\n'

every_game = pytest.mark.parametrize("game", GAMES)


def bodies(table: Any, kind: str) -> list[dict[str, object]]:
    return [dict(record.body) for record in table.journal.records_of(table.engine.play.start.id) if record.kind == kind]


@every_game
def test_players_who_leave_find_the_game_paused_and_go_on(game: str) -> None:
    table = GAMES[game].begun(LEAVING)
    table.wait(9 * MINUTE)
    assert (table.shown.phase, table.shown.questions) == ("playing", ())
    table.wait(1.5 * MINUTE)
    (question,) = table.shown.questions
    assert (table.shown.phase, question.id, question.text) == ("paused", "go-on", "Nobody has played for 10 min. Go on?")
    assert bodies(table, "command")[-1] == {"command": "pause", "by": "idle"}
    same_again(table)
    assert table.ask(Resume()).ok
    assert (table.shown.phase, table.shown.questions) == ("playing", ())
    GAMES[game].ask(table)
    assert table.score == GAMES[game].likely[1], "what is played after the pause counts"


@every_game
def test_players_who_stay_away_have_given_the_game_up(game: str) -> None:
    table = GAMES[game].asked(LEAVING)
    table.wait(29 * MINUTE)
    assert table.shown.phase == "paused"
    table.wait(2 * MINUTE)
    assert (table.shown.phase, table.shown.questions, table.events("result")) == ("abandoned", (), [])
    assert bodies(table, "command")[-1] == {"command": "abandon", "by": "idle"}
    assert table.again().open().shown.phase == "idle"


@every_game
def test_a_question_that_nobody_answers_has_the_likely_answer_marked_as_nobodys(game: str) -> None:
    table = GAMES[game].asked(ASKING)
    key, score = GAMES[game].likely
    (question,) = table.shown.questions
    assert question.unanswered == f"If nobody answers within 2 min, it is taken as: {dict(question.choices)[key]}."
    table.wait(1.5 * MINUTE)
    assert table.shown.provisional
    table.wait(1 * MINUTE)
    assert (table.shown.provisional, table.shown.questions, table.score) == (False, (), score)
    assert bodies(table, "answer") == [{"question": question.id, "choice": key, "by": "deadline"}]
    assert str(table.events("correction")[-1].event["why"]).endswith("nobody answered in time.")
    same_again(table)


@every_game
def test_who_answers_in_time_is_not_overruled(game: str) -> None:
    table = GAMES[game].asked(ASKING)
    key, score = GAMES[game].other
    table.wait(1 * MINUTE)
    assert table.ask(Answer(table.shown.questions[0].id, key)).ok
    table.wait(3 * MINUTE)
    assert (table.score, [body["by"] for body in bodies(table, "answer")]) == (score, ["test"])


@every_game
def test_without_a_word_in_the_table_file_nobody_is_hurried(game: str) -> None:
    table = GAMES[game].asked()
    phase = table.shown.phase
    table.wait(60 * MINUTE)
    assert (table.shown.phase, table.shown.provisional, bodies(table, "answer")) == (phase, True, [])
