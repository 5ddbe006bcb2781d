"""The page that says of each rule where it is adjudicated and what exercises it: `python -m tests.rules_index` writes it anew.

The tables of `docs/rules.md`, from its mark on, come from the rule books, the code that cites their rules, and the cases and
tests that do.
"""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from controller.rules.registry import GAME_NAMES

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "rules.md"
MARK = "<!-- From here on the page is written by: python -m tests.rules_index -->\n"

IDS = re.compile(r"\b(?:BAG|FORT|SQU|MAW|[BFSM])-\d{2}[a-z]?\b")
HEADING = re.compile(r"^### ((?:BAG|FORT|SQU|MAW|[BFSM])-\d{2}[a-z]?) (.+)$", re.MULTILINE)
NOT_ADJUDICATED = re.compile(r"^\*Not adjudicated:\* (.+?)\.?\n\n", re.MULTILINE | re.DOTALL)
SHOWN = 3
"""Cases, or names in one file, that are told for a rule; the others are counted."""

Cited = dict[str, dict[Path, list[str]]]
"""By rule id and file: the functions, classes or tables that cite it."""


def cited_in(paths: Iterable[Path]) -> Cited:
    """Where Python files cite rules."""
    cited: Cited = defaultdict(lambda: defaultdict(list))
    for path in sorted(paths):
        text = path.read_text(encoding="utf-8")
        if not IDS.search(text) or path.name == "__init__.py":
            continue
        spans = list(_spans(ast.parse(text).body))
        for number, line in enumerate(text.splitlines(), start=1):
            for rule in IDS.findall(line):
                inside = [name for first, last, name in spans if first <= number <= last]
                name = inside[-1] if inside else ""
                if name not in cited[rule][path]:
                    cited[rule][path].append(name)
    return cited


def _spans(body: list[ast.stmt], outer: str = "", end: int = 0) -> Iterator[tuple[int, int, str]]:
    """First and last line of every function, class and table, the inner ones after those around them.

    A comment before a statement belongs to it, and a text after a table to that table.
    """
    name = ""
    for child in body:
        first, end = end + 1, child.end_lineno or child.lineno
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            name = f"{outer}.{child.name}".lstrip(".")
            yield first, end, name
            if isinstance(child, ast.ClassDef):
                yield from _spans(child.body, name, child.lineno)
        elif isinstance(child, ast.Assign | ast.AnnAssign) and not outer:
            name = ast.unparse(child.targets[0] if isinstance(child, ast.Assign) else child.target)
            yield first, end, name
        elif isinstance(child, ast.Expr) and name and not outer:
            yield first, end, name


def cases_of(rule: str, game: str) -> list[str]:
    """The cases that are about a rule, or hang on a ledger item."""
    return [
        case["id"]
        for path in sorted((ROOT / "tests" / "cases").glob(f"{game}*.jsonl"))
        for case in map(json.loads, filter(str.strip, path.read_text(encoding="utf-8").splitlines()))
        if rule in (*case["rules"], *case["depends_on"], *(one["rule"] for one in case["expect"].get("awards") or ()))
    ]


def tables() -> str:
    """All that follows the mark."""
    return "\n".join(_book(name) for name in GAME_NAMES)


def _book(game: str) -> str:
    book = ROOT / "seeds" / f"{game}.md"
    parts = HEADING.split(book.read_text(encoding="utf-8"))
    folder = ROOT / "controller" / "rules" / game
    code = cited_in(folder.glob("*.py"))
    tests = cited_in((ROOT / "tests" / "controller" / "rules").glob("*.py"))
    lines = [
        f"\n## {game.capitalize()}\n",
        f"The book: [seeds/{game}.md](../seeds/{game}.md); the code: [controller/rules/{game}](../controller/rules/{game}).\n",
        "| rule | what it is called | adjudicated in | exercised by |",
        "|---|---|---|---|",
    ]
    for rule, title, text in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        reason = NOT_ADJUDICATED.search(f"{text}\n\n")
        where = f"not adjudicated: {' '.join(reason[1].split())}" if reason else _named(code.get(rule, {}))
        lines.append(f"| {rule} | {title} | {where} | {_exercised(rule, game, tests)} |")
    return "\n".join(lines) + "\n"


def _named(cited: dict[Path, list[str]]) -> str:
    named = []
    for path, names in cited.items():
        inside = [f"`{name}`" for name in names[:SHOWN] if name]
        more = [f"{len(names) - SHOWN} more"] if len(names) > SHOWN else []
        named.append(f"[{path.name}](../{path.relative_to(ROOT)}) {', '.join([*inside, *more])}".strip())
    return "; ".join(named)


def _exercised(rule: str, game: str, tests: Cited) -> str:
    cases = cases_of(rule, game)
    shown = [", ".join(cases[:SHOWN]) + (f" and {len(cases) - SHOWN} more" if len(cases) > SHOWN else "")] if cases else []
    found = list(tests.get(rule, {}).items())
    own = [(path, names) for path, names in found if game in path.name] or found
    return "; ".join([*shown, _named(dict(own[:SHOWN]))]).removesuffix("; ")


def written() -> str:
    """The page as it should be."""
    before, mark, _ = PAGE.read_text(encoding="utf-8").partition(MARK)
    return before + mark + tables()


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
