"""`tablemarker history`: the games of a journal."""

from __future__ import annotations

from pathlib import Path

import click

from controller.commands._journal import journal_option, the_journal
from controller.commands.group import Failed


@click.command("history")
@journal_option
def command(journal: Path | None) -> None:
    """List the games of a journal: number, when, who, score and how it ended."""
    from controller.engine.archive import list_games  # noqa: PLC0415 - imports inside, so that --help is instant
    from controller.engine.journal import JournalError  # noqa: PLC0415

    path = the_journal(journal)
    try:
        games = list_games(path)
    except JournalError as error:
        raise Failed(str(error)) from None
    differ = []
    for kept in games:
        names = kept.names
        score = ", ".join(f"{names[side]} {points}" for side, points in kept.score.items())
        click.echo(f"{kept.number}\t{kept.start.wall}\t{kept.game.name}\t{score}\t{kept.state}")
        if kept.differs:
            assert kept.result is not None
            differ.append(f"{path}: game {kept.number} was kept as {kept.result['score']}; the rules of today give {kept.score}")
    if differ:
        raise Failed("\n".join(differ))
