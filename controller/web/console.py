"""What the marker's console reads: what may be done now, the list of the game's events, and what might have stood at one of them.

Open to read, as the score is; worked out only when somebody asks, and once a state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from controller.engine.snapshot import Snapshot
from controller.publish.messages import FormsMessage, Message, console_message, encode, list_message
from controller.web.assets import Assets
from controller.web.stream import Newest

NO_STORE: Mapping[str, str] = {"cache-control": "no-store"}


class Console:
    """The endpoints of `/marker`. All of it belongs to the server's loop."""

    def __init__(self, assets: Assets, newest: Newest) -> None:
        self._assets = assets
        self._newest = newest
        self._made: dict[str, tuple[Snapshot, bytes]] = {}

    def routes(self) -> list[Route]:
        """Where each is found."""
        return [
            Route("/marker", self.page),
            Route("/api/console", self.now),
            Route("/api/console/events", self.events),
            Route("/api/console/events/{revision}", self.before),
        ]

    async def page(self, _: Request) -> Response:
        """The page itself."""
        return self._assets.page("marker.html")

    async def now(self, _: Request) -> Response:
        """What may be done now."""
        return self._told("now", lambda snapshot: console_message(snapshot, self._newest.wall))

    async def events(self, _: Request) -> Response:
        """The list of the game's events."""
        return self._told("events", list_message)

    async def before(self, request: Request) -> Response:
        """What might have been entered in the place of one event."""
        snapshot = self._newest.snapshot
        ledger = snapshot.ledger if snapshot is not None else None
        given = request.path_params["revision"]
        # Python refuses to read thousands of digits; no revision has twenty.
        revision = int(given) if given.isascii() and given.isdecimal() and len(given) < 20 else -1
        forms = ledger.forms_before(revision) if ledger is not None else None
        if snapshot is None or forms is None:
            return JSONResponse({"error": "the game has no such event any more"}, 404, headers=NO_STORE)
        return _json(encode(FormsMessage(game_id=snapshot.game_id, forms=forms)))

    def _told(self, name: str, make: Callable[[Snapshot], Message]) -> Response:
        snapshot = self._newest.snapshot
        if snapshot is None:
            headers = {**NO_STORE, "retry-after": "1"}
            return JSONResponse({"error": "the table is starting; ask again in a moment"}, 503, headers=headers)
        made = self._made.get(name)
        if made is None or made[0] is not snapshot:
            made = self._made[name] = (snapshot, encode(make(snapshot)))
        return _json(made[1])


def _json(body: bytes) -> Response:
    return Response(body, media_type="application/json", headers=NO_STORE)
