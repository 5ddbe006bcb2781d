"""`/sensors`: the installer's view, and the stream behind it: every input as it moves.

A viewer hears `inputs`, what is wired where, once; `alive` every two seconds; `health` when it has changed; and `trace`, what has
come in, ten times a second while something does. While nobody looks nothing of it is worked out.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
import secrets
from collections.abc import AsyncIterator, Callable
from typing import Any, Protocol

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from controller.engine.snapshot import SensorView, Snapshot
from controller.web.access import check_place
from controller.web.assets import Assets
from controller.web.console import NO_STORE
from controller.web.stream import ALIVE_SECONDS, EVENT_STREAM, RETRY_MS, Newest, as_event

LOOK_SECONDS = 0.1
"""How often it is looked whether something has come in."""
MOST_LOOKERS = 8
"""A house has one person with a screwdriver, and a few phones."""


class Inputs(Protocol):
    """The inputs of a table, as JSON; safe from any thread."""

    def describe(self) -> str:
        """What there is: told once."""

    def look(self) -> Callable[[], str | None]:
        """Begin to look on: each call of what is given tells what is new, or None."""


class SensorPage:
    """The endpoints of `/sensors`. All of it belongs to the server's loop."""

    def __init__(self, assets: Assets, newest: Newest, inputs: Inputs, limit: int = MOST_LOOKERS) -> None:
        self._assets = assets
        self._newest = newest
        self._inputs = inputs
        self._limit = limit
        self._alive = json.dumps({"version": assets.version, "run": secrets.token_hex(4)})
        self.lookers = 0

    def routes(self) -> list[Route]:
        """Where each is found."""
        return [Route("/sensors", self.page), Route("/api/sensors", self.stream, methods=["GET"])]

    async def page(self, _: Request) -> Response:
        """The page itself."""
        return self._assets.page("sensors.html")

    async def stream(self, request: Request) -> Response:
        """The stream for one viewer."""
        headers = request.headers
        denied = check_place(headers.get("host", ""), headers.get("origin"), "the sensors are shown")
        if denied is not None:
            return JSONResponse({"error": denied.text}, denied.status, headers=NO_STORE)
        if request.method == "HEAD":
            return Response(media_type=EVENT_STREAM)
        if self.lookers >= self._limit:
            words = {"error": f"{self._limit} pages look at the sensors already; close some and try again"}
            return JSONResponse(words, 503, headers={**NO_STORE, "retry-after": "30"})
        self.lookers += 1
        return _Counted(self._messages(), self._leave)

    def _leave(self) -> None:
        self.lookers -= 1

    async def _messages(self) -> AsyncIterator[str]:
        loop = asyncio.get_running_loop()
        yield f"retry: {RETRY_MS}\n\n"
        yield as_event("inputs", self._inputs.describe())
        news, health = self._inputs.look(), _Health()
        spoke = -ALIVE_SECONDS
        while self._newest.attached:
            if loop.time() - spoke >= ALIVE_SECONDS:
                spoke = loop.time()
                yield as_event("alive", self._alive)
            # What has come in goes first: then no count is told before that which it counts.
            if (told := news()) is not None:
                yield as_event("trace", told)
            if (told := health.news(self._newest.snapshot)) is not None:
                yield as_event("health", told)
            await asyncio.sleep(LOOK_SECONDS)


class _Counted(StreamingResponse):
    """A stream that says when its viewer has gone, even one who went before it began."""

    def __init__(self, messages: AsyncIterator[str], left: Callable[[], None]) -> None:
        super().__init__(messages, media_type=EVENT_STREAM, headers=NO_STORE)
        self._left = left

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the viewer until it leaves."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._left()


class _Health:
    """What one viewer knows of how inputs and sources stand."""

    def __init__(self) -> None:
        self._seen: Snapshot | None = None
        self._sensors: dict[str, SensorView] = {}
        self._around: tuple[object, ...] = ()

    def news(self, snapshot: Snapshot | None) -> str | None:
        """What has changed, as JSON: the sensors alone that have, and what is around them; None where nothing has."""
        if snapshot is None or snapshot is self._seen:
            return None
        self._seen = snapshot
        changed = [one for one in snapshot.sensors if self._sensors.get(one.name) is not one]
        around = (snapshot.phase, snapshot.faults, snapshot.sources)
        if not changed and around == self._around:
            return None
        self._around = around
        self._sensors = {one.name: one for one in snapshot.sensors}
        told = {
            # What moves while a game is in play is scored.
            "phase": snapshot.phase,
            "faults": snapshot.faults,
            "sources": [dataclasses.asdict(one) for one in snapshot.sources],
            "sensors": [_row(one) for one in changed],
        }
        return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def _row(view: SensorView) -> dict[str, Any]:
    health = view.health
    counts = {name: getattr(health, name) for name in ("edges", "accepted", "late", "lost")}
    value = health.value if isinstance(health.value, bool) else None
    return {
        "sensor": view.name,
        "value": value,
        "quarantined": view.quarantined,
        "faults": health.faults,
        "notes": health.notes,
        **counts,
    }
