"""A table that runs behind the console, and hands that tap on it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from controller.engine.engine import Engine
from controller.engine.journal import Journal
from controller.engine.loop import EngineLoop
from controller.engine.requests import Command, EnterEvent, Pause, Reply, Request, Resume, StartGame
from controller.engine.snapshot import Happening, Snapshot
from controller.fitting.detectors import build_panel
from controller.fitting.sources import build_sources
from controller.fitting.tables import fitted, rules_of, table_maker
from controller.intake import Intake
from controller.web.server import ScoreServer
from tests.browser_kit import FLAGS, PHONE, address, chromium, make_server
from tests.table_kit import Bench, table_of

PIN = "4711"
SOON = 10.0
NEWS = threading.Condition()
"""Told whenever something has come of a live table: a state, a reply."""
LOOK = 0.05
"""Seconds until a wait looks again by itself: what isn't a live table doesn't tell."""


def table_text(game: str, more: str = "") -> str:
    return f'[table]\nid = "test"\ngame = "{game}"\n{more}'


class LiveTable:
    """A whole table on the real clock with its web server; the newest state is in `shown`."""

    def __init__(self, text: str, journal: Journal | None = None, **settings: Any) -> None:
        table = table_of(text)
        self.shown: Snapshot | None = None
        self.sources = build_sources(table)
        self.journal = journal or Journal(":memory:")
        find, kept = self.journal.find_game, self.journal.kept()
        engine = Engine(fitted(table), rules_of(table), build_panel(table), table_maker(table), kept, find_past=find)
        self.loop = EngineLoop(
            engine, self.sources, self.journal, [], clock=time.monotonic_ns, wall=lambda: "2026-11-30T21:14:00+00:00"
        )
        self.server: ScoreServer = make_server(**{"intake": Intake(self.loop.submit), "token": PIN, "rules": {}, **settings})
        self.loop.publishers = [self, self.server]

    def offer(self, snapshot: Snapshot, happenings: tuple[Happening, ...]) -> None:  # noqa: ARG002 - a publisher's signature
        with NEWS:
            self.shown = snapshot
            NEWS.notify_all()

    @property
    def state(self) -> Snapshot:
        assert self.shown is not None
        return self.shown

    @property
    def score(self) -> dict[str, int]:
        return {side.id: side.score for side in self.state.sides}

    def ask(self, command: Command) -> Reply:
        """Ask something of the engine beside the console, and wait for the reply."""
        replies: list[Reply] = []

        def take(reply: Reply) -> None:
            with NEWS:
                replies.append(reply)
                NEWS.notify_all()

        self.loop.submit(Request(command, "test", take))
        wait_until(lambda: bool(replies))
        assert replies[0].ok, replies[0].error
        return replies[0]


def wait_until(condition: Any) -> None:
    deadline = time.monotonic() + SOON
    with NEWS:
        while not condition():
            assert time.monotonic() < deadline, "it never came"
            NEWS.wait(LOOK)


@contextmanager
def live(text: str, **settings: Any) -> Iterator[LiveTable]:
    """A table that runs until the block ends."""
    table = LiveTable(text, **settings)
    table.server.start()
    table.loop.open("boot", "test")
    table.loop.start()
    try:
        yield table
    finally:
        table.loop.stop()
        table.server.stop()


class Marker:
    """Somebody with a phone."""

    def __init__(self, page: Page, table: LiveTable) -> None:
        self.page = page
        self.table = table
        self._sent = False

    def open(self, *, pin: bool = True) -> Marker:
        self.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        if pin:
            # As after the PIN was entered once in this tab.
            self.page.add_init_script(f"sessionStorage.setItem('pin', '{PIN}')")
        self.page.goto(address(self.table.server, "/marker"))
        expect(self.page.locator("body")).to_have_attribute("data-link", "live")
        self.settled()
        return self

    def settled(self) -> None:
        """The page shows the newest state."""
        expect(self.page.locator("#page")).to_have_attribute("data-revision", str(self.table.state.revision))

    def button(self, name: str, *, within: str = "body", exact: bool = True) -> Locator:
        return self.page.locator(within).get_by_role("button", name=name, exact=exact)

    def tap(self, name: str, *, within: str = "body", exact: bool = True) -> None:
        if self._sent:
            # As fast as a hand: quicker taps on one spot are taken for one.
            self.page.wait_for_function("then => performance.now() - then > 300", arg=self.page.evaluate("performance.now()"))
            self._sent = False
        self.button(name, within=within, exact=exact).first.click()

    def send(self, name: str, *, within: str = "body", exact: bool = True) -> None:
        """Tap something that changes the game, and wait until it has."""
        before = self.table.state.revision
        self.tap(name, within=within, exact=exact)
        self._sent = True
        wait_until(lambda: self.table.state.revision > before)
        self.settled()

    @property
    def sheet(self) -> Locator:
        return self.page.locator("dialog.sheet[open]")

    def start(self, *names: str, **rules: str) -> None:
        self.tap("New game", within="main")
        for place, name in enumerate(names):
            self.sheet.locator(".names input").nth(place).fill(name)
        for rule, value in rules.items():
            item = self.sheet.locator(".rules li").filter(
                has=self.page.locator("summary > span", has_text=rule.replace("_", " ").capitalize())
            )
            item.locator("summary").click()
            item.locator("input").fill(value)
        self.send("Start")
        expect(self.sheet).to_have_count(0)

    def shot(self, ball: str, black: str) -> None:
        """Two taps: where the ball went, what the black did."""
        self.page.get_by_role("group", name="The ball").get_by_role("button", name=ball, exact=True).click()
        before = self.table.state.revision
        self.page.get_by_role("group", name="The black").get_by_role("button", name=black, exact=True).click()
        wait_until(lambda: self.table.state.revision > before)
        self.settled()


def asked() -> Snapshot:
    """A turn of bagatelle in which switches alone can't tell which cup the black fell into."""
    table = Bench().open()
    table.ask(StartGame(("Ann", "Bartholomew")))
    table.wait(0.5)
    for cups in ((8,), (4, 6), (5,)):
        table.play_ball(*cups, strike=True)
    table.press("end-of-turn")
    return table.shown


def take_pictures(folder: Path) -> None:
    """The pictures of the documentation."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - the tests bring a browser of their own

    shots: list[tuple[str, list[dict[str, str]], bool]] = [
        ("white-1", [{"ball": "black", "to": "cup-9"}, {"ball": "white-1", "to": "cup-4"}], True),
        ("red-1", [{"ball": "red-1", "to": "cup-8"}], False),
        ("white-2", [{"ball": "white-2", "to": "cup-5"}], False),
    ]
    with sync_playwright() as playwright, live(table_text("bagatelle")) as table:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_page(device_scale_factor=2, reduced_motion="reduce")
        table.ask(StartGame(("Ann", "Bartholomew")))
        for ball, moves, hit in shots:
            table.ask(EnterEvent({"event": "shot", "ball": ball, "hit_black": hit, "moves": [dict(move) for move in moves]}))
        phone = Marker(page, table).open()
        shown = table.state
        table.server.offer(replace(asked(), revision=shown.revision + 1))
        expect(page.locator(".question")).to_be_visible()
        expect(page.locator("#page")).to_have_attribute("data-revision", str(shown.revision + 1))
        page.screenshot(path=folder / "console.png")
        table.server.offer(replace(shown, revision=shown.revision + 2))
        expect(page.locator(".question")).to_have_count(0)
        page.reload()
        table.ask(Pause())
        table.ask(Resume())
        phone.tap("List")
        phone.page.locator(".list button").nth(1).click()
        phone.tap("Change it")
        phone.sheet.get_by_role("group", name="The ball").get_by_role("button", name="in cup 7").click()
        expect(page.locator(".before-after")).to_be_visible()
        page.screenshot(path=folder / "console-correction.png")
        browser.close()


MISS = {"event": "shot", "ball": "white-1", "hit_black": False, "moves": []}
STRUCK = {"event": "shot", "ball": "white-1", "hit_black": True, "moves": [{"ball": "black", "to": "cup-9"}]}
FIVE = {"event": "shot", "ball": "white-2", "hit_black": False, "moves": [{"ball": "white-2", "to": "cup-5"}]}
CUP_SENSOR = '[[sensor]]\nname = "five"\nkind = "switch"\nrole = "cup-5"\nsource = "sim"'


def in_play(marker: Marker, *events: Any) -> Marker:
    marker.table.ask(StartGame(("Ann", "Bob")))
    for event in events:
        marker.table.ask(EnterEvent(event))
    marker.settled()
    return marker


def pending(table: LiveTable) -> dict[str, int]:
    return {side.id: side.pending for side in table.state.sides if side.pending}
