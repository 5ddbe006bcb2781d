"""`tablemarker export`: games as transcripts or CSV."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import click

from controller.commands._journal import journal_option, the_journal
from controller.commands.group import Failed, WrongInput


@click.command("export")
@click.argument("game", type=int, required=False)
@journal_option
@click.option("--csv", "as_csv", is_flag=True, help="A line a game instead of a transcript.")
def command(game: int | None, journal: Path | None, *, as_csv: bool) -> None:
    """Write a game as a transcript that `tablemarker score` reads, or all games as CSV."""
    from controller.engine.archive import NoSuchGame, list_games, open_game  # noqa: PLC0415 - imports inside, so that --help is instant
    from controller.engine.journal import JournalError  # noqa: PLC0415

    if game is None and not as_csv:
        raise click.UsageError("name a game (`tablemarker history` lists them), or take --csv for all")
    path = the_journal(journal)
    try:
        games = list_games(path) if game is None else [open_game(path, game)]
    except NoSuchGame as error:
        raise WrongInput(str(error)) from None
    except JournalError as error:
        raise Failed(str(error)) from None
    if not as_csv:
        for line in games[0].transcript():
            click.echo(json.dumps(line))
        return
    writer = csv.writer(sys.stdout)
    writer.writerow(["number", "started", "game", "state", "side", "name", "score", "first_score", "corrected"])
    for kept in games:
        first = kept.first_result or {}
        corrected = kept.corrections[-1].at if kept.corrections else ""
        for side, points in kept.score.items():
            of_side = [side, _harmless(kept.names[side]), points, first.get(side, "")]
            writer.writerow([kept.number, kept.start.wall, kept.game.name, kept.ended, *of_side, corrected])


def _harmless(name: str) -> str:
    """A name that no spreadsheet takes for a formula: one that begins like one has an apostrophe before it."""
    return f"'{name}" if name.lstrip().startswith(("=", "+", "-", "@")) else name
