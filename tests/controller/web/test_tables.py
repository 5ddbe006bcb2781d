"""The drawn tables of fortification, squails and maw in a real browser, with states from a real engine."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import Locator, Page, expect

from controller.engine.snapshot import SideView, Snapshot
from tests.browser_kit import bagatelle
from tests.scoreboard_kit import (
    ANN_BOB,
    COLOURS_DOWN,
    LAYOUT,
    MEASURED,
    TAKES_A_FORT,
    UNDER_WAY,
    down,
    played,
    rings,
    scene,
    sees,
    spotted,
    strikes,
    stroke,
)

pytestmark = pytest.mark.browser

Show = Callable[[Snapshot], Page]


def has(name: str) -> re.Pattern[str]:
    return re.compile(rf"\b{name}\b")


def middle(thing: Locator) -> tuple[float, float]:
    box = thing.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def scale_of(thing: Locator) -> float:
    """How many pixels one unit of its drawing is."""
    return float(thing.evaluate("thing => thing.getScreenCTM().a"))


def away(one: tuple[float, float], other: tuple[float, float]) -> float:
    return float(((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5)


def test_a_game_without_a_drawing_has_the_list_of_its_points(show: Show) -> None:
    page = show(bagatelle(1, game="croquet"))
    expect(page.locator(".plain li")).to_have_count(4)
    expect(page.locator(".plain li").first).to_contain_text("A ball in cup 8.")


def test_each_game_gets_its_own_table_when_the_game_changes(show: Show) -> None:
    page = show(scene("fortification", "rung"))
    expect(page.locator(".fort")).to_have_count(10)
    show(scene("squails", "measured"))
    expect(page.locator(".fort")).to_have_count(0)
    expect(page.locator(".whole .disc")).to_have_count(16)
    show(scene("maw", "vied"))
    expect(page.locator(".lane")).to_have_count(2)
    show(bagatelle(90))
    expect(page.locator(".cup")).to_have_count(9)


# Fortification


def fort(page: Page, name: str) -> Locator:
    return page.locator(f'.fort[data-fort="{name}"]')


def test_a_fort_flies_its_colours_until_it_has_fallen(show: Show) -> None:
    page = show(scene("fortification", "playing"))
    expect(page.locator(".fort .flag")).to_have_count(10)
    expect(page.locator(".fort.struck")).to_have_count(2)
    expect(fort(page, "french-advanced-1")).to_have_attribute("data-state", "taken")
    expect(fort(page, "french-advanced-1").locator(".flag")).to_have_css("opacity", "0")
    expect(fort(page, "french-advanced-1").locator(".ruin")).to_have_css("opacity", "1")
    expect(fort(page, "french-grand").locator(".flag")).to_have_css("opacity", "1")
    expect(fort(page, "french-grand").locator(".ruin")).to_have_css("opacity", "0")


def test_a_bell_that_rings_swings_and_its_fort_asks_for_its_colours(show: Show) -> None:
    page = show(scene("fortification", "playing"))
    expect(page.locator(".rings")).to_have_count(0)
    show(replace(scene("fortification", "rung"), game_id="another"))
    # What a page finds in another game is not news.
    expect(page.locator(".rings")).to_have_count(0)
    before = replace(scene("fortification", "playing"), game_id="g")
    rung = replace(scene("fortification", "rung"), game_id="g")
    show(before)
    show(rung)
    expect(page.locator(".rings")).to_have_count(1)
    expect(fort(page, "french-advanced-2")).to_have_class(has("rings"))
    expect(fort(page, "french-advanced-2")).to_have_class(has("due"))
    expect(fort(page, "french-advanced-2").locator(".swing")).to_have_css("animation-name", "swing")
    expect(fort(page, "french-advanced-2").locator(".strike")).to_have_css("opacity", "1")
    expect(fort(page, "french-advanced-2").locator(".prisoner")).to_have_css("opacity", "1")


def test_a_bell_rings_for_a_table_that_hears_it_before_anything_is_scored(show: Show) -> None:
    quiet = replace(scene("fortification", "playing"), game_id="g")
    page = show(quiet)
    heard = sees("french-defence-1", "english-attack", down=COLOURS_DOWN, rang=["english-grand"])
    show(replace(quiet, seen=heard))
    expect(page.locator(".rings")).to_have_attribute("data-fort", "english-grand")


def test_without_sensors_a_bell_rings_with_the_stroke_that_was_entered(show: Show) -> None:
    page = show(replace(played("fortification", names=ANN_BOB, **UNDER_WAY), game_id="g"))
    show(replace(played("fortification", TAKES_A_FORT, names=ANN_BOB, **UNDER_WAY), game_id="g"))
    expect(page.locator(".rings")).to_have_attribute("data-fort", "french-advanced-2")


def test_the_way_through_the_pass_is_hollow_broken_or_solid(show: Show) -> None:
    page = show(scene("fortification", "pass"))
    expect(page.locator(".way").nth(1)).to_have_attribute("data-pass", "none")
    expect(page.locator(".way").nth(0)).to_have_attribute("data-pass", "made")
    expect(page.locator(".way-words")).to_have_text(["colours up", "not through"])
    dashes = page.locator(".way .arrow").evaluate_all("all => all.map(a => getComputedStyle(a).strokeDasharray)")
    assert dashes[0] != "none"
    assert dashes[1] == "none"
    show(scene("fortification", "rung"))
    expect(page.locator(".way-words")).to_have_text(["through", "through"])
    expect(page.locator(".pass .struck")).to_have_count(2)


def test_forts_that_may_be_attacked_now_are_marked(show: Show) -> None:
    page = show(scene("fortification", "playing"))
    expect(page.locator(".fort.open")).to_have_count(1)
    expect(fort(page, "french-advanced-2")).to_have_class(has("open"))
    forts = {"french-advanced-1": "taken", "french-advanced-2": "taken"}
    show(played("fortification", names=ANN_BOB, forts=forts, **{"pass": {"english": "regular"}}))
    open_now = page.locator(".fort.open").evaluate_all("all => all.map(one => one.dataset.fort)")
    assert sorted(open_now) == ["french-reserved-1", "french-reserved-2"]


def test_balls_that_are_owed_have_broken_rings_and_those_that_are_seen_stand(show: Show) -> None:
    page = show(scene("fortification", "owes"))
    expect(page.locator(".spot-of.owed")).to_have_attribute("data-ball", "english-defence-1")
    expect(page.locator(".spot-of.there")).to_have_count(0)
    show(scene("fortification", "playing"))
    expect(page.locator(".spot-of.there")).to_have_count(4)
    expect(page.locator(".spot-of.owed")).to_have_count(0)


def test_colours_that_lie_where_they_should_fly_are_asked_for(show: Show) -> None:
    page = show(scene("fortification", "arming"))
    expect(page.locator(".fort.hoist")).to_have_attribute("data-fort", "english-grand")
    expect(page.locator(".plate")).to_contain_text("Set up the table first")


def test_the_winners_colours_fly_over_the_pass(show: Show) -> None:
    page = show(scene("fortification", "rung"))
    expect(page.locator(".banner")).to_have_class("banner off")
    show(scene("fortification", "over"))
    expect(page.locator(".banner")).to_have_class("banner")
    expect(page.locator(".banner-flag:not(.off) .english")).to_have_count(1)
    expect(page.locator(".banner-flag:not(.off) .french")).to_have_count(0)
    for words in ("Ann wins", "21 to 12", "5 of Bob's forts have fallen."):
        expect(page.locator(".plate")).to_contain_text(words)


def test_of_many_answers_the_room_is_told_the_likely_one(show: Show) -> None:
    page = show(scene("fortification", "question"))
    expect(page.locator(".question li")).to_have_text(["english attack"])
    show(scene("fortification", "long-question"))
    expect(page.locator(".question li")).to_have_text(["No ball"])
    expect(page.locator(".notice")).to_have_count(0)


def test_two_reasons_are_told_one_below_the_other(show: Show) -> None:
    page = show(scene("fortification", "two-reasons"))
    expect(page.locator(".reasons li")).to_have_count(2)
    expect(page.locator(".sums")).to_contain_text("+6")


def test_forts_stand_in_two_lines_with_the_pass_between(show: Show, page: Page) -> None:
    show(scene("fortification", "rung"))
    gate = middle(page.locator(".gate"))
    for name, order in (("english", -1), ("french", 1)):
        distances = [
            order * (middle(fort(page, f"{name}-{kind}").locator(".pit"))[0] - gate[0])
            for kind in ("advanced-1", "reserved-1", "grand")
        ]
        assert distances == sorted(distances)
        assert distances[0] > 0
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".fortification .moving")).to_have_attribute("viewBox", has("358"))
    # Upright, who holds the phone stands at the English end.
    assert middle(fort(page, "english-grand"))[1] > middle(page.locator(".gate"))[1] > middle(fort(page, "french-grand"))[1]


# Squails


def test_the_glass_is_to_scale_and_marks_what_would_count(show: Show, page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    show(scene("squails", "playing"))
    glass = page.locator(".glass")
    target, scale = middle(glass.locator(".ivory")), scale_of(glass.locator(".ring"))
    assert float(glass.locator(".ring").get_attribute("r") or 0) == pytest.approx(76.2 + 12.7)
    for squail in ("light-s1", "light-s2", "dark-s1"):
        x, y = LAYOUT["squails"][squail]
        tx, ty = LAYOUT["target"]
        disc = glass.locator(f'[data-squail="{squail}"] .disc-body')
        expected = (target[0] + (x - tx) * scale, target[1] - (y - ty) * scale)
        assert away(middle(disc), expected) < 2
        assert disc.get_attribute("r") == "25.4"
    counting = glass.locator(".disc.counts").evaluate_all("all => all.map(one => one.dataset.squail)")
    assert sorted(counting) == ["light-s1", "light-s2"]
    expect(page.locator(".near li")).to_have_count(5)
    expect(page.locator(".near b")).to_have_text(["25 mm", "49 mm", "61 mm", "144 mm", "236 mm"])
    expect(page.locator(".near em")).to_have_text(["would count", "would count", "", "outside", "outside"])


def test_the_whole_table_shows_where_each_squail_lies(show: Show, page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    show(scene("squails", "playing"))
    whole = page.locator(".whole")
    scale, centre = scale_of(whole.locator(".whole-top")), middle(whole.locator(".whole-top"))
    for squail, (x, y) in LAYOUT["squails"].items():
        expected = (centre[0] + x * scale, centre[1] - y * scale)
        assert away(middle(whole.locator(f'[data-squail="{squail}"] .disc-body')), expected) < 2
    expect(whole.locator(".disc.unseen")).to_have_count(0)
    # What is in hand lies outside, before its owner's seat.
    for n in range(5, 9):
        assert away(middle(whole.locator(f'[data-squail="light-s{n}"] .disc-body')), centre) > 600 * scale


def test_a_table_with_four_sides_is_drawn_with_its_own_measures(show: Show) -> None:
    ground = {"width": 1500.0, "depth": 900.0, "round": False, "squail": 60.0, "target": 30.0}
    page = show(replace(scene("squails", "playing"), seen={**LAYOUT, "ground": ground}))
    top, line = page.locator("rect.whole-top"), page.locator("rect.line")
    assert (top.get_attribute("width"), top.get_attribute("height")) == ("1500", "900")
    assert float(line.get_attribute("width") or 0) == pytest.approx(1500 - 2 * 76.2)
    assert page.locator(".glass .disc-body").first.get_attribute("r") == "30"
    expect(page.locator(".near b").first).to_have_text("19 mm")


def test_a_camera_that_sees_nothing_says_nothing_of_places(show: Show) -> None:
    page = show(replace(scene("squails", "unseen"), seen={"squails": {}, "target": None}))
    expect(page.locator(".whole .disc.unseen")).to_have_count(7)


def test_a_round_that_was_measured_by_hand_has_its_distances_and_says_that_directions_are_unseen(show: Show) -> None:
    page = show(scene("squails", "measured"))
    expect(page.locator(".near em")).to_have_text(["counts", "counts", "", "outside", "outside"])
    expect(page.locator(".near .note")).to_have_text("Measured by hand: the directions aren't seen.")
    expect(page.locator(".glass .counts.disc")).to_have_count(2)
    expect(page.locator(".who-plays")).to_have_text("Ann begins the next round")
    glass, target = page.locator(".glass"), middle(page.locator(".glass .ivory"))
    scale = scale_of(glass.locator(".ring"))
    for squail in ("light-s1", "dark-s1"):
        gap = MEASURED["gaps_mm"][squail]
        assert away(middle(glass.locator(f'[data-squail="{squail}"] .disc-body')), target) == pytest.approx(
            (gap + 38.1) * scale, abs=2
        )


def test_the_distances_of_an_earlier_round_are_not_shown_for_a_blank_one(show: Show) -> None:
    two = ("light-1", "dark-1")
    events = [*strikes(16, *two), MEASURED, {"event": "new_round", "target_at": "centre"}, *strikes(16, *two)]
    page = show(played("squails", *events[:-1], names=ANN_BOB))
    expect(page.locator(".near li")).to_have_count(0)
    blank = {"event": "round_end", "gaps_mm": {f"{side}-s{n}": 200 + n for side in ("light", "dark") for n in range(1, 9)}}
    show(played("squails", *events, blank, names=ANN_BOB))
    expect(page.locator(".near b").first).to_have_text("201 mm")
    expect(page.locator(".near li.counts")).to_have_count(0)


def test_a_squail_that_was_touched_is_crossed_out_and_what_counts_is_left_to_the_captains(show: Show) -> None:
    page = show(scene("squails", "touched"))
    expect(page.locator('.glass [data-squail="light-s2"]')).to_have_attribute("data-status", "null")
    expect(page.locator('.glass [data-squail="light-s2"] .cross')).to_have_css("opacity", "1")
    expect(page.locator(".near em").nth(1)).to_have_text("null")
    expect(page.locator(".near li.counts")).to_have_count(0)


def test_squails_that_nothing_sees_lie_in_a_ring_of_their_own(show: Show) -> None:
    page = show(scene("squails", "unseen"))
    expect(page.locator(".whole .disc.unseen")).to_have_count(7)
    expect(page.locator(".near h4")).to_have_text("No distance has been measured yet.")


def test_the_seat_that_is_to_play_is_marked_and_the_turn_goes_with_the_sun(show: Show) -> None:
    page = show(scene("squails", "four"))
    expect(page.locator(".seat.to-play")).to_have_attribute("data-player", "light-2")
    expect(page.locator(".who-plays")).to_have_text("The lights 2 to play")
    seats = [middle(page.locator(f'.seat[data-player="{player}"]')) for player in ("light-1", "dark-1", "light-2", "dark-2")]
    assert seats[0][1] == max(y for _, y in seats)
    assert seats[1][0] == min(x for x, _ in seats)
    assert seats[3][0] == max(x for x, _ in seats)
    show(scene("squails", "five"))
    expect(page.locator(".seat")).to_have_count(5)
    expect(page.locator(".score")).to_have_text(["0", "2", "0", "0", "4"])
    expect(page.locator('.whole [data-squail="E-s1"] .disc-number')).to_have_text("E")


def test_light_and_dark_squails_differ_in_lightness_and_in_pattern(show: Show) -> None:
    page = show(scene("squails", "measured"))
    rings = page.locator(".glass .disc .disc-ring").evaluate_all("all => all.map(one => getComputedStyle(one).strokeDasharray)")
    assert len(set(rings)) == 2


# Maw


def piece(page: Page, side: int, name: str = "piece:not(.ghost, .goal)") -> Locator:
    return page.locator(f".of-{side} .{name}")


def test_the_set_is_a_race_with_its_livings_marked(show: Show, page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    show(scene("maw", "playing"))
    assert [piece(page, side).get_attribute("data-points") for side in (0, 1)] == ["14", "17"]
    assert [piece(page, side, "goal").get_attribute("data-points") for side in (0, 1)] == ["20", "23"]
    assert piece(page, 1, "ghost").get_attribute("data-points") == "13"
    expect(page.locator(".of-0 .cell.won")).to_have_count(14)
    expect(page.locator(".of-1 .cell.won")).to_have_count(17)
    expect(page.locator(".of-0 .cell")).to_have_count(26)
    expect(page.locator(".of-0 .cell.livings")).to_have_count(2)
    first, last = middle(page.locator(".of-0 .cell").nth(13)), middle(piece(page, 0).locator(".body"))
    assert away(first, last) < 3


def test_house_rules_move_the_finish_and_the_livings(show: Show) -> None:
    page = show(played("maw", {"event": "new_deal"}, names=ANN_BOB, rules={"out": 31, "livings": 3}))
    expect(page.locator(".of-0 .cell")).to_have_count(30)
    expect(page.locator(".of-0 .cell.livings")).to_have_count(3)
    expect(page.locator(".step-number.out")).to_have_text("31")


def test_a_game_is_worth_as_many_points_as_there_are_cards(show: Show) -> None:
    page = show(scene("maw", "playing"))
    expect(page.locator(".worth-number")).to_have_text("6")
    expect(page.locator(".group.game .card, .group.asked .card, .group.crossed .card")).to_have_count(6)
    expect(page.locator(".group.asked")).to_contain_text("asked by Ann")
    expect(page.locator(".packet.played")).to_have_count(1)
    expect(page.locator(".packet.led")).to_have_count(1)
    expect(page.locator(".tricks")).to_contain_text("Bob leads")
    expect(page.locator(".group.vied")).to_have_class(has("off"))
    show(scene("maw", "vied"))
    expect(page.locator(".group.vied")).not_to_have_class(has("off"))
    expect(page.locator(".group.vied .forward")).to_have_count(1)
    expect(page.locator(".group.vied")).to_contain_text("vied by Bobwaits for Ann")
    show(scene("maw", "start"))
    expect(page.locator(".group:not(.off) .slot")).to_have_count(2)
    expect(page.locator(".worth-number")).to_have_text("4")


def test_cards_that_readers_saw_lie_face_up(show: Show) -> None:
    page = show(scene("maw", "read"))
    expect(page.locator('.turned [data-card="9H"]')).to_contain_text("9♥")
    expect(page.locator('.trick [data-card="5H"]')).to_have_count(1)
    expect(page.locator(".packets")).to_have_class(has("off"))


def test_who_has_the_set_wears_a_crown(show: Show) -> None:
    page = show(scene("maw", "over"))
    expect(page.locator(".of-1 .crown")).to_have_css("opacity", "1")
    expect(page.locator(".of-0 .crown")).to_have_css("opacity", "0")
    expect(page.locator(".plate")).to_contain_text("Bob is out and has the set.")
    show(scene("maw", "set-lost"))
    expect(page.locator(".of-1")).to_have_class(has("has-set"))
    expect(page.locator(".plate")).to_contain_text("Whoever changes hands loses the set")


def test_the_winners_points_come_first_though_they_be_fewer(show: Show) -> None:
    page = show(scene("maw", "set-lost"))
    expect(page.locator(".plate h3")).to_have_text("Bob wins")
    expect(page.locator(".plate p").first).to_have_text("6 to 20")


def test_a_side_that_must_make_for_the_set_is_named(show: Show) -> None:
    expect(show(scene("maw", "livings")).locator(".worth-words.set")).to_have_text("Ann makes for the set")
    expect(show(scene("maw", "playing")).locator(".worth-words.set")).to_be_empty()


def test_points_just_won_glow(show: Show) -> None:
    page = show(replace(scene("maw", "vied"), game_id="g"))
    expect(page.locator(".cell.fresh")).to_have_count(0)
    show(replace(scene("maw", "won"), game_id="g"))
    expect(page.locator(".of-1 .cell.fresh")).to_have_count(6)


# All of them

NASTY = "<b>Ann</b><img src=x onerror=document.title=1>&amp;"


@pytest.mark.parametrize(("game", "name"), [("fortification", "over"), ("squails", "measured"), ("maw", "vied")])
def test_names_with_markup_are_shown_as_text_and_long_ones_engraved_smaller(show: Show, game: str, name: str) -> None:
    first, second = scene(game, name).sides
    sides = (SideView(first.id, NASTY, first.score), SideView(second.id, "Bartholomew Fortescue the Younger", second.score))
    page = show(replace(scene(game, name), sides=sides))
    assert page.locator("#stage img, #stage b b").count() == 0
    assert page.title().startswith(NASTY)
    for plate in page.locator(".nameplate").all():
        outer, inner = plate.locator("rect").bounding_box(), plate.locator("text").bounding_box()
        assert outer is not None
        assert inner is not None
        assert inner["width"] <= outer["width"]


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("fortification", "Ann: 4 of five forts stand, the pass: through."),
        ("squails", "round 3. Ann: 4 in hand, 2 within the gauge."),
        ("maw", "27 is out. Ann: 14. Bob: 17. This game is worth 6."),
    ],
)
def test_who_can_not_see_the_table_is_told_of_it(show: Show, game: str, words: str) -> None:
    expect(show(scene(game, "playing")).locator(".drawn")).to_have_attribute("aria-label", re.compile(re.escape(words)))


def test_a_whole_stroke_with_its_hands(show: Show) -> None:
    """Rung, lowered, put back: what is to be done leaves the table as it is done."""
    events = [stroke("english-attack", rings("french-advanced-2", "english-attack"))]
    page = show(replace(played("fortification", *events, names=ANN_BOB, **UNDER_WAY), game_id="g"))
    expect(page.locator(".due")).to_have_count(1)
    events.append(down("french-advanced-2"))
    show(replace(played("fortification", *events, names=ANN_BOB, **UNDER_WAY), game_id="g"))
    expect(page.locator(".due")).to_have_count(0)
    expect(page.locator(".owed")).to_have_count(1)
    events.append(spotted("english-attack"))
    show(replace(played("fortification", *events, names=ANN_BOB, **UNDER_WAY), game_id="g"))
    expect(page.locator(".owed")).to_have_count(0)
    expect(page.locator(".plate")).to_be_hidden()
