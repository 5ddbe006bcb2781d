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
    from controller.tuning.takes import Proposal

HOW = """\
Make a recording of each thing with `tablemarker record TABLE.toml -o NAME.jsonl`, the service stopped:
  rings    one bell, five times, soft and hard, and wait each time until it is silent      --ring BELL=NAME.jsonl
  knocks   on the table and its cushions, with fists and glasses; stamp beside it          --knock NAME.jsonl
  presses  one switch or button, five times: hold it for a second, let go for a second     --press SENSOR=NAME.jsonl
A ball dropped into a cup and left there for a second is a press of its switch. Then name them all in one `tablemarker tune`."""


@click.command("tune")
@click.argument("table", metavar="TABLE.toml", type=click.Path(path_type=Path))
@click.option("--ring", "rings", metavar="BELL=TRACE", multiple=True, help="A recording in which this bell was rung, alone.")
@click.option("--knock", "knocks", metavar="TRACE", multiple=True, help="A recording of knocks and stamping: no bell was rung.")
@click.option("--press", "presses", metavar="SENSOR=TRACE", multiple=True, help="A recording in which this was pressed.")
def command(table: Path, rings: tuple[str, ...], knocks: tuple[str, ...], presses: tuple[str, ...]) -> None:
    """Propose the settings of bells and switches from recordings of rings, knocks and presses.

    Prints lines for the table file with the figures that they rest on; without recordings, how to make them. Exit status 1: for
    some sensor no setting does.
    """
    from controller.tablefile import TableFileErrors, load_table  # noqa: PLC0415 - imports inside, so that --help is instant
    from controller.tuning.choices import propose_bells, propose_presses  # noqa: PLC0415
    from hardware.sources.trace_file import TraceError  # noqa: PLC0415

    if not rings and not presses:
        raise click.UsageError(HOW)
    try:
        read = load_table(table)
        named = [(name, Path(path)) for name, path in map(_split, rings)]
        pressed = [(name, Path(path)) for name, path in map(_split, presses)]
        _known(read, (name for name, _ in named), ("bell",))
        _known(read, (name for name, _ in pressed), ("switch", "button"))
        proposals = propose_bells(read, named, [Path(path) for path in knocks]) + propose_presses(read, pressed)
    except (TableFileErrors, TraceError) as error:
        raise WrongInput(str(error)) from None
    click.echo("\n\n".join(_text(proposal) for proposal in proposals))
    troubles = [proposal.trouble for proposal in proposals if proposal.trouble is not None]
    if troubles:
        raise Failed("\n".join(troubles))


def _split(pair: str) -> tuple[str, str]:
    name, equals, path = pair.partition("=")
    if not name or not equals or not path:
        raise click.UsageError(f"SENSOR=TRACE is wanted, such as french-grand=rings.jsonl, not {pair!r}")
    return name, path


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
