"""`tablemarker sensors`: every input live, for the person with the screwdriver."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from controller.commands.group import Failed, WrongInput

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable

    from controller.inputs import View
    from controller.tablefile import TableFile


@click.command("sensors")
@click.argument("table", metavar="TABLE.toml", type=click.Path(path_type=Path))
@click.option("--walk", is_flag=True, help="Try every input once; ends with a record of pass or fail.")
@click.option("--learn", is_flag=True, help="Ask for each sensor in turn, and print the table file's sensors with their inputs.")
@click.option("--seconds", type=float, help="End by itself after so long.")
def command(table: Path, seconds: float | None, *, walk: bool, learn: bool) -> None:
    """Show every input as it is: level, debounced state, last change, edges, health. Also over ssh.

    The service must not run at the same time: two programs can't watch one line. --walk and --learn print their record and their
    sensors on standard output, what they ask on standard error: > FILE keeps the one and shows the other.
    """
    import signal  # noqa: PLC0415 - imports inside, so that --help is instant
    import threading  # noqa: PLC0415

    from controller.tablefile import TableFileErrors, load_table  # noqa: PLC0415
    from hardware.sources.source import SourceError  # noqa: PLC0415

    if walk and learn:
        raise click.UsageError("--learn first, then --walk with the table file that came of it: one at a time.")
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    try:
        read = load_table(table)
        (_learn if learn else _walk if walk else _look)(table, read, stop, seconds)
    except TableFileErrors as error:
        raise WrongInput(str(error)) from None
    except SourceError as error:
        raise Failed(f"{table}: {error}") from None


def _look(path: Path, table: TableFile, stop: threading.Event, seconds: float | None) -> None:  # noqa: ARG001 - as the others
    import sys  # noqa: PLC0415 - as above

    from controller.inputs import Screen  # noqa: PLC0415

    _watch(table, Screen(table, click.echo, lambda: _size(sys.stdout)), stop, seconds)


def _walk(path: Path, table: TableFile, stop: threading.Event, seconds: float | None) -> None:  # noqa: ARG001 - as the others
    import sys  # noqa: PLC0415 - as above
    from datetime import datetime  # noqa: PLC0415

    from controller.inputs import Walker  # noqa: PLC0415

    now = datetime.now().astimezone()
    walker = Walker(table, _ask, f"Walk round {table.table.id}, {now:%Y-%m-%d %H:%M}", keys=_has_keyboard())
    _watch(table, walker, stop, seconds, walker.type)
    size = _size(sys.stdout)
    click.echo(walker.record(size and size[0]))
    if not walker.end():
        raise Failed("Some inputs have failed; see the record above.")


def _learn(path: Path, table: TableFile, stop: threading.Event, seconds: float | None) -> None:
    import tomllib  # noqa: PLC0415 - as above

    from controller.learning.learner import Learner  # noqa: PLC0415
    from controller.whole_file import read_whole  # noqa: PLC0415

    items: list[dict[str, Any]] = tomllib.loads(read_whole(path).decode("utf-8-sig")).get("sensor", [])
    learner = Learner(table, items, _ask, keys=_has_keyboard())
    if learner.end():
        raise Failed(f"{path}: there is nothing to learn. {learner.last_line}")
    _watch(table, learner, stop, seconds, learner.type)
    if learner.text is not None:
        click.echo(f"\n# In place of all [[sensor]] items of {path.name}:\n\n{learner.text}\n")
    if not learner.end():
        raise Failed(_in_whole_words(learner.last_line))
    _ask(learner.last_line)


def _watch(
    table: TableFile, view: View, stop: threading.Event, seconds: float | None, typed: Callable[[str], object] | None = None
) -> None:
    """Watch the inputs; what somebody types meanwhile goes to `typed`, line by line."""
    import threading  # noqa: PLC0415 - as above

    from controller.inputs import Inputs  # noqa: PLC0415

    over = threading.Event()
    with Inputs(table, view) as inputs:
        if typed is not None:
            threading.Thread(target=_listen, args=(typed, over), name="keyboard", daemon=True).start()
        try:
            inputs.watch(stop, seconds)
        finally:
            over.set()


def _has_keyboard() -> bool:
    import sys  # noqa: PLC0415 - as above

    return sys.stdin is not None and sys.stdin.isatty()


def _listen(typed: Callable[[str], object], over: threading.Event) -> None:
    """Hand on each line that is typed; not by sys.stdin, since Python can't end while a thread waits in that."""
    import io  # noqa: PLC0415 - as above
    import os  # noqa: PLC0415
    import select  # noqa: PLC0415
    import sys  # noqa: PLC0415

    try:
        file = sys.stdin.fileno()
    except (AttributeError, io.UnsupportedOperation):
        return  # closed, or none of the system's
    rest = b""
    while not over.is_set():
        if not select.select([file], [], [], 0.1)[0]:
            continue
        read = os.read(file, 1024)
        if not read:
            return
        *lines, rest = (rest + read).split(b"\n")
        for line in lines:
            typed(line.decode(errors="replace"))


def _ask(text: str) -> None:
    """What a person reads while they work, on standard error."""
    click.echo(_in_whole_words(text), err=True)


def _in_whole_words(text: str) -> str:
    """Lines as wide as the terminal that standard error is; as they are where it is none."""
    import sys  # noqa: PLC0415 - as above
    import textwrap  # noqa: PLC0415

    size = _size(sys.stderr)
    if size is None:
        return text
    wrapped = (textwrap.wrap(line, size[0], break_on_hyphens=False) or [""] for line in text.split("\n"))
    return "\n".join(part for lines in wrapped for part in lines)


def _size(stream: TextIO) -> tuple[int, int] | None:
    """Columns and lines of a terminal; None where it is none. A serial console may not know them: 80 by 24."""
    import os  # noqa: PLC0415 - as above

    if not stream.isatty():
        return None
    columns, lines = os.get_terminal_size(stream.fileno())
    return columns or 80, lines or 24
