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
        return _with_games(given)
    found = sorted(Path().glob("*.sqlite3"))
    if len(found) == 1:
        return _with_games(found[0])
    there = f"there are {', '.join(map(str, found))}" if found else "there is none in this folder"
    raise WrongInput(f"which journal? {there}: name it with --journal FILE")


def _with_games(path: Path) -> Path:
    """The same, where it is a journal at all. One that is damaged is still one."""
    import sqlite3  # noqa: PLC0415 - so that --help is instant

    from controller.engine.journal import JournalError, reading  # noqa: PLC0415

    try:
        with path.open("rb") as file:
            start = file.read(16)
        if not start:
            raise WrongInput(f"{path}: the file is empty: no table has kept a game in it")
        if start != b"SQLite format 3\0":
            raise WrongInput(f"{path}: the file is no journal: name the one of the table with --journal FILE")
        with reading(path) as db:
            if db.execute("select 1 from sqlite_master where name = 'games'").fetchone() is None:
                raise WrongInput(f"{path}: the file is of another program: name the table's journal with --journal FILE")
    except (OSError, JournalError, sqlite3.Error):
        pass  # the command itself says why it can't be read
    return path
