"""A source goes away in the middle of a turn: the score is kept, people are told what may have been missed, and play goes on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.engine.absences import Absences, Change
from controller.engine.journal import Journal
from controller.engine.requests import Answer, EnterEvent, StartGame, Undo
from controller.engine.senses import Senses
from controller.engine.showing import FittedSensor
from hardware.health import SourceHealth
from hardware.signals import SECOND
from tests.loose_kit import LooseTable
from tests.table_kit import FULL, HEAD, Bench, same_again


@pytest.fixture
def table() -> LooseTable:
    table = LooseTable()
    table.open()
    table.start()
    table.play_ball(5, strike=True)
    return table


def gaps(table: Bench) -> list[dict[str, object]]:
    assert isinstance(table.journal, Journal)
    start = table.engine.play.start.id  # type: ignore[union-attr]
    return [dict(record.body) for record in table.journal.records_of(start) if record.kind == "gap"]


def test_the_score_is_kept_and_provisional_until_people_say_that_it_is_right(table: LooseTable) -> None:
    table.unplug()
    table.wait(5)
    assert table.pending == {"A": 5}
    assert table.shown.provisional
    (fault,) = table.shown.faults
    assert fault.startswith("sim is away. Until it is back, enter what these would have seen: cup-1, cup-2, ")
    (question,) = table.shown.questions
    assert question.text == "sim is away since 20:00:00: enter what it would have seen. Is the score right?"
    table.cable.plug(kept=False)
    table.wait(1.5)
    assert table.shown.faults == ()
    assert table.shown.provisional
    (question,) = table.shown.questions
    assert question.text == "sim was away from 20:00:00 to 20:00:00 and may have missed something. Is the score right?"
    assert question.hangs == "whether the score is final"
    table.play_ball(7)
    assert (table.pending, table.shown.provisional) == ({"A": 12}, True)
    same_again(table)
    assert table.ask(Answer(question.id, "yes")).ok
    assert (table.pending, table.shown.provisional, table.shown.questions) == ({"A": 12}, False, ())
    same_again(table)
    since = "2026-11-30T20:00:00Z"
    assert gaps(table) == [
        {"source": "sim", "what": "away", "since": since},
        {"source": "sim", "what": "back", "since": since, "until": since, "missed": True},
    ]


def test_an_answer_that_is_taken_back_leaves_the_doubt() -> None:
    table = LooseTable()
    table.open()
    table.start()
    table.away()
    assert table.ask(Answer("away-1", "yes")).ok
    assert not table.shown.provisional
    assert table.ask(Undo()).ok
    assert table.shown.provisional
    same_again(table)


def test_levels_that_changed_meanwhile_are_compared(table: LooseTable) -> None:
    table.unplug()
    table.set("cup-5", on=False)
    table.wait(5)
    assert table.pending == {"A": 5}
    table.cable.plug(kept=False)
    table.wait(2)
    assert table.pending == {}
    assert table.shown.provisional


def test_of_a_source_that_kept_everything_nothing_is_asked(table: LooseTable) -> None:
    table.unplug()
    table.cross()
    table.set("cup-7", on=True)
    table.wait(1)
    assert table.pending == {"A": 5}
    assert table.shown.provisional
    table.cable.plug(kept=True)
    table.wait(1.5)
    assert (table.pending, table.shown.provisional, table.shown.questions) == ({"A": 12}, False, ())
    assert gaps(table)[-1]["missed"] is False
    same_again(table)
    assert "no question 'away-1'" in str(table.ask(Answer("away-1", "yes")).error)


def test_what_was_kept_but_comes_too_late_to_be_waited_for_is_a_doubt(table: LooseTable) -> None:
    table.unplug()
    table.set("cup-7", on=True)
    table.away(10, kept=True)
    assert table.shown.provisional
    assert gaps(table)[-1]["missed"] is True


def test_a_game_that_ends_with_a_doubt_has_its_result_when_the_doubt_is_cleared() -> None:
    table = LooseTable()
    table.open()
    table.ask(StartGame(options={"target": 10}, position={"score": {"A": 0, "B": 4}, "turn": "B"}))
    table.wait(0.5)
    table.play_ball(9, strike=True)
    table.away()
    table.press("end-of-turn")
    table.wait(1)
    for question in table.shown.questions:
        if not question.id.startswith("away"):
            assert table.ask(Answer(question.id, "none")).ok
    assert (table.shown.phase, table.shown.provisional) == ("over", True)
    assert table.events("result") == []
    assert table.ask(Answer("away-1", "yes")).ok
    assert not table.shown.provisional
    assert len(table.events("result")) == 1


def test_what_was_answered_while_it_was_away_holds_for_the_time_before(table: LooseTable) -> None:
    table.unplug()
    table.wait(5)
    assert table.ask(Answer("away-1", "yes")).ok
    assert not table.shown.provisional
    table.cable.plug(kept=False)
    table.wait(1.5)
    assert [question.id for question in table.shown.questions] == ["away-2"]
    same_again(table)


def test_a_source_that_comes_and_goes_is_asked_about_once(table: LooseTable) -> None:
    for _ in range(3):
        table.away()
    table.cable.blind += 1  # gone and back between two looks
    table.wait(0.5)
    (question,) = table.shown.questions
    assert question.id == "away-1"
    assert question.text == "sim was away 4 times from 20:00:00 to 20:00:00 and may have missed something. Is the score right?"
    table.unplug()
    table.wait(5)
    assert [question.text.partition(":")[0] for question in table.shown.questions] == ["sim is away since 20"]
    same_again(table)
    assert table.ask(Answer("away-1", "yes")).ok
    assert not table.shown.provisional
    table.cable.plug(kept=False)
    table.wait(1.5)
    (question,) = table.shown.questions
    assert (question.id, "was away from" in question.text) == ("away-2", True)
    same_again(table)


def test_one_that_comes_back_with_everything_ends_no_doubt_of_an_earlier_time(table: LooseTable) -> None:
    table.away()
    (doubt,) = table.shown.questions
    table.unplug()
    table.wait(1)
    table.cable.plug(kept=True)
    table.wait(1.5)
    assert (table.shown.questions, table.shown.provisional) == ((doubt,), True)
    same_again(table)


def test_a_doubt_survives_a_restart(table: LooseTable) -> None:
    table.unplug()
    table.wait(5)
    assert isinstance(table.journal, Journal)
    again = LooseTable(table.journal, "boot-2")
    again.open()
    assert again.engine.faults == {}
    assert [question.id for question in again.shown.questions] == ["go-on", "away-1"]
    assert again.ask(Answer("go-on", "yes")).ok
    assert again.shown.provisional
    same_again(again)
    assert again.ask(Answer("away-1", "yes")).ok
    assert not again.shown.provisional


def test_a_table_starts_although_its_source_is_not_there_and_takes_it_up_silently() -> None:
    table = LooseTable(plugged=False)
    table.open()
    assert "sim is away" in table.shown.faults[0]
    table.start()
    assert table.shown.phase == "playing", "nothing that can't be seen is waited for"
    assert not table.shown.provisional
    shot = {"event": "shot", "ball": "white-1", "hit_black": True, "moves": [{"ball": "black", "to": "cup-9"}]}
    assert table.ask(EnterEvent(shot)).ok
    table.set("cup-9", on=True)
    table.set("spot-a", on=False)
    table.wait(1)
    table.cable.plug(kept=True)
    table.wait(1)
    assert table.shown.faults == ()
    assert (table.pending, table.shown.provisional, table.shown.notices) == ({"A": 18}, False, ())
    assert table.shown.seen == {"cups": {"9": "black"}}
    table.play_ball(7)
    assert table.pending == {"A": 25}
    same_again(table)


def test_a_game_goes_on_at_a_start_without_its_source(table: LooseTable) -> None:
    assert isinstance(table.journal, Journal)
    again = LooseTable(table.journal, "boot-2", plugged=False)
    again.open()
    assert again.ask(Answer("go-on", "yes")).ok
    assert (again.shown.phase, again.pending) == ("playing", {"A": 5})
    same_again(again)
    again.set("cup-5", on=True)
    again.set("spot-a", on=False)
    again.cable.plug(kept=True)
    again.wait(1)
    again.play_ball(7)
    assert again.pending == {"A": 12}
    same_again(again)


def test_a_game_that_begins_while_a_source_is_away_begins_with_the_doubt() -> None:
    table = LooseTable()
    table.open()
    table.unplug()
    table.wait(5)
    table.start()
    assert table.shown.provisional
    (question,) = table.shown.questions
    assert question.text.startswith("sim is away since 20:00:00")
    same_again(table)
    table.cable.plug(kept=False)
    table.wait(1.5)
    (question,) = table.shown.questions
    assert (question.id, question.text.partition(" from ")[0]) == ("away-1", "sim was away")
    assert table.ask(Answer("away-1", "yes")).ok
    assert not table.shown.provisional


def test_nobody_is_asked_about_an_absence_between_games() -> None:
    table = LooseTable(table=f"{HEAD}\n{FULL.removeprefix(HEAD)}")
    table.open()
    table.away()
    table.start()
    assert (table.shown.provisional, table.shown.questions) == (False, ())


UP, DOWN = SourceHealth("left", up=True), SourceHealth("left", up=False)


def look(absences: Absences, health: SourceHealth, seconds: int, mark: int | None = None) -> list[Change]:
    return absences.look([health], {"left": (seconds if mark is None else mark) * SECOND}, seconds * SECOND, f"at {seconds}")


def test_an_absence_ends_when_all_that_was_kept_has_been_told() -> None:
    absences = Absences()
    assert look(absences, UP, 1) == []
    assert look(absences, DOWN, 2) == [Change("left", "away", "at 2")]
    assert look(absences, DOWN, 3) == []
    assert look(absences, UP, 4, mark=2) == []
    assert look(absences, UP, 5, mark=3) == []
    assert look(absences, UP, 6, mark=5) == [Change("left", "back", "at 2", missed=False)]
    assert look(absences, UP, 7) == []


@pytest.mark.parametrize("counts", [{"lost": 3}, {"blind": 1}, {"late": 2}])
def test_something_was_missed_where_the_source_says_so(counts: dict[str, int]) -> None:
    absences = Absences()
    look(absences, UP, 1)
    look(absences, DOWN, 2)
    assert look(absences, replace(UP, **counts), 3, mark=1) == [Change("left", "back", "at 2", missed=True)]


def test_a_reset_between_two_looks_is_not_overlooked() -> None:
    absences = Absences()
    look(absences, UP, 1)
    assert look(absences, replace(UP, blind=1), 2) == [Change("left", "back", "at 2", missed=True)]
    assert look(absences, replace(UP, blind=1, lost=4), 3) == [], "signals lost while it is there are counted, not asked about"


def test_one_that_was_never_there_leaves_nothing() -> None:
    absences = Absences(["left"])
    assert look(absences, DOWN, 1) == []


def test_what_is_said_of_a_source_is_whole_sentences() -> None:
    faults: dict[str, str] = {}
    sensor = FittedSensor("cup-1", "cup-1", "switch", "board:left/3")
    senses = Senses([sensor], faults)
    senses.look([SourceHealth("board:left", up=False, faults=("/dev/left is gone", "is it plugged in?"))], {}, 0, "")
    assert faults == {
        "away:board:left": "/dev/left is gone. is it plugged in? Until it is back, enter what these would have seen: cup-1."
    }
