"""The journal that a command reads: the one that is named, or the only one in this folder."""

from __future__ import annotations

from pathlib import Path

import click

from controller.commands.group import WrongInput

journal_option = click.option(
    "--journal", metavar="FILE", type=click.Path(path_type=Path), help="The journal; the only one in this folder if left out."
)


def the_journal(given: Path | None) -> Path:
    """The journal to read. Raises `WrongInput`."""
    if given is not None:
        if not given.is_file():
            raise WrongInput(f"{given}: there is no such journal")
        return given
    found = sorted(Path().glob("*.sqlite3"))
    if len(found) == 1:
        return found[0]
    there = f"there are {', '.join(map(str, found))}" if found else "there is none in this folder"
    raise WrongInput(f"which journal? {there}: name it with --journal FILE")
