"""How the scoreboard looks: sizes, contrast, motion, and that all of it fits."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from controller.engine.snapshot import SideView, Snapshot
from controller.web.server import ScoreServer
from tests import scoreboard_kit
from tests.browser_kit import LONG_WHY, PHONE, TELEVISION, award, bagatelle, correction, scenes, turn
from tests.scoreboard_kit import scene

pytestmark = pytest.mark.browser

Show = Callable[[Snapshot], Page]
SCENES = dict(scenes())
SIZES = pytest.mark.parametrize("size", [TELEVISION, PHONE, (1024, 768), (844, 390)], ids=str)


def motions(page: Page) -> list[float]:
    """The durations of all transitions and animations of the page, in seconds."""
    lists: list[str] = page.locator("body *").evaluate_all(
        "all => all.flatMap(e => { const s = getComputedStyle(e); return [s.transitionDuration, s.animationDuration]; })"
    )
    return [float(duration.strip().removesuffix("s")) for durations in lists for duration in durations.split(",")]


def test_nothing_moves_for_longer_than_four_tenths_of_a_second(show: Show) -> None:
    longest = max(motions(show(bagatelle(1))))
    assert 0 < longest < 0.4


def test_nothing_moves_for_those_who_want_it_so(show: Show, page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    assert set(motions(show(bagatelle(1)))) == {0.0}


def test_a_bell_swings_as_briefly_and_not_at_all_for_those_who_want_it_so(show: Show, page: Page) -> None:
    show(scene("fortification", "playing"))
    show(scene("fortification", "rung"))
    page.wait_for_selector(".rings")
    assert 0 < max(motions(page)) < 0.4
    page.emulate_media(reduced_motion="reduce")
    assert set(motions(page)) == {0.0}


def test_the_digits_of_the_score_are_a_fifth_of_the_television_high(show: Show) -> None:
    page = show(bagatelle(1))
    height = page.locator(".score").first.evaluate(
        """score => {
            const pen = document.createElement("canvas").getContext("2d");
            const { fontWeight, fontSize, fontFamily } = getComputedStyle(score);
            pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
            return pen.measureText("8").actualBoundingBoxAscent;
        }"""
    )
    assert height >= TELEVISION[1] / 5


def test_a_score_keeps_its_place_as_it_grows(show: Show) -> None:
    page = show(bagatelle(1, sides=(SideView("A", "Ann", 9, 8), SideView("B", "Bob", 99))))
    places = [page.locator(selector).bounding_box() for selector in (".stake", ".side >> nth=1", ".bagatelle")]
    show(bagatelle(2, sides=(SideView("A", "Ann", 119, 8), SideView("B", "Bob", 104))))
    assert [page.locator(selector).bounding_box() for selector in (".stake", ".side >> nth=1", ".bagatelle")] == places


WRITTEN = """all => all.map(e => {
    const range = document.createRange();
    range.selectNodeContents(e);
    return [e.textContent, range.getBoundingClientRect().toJSON()];
})"""
"""Where the text itself lies: the box of what is too narrow for its text is no wider for it."""


@SIZES
@pytest.mark.parametrize("points", [(119, 104), (-10, 128)], ids=str)
def test_scores_of_three_digits_each_fit_beside_one_another(
    show: Show, page: Page, size: tuple[int, int], points: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    ann, bob = points
    show(bagatelle(1, sides=(SideView("A", "Ann", ann, 8), SideView("B", "Bob", bob))))
    (_, left), (_, right) = page.locator(".score").evaluate_all(WRITTEN)
    assert left["x"] >= 0
    assert left["x"] + left["width"] < right["x"]
    assert right["x"] + right["width"] <= size[0]


def luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


LIGHTEST_GROUND = "rgb(42, 29, 19)"
LIGHTEST_BAIZE = "rgb(42, 125, 89)"


def test_words_stand_out_from_their_ground(show: Show) -> None:
    page = show(SCENES["question"])
    words = ".score, .name, .game, .left, .stake span, .sums span, .sums em, .sentence, .rule, .earlier li, .mark"
    for colour in page.locator(words).evaluate_all("all => all.map(e => getComputedStyle(e).color)"):
        if luminance(colour) > 0.1:  # the name on its brass plate is dark
            assert contrast(colour, LIGHTEST_GROUND) >= 4.5, colour
    plate = page.locator(".in-turn .name").evaluate("e => [getComputedStyle(e).color, getComputedStyle(e).backgroundColor]")
    assert contrast(*plate) >= 4.5
    # On the cloth all words are large, for which three to one is enough.
    for colour in page.locator(".question p, .question small").evaluate_all("all => all.map(e => getComputedStyle(e).color)"):
        assert contrast(colour, LIGHTEST_BAIZE) >= 3


def inside(inner: dict[str, float], outer: dict[str, float]) -> bool:
    return (
        inner["x"] >= outer["x"] - 1
        and inner["y"] >= outer["y"] - 1
        and inner["x"] + inner["width"] <= outer["x"] + outer["width"] + 1
        and inner["y"] + inner["height"] <= outer["y"] + outer["height"] + 1
    )


BLOCKS = ".game, .name, .score, .turn, .hand, .stake, .place, .plate, .last, .correction, .earlier, .marks, .reasons li, .bed"


@SIZES
def test_all_of_it_fits_on_every_screen(show: Show, page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(reduced_motion="reduce")
    screen = {"x": 0.0, "y": 0.0, "width": float(size[0]), "height": float(size[1])}
    for name, state in SCENES.items():
        show(state)
        blocks: list[tuple[str, dict[str, float]]] = page.locator(BLOCKS).evaluate_all(
            "all => all.map(e => [e.getAttribute('class'), e.getBoundingClientRect().toJSON()])"
        )
        boxes = [(words, box) for words, box in blocks if box["width"] and box["height"]]
        assert len(boxes) > 8
        for words, box in [*boxes, *page.locator(".score").evaluate_all(WRITTEN)]:
            assert inside(box, screen), (name, words, box)
        placed = dict(boxes)
        if size[0] > size[1] and "plate" in placed:
            # Words lie on the player's half of the cloth.
            bed = placed["bed"]
            assert inside(placed["plate"], {**bed, "width": bed["width"] / 2}), (name, placed)


@SIZES
def test_a_long_correction_stays_within_its_place(show: Show, page: Page, server: ScoreServer, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    state = SCENES["many-earlier"]
    show(state)
    points = {"A": 113, "B": 119}, {"A": 87, "B": 104}
    server.offer(replace(state, revision=500), (correction(500, *points, LONG_WHY),))
    expect(page.locator(".correction .why")).to_have_text(LONG_WHY)
    screen = {"x": 0.0, "y": 0.0, "width": float(size[0]), "height": float(size[1])}
    placed: dict[str, dict[str, float]] = dict(page.locator(BLOCKS).evaluate_all(SHOWN))
    assert inside(placed["correction"], placed["last"])
    assert inside(placed["last"], screen)
    assert "earlier" not in placed or apart(placed["correction"], placed["earlier"])
    assert apart(placed["correction"], placed["marks"])


@SIZES
def test_earlier_awards_are_shown_whole_or_not_at_all(show: Show, page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    shown = {}
    many = SCENES["many-earlier"]
    wordy = replace(many, last=turn(48, award("B", 9, why=LONG_WHY), award("A", 8, "BAG-12", why=LONG_WHY[:40])))
    for name, state in {**SCENES, "wordy": wordy}.items():
        show(state)
        rows = page.locator(".earlier li").evaluate_all(WRITTEN)
        [box] = page.locator(".earlier").evaluate_all("all => all.map(e => e.getBoundingClientRect().toJSON())")
        visible = [(words, row) for words, row in rows if not apart(row, box)]
        for words, row in visible:
            assert inside(row, box), (name, words, row, box)
        shown[name] = len(visible)
    assert shown["playing"] > 0
    assert shown["many-earlier"] > 0


def apart(one: dict[str, float], other: dict[str, float]) -> bool:
    return (
        one["x"] + one["width"] <= other["x"] + 1
        or other["x"] + other["width"] <= one["x"] + 1
        or one["y"] + one["height"] <= other["y"] + 1
        or other["y"] + other["height"] <= one["y"] + 1
    )


SHOWN = """all => all
    .filter(e => { for (let p = e; p; p = p.parentElement) if (getComputedStyle(p).opacity === "0") return false; return true; })
    .map(e => [e.getAttribute("class") ?? e.tagName, e.getBoundingClientRect().toJSON()])
    .filter(([, box]) => box.width && box.height)"""


@pytest.mark.parametrize("size", [TELEVISION, PHONE, (1024, 768)], ids=str)
@pytest.mark.parametrize("game", scoreboard_kit.GAMES)
def test_every_word_and_thing_of_a_drawn_table_fits(show: Show, page: Page, game: str, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(reduced_motion="reduce")
    screen = {"x": 0.0, "y": 0.0, "width": float(size[0]), "height": float(size[1])}
    for name in scoreboard_kit.names(game):
        show(scene(game, name))
        things = page.locator(f"{BLOCKS}, .drawn text, .drawn svg, .near *, .flag, .disc, .seat").evaluate_all(SHOWN)
        assert len(things) > 20
        for words, box in things:
            assert inside(box, screen), (name, words, box)
        [plate] = page.locator(".plate").evaluate_all("all => all.map(e => e.getBoundingClientRect().toJSON())")
        if plate["height"]:
            others: list[tuple[str, dict[str, float]]] = page.locator(
                ".score, .game, .name, .drawn text, .near li, .last"
            ).evaluate_all(SHOWN)
            for words, box in others:
                assert apart(plate, box), (name, words, plate, box)


GROUNDS = {"fortification": "rgb(42, 125, 89)", "maw": "rgb(42, 106, 125)"}
"""The lightest of each cloth that words lie on."""


@pytest.mark.parametrize(("game", "name"), [("fortification", "pass"), ("maw", "vied")])
def test_words_on_the_cloth_stand_out(show: Show, game: str, name: str) -> None:
    page = show(scene(game, name))
    words = ".way-words, .group-words, .worth-words, .step-number, .livings-word"
    colours = page.locator(words).evaluate_all("all => all.map(e => getComputedStyle(e).fill)")
    assert colours
    for colour in colours:
        assert contrast(colour, GROUNDS[game]) >= 4.5, colour


def test_words_on_squails_stand_out_from_light_and_dark_wood(show: Show) -> None:
    page = show(scene("squails", "measured"))
    pairs = {"light": "rgb(239, 217, 168)", "dark": "rgb(91, 68, 54)"}
    for side, ground in pairs.items():
        colour = page.locator(f".glass .of-{side} .disc-gap").first.evaluate("e => getComputedStyle(e).fill")
        assert contrast(colour, ground) >= 4.5
    for colour in page.locator(".near b, .near em, .near h4, .round, .who-plays, .note").evaluate_all(
        "all => all.map(e => getComputedStyle(e).color)"
    ):
        assert contrast(colour, LIGHTEST_GROUND) >= 4.5, colour
