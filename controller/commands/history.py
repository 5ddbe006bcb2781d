"""`tablemarker history`: the games of a journal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from controller.commands._journal import journal_option, the_journal
from controller.commands.group import Failed

if TYPE_CHECKING:
    from controller.engine.archive import Kept


COLUMNS = ("number", "started", "game", "score", "ended", "winner", "corrected")


@click.command("history")
@journal_option
@click.option("--forget", metavar="NAME", help="Take a player's name out of all games; no service may be running.")
def command(journal: Path | None, forget: str | None) -> None:
    """List the games of a journal: number, when, who, score, how it ended, and who won; tabs between, names of columns first.

    NUMBER names a game in `explain` and `export`, and in the address of its page, /history/NUMBER.
    """
    from controller.engine.archive import list_games  # noqa: PLC0415 - imports inside, so that --help is instant
    from controller.engine.journal import JournalError  # noqa: PLC0415

    path = the_journal(journal)
    if forget is not None:
        _forget(path, forget)
        return
    try:
        games = list_games(path)
    except JournalError as error:
        raise Failed(str(error)) from None
    differ = []
    click.echo("\t".join(COLUMNS))
    for kept in games:
        row = [str(kept.number), kept.start.wall, kept.game.name, kept.said(kept.score), kept.ended]
        click.echo("\t".join([*row, _winner(kept), _corrected(kept)]).rstrip("\t"))
        if kept.differs:
            assert kept.result is not None
            differ.append(f"{path}: game {kept.number} was kept as {kept.result['score']}; the rules of today give {kept.score}")
    if differ:
        raise Failed("\n".join(differ))


def _winner(kept: Kept) -> str:
    over = kept.over if kept.ended == "over" else None
    if over is None:
        return ""
    if over.winner is None:
        return "a draw"
    return f"{kept.names[over.winner]}{', a double' if over.double else ''}"


def _forget(path: Path, name: str) -> None:
    from datetime import datetime  # noqa: PLC0415

    from controller.engine.journal import Journal, JournalError  # noqa: PLC0415
    from controller.engine.records import Record  # noqa: PLC0415

    try:
        journal = Journal(path)
        try:
            kept = journal.kept()
            if kept.open_game:
                raise Failed(f"{path}: a game is in play; a player can be forgotten when it is over, or given up")
            records = journal.forget(name)
            if not records:
                raise Failed(f"{path}: no game names {name!r}")
            wall = datetime.now().astimezone().isoformat(timespec="seconds")
            journal.commit([Record(kept.last_id + 1, "forget", None, 0, wall, {"records": records, "by": "cli"})])
        finally:
            journal.close()
    except JournalError as error:
        raise Failed(str(error)) from None
    click.echo(f"Forgotten: {records} records name a player instead.")


def _corrected(kept: Kept) -> str:
    if not kept.corrections:
        return ""
    latest = kept.corrections[-1]
    return f"corrected {latest.at} by {latest.by}: {latest.why}; was {kept.said(kept.first_result)}"
