"""What every output is: one line that is on or off."""

from __future__ import annotations

from abc import ABC, abstractmethod


class OutputError(Exception):
    """An output can't be opened or set; the message names the place and the remedy."""


class Output(ABC):
    """A lamp or a sounder. Opened once, set from one thread, closed at the end; closed it is off."""

    @abstractmethod
    def open(self) -> None:
        """Take the line, and be off. Raises `OutputError`."""

    @abstractmethod
    def set(self, *, on: bool) -> None:
        """Switch it. Raises `OutputError`."""

    @abstractmethod
    def close(self) -> None:
        """Switch it off and free the line. May be called twice, and where it was never opened."""


class SimOutput(Output):
    """An output of no table, for demos and tests: it remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[bool] = []
        self.is_open = False

    def open(self) -> None:
        """Be off."""
        self.is_open = True

    def set(self, *, on: bool) -> None:
        """Remember it."""
        self.told.append(on)

    def close(self) -> None:
        """Be off."""
        self.is_open = False
