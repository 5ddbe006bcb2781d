"""Undo and corrections on the marker's console, in a real browser before a real engine."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from controller.engine.requests import Correct, EnterEvent, Undo
from tests.console_kit import FIVE, MISS, STRUCK, Marker, in_play, pending, wait_until

pytestmark = pytest.mark.browser

Open = Callable[..., Marker]


def test_undo_says_what_it_takes_back_and_what_it_brings_back(marker: Open) -> None:
    phone = in_play(marker(), STRUCK, FIVE)
    expect(phone.page.locator(".undo")).to_have_text("UndoWhite 2 in cup 5")
    phone.send("Undo", exact=False)
    assert pending(phone.table) == {"A": 18}
    expect(phone.page.locator(".undo")).to_have_text("Bring backWhite 2 in cup 5")
    phone.tap("List")
    expect(phone.page.locator(".list li")).to_have_count(2)
    expect(phone.page.locator(".list .taken_back small")).to_contain_text("taken back")
    phone.tap("Close")
    phone.send("Bring back", exact=False)
    assert pending(phone.table) == {"A": 23}


def test_an_earlier_event_is_changed_after_a_look_at_what_that_does(marker: Open) -> None:
    phone = in_play(marker(), STRUCK, FIVE)
    phone.tap("List")
    expect(phone.page.locator(".list li span")).to_have_text(["White 2 in cup 5", "White 1 struck the black; black in cup 9"])
    phone.page.locator(".list button").nth(1).click()
    expect(phone.sheet.locator(".award")).to_have_text("+18 Ann The black in cup 9 counts double. BAG-12")
    expect(phone.sheet.locator(".evidence")).to_have_text("What led to it: entered by the marker (21:14).")
    phone.tap("Change it")
    sheet = phone.sheet.get_by_role("group", name="The black")
    expect(sheet.get_by_role("button", name="in cup 9")).to_have_attribute("aria-pressed", "true")
    before = phone.table.state.revision
    sheet.get_by_role("button", name="in cup 8").click()
    expect(phone.sheet.locator(".before-after tr")).to_have_text(["Ann0", "at stake this turn+23+21", "Bob0"])
    assert phone.table.state.revision == before
    phone.sheet.locator("#why").fill("seen on the film")
    phone.send("Do it")
    assert pending(phone.table) == {"A": 21}
    phone.tap("List")
    expect(phone.page.locator(".list li")).to_have_count(3)
    phone.page.locator(".list button").nth(1).click()
    expect(phone.sheet.locator(".body")).to_contain_text("Because: seen on the film")


def test_an_event_that_was_never_played_is_removed(marker: Open) -> None:
    phone = in_play(marker(), STRUCK, FIVE)
    phone.tap("List")
    phone.page.locator(".list button").nth(0).click()
    phone.tap("Remove it")
    expect(phone.sheet.get_by_role("heading")).to_have_text("Remove: White 2 in cup 5")
    phone.send("Do it")
    assert pending(phone.table) == {"A": 18}
    expect(phone.page.locator(".undo")).to_have_text("Undothe latest correction")


def test_one_that_was_missed_is_put_in_and_what_falls_is_saved(marker: Open) -> None:
    phone = in_play(marker(), {**STRUCK, "moves": []}, {"event": "end_turn"}, {**STRUCK, "moves": []}, FIVE)
    phone.tap("List")
    phone.page.locator(".list button").nth(2).click()
    phone.tap("Remove it")
    expect(phone.sheet.locator(".fallen h3")).to_have_text("An event would no longer stand:")
    expect(phone.sheet.locator(".saving")).to_contain_text("They would stand if this were put in before them")
    before = phone.table.state.moves
    phone.tap("Do it, and put that in")
    wait_until(lambda: phone.table.state.moves == before + 2)
    phone.settled()
    expect(phone.sheet).to_have_count(0)
    ledger = phone.table.state.ledger
    assert ledger is not None
    assert [event.fate for event in ledger.events()].count("flagged") == 0


def test_putting_one_in_before_another(marker: Open) -> None:
    phone = in_play(marker(), STRUCK, FIVE)
    phone.tap("List")
    phone.page.locator(".list button").nth(0).click()
    phone.tap("Put one in before it")
    phone.sheet.get_by_role("button", name="red 1").click()
    phone.sheet.get_by_role("group", name="The ball").get_by_role("button", name="in cup 3").click()
    phone.sheet.get_by_role("group", name="The black").get_by_role("button", name="Didn't move").click()
    phone.send("Do it")
    assert pending(phone.table) == {"A": 26}


def test_a_correction_that_another_has_overtaken_is_refused(marker: Open) -> None:
    phone = in_play(marker(), STRUCK, FIVE)
    phone.tap("List")
    phone.page.locator(".list button").nth(0).click()
    phone.tap("Remove it")
    expect(phone.button("Do it")).to_be_visible()
    phone.table.ask(Undo())
    phone.tap("Do it")
    expect(phone.sheet.get_by_role("alert")).to_contain_text("The game has moved on")


def test_the_phones_own_way_back_leads_out_of_the_sheet_and_then_off_the_page(marker: Open) -> None:
    phone = in_play(marker(), STRUCK)
    here = phone.page.url
    before = here.replace("/marker", "/healthz")
    phone.page.goto(before)
    phone.page.goto(here)
    phone.tap("List")
    phone.page.locator(".list button").nth(0).click()
    expect(phone.button("Remove it")).to_be_visible()
    phone.page.evaluate("history.back()")
    expect(phone.sheet.get_by_role("heading")).to_have_text("List")
    phone.page.evaluate("history.back()")
    expect(phone.sheet).to_have_count(0)
    assert phone.page.url == here
    phone.tap("More")
    phone.tap("Close")
    phone.page.evaluate("history.back()")
    phone.page.wait_for_url(before)


def test_an_open_list_follows_the_game(marker: Open) -> None:
    phone = in_play(marker(), STRUCK)
    phone.tap("List")
    expect(phone.page.locator(".list li")).to_have_count(1)
    phone.table.ask(EnterEvent(FIVE))
    expect(phone.page.locator(".list li")).to_have_count(2)
    assert phone.table.state.ledger is not None
    phone.table.ask(Correct(phone.table.state.ledger.events()[0].revision, insert_before=MISS))
    expect(phone.page.locator(".list li.flagged")).to_have_count(1)
