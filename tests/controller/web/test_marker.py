"""The marker's console in a real browser, before a real engine."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import controller.web.commands
from controller.engine.requests import EnterEvent, Pause, StartGame
from controller.intake import Intake
from controller.web.server import ScoreServer
from tests.browser_kit import QUESTION, address, bagatelle
from tests.console_kit import CUP_SENSOR, PIN, STRUCK, Marker, in_play, live, pending, table_text, wait_until
from tests.table_kit import Bench

pytestmark = pytest.mark.browser

Serve = Callable[..., ScoreServer]
Open = Callable[..., Marker]


# Starting


def test_a_game_is_started_with_names_as_they_were_typed_and_house_rules(marker: Open) -> None:
    phone = marker()
    markup = '<b onclick=alert(1)>Ann</b> & "Co"'
    phone.start(markup, "Bob", target="60")
    assert [side.name for side in phone.table.state.sides] == [markup, "Bob"]
    assert phone.table.state.options["target"] == 60
    expect(phone.page.locator(".strip .name")).to_have_text([markup, "Bob"])
    expect(phone.page.locator(".strip h1")).to_have_text("Bagatelle · 60 up · 8 balls left")
    phone.tap("Ann", within=".offers", exact=False)
    assert phone.page.locator("b[onclick]").count() == 0


def test_every_house_rule_says_what_it_means(marker: Open) -> None:
    phone = marker("fortification")
    phone.tap("New game", within="main")
    ledger = phone.table.state.ledger
    assert ledger is not None
    for item, rule in zip(phone.sheet.locator(".rules li").all(), ledger.rules, strict=True):
        expect(item.locator("small")).to_have_text(rule.option.text)
    rules = phone.sheet.locator(".rules li", has=phone.page.locator("summary > span", has_text="Loss"))
    rules.locator("summary").click()
    rules.get_by_role("button", name="Credit adversary").click()
    phone.send("Start")
    assert phone.table.state.options["loss"] == "credit_adversary"
    assert [side.name for side in phone.table.state.sides] == ["English", "French"]


def test_as_many_names_as_the_house_rules_have_sides(marker: Open) -> None:
    phone = marker("squails")
    phone.tap("New game", within="main")
    expect(phone.sheet.locator(".names input")).to_have_count(2)
    players = phone.sheet.locator(".rules li", has=phone.page.locator("summary > span", has_text="Players"))
    players.locator("summary").click()
    players.locator("input").fill("3")
    expect(phone.sheet.locator(".names input")).to_have_count(3)
    phone.sheet.locator(".names input").nth(2).fill("Cleo")
    phone.send("Start")
    assert len(phone.table.state.sides) == 3
    assert phone.table.state.sides[2].name == "Cleo"


def test_a_new_game_in_the_midst_of_one_says_what_it_costs(marker: Open) -> None:
    phone = in_play(marker(), STRUCK)
    first = phone.table.state.game_id
    phone.tap("More")
    phone.tap("New game", within="dialog")
    expect(phone.sheet.locator(".warning")).to_have_text("A game is in play. It will be abandoned, without a result.")
    phone.send("Abandon it and start")
    assert phone.table.state.game_id != first


# Playing


def test_a_shot_is_two_taps_and_a_miss_is_one(marker: Open) -> None:
    phone = in_play(marker())
    phone.send("Missed the black")
    assert phone.table.state.position["balls_left"] == 7
    phone.shot("in cup 5", "in cup 9")
    assert pending(phone.table) == {"A": 23}
    expect(phone.page.locator(".strip .in-turn small")).to_have_text("+23")
    expect(phone.page.locator(".latest")).to_have_text("+23 Ann. The black in cup 9 counts double.")
    phone.shot("Back over the line", "Didn't move")
    phone.shot("Off the table", "Didn't move")
    assert phone.table.state.position["balls_left"] == 4
    assert pending(phone.table) == {"A": 23}


def test_a_ball_of_the_other_colour_and_a_cup_whose_ball_is_driven_out(marker: Open) -> None:
    phone = in_play(marker(), STRUCK)
    phone.tap("red 1")
    phone.shot("in cup 9, black", "On the board")
    assert phone.table.state.position["cups"] == {"9": "red-1"}


def test_what_can_not_be_is_not_offered(marker: Open) -> None:
    phone = in_play(marker(), STRUCK)
    black = phone.page.get_by_role("group", name="The black")
    expect(black.get_by_role("button", name="in cup 3")).to_have_attribute("aria-disabled", "true")
    expect(phone.page.get_by_role("group", name="The ball").get_by_role("button", name="in cup 3")).to_be_enabled()


def test_a_shot_in_full_has_any_number_of_moves(marker: Open) -> None:
    phone = in_play(marker(), STRUCK)
    phone.tap("A shot in full", exact=False)
    phone.sheet.get_by_role("group", name="Ball", exact=True).get_by_role("button", name="White 2").click()
    phone.sheet.get_by_role("group", name="Struck the black").get_by_role("button", name="Missed it").click()
    moves = phone.sheet.locator(".many")
    for ball, to in (("Black", "On the board"), ("White 2", "In cup 4"), ("Red 4", "In cup 1")):
        moves.get_by_role("button", name=ball, exact=True).click()
        moves.locator(".picker").get_by_role("button", name=to, exact=True).click()
    moves.get_by_role("button", name="Take out: red 4 in cup 1").click()
    expect(moves.locator(".facts li span")).to_have_text(["Black on the board", "White 2 in cup 4"])
    phone.send("Enter")
    assert phone.table.state.position["cups"] == {"4": "white-2"}


def test_an_event_that_is_refused_says_why_in_the_words_of_the_rules(marker: Open) -> None:
    phone = in_play(marker("squails"))
    phone.tap("Light strikes: say more")
    phone.table.ask(EnterEvent({"event": "strike", "player": "light-1", "squail": "light-s1"}))
    phone.tap("Enter")
    expect(phone.sheet.get_by_role("alert")).to_contain_text("SQU-")
    expect(phone.sheet).to_have_count(1)


def test_pause_and_going_on(marker: Open) -> None:
    phone = in_play(marker())
    phone.send("Pause")
    assert phone.table.state.phase == "paused"
    expect(phone.page.locator(".card h2")).to_have_text("Paused")
    expect(phone.page.locator(".shot")).to_have_count(0)
    phone.send("Go on", within="main")
    assert phone.table.state.phase == "playing"
    phone.table.ask(Pause())
    phone.settled()
    phone.send("Go on", within="nav")
    assert phone.table.state.phase == "playing"


def test_abandoning_alone_asks_whether_one_is_sure(marker: Open) -> None:
    phone = in_play(marker(), STRUCK)
    phone.tap("More")
    phone.tap("Abandon the game")
    phone.tap("Back")
    phone.tap("Close")
    assert phone.table.state.phase == "playing"
    phone.tap("More")
    phone.tap("Abandon the game")
    phone.send("Abandon it")
    assert phone.table.state.phase == "abandoned"
    expect(phone.page.locator(".card h2")).to_have_text("Game abandoned")
    expect(phone.button("Undo", exact=False)).to_have_attribute("aria-disabled", "true")


# Questions


def test_the_likely_answer_is_the_biggest_button_on_top(server: ScoreServer, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    server.offer(bagatelle(7, questions=(QUESTION,), provisional=True))
    page.goto(address(server, "/marker"))
    question = page.get_by_role("region", name="Open question")
    expect(question.locator("h2")).to_have_text("Which cup holds the black?")
    expect(question.get_by_role("button")).to_have_text(["Cup 9", "Cup 8", "None of them"])
    heights = [box["height"] for button in question.get_by_role("button").all() if (box := button.bounding_box())]
    assert heights[0] > 1.5 * heights[1] == 1.5 * heights[2]
    first = page.locator("main > *").first
    expect(first).to_have_class("question")


def test_a_question_of_the_sensors_is_answered(serve: Serve, page: Page) -> None:
    table = Bench()
    server = serve(intake=Intake(table.loop.submit), token=PIN)
    table.loop.publishers.append(server)
    table.open().start()
    table.play_ball(5, 9, strike=True)
    while table.shown.position["balls_left"] and not table.shown.questions:
        table.play_ball()
    table.wait(10)
    assert table.shown.questions
    page.add_init_script(f"sessionStorage.setItem('pin', '{PIN}')")
    page.goto(address(server, "/marker"))
    asked = page.get_by_role("region", name="Open question")
    asked.get_by_role("button", name="Cup 5").click()
    wait_until(lambda: (table.turn(), not table.shown.questions)[1])
    expect(asked).to_have_count(0)
    assert {side.score for side in table.shown.sides} == {0, 19}


def test_after_a_boot_the_console_asks_whether_to_go_on(page: Page) -> None:
    with live(table_text("bagatelle")) as before:
        before.ask(StartGame(("Ann", "Bob")))
        journal = before.journal
        with live(table_text("bagatelle"), journal=journal) as after:
            phone = Marker(page, after).open()
            expect(page.get_by_role("region", name="Open question").get_by_role("button")).to_have_text(
                ["Go on", "Give the game up"]
            )
            phone.send("Go on", within="main")
            assert after.state.phase == "playing"


# Sensors


def test_a_sensor_is_left_out_and_taken_back_in(marker: Open) -> None:
    phone = marker(more=CUP_SENSOR)
    phone.tap("More")
    phone.tap("Sensors")
    expect(phone.sheet.locator(".body")).to_contain_text("No sensor is ill.")
    phone.tap("Leave out five")
    expect(phone.sheet.locator(".ill")).to_contain_text("left out")
    assert phone.table.state.sensors[0].quarantined
    expect(phone.page.locator(".badge")).to_have_text("1 needs care")
    phone.tap("Take back in five")
    expect(phone.sheet.locator(".ill")).to_have_count(0)
    assert not phone.table.state.sensors[0].quarantined


# The link


def test_a_table_that_is_away_is_plain_to_see_and_taps_do_nothing(marker: Open) -> None:
    phone = in_play(marker())
    # A server whose word no longer arrives: the link is cut beneath the page.
    phone.table.server.stop()
    expect(phone.page.locator("body")).to_have_attribute("data-link", "dead", timeout=15_000)
    expect(phone.page.locator("#link")).to_contain_text("Not live since")
    expect(phone.page.locator("#link")).to_contain_text("Taps do nothing until then.")
    assert phone.page.locator("#page").evaluate("page => page.inert")


def test_a_command_that_nobody_answered_is_sent_again_and_counts_once(marker: Open) -> None:
    phone = in_play(marker())
    bodies: list[str] = []

    def lose_the_reply(route: Any) -> None:
        bodies.append(route.request.post_data)
        if len(bodies) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    phone.page.route("**/api/command", lose_the_reply)
    with phone.page.expect_response("**/api/command"):
        phone.send("Missed the black")
    assert len(bodies) == 2
    assert bodies[0] == bodies[1]
    assert json.loads(bodies[0])["id"]
    assert phone.table.state.moves == 1


def test_a_table_that_never_answers_is_said_plainly(marker: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(controller.web.commands, "REPLY_SECONDS", 0.05)
    phone = in_play(marker(intake=Intake(lambda _: None)))
    phone.tap("Missed the black")
    expect(phone.page.locator(".page > .alert")).to_contain_text("Look at the score before you try again.", timeout=15_000)


# Taps


def test_a_tap_is_answered_by_the_button_itself_within_a_tenth_of_a_second(marker: Open) -> None:
    phone = in_play(marker(intake=Intake(lambda _: None)))
    phone.page.evaluate(
        """() => {
            const button = document.querySelector(".shot > button");
            let tapped;
            button.addEventListener("click", () => { tapped = performance.now(); }, { capture: true });
            new MutationObserver(() => requestAnimationFrame(() => { window.answered = performance.now() - tapped; }))
                .observe(button, { attributes: true, attributeFilter: ["aria-busy"] });
        }"""
    )
    button = phone.page.locator(".shot > button")
    button.click()
    expect(button).to_have_attribute("aria-busy", "true")
    phone.page.wait_for_function("window.answered !== undefined")
    assert phone.page.evaluate("window.answered") < 100


def test_a_thumb_that_taps_twice_is_counted_once(marker: Open) -> None:
    phone = in_play(marker())
    phone.page.locator(".undo").focus()
    phone.page.evaluate(
        """() => {
            const at = document.querySelector(".shot > button").getBoundingClientRect();
            window.tapTwice = () => {
                const tap = () => document.elementFromPoint(at.x + 20, at.y + 20)
                    .dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1, clientX: at.x + 20, clientY: at.y + 20 }));
                tap();
                new MutationObserver((_, watch) => { watch.disconnect(); tap(); window.tapped = true; })
                    .observe(document.querySelector("main"), { childList: true });
            };
            window.tapTwice();
        }"""
    )
    wait_until(lambda: phone.table.state.moves == 1)
    phone.page.wait_for_function("window.tapped")
    phone.settled()
    phone.send("Pause")
    assert phone.table.state.moves == 1
