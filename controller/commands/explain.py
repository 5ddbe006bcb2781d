"""`tablemarker explain`: the rule and the signals behind each point."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from controller.commands._journal import journal_option, the_journal
from controller.commands.group import Failed, WrongInput

if TYPE_CHECKING:
    from controller.engine.evidence import Explained


@click.command("explain")
@click.argument("game", type=int)
@click.argument("event", type=int, required=False)
@journal_option
def command(game: int, event: int | None, journal: Path | None) -> None:
    """Say why each point of a game was given: the rule, the event, what the sensors saw, who answered.

    GAME is a number of `tablemarker history`, EVENT the revision of one event.
    """
    from controller.engine.archive import NoSuchGame, open_game  # noqa: PLC0415 - imports inside, so that --help is instant
    from controller.engine.evidence import explain  # noqa: PLC0415
    from controller.engine.journal import JournalError  # noqa: PLC0415

    try:
        kept = open_game(the_journal(journal), game)
    except NoSuchGame as error:
        raise WrongInput(str(error)) from None
    except JournalError as error:
        raise Failed(str(error)) from None
    told = [*explain(kept)]
    wanted = [one for one in told if event is None or one.revision == event]
    if event is not None and not wanted:
        raise WrongInput(f"game {game} has no event {event}; it has: {', '.join(str(one.revision) for one in told) or 'none'}")
    for one in wanted:
        _tell(one)
    if event is None and kept.corrections:
        click.echo(f"First kept as {kept.said(kept.first_result)}.")
        for correction in kept.corrections:
            click.echo(f"Corrected {correction.at} by {correction.by}: {correction.why}")
    if event is None:
        for question, answer, by in kept.answers:
            click.echo(f"{question} {answer}, {'since nobody answered in time' if by == 'deadline' else f'by {by}'}.")


def _tell(one: Explained) -> None:
    from controller.engine.wording import event_text  # noqa: PLC0415

    click.echo(f"{one.revision}  {event_text(one.event)}")
    for gain in one.gains:
        at_stake = "" if gain.banked else "at stake: "
        click.echo(f"    {at_stake}{gain.name} {gain.points:+d}  {gain.rule}  {gain.why}")
        if gain.rests_on:
            click.echo(f"        by: {gain.because}")
    if one.refusal is not None:
        click.echo(f"    doesn't stand  {one.refusal.rule}  {one.refusal.text}")
    click.echo(f"    {'by the sensors: ' if one.seen else ''}{one.own}")
