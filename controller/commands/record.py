"""`tablemarker record`: every raw signal of a table to a trace."""

from __future__ import annotations

from pathlib import Path

import click

from controller.commands.group import Failed, WrongInput


@click.command("record")
@click.argument("table", metavar="TABLE.toml", type=click.Path(path_type=Path))
@click.option("-o", "trace", metavar="TRACE", required=True, type=click.Path(path_type=Path), help="The file; .gz is packed.")
@click.option("--size", type=click.IntRange(1), default=64, show_default=True, help="Megabytes of one file, before it is packed.")
@click.option("--keep", type=click.IntRange(2), help="Go on in a new file when one is full, and keep so many, the newest.")
def command(table: Path, trace: Path, size: int, keep: int | None) -> None:
    """Write every raw signal of a table, with its time, to a file, until stopped.

    The trace and the table file together are what a report of a fault needs: `tablemarker replay` plays them. One file ends by
    itself when it is full; with --keep TRACE.jsonl becomes TRACE-000001.jsonl, TRACE-000002.jsonl …, each a trace by itself.
    """
    import signal  # noqa: PLC0415 - imports inside, so that --help is instant
    import threading  # noqa: PLC0415

    from controller.recorder import Recorder  # noqa: PLC0415
    from controller.tablefile import TableFileErrors, load_table  # noqa: PLC0415
    from hardware.sources.source import SourceError  # noqa: PLC0415
    from hardware.sources.trace_file import TraceError  # noqa: PLC0415

    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    try:
        with Recorder(load_table(table), trace, size=size, keep=keep) as recorder:
            click.echo(f"Recording to {trace}; stop with Ctrl-C.", err=True)
            while recorder.fault is None and not recorder.full and not stop.wait(1):
                pass
    except TableFileErrors as error:
        raise WrongInput(str(error)) from None
    except SourceError as error:
        raise Failed(f"{table}: {error}") from None
    except TraceError as error:
        raise Failed(str(error)) from None
    if recorder.fault is not None:
        raise Failed(recorder.fault)
