"""The rule books as the screens read them: by rule id, its heading as a sentence and those that follow."""

from __future__ import annotations

import re

from controller.resources import resource

_HEADING = re.compile(r"^### ((?:BAG|FORT|SQU|MAW|[BFSM])-\d+[a-z]?)\b\W*(.*)$")


def read_rules(game: str) -> dict[str, str]:
    """The rules of a game's book in words, by id. Raises `ResourceMissing`."""
    rules: dict[str, str] = {}
    rule = ""
    for line in resource("seeds", f"{game}.md").read_text(encoding="utf-8").splitlines():
        heading = _HEADING.match(line)
        if heading:
            rule, title = heading.groups()
            rules[rule] = f"{title}." if title else ""
        elif line.startswith("#"):
            rule = ""
        elif rule and line.strip() and not line.startswith("*Not adjudicated:*"):
            rules[rule] = f"{rules[rule]} {line.strip()}".strip()
    return rules
