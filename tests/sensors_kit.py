"""A table that runs on the real clock behind the installer's view, and hands that move its inputs."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from controller.announce.announcer import try_outputs
from controller.engine.engine import Engine
from controller.engine.journal import Journal
from controller.engine.loop import EngineLoop
from controller.engine.snapshot import Happening, Snapshot
from controller.fitting.detectors import build_detectors
from controller.fitting.outputs import build_lamps
from controller.fitting.sources import build_sources
from controller.fitting.tables import fitted, rules_of, table_maker
from controller.installer import Installer
from controller.intake import Intake
from hardware.detectors.bell import OPENING
from hardware.signals import MS
from hardware.sources.sim import SimSource
from hardware.watching import WatchedPanel
from tests.browser_kit import FLAGS, address, chromium, make_server
from tests.console_kit import PIN
from tests.table_kit import table_of

LAPTOP = (1280, 900)
BAGATELLE = """
[table]
id = "oak-room"
game = "bagatelle"

[[sensor]]
kind = "switch"
role = "cup-3"
source = "sim"

[[sensor]]
name = "centre"
kind = "switch"
role = "cup-9"
source = "sim"

[[sensor]]
kind = "beam"
role = "half-way"
source = ["sim", "sim"]

[[sensor]]
kind = "button"
role = "undo"
source = "sim"
"""
LAMP = '[[output]]\nname = "lamp"\nkind = "lamp"\nsource = "sim"\n'
BELLS = '[table]\nid = "snug"\ngame = "fortification"\n' + "".join(
    f'[[sensor]]\nkind = "bell"\nrole = "{role}"\nsource = "sim"\npull = "none"\nactive = "high"\n'
    for role in ("french-grand", "french-advanced-1", "english-grand")
)


class Bench:
    """The table: `set` moves a contact, `ring` strikes a bell."""

    def __init__(self, text: str, **settings: Any) -> None:
        table = table_of(text)
        self.table = table
        self.shown: Snapshot | None = None
        self.opened = 0
        (sim,) = build_sources(table)
        assert isinstance(sim, SimSource)
        self.sim = sim
        self.panel = WatchedPanel(build_detectors(table))
        journal = Journal(":memory:")
        engine = Engine(fitted(table), rules_of(table), self.panel, table_maker(table), journal.kept())
        self.loop = EngineLoop(engine, [sim], journal, [], clock=time.monotonic_ns, wall=lambda: "2026-11-30T21:14:00+00:00")
        inputs = Installer(table, self.panel, time.monotonic_ns)
        self.lamps = build_lamps(table, [sim], self.loop.report)
        submit = self.loop.submit if self.lamps is None else try_outputs(self.lamps, self.loop.submit)
        self.server = make_server(**{"intake": Intake(submit), "token": PIN, "rules": {}, "inputs": inputs, **settings})
        self.loop.publishers = [self, self.server]

    def offer(self, snapshot: Snapshot, happenings: tuple[Happening, ...]) -> None:  # noqa: ARG002 - a publisher's signature
        self.shown = snapshot

    def set(self, channel: str, *, on: bool) -> None:
        self.sim.set(channel, 0 if on else 1)

    def ring(self, channel: str, peak: int, tau: float, *, echoes: tuple[str, ...] = ()) -> None:
        """Strike a bell, once its source has been open for a while: its readings for four tenths of a second, as of a board."""
        while (began := time.monotonic_ns()) <= self.opened + OPENING:
            time.sleep(0.01)
        for ms in range(0, 420, 10):
            while (at := time.monotonic_ns()) < began + ms * MS:
                time.sleep(0.001)
            self.sim.tell(channel, round(peak * math.exp(-ms / tau)), at)
            for echo in echoes:
                self.sim.tell(echo, max(1, round(0.15 * peak * math.exp(-ms / tau))), at)
            self.sim.release()


@contextmanager
def bench(text: str = BAGATELLE, **settings: Any) -> Iterator[Bench]:
    """A table that runs until the block ends."""
    table = Bench(text, **settings)
    table.server.start()
    table.loop.open("boot", "test")
    table.loop.start()
    table.opened = time.monotonic_ns()
    if table.lamps is not None:
        table.lamps.start()
    try:
        yield table
    finally:
        if table.lamps is not None:
            table.lamps.stop()
        table.loop.stop()
        table.server.stop()


def open_page(page: Page, table: Bench) -> Page:
    page.goto(address(table.server, "/sensors"))
    expect(page.locator("body")).to_have_attribute("data-link", "live")
    expect(page.locator(".row .health").first).not_to_be_empty()
    return page


def chatter(table: Bench, channel: str, edges: int = 440) -> None:
    """A loose wire."""
    for place in range(edges):
        table.set(channel, on=place % 2 == 0)
        time.sleep(0.003)


def take_pictures(folder: Path) -> None:
    """The pictures of the documentation."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - the tests bring a browser of their own

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_page(viewport={"width": LAPTOP[0], "height": 760})
        with bench() as table:
            open_page(page, table)
            chatter(table, "sim:undo")
            for level in (True, False, True):
                table.set("sim:cup-3", on=level)
                time.sleep(1)
            for channel in ("sim:half-way/near", "sim:half-way/far"):
                table.set(channel, on=True)
                time.sleep(0.1)
                table.set(channel, on=False)
            table.set("sim:centre", on=True)
            expect(page.locator("[data-sensor=centre] .made")).to_contain_text("on")
            page.screenshot(path=folder / "installer.png")
        with bench(BELLS) as table:
            page.set_viewport_size({"width": LAPTOP[0], "height": 520})
            open_page(page, table)
            table.ring("sim:french-grand", 600, 25)
            time.sleep(3)
            table.ring("sim:french-grand", 412, 300, echoes=("sim:english-grand",))
            expect(page.locator("[data-sensor=french-grand] .made")).to_contain_text("ring")
            time.sleep(2)
            page.screenshot(path=folder / "installer-bells.png")
        browser.close()
