"""`tablemarker history`: the games of a journal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from controller.commands._journal import journal_option, the_journal
from controller.commands.group import Failed

if TYPE_CHECKING:
    from controller.engine.archive import Kept


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
        click.echo(f"{kept.number}\t{kept.start.wall}\t{kept.game.name}\t{kept.said(kept.score)}\t{kept.ended}{_corrected(kept)}")
        if kept.differs:
            assert kept.result is not None
            differ.append(f"{path}: game {kept.number} was kept as {kept.result['score']}; the rules of today give {kept.score}")
    if differ:
        raise Failed("\n".join(differ))


def _corrected(kept: Kept) -> str:
    if not kept.corrections:
        return ""
    latest = kept.corrections[-1]
    return f"\tcorrected {latest.at} by {latest.by}: {latest.why}; was {kept.said(kept.first_result)}"
