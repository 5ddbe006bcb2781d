"""The installer's view in a real browser, before a real engine whose inputs the test moves."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

import controller.web.sensors
from controller.engine.requests import Quarantine, Request, StartGame
from controller.resources import folder
from controller.web.server import ScoreServer
from hardware.outputs.output import SimOutput
from tests.browser_kit import address
from tests.console_kit import PIN, wait_until
from tests.controller.web.test_marker_looks import CONTRASTS, TARGETS
from tests.sensors_kit import BAGATELLE, BELLS, LAMP, LAPTOP, Bench, bench, chatter, open_page

STATIC = folder("static")
PHONE = (390, 844)
browser = pytest.mark.browser


@pytest.fixture
def table() -> Iterator[Bench]:
    with bench() as table:
        yield table


@pytest.fixture
def looker(page: Page, table: Bench) -> Page:
    page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
    return open_page(page, table)


CAMERA = """
[table]
id = "snug"
game = "squails"

[[sensor]]
name = "camera"
kind = "position"
role = "squails"
source = "sim"
diameter = 1200.0
squail = 50.8
target = 25.4
error = 1.0
"""


def row(page: Page, sensor: str) -> Any:
    return page.locator(f"[data-sensor={sensor}]")


def path_of(page: Page, sensor: str, name: str) -> str:
    return row(page, sensor).locator(f"path.{name}").get_attribute("d") or ""


# Rows


@browser
def test_a_press_lights_its_row_up_and_names_what_was_made_of_it_within_a_second(looker: Page, table: Bench) -> None:
    began = time.monotonic()
    table.set("sim:cup-3", on=True)
    expect(row(looker, "cup-3")).to_have_attribute("data-lit", "true", timeout=1000)
    expect(row(looker, "cup-3").locator(".made")).to_have_text("on: a ball lies in cup 3", timeout=1000)
    assert time.monotonic() - began < 1
    expect(looker.get_by_role("status").and_(looker.locator(".latest"))).to_have_text("cup-3: on: a ball lies in cup 3")
    expect(row(looker, "cup-3").locator(".level")).to_have_text("low")
    expect(row(looker, "cup-3").locator(".on")).to_have_text("on")
    # No other row is lit, and this one not for long.
    expect(looker.locator("[data-lit]")).to_have_count(1)
    expect(looker.locator("[data-lit]")).to_have_count(0)


@browser
def test_raw_edges_and_what_counts_are_drawn_with_settle_and_lockout(looker: Page, table: Bench) -> None:
    table.set("sim:undo", on=True)
    expect(row(looker, "undo").locator(".made")).to_contain_text("pressed")
    expect(row(looker, "undo").locator("rect.settle")).to_have_count(1)
    expect(row(looker, "undo").locator("rect.lockout")).to_have_count(1)
    assert path_of(looker, "undo", "raw").count("V") == 1
    assert path_of(looker, "undo", "state").count("V") == 1
    wide = looker.evaluate("[...document.querySelectorAll('[data-sensor=undo] rect')].map(one => one.getAttribute('width') * 10)")
    # A strip of a thousand is ten seconds: settle 20 ms, lockout 150 ms.
    assert [round(width) for width in wide] == [20, 150]


@browser
def test_a_pair_of_beams_is_drawn_in_two_lanes_and_told_with_its_direction(looker: Page, table: Bench) -> None:
    for end in ("near", "far"):
        table.set(f"sim:half-way/{end}", on=True)
        time.sleep(0.01)
        table.set(f"sim:half-way/{end}", on=False)
    made = row(looker, "half-way").locator(".made")
    expect(made).to_have_text("crossed, away from the player: a ball crosses the half-way line")
    assert path_of(looker, "half-way", "raw").count("M") == 2


@browser
def test_an_input_that_chatters_shows_its_fault_with_the_remedy(looker: Page, table: Bench) -> None:
    chatter(table, "sim:cup-3")
    expect(row(looker, "cup-3").locator(".fault")).to_contain_text("Look for a loose wire or a worn contact")
    expect(row(looker, "cup-3")).to_have_attribute("data-ill", "true")
    looker.get_by_role("button", name="Need care 1").click()
    expect(looker.locator(".row:visible")).to_have_count(1)


@browser
def test_what_was_never_moved_can_be_listed_alone(looker: Page, table: Bench) -> None:
    table.set("sim:cup-3", on=True)
    looker.get_by_role("button", name="Not yet moved 3").click()
    expect(looker.locator(".row:visible h2")).to_have_text(["centre", "half-way", "undo"])
    expect(row(looker, "undo").locator(".note")).to_contain_text("was never seen to move")
    looker.get_by_role("button", name="All 4").click()
    expect(looker.locator(".row:visible")).to_have_count(4)


@browser
def test_a_row_counts_what_it_shows_at_once_and_once(looker: Page, table: Bench) -> None:
    expect(row(looker, "cup-3").locator(".made")).to_have_text("nothing since this page was opened")
    for turn in range(1, 4):
        table.set("sim:cup-3", on=turn % 2 == 1)
        edges = "1 edge" if turn == 1 else f"{turn} edges"
        expect(row(looker, "cup-3").locator(".counts")).to_have_text(f"{edges}, {turn} counted")
    expect(row(looker, "cup-3").locator(".on")).to_have_text("on")


@browser
def test_a_line_of_places_is_told_by_its_names(page: Page) -> None:
    with bench(CAMERA) as table:
        open_page(page, table)
        table.sim.tell("sim:camera", '{"target":[0.4,-1.2],"light-s1":[220.5,31.0,1.4]}', time.monotonic_ns())
        table.sim.release()
        expect(row(page, "camera").locator(".level")).to_have_text("target, light-s1")


@browser
def test_a_sensor_that_is_left_out_says_so(looker: Page, table: Bench) -> None:
    table.loop.submit(Request(Quarantine("centre"), "test"))
    expect(row(looker, "centre").locator(".out")).to_be_visible()


@browser
def test_it_says_whether_what_is_moved_is_scored(looker: Page, table: Bench) -> None:
    expect(looker.locator(".warning")).to_have_text("No game is going on, so nothing you move now is scored.")
    table.loop.submit(Request(StartGame(), "test"))
    expect(looker.locator(".warning")).to_contain_text("A game is in play: what you move is scored.")


@browser
def test_a_page_opened_later_shows_what_was_before_it(page: Page, table: Bench) -> None:
    table.set("sim:cup-3", on=True)
    wait_until(lambda: len(table.panel.since(None)) == 2)
    open_page(page, table)
    assert path_of(page, "cup-3", "raw").count("V") == 1
    assert path_of(page, "cup-3", "state").count("V") == 1
    # It wasn't pressed now.
    expect(page.locator("[data-lit]")).to_have_count(0)


# Bells


@browser
def test_a_bell_is_drawn_with_its_envelope_and_threshold_and_the_verdict(page: Page) -> None:
    with bench(BELLS) as table:
        open_page(page, table)
        table.ring("sim:french-grand", 412, 300, echoes=("sim:english-grand",))
        expect(row(page, "french-grand").locator(".made")).to_contain_text(
            re.compile(r"ring: peak 4\d\d, of which \d+ % were left")
        )
        expect(row(page, "english-grand").locator(".made")).to_contain_text("coupled: peak 6")
        expect(row(page, "french-grand").locator(".labels")).to_have_text("ring")
        heights = [float(y) for y in re.findall(r"L[\d.]+ ([\d.]+)", path_of(page, "french-grand", "raw"))]
        # Loud at once (small is up), then it dies slowly away.
        assert len(heights) > 30
        assert heights[0] == min(heights) < 20
        assert heights == sorted(heights)
        assert re.fullmatch(r"M0 [\d.]+H1000", path_of(page, "french-grand", "threshold"))
        expect(row(page, "french-grand").locator("rect.judge")).to_have_count(1)
        expect(row(page, "french-grand").locator("path.keep.ring")).to_have_count(1)
        expect(row(page, "french-grand").locator(".level")).to_have_text("silent")


@browser
def test_a_knock_is_told_as_one(page: Page) -> None:
    with bench(BELLS) as table:
        open_page(page, table)
        table.ring("sim:french-grand", 600, 25)
        expect(row(page, "french-grand").locator(".made")).to_contain_text("knock: peak 600")


# Lamps


@browser
def test_a_lamp_is_tried_with_the_markers_pin(page: Page) -> None:
    with bench(BAGATELLE + LAMP) as table:
        open_page(page, table)
        page.get_by_role("button", name="Try lamp").click()
        page.locator("input.pin").fill("1")
        page.get_by_role("button", name="Go on").click()
        expect(page.get_by_role("alert")).to_have_text("That is not the marker's PIN.")
        page.locator("input.pin").fill(PIN)
        page.locator("input.pin").press("Enter")  # a second tap on one spot may be a wet thumb's
        expect(page.locator(".tried")).to_have_text("lamp was told to show itself.")
        assert table.lamps is not None
        (lamp,) = table.lamps._outputs.values()
        assert isinstance(lamp, SimOutput)
        wait_until(lambda: lamp.told == [True, False] * 3)
        # The PIN is kept for the next one.
        page.get_by_role("button", name="Try lamp").click()
        wait_until(lambda: len(lamp.told) > 6)


# Eyes, thumbs, keys


@browser
@pytest.mark.parametrize("size", [PHONE, (320, 568), LAPTOP], ids=str)
def test_nothing_is_wider_than_the_screen_and_every_target_fit_for_a_thumb(looker: Page, size: tuple[int, int]) -> None:
    looker.set_viewport_size({"width": size[0], "height": size[1]})
    targets: list[tuple[str, dict[str, float]]] = looker.evaluate(TARGETS)
    assert len(targets) == 3
    assert all(name and box["height"] >= 43 and box["width"] >= 43 for name, box in targets)
    assert looker.evaluate("document.documentElement.scrollWidth") <= size[0]


@browser
def test_words_stand_out_from_their_ground_lit_and_ill_too(looker: Page, table: Bench) -> None:
    looker.emulate_media(reduced_motion="reduce")
    chatter(table, "sim:cup-3")
    expect(row(looker, "cup-3").locator(".fault")).to_be_visible()
    expect(row(looker, "cup-3")).to_have_attribute("data-lit", "true")
    told: list[tuple[str, float]] = looker.evaluate(CONTRASTS)
    assert len(told) > 20
    assert [(words, ratio) for words, ratio in told if ratio < 4.5] == []


@browser
def test_strips_creep_only_for_those_who_like_it(looker: Page, table: Bench) -> None:
    table.set("sim:cup-3", on=True)
    expect(row(looker, "cup-3").locator(".made")).to_contain_text("on")
    looker.emulate_media(reduced_motion="reduce")
    looker.evaluate("""() => {
        window.drawn = 0;
        new MutationObserver(() => { window.drawn += 1; })
            .observe(document.querySelector('[data-sensor=cup-3] .raw'), { attributes: true });
    }""")
    wait_until(lambda: looker.evaluate("window.drawn") > 0)
    looker.evaluate("window.drawn = 0")
    looker.wait_for_timeout(1500)
    assert looker.evaluate("window.drawn") <= 2


@browser
def test_the_filters_are_worked_by_keys_and_say_which_is_chosen(looker: Page) -> None:
    looker.get_by_role("button", name="Need care 0").focus()
    looker.keyboard.press("Enter")
    expect(looker.get_by_role("button", name="Need care 0")).to_have_attribute("aria-pressed", "true")
    expect(looker.locator(".empty")).to_have_text("No input is like that.")
    for landmark in ("banner", "main", "navigation", "contentinfo"):
        expect(looker.get_by_role(landmark)).to_have_count(1)  # type: ignore[arg-type]


@browser
def test_nothing_is_asked_of_the_internet(page: Page, table: Bench) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_page(page, table)
    assert asked
    assert [url for url in asked if not url.startswith(address(table.server))] == []


@browser
def test_when_the_table_is_gone_the_page_says_so(page: Page) -> None:
    with bench() as table:
        open_page(page, table)
    expect(page.locator("body")).to_have_attribute("data-link", "dead", timeout=9000)
    expect(page.locator("#link")).to_contain_text("Not live since")


def test_every_text_of_the_view_is_in_the_catalogue_and_used() -> None:
    text = (STATIC / "texts.js").read_text(encoding="utf-8")
    block = text[text.index("    installer: {") : text.index("\n    },", text.index("    installer: {"))]
    scripts = "\n".join(path.read_text(encoding="utf-8") for path in (STATIC / "sensors").glob("*.js"))
    used = set(re.findall(r'["`]installer\.(\w+)', scripts))
    assert used == set(re.findall(r"^      (\w+):", block, re.MULTILINE))


# The stream


def messages(server: ScoreServer, **headers: str) -> Any:
    return httpx.stream("GET", address(server, "/api/sensors"), headers=headers, timeout=10)


def kinds(lines: Iterator[str]) -> Iterator[tuple[str, Any]]:
    kind = ""
    for line in lines:
        if line.startswith("event: "):
            kind = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield kind, json.loads(line.removeprefix("data: "))


def test_the_stream_tells_the_inputs_then_what_moves_before_it_is_counted(table: Bench) -> None:
    with messages(table.server) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        told = kinds(answer.iter_lines())
        assert [next(told)[0] for _ in range(4)] == ["inputs", "alive", "trace", "health"]
        table.set("sim:cup-3", on=True)
        seen = next(value["seen"] for kind, value in told if kind == "trace" and "seen" in value)
        assert seen[0][2:] == ["cup-3", "level", True, False]


def test_of_health_only_what_has_changed_is_told_again(table: Bench) -> None:
    with messages(table.server) as answer:
        told = (value for kind, value in kinds(answer.iter_lines()) if kind == "health")
        assert len(next(told)["sensors"]) == 4
        table.set("sim:cup-3", on=True)
        (changed,) = next(told)["sensors"]
        assert (changed["sensor"], changed["edges"]) == ("cup-3", 1)


def test_more_viewers_than_there_is_room_for_are_turned_away_until_one_leaves(table: Bench) -> None:
    assert controller.web.sensors.MOST_LOOKERS == 8
    with ExitStack() as stack:
        looking = [stack.enter_context(messages(table.server)).iter_lines() for _ in range(8)]
        assert all(next(one) for one in looking)
        with messages(table.server) as refused:
            assert refused.status_code == 503
            assert json.loads(refused.read())["error"] == "8 pages look at the sensors already; close some and try again"

    def let_in() -> bool:
        with messages(table.server) as answer:
            return bool(answer.status_code == 200)

    wait_until(let_in)


def test_another_sites_page_and_a_strangers_name_are_turned_away(table: Bench) -> None:
    with messages(table.server, origin="http://evil.example") as answer:
        assert answer.status_code == 403
    with messages(table.server, host="evil.example") as answer:
        assert answer.status_code == 421
    with messages(table.server, origin=address(table.server, "")) as answer:
        assert answer.status_code == 200


def test_a_server_without_inputs_has_no_such_page(server: ScoreServer) -> None:
    assert httpx.get(address(server, "/sensors")).status_code == 404


def test_the_table_stops_while_somebody_looks() -> None:
    with bench(BAGATELLE) as table, messages(table.server) as answer:
        next(answer.iter_lines())
        began = time.monotonic()
        table.server.stop()
        assert time.monotonic() - began < 4
