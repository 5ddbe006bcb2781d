"""A game that is over, of any earlier day, is corrected: by records, with who and why; the first result is kept."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from controller.__main__ import cli
from controller.command_models import read_command
from controller.engine.archive import open_game
from controller.engine.journal import Journal
from controller.engine.requests import Abandon, Answer, Correct, EnterEvent, Reply, Request, StartGame, Undo
from tests.table_kit import HEAD, Bench

BLACK = {"event": "shot", "ball": "white-1", "hit_black": True, "moves": [{"ball": "black", "to": "cup-9"}]}
SEVEN = {"event": "shot", "ball": "white-2", "hit_black": False, "moves": [{"ball": "white-2", "to": "cup-7"}]}
END = {"event": "end_turn"}


def enter(table: Bench, *events: dict[str, Any]) -> list[int]:
    for event in events:
        reply = table.ask(EnterEvent(event))
        assert reply.ok, reply.error
    return [happening.revision for happening in table.events()]


class Evening:
    """Three games in one journal, the first two over; then the machine was switched off and on."""

    def __init__(self, journal: Journal) -> None:
        self.path = Path(journal.path)
        table = Bench(HEAD, journal).open()
        table.ask(StartGame(sides=("Ann", "Bob"), options={"target": 20}))
        self.revisions = enter(table, BLACK, SEVEN, END, END)
        assert (table.shown.phase, table.score) == ("over", {"A": 25, "B": 0})
        self.first = table.shown.game_id
        table.ask(StartGame(options={"target": 1}))
        enter(table, BLACK, END, END)
        self.second = table.shown.game_id
        table.ask(StartGame())
        enter(table, BLACK)
        self.third = table.shown.game_id
        self.table = table.again().open()
        self.table.ask(Answer("go-on", "yes"))

    @property
    def number(self) -> str:
        return self.first.rpartition("-")[2]

    def correct(self, revision: int, **how: Any) -> Reply:
        return self.table.ask(Correct(revision, game=self.first, who="Ann", **how))

    def run(self, *arguments: str) -> str:
        result = CliRunner().invoke(cli, [*arguments, "--journal", str(self.path)])
        assert result.exit_code == 0, result.stderr
        return result.stdout


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path / "table.sqlite3")
    yield journal
    journal.close()


@pytest.fixture
def evening(journal: Journal) -> Evening:
    return Evening(journal)


def test_it_is_corrected_by_records_and_the_game_in_play_is_as_it_was(evening: Evening) -> None:
    shown = evening.table.shown
    six = {**SEVEN, "moves": [{"ball": "white-2", "to": "cup-6"}]}
    reply = evening.correct(evening.revisions[1], replace=six, why="it was the six")
    assert reply.ok, reply.error
    assert reply.detail == {
        "game_id": evening.first,
        "before": {"A": 25, "B": 0},
        "after": {"A": 24, "B": 0},
        "over": True,
        "winner": "A",
    }
    now = evening.table.shown
    assert (now.game_id, now.sides, now.position) == (shown.game_id, shown.sides, shown.position)
    told = evening.table.events("correction")[-1]
    assert (told.game_id, told.event, told.before, told.after) == (
        evening.first,
        {"why": "it was the six"},
        {"A": 25, "B": 0},
        {"A": 24, "B": 0},
    )
    kept = open_game(evening.path, int(evening.number))
    assert (kept.score, kept.first_result, kept.state, kept.differs) == ({"A": 24, "B": 0}, {"A": 25, "B": 0}, "over", False)
    assert [(one.by, one.why) for one in kept.corrections] == [("Ann (test)", "it was the six")]


def test_every_view_shows_the_corrected_result_and_the_first_one(evening: Evening) -> None:
    assert evening.correct(evening.revisions[1], remove=True, why="nobody saw it").ok
    _, first, second, _ = evening.run("history").splitlines()
    corrected = "corrected 2026-11-30T20:00:00Z by Ann (test): nobody saw it; was Ann 25, Bob 0"
    assert f"\tAnn 18, Bob 0\tunfinished\t\t{corrected}" in first
    assert "\tover" in second
    lines = [json.loads(line) for line in evening.run("export", evening.number).splitlines()]
    assert [line["event"] for line in lines] == ["game", "shot", "end_turn", "end_turn"]
    rows = list(csv.DictReader(io.StringIO(evening.run("export", "--csv"))))
    assert [(row["side"], row["score"], row["first_score"]) for row in rows[:2]] == [("A", "18", "25"), ("B", "0", "0")]
    assert rows[0]["corrected"] == "2026-11-30T20:00:00Z"
    assert (rows[2]["corrected"], rows[4]["first_score"]) == ("", "")
    told = evening.run("explain", evening.number)
    assert "First kept as Ann 25, Bob 0.\nCorrected 2026-11-30T20:00:00Z by Ann (test): nobody saw it\n" in told


def test_a_game_that_is_no_longer_won_is_played_to_its_end_by_entering(evening: Evening) -> None:
    table = evening.table
    reply = evening.correct(evening.revisions[1], remove=True)
    assert reply.detail is not None
    assert (reply.detail["over"], reply.detail["winner"]) == (False, None)
    for event in (BLACK, END, END):
        reply = table.ask(EnterEvent(event, game=evening.first, who="Ann"))
        assert reply.ok, reply.error
    assert reply.detail is not None
    assert (reply.detail["after"], reply.detail["winner"]) == ({"A": 36, "B": 0}, "A")
    kept = open_game(evening.path, int(evening.number))
    assert (kept.ended, kept.first_result) == ("over", {"A": 25, "B": 0})


def test_it_is_taken_back_and_stands_again_also_after_a_restart(evening: Evening) -> None:
    assert evening.correct(evening.revisions[1], remove=True).ok
    table = evening.table.again("boot-3").open()
    assert table.engine.faults == {}
    assert table.shown.game_id == evening.third, "a corrected game is not the one that goes on"
    assert table.ask(Undo(game=evening.first, why="it was seen after all")).ok
    kept = open_game(evening.path, int(evening.number))
    assert (kept.score, kept.ended) == ({"A": 25, "B": 0}, "over")
    assert [one.why for one in kept.corrections] == ["it was seen after all"]
    assert table.ask(Undo(game=evening.number)).ok
    assert open_game(evening.path, int(evening.number)).score == {"A": 18, "B": 0}


def test_what_it_would_do_is_told_first(evening: Evening) -> None:
    reply = evening.correct(evening.revisions[0], remove=True, preview=True)
    assert reply.detail is not None
    assert (reply.detail["before"], len(reply.detail["fallen"])) == ({"A": 25, "B": 0}, 0)  # type: ignore[arg-type]
    assert open_game(evening.path, int(evening.number)).corrections == ()


def test_two_that_come_at_once_both_count(evening: Evening) -> None:
    replies: list[Reply] = []
    for revision in evening.revisions[:2]:
        evening.table.loop.submit(Request(Correct(revision, remove=True, game=evening.first), "test", replies.append))
    evening.table.wait(0.01)
    assert [reply.ok for reply in replies] == [True, True]
    assert open_game(evening.path, int(evening.number)).score == {"A": 0, "B": 0}


def test_the_game_in_play_may_be_named_too(evening: Evening) -> None:
    assert evening.table.ask(Undo(game=evening.third)).ok
    assert evening.table.pending == {}


@pytest.mark.parametrize(
    ("game", "says"), [("77", "there is no game '77' in the journal"), ("nobody", "there is no game 'nobody'")]
)
def test_a_game_that_is_not_there(evening: Evening, game: str, says: str) -> None:
    assert says in str(evening.table.ask(Undo(game=game)).error)


def test_a_game_that_was_given_up_has_no_result_to_correct(evening: Evening) -> None:
    table = evening.table
    table.ask(Abandon())
    assert "was given up, and has no result to correct" in str(table.ask(Undo(game=evening.third)).error)


def test_a_table_that_keeps_no_journal_says_so() -> None:
    assert "there is no game 'x'" in str(Bench(HEAD).open().ask(Undo(game="x")).error)


def test_commands_name_the_game_the_person_and_the_reason() -> None:
    read = read_command(b'{"command":"undo","game":"a1-7","who":"Ann","why":"too early"}', None)
    assert read.request() == Undo(game="a1-7", who="Ann", why="too early")


def test_a_result_that_a_correction_changes_is_kept_beside_the_first_also_in_the_game_in_play(journal: Journal) -> None:
    path = Path(journal.path)
    table = Bench(HEAD, journal).open()
    table.ask(StartGame(options={"target": 10}))
    revisions = enter(table, BLACK, SEVEN, END, END)
    assert table.ask(Correct(revisions[1], remove=True)).ok
    kept = open_game(path, int(table.shown.game_id.rpartition("-")[2]))
    assert (kept.score, kept.first_result, kept.differs) == ({"A": 18, "B": 0}, {"A": 25, "B": 0}, False)
