"""A whole simulated game on the page: whatever the table sees, the room sees the same."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from controller.simulation.stage import Stage, simulated_table
from controller.web.server import ScoreServer
from hardware.signals import SECOND
from tests.browser_kit import address

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_simulated_game_is_the_same_on_the_page_as_at_the_table(server: ScoreServer, page: Page) -> None:
    stage = Stage(simulated_table("bagatelle"), seed=5, games=1, publishers=(server,))
    stage.open()
    page.goto(address(server))
    looks = 0
    while not stage.done:
        stage.play_until(stage.now + 40 * SECOND)
        shown = stage.shown
        assert shown is not None
        looks += 1
        expect(page.locator("body")).to_have_attribute("data-phase", shown.phase)
        expect(page.locator(".score")).to_have_text([str(side.score) for side in shown.sides])
        cups = shown.position["cups"]
        assert isinstance(cups, dict)
        expect(page.locator(".cup[data-ball]:not(.to-lift, [data-ball=ball])")).to_have_count(len(cups))
        for number, ball in cups.items():
            expect(page.locator(f'.cup[data-cup="{number}"]')).to_have_attribute("data-ball", str(ball).split("-")[0])
        for index, side in enumerate(shown.sides):
            hole = (side.score - 1) % 120 + 1 if side.score else 0
            expect(page.locator(".pegs").nth(index).locator(".front")).to_have_attribute("data-hole", str(hole))
    stage.close()
    assert looks > 10
    assert shown is not None
    assert shown.over is not None
    winner = next((side.name for side in shown.sides if side.id == shown.over.winner), None)
    expect(page.locator(".plate h3")).to_have_text("A draw" if winner is None else f"{winner} wins")
