"""The whole sentence behind a point of each game, from raw readings on: by the engine and by the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.__main__ import cli
from controller.engine.journal import Journal
from controller.engine.requests import Explain
from tests.sentences_kit import SENTENCES


@pytest.mark.parametrize("game", SENTENCES)
def test_the_engine_and_the_command_line_say_why_in_the_same_words(game: str, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "table.sqlite3")
    table = SENTENCES[game].play(journal)
    detail = table.ask(Explain()).detail
    assert detail["lines"].count(SENTENCES[game].sentence) == 1, detail["lines"]
    number = str(table.engine.play.start.id)
    journal.close()
    said = CliRunner().invoke(cli, ["explain", number, "--journal", str(tmp_path / "table.sqlite3")])
    assert said.exit_code == 0, said.output
    event, points = SENTENCES[game].lines
    lines = said.stdout.splitlines()
    place = next(place for place, line in enumerate(lines) if line.partition("  ")[2].startswith(event))
    assert any(line.strip().startswith(points) for line in lines[place + 1 : place + 3]), said.stdout
    because = SENTENCES[game].sentence.partition(": ")[2]
    assert any(line.strip() in (f"by the sensors: {because}", f"by: {because}") for line in lines[place + 1 : place + 5])
