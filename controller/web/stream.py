"""The newest state, and the viewers who follow it as server-sent events.

A viewer hears `alive` at once and every two seconds, so it can tell a quiet game from a dead link; then what has changed:
`questions`, `correction` (just before the score that it changed) and `score`.
Nothing is queued: a viewer who is slow to read finds the newest state, and what lay between is gone. `alive` names the version
of the page's files (a page that has others loads itself again) and the run of the service (revisions are compared within one).
"""

from __future__ import annotations

import asyncio
import json
import secrets
import threading
from collections.abc import AsyncIterator

from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from controller.engine.snapshot import Happening, Snapshot
from controller.publish.messages import Wall, encode, event_message, questions_message, score_message

ALIVE_SECONDS = 2.0
"""How often a viewer hears that the link lives."""
EVENT_STREAM = "text/event-stream"
RETRY_MS = 1000
"""How soon a browser tries again after a lost link."""


class Newest:
    """The newest state. `offer` may be called from any thread and never blocks; all else belongs to the server's loop."""

    def __init__(self, wall: Wall) -> None:
        self.wall = wall
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waking = False
        self._rendered: tuple[Snapshot, dict[str, str]] | None = None
        self._changed = asyncio.Event()
        self.snapshot: Snapshot | None = None
        self.correction: Happening | None = None

    def offer(self, snapshot: Snapshot, happenings: tuple[Happening, ...]) -> None:
        """Take the newest state; the viewers are told by the server's own thread."""
        with self._lock:
            self.snapshot = snapshot
            for happening in happenings:
                if happening.kind == "correction" and happening.game_id == snapshot.game_id:
                    self.correction = happening
            if self._loop is None or self._waking:
                return
            self._waking = True
            self._loop.call_soon_threadsafe(self.wake)

    def attach(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Name the loop that serves the viewers; None when it is about to end."""
        with self._lock:
            self._loop = loop
            self._waking = False

    @property
    def attached(self) -> bool:
        """Whether viewers are served."""
        return self._loop is not None

    def wake(self) -> None:
        """Tell whoever waits to look again."""
        with self._lock:
            self._waking = False
        self._changed.set()
        self._changed = asyncio.Event()

    def messages(self) -> dict[str, str]:
        """The newest state as JSON by kind of message, the score last. Made once a state, however many viewers there are."""
        snapshot = self.snapshot
        if snapshot is None:
            return {}
        if self._rendered is None or self._rendered[0] is not snapshot:
            self._rendered = (
                snapshot,
                {
                    "questions": encode(questions_message(snapshot)).decode(),
                    "score": encode(score_message(snapshot)).decode(),
                },
            )
        return self._rendered[1]

    def tell_correction(self, correction: Happening) -> str:
        """A correction as JSON."""
        return encode(event_message(correction, self.wall)).decode()

    async def changed(self, seconds: float) -> bool:
        """Wait for the next state, at most so long; False when the time is up."""
        try:
            async with asyncio.timeout(seconds):
                return await self._changed.wait()
        except TimeoutError:
            return False


class Stream:
    """`/api/stream`: an ASGI endpoint. Beyond `limit` viewers at once the answer is 503."""

    def __init__(self, newest: Newest, version: str, limit: int) -> None:
        self._newest = newest
        self._limit = limit
        self._alive = json.dumps({"version": version, "run": secrets.token_hex(4)})
        self._stopped = True
        self.viewers = 0

    def start(self) -> None:
        """Serve viewers until `stop`."""
        self._stopped = False

    def stop(self) -> None:
        """Let every viewer go."""
        self._stopped = True
        self._newest.wake()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one viewer until it leaves."""
        if scope["method"] == "HEAD":
            await Response(media_type=EVENT_STREAM)(scope, receive, send)
            return
        if self.viewers >= self._limit:
            words = {"error": f"{self._limit} viewers are watching already; close some pages and try again"}
            await JSONResponse(words, 503, headers={"retry-after": "30"})(scope, receive, send)
            return
        self.viewers += 1
        try:
            stream = StreamingResponse(self._messages(), media_type=EVENT_STREAM, headers={"cache-control": "no-store"})
            await stream(scope, receive, send)
        finally:
            self.viewers -= 1

    async def _messages(self) -> AsyncIterator[str]:
        alive = as_event("alive", self._alive)
        yield f"retry: {RETRY_MS}\n\n{alive}"
        newest, told = self._newest, dict[str, str]()
        seen, corrected = None, newest.correction
        while not self._stopped:
            if newest.snapshot is seen:
                if not await newest.changed(ALIVE_SECONDS):
                    yield alive
                continue
            seen, correction = newest.snapshot, newest.correction
            if correction is not None and correction is not corrected:
                yield as_event("correction", newest.tell_correction(correction))
            corrected = correction
            for kind, text in newest.messages().items():
                if told.get(kind) != text:
                    told[kind] = text
                    yield as_event(kind, text)


def as_event(kind: str, text: str) -> str:
    """One server-sent event; `text` is a single line, as JSON is."""
    return f"event: {kind}\ndata: {text}\n\n"
