"""The PIN of the marker's console, in a real browser before a real engine."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.console_kit import PIN, Marker, in_play, wait_until

pytestmark = pytest.mark.browser

Open = Callable[..., Marker]


def enter_pin(phone: Marker, pin: str) -> None:
    for digit in pin:
        phone.sheet.get_by_role("button", name=digit, exact=True).click()
    phone.sheet.locator(".enter").click()


def test_the_pin_is_asked_once_and_what_was_tapped_is_done(marker: Open) -> None:
    phone = in_play(marker(pin=False))
    phone.tap("Missed the black")
    expect(phone.sheet.get_by_role("heading")).to_have_text("Marker's PIN")
    assert phone.table.state.moves == 0
    enter_pin(phone, PIN)
    wait_until(lambda: phone.table.state.moves == 1)
    phone.page.reload()
    phone.send("Missed the black")
    assert phone.table.state.moves == 2
    phone.tap("More")
    phone.tap("Put the PIN away")
    phone.tap("Pause")
    expect(phone.sheet.get_by_role("heading")).to_have_text("Marker's PIN")


def test_a_wrong_pin_and_a_lock_out_are_said_plainly(marker: Open) -> None:
    phone = in_play(marker(pin=False))
    phone.tap("Missed the black")
    alert = phone.sheet.get_by_role("alert")
    for _ in range(5):
        enter_pin(phone, "12")
        expect(alert).to_have_text("That is not the marker's PIN.")
        expect(phone.sheet.locator("input")).to_have_value("")
        expect(phone.sheet.locator(".enter")).not_to_have_attribute("aria-busy", "true")
    enter_pin(phone, PIN)
    expect(alert).to_have_text(re.compile(r"Too many wrong tries\. Wait \d+ seconds, then try again\."))
    phone.tap("Close")
    assert phone.table.state.moves == 0


def test_a_pin_that_was_changed_meanwhile_is_asked_anew(marker: Open) -> None:
    phone = in_play(marker(pin=False))
    phone.page.evaluate("sessionStorage.setItem('pin', 'old')")
    phone.tap("Missed the black")
    expect(phone.sheet.get_by_role("alert")).to_have_text("That is not the marker's PIN.")
    enter_pin(phone, PIN)
    wait_until(lambda: phone.table.state.moves == 1)


def test_a_word_as_a_pin_is_typed(marker: Open) -> None:
    phone = in_play(marker(pin=False, token="secret"))
    phone.tap("Missed the black")
    phone.sheet.get_by_role("button", name="It has letters").click()
    phone.page.keyboard.type("secret")
    phone.page.keyboard.press("Enter")
    wait_until(lambda: phone.table.state.moves == 1)


def test_without_a_pin_in_the_table_file_it_says_so(marker: Open) -> None:
    phone = in_play(marker(pin=False, token=None))
    phone.tap("Missed the black")
    enter_pin(phone, "1")
    expect(phone.sheet.get_by_role("alert")).to_contain_text("until the table file names a PIN under [marker].")
