"""`tablemarker schema`: the JSON Schema of the table file or of a message."""

from __future__ import annotations

import json

import click


@click.command("schema")
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """Print the JSON Schema of the table file or of one kind of MQTT message.

    Without a NAME it lists those there are.
    """
    from controller.publish.schemas import NAMES, schema_of  # noqa: PLC0415 - so that --help stays instant
    from controller.rules.errors import nearest  # noqa: PLC0415 - as above

    if name is None:
        click.echo("\n".join(NAMES))
    elif name not in NAMES:
        raise click.UsageError(f"there is no schema {name!r}; {nearest(name, NAMES)}")
    else:
        click.echo(json.dumps(schema_of(name), indent=2, ensure_ascii=False))
