"""The web application: which address gives what."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.web.assets import Assets
from controller.web.commands import Commands
from controller.web.console import Console
from controller.web.history import HistoryPages
from controller.web.sensors import SensorPage
from controller.web.stream import Newest, Stream

RuleWords = Mapping[str, Mapping[str, str]]
"""Game → rule id → its sentence."""

SECURITY = {
    # Everything comes from this service: no page of ours asks the internet for anything, and none runs what was put into it.
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


def build(
    assets: Assets,
    newest: Newest,
    stream: Stream,
    commands: Commands | None,
    rules: RuleWords,
    *,
    sensors: SensorPage | None = None,
    history: HistoryPages | None = None,
) -> ASGIApp:
    """The application, ready for a server."""

    async def page(_: Request) -> Response:
        return assets.page("index.html")

    async def score(_: Request) -> Response:
        text = newest.messages().get("score")
        headers = {"cache-control": "no-store"}
        if text is None:
            return JSONResponse(
                {"error": "the table is starting; ask again in a moment"}, 503, headers={**headers, "retry-after": "1"}
            )
        return Response(text, media_type="application/json", headers=headers)

    async def healthz(_: Request) -> Response:
        snapshot = newest.snapshot
        state = {"ok": snapshot is not None, "revision": snapshot and snapshot.revision, "viewers": stream.viewers}
        return JSONResponse(state, 200 if snapshot else 503, headers={"cache-control": "no-store"})

    async def rule_words(request: Request) -> Response:
        words = rules.get(request.path_params["game"])
        if words is None:
            return PlainTextResponse("There is no rule book of that game here.\n", 404)
        return JSONResponse(words, headers={"cache-control": "no-cache"})

    routes = [
        Route("/", page),
        Route("/static/{version}/{name:path}", assets.file),
        Route("/api/score", score),
        Route("/api/stream", stream, methods=["GET"]),
        Route("/api/rules/{game}", rule_words),
        Route("/healthz", healthz),
        *Console(assets, newest).routes(),
    ]
    if commands is not None:
        routes.append(Route("/api/command", commands.post, methods=["POST"]))
        routes.append(Route("/api/pin", commands.check_pin, methods=["POST"]))
        routes.append(Route("/api/console/events/{revision}/why", commands.why))
    if sensors is not None:
        routes += sensors.routes()
    if history is not None:
        routes += history.routes()
    app = Starlette(routes=routes)
    app.router.redirect_slashes = False
    return with_headers(app)


def with_headers(app: ASGIApp) -> ASGIApp:
    """The same application, every answer under the same strict headers."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(SECURITY)
            await send(message)

        await app(scope, receive, send_with_headers)

    return wrapped
