"""The page of the house rules: `python -m tests.house_rules_page` writes its tables anew, from the options of the games."""

from __future__ import annotations

import json
from pathlib import Path

from controller.rules.game import Option
from controller.rules.registry import GAME_NAMES, find_game

PAGE = Path(__file__).parents[1] / "docs" / "house-rules.md"
MARK = "<!-- From here on the page is written by: python -m tests.house_rules_page -->\n"
LEFT_OUT = "left out"
"""The default of an option that has no value of its own."""


def values(option: Option) -> str:
    """What an option takes, for people."""
    if option.choices:
        return ", ".join(f"`{json.dumps(choice)}`" for choice in option.choices)
    upper = "" if option.most is None else f" to {option.most}"
    return f"{'whole' if option.whole else 'any'} number from {option.least}{upper}"


def row(option: Option) -> str:
    """One row of a table."""
    default = LEFT_OUT if option.default is None else f"`{json.dumps(option.default)}`"
    return f"| `{option.name}` | {values(option)} | {default} | {option.text} | {option.item} |"


def tables() -> str:
    """All that follows the mark."""
    return "".join(_game(name) for name in GAME_NAMES)


def _game(name: str) -> str:
    lines = [
        f"\n## {name.capitalize()}\n",
        f"The book: [seeds/{name}.md](../seeds/{name}.md); each of its rules: [{name}](rules.md#{name}).\n",
        "| option | values | default | what it does | rule |",
        "|---|---|---|---|---|",
        *map(row, find_game(name).options),
    ]
    return "\n".join(lines) + "\n"


def written() -> str:
    """The page as it should be."""
    before, mark, _ = PAGE.read_text(encoding="utf-8").partition(MARK)
    return before + mark + tables()


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
