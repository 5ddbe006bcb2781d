"""`tablemarker flash`: the firmware on to a board, and a name for it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from controller.commands.group import Failed, WrongInput

if TYPE_CHECKING:
    from firmware_bridge.flashing import BoardKind


@click.command("flash")
@click.argument("kind", type=click.Choice(["nano", "mega"]))
@click.option("--port", type=click.Path(path_type=Path), help="Where it is plugged in; needed if several are.")
@click.option("--id", "board_id", help="The name to give it: 1 to 16 of a-z, 0-9 and -. It stays when other firmware is written.")
@click.option("--build", is_flag=True, help="Build the firmware first, with avr-gcc, instead of taking the one that is here.")
@click.option("--hex", "image", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="Write this file instead.")
@click.option("--old-bootloader", is_flag=True, help="For a Nano of before 2018 or a clone: 57,600 baud.")
@click.option("--yes", is_flag=True, help="Don't ask before it is done.")
def command(
    kind: str, port: Path | None, board_id: str | None, image: Path | None, *, build: bool, old_bootloader: bool, yes: bool
) -> None:
    """Write the firmware to a Nano or a Mega, and give the board its name.

    Says what it will do and asks; afterwards the board itself must say what runs on it.
    """
    from tempfile import TemporaryDirectory  # noqa: PLC0415 - imports inside, so that --help is instant

    from firmware_bridge import flashing  # noqa: PLC0415
    from firmware_bridge.messages import check_id  # noqa: PLC0415
    from firmware_bridge.port import is_there  # noqa: PLC0415

    if build and image is not None:
        raise WrongInput("--build and --hex: one or the other")
    if old_bootloader and kind != "nano":
        raise WrongInput("--old-bootloader is for a Nano")
    try:
        if board_id is not None:
            check_id(board_id)
    except ValueError as error:
        raise WrongInput(f"--id: {error}") from None
    board = flashing.OLD_NANO if old_bootloader else flashing.KINDS[kind]
    place = port or _only_port()
    if not is_there(place):
        raise WrongInput(f"--port: {place} is not there: plug the board in (`tablemarker boards` lists those that are)")
    with TemporaryDirectory(prefix="tablemarker-") as folder:
        try:
            chosen = flashing.build(board, Path(folder)) if build else image or flashing.shipped(board)
            order = flashing.avrdude(board, place, chosen)
            _announce(board, place, order, board_id, fresh=build)
            if not yes:
                click.confirm("Go on?", abort=True, err=True)
            _free(place)
            click.echo("Writing …", err=True)
            flashing.write(order)
        except flashing.FlashTrouble as error:
            raise Failed(str(error)) from None
    _verify(place, board_id, kind if image else f"{kind} {flashing.version()}")


def _only_port() -> Path:
    from firmware_bridge.discovery import adapters  # noqa: PLC0415

    there = adapters()
    if len(there) == 1:
        return there[0].path
    if not there:
        raise WrongInput("no board is plugged in, or its adapter is of an unknown make: name it with --port")
    listed = "".join(f"\n  {adapter.path} ({adapter.maker})" for adapter in there)
    raise WrongInput(f"{len(there)} boards are plugged in; name one with --port:{listed}")


def _announce(board: BoardKind, port: Path, order: list[str], board_id: str | None, *, fresh: bool) -> None:
    click.echo(f"A {board.name} ({board.chip}) at {port}: what is on it now will be overwritten.", err=True)
    click.echo(f"  1. {' '.join(order)}{'   (built just now)' if fresh else ''}", err=True)
    click.echo("  2. ask the board what runs on it", err=True)
    if board_id is not None:
        click.echo(f"  3. give it the id {board_id}", err=True)


def _free(port: Path) -> None:
    """See that nobody else has it: avrdude opens it all the same where we are root, and says less where it can't."""
    from firmware_bridge.port import PortTrouble, close_port, open_port  # noqa: PLC0415

    try:
        close_port(open_port(port))
    except PortTrouble as error:
        raise Failed(f"nothing was written: {error}") from None


def _verify(port: Path, board_id: str | None, build: str) -> None:
    from firmware_bridge.call import Call, CallTrouble  # noqa: PLC0415

    try:
        with Call(port) as call:
            if not f"{call.hello.build} ".startswith(f"{build} "):
                raise Failed(f"{port}: {build} was written, and the board says that {call.hello.build!r} runs on it")
            if board_id is not None:
                call.name(board_id)
            hello = call.hello
    except CallTrouble as error:
        raise Failed(f"it was written, but: {error}") from None
    called = hello.id or "no id yet; give it one with --id"
    click.echo(f"{port}: {hello.build}, {called}")
