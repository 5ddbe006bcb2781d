"""The frame of the command line: commands are imported when they are used, and mistakes end in one line."""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from typing import Any

import click

COMMANDS = {
    "demo": "Show everything at once: a simulated table, a broker and the scoreboard.",
    "run": "Run the service for one table.",
    "check": "Check table files and name every mistake with its place.",
    "score": "Score a game written down as a transcript.",
    "sensors": "Watch every input live, with a screwdriver in the other hand.",
    "tune": "Propose a sensor's settings from recorded rings, knocks and presses.",
    "record": "Write every raw signal of a table to a trace.",
    "replay": "Play a trace through detectors, table and rules.",
    "history": "List finished games.",
    "export": "Write games as transcripts or CSV.",
    "explain": "Show the rule and the signals behind each point of a game.",
    "doctor": "Check the machine and name the remedy for each fault.",
    "boards": "List the boards that are plugged in.",
    "flash": "Build or take the firmware and write it to a board.",
    "schema": "Print the JSON Schema of the table file or of a message.",
}
"""Every command with its line in `--help`; each lives in the module of its name and is called `command` there."""


class WrongInput(click.ClickException):
    """What the user handed over can't be used: one line on standard error, exit status 2."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        """Print the sentence as it is, so that `FILE:LINE: message` stays clickable."""
        click.echo(self.format_message(), err=True, file=file)


class Failed(WrongInput):
    """The work was done, but something in it failed: one line on standard error, exit status 1."""

    exit_code = 1


class LazyGroup(click.Group):
    """A group that imports a command's module only when the command is used, so that `--help` is instant."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Name the commands whose module is there, in the order of the table above."""
        return [name for name in COMMANDS if importlib.util.find_spec(f"controller.commands.{name}")]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command; None when there is none of that name."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = importlib.import_module(f"controller.commands.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table above, importing none of them."""
        names = self.list_commands(ctx)
        if names:
            with formatter.section("Commands"):
                formatter.write_dl([(name, COMMANDS[name]) for name in names])


def shadowed(ours: tuple[str, ...], home: Path) -> str | None:
    """Say which package of ours is hidden by another of the same name; None when all lie side by side in `home`."""
    for name in ours:
        spec = importlib.util.find_spec(name)
        places: list[str | None] = [*(spec.submodule_search_locations or ()), spec.origin] if spec else []
        place = places[0] if places else None
        if place is None:
            return f"the package {name!r} is missing beside {home / 'controller'}: install tablemarker again"
        found = Path(place).resolve()
        if found.parent != home:
            return (
                f"{found} hides tablemarker's own package {name!r} in {home}: "
                "start from another folder, or take that one off PYTHONPATH"
            )
    return None
