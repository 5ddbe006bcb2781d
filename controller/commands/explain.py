"""`tablemarker explain`: the rule and the signals behind each point."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from controller.commands._journal import journal_option, the_journal
from controller.commands.group import Failed, WrongInput

if TYPE_CHECKING:
    from controller.engine.archive import Kept
    from controller.engine.fold import Step


@click.command("explain")
@click.argument("game", type=int)
@click.argument("event", type=int, required=False)
@journal_option
def command(game: int, event: int | None, journal: Path | None) -> None:
    """Say why each point of a game was given: the rule, the event, what the sensors saw, who answered.

    GAME is a number of `tablemarker history`, EVENT the revision of one event.
    """
    from controller.engine.archive import open_game  # noqa: PLC0415 - imports inside, so that --help is instant
    from controller.engine.journal import JournalError  # noqa: PLC0415

    try:
        kept = open_game(the_journal(journal), game)
    except JournalError as error:
        raise Failed(str(error)) from None
    steps = [step for step in kept.steps if event is None or step.entry.revision == event]
    if not steps:
        raise WrongInput(f"game {game} has no event {event}; it has: {', '.join(str(s.entry.revision) for s in kept.steps)}")
    for step in steps:
        _explain(kept, step)
    if event is None and kept.corrections:
        click.echo(f"First kept as {kept.said(kept.first_result)}.")
        for one in kept.corrections:
            click.echo(f"Corrected {one.at} by {one.by}: {one.why}")
    if event is None:
        for question, answer, by in kept.answers:
            click.echo(f"{question} {answer}, {'since nobody answered in time' if by == 'deadline' else f'by {by}'}.")


def _explain(kept: Kept, step: Step) -> None:
    from controller.engine.archive import evidence_text  # noqa: PLC0415
    from controller.rules.awards import Ruling  # noqa: PLC0415

    names = kept.names
    click.echo(f"{step.entry.revision}  {_event_text(step)}")
    if isinstance(step.outcome, Ruling):
        for award in step.outcome.awards:
            click.echo(f"    {names[award.side]} {award.points:+d}  {award.rule}  {award.why}")
    else:
        click.echo(f"    doesn't stand  {step.outcome.rule}  {step.outcome.text}")
    seen = [evidence_text(kept.observations[number]) for number in step.entry.evidence if number in kept.observations]
    click.echo(f"    by {'the sensors: ' + ', '.join(seen) if seen else 'the ' + step.entry.origin}")


def _event_text(step: Step) -> str:
    fields = [f"{key} {value}" for key, value in step.event.items() if key not in ("event", "moves")]
    moves = step.event.get("moves")
    if isinstance(moves, list):
        fields += [f"{move['ball']} to {move['to']}" for move in moves if isinstance(move, dict)]
    return ", ".join([str(step.event["event"]), *fields])
