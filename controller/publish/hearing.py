"""Who else hears messages of the broker: a tracker or a reader may send its lines to a topic."""

from __future__ import annotations

from typing import Protocol


class Listener(Protocol):
    """Takes what comes on one topic. Called from the link's thread; must not block."""

    def take(self, payload: bytes) -> None:
        """A message has come."""

    def lost(self, why: str) -> None:
        """Nothing comes any more, for this reason, until the next message."""
