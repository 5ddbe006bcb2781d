"""From a table file to its lamps, sounders and voice."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from controller.announce.announcer import Announcer, Lit
from controller.announce.speech import Voice
from controller.tablefile import TableFile
from hardware.outputs.board import BoardOutput
from hardware.outputs.lamps import Lamps
from hardware.outputs.output import Output, SimOutput
from hardware.signals import source_of
from hardware.sources.source import Source

Report = Callable[[str, str | None], None]
"""Takes a place and what is wrong there, as a sentence; None when it is well again."""


def build_lamps(table: TableFile, sources: Sequence[Source], report: Report) -> Lamps | None:
    """All outputs of a table, not yet opened; None where it has none. `sources`: those of its sensors, for the boards."""
    if not table.outputs:
        return None
    outputs = _build_outputs(table, sources)
    return Lamps(outputs, lambda name, said: report(f"output:{name}", said))


def _build_outputs(table: TableFile, sources: Sequence[Source]) -> dict[str, Output]:
    by_name = {source.name: source for source in sources}
    outputs: dict[str, Output] = {}
    lines = None
    for output in table.outputs:
        (channel,) = output.source
        high = output.active == "high"
        if channel.startswith("gpio:"):
            # gpiozero takes a while to import, and isn't wanted where there are no lines.
            from hardware.outputs.gpio import GpioLines, GpioOutput  # noqa: PLC0415

            lines = lines or GpioLines(table.gpio.factory, table.gpio.chip)
            outputs[output.name] = GpioOutput(channel, lines, active_high=high)
        elif channel.startswith("board:"):
            from hardware.sources.board import BoardSource  # noqa: PLC0415 - as above, for pyserial

            board = by_name[source_of(channel)]
            assert isinstance(board, BoardSource), "a board's outputs hang on a board"
            outputs[output.name] = BoardOutput(channel, board, active_high=high)
        else:
            outputs[output.name] = SimOutput()
    return outputs


def build_voice(table: TableFile, report: Report) -> Voice | None:
    """The voice of a table, not yet started; None where it has none."""
    return None if table.speech is None else Voice(table.speech.command, lambda said: report("speech", said))


def build_announcer(table: TableFile, lamps: Lamps | None, voice: Voice | None) -> Announcer:
    """What tells lamps and voice of the game."""
    lit = [Lit(one.name, one.on, one.side, one.pattern) for one in table.outputs if one.on]
    return Announcer(lit, lamps, None if voice is None else voice.say)
