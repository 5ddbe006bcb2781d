"""`tablemarker run`: the service."""

from __future__ import annotations

from pathlib import Path

import click

from controller.commands.group import Failed, WrongInput

LINK_SESSION = "mqtt session"
"""The one thread that another starts again when it ends by a mistake."""


@click.command("run")
@click.argument("table", metavar="TABLE.toml", type=click.Path(path_type=Path))
@click.option("--verbose", is_flag=True, help="Also say what is done, not only what is wrong.")
def command(table: Path, verbose: bool) -> None:
    """Keep the score of the table that TABLE.toml describes, until stopped."""
    import logging  # noqa: PLC0415 - imports inside, so that --help is instant
    import signal  # noqa: PLC0415
    import threading  # noqa: PLC0415

    from controller.engine.journal import JournalError  # noqa: PLC0415
    from controller.publish.settings import MqttMisuse  # noqa: PLC0415
    from controller.service import Service  # noqa: PLC0415
    from controller.tablefile import TableFileErrors, load_table  # noqa: PLC0415
    from controller.web.errors import WebError  # noqa: PLC0415
    from hardware.sources.source import SourceError  # noqa: PLC0415

    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    try:
        service = Service(load_table(table), table.parent)
    except TableFileErrors as errors:
        raise WrongInput(str(errors)) from None
    stop = threading.Event()
    broken: list[str] = []

    def died(what: threading.ExceptHookArgs) -> None:
        threading.__excepthook__(what)
        name = "" if what.thread is None else what.thread.name
        if name != LINK_SESSION:
            broken.append(name)
            stop.set()

    # A score that stands still while people play is worse than none: without one of its threads the service ends, and says so.
    threading.excepthook = died
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    try:
        service.start()
    except MqttMisuse as error:
        raise WrongInput(f"{table}: {error}") from None
    except (JournalError, SourceError, WebError) as error:
        raise Failed(f"{table}: {error}") from None
    click.echo(f"{service.table.table.id} is ready.{_where(service)}", err=True)
    try:
        stop.wait()
    finally:
        service.stop()
        threading.excepthook = threading.__excepthook__
    if broken:
        raise Failed(
            f"{table}: stopped, since the thread {broken[0]!r} has ended by a mistake in the program: start it again, and please "
            "report what stands above. What was shown as saved is in the journal"
        )


def _where(service: object) -> str:
    web = getattr(service, "web", None)
    return "" if web is None else f" Scoreboard: port {web.port}."
