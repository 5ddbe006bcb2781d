"""What the console asks of eyes, thumbs and keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from controller.engine.requests import EnterEvent, StartGame
from controller.resources import folder
from controller.rules.registry import GAME_NAMES, find_game
from tests.console_kit import Marker, live, table_text, wait_until

pytestmark = pytest.mark.browser

STRUCK = {"event": "shot", "ball": "white-1", "hit_black": True, "moves": [{"ball": "black", "to": "cup-9"}]}
SENSOR = '[[sensor]]\nname = "five"\nkind = "switch"\nrole = "cup-5"\nsource = "sim"'
STATIC = folder("static")

CONTRASTS = """() => {
    const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const light = (colour) => {
        const [r, g, b] = parts(colour).map((one) => one / 255)
            .map((one) => (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (node) => {
        for (let one = node; one; one = one.parentElement) {
            const colour = getComputedStyle(one).backgroundColor;
            if ((parts(colour)[3] ?? 1) > 0) return colour;
        }
        return "rgb(0, 0, 0)";
    };
    const told = [];
    for (const node of document.querySelectorAll("dialog[open] *, body:not(:has(dialog[open])) *")) {
        const words = [...node.childNodes].filter((one) => one.nodeType === 3 && one.textContent.trim()).length;
        if (!words || !node.getClientRects().length || !node.offsetWidth || getComputedStyle(node).fontSize === "0px") continue;
        const [dark, bright] = [light(getComputedStyle(node).color), light(ground(node))].sort((a, b) => a - b);
        told.push([node.textContent, (bright + 0.05) / (dark + 0.05)]);
    }
    return told;
}"""

TARGETS = """() => [...document.querySelectorAll("dialog[open] :is(button, input, summary), body:not(:has(dialog[open])) button")]
    .filter((one) => one.getClientRects().length)
    .map((one) => [
        one.getAttribute("aria-label") || one.labels?.[0]?.textContent || one.textContent,
        one.getBoundingClientRect().toJSON(),
    ])"""


@pytest.fixture
def phone(page: Page) -> Iterator[Marker]:
    with live(table_text("bagatelle", SENSOR)) as table:
        table.ask(StartGame(("Ann", "Bartholomew Fortescue")))
        table.ask(EnterEvent(STRUCK))
        yield Marker(page, table).open()


def screens(phone: Marker) -> Iterator[str]:
    """Each screen of the console, one after another."""
    yield "now"
    phone.tap("List")
    yield "list"
    phone.page.locator(".list button").first.click()
    yield "event"
    phone.tap("Change it")
    expect(phone.sheet.locator(".shot")).to_have_count(1)
    yield "change"
    phone.sheet.get_by_role("group", name="The black").get_by_role("button", name="in cup 3").click()
    expect(phone.sheet.locator(".before-after")).to_have_count(1)
    yield "preview"
    phone.page.keyboard.press("Escape")
    phone.tap("Back")
    phone.tap("Close")
    phone.tap("A shot in full", exact=False)
    yield "composer"
    phone.tap("Close")
    phone.tap("More")
    yield "more"
    phone.tap("Sensors")
    yield "sensors"
    phone.tap("Back")
    phone.tap("New game", within="dialog")
    phone.sheet.locator("summary").first.click()
    yield "start"
    phone.tap("Back")
    phone.tap("Put the PIN away")
    phone.tap("Pause")
    yield "pin"


def test_words_stand_out_from_their_ground(phone: Marker) -> None:
    phone.page.emulate_media(reduced_motion="reduce")
    for screen in screens(phone):
        told: list[tuple[str, float]] = phone.page.evaluate(CONTRASTS)
        assert len(told) > 3, screen
        assert [(screen, words, ratio) for words, ratio in told if ratio < 4.5] == []


@pytest.mark.parametrize("size", [(390, 844), (320, 568)], ids=str)
def test_every_target_is_fit_for_a_thumb_and_nothing_is_wider_than_the_phone(phone: Marker, size: tuple[int, int]) -> None:
    phone.page.set_viewport_size({"width": size[0], "height": size[1]})
    for screen in screens(phone):
        targets: list[tuple[str, dict[str, float]]] = phone.page.evaluate(TARGETS)
        assert len(targets) >= 2, screen
        for name, box in targets:
            assert name, screen
            assert box["height"] >= 43, (screen, name, box)
            assert box["width"] >= 43, (screen, name, box)
            assert box["x"] >= 0, (screen, name, box)
            assert box["x"] + box["width"] <= size[0], (screen, name, box)
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= size[0], screen
        # The bar, or what ends a sheet, is always in reach of the thumb.
        last = phone.page.locator("dialog[open] footer, body:not(:has(dialog[open])) .bar").bounding_box()
        assert last is not None
        assert size[1] - 1 <= last["y"] + last["height"] <= size[1] + 1, screen


def test_nothing_moves_for_those_who_want_it_so(phone: Marker) -> None:
    phone.page.emulate_media(reduced_motion="reduce")
    phone.tap("More")
    moving: list[str] = phone.page.locator("body *").evaluate_all(
        "all => all.flatMap(e => { const s = getComputedStyle(e); return [s.transitionDuration, s.animationDuration]; })"
    )
    assert {part.strip() for durations in moving for part in durations.split(",")} == {"0s"}


def test_a_shot_by_keys_alone_keeps_its_place(phone: Marker) -> None:
    keys = phone.page.keyboard
    phone.page.get_by_role("group", name="The ball").get_by_role("button", name="in cup 5").focus()
    keys.press("Enter")
    phone.page.get_by_role("group", name="The black").get_by_role("button", name="Didn't move").focus()
    keys.press("Space")
    wait_until(lambda: phone.table.state.moves == 2)
    phone.settled()
    # Whoever works with keys isn't sent back to the top of the page.
    assert phone.page.evaluate("document.querySelector('main').contains(document.activeElement)")


def test_a_sheet_holds_the_keys_and_escape_leads_back(phone: Marker) -> None:
    phone.page.get_by_role("button", name="More").focus()
    phone.page.keyboard.press("Enter")
    expect(phone.sheet.get_by_role("heading", name="More")).to_be_focused()
    phone.tap("New game", within="dialog")
    expect(phone.sheet.get_by_role("heading", name="New game")).to_be_focused()
    phone.page.keyboard.press("Escape")
    expect(phone.sheet.get_by_role("heading", name="More")).to_be_visible()
    phone.page.keyboard.press("Escape")
    expect(phone.sheet).to_have_count(0)
    expect(phone.page.get_by_role("button", name="More")).to_be_focused()


def test_a_screen_reader_hears_the_points_and_whose_turn_it_is(phone: Marker) -> None:
    expect(phone.page.get_by_role("status").and_(phone.page.locator(".latest"))).to_contain_text("+18 Ann")
    expect(phone.page.locator(".strip [aria-current=true] .name")).to_have_text("Ann")
    expect(phone.page.get_by_role("heading", level=1)).to_contain_text("Bagatelle")
    for landmark in ("banner", "main", "navigation"):
        expect(phone.page.get_by_role(landmark)).to_have_count(1)  # type: ignore[arg-type]


NAMELESS = re.compile(r"^\s*- (button|link|textbox|checkbox|radio|slider)( \[[^\]]*\])?:?$", re.MULTILINE)
NAMES = "all => all.map(one => one.getAttribute('aria-label') || one.textContent)"


@pytest.mark.parametrize("game", GAME_NAMES)
def test_every_game_is_marked_by_keys_alone_and_read_aloud(page: Page, game: str) -> None:
    with live(table_text(game)) as table:
        table.ask(StartGame(("Ann", "Bob")))
        phone = Marker(page, table).open()
        spoken = page.locator("body").aria_snapshot()
        assert NAMELESS.findall(spoken) == [], spoken
        for landmark in ("banner", "main", "navigation"):
            expect(page.get_by_role(landmark)).to_have_count(1)  # type: ignore[arg-type]
        expect(page.get_by_role("heading", level=1)).to_contain_text(game.capitalize())
        expect(page.locator(".latest[role=status]")).to_have_count(1)
        expect(page.locator(".page > .alert[role=alert]")).to_have_count(1)
        # The keys go through all of it as it is read.
        buttons: list[str] = page.locator("main button, nav button").evaluate_all(NAMES)
        went = []
        for _ in buttons:
            page.keyboard.press("Tab")
            went += page.locator(":focus").evaluate_all(NAMES)
        assert went == buttons
        offer = page.locator("main button:not([aria-disabled]):not(.kind)").first
        offer.focus()
        before = table.state.revision
        page.keyboard.press("Enter")
        if offer.get_attribute("aria-haspopup") == "dialog":
            expect(phone.sheet.get_by_role("heading", level=2)).to_be_focused()
            assert NAMELESS.findall(phone.sheet.aria_snapshot()) == []
            page.keyboard.press("Escape")
            expect(offer).to_be_focused()
        else:
            wait_until(lambda: table.state.revision > before)
            phone.settled()
            assert page.evaluate("document.querySelector('main').contains(document.activeElement)")
        expect(page.locator(".page > .alert")).to_be_empty()


# Words


def catalogue() -> dict[str, Any]:
    """The console's part of the catalogue, read as the JSON that it nearly is."""
    text = (STATIC / "texts.js").read_text(encoding="utf-8")
    block = text[text.index("    marker: {") : text.index("\n    },", text.index("    marker: {"))]
    return {"keys": set(re.findall(r"^      (\w+):", block, re.MULTILINE)), "text": block}


def test_every_text_of_the_console_is_in_the_catalogue_and_used() -> None:
    scripts = "\n".join(path.read_text(encoding="utf-8") for path in (STATIC / "marker").glob("*.js"))
    used = set(re.findall(r'["`]marker\.(\w+)', scripts))
    assert used == catalogue()["keys"]


@pytest.mark.parametrize("game", GAME_NAMES)
def test_every_event_of_a_game_can_be_said(game: str) -> None:
    block = catalogue()["text"]
    said = set(re.findall(r"^        (\w+):", block[block.index("says: {") :], re.MULTILINE)) | {"shot", "stroke"}
    assert set(find_game(game).events) <= said
