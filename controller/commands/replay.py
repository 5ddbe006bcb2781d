"""`tablemarker replay`: a trace through detectors, table and rules."""

from __future__ import annotations

import json
from pathlib import Path

import click

from controller.commands.group import WrongInput


@click.command("replay")
@click.argument("table", metavar="TABLE.toml", type=click.Path(path_type=Path))
@click.argument("traces", metavar="TRACE...", nargs=-1, required=True, type=click.Path(path_type=Path))
def command(table: Path, traces: tuple[Path, ...]) -> None:
    """Play a recorded trace through the table's detectors, its table and the rules.

    Several files of one recording are played as one. Prints a line for each game event with its ruling, one for each thing that
    people did, and the score at the end.
    """
    from controller.replay import Done, Replay  # noqa: PLC0415 - imports inside, so that --help is instant
    from controller.tablefile import TableFileErrors, load_table  # noqa: PLC0415
    from hardware.sources.trace_chain import TraceChain  # noqa: PLC0415
    from hardware.sources.trace_file import TraceError  # noqa: PLC0415

    try:
        with TraceChain(traces) as chain:
            replay = Replay(load_table(table), chain)
            if replay.missing:
                click.echo(f"{traces[0]}: knows nothing of {', '.join(replay.missing)}", err=True)
            for gap in chain.gaps:
                click.echo(gap, err=True)
            refused = 0
            for one in replay.run():
                if isinstance(one, Done):
                    refused += one.refused is not None
                    said = {"kind": "command", **one.said}
                    click.echo(json.dumps(said if one.refused is None else {**said, "refused": one.refused}))
                else:
                    click.echo(json.dumps({"kind": one.kind, "event": one.event, **one.ruling}))
            for sentence in chain.cut:
                click.echo(f"{sentence}; what came before it was played", err=True)
    except (TableFileErrors, TraceError) as error:
        raise WrongInput(str(error)) from None
    for fault in replay.faults:
        click.echo(f"{fault}; the rest was played", err=True)
    if replay.midway:
        click.echo(
            f"{chain.path} begins in the middle of a game: another begins with it here, under the same house rules. "
            "Name the files before it too, if they are still there",
            err=True,
        )
    assert replay.shown is not None
    scores = {side.id: {"score": side.score, "pending": side.pending} for side in replay.shown.sides}
    click.echo(json.dumps({"kind": "end", "sides": scores, "provisional": replay.shown.provisional}))
    if refused:
        click.echo(f'Of what people did then, {refused} could not be done here: see the lines with "refused"', err=True)
    if refused or replay.faults:
        raise SystemExit(1)
