"""The scoreboard in a real browser, before a fake engine."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from controller.engine.snapshot import SideView, Snapshot
from controller.rules.awards import Notice, Over
from controller.web.server import ScoreServer
from tests.browser_kit import (
    BLACK_IN_9,
    PHONE,
    QUESTION,
    address,
    award,
    bagatelle,
    correction,
    position,
    scenes,
    seen,
    turn,
)

pytestmark = pytest.mark.browser

Serve = Callable[..., ScoreServer]
SCENES = dict(scenes())
SOON = 10_000
"""Milliseconds that anything may take which the page does by itself."""


Show = Callable[[Snapshot], Page]


def side(page: Page, name: str) -> Locator:
    return page.locator(f'.side[data-side="{name}"]')


def cup(page: Page, number: int) -> Locator:
    return page.locator(f'.cup[data-cup="{number}"]')


def pegs(page: Page, number: int) -> list[int]:
    """The holes of the front and the hinder peg of the first or second side, once they are there."""
    group = page.locator(".pegs").nth(number)
    return [int(group.locator(f".{which}").get_attribute("data-hole") or -1) for which in ("front", "back")]


def test_one_look_tells_who_leads_whose_turn_it_is_and_what_just_happened(show: Show) -> None:
    page = show(bagatelle(1))
    expect(page).to_have_title("Ann: 87 · Bob: 104")
    expect(page.locator("h1")).to_have_text("Bagatelle 120 up")
    expect(side(page, "A").locator(".name")).to_have_text("Ann")
    expect(side(page, "B").locator(".name")).to_have_text("Bob")
    expect(side(page, "A")).to_have_class("side in-turn")
    expect(side(page, "B")).to_have_class("side")
    expect(page.locator(".stake .points")).to_have_text("+26")
    expect(page.locator(".stake")).to_contain_text("at stake this turn")
    expect(page.locator(".balls .ball")).to_have_count(5)
    expect(page.locator(".balls .gone")).to_have_count(3)
    expect(page.locator(".left")).to_have_text("5 balls left")
    expect(page.locator(".sums")).to_have_class("sums open")
    expect(page.locator(".reasons li")).to_have_text(["A ball in cup 8.BAG-11"])
    expect(page.locator(".earlier li")).to_have_text(["+18 Ann BAG-12", "+16 Bob BAG-11", "+22 Ann BAG-12 BAG-11"])
    expect(page.locator(".mark")).to_have_count(2)
    expect(page.locator(".mark:visible")).to_have_count(0)


def test_the_side_in_turn_is_marked_by_shape_too(show: Show) -> None:
    page = show(bagatelle(1))
    assert side(page, "A").locator(".name").evaluate("name => getComputedStyle(name).clipPath").startswith("polygon")
    assert side(page, "B").locator(".name").evaluate("name => getComputedStyle(name).clipPath") == "none"


def test_cups_light_as_they_fill_and_the_black_is_worth_twice(show: Show) -> None:
    page = show(bagatelle(1))
    expect(page.locator(".cup[data-ball]")).to_have_count(2)
    expect(cup(page, 9)).to_have_attribute("data-ball", "black")
    expect(cup(page, 9).locator(".twice")).to_have_css("opacity", "1")
    expect(cup(page, 8)).to_have_attribute("data-ball", "red")
    expect(cup(page, 8).locator(".twice")).to_have_css("opacity", "0")
    expect(page.locator(".cup.fresh")).to_have_count(0)
    cups = {"9": "black", "8": "red-1", "2": "white-4"}
    show(bagatelle(2, position=position(cups=cups, balls_left=4, black="cup-9", black_struck=True)))
    expect(cup(page, 2)).to_have_attribute("data-ball", "white")
    expect(page.locator(".cup.fresh")).to_have_count(1)
    show(bagatelle(3, position=position(cups={"9": "black"}, balls_left=3, black="cup-9", black_struck=True)))
    expect(page.locator(".cup[data-ball]")).to_have_count(1)
    expect(page.locator(".bagatelle")).to_have_attribute("aria-label", "The board: cup 9 holds a black ball.")


def test_the_cups_lie_as_on_the_board(show: Show) -> None:
    page = show(bagatelle(1))

    def middles() -> dict[int, tuple[float, float]]:
        boxes = {number: cup(page, number).locator(".pit").bounding_box() for number in range(1, 10)}
        return {n: (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for n, box in boxes.items() if box}

    lengthwise = middles()
    assert max(lengthwise, key=lambda n: lengthwise[n][0]) == 5
    assert min(lengthwise, key=lambda n: lengthwise[n][0]) == 1
    assert min(lengthwise, key=lambda n: lengthwise[n][1]) == 8
    assert max(lengthwise, key=lambda n: lengthwise[n][1]) == 7
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    expect(page.locator(".bagatelle .moving")).to_have_attribute("preserveAspectRatio", "xMidYMin")
    upright = middles()
    rows = sorted(upright, key=lambda n: (round(upright[n][1] / 8), upright[n][0]))
    assert rows == [5, 3, 2, 8, 9, 7, 4, 6, 1]


DRAWN = """things => things.map(thing => {
    const box = thing.getBBox(), lie = thing.getScreenCTM();
    const corner = (x, y) => { const p = new DOMPoint(x, y).matrixTransform(lie); return [p.x, p.y]; };
    return [...corner(box.x, box.y), ...corner(box.x + box.width, box.y + box.height)];
})"""
"""Where each thing is on the screen: left, top, right, bottom of its shape."""


def places(page: Page, selector: str, *, upright: bool) -> list[tuple[float, float]]:
    """Where things are drawn, as the rule book measures: (from the round end, right of the middle line), the bed 1 long."""
    ((left, top, right, bottom),) = page.locator(".bed").evaluate_all(DRAWN)
    middles = [((x + xx) / 2, (y + yy) / 2) for x, y, xx, yy in page.locator(selector).evaluate_all(DRAWN)]
    if upright:
        return [((y - top) / (bottom - top), (x - (left + right) / 2) / (bottom - top)) for x, y in middles]
    return [((right - x) / (right - left), (y - (top + bottom) / 2) / (right - left)) for x, y in middles]


@pytest.mark.parametrize("size", [(1920, 1080), PHONE], ids=["television", "phone"])
def test_the_board_is_drawn_to_the_scale_of_the_rule_book(show: Show, size: tuple[int, int]) -> None:
    page = show(bagatelle(1, position=position()))
    upright = size == PHONE
    page.set_viewport_size({"width": size[0], "height": size[1]})
    expect(page.locator(".bagatelle .moving")).to_have_attribute("preserveAspectRatio", "xMidYMin" if upright else "xMidYMid")

    def near(along: float, across: float) -> object:
        return pytest.approx((along, across), abs=0.002)

    assert places(page, '.cup[data-cup="9"] .pit', upright=upright) == [near(0.136, 0)]
    for eighth, number in enumerate((5, 2, 7, 6, 1, 4, 8, 3)):
        angle = eighth * math.pi / 4
        where = near(0.136 - 0.1 * math.cos(angle), 0.1 * math.sin(angle))
        assert places(page, f'.cup[data-cup="{number}"] .pit', upright=upright) == [where]
    for selector, along in ((".spot.a", 0.355), (".ball.black .body", 0.355), (".spot.b", 0.845), (".half-way", 0.5)):
        assert places(page, selector, upright=upright) == [near(along, 0)]
    ((left, top, right, bottom),) = page.locator(".bed").evaluate_all(DRAWN)
    length, width = sorted((right - left, bottom - top), reverse=True)
    assert width / length == pytest.approx(0.25, abs=0.02)


def test_each_rail_has_two_rows_of_twelve_groups_of_five_holes(show: Show) -> None:
    page = show(bagatelle(1))
    rows: dict[float, list[float]] = {}
    for along, across in places(page, ".hole", upright=False):
        rows.setdefault(round(across, 3), []).append(along)
    # Two more, by the player: where the pegs wait before the first point, in the row that goes up.
    assert sorted(map(len, rows.values())) == [60, 60, 61, 61]
    for row in rows.values():
        holes = sorted(row)[:60]
        gaps = [far - near for near, far in pairwise(holes)]
        wide = [place for place, gap in enumerate(gaps, 1) if gap > 1.3 * min(gaps)]
        assert wide == [*range(5, 60, 5)]


def test_the_black_stands_on_its_spot_until_it_is_struck(show: Show) -> None:
    page = show(bagatelle(1, position=position()))
    expect(page.locator(".ball.black")).not_to_have_class(re.compile("off"))
    show(bagatelle(2, position=position(black="board", black_struck=True)))
    expect(page.locator(".ball.black")).to_have_class(re.compile("off"))


def test_pegs_stand_at_the_total_and_at_the_total_before(show: Show) -> None:
    page = show(bagatelle(1))
    assert pegs(page, 0) == [87, 65]
    assert pegs(page, 1) == [104, 88]
    expect(page.locator(".peg.next:not(.off)")).to_have_count(1)
    assert page.locator(".peg.next").first.get_attribute("data-hole") == "113"


def test_pegs_at_the_start_at_the_corner_and_beyond_the_last_hole(show: Show) -> None:
    page = show(bagatelle(1, sides=(SideView("A", "Ann", 0), SideView("B", "Bob", 60)), last=None, earlier=()))
    assert [pegs(page, 0)[0], pegs(page, 1)[0]] == [0, 60]
    banked = turn(9, award("A", 9))
    show(bagatelle(2, sides=(SideView("A", "Ann", 9), SideView("B", "Bob", 61)), last=banked, earlier=()))
    assert pegs(page, 0) == [9, 0]
    assert pegs(page, 1) == [61, 60]
    show(bagatelle(3, sides=(SideView("A", "Ann", 128), SideView("B", "Bob", 120)), last=None, earlier=()))
    assert [pegs(page, 0)[0], pegs(page, 1)[0]] == [8, 120]


def test_several_awards_of_one_rule_are_told_in_the_rules_own_words(show: Show) -> None:
    page = show(SCENES["over"])
    rows = page.locator(".reasons li")
    expect(rows).to_have_text(
        ["The black in cup 9 counts double.BAG-12", "8 + 7 + 5Each ball in a cup scores the cup's number.BAG-11"]
    )
    expect(page.locator(".sums")).to_have_class("sums")
    expect(page.locator(".sums b")).to_have_text("+38")


@pytest.mark.parametrize(
    ("why", "words"),
    [
        ("B has won the game.", "Bob has won the game."),
        ("A ball in cup 8.", "A ball in cup 8."),
        ("Asked of A by B (M-13).", "Asked of Ann by Bob."),
        (
            "The bell rings (FORT-33) at A's fort (FORT-32a: six, with the fort).",
            "The bell rings at Ann's fort (six, with the fort).",
        ),
    ],
)
def test_a_reason_names_people_and_no_rules(show: Show, why: str, words: str) -> None:
    page = show(bagatelle(1, last=turn(48, award("B", 4, why=why))))
    expect(page.locator(".sentence")).to_have_text(words)


@pytest.mark.parametrize(
    ("scene", "words"),
    [
        ("idle", ["Ready for a game"]),
        ("arming", ["Clear the table first", "Lift the balls from cups 3 and 7."]),
        ("clearing", ["Collect the balls", "Bob plays next."]),
        ("paused", ["Paused", "Nothing scores until play goes on."]),
        ("over", ["Ann wins", "127 to 104", "When both have had their turns, the larger total wins."]),
        ("over-double", ["Bartholomew Fortescue wins", "131 to 58", "The game counts double."]),
        ("abandoned", ["Game abandoned", "It has no result."]),
        ("question", ["The marker is asked", "Which cup holds the black?", "cup 9", "none of them"]),
        ("notice", ["Take the ball off: it missed the black."]),
    ],
)
def test_every_phase_has_its_words(show: Show, scene: str, words: list[str]) -> None:
    page = show(SCENES[scene])
    for word in words:
        expect(page.locator(".plate")).to_contain_text(word)


def test_in_play_nothing_lies_on_the_cloth(show: Show) -> None:
    expect(show(bagatelle(1)).locator(".plate")).to_be_hidden()


def test_a_draw_has_no_winner(show: Show) -> None:
    page = show(replace(SCENES["over"], over=Over(None, draw=True, double=False, rule="B-02")))
    expect(page.locator(".plate h3")).to_have_text("A draw")
    expect(page.locator(".winner")).to_have_count(0)
    show(SCENES["over"])
    expect(page.locator(".winner .name")).to_have_text("Ann")


def test_a_result_that_hangs_on_a_question_is_provisional(show: Show) -> None:
    page = show(replace(SCENES["over"], provisional=True, questions=(QUESTION,)))
    expect(page.locator(".plate")).to_contain_text("Provisional until the question is answered.")
    expect(page.locator(".mark:visible")).to_have_text(["provisional a question waits"])


def test_reasons_for_which_there_is_no_room_are_counted_and_named(show: Show) -> None:
    page = show(SCENES["reasons"])
    expect(page.locator(".reasons .rule")).to_have_text(["BAG-12", "BAG-11"])
    expect(page.locator(".reasons .more")).to_have_text("and for 2 more reasons: BAG-16, BAG-13")


def test_what_is_provisional_without_a_question_says_so(show: Show) -> None:
    page = show(bagatelle(1, provisional=True))
    expect(page.locator(".mark:visible")).to_have_text(["provisional not all of it is known yet"])


def test_sentences_of_the_table_call_people_by_their_names_and_have_a_minus(show: Show) -> None:
    text = "A has 119, A's peg -1: a ball of A. A ball lies in A-1."
    page = show(bagatelle(1, notices=(Notice("BAG-15a", text),)))
    minus = "\N{MINUS SIGN}"
    expect(page.locator(".notice")).to_have_text(f"Ann has 119, Ann's peg {minus}1: a ball of Ann. A ball lies in A-1.")


def test_a_long_name_is_shown_whole_and_a_side_without_one_has_words(show: Show) -> None:
    page = show(SCENES["thousands"])
    name = side(page, "B").locator(".name")
    assert name.evaluate("e => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight")
    expect(name).to_have_attribute("title", "Bartholomew Fortescue the Younger")
    show(bagatelle(9, sides=(SideView("english", "english", -2), SideView("french", "french", 4)), turn="english"))
    expect(page.locator(".name")).to_have_text(["English", "French"])


def test_balls_to_be_lifted_are_marked_and_do_not_look_as_if_they_scored(show: Show) -> None:
    page = show(SCENES["arming"])
    expect(page.locator(".cup.to-lift")).to_have_count(2)
    expect(cup(page, 3)).to_have_class(re.compile("to-lift"))
    expect(page.locator(".cup.fresh")).to_have_count(0)
    show(bagatelle(9, seen=seen(c9="black", c8="red-1", c4="ball")))
    expect(page.locator(".cup.to-lift")).to_have_count(1)
    expect(cup(page, 4)).to_have_class(re.compile("to-lift"))


def test_a_question_marks_the_cups_that_it_is_about(show: Show) -> None:
    page = show(SCENES["question"])
    assert sorted(page.locator(".cup.asked").evaluate_all("cups => cups.map(cup => cup.dataset.cup)")) == ["8", "9"]
    expect(page.locator(".likely")).to_have_text("cup 9")
    expect(page.locator(".mark:visible")).to_have_text(["provisional a question waits", "not saved"])
    show(bagatelle(7))
    expect(page.locator(".cup.asked")).to_have_count(0)
    expect(page.locator(".plate")).to_be_hidden()


def test_a_correction_strikes_the_old_value_and_gives_the_reason(show: Show, server: ScoreServer) -> None:
    before = bagatelle(1, turn="B", unbanked=(), sides=(SideView("A", "Ann", 113), SideView("B", "Bob", 104)))
    page = show(before)
    server.offer(bagatelle(2), (correction(2, {"A": 113, "B": 104}, {"A": 87, "B": 104}, "the last ball was not in"),))
    expect(side(page, "A").locator(".score")).to_have_text("87")
    expect(side(page, "A").locator(".old")).to_have_text("113")
    expect(side(page, "A").locator(".old")).to_have_css("text-decoration-line", "line-through")
    expect(side(page, "B").locator(".corrected")).to_be_hidden()
    expect(page.locator(".correction")).to_have_text("CorrectedAnn 113 → 87the last ball was not in")
    # Play goes on: the correction has been seen.
    server.offer(bagatelle(3, last=turn(50, award("A", 5), banked=False)))
    expect(page.locator(".correction")).to_have_count(0)
    expect(side(page, "A").locator(".corrected")).to_be_hidden()


def test_a_correction_within_a_turn_strikes_what_was_at_stake(show: Show, server: ScoreServer) -> None:
    page = show(bagatelle(1))
    sides = (SideView("A", "Ann", 87, 18), SideView("B", "Bob", 104))
    server.offer(
        bagatelle(2, sides=sides, unbanked=(BLACK_IN_9,)), (correction(2, {"A": 87, "B": 104}, {"A": 87, "B": 104}, "undo"),)
    )
    expect(page.locator(".stake .points")).to_have_text("+18")
    expect(page.locator(".stake .old")).to_have_text("+26")


def test_a_correction_is_shown_for_a_while_only(server: ScoreServer, page: Page) -> None:
    page.clock.install()
    server.offer(bagatelle(1))
    page.goto(address(server))
    expect(page.locator("body")).to_have_attribute("data-link", "live")
    server.offer(bagatelle(2), (correction(2, {"A": 113, "B": 104}, {"A": 87, "B": 104}),))
    expect(page.locator(".correction")).to_have_count(1)
    page.clock.fast_forward(12_000)
    expect(page.locator(".correction")).to_have_count(0)


NASTY = "<b>Ann</b><img src=x onerror=document.title=1>&amp;"


def test_names_and_sentences_with_markup_are_shown_as_text(show: Show) -> None:
    page = show(
        bagatelle(
            1,
            sides=(SideView("A", NASTY, 1, 3), SideView("B", "</script><script>document.title=2</script>", 2)),
            last=turn(9, award("A", 3, NASTY, NASTY)),
            notices=(Notice(NASTY, NASTY),),
            questions=(replace(QUESTION, text=NASTY),),
        )
    )
    expect(side(page, "A").locator(".name")).to_have_text(NASTY)
    expect(page.locator(".nameplate-text").first).to_contain_text("<b>Ann")
    expect(page.locator(".sentence")).to_have_text(NASTY)
    expect(page.locator(".notice")).to_have_text(NASTY)
    expect(page.locator(".question p")).to_have_text(NASTY)
    assert page.locator("#stage img, #stage b b, #stage script").count() == 0
    assert page.title().startswith(NASTY)


def test_between_games_the_room_is_reminded_of_the_last_one_and_of_the_best_turn(show: Show) -> None:
    page = show(SCENES["over"])
    show(SCENES["idle"])
    expect(page.locator(".plate")).to_contain_text("Last game: Ann 127, Bob 104")
    expect(page.locator(".plate")).to_contain_text("Best turn of the evening: 38 by Ann")


def test_a_picture_that_stands_still_is_dimmed_and_moved(server: ScoreServer, page: Page) -> None:
    page.clock.install()
    server.offer(SCENES["idle"])
    page.goto(address(server))
    expect(page.locator("body")).to_have_attribute("data-link", "live")
    expect(page.locator("body")).not_to_have_class(re.compile("resting"))
    page.clock.run_for(4 * 60_000)
    expect(page.locator("body")).to_have_class(re.compile("resting"))
    first = page.locator("#stage").evaluate("stage => getComputedStyle(stage).transform")
    page.clock.run_for(60_000)
    assert page.locator("#stage").evaluate("stage => getComputedStyle(stage).transform") != first
    server.offer(bagatelle(50))
    expect(page.locator("body")).not_to_have_class(re.compile("resting"))
