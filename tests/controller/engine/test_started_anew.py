"""What a start of the program finds and leaves: what a table did by itself is not forgotten, and nothing found ends it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from controller.engine.journal import Journal, JournalError
from controller.engine.requests import Answer, EnterEvent, Quarantine, Release
from tests.fortification_kit import BELLS, BUTTONS, COLOURS, HEAD, FortBench
from tests.fortification_kit import FULL as FORTIFICATION
from tests.table_kit import FULL, Bench, same_again

TAKEN_UP = "The game was taken up from its events"


def go_on(table: Bench, boot: str) -> Bench:
    """Switched off and on, and played on."""
    again = table.again(boot).open()
    assert again.ask(Answer("go-on", "yes")).ok
    again.wait(1)
    return again


def test_a_stroke_that_was_only_called_is_over_after_each_start() -> None:
    table = Bench().open().start()
    for boot in ("boot-2", "boot-3", "boot-4"):
        table.press("next-ball")
        table = go_on(table, boot)
        assert table.shown.faults == ()
    table.press("next-ball")
    table.play_ball(3, strike=True)
    table.press("next-ball")
    table.wait(1)
    assert table.engine.play is not None
    assert [step.event["ball"] for step in table.engine.play.fold.steps] == ["white-1"]
    assert table.shown.position["balls_left"] == 7


def test_another_quiet_in_the_table_file_does_not_keep_the_program_from_starting() -> None:
    table = FortBench(FORTIFICATION)
    table.open().start()
    table.stroke("english-attack")
    table.through("english")
    table.rest()
    journal = table.journal
    assert isinstance(journal, Journal)
    longer = FORTIFICATION.replace('game = "fortification"\n', 'game = "fortification"\nquiet = "4s"\n')
    assert longer != FORTIFICATION
    again = FortBench(longer, journal, "boot-2").open()
    assert [fault[: len(TAKEN_UP)] for fault in again.shown.faults] == [TAKEN_UP]
    assert again.shown.position == table.shown.position


@pytest.mark.parametrize("body", ['{"levels": 5}', '{"sensor": "cup-3"}', '{"command": "finish", "by": []}', "{}"])
def test_a_record_that_no_program_has_written_leaves_the_events(body: str) -> None:
    table = Bench().open().start()
    table.play_ball(5, strike=True)
    table.press("next-ball")
    table.wait(1)
    journal = table.journal
    assert isinstance(journal, Journal)
    kinds = ("baseline", "observation", "command", "deadline")
    for kind in kinds:
        journal._db.execute("update records set body = ? where id = (select max(id) from records where kind = ?)", (body, kind))
    again = table.again().open()
    assert [fault[: len(TAKEN_UP)] for fault in again.shown.faults] == [TAKEN_UP]
    assert again.pending == table.pending


@pytest.mark.parametrize("body", ["{}", '{"sides": {}}', '{"game": "bagatelle"}', '{"game": "bagatelle", "options": 3}'])
def test_a_start_that_no_program_has_written_is_said(body: str) -> None:
    table = Bench().open().start()
    journal = table.journal
    assert isinstance(journal, Journal)
    journal._db.execute("update records set body = ? where kind = 'start'", (body,))
    again = table.again().open()
    assert again.shown.phase == "idle"
    assert "can't go on with" in again.shown.faults[0]
    assert again.start().shown.phase == "playing"


@pytest.mark.parametrize(("kind", "body"), [("boot", '{"revisions": 5}'), ("boot", '{"revisions": [1]}'), ("start", "[]")])
def test_a_record_that_is_none_names_the_journal_and_the_remedy(kind: str, body: str) -> None:
    table = Bench().open().start()
    journal = table.journal
    assert isinstance(journal, Journal)
    journal._db.execute("update records set body = ? where kind = ?", (body, kind))
    with pytest.raises(JournalError, match=r"malformed.*move it away"):
        journal.kept()


def test_an_event_that_no_program_has_written_leaves_the_game_in_the_journal() -> None:
    table = Bench().open().start()
    assert table.ask(EnterEvent({"event": "shot", "ball": "white-1", "hit_black": False, "moves": []})).ok
    journal = table.journal
    assert isinstance(journal, Journal)
    journal._db.execute("update records set body = ? where kind = 'event'", (json.dumps({"evidence": 7}),))
    again = table.again().open()
    assert again.shown.phase == "idle"
    assert "can't go on with" in again.shown.faults[0]
    assert again.start().shown.phase == "playing"


def test_a_sensor_that_is_taken_back_in_counts_from_what_it_sees_now() -> None:
    table = Bench(FULL).open().start()
    table.play_ball(3, strike=True)
    assert table.ask(EnterEvent({"event": "end_turn"})).ok
    table.wait(1)
    assert table.shown.phase == "clearing"
    assert table.ask(Quarantine("cup-3")).ok
    table.set("cup-3", on=False)
    table.wait(1)
    assert table.ask(Release("cup-3")).ok
    table.set("spot-a", on=True)
    table.wait(1)
    assert (table.shown.phase, table.shown.notices) == ("playing", ())
    again = table.again().open()
    assert again.shown.faults == ()


def test_what_a_table_has_dropped_without_a_word_is_dropped_again() -> None:
    table = FortBench(HEAD + BELLS + COLOURS + BUTTONS)
    table.open().start()
    passed = {"fact": "pass", "ball": "english-attack", "from": "own_side"}
    for side, facts in (("english", [passed]), ("french", [])):
        event: dict[str, Any] = {"event": "stroke", "side": side, "ball": f"{side}-attack", "facts": facts}
        assert table.ask(EnterEvent(event)).ok
        table.lower("french-pass")
        table.rest()
    table.stroke()
    table.into("french-advanced-1")
    table.rest()
    # Told once; the second time it is down by the score already, and the table lets that go.
    for _ in range(2):
        table.lower("french-advanced-1")
        table.rest()
        table.set("french-advanced-1-colours", on=True)
        table.wait(1)
    table.lower("french-advanced-1")
    table.rest()
    assert table.ask(Answer(table.shown.questions[0].id, "none")).ok
    table.stroke()
    table.into("english-advanced-1")
    table.rest()
    same_again(table)
    assert table.again().open().shown.faults == ()
