"""A whole simulated game on the page: whatever the table sees, the room sees the same."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from controller.engine.snapshot import Snapshot
from controller.simulation.stage import Stage, simulated_table
from controller.web.server import ScoreServer
from hardware.signals import SECOND
from tests.browser_kit import address, written

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
        expect(page.locator(".score")).to_have_text([written(side.score) for side in shown.sides])
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


def forts_stand_as_the_rules_have_them(page: Page, shown: Snapshot) -> None:
    forts, unspotted = shown.position["forts"], shown.position["unspotted"]
    assert isinstance(forts, dict)
    assert isinstance(unspotted, dict)
    for name, state in forts.items():
        expect(page.locator(f'.fort[data-fort="{name}"]')).to_have_attribute("data-state", str(state))
    down, spots = shown.seen["down"], shown.seen["spots"]
    assert isinstance(down, list)
    assert isinstance(spots, list)
    for fort in forts:
        struck = fort in down or forts[fort] == "taken"
        expect(page.locator(f'.fort[data-fort="{fort}"].struck')).to_have_count(int(struck))
    expect(page.locator(".spot-of.there")).to_have_count(len(spots))
    expect(page.locator(".spot-of.owed")).to_have_count(len(set(unspotted) - set(spots)))


def squails_lie_where_the_camera_sees_them(page: Page, shown: Snapshot) -> None:
    statuses, seen = shown.position["squails"], shown.seen["squails"]
    assert isinstance(statuses, dict)
    assert isinstance(seen, dict)
    for squail, status in statuses.items():
        expect(page.locator(f'.whole [data-squail="{squail}"]')).to_have_attribute("data-status", str(status))
    for squail, place in seen.items():
        if statuses[squail] not in ("in_hand", "out"):
            assert isinstance(place, list)
            disc = page.locator(f'.whole [data-squail="{squail}"]')
            moved = disc.evaluate("one => { const { e, f } = new DOMMatrix(getComputedStyle(one).transform); return [e, -f]; }")
            assert moved == pytest.approx(place, abs=0.06)


def pieces_stand_at_the_scores(page: Page, shown: Snapshot) -> None:
    for place, side in enumerate(shown.sides):
        expect(page.locator(f".of-{place} .piece:not(.ghost, .goal)")).to_have_attribute("data-points", str(side.score))
    deal = shown.position["deal"]
    assert isinstance(deal, dict)
    crossed = deal["crossed"]
    assert isinstance(crossed, int)
    expect(page.locator(".worth-number")).to_have_text(str(4 + bool(deal["asked"]) + crossed))
    expect(page.locator(".packet.played")).to_have_count(int(str(deal["tricks"])))


@pytest.mark.parametrize(
    ("game", "same"),
    [
        ("fortification", forts_stand_as_the_rules_have_them),
        ("squails", squails_lie_where_the_camera_sees_them),
        ("maw", pieces_stand_at_the_scores),
    ],
)
def test_a_simulated_game_of_each_drawn_table_is_the_same_on_the_page(
    server: ScoreServer, page: Page, game: str, same: Callable[[Page, Snapshot], None]
) -> None:
    stage = Stage(simulated_table(game), seed=5, games=1, publishers=(server,))
    stage.open()
    page.emulate_media(reduced_motion="reduce")
    page.goto(address(server))
    looks = 0
    while not stage.done:
        stage.play_until(stage.now + 20 * SECOND)
        shown = stage.shown
        assert shown is not None
        looks += 1
        expect(page.locator("body")).to_have_attribute("data-phase", shown.phase)
        expect(page.locator(".score")).to_have_text([written(side.score) for side in shown.sides])
        same(page, shown)
    stage.close()
    assert looks > 5
    assert shown is not None
    assert shown.over is not None
    winner = next(side.name for side in shown.sides if side.id == shown.over.winner)
    expect(page.locator(".plate h3")).to_have_text(f"{winner} wins")
