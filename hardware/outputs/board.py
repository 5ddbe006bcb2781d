"""Lamps and sounders on a board's pins: switched through the link that the board's source keeps."""

from __future__ import annotations

from typing import Protocol

from hardware.outputs.output import Output

FULL = 255


class SetsOutputs(Protocol):
    """The source of a board."""

    def set_output(self, channel: str, level: int) -> None:
        """Bring an output to a level, 0 to 255, now or when the board is there."""


class BoardOutput(Output):
    """One pin: `board:left/9`. `active_high`: whether the high level lights it. What is away is switched when it is back."""

    def __init__(self, channel: str, board: SetsOutputs, *, active_high: bool = True) -> None:
        self._channel = channel
        self._board = board
        self._active_high = active_high

    def open(self) -> None:
        """Be off."""
        self.set(on=False)

    def set(self, *, on: bool) -> None:
        """Switch it."""
        self._board.set_output(self._channel, FULL if on == self._active_high else 0)

    def close(self) -> None:
        """Switch it off; a board whose link is closed already switches off by itself, seconds later."""
        self.set(on=False)
