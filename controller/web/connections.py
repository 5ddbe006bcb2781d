"""The connections of the web server: whoever opens many and asks for nothing, or little by little, takes no room from the marker.

A request's head must come within its time. Where there are too many connections, one that asks for nothing is cut for the newest,
then one that takes its answer too slowly; a stream of the score never, since those are counted where they are asked for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_CONNECTIONS = 300
"""Open at once: journal and sensors need open files too. The streams are at most two thirds of them."""
HEAD_SECONDS = 5.0
"""For the head of a request, from its first byte or that of the connection. A phone at the end of the garden takes one."""
KEPT_OPEN = frozenset({"/api/stream", "/api/sensors", "/api/command"})
"""What is answered on a connection that is never cut for another: streams, which have limits of their own, and commands."""


class Connection(H11Protocol):
    """One connection. uvicorn itself waits for ever for a head once its first byte is there."""

    _since = 0.0
    """When it was opened, or last had an answer whole."""
    _head_by: float | None = None
    """Until when the head must be here that has begun to come."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn's own does
        """Take the connection, and cut another where there are too many."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self._head_by = self._since + HEAD_SECONDS
        self._wait_for_head()
        if len(self.connections) > MOST_CONNECTIONS:
            min(self._others(), key=lambda one: (one.answering, one.since), default=self).cut()

    def data_received(self, data: bytes) -> None:
        """Take what has come; the time for a head goes on while it comes byte by byte."""
        super().data_received(data)
        if self.answering:
            self._head_by = None
        elif not self.transport.is_closing():
            self._head_by = self._head_by or self.loop.time() + HEAD_SECONDS
            self._wait_for_head()

    def on_response_complete(self) -> None:
        """An answer is whole: what comes next is another request."""
        self._since, self._head_by = self.loop.time(), None
        super().on_response_complete()

    @property
    def answering(self) -> bool:
        """Whether a request is being answered."""
        return self.cycle is not None and not self.cycle.response_complete

    @property
    def since(self) -> float:
        """When it was opened, or last had an answer whole."""
        return self._since

    def cut(self) -> None:
        """End it at once."""
        # uvicorn hears of it later only, and would count it until then.
        self.connections.discard(self)
        self.transport.abort()

    def _others(self) -> Iterator[Connection]:
        for one in self.connections:
            if isinstance(one, Connection) and one is not self and not (one.answering and one.scope["path"] in KEPT_OPEN):
                yield one

    def _wait_for_head(self) -> None:
        assert self._head_by is not None
        self._unset_keepalive_if_required()
        self.timeout_keep_alive_task = self.loop.call_at(self._head_by, self.timeout_keep_alive_handler)
