"""`/history`: the games of the journal, and one of them opened; what the pages read, a bounded piece at a time.

It is read in threads, few at a time, so that neither the streams nor the engine wait for a long journal.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from controller.web.access import check_place
from controller.web.assets import Assets
from controller.web.console import NO_STORE
from controller.web.errors import HistoryUnreadable

AT_ONCE = 2
"""Readers of the journal at a time."""
MOST_WAITING = 20
LONGEST_NUMBER = 15
"""Digits: more than any journal counts to."""


class Past(Protocol):
    """The games of the journal, as JSON; safe from any thread. All of it raises `HistoryUnreadable`."""

    def games(self, before: int | None) -> bytes:
        """A page of finished games."""

    def tally(self, first: int) -> bytes:
        """Best turns, and a page of players."""

    def game(self, number: int) -> bytes | None:
        """One game; None where there is none."""

    def states(self, number: int, first: int) -> bytes | None:
        """Some of its states."""


class HistoryPages:
    """The endpoints of `/history`. All of it belongs to the server's loop."""

    def __init__(self, assets: Assets, past: Past) -> None:
        self._assets = assets
        self._past = past
        self._free = asyncio.Semaphore(AT_ONCE)
        self._waiting = 0

    def routes(self) -> list[Route]:
        """Where each is found."""
        return [
            Route("/history", self.page),
            Route("/history/{number}", self.page),
            Route("/api/history", self.tally),
            Route("/api/history/games", self.games),
            Route("/api/history/games/{number}", self.game),
            Route("/api/history/games/{number}/states", self.states),
        ]

    async def page(self, request: Request) -> Response:
        """The pages themselves."""
        return self._assets.page("game.html" if "number" in request.path_params else "history.html")

    async def tally(self, request: Request) -> Response:
        """Best turns and players; `?from=` the player with whom the page begins."""
        first = _number(request.query_params.get("from", "0"))
        if first is None:
            return _no_number("from", "the player with whom the page begins, counted from 0")
        return await self._read(request, lambda: self._past.tally(first))

    async def games(self, request: Request) -> Response:
        """Finished games; `?before=` the game before which the page begins."""
        given = request.query_params.get("before")
        before = None if given is None else _number(given)
        if given is not None and before is None:
            return _no_number("before", "of the game before which the page begins")
        return await self._read(request, lambda: self._past.games(before))

    async def game(self, request: Request) -> Response:
        """One game with its events."""
        number = _number(request.path_params["number"])
        return await self._read(request, None if number is None else lambda: self._past.game(number))

    async def states(self, request: Request) -> Response:
        """Some states of a game; `?from=` the first of them."""
        number, first = _number(request.path_params["number"]), _number(request.query_params.get("from", "0"))
        if first is None:
            return _no_number("from", "the first of the states, counted from 0")
        return await self._read(request, None if number is None else lambda: self._past.states(number, first))

    async def _read(self, request: Request, read: Callable[[], bytes | None] | None) -> Response:
        headers = request.headers
        denied = check_place(headers.get("host", ""), headers.get("origin"), "the history is shown")
        if denied is not None:
            return JSONResponse({"error": denied.text}, denied.status, headers=NO_STORE)
        if self._waiting >= MOST_WAITING:
            words = {"error": "many read the history just now; try again in a moment"}
            return JSONResponse(words, 503, headers={**NO_STORE, "retry-after": "2"})
        self._waiting += 1
        try:
            async with self._free:
                body = None if read is None else await asyncio.to_thread(read)
        except HistoryUnreadable as error:
            return JSONResponse({"error": str(error)}, 503, headers={**NO_STORE, "retry-after": "5"})
        finally:
            self._waiting -= 1
        if body is None:
            return JSONResponse({"error": "the journal has no such finished game"}, 404, headers=NO_STORE)
        return Response(body, media_type="application/json", headers=NO_STORE)


def _no_number(key: str, of_what: str) -> Response:
    words = {"error": f"{key} is a number of at most {LONGEST_NUMBER} digits: {of_what}"}
    return JSONResponse(words, 400, headers=NO_STORE)


def _number(given: str) -> int | None:
    # Python refuses to read thousands of digits.
    return int(given) if given.isascii() and given.isdecimal() and len(given) <= LONGEST_NUMBER else None
