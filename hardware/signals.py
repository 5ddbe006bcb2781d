"""Raw signals: which input changed, to what, and when.

Times are integer nanoseconds on the host's monotonic clock. They order everything; wall time only labels.
"""

from __future__ import annotations

from typing import NamedTuple

MS = 1_000_000
"""Nanoseconds in a millisecond."""
SECOND = 1_000_000_000
"""Nanoseconds in a second."""


class Signal(NamedTuple):
    """One change of one input: sorts by time.

    `channel`: the address as in the table file (`gpio:17`, `board:left/3`, `sim:cup-1`). `value`: the electrical level
    (0 or 1) of a digital input, or a reading in the channel's own unit.
    """

    at: int
    channel: str
    value: int


def source_of(channel: str) -> str:
    """The name of the source in an address: `gpio` of `gpio:17`, `board:left` of `board:left/3`, `sim` of `sim:half-way/near`."""
    kind, _, rest = channel.partition(":")
    return f"{kind}:{rest.rpartition('/')[0]}" if kind == "board" else kind
