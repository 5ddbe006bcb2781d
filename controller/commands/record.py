"""`tablemarker record`: every raw signal of a table to a trace."""

from __future__ import annotations

from pathlib import Path

import click

from controller.commands.group import Failed, WrongInput


@click.command("record")
@click.argument("table", metavar="TABLE.toml", type=click.Path(path_type=Path))
@click.option("-o", "trace", metavar="TRACE", required=True, type=click.Path(path_type=Path), help="The file; .gz is packed.")
@click.option("--most", default=64, show_default=True, help="Megabytes at which recording ends by itself.")
def command(table: Path, trace: Path, most: int) -> None:
    """Write every raw signal of a table, with its time, to a file, until stopped.

    The trace and the table file together are what a report of a fault needs: `tablemarker replay` plays them.
    """
    import signal  # noqa: PLC0415 - imports inside, so that --help is instant
    import threading  # noqa: PLC0415

    from controller.fitting import NotYet  # noqa: PLC0415
    from controller.recorder import Recorder  # noqa: PLC0415
    from controller.tablefile import TableFileErrors, load_table  # noqa: PLC0415
    from hardware.sources.source import SourceError  # noqa: PLC0415
    from hardware.sources.trace_file import TraceError  # noqa: PLC0415

    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    try:
        with Recorder(load_table(table), trace) as recorder:
            click.echo(f"Recording to {trace}; stop with Ctrl-C.", err=True)
            while not stop.wait(1) and recorder.size < most * 1_000_000:
                recorder.flush()
    except (TableFileErrors, NotYet) as error:
        raise WrongInput(str(error)) from None
    except (SourceError, TraceError) as error:
        raise Failed(str(error)) from None
