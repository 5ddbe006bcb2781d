"""`POST /api/command`: a command from the marker's phone, as on MQTT."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from controller.command_models import LONGEST
from controller.intake import Intake
from controller.web.access import Access

BODY_SECONDS = 5.0
REPLY_SECONDS = 5.0
MOST_READERS = 8
"""Who ask why at one time: the marker's commands must find room beside them."""
NO_STORE = {"cache-control": "no-store"}


class TooLong(ValueError):
    """A body that no command needs."""


class Commands:
    """The endpoint. `clock` gives monotonic nanoseconds."""

    def __init__(self, access: Access, intake: Intake, clock: Callable[[], int]) -> None:
        self._access = access
        self._intake = intake
        self._clock = clock
        self._readers = 0

    async def post(self, request: Request) -> Response:
        """Check who asks, hand the command on, wait for the reply."""
        denied = self._denied(request)
        if denied is not None:
            return denied
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await read_body(request)
        except TimeoutError:
            return refused(408, f"the command did not arrive within {BODY_SECONDS:.0f} seconds")
        except TooLong:
            return refused(413, f"a command has at most {LONGEST} bytes")
        except ClientDisconnect:
            return refused(400, "the sender left before the command was whole")
        return await self._answer(body)

    async def check_pin(self, request: Request) -> Response:
        """Say whether commands with this PIN would be taken: asked once, when somebody types it in."""
        return self._denied(request) or JSONResponse({"ok": True, "error": None}, headers=NO_STORE)

    async def why(self, request: Request) -> Response:
        """Why an event of the game in play gave its points: open to read, as the list of these events and their points is."""
        given = request.path_params["revision"]
        # Python refuses to read thousands of digits; no revision has twenty.
        if not (given.isascii() and given.isdecimal() and len(given) < 20):
            return refused(404, "a revision is a number")
        if self._readers >= MOST_READERS:
            return refused(503, "many ask why just now; ask again in a moment", {"retry-after": "1"})
        self._readers += 1
        try:
            return await self._answer(json.dumps({"command": "explain", "revision": int(given)}).encode())
        finally:
            self._readers -= 1

    def _denied(self, request: Request) -> Response | None:
        headers = request.headers
        denied = self._access.check(headers.get("host", ""), headers.get("origin"), headers.get("authorization"))
        if denied is None:
            return None
        extra = {} if denied.wait_seconds is None else {"retry-after": str(denied.wait_seconds)}
        if denied.status == 401:
            extra["www-authenticate"] = 'Bearer realm="tablemarker"'
        return refused(denied.status, denied.text, extra)

    async def _answer(self, body: bytes) -> Response:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Mapping[str, Any]] = loop.create_future()

        def settle(reply: Mapping[str, Any]) -> None:
            if not answer.done():
                answer.set_result(reply)

        def give(reply: Mapping[str, Any]) -> None:
            # The loop is closed when the server has stopped meanwhile: then nobody waits for this reply.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(settle, reply)

        self._intake.take(body, give, now=self._clock(), via="web")
        try:
            async with asyncio.timeout(REPLY_SECONDS):
                reply = await answer
        except TimeoutError:
            return refused(504, "the table has not answered; look at the score before you try again")
        return JSONResponse(dict(reply), 200 if reply.get("ok") else 409, headers=NO_STORE)


async def read_body(request: Request) -> bytes:
    """The body, chunk by chunk, so that a long one is turned away before it is here. Raises `TooLong`."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LONGEST:
            raise TooLong
    return body


def refused(status: int, text: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """A reply that says no, in the shape of any other."""
    return JSONResponse({"ok": False, "error": text}, status, headers={**NO_STORE, **(headers or {})})
