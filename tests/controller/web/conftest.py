from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from controller.web.server import ScoreServer
from tests.browser_kit import FLAGS, chromium, make_server


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
