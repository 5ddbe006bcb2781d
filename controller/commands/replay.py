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

    Several files of one recording are played as one. Prints a line for each game event with its ruling, and the score at the end.
    """
    from controller.replay import Replay  # noqa: PLC0415 - imports inside, so that --help is instant
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
            for happening in replay.run():
                line = {"kind": happening.kind, "event": happening.event, **happening.ruling}
                click.echo(json.dumps(line))
            for sentence in chain.cut:
                click.echo(f"{sentence}; what came before it was played", err=True)
    except (TableFileErrors, TraceError) as error:
        raise WrongInput(str(error)) from None
    assert replay.shown is not None
    scores = {side.id: {"score": side.score, "pending": side.pending} for side in replay.shown.sides}
    click.echo(json.dumps({"kind": "end", "sides": scores, "provisional": replay.shown.provisional}))
