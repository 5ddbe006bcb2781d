"""`tablemarker tune`: settings of bells and switches, from recordings of them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from controller.commands.group import Failed, WrongInput
from controller.rules.errors import nearest

if TYPE_CHECKING:
    from controller.tablefile import TableFile
    from controller.tuning.takes import Proposal, Take

HOW = """\
With --live SENSOR, once for each, it asks for what it wants to hear. Or make a recording of each thing with
`tablemarker record TABLE.toml -o NAME.jsonl`, and name them all in one `tablemarker tune`:
  rings    one bell, five times, soft and hard, and wait each time until it is silent      --ring BELL=NAME.jsonl
  knocks   on the table and its cushions, with fists and glasses; stamp beside it          --knock NAME.jsonl
  presses  one switch or button, five times: hold it for a second, let go for a second     --press SENSOR=NAME.jsonl
A ball dropped into a cup and left there for a second is a press of its switch. The service must not run meanwhile."""


@click.command("tune")
@click.argument("table", metavar="TABLE.toml", type=click.Path(path_type=Path))
@click.option("--ring", "rings", metavar="BELL=TRACE", multiple=True, help="A recording in which this bell was rung, alone.")
@click.option("--knock", "knocks", metavar="TRACE", multiple=True, help="A recording of knocks and stamping: no bell was rung.")
@click.option("--press", "presses", metavar="SENSOR=TRACE", multiple=True, help="A recording in which this was pressed.")
@click.option("--live", metavar="SENSOR", multiple=True, help="Ring or press this now, when asked.")
def command(
    table: Path, rings: tuple[str, ...], knocks: tuple[str, ...], presses: tuple[str, ...], live: tuple[str, ...]
) -> None:
    """Propose the settings of bells and switches from rings, knocks and presses, recorded or made now.

    Prints lines for the table file with the figures that they rest on; without any, how to go about it. Exit status 1: for some
    sensor no setting does.
    """
    from controller.tablefile import TableFileErrors, load_table  # noqa: PLC0415 - imports inside, so that --help is instant
    from controller.tuning.choices import TUNED, propose  # noqa: PLC0415
    from controller.tuning.takes import read_take  # noqa: PLC0415
    from hardware.sources.trace_file import TraceError  # noqa: PLC0415

    if not rings and not presses and not live:
        raise click.UsageError(HOW)
    rung, pressed = list(map(_split, rings)), list(map(_split, presses))
    try:
        read = load_table(table)
        _known(read, (name for name, _ in rung), ("bell",))
        _known(read, (name for name, _ in pressed), ("switch", "button"))
        _known(read, live, TUNED)
        named: list[tuple[str | None, Path]] = [*rung, *pressed, *((None, Path(path)) for path in knocks)]
        for name, path in named:
            if not path.exists():
                raise WrongInput(_missing(table, path, name, pressed=(name, path) in pressed))
        takes = [read_take(path, name) for name, path in named]
    except (TableFileErrors, TraceError) as error:
        raise WrongInput(str(error)) from None
    proposals = propose(read, takes + (_live(read, live) if live else []))
    click.echo("\n\n".join(_text(proposal) for proposal in proposals))
    troubles = [proposal.trouble for proposal in proposals if proposal.trouble is not None]
    if troubles:
        raise Failed("\n".join(troubles))


def _live(table: TableFile, names: tuple[str, ...]) -> list[Take]:
    """What a person does at the table when asked."""
    import signal  # noqa: PLC0415 - as above
    import threading  # noqa: PLC0415

    from controller.inputs import Inputs  # noqa: PLC0415
    from controller.tuning.guide import Guide  # noqa: PLC0415
    from hardware.sources.source import SourceError  # noqa: PLC0415

    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    guide = Guide(table, names, lambda text: click.echo(text, err=True))
    try:
        with Inputs(table, guide) as inputs:
            inputs.watch(stop, None)
    except SourceError as error:
        raise Failed(str(error)) from None
    if not guide.end():
        raise Failed("Stopped before all was heard: nothing is proposed.")
    return guide.takes


def _missing(table: Path, path: Path, name: str | None, *, pressed: bool) -> str:
    """How to make a recording that isn't there."""
    done = "knock on the table and stamp beside it" if name is None else f"{'press' if pressed else 'ring'} {name} five times"
    return (
        f"{path}: there is no such recording. Stop the service, start `tablemarker record {table} -o {path}`, {done}, and end it "
        "with Ctrl-C"
    )


def _split(pair: str) -> tuple[str, Path]:
    name, equals, path = pair.partition("=")
    if not name or not equals or not path:
        raise click.UsageError(f"SENSOR=TRACE is wanted, such as french-grand=rings.jsonl, not {pair!r}")
    return name, Path(path)


def _known(table: TableFile, names: Iterable[str], kinds: tuple[str, ...]) -> None:
    there = [sensor.name for sensor in table.sensors if sensor.kind in kinds]
    for name in names:
        if name not in there:
            raise WrongInput(
                f"{name!r} is no {' or '.join(kinds)} of this table; {nearest(name, there) if there else 'it has none'}"
            )


def _text(proposal: Proposal) -> str:
    lines = [f"# {reason}" for reason in proposal.reasons]
    if proposal.settings:
        lines.append(f"# in the [[sensor]] of {', '.join(proposal.sensors)}{' each' if len(proposal.sensors) > 1 else ''}:")
        lines += [f"{key} = {value}" for key, value in proposal.settings.items()]
    return "\n".join(lines) or f"# {', '.join(proposal.sensors)}: nothing can be proposed"
