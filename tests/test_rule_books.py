"""The rule books, the code and the tests speak of the same rules.

A rule is a heading `### BAG-08 …` in `seeds/`. Each is adjudicated in `controller/rules` and exercised by a test, or it
carries the line `*Not adjudicated:* reason`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from controller.rulebook import read_rules
from controller.rules.registry import GAME_NAMES

ROOT = Path(__file__).parents[1]
IDS = re.compile(r"\b(?:BAG|FORT|SQU|MAW|[BFSM])-\d{2}[a-z]?\b")
HEADING = re.compile(r"^### ((?:BAG|FORT|SQU|MAW|[BFSM])-\d{2}[a-z]?)\b(.*)$", re.MULTILINE)
MARKER = re.compile(r"^\*Not adjudicated:\* \S", re.MULTILINE)
PREFIXES = {"bagatelle": ("BAG-", "B-"), "fortification": ("FORT-", "F-"), "squails": ("SQU-", "S-"), "maw": ("MAW-", "M-")}
BOOKS = [name for name in GAME_NAMES if (ROOT / "seeds" / f"{name}.md").exists()]


def rules_of(name: str) -> dict[str, str]:
    """The text under each rule's heading, the heading's own words first."""
    parts = HEADING.split((ROOT / "seeds" / f"{name}.md").read_text(encoding="utf-8"))
    return {rule: f"{title}\n{text}" for rule, title, text in zip(parts[1::3], parts[2::3], parts[3::3], strict=True)}


def cited(*patterns: str) -> dict[str, str]:
    """Every rule id in these files, with a file that has it."""
    found: dict[str, str] = {}
    for pattern in patterns:
        for path in sorted(ROOT.glob(pattern)):
            if path != Path(__file__):
                found |= dict.fromkeys(IDS.findall(path.read_text(encoding="utf-8")), str(path.relative_to(ROOT)))
    return found


def test_every_rule_that_the_code_cites_is_in_a_book() -> None:
    books = {rule for name in BOOKS for rule in rules_of(name)}
    known = tuple(prefix for name in BOOKS for prefix in PREFIXES[name])
    code = cited("controller/**/*.py", "controller/web/static/**/*.js")
    missing = {rule: place for rule, place in code.items() if rule.startswith(known) and rule not in books}
    assert not missing


@pytest.mark.parametrize("name", BOOKS)
def test_every_rule_is_adjudicated_and_exercised_or_says_why_not(name: str) -> None:
    code, tests = cited("controller/rules/**/*.py"), cited("tests/**/*.py", "tests/cases/*.jsonl")
    rules = rules_of(name)
    left = {rule for rule, text in rules.items() if not MARKER.search(text)}
    assert left - code.keys() == set(), "in the book, but no code adjudicates it"
    assert left - tests.keys() == set(), "in the book, but no test exercises it"


@pytest.mark.parametrize("name", BOOKS)
def test_a_book_holds_each_rule_once_under_its_own_prefix_with_words(name: str) -> None:
    text = (ROOT / "seeds" / f"{name}.md").read_text(encoding="utf-8")
    headings = [rule for rule, _ in HEADING.findall(text)]
    assert len(headings) == len(set(headings))
    assert all(rule.startswith(PREFIXES[name]) for rule in headings)
    for rule, words in rules_of(name).items():
        title, _, body = words.partition("\n")
        assert title.strip(), rule
        assert body.split("\n#")[0].strip(), rule


@pytest.mark.parametrize("name", BOOKS)
def test_the_drawings_of_a_book_are_there(name: str) -> None:
    text = (ROOT / "seeds" / f"{name}.md").read_text(encoding="utf-8")
    for described, drawing in re.findall(r"!\[([^\]]*)\]\(([^)]*)\)", text):
        assert described
        assert (ROOT / "seeds" / drawing).read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize("name", BOOKS)
def test_what_a_book_refers_to_is_in_it(name: str) -> None:
    text = (ROOT / "seeds" / f"{name}.md").read_text(encoding="utf-8")
    assert set(IDS.findall(text)) - rules_of(name).keys() == set()


@pytest.mark.parametrize("name", BOOKS)
def test_the_screens_have_words_for_every_rule_that_may_be_cited(name: str) -> None:
    words = read_rules(name)
    assert words.keys() == rules_of(name).keys()
    assert all(text.strip().endswith(".") for text in words.values())
