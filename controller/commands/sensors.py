"""`tablemarker sensors`: every input live, for the person with the screwdriver."""

from __future__ import annotations

from pathlib import Path

import click

from controller.commands.group import Failed, WrongInput


@click.command("sensors")
@click.argument("table", metavar="TABLE.toml", type=click.Path(path_type=Path))
@click.option("--walk", is_flag=True, help="Try every input once; ends with a record of pass or fail.")
@click.option("--learn", is_flag=True, help="Ask for each role in turn, and print the table file's sensors.")
@click.option("--seconds", type=float, help="End by itself after so long.")
def command(table: Path, seconds: float | None, *, walk: bool, learn: bool) -> None:
    """Show every input as it is: level, debounced state, last change, edges, health. Also over ssh.

    The service must not run at the same time: two programs can't watch one line.
    """
    import signal  # noqa: PLC0415 - imports inside, so that --help is instant
    import threading  # noqa: PLC0415

    from controller.inputs import Inputs, Learner, Screen, Walker  # noqa: PLC0415
    from controller.tablefile import TableFileErrors, load_table  # noqa: PLC0415
    from hardware.sources.source import SourceError  # noqa: PLC0415

    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    try:
        read = load_table(table)
        view = Learner(read, click.echo) if learn else Walker(read, click.echo) if walk else Screen(read, click.echo)
        with Inputs(read, view) as inputs:
            inputs.watch(stop, seconds)
    except TableFileErrors as error:
        raise WrongInput(str(error)) from None
    except SourceError as error:
        raise Failed(f"{table}: {error}") from None
    if not view.end():
        raise Failed(
            "Stopped before every role had its input: above is what is known."
            if learn
            else "Some inputs have failed; see the record above."
        )
