"""history, export and explain over a journal that a simulated evening has filled."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.__main__ import cli
from controller.engine.journal import Journal
from controller.simulation.stage import Stage, simulated_table
from hardware.signals import SECOND
from tests.history_kit import parlour


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, int]]]:
    path = tmp_path_factory.mktemp("evening") / "table.sqlite3"
    journal = Journal(path)
    stage = Stage(simulated_table("bagatelle"), 5, games=2, journal=journal)
    stage.open()
    stage.play_until(stage.now + 3 * 3600 * SECOND)
    assert stage.done
    journal.close()
    return path, stage.evening.finished


def run(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(cli, list(arguments))
    assert result.exit_code == code, result.stderr
    return result.stdout if code == 0 else result.stderr


def numbers(path: Path) -> list[str]:
    return [line.split("\t")[0] for line in run("history", "--journal", str(path)).splitlines()[1:]]


def test_history_lists_finished_games(evening: tuple[Path, list[dict[str, int]]]) -> None:
    path, finished = evening
    head, *lines = run("history", "--journal", str(path)).splitlines()
    assert head == "number\tstarted\tgame\tscore\tended\twinner\tcorrected"
    assert len(lines) == 2
    for line, score in zip(lines, finished, strict=True):
        winner = max(score, key=lambda side: score[side])
        assert line.endswith(f"\tbagatelle\tPlayer A {score['A']}, Player B {score['B']}\tover\tPlayer {winner}")


def test_an_exported_game_scores_the_same(evening: tuple[Path, list[dict[str, int]]], tmp_path: Path) -> None:
    path, finished = evening
    for number, score in zip(numbers(path), finished, strict=True):
        transcript = tmp_path / f"{number}.jsonl"
        transcript.write_text(run("export", number, "--journal", str(path)))
        last = json.loads(run("score", str(transcript)).splitlines()[-1])
        assert last["score"] == score


def test_all_games_as_csv(evening: tuple[Path, list[dict[str, int]]]) -> None:
    path, finished = evening
    rows = list(csv.DictReader(io.StringIO(run("export", "--csv", "--journal", str(path)))))
    assert [(row["side"], int(row["score"])) for row in rows] == [(s, p) for score in finished for s, p in score.items()]


def test_every_point_is_explained_by_its_rule_and_its_signals(evening: tuple[Path, list[dict[str, int]]]) -> None:
    path, finished = evening
    told = run("explain", numbers(path)[0], "--journal", str(path))
    points = sum(int(line.split()[2]) for line in told.splitlines() if line.startswith("    Player"))
    assert points == sum(finished[0].values())
    assert "BAG-11  A ball in cup" in told
    assert "by the sensors: half-way crossing up, " in told
    assert "Which cup holds the black?" in told


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["explain", "99"], 2, "there is no game 99; there are: "),
        (["export", "99"], 2, "there is no game 99; there are: "),
        (["history", "--journal", "empty"], 2, "empty: the file is empty: no table has kept a game in it"),
        (["export", "--csv", "--journal", "text"], 2, "text: the file is no journal"),
        (["explain", "1", "--journal", "other"], 2, "other: the file is of another program"),
        (["export"], 2, "name a game"),
        (["history", "--journal", "nowhere.sqlite3"], 2, "no such journal"),
    ],
)
def test_what_is_not_there_is_said(
    evening: tuple[Path, list[dict[str, int]]], monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int, says: str
) -> None:
    monkeypatch.chdir(evening[0].parent)
    Path("empty").write_bytes(b"")
    Path("text").write_text("A letter to a friend")
    with contextlib.closing(sqlite3.connect("other")) as other:
        other.execute("create table if not exists friends(name text)")
    assert says in run(*arguments, code=code)


def test_a_journal_can_be_read_while_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite3"
    journal = Journal(path)
    stage = Stage(simulated_table("bagatelle"), 5, journal=journal)
    stage.open()
    stage.play_until(stage.now + 100 * SECOND)
    assert "\topen" in run("history", "--journal", str(path))
    journal.close()


def test_a_player_is_forgotten_while_no_service_runs(tmp_path: Path) -> None:
    with parlour(tmp_path) as place:
        place.play("Zebulon", "Bob")
        assert "another program has it open" in run("history", "--forget", "Zebulon", "--journal", str(place.path), code=1)
    journal = str(tmp_path / "table.sqlite3")
    assert "no game names 'Annie'" in run("history", "--forget", "Annie", "--journal", journal, code=1)
    assert run("history", "--forget", "Zebulon", "--journal", journal) == "Forgotten: 1 records name a player instead.\n"
    assert "a player 25, Bob 0\tover" in run("history", "--journal", journal)
    assert all(b"Zebulon" not in path.read_bytes() for path in tmp_path.iterdir())


def test_nobody_is_forgotten_in_the_middle_of_a_game(tmp_path: Path) -> None:
    with parlour(tmp_path) as place:
        place.start("Zebulon", "Bob")
    assert "a game is in play" in run("history", "--forget", "Zebulon", "--journal", str(tmp_path / "table.sqlite3"), code=1)


def test_a_name_that_a_spreadsheet_would_take_for_a_formula_is_a_name(tmp_path: Path) -> None:
    with parlour(tmp_path) as place:
        place.play('=HYPERLINK("http://evil.example")', " -1+1")
        path = place.path
    names = [row["name"] for row in csv.DictReader(io.StringIO(run("export", "--csv", "--journal", str(path))))]
    assert names == ['\'=HYPERLINK("http://evil.example")', "' -1+1"]
    assert "=HYPERLINK" in run("history", "--journal", str(path))
