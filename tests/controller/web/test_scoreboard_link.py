"""The scoreboard and its link to the service, in a real browser before a fake engine."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

import controller.web.server
import controller.web.stream
from controller.engine.snapshot import SideView, Snapshot
from controller.resources import folder
from controller.web.assets import Assets
from controller.web.server import ScoreServer
from tests.browser_kit import (
    address,
    bagatelle,
    following,
    next_score,
    scenes,
)

pytestmark = pytest.mark.browser

Serve = Callable[..., ScoreServer]
SCENES = dict(scenes())
SOON = 10_000
"""Milliseconds that anything may take which the page does by itself."""


Show = Callable[[Snapshot], Page]


def test_a_service_that_stops_is_not_live_within_seconds_and_comes_back_by_itself(serve: Serve, page: Page) -> None:
    server = serve()
    server.offer(bagatelle(1))
    page.goto(address(server))
    expect(page.locator("body")).to_have_attribute("data-link", "live")
    expect(page.locator("#link")).to_be_hidden()
    server.stop()
    expect(page.locator("#link")).to_have_text(re.compile(r"^Not live since \d\d:\d\d"), timeout=SOON)
    expect(page.locator("body")).to_have_attribute("data-link", "dead")
    expect(page.locator("#stage")).to_have_css("filter", re.compile(r"grayscale\(1\)"))
    expect(page.locator(".score").first).to_have_text("87")
    again = serve(server.port)
    again.offer(bagatelle(2, sides=(SideView("A", "Ann", 113), SideView("B", "Bob", 104))))
    expect(page.locator("body")).to_have_attribute("data-link", "live", timeout=SOON)
    expect(page.locator(".score").first).to_have_text("113")
    expect(page.locator("#link")).to_be_hidden()


def test_a_link_that_falls_silent_without_a_word_is_not_live(
    server: ScoreServer, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.offer(bagatelle(1))
    page.goto(address(server))
    expect(page.locator("body")).to_have_attribute("data-link", "live")
    # New connections are taken but say nothing either.
    monkeypatch.setattr(controller.web.stream, "as_event", lambda *_: ": nothing\n\n")
    monkeypatch.setattr(controller.web.stream, "ALIVE_SECONDS", 60)
    expect(page.locator("body")).to_have_attribute("data-link", "dead", timeout=SOON)


def test_a_page_that_finds_no_state_yet_waits_for_it(server: ScoreServer, page: Page) -> None:
    page.goto(address(server))
    expect(page.locator("#link")).to_have_text("Looking for the table…")
    server.offer(bagatelle(1))
    expect(page.locator("body")).to_have_attribute("data-link", "live")


def test_a_state_older_than_the_one_shown_is_dropped(show: Show, server: ScoreServer) -> None:
    page = show(bagatelle(10))
    page.evaluate(
        """() => {
            const score = document.querySelector(".score");
            window.shown = [score.textContent];
            new MutationObserver(() => window.shown.push(score.textContent)).observe(score, {childList: true, subtree: true});
        }"""
    )
    with following(server) as messages:
        for revision, points in ((9, 40), (11, 60)):
            server.offer(bagatelle(revision, sides=(SideView("A", "Ann", points), SideView("B", "Bob", 104))))
            next_score(messages, lambda score, wanted=revision: score["revision"] == wanted)  # type: ignore[misc]
    expect(page.locator(".score").first).to_have_text("60")
    assert page.evaluate("window.shown") == ["87", "60"]


def test_a_service_that_begins_anew_is_believed_even_with_lower_revisions(serve: Serve, page: Page) -> None:
    server = serve()
    server.offer(bagatelle(900))
    page.goto(address(server))
    expect(page.locator("body")).to_have_attribute("data-link", "live")
    server.stop()
    again = serve(server.port)
    again.offer(bagatelle(1, sides=(SideView("A", "Ann", 3), SideView("B", "Bob", 4))))
    expect(page.locator(".score").first).to_have_text("3", timeout=SOON)


def test_the_page_loads_itself_again_after_an_upgrade(
    serve: Serve, page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve()
    server.offer(bagatelle(1))
    page.goto(address(server))
    expect(page.locator("body")).to_have_attribute("data-link", "live")
    old = page.locator("meta[name=version]").get_attribute("content")
    server.stop()
    newer = tmp_path / "static"
    shutil.copytree(folder("static"), newer)
    (newer / "new.css").write_text("")
    monkeypatch.setattr(controller.web.server, "Assets", lambda: Assets(newer))
    again = serve(server.port)
    again.offer(bagatelle(2))
    expect(page.locator("meta[name=version]")).not_to_have_attribute("content", old or "", timeout=SOON)
    expect(page.locator("body")).to_have_attribute("data-link", "live")


def test_the_tabs_of_a_browser_share_one_connection(server: ScoreServer, context: BrowserContext) -> None:
    server.offer(bagatelle(1))
    for _ in range(4):
        tab = context.new_page()
        tab.goto(address(server))
        expect(tab.locator("body")).to_have_attribute("data-link", "live")
    assert server.viewers == 1


def test_a_browser_without_shared_workers_follows_too(server: ScoreServer, page: Page) -> None:
    page.add_init_script("delete window.SharedWorker")
    server.offer(bagatelle(1))
    page.goto(address(server))
    expect(page.locator("body")).to_have_attribute("data-link", "live")
    server.offer(bagatelle(2, sides=(SideView("A", "Ann", 99), SideView("B", "Bob", 104))))
    expect(page.locator(".score").first).to_have_text("99")


def test_no_request_leaves_the_pages_own_server_and_nothing_is_refused_by_its_policy(show: Show, context: BrowserContext) -> None:
    asked: list[str] = []
    said: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    context.on("console", lambda message: said.append(message.text))
    page = show(bagatelle(1))
    for scene in ("question", "over", "arming"):
        show(SCENES[scene])
    origin = page.url.rstrip("/")
    assert len(asked) > 5
    assert [url for url in asked if not url.startswith(f"{origin}/")] == []
    assert said == []
