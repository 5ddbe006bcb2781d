"""Roles as people look for them: the nearest right one with its family, and rows of numbered ones in short."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Collection, Iterable

MOST = 12
"""Names, or rows of them, that one message lists."""


def no_such_role(name: str, game: str, roles: Collection[str]) -> str:
    """What to say of a role that the game doesn't know."""
    said = f"{game} knows no role {name}; "
    pages = f"docs/{game}-table.md has all"
    close = difflib.get_close_matches(name, roles, n=1, cutoff=0.6)
    if not close:
        return f"{said}it knows {_listed(roles)}; {pages}"
    stem, _, last = close[0].rpartition("-")
    if not last.isdecimal() and stem not in roles:
        stem = close[0]  # the bell of a fort: what else the fort has is named after it
    family = [role for role in roles if role == stem or role.startswith(f"{stem}-")] if stem else []
    beside = f" There are {_listed(family)}; {pages}." if len(family) > 1 else ""
    return f"{said}did you mean {close[0]!r}?{beside}"


def _listed(names: Iterable[str]) -> str:
    rows = shortened(names)
    return ", ".join(rows if len(rows) <= MOST else [*rows[:MOST], "…"])


def shortened(names: Iterable[str]) -> list[str]:
    """The names, with rows such as cup-1, cup-2, cup-3 written as cup-1…cup-3."""

    def row(numbered: tuple[int, str]) -> object:
        stem, _, number = numbered[1].rpartition("-")
        return (stem, int(number) - numbered[0]) if stem and number.isdecimal() else numbered[1]

    rows = ([name for _, name in group] for _, group in itertools.groupby(enumerate(names), row))
    return [f"{row[0]}…{row[-1]}" if len(row) > 2 else ", ".join(row) for row in rows]
