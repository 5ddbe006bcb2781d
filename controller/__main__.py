"""The command line: `tablemarker`, also `python -m controller`.

Exit status 0: done; 1: done, but something failed or was refused; 2: wrong input or use.
"""

from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path

import click

from controller.commands.group import LazyGroup, shadowed

PACKAGES = ("controller", "hardware", "firmware_bridge")


def _version(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    try:
        click.echo(f"tablemarker {importlib.metadata.version('tablemarker')}")
    except importlib.metadata.PackageNotFoundError:
        click.echo(f"tablemarker, not installed, run from {Path(__file__).parents[1]}")
    ctx.exit()


@click.command("tablemarker", cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version.")
def cli() -> None:
    """Keep the score at a real game table.

    Reads the table's sensors, knows the rules of the game, shows the score to the room. To see it with no hardware at
    all: tablemarker demo
    """


def main() -> None:
    """Run the command line and end the process with its exit status."""
    # The names are common words: a folder of the same name on the path would be imported in our packages' place.
    wrong = shadowed(PACKAGES, Path(__file__).resolve().parents[1])
    if wrong:
        print(f"tablemarker: {wrong}", file=sys.stderr)
        raise SystemExit(2)
    cli.main(prog_name="tablemarker")


if __name__ == "__main__":
    main()
