"""Sensors of a maw table that are left out or were never fitted: what hung on them is asked, of whatever remains."""

from __future__ import annotations

import pytest

from controller.engine.requests import Quarantine
from tests.maw_kit import CALLS, COMMON, DEALS, FULL, HEAD, MawBench, sensor
from tests.table_kit import same_again

BLIND = HEAD + CALLS + DEALS + COMMON
VIED = "Was the vied card pledged or given back by B?"
WON = "Cards are dealt anew: who has won the game before?"


def dealt(table: str = FULL, *lost: str) -> MawBench:
    at = MawBench(table).open()
    for one in lost:
        assert at.ask(Quarantine(one)).ok
    at.start()
    at.deal("B", "6D")
    return at


@pytest.mark.parametrize("lost", ["B-pledge", "B-give-back"])
def test_a_vied_card_of_which_no_button_can_tell_is_asked_about_when_play_goes_on(lost: str) -> None:
    at = dealt(FULL, lost)
    at.press("A-vie")
    at.show("KC")
    assert at.questions == [], "B may still pledge before its own card"
    at.show("10C")
    assert (at.questions, at.words["crossed"], at.words["pending"]) == ([VIED], 1, None)
    same_again(at)
    at.reply("give_back")
    assert (at.words["crossed"], at.words["pending"]) == (0, None)
    assert ("give_back", "B") in at.told


def test_a_vied_card_that_a_button_has_told_of_is_not_asked_about() -> None:
    at = dealt(FULL, "B-give-back")
    at.press("A-vie")
    at.press("B-pledge")
    at.show("KC", "10C")
    assert (at.questions, at.words["crossed"]) == ([], 1)


def test_with_both_buttons_a_card_that_comes_before_an_answer_is_for_the_rules() -> None:
    at = dealt()
    at.press("A-vie")
    at.show("KC", "10C")
    assert at.questions == []


def test_a_deal_of_which_nothing_tells_who_won_is_asked_about_at_the_next() -> None:
    at = MawBench(BLIND).open().start()
    at.press("B-deal")
    at.press("A-vie")
    at.press("B-pledge")
    assert at.questions == []
    at.press("A-deal")
    assert at.questions == [WON]
    same_again(at)
    at.reply("B")
    assert at.score == {"A": 0, "B": 5}
    at.press("A-deal")
    assert at.questions == [], "a deal of which nothing was seen was none"


def test_a_deal_that_was_lost_has_no_winner() -> None:
    at = MawBench(BLIND).open().start()
    at.press("B-deal")
    at.press("A-vie")
    at.press("B-pledge")
    at.press("A-deal")
    at.reply("neither")
    assert (at.score, at.words["crossed"]) == ({"A": 0, "B": 0}, 0)


def test_a_reader_that_is_left_out_in_the_middle_leaves_the_buttons() -> None:
    at = dealt()
    at.trick("KC", "10C", "A")
    assert at.ask(Quarantine("card")).ok
    at.press("A-trick")
    at.press("A-trick")
    assert (at.questions, at.words["over"], at.score) == ([], True, {"A": 4, "B": 0})


def test_a_reader_of_one_side_that_is_left_out_leaves_the_winner_to_people() -> None:
    seats = "".join(sensor(f"{side}-card", "reader") for side in "AB")
    at = MawBench(HEAD + seats + CALLS + DEALS + COMMON).open().start()
    at.press("B-deal")
    assert at.ask(Quarantine("A-card")).ok
    for card in ("2C", "3C", "4C", "5C", "6C"):
        at.show(card, role="B-card")
    at.press("A-deal")
    assert any("has won" in text for text in at.questions), at.questions
