"""The maw table over real detectors: what becomes a call, a card, a trick; what is asked, and what never counts."""

from __future__ import annotations

import pytest

from controller.engine.requests import Pause, Quarantine, Resume, StartGame, Undo
from tests.maw_kit import CALLS, COMMON, DEALS, FOUR, FULL, HEAD, LEAST, SCANNER, TRICKS, MawBench, bench, dealt, sensor, suspect

# A deal


def test_a_deal_of_three_tricks_is_a_game_and_scores_what_was_vied() -> None:
    at = dealt()
    at.press("A-vie")
    at.press("B-pledge")
    at.trick("KC", "10C", "A")
    at.trick("KS", "10S", "A")
    assert (at.words["tricks"], at.words["crossed"]) == (2, 1)
    at.trick("5D", "2D", "A")
    assert at.questions == []
    assert at.score == {"A": 5, "B": 0}
    assert at.told == [
        *[("turn_up", "B", "6D"), ("vie", "A"), ("pledge", "B")],
        *[("lead", "A", "KC"), ("play", "B", "10C"), ("trick_over",)],
        *[("lead", "A", "KS"), ("play", "B", "10S"), ("trick_over",)],
        *[("lead", "A", "5D"), ("play", "B", "2D"), ("trick_over",), ("game_won", "A")],
    ]
    assert at.notices == ["The game is played: deal anew, and press DEAL."]


def test_whoever_took_the_trick_leads_to_the_next() -> None:
    at = dealt()
    at.trick("KC", "5D", "B")
    at.show("2H")
    assert at.told[-1] == ("lead", "B", "2H")


def test_the_other_side_deals_the_next_deal_unless_a_button_says_otherwise() -> None:
    at = dealt()
    at.press("A-deal")
    at.show("7S", "2C")
    assert at.told[-3:] == [("new_deal",), ("turn_up", "A", "7S"), ("lead", "B", "2C")]
    at = dealt(table=HEAD + SCANNER + CALLS + TRICKS + COMMON)
    at.enter(event="game_won", by="A")
    at.show("7S", "2C")
    assert at.told[-3:] == [("new_deal",), ("turn_up", "A", "7S"), ("lead", "B", "2C")]


def test_a_press_that_deals_twice_deals_once_and_the_later_side_is_right() -> None:
    at = bench()
    at.press("A-deal")
    at.press("B-deal")
    at.show("6D", "KC")
    assert at.told == [("turn_up", "B", "6D"), ("lead", "A", "KC")]


def test_the_next_card_ends_a_trick_of_which_all_cards_lie() -> None:
    at = dealt(table=HEAD + SCANNER + CALLS + DEALS + COMMON)
    at.show("KC", "10C")
    assert at.words["led"] == "A"
    at.show("2H")
    assert at.told[-2:] == [("trick_over",), ("lead", "A", "2H")]


def test_a_call_after_the_last_card_of_a_trick_is_of_the_next() -> None:
    at = dealt(table=HEAD + SCANNER + CALLS + DEALS + COMMON)
    at.show("KC", "10C")
    at.press("A-vie")
    assert at.words["pending"] == "A"
    assert at.told[-2:] == [("trick_over",), ("vie", "A")]


# Who has won


def test_where_no_button_tells_tricks_people_say_who_has_won() -> None:
    at = dealt(table=HEAD + SCANNER + CALLS + DEALS + COMMON)
    at.show("KC", "10C", "KS", "10S", "5D", "2D")
    assert at.questions == ["Who has won the game? Tricks by the cards: A 3, B 0."]
    assert at.score == {"A": 4, "B": 0}
    assert at.shown.provisional
    at.reply("B")
    assert at.score == {"A": 0, "B": 4}
    assert not at.shown.provisional


def test_sides_are_offered_by_their_names() -> None:
    at = MawBench().open()
    assert at.ask(StartGame(sides=("Ann", "Bob"))).ok
    at.wait(0.5)
    at.deal("B", "AH")
    assert at.shown.questions[0].choices == (("B", "Bob"), ("A", "Ann"), ("neither", "It was not turned up"))


def test_a_game_that_nobody_has_won_yet_goes_on() -> None:
    at = dealt(table=HEAD + SCANNER + CALLS + DEALS + COMMON)
    at.show("KC", "10C", "KS", "10S", "5D", "2D")
    at.reply("neither")
    assert at.score == {"A": 0, "B": 0}
    at.show("3H", "4H")
    assert at.told[-2:] == [("play", "B", "4H"), ("game_won", "A")]
    assert at.questions == ["Who has won the game? Tricks by the cards: A 3, B 1."]


def test_a_button_that_the_cards_deny_is_asked_about() -> None:
    at = dealt()
    at.trick("KC", "10C", "A")
    at.trick("KS", "10S", "A")
    # The five of trumps takes whatever is played to it.
    at.trick("2H", "5D", "A")
    assert at.questions == ["Who has won the game? Tricks by the cards: A 3, B 0."]
    at.reply("neither")
    assert at.score == {"A": 0, "B": 0}


def test_a_trick_given_to_the_wrong_side_is_put_right_by_the_other_button() -> None:
    at = dealt()
    at.trick("KC", "10C", "B")
    at.press("A-trick")
    assert at.words["tricks"] == 1
    at.show("2H")
    assert at.told[-1] == ("lead", "A", "2H")


def test_without_a_reader_the_buttons_count_the_tricks() -> None:
    at = bench(HEAD + CALLS + TRICKS + DEALS + COMMON)
    for side in "ABAA":
        at.press(f"{side}-trick")
    assert at.score == {"A": 4, "B": 0}
    assert at.told == [("trick_over",)] * 4 + [("game_won", "A")]


# The ace of hearts


def test_the_ace_of_hearts_turned_up_gains_four_once_somebody_has_said_so() -> None:
    at = dealt("AH")
    assert at.questions == ["The ace of hearts: which side turned it up?"]
    assert at.score == {"A": 0, "B": 4}
    assert at.shown.provisional
    at.reply("A")
    assert at.score == {"A": 4, "B": 0}
    assert not at.shown.provisional


def test_an_ace_of_hearts_that_was_not_turned_up_gains_nothing_and_the_next_card_is_the_one() -> None:
    at = dealt("AH")
    at.reply("neither")
    assert at.score == {"A": 0, "B": 0}
    at.show("6D")
    assert at.told == [("turn_up", "B", "6D")]


# Who dealt


def test_with_one_scanner_and_no_deal_button_people_say_who_dealt_the_first_deal() -> None:
    at = bench(LEAST)
    at.show("6D")
    assert at.questions == []
    at.show("KC")
    assert at.questions == ["Who dealt, when the 6D was turned up?"]
    assert at.told[-1] == ("lead", "A", "KC")
    at.reply("A")
    assert at.told[-1] == ("lead", "B", "KC")
    at.show("10C")
    assert at.told[-1] == ("play", "A", "10C")


def test_a_trick_whose_leader_nobody_can_know_is_asked_about() -> None:
    at = bench(LEAST)
    at.show("6D", "KC")
    at.reply("B")
    at.enter(event="play", by="B")
    at.show("2H")
    assert at.questions == ["Who led the 2H?"]
    at.reply("B")
    at.show("3H")
    assert at.told[-2:] == [("lead", "B", "2H"), ("play", "A", "3H")]


# Calls


def test_a_vie_against_the_laws_counts_nothing_and_the_table_says_so() -> None:
    at = dealt()
    at.show("KC")
    at.press("A-vie")
    assert at.words["pending"] is None
    assert at.notices == ["A's vie is not allowed now, and counts nothing: the game's list says why."]
    at.press("B-vie")
    assert at.words["pending"] == "B"
    at.press("A-give-back")
    assert at.words["pending"] is None
    assert at.notices == []


def test_the_asker_who_vies_before_the_first_trick_is_asked_whether_he_means_to_lead_a_help() -> None:
    at = dealt()
    at.press("A-ask")
    at.press("A-vie")
    assert at.questions == ["A has asked a card and vies: does A mean to lead a help that is still in hand?"]
    assert at.words["pending"] == "A"
    at.reply("no")
    assert at.words["pending"] is None
    at = dealt()
    at.press("A-ask")
    at.press("B-vie")
    assert at.questions == []


@pytest.mark.parametrize("button", ["A-pledge", "B-give-back"])
def test_an_answer_to_no_vie_counts_nothing(button: str) -> None:
    at = dealt()
    at.press(button)
    assert at.told == [("turn_up", "B", "6D")]
    assert "is not allowed now, and counts nothing" in at.notices[0]


def test_in_an_ended_deal_calls_and_cards_count_nothing() -> None:
    at = dealt()
    at.enter(event="game_won", by="A")
    at.press("B-vie")
    at.show("KC")
    at.press("A-trick")
    assert at.told == [("turn_up", "B", "6D"), ("game_won", "A")]
    assert at.notices[-1] == "The game is played: deal anew, and press DEAL."


# Bad input


def test_a_card_that_is_read_again_counts_nothing() -> None:
    at = dealt()
    at.show("KC", "KC")
    assert at.told[-1] == ("lead", "A", "KC")
    assert at.notices == ["The KC lies in this deal already: read once more, it counts nothing."]
    at.show("10C")
    assert at.told[-1] == ("play", "B", "10C")
    assert at.notices == []


def test_a_card_that_still_lies_there_begins_no_new_deal_and_the_same_card_may_be_turned_up_later() -> None:
    at = dealt(table=HEAD + SCANNER + CALLS + TRICKS + COMMON)
    at.show("KC", "10C")
    at.enter(event="game_won", by="A")
    at.show("KC")
    assert at.words["over"]
    assert at.notices[0] == "The KC lies there from the deal that has ended: read once more, it counts nothing."
    at.wait(10)
    at.show("KC")
    assert at.told[-2:] == [("new_deal",), ("turn_up", "A", "KC")]


def test_cards_of_a_deal_that_had_ended_with_its_rob_lie_there_too_and_begin_no_new_deal() -> None:
    at = dealt("KS", table=LEAST)
    at.press("B-rob")
    at.show("KH", "10S", "KS", "9C", "6D")
    at.read("3D", rest=0.5)
    assert [question.id.partition("-")[0] for question in at.shown.questions] == ["dealt", "rob", "won"]
    at.reply("B")
    at.reply("no")
    assert (at.words["over"], at.score) == (True, {"A": 4, "B": 0})
    at.show("6D")
    assert at.notices[0] == "The 6D lies there from the deal that has ended: read once more, it counts nothing."
    at.wait(10)
    at.show("JC")
    assert at.told[-2:] == [("new_deal",), ("turn_up", "A", "JC")]


def test_one_card_at_two_places_counts_where_it_came_first() -> None:
    at = bench(FOUR)
    at.show("KC", role="A-card")
    at.show("KC", role="B-card")
    assert at.told == [("lead", "A", "KC")]
    assert "The KC lies in this deal already" in at.notices[0]


def test_torn_lines_rubbish_and_repeated_readings_change_nothing() -> None:
    at = dealt()
    for line in ("K", "", "KC", "KC", "KCKC", "0C", "\x00\x01", "10C", "C"):
        at.read(line, rest=0.2)
    assert at.told == [("turn_up", "B", "6D"), ("lead", "A", "KC"), ("play", "B", "10C")]
    (health,) = [s.health for s in at.shown.sensors if s.role == "card"]
    assert any("3 not whole" in note for note in health.notes)


def test_a_seat_that_plays_again_has_begun_the_next_trick_and_the_card_that_was_not_read_is_said() -> None:
    two = HEAD + sensor("A-card", "reader") + sensor("B-card", "reader") + CALLS + COMMON
    at = bench(two)
    at.show("KC", role="A-card")
    at.show("2H", role="A-card")
    assert at.told == [("lead", "A", "KC"), ("trick_over",), ("lead", "A", "2H")]
    assert at.notices == ["A card of the trick before was not read; who took it is told by people."]


def test_a_reader_out_of_use_and_a_pause_count_nothing() -> None:
    at = dealt()
    assert at.ask(Quarantine("card")).ok
    at.show("KC")
    assert len(at.told) == 1
    at = dealt()
    assert at.ask(Pause()).ok
    at.show("KC")
    assert at.ask(Resume()).ok
    assert len(at.told) == 1
    at.show("KS")
    assert at.told[-1] == ("lead", "A", "KS")


def test_a_press_while_paused_goes_on_and_is_no_call() -> None:
    at = dealt()
    assert at.ask(Pause()).ok
    at.press("A-vie")
    assert at.shown.phase == "playing"
    assert at.words["pending"] is None


# People put it right


def test_undo_takes_back_the_card_and_the_next_one_is_played_in_its_place() -> None:
    at = dealt()
    at.show("KC", "10C")
    at.press("undo")
    at.show("9C")
    assert at.told[-2:] == [("lead", "A", "KC"), ("play", "B", "9C")]


def test_undo_takes_back_a_card_under_suspicion_whole() -> None:
    at = suspect()
    assert at.shown.ledger is not None
    undoable = at.shown.ledger.undoable
    assert undoable is not None
    assert undoable.event == {"event": "play", "by": "B", "card": "7C"}
    at.press("undo")
    assert at.shown.ledger.events()[-1].event == {"event": "play", "by": "B", "card": "7C"}
    assert at.shown.ledger.events()[-1].fate == "taken_back"
    assert at.questions == []
    assert at.told[-1] == ("lead", "A", "2S")
    at.show("3S")
    assert at.told[-1] == ("play", "B", "3S")
    at = suspect()
    at.reply("no")
    at.press("undo")
    # The answer was the latest thing.
    assert len(at.questions) == 1


def test_undo_of_the_undo_brings_it_back_and_play_goes_on_from_there() -> None:
    at = dealt()
    at.show("KC", "10C")
    assert at.ask(Undo()).ok
    assert at.ask(Undo()).ok
    at.press("A-trick")
    at.show("2H")
    assert at.told[-1] == ("lead", "A", "2H")


def test_a_card_that_the_marker_enters_takes_its_place_in_the_trick() -> None:
    at = dealt()
    at.show("KC")
    at.enter(event="play", by="B", card="10C")
    at.press("A-trick")
    at.show("2H")
    assert at.told[-1] == ("lead", "A", "2H")


def test_a_lost_deal_that_the_marker_enters_is_dealt_anew_by_whom_he_says() -> None:
    for again, leads in ((True, "A"), (False, "B")):
        at = bench(HEAD + SCANNER + CALLS + TRICKS + COMMON)
        at.enter(event="offence", law=4, by="B", deals_again=again)
        at.show("6D", "KC")
        assert at.told[-1] == ("lead", leads, "KC")


def test_a_game_begun_in_the_middle_of_a_deal_asks_who_won_when_the_tricks_are_played() -> None:
    at = MawBench(HEAD + SCANNER + CALLS + DEALS + COMMON).open()
    assert at.ask(StartGame(position={"deal": {"tricks": 4, "crossed": 2}})).ok
    at.wait(0.5)
    at.show("KC")
    assert at.questions == ["Who led the KC?"]
    at.reply("A")
    at.show("10C")
    assert at.questions == ["Who has won the game? Tricks by the cards: A 0, B 0."]
    at.reply("B")
    assert at.score == {"A": 0, "B": 6}


def test_a_table_switched_off_in_a_deal_goes_on_with_it() -> None:
    at = dealt()
    at.trick("KC", "3H", "A")
    at.show("2S")
    again = MawBench(FULL, at.journal, "boot-2").open()
    assert isinstance(again, MawBench)
    again.reply("yes")
    again.show("7C")
    assert again.questions == ["B threw another suit away when the KC was led, and now plays the 7C. Was that a renounce?"]


def test_new_game_and_what_is_seen() -> None:
    at = dealt()
    at.trick("KC", "10C", "A")
    at.show("2H")
    assert at.shown.seen == {"turned_up": "6D", "trick": [{"by": "A", "card": "2H"}], "taken": {"A": 1, "B": 0}}
    before = at.shown.game_id
    at.set("new-game", on=True)
    at.wait(3)
    at.set("new-game", on=False)
    at.wait(1)
    assert at.shown.game_id != before
    assert at.notices == ["Deal, turn up a card and show it to the reader."]
