"""The page of the house rules says of each option what the code says, and the games take what the page allows."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import pytest
from click.testing import CliRunner

from controller.commands.score import command
from controller.rules.errors import BadOption
from controller.rules.game import Game
from controller.rules.registry import GAME_NAMES, find_game
from tests.house_rules_page import LEFT_OUT, MARK, PAGE, written
from tests.rules_index import ROOT


def rows(game: str) -> list[list[str]]:
    """The rows of a game's table as the page has them, cell by cell."""
    text = PAGE.read_text(encoding="utf-8").partition(f"\n## {game.capitalize()}\n")[2].partition("\n## ")[0]
    return [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| `")]


def takes(game: Game[Any], name: str, value: object) -> bool:
    """Whether a game can be begun with a value of an option."""
    try:
        game.start({name: value})  # type: ignore[dict-item]  # what is read from the page may be anything
    except BadOption:
        return False
    return True


def test_the_page_is_as_the_options_are_now() -> None:
    assert PAGE.read_text(encoding="utf-8") == written(), "write it anew: python -m tests.house_rules_page"


@pytest.mark.parametrize("name", GAME_NAMES)
def test_every_option_has_its_row_and_every_row_its_option(name: str) -> None:
    told = {cells[0].strip("`"): cells for cells in rows(name)}
    options = {option.name: option for option in find_game(name).options}
    assert list(told) == list(options)
    for option, (_, _, default, text, item) in told.items():
        assert text == options[option].text
        assert (None if default == LEFT_OUT else json.loads(default.strip("`"))) == options[option].default
        assert item == options[option].item


@pytest.mark.parametrize("name", GAME_NAMES)
def test_a_game_takes_the_values_on_the_page_and_no_others(name: str) -> None:
    game = find_game(name)
    for option, values, default, *_ in rows(name):
        key = option.strip("`")
        if default != LEFT_OUT:
            assert takes(game, key, json.loads(default.strip("`")))
        if choices := re.findall(r"`([^`]+)`", values):
            assert [choice for choice in choices if not takes(game, key, json.loads(choice))] == []
            assert not takes(game, key, "another")
            continue
        bounds = re.fullmatch(r"(whole|any) number from (\d+)(?: to (\d+))?", values)
        assert bounds, values
        least, most = int(bounds[2]), bounds[3] and int(bounds[3])
        assert takes(game, key, least)
        assert not takes(game, key, least - 1)
        assert takes(game, key, least + 0.5) is (bounds[1] == "any")
        assert takes(game, key, most or 10_000)
        assert most is None or not takes(game, key, most + 1)


@pytest.mark.parametrize("name", GAME_NAMES)
def test_what_an_option_hangs_on_stands_in_the_book_of_its_game(name: str) -> None:
    book = (ROOT / "seeds" / f"{name}.md").read_text(encoding="utf-8")
    assert [option for option, *_, item in rows(name) if item and f"\n### {item} " not in book] == []


def test_the_examples_on_the_page_are_house_rules() -> None:
    text = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
    [entry] = re.findall(r"`(\w+ = [^`]+)`", text)
    [line] = re.findall(r'`(\{"event":"game".+\})`', text)
    [fields] = re.findall(r'`"options": (\{[^`]+\})`', text)
    assert tomllib.loads(entry) == json.loads(line)["options"] == json.loads(fields)
    scored = CliRunner().invoke(command, [], input=line)
    assert scored.exit_code == 0
    assert json.loads(scored.stdout)["ok"] is True


def test_the_table_file_leads_to_the_page() -> None:
    rules = (ROOT / "docs" / "table-file.md").read_text(encoding="utf-8").partition("\n## `[rules]`")[2].partition("\n## ")[0]
    assert "](house-rules.md)" in rules
