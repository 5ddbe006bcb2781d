"""`tablemarker replay`: a trace through detectors, table and rules."""

from __future__ import annotations

import json
from pathlib import Path

import click

from controller.commands.group import WrongInput


@click.command("replay")
@click.argument("table", metavar="TABLE.toml", type=click.Path(path_type=Path))
@click.argument("trace", metavar="TRACE", type=click.Path(path_type=Path))
def command(table: Path, trace: Path) -> None:
    """Play a recorded trace through the table's detectors, its table and the rules.

    Prints a line for each game event with its ruling, and the score at the end.
    """
    from controller.fitting import NotYet  # noqa: PLC0415 - imports inside, so that --help is instant
    from controller.replay import Replay  # noqa: PLC0415
    from controller.tablefile import TableFileErrors, load_table  # noqa: PLC0415
    from hardware.sources.trace_file import TraceError, TraceReader  # noqa: PLC0415

    try:
        with TraceReader(trace) as reader:
            replay = Replay(load_table(table), reader)
            if replay.missing:
                click.echo(f"{trace}: knows nothing of {', '.join(replay.missing)}", err=True)
            for happening in replay.run():
                line = {"kind": happening.kind, "event": happening.event, **happening.ruling}
                click.echo(json.dumps(line))
    except (TableFileErrors, NotYet, TraceError) as error:
        raise WrongInput(str(error)) from None
    assert replay.shown is not None
    scores = {side.id: {"score": side.score, "pending": side.pending} for side in replay.shown.sides}
    click.echo(json.dumps({"kind": "end", "sides": scores, "provisional": replay.shown.provisional}))
