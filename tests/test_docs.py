"""What the pages point to is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)", page.read_text())
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []


def test_the_index_lists_every_page() -> None:
    index = (DOCS / "index.md").read_text()
    pages = [str(page.relative_to(DOCS)) for page in PAGES if page.is_relative_to(DOCS) and page.name != "index.md"]
    assert [page for page in pages if f"]({page})" not in index] == []


def test_the_readme_names_commands_that_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    commands = {path.stem for path in (ROOT / "controller" / "commands").glob("*.py")}
    text = (ROOT / "README.md").read_text()
    targets, named = (
        set(re.findall(r"\bmake ([a-z]+) {2,}|`make ([a-z]+)`", text)),
        set(re.findall(r"`tablemarker ([a-z]+)", text)),
    )
    assert {"demo", "test"} <= {target for pair in targets for target in pair}
    assert [target for pair in targets for target in pair if target and f"\n{target}:" not in makefile] == []
    assert named
    assert named <= commands
