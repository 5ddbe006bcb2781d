"""The page about the rules says of each what is so, and its examples hold."""

from __future__ import annotations

import doctest
import importlib
import re

import pytest
from click.testing import CliRunner

from controller.commands.score import command
from tests.rules_index import MARK, PAGE, tables, written


def test_the_page_is_as_the_books_the_code_and_the_tests_are_now() -> None:
    assert PAGE.read_text(encoding="utf-8") == written(), "write it anew: python -m tests.rules_index"


def test_every_rule_has_its_code_and_its_test_or_says_why_not() -> None:
    rows = [row.split(" | ") for row in tables().splitlines() if re.match(r"\| [A-Z]+-\d", row)]
    assert len(rows) > 200
    assert [row[0] for row in rows if len(row) != 4 or not row[2].strip()] == []
    judged = [row for row in rows if not row[2].startswith("not adjudicated: ")]
    assert [row[0] for row in judged if not row[3].strip("| ")] == []


def test_examples_on_the_page() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert result.attempted > 0
    assert result.failed == 0


def test_the_transcript_on_the_page_is_scored_as_it_says() -> None:
    text = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
    transcript, scored = (re.search(f"```jsonl {name}\n(.*?)```", text, re.DOTALL) for name in ("transcript", "scored"))
    assert transcript
    assert scored
    assert CliRunner().invoke(command, [], input=transcript[1]).stdout == scored[1]


@pytest.mark.parametrize("name", ["game", "fortification.game", "squails.game", "maw.game"])
def test_examples_in_docstrings(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"controller.rules.{name}"))
    assert result.attempted > 0
    assert result.failed == 0
