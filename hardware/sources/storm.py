"""The storm guard: silences an input that changes far more often than a table can move it."""

from __future__ import annotations

from hardware.signals import SECOND


class StormGuard:
    """Counts the edges of each channel and says which may pass. Pure; the source that owns it holds the lock.

    An input with a loose wire or no pull-up can give thousands of edges a second: enough to keep a Pi busy with nothing. A
    channel with more than `limit` edges within a second is muted. It is let in again once it has been quiet for `quiet`
    nanoseconds; its source then compares the level, so that nothing which happened meanwhile is lost for good.

    A source may stop its hardware from watching a muted channel: the guard takes silence for quiet, and if the storm still
    rages, mutes it again after another `limit` edges.

    >>> guard = StormGuard(limit=2, quiet=5)
    >>> [guard.admit("gpio:17", at) for at in (1, 2, 3, 4)]
    [True, True, False, False]
    >>> guard.muted, guard.calmed(8), guard.calmed(9), guard.muted
    (('gpio:17',), [], ['gpio:17'], ())
    """

    def __init__(self, limit: int = 1000, quiet: int = 2 * SECOND) -> None:
        # A worn switch gives about 100 edges in a burst and mains hum 100 a second: neither is a storm.
        self._limit = limit
        self._quiet = quiet
        self._counts: dict[str, tuple[int, int]] = {}  # channel: (start of its second, edges in it)
        self._muted: dict[str, int] = {}  # channel: time of its last edge

    def admit(self, channel: str, at: int) -> bool:
        """Count an edge; False if the channel is muted, so that the edge must not be emitted."""
        if channel in self._muted:
            self._muted[channel] = max(at, self._muted[channel])
            return False
        start, edges = self._counts.get(channel, (at, 0))
        if at - start >= SECOND:
            start, edges = at, 0
        if edges >= self._limit:
            del self._counts[channel]
            self._muted[channel] = at
            return False
        self._counts[channel] = (start, edges + 1)
        return True

    def calmed(self, now: int) -> list[str]:
        """Let those channels in again that were quiet for long enough, and name them: the caller compares their levels."""
        calm = [channel for channel, last in self._muted.items() if now - last >= self._quiet]
        for channel in calm:
            del self._muted[channel]
        return calm

    def clear(self) -> None:
        """Forget everything: the source was closed."""
        self._counts.clear()
        self._muted.clear()

    @property
    def muted(self) -> tuple[str, ...]:
        """The channels that are silenced now, for `SourceHealth.muted`."""
        return tuple(self._muted)

    @property
    def faults(self) -> tuple[str, ...]:
        """A sentence for each muted channel, with the remedy, for `SourceHealth.faults`."""
        return tuple(
            f"{channel} changed more than {self._limit} times within a second and is muted until it is quiet: look for a loose "
            "wire, a missing pull-up or an input with nothing on it (docs/wiring.md)"
            for channel in self._muted
        )
