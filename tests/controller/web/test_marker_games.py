"""Whole games by the console alone, on tables without sensors."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from controller.engine.requests import StartGame
from tests.console_kit import Marker, live, table_text

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_whole_game_of_bagatelle(page: Page) -> None:
    with live(table_text("bagatelle")) as table:
        phone = Marker(page, table).open()
        phone.start("Ann", "Bob", target="30")
        while table.state.over is None:
            if table.state.turn == "A":
                phone.shot("in cup 8", "in cup 9")
                phone.send("Give up the rest of the turn", exact=False)
            else:
                while table.state.turn == "B" and table.state.over is None:
                    phone.send("Missed the black")
        assert table.score == {"A": 52, "B": 0}
        assert table.state.over.winner == "A"
        expect(page.locator(".card h2")).to_have_text("Ann wins")
        expect(page.locator(".card p")).to_have_text(["The game counts double."])
        phone.send("Undo", exact=False)
        assert table.state.over is None
        phone.send("Bring back", exact=False)
        assert table.state.phase == "over"
        expect(phone.button("New game", within="main")).to_be_visible()


def stroke(phone: Marker, *facts: tuple[str, ...]) -> None:
    side = "English" if phone.table.state.turn == "english" else "French"
    phone.tap(f"{side} stroke", within="main", exact=False)
    for steps in facts:
        for step in steps:
            phone.sheet.locator(".many .picker").get_by_role("button", name=step, exact=True).click()
    phone.send("Enter")


def test_a_whole_game_of_fortification(page: Page) -> None:
    attack = "English attacking ball"
    english = [
        [("Pass", "From its own side")],
        [("Bell rung", "French advanced fort 1", attack)],
        [("Bell rung", "French advanced fort 2", attack)],
    ]
    with live(table_text("fortification")) as table:
        phone = Marker(page, table).open()
        phone.start("Ann", "Bob", target="8")
        main = page.locator("main .offers")
        while table.state.over is None:
            due = (
                main.get_by_role("button")
                .filter(has_text="colours taken down by")
                .or_(main.get_by_role("button").filter(has_text="back on its spot"))
            )
            if due.count():
                phone.send(due.first.inner_text().split("\n")[0], within="main", exact=False)
            elif table.state.turn == "english":
                stroke(phone, *english.pop(0))
            else:
                stroke(phone)
        assert table.score == {"english": 8, "french": 0}
        expect(page.locator(".card h2")).to_have_text("Ann wins")
        phone.tap("List")
        expect(page.locator(".list li").last).to_contain_text("Ann: English attacking ball through the pass")
        expect(page.locator(".list")).to_contain_text("+4 Ann")


def test_a_round_of_squails_with_its_distances_on_the_number_pad(page: Page) -> None:
    with live(table_text("squails", "[rules]\nsquails_each = 1\ntarget = 1")) as table:
        phone = Marker(page, table).open()
        phone.start("Ann", "Bob")
        for side in ("Light", "Dark"):
            phone.send(f"{side} strikes", within="main", exact=False)
        phone.tap("The round was measured", exact=False)
        pad = phone.sheet.locator(".pad")
        for key in ("1", "2", "point", "7", "erase", "5", "Next"):
            pad.get_by_role("button", name=key, exact=True).click()
        page.keyboard.press("Tab")
        phone.sheet.locator(".rows button").nth(1).focus()
        page.keyboard.type("80")
        expect(phone.sheet.locator(".rows b")).to_have_text(["12.5", "80"])
        phone.send("Enter")
        ledger = table.state.ledger
        assert ledger is not None
        assert ledger.events()[-1].event == {"event": "round_end", "gaps_mm": {"light-s1": 12.5, "dark-s1": 80}}
        while table.state.over is None:
            for name in ("Light claims", "Dark allows it", "Dark claims", "Light allows it"):
                offer = phone.page.locator("main .offers").get_by_role("button", name=name, exact=False)
                if offer.count():
                    break
            phone.tap(name, within="main", exact=False)
            if phone.sheet.count():
                phone.send("1" if name == "Light claims" else "0", within="dialog")
            phone.settled()
        expect(page.locator(".card h2")).to_have_text("Ann wins")


def test_maw_is_entered_with_single_taps_and_cards_by_suit(page: Page) -> None:
    with live(table_text("maw")) as table:
        table.ask(StartGame(("Ann", "Bob")))
        phone = Marker(page, table).open()
        phone.tap("Turned up", within="main", exact=False)
        phone.sheet.get_by_role("group", name="Side").get_by_role("button", name="Bob").click()
        card = phone.sheet.get_by_role("group", name="Card")
        card.get_by_role("button", name="♥").click()
        before = table.state.moves
        card.get_by_role("button", name="10", exact=True).click()
        expect(phone.sheet).to_have_count(0)
        assert table.state.moves == before + 1
        phone.tap("List")
        expect(page.locator(".list li").first).to_contain_text("Bob turns up a card, 10♥")
        phone.tap("Close")
        phone.tap("Leads: say more")
        phone.sheet.get_by_role("button", name="♠").click()
        phone.sheet.get_by_role("button", name="A", exact=True).click()
        expect(phone.sheet.get_by_role("button", name="A♠")).to_have_attribute("aria-pressed", "true")
        phone.sheet.get_by_role("button", name="A♠").click()
        expect(phone.sheet.get_by_role("button", name="A♠")).to_have_count(0)
        phone.tap("Close")
        phone.send("Asks a card", within="main", exact=False)
        assert table.state.moves == before + 2
