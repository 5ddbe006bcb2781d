"""Raw signals: which input changed, to what, and when; or which line of text came in, and when.

Times are integer nanoseconds on the host's monotonic clock. They order everything; wall time only labels.
"""

from __future__ import annotations

from typing import NamedTuple

MS = 1_000_000
"""Nanoseconds in a millisecond."""
SECOND = 1_000_000_000
"""Nanoseconds in a second."""


LONGEST_TEXT = 8192
"""Characters of a line of text: two hundred places of a tracker."""


class Signal(NamedTuple):
    """One change of one input: sorts by time.

    `channel`: the address as in the table file (`gpio:17`, `board:left/3`, `lines:camera`, `sim:cup-1`). `value`: the electrical
    level (0 or 1) of a digital input, a reading in the channel's own unit, or a line of text as it came, without its end.
    """

    at: int
    channel: str
    value: int | str

    @property
    def number(self) -> int:
        """The level or reading. Raises `TypeError` for a line of text: only a detector of text listens to such a channel."""
        if isinstance(self.value, str):
            raise TypeError(f"{self.channel} gave a line of text where a level or a reading is wanted")
        return self.value

    @property
    def text(self) -> str:
        """The line of text. Raises `TypeError` for a level or reading."""
        if isinstance(self.value, int):
            raise TypeError(f"{self.channel} gave a level or a reading where a line of text is wanted")
        return self.value


def source_of(channel: str) -> str:
    """The name of the source in an address.

    `gpio` of `gpio:17`, `board:left` of `board:left/3`, `lines:camera` of `lines:camera`, `sim` of `sim:half-way/near`.
    """
    kind, _, rest = channel.partition(":")
    if kind == "board":
        return f"{kind}:{rest.rpartition('/')[0]}"
    return channel if kind == "lines" else kind
