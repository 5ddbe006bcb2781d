"""What every source is: something that emits timestamped raw signals."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable

from hardware.health import SourceHealth
from hardware.signals import Signal

Emit = Callable[[Signal], None]


class SourceError(Exception):
    """A source can't be opened or has failed; the message names the place and the remedy."""


class Source(ABC):
    """Emits signals in order of time into the queue it is given.

    `emit` may be called from any thread and must not block. A source may be opened again after it was closed.
    """

    name: str
    """`gpio`, `sim`, `board:left`: the part of an address before the input."""

    @abstractmethod
    def open(self, channels: Iterable[str], emit: Emit) -> dict[str, int]:
        """Start to watch these channels; gives their levels, silently. Raises `SourceError`."""

    @abstractmethod
    def watermark(self, now: int) -> int:
        """A time of which this is true: every signal older than it has been emitted. At most `now`."""

    @abstractmethod
    def reconcile(self, now: int) -> None:
        """Compare the levels with those last emitted; emit and count what changed without a signal. Called each second or so."""

    @abstractmethod
    def levels(self) -> dict[str, int]:
        """The levels as they are now."""

    @abstractmethod
    def health(self) -> SourceHealth:
        """What was lost, recovered, muted."""

    @abstractmethod
    def close(self) -> None:
        """Stop and free every line. May be called twice."""
