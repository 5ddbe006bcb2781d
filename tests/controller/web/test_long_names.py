"""The longest names that a table takes, without a place to break them: nothing is pushed out of its place by them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from controller.engine.requests import StartGame
from controller.engine.snapshot import SideView, Snapshot
from controller.rules.registry import GAME_NAMES
from tests.browser_kit import PHONE, TELEVISION
from tests.console_kit import Marker, live, table_text
from tests.looks_kit import states

pytestmark = pytest.mark.browser

Show = Callable[[Snapshot], Page]

WIDEST = "W" * 64
WORDS = "Kegelfreunde Obermenzing-Untermenzing und Umgebung, zweite Riege"
MIDDLE = "Bartholomew Fortescue 👨\u200d👩\u200d👧"
SCENES = {
    "bagatelle": ("playing", "over"),
    "fortification": ("rung", "over"),
    "squails": ("playing", "four", "over"),
    "maw": ("vied", "over"),
}
PLACES = """() => {
    const seen = (one) => {
        for (let p = one; p; p = p.parentElement) if (getComputedStyle(p).opacity === "0") return false;
        return true;
    };
    const told = [];
    const things = ".name, .score, .plate, .plate *, .who-plays, .near li, .note, .sums, .reasons";
    for (const one of document.querySelectorAll(things)) {
        if (!seen(one)) continue;
        const range = document.createRange();
        range.selectNodeContents(one);
        const box = one.getBoundingClientRect();
        const words = range.getBoundingClientRect();
        // What is cut off is seen no further than its own box.
        const cut = getComputedStyle(one).overflow === "hidden" || one.querySelector("span");
        const { left, right } = cut ? box : words;
        const { top, bottom } = box;
        if (right > left && bottom > top) told.push([one.getAttribute("class") ?? one.tagName, left, top, right, bottom]);
    }
    return told;
}"""


def inside(box: Box, width: int, height: int) -> bool:
    _, left, top, right, bottom = box
    return left >= -1 and top >= -1 and right <= width + 1 and bottom <= height + 1


def with_name(side: SideView, name: str) -> SideView:
    return replace(side, name=name)


Box = tuple[str, float, float, float, float]


def apart(one: Box, other: Box) -> bool:
    (_, left, top, right, bottom), (_, left2, top2, right2, bottom2) = one, other
    # A line keeps more free above and below its letters.
    return right <= left2 + 1 or right2 <= left + 1 or bottom <= top2 + 8 or bottom2 <= top + 8


@pytest.mark.parametrize("game", SCENES)
def test_on_the_scoreboard_all_stays_in_its_place(show: Show, page: Page, game: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    for width, height in (TELEVISION, PHONE):
        page.set_viewport_size({"width": width, "height": height})
        for names, scene in itertools.product(((WIDEST, MIDDLE), (MIDDLE, WORDS)), SCENES[game]):
            state = states(game)[scene]()
            show(replace(state, sides=tuple(map(with_name, state.sides, names))))
            boxes: list[Box] = [tuple(box) for box in page.evaluate(PLACES)]
            assert len(boxes) > 4
            for box in boxes:
                assert inside(box, width, height), (scene, names, box)
            for plate in (box for box in boxes if box[0].startswith("plate")):
                for box in boxes:
                    if box[0].split()[0] in ("score", "name", "note", "sums"):
                        assert apart(plate, box), (scene, names, plate, box)


@pytest.mark.parametrize("game", [game for game in GAME_NAMES if game != "bagatelle"])
def test_on_the_console_no_button_is_wider_than_the_phone(page: Page, game: str) -> None:
    with live(table_text(game)) as table:
        table.ask(StartGame(("Ann", WIDEST)))
        phone = Marker(page, table).open()
        page.set_viewport_size({"width": 320, "height": 568})
        expect(page.locator(".now button").first).to_be_visible()
        wide: list[str] = page.locator("button").evaluate_all(
            "all => all.filter(e => e.getBoundingClientRect().right > innerWidth || e.scrollWidth > e.clientWidth + 1)"
            ".map(e => e.textContent)"
        )
        assert wide == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        high: list[str] = page.locator(".now button").evaluate_all(
            "all => all.filter(e => e.getBoundingClientRect().height > 150).map(e => e.textContent)"
        )
        assert high == [], "words are not broken into letters"
        phone.tap("More")
        phone.tap("New game", within="dialog")
        expect(phone.sheet.locator(".names input").nth(1)).to_have_value(WIDEST)
