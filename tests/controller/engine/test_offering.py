"""Answers by a button at the table, the same in all four games: what is offered, taken, called up, and refused."""

from __future__ import annotations

from typing import Any

import pytest

from controller.engine.requests import Quarantine, Undo
from tests.asking_kit import GAMES
from tests.table_kit import same_again

every_game = pytest.mark.parametrize("game", GAMES)


def offered(table: Any) -> list[str]:
    keys = [question.offered for question in table.shown.questions]
    said = [notice.text for notice in table.shown.notices if notice.text.startswith("The button ANSWER")]
    words = [text.removeprefix("The button ANSWER says: ").partition(";")[0].rstrip(".") for text in said]
    assert [dict(table.shown.questions[0].choices)[key] for key in keys[:1] if key] == words
    assert not any(keys[1:])
    return words


def answers(table: Any) -> list[tuple[str, str]]:
    records = table.journal.records_of(table.engine.play.start.id)
    return [(str(record.body["choice"]), str(record.body["by"])) for record in records if record.kind == "answer"]


@every_game
def test_a_press_takes_the_likely_answer(game: str) -> None:
    table = GAMES[game].asked()
    key, score = GAMES[game].likely
    text = dict(table.shown.questions[0].choices)[key]
    assert (offered(table), table.shown.provisional) == ([text], True)
    table.press("answer")
    assert (table.shown.questions, offered(table), table.shown.provisional, table.score) == ((), [], False, score)
    assert answers(table) == [(key, "button:answer")]
    same_again(table)


@every_game
def test_held_it_offers_the_next_and_a_press_takes_that(game: str) -> None:
    table = GAMES[game].asked()
    key, score = GAMES[game].other
    (question,) = table.shown.questions
    keys, texts = [*dict(question.choices)], dict(question.choices)
    revision = table.shown.revision
    while offered(table) != [texts[key]]:
        table.press("answer", seconds=1.5)
        assert answers(table) == []
    assert table.shown.revision > revision, "what is offered is a change that is shown"
    table.press("answer")
    assert (answers(table), table.score) == ([(key, "button:answer")], score)
    assert table.ask(Undo()).ok
    for _ in keys:
        table.press("answer", seconds=1.5)
    assert offered(table) == [texts[key]], "after the last comes the first"


@every_game
def test_where_nothing_is_asked_the_press_is_refused_and_said_so(game: str) -> None:
    table = GAMES[game].begun()
    table.press("answer")
    assert "ANSWER was pressed, and nothing is asked now." in table.shown.faults
    table.wait(15)
    assert "ANSWER was pressed, and nothing is asked now." in table.shown.faults
    table.wait(15)
    assert table.shown.faults == ()
    assert answers(table) == []


@every_game
def test_without_the_button_or_with_it_left_out_nothing_is_offered(game: str) -> None:
    table = GAMES[game].asked(more="")
    assert offered(table) == []
    table = GAMES[game].asked()
    assert table.ask(Quarantine("answer")).ok
    assert offered(table) == []
    table.press("answer")
    assert answers(table) == []


@every_game
def test_it_answers_whether_a_game_that_was_switched_off_goes_on(game: str) -> None:
    table = GAMES[game].begun().again().open()
    assert (table.shown.phase, offered(table)) == ("paused", ["Go on"])
    table.press("answer", seconds=1.5)
    assert offered(table) == ["Give the game up"]
    table.press("answer")
    assert table.shown.phase == "abandoned"
    table = GAMES[game].begun().again().open()
    table.press("answer")
    assert table.shown.phase == "playing"
