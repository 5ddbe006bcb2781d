"""How the scoreboard looks: sizes, contrast, motion, and that all of it fits."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page, expect

from controller.engine.snapshot import SideView, Snapshot
from controller.web.server import ScoreServer
from tests import scoreboard_kit
from tests.browser_kit import LONG_WHY, PHONE, TELEVISION, award, bagatelle, correction, scenes, turn
from tests.looks_kit import Eye
from tests.scoreboard_kit import scene

pytestmark = pytest.mark.browser

Show = Callable[[Snapshot], Page]


@pytest.fixture(scope="module")
def eye(browser: Browser) -> Eye:
    return Eye(browser)


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


TYPEFACES = ["sans-serif", "serif", "monospace"]
"""Of whatever the machine has for each: they differ in all that decides how large digits of a size are."""


@pytest.mark.parametrize("typeface", TYPEFACES)
def test_the_digits_of_the_score_are_a_fifth_of_the_television_high_and_touch_nothing(
    show: Show, eye: Eye, typeface: str
) -> None:
    page = show(bagatelle(1))
    page.locator(".score").evaluate_all("(all, family) => all.forEach(one => { one.style.fontFamily = family; })", typeface)
    names, head = page.locator(".who").first.bounding_box(), page.locator(".head").bounding_box()
    assert names is not None
    assert head is not None
    under = names["y"] + names["height"]
    digits = {"x": head["x"], "y": under, "width": 130.0, "height": TELEVISION[1] / 3 - under}
    rows = eye.written(page.screenshot(clip=digits))  # type: ignore[arg-type]
    inked = [row for row, light in enumerate(rows) if light > 0.7]
    assert inked[-1] - inked[0] >= TELEVISION[1] / 5 - 1
    assert inked[0] >= 8, "the digits touch the plate of the side in turn"
    assert under + inked[-1] <= head["y"] + head["height"], "the digits touch the table"


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
@pytest.mark.parametrize("points", [(119, 104), (-10, 128), (1048, -1102), (12048, 10000)], ids=str)
def test_scores_of_any_length_fit_beside_one_another(
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


INKS = """all => all.map(e => {
    const { color, webkitTextStrokeColor: stroke, webkitTextStrokeWidth: width, backgroundColor } = getComputedStyle(e);
    let opacity = 1, brightness = 1;
    for (let one = e; one; one = one.parentElement) {
        const style = getComputedStyle(one);
        opacity *= Number(style.opacity);
        brightness *= Number(/brightness\\(([\\d.]+)\\)/.exec(style.filter)?.[1] ?? 1);
    }
    return [e.className, parseFloat(width) ? stroke : color, backgroundColor, opacity, brightness];
})"""
"""What words are written with, the ground of their own that they have, and how all of it is faded and darkened."""


def blended(ink: str, ground: str, opacity: float, brightness: float) -> str:
    """A colour as it is seen over a ground."""
    pairs = zip(re.findall(r"[\d.]+", ink)[:3], re.findall(r"[\d.]+", ground)[:3], strict=True)
    return f"rgb({', '.join(str(round(brightness * (opacity * float(a) + (1 - opacity) * float(b)))) for a, b in pairs)})"


def contrasts(page: Page, words: str, ground: str) -> list[tuple[str, float]]:
    """How much each of these words stands out, on its own ground where it has one."""
    told = []
    for name, ink, own, opacity, brightness in page.locator(words).evaluate_all(INKS):
        below = ground if own == "rgba(0, 0, 0, 0)" else own
        seen = [blended(colour, LIGHTEST_GROUND, opacity, brightness) for colour in (ink, below)]
        told.append((name, contrast(*seen)))
    return told


MATTERS = (
    ".score, .name, .game, .left, .stake span, .stake .points, "
    ".sums span, .sums em, .sums b, .sentence, .rule, .mark, .mark small"
)


@pytest.mark.parametrize("dimmed", ["", "resting", "dead"])
def test_words_stand_out_from_their_ground(show: Show, dimmed: str) -> None:
    page = show(SCENES["question"])
    page.emulate_media(reduced_motion="reduce")
    page.evaluate("how => how === 'dead' ? (document.body.dataset.link = how) : how && document.body.classList.add(how)", dimmed)
    told = contrasts(page, MATTERS, LIGHTEST_GROUND)
    assert len(told) > 12
    assert [(name, ratio) for name, ratio in told if ratio < 4.5] == []
    # What is past, and on the cloth all words, are large, for which three to one is enough.
    large = contrasts(page, ".earlier li, .earlier small", LIGHTEST_GROUND)
    large += contrasts(page, ".question p, .question small, .question li", LIGHTEST_BAIZE)
    assert [(name, ratio) for name, ratio in large if ratio < 3] == []


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
