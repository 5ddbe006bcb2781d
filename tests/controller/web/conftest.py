from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from controller.engine.snapshot import Snapshot
from controller.web.server import ScoreServer
from tests.browser_kit import FLAGS, address, chromium, make_server, written
from tests.console_kit import Marker, live, table_text


@pytest.fixture
def serve() -> Iterator[Callable[..., ScoreServer]]:
    """Starts servers, on any free port unless told otherwise, and stops them again."""
    started: list[ScoreServer] = []

    def start(port: int = 0, **settings: Any) -> ScoreServer:
        server = make_server(port, **settings)
        server.start()
        started.append(server)
        return server

    yield start
    for server in started:
        server.stop()


@pytest.fixture
def server(serve: Callable[..., ScoreServer]) -> ScoreServer:
    return serve()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser of its own for each test, as wide as a television."""
    context = browser.new_context(viewport={"width": 1920, "height": 1080}, locale="en-GB")
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page that fails the test when a script of it fails."""
    errors: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    assert errors == []


@pytest.fixture
def show(server: ScoreServer, page: Page) -> Callable[[Snapshot], Page]:
    """Shows a state on the page, and waits until it is there."""
    revision = 0

    def show(snapshot: Snapshot) -> Page:
        nonlocal revision
        revision = max(revision + 1, snapshot.revision)
        server.offer(replace(snapshot, revision=revision))
        if page.url == "about:blank":
            page.goto(address(server))
        expect(page.locator("body")).to_have_attribute("data-phase", snapshot.phase)
        expect(page.locator("body")).to_have_attribute("data-link", "live")
        expect(page.locator(".score")).to_have_text([written(side.score) for side in snapshot.sides])
        return page

    return show


@pytest.fixture
def marker(page: Page) -> Iterator[Callable[..., Marker]]:
    """Somebody with a phone before a table without sensors, the PIN entered."""
    with ExitStack() as stack:

        def start(game: str = "bagatelle", more: str = "", *, pin: bool = True, **settings: Any) -> Marker:
            table = stack.enter_context(live(table_text(game, more), **settings))
            return Marker(page, table).open(pin=pin)

        yield start
