"""`tablemarker demo`: everything in one process, with no hardware and no set-up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from controller.commands.group import Failed

if TYPE_CHECKING:
    from controller.engine.snapshot import Snapshot

GAMES = ("bagatelle", "fortification", "squails", "maw")
"""Games whose tables can be simulated."""


@click.command("demo")
@click.argument("game", type=click.Choice(GAMES), default="bagatelle")
@click.option("--port", default=8080, show_default=True, help="Of the scoreboard; 0 takes any free one.")
@click.option("--mqtt-port", default=1883, show_default=True, help="Of the broker; 0 takes any free one.")
@click.option("--speed", default=1.0, show_default=True, help="How many times as fast as real players.")
@click.option("--seed", default=1, show_default=True, help="The same seed plays the same games.")
@click.option("--once", is_flag=True, help="Play one game, print the result, and exit.")
def command(game: str, port: int, mqtt_port: int, speed: float, seed: int, *, once: bool) -> None:
    """Show everything at once: a simulated table that plays by itself, a broker and the scoreboard."""
    import shutil  # noqa: PLC0415 - imports inside, so that --help is instant
    import signal  # noqa: PLC0415
    import threading  # noqa: PLC0415

    from controller.publish.embedded import NoEmbeddedBroker  # noqa: PLC0415
    from controller.simulation.show import PIN, Show  # noqa: PLC0415
    from controller.web.errors import PortTaken, WebError  # noqa: PLC0415

    if not 0.01 <= speed <= 100_000:
        raise click.BadParameter(f"from 0.01 to 100000, not {speed}", param_hint="--speed")
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    show = Show(game, seed, speed=speed, games=1 if once else None, port=port, mqtt_port=mqtt_port)
    try:
        show.start()
        click.echo(f"The scoreboard:  http://127.0.0.1:{show.port}", err=True)
        click.echo(f"The topics:      mosquitto_sub -p {show.mqtt_port} -v -t '{show.prefix}/#'", err=True)
        if shutil.which("mosquitto_sub") is None:
            click.echo("                 (mosquitto_sub is in the package mosquitto-clients)", err=True)
        click.echo(f"There too:       /history, /sensors, and /marker with the PIN {PIN}", err=True)
        click.echo("Stop with Ctrl-C.", err=True)
        show.run(stop)
    except PortTaken as error:
        raise Failed(f"{error} with --port") from None
    except (NoEmbeddedBroker, WebError) as error:
        raise Failed(str(error)) from None
    finally:
        show.stop()
    if once and show.shown is not None and show.shown.over is not None:
        click.echo(result_line(show.shown))


def result_line(shown: Snapshot) -> str:
    """How a game ended, in one line."""
    scores = ", ".join(f"{side.name} {side.score}" for side in shown.sides)
    over = shown.over
    assert over is not None
    if over.draw:
        return f"{shown.game}: {scores}; a draw ({over.rule})"
    winner = next(side.name for side in shown.sides if side.id == over.winner)
    return f"{shown.game}: {scores}; {winner} wins{' a double' if over.double else ''} ({over.rule})"
