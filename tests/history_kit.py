"""A journal with finished games, and a table that goes on writing it behind the pages of the history."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from controller.engine.chronicle import finished
from controller.engine.journal import Journal
from controller.engine.requests import Correct, EnterEvent, ForgetPlayer, Reply, StartGame
from controller.historian import LAST, Historian
from controller.intake import Intake
from controller.rulebook import read_rules
from controller.simulation.stage import Stage, simulated_table
from controller.web.server import ScoreServer
from hardware.signals import SECOND
from tests.browser_kit import FLAGS, address, chromium, make_server
from tests.console_kit import PIN
from tests.table_kit import HEAD, Bench

NOW = datetime(2026, 11, 30, 22, 0, tzinfo=UTC)
BLACK = {"event": "shot", "ball": "white-1", "hit_black": True, "moves": [{"ball": "black", "to": "cup-9"}]}
SEVEN = {"event": "shot", "ball": "white-2", "hit_black": False, "moves": [{"ball": "white-2", "to": "cup-7"}]}
SIX = {**SEVEN, "moves": [{"ball": "white-2", "to": "cup-6"}]}
END = {"event": "end_turn"}


class Parlour:
    """A bagatelle table whose marker enters everything; `play` plays a game in which the first side wins."""

    def __init__(self, path: Path | str) -> None:
        self.journal = Journal(path)
        self.table = Bench(HEAD, self.journal)
        self.table.open()

    def enter(self, *events: dict[str, Any]) -> list[int]:
        for event in events:
            reply = self.table.ask(EnterEvent(event))
            assert reply.ok, reply.error
        return [happening.revision for happening in self.table.events()[-len(events) :]]

    def start(self, first: str, second: str, target: int = 20) -> str:
        self.table.ask(StartGame(sides=(first, second), options={"target": target}))
        return self.table.shown.game_id

    def play(self, first: str, second: str) -> str:
        """25 to 0; gives the game's number."""
        game = self.start(first, second)
        self.revisions = self.enter(BLACK, SEVEN, END, END)
        assert self.table.shown.phase == "over"
        return game.rpartition("-")[2]

    def correct(self, number: str, who: str, why: str = "The six, not the seven") -> Reply:
        return self.table.ask(Correct(self.revisions[1], replace=SIX, game=number, who=who, why=why))

    def remove(self, revision: int, number: str) -> Reply:
        return self.table.ask(Correct(revision, remove=True, game=number, why="It wasn't so"))

    def forget(self, name: str) -> Reply:
        return self.table.ask(ForgetPlayer(name))

    @property
    def path(self) -> Path:
        return Path(self.journal.path)


@contextmanager
def parlour(folder: Path) -> Iterator[Parlour]:
    """The table, until the block ends."""
    place = Parlour(folder / "table.sqlite3")
    yield place
    place.journal.close()


def simulated(path: Path, game: str, seed: int = 5, games: int = 1) -> None:
    """An evening of simulated players, kept in a journal of its own."""
    journal = Journal(path, synchronous="NORMAL")
    stage = Stage(simulated_table(game), seed, games=games, journal=journal)
    stage.open()
    stage.hurry_until(stage.now + 6 * 3600 * SECOND)
    assert stage.done
    journal.close()


@contextmanager
def told(journal: Path, game: str = "bagatelle", **settings: Any) -> Iterator[ScoreServer]:
    """A server of the history alone."""
    server = make_server(past=Historian(journal, lambda: NOW), rules={game: read_rules(game)}, **settings)
    server.start()
    yield server
    server.stop()


@contextmanager
def told_by(place: Parlour) -> Iterator[ScoreServer]:
    """A server of the history behind which the table takes commands."""
    submitted = Intake(lambda request: (place.table.loop.submit(request), place.table.turn())[0])
    with told(place.path, intake=submitted, token=PIN) as server:
        yield server


def open_list(page: Page, server: ScoreServer) -> Page:
    page.goto(address(server, "/history"))
    expect(page.locator("#page")).to_have_attribute("data-read", "true")
    return page


def open_game(page: Page, server: ScoreServer, number: str, step: int = 0) -> Page:
    page.goto(address(server, f"/history/{number}#{step}"))
    expect(page.locator("#page")).to_have_attribute("data-step", str(step))
    return page


def take_pictures(folder: Path) -> None:
    """The picture of the documentation."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - the other tools of this module need no browser

    with tempfile.TemporaryDirectory() as there:
        journal = Path(there) / "table.sqlite3"
        simulated(journal, "bagatelle", games=2)
        number = str(finished(journal, before=LAST, most=1)[0].number)
        with sync_playwright() as playwright, told(journal) as server:
            browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
            page = browser.new_page(viewport={"width": 1280, "height": 860}, locale="en-GB", reduced_motion="reduce")
            open_game(page, server, number, 48).screenshot(path=folder / "history.jpg", type="jpeg", quality=85)
            browser.close()
