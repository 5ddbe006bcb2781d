"""`tablemarker boards`: what is plugged in."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from controller.commands.group import Failed

if TYPE_CHECKING:
    from firmware_bridge.call import Call
    from firmware_bridge.messages import Can


@click.command("boards")
@click.option(
    "--port", "ports", type=click.Path(path_type=Path), multiple=True, help="Ask here, whatever the adapter; may be repeated."
)
def command(ports: tuple[Path, ...]) -> None:
    """List the boards that are plugged in: port, identity, build, channels, link quality.

    Asks at each serial adapter of a known make. That resets most boards, so a table that runs keeps its board to itself.
    """
    from firmware_bridge.call import Call, CallTrouble  # noqa: PLC0415 - imports inside, so that --help is instant
    from firmware_bridge.discovery import adapters  # noqa: PLC0415

    places = dict.fromkeys(ports, "") or {adapter.path: f" ({adapter.maker})" for adapter in adapters()}
    if not places:
        click.echo("No board is plugged in; an adapter of an unknown make is asked with --port.", err=True)
    dumb = 0
    for port, maker in places.items():
        click.echo(f"{port}{maker}")
        try:
            with Call(port) as call:
                for line in _described(call):
                    click.echo(f"  {line}")
        except CallTrouble as error:
            dumb += 1
            click.echo(f"  {str(error).removeprefix(f'{port}: ')}")
    if dumb:
        raise Failed(f"{dumb} of {len(places)} didn't answer as a board of ours")


def _described(call: Call) -> list[str]:
    from firmware_bridge.messages import decode_statistics  # noqa: PLC0415

    hello, reader = call.hello, call.session.reader
    board = decode_statistics(call.ask("s"))
    frames = reader.good + reader.bad
    damaged = f"{reader.bad} of {frames} frames damaged here, {board.bad_frames} there"
    again = f"{board.sent_again} sent again, {board.lost} records lost"
    return [
        f"{hello.id or 'no id yet (tablemarker flash --id)'}, {hello.build}, boot {hello.boot} ({hello.why})",
        f"channels: {channel_list(hello.channels)}",
        f"link: clock known to {call.clock_error / 1e6:.1f} ms, {damaged}, {again}",
    ]


def channel_list(channels: tuple[Can, ...]) -> str:
    """Runs of channels with what each can be: `2-13 input, output; 20-21 analogue, bell`."""
    from firmware_bridge.messages import Can  # noqa: PLC0415

    words = {
        Can.INPUT: "input",
        Can.ANALOGUE: "analogue",
        Can.BELL: "bell",
        Can.OUTPUT: "output",
        Can.SENSOR: "sensor on I²C",
        Can.BUS: "I²C",
    }
    runs = []
    for can, run in groupby(enumerate(channels), key=lambda pair: pair[1]):
        numbers = [number for number, _ in run]
        span = f"{numbers[0]}-{numbers[-1]}" if len(numbers) > 1 else f"{numbers[0]}"
        if can:
            runs.append(f"{span} {', '.join(word for ability, word in words.items() if ability in can)}")
    return "; ".join(runs)
