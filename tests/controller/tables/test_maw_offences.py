"""The maw table: robbing, and what it suspects of being against the laws and asks about."""

from __future__ import annotations

from controller.engine.requests import Correct, StartGame, Undo
from tests.maw_kit import FOUR, MawBench, bench, dealt, suspect

# Robbing


def robbed(by: str = "A") -> MawBench:
    at = dealt()
    at.press(f"{by}-rob")
    return at


def test_a_rob_is_provisional_until_the_ace_is_seen_in_that_hand() -> None:
    at = robbed()
    assert at.questions == []
    assert at.shown.provisional
    at.show("AD")
    assert at.questions == []
    assert not at.shown.provisional


def test_an_ace_that_was_seen_is_not_asked_about_in_the_deals_after_it() -> None:
    at = robbed()
    at.trick("AD", "2D", "A")
    at.trick("KC", "10C", "A")
    at.trick("KS", "10S", "A")
    at.deal("A", "7S")
    assert (at.questions, at.shown.provisional) == ([], False)


def test_an_ace_that_an_undo_takes_away_and_brings_back_is_asked_about_only_meanwhile() -> None:
    at = robbed()
    at.show("AD", "2D")
    at.enter(event="game_won", by="A")
    revision = next(one.revision for one in at.events() if one.event.get("card") == "AD")
    assert at.ask(Correct(revision, remove=True)).ok
    assert [text for text in at.questions if "was not seen" in text]
    assert at.ask(Undo()).ok
    assert (at.questions, at.shown.provisional) == ([], False)


def test_an_ace_in_the_other_hand_is_asked_about_and_a_rob_without_it_costs_four_and_the_deal() -> None:
    at = robbed()
    at.show("KC", "AD")
    assert at.questions == ["A has robbed, but B has played the ace of trumps. Did A hold the ace of trumps?"]
    assert at.score == {"A": 0, "B": 0}
    at.reply("no")
    assert at.score == {"A": 0, "B": 4}
    assert at.words["over"]


def test_an_ace_that_was_not_seen_by_the_end_of_the_deal_is_asked_about() -> None:
    at = robbed()
    at.enter(event="game_won", by="A")
    assert at.questions == ["A has robbed, and the ace of trumps was not seen. Did A hold the ace of trumps?"]
    at.reply("yes")
    assert at.score == {"A": 4, "B": 0}
    assert not at.shown.provisional


def test_a_set_that_ends_with_a_rob_unseen_waits_for_the_answer() -> None:
    at = MawBench().open()
    assert at.ask(StartGame(position={"score": {"A": 24}})).ok
    at.wait(0.5)
    at.deal("B", "6D")
    at.press("A-rob")
    at.enter(event="game_won", by="A")
    assert at.shown.provisional
    assert at.shown.phase == "over"
    assert len(at.questions) == 1
    at.reply("yes")
    assert not at.shown.provisional
    assert at.events("result")


def test_whoever_robs_when_an_ace_is_turned_up_is_asked_at_once() -> None:
    at = dealt("AC")
    at.press("B-rob")
    assert at.questions == [
        "B has robbed, but the ace of trumps is the card turned up. Did B hold the ace of trumps?",
    ]


def test_the_card_that_was_robbed_may_be_played_and_one_that_was_not_may_not() -> None:
    at = robbed()
    at.show("6D")
    assert at.told[-1] == ("lead", "A", "6D")
    at = dealt()
    at.show("6D")
    assert at.told == [("turn_up", "B", "6D")]
    assert at.notices == ["The 6D is the card turned up, and nobody has robbed: it counts nothing."]


# Renounces and leads out of turn


def test_a_suit_that_was_not_followed_and_is_played_later_is_asked_about_and_costs_nothing_before() -> None:
    at = suspect()
    assert at.questions == ["B threw another suit away when the KC was led, and now plays the 7C. Was that a renounce?"]
    assert at.shown.over is None
    assert at.shown.provisional
    at.press("A-trick")
    assert at.shown.over is None
    assert at.told[-2:] == [("play", "B", "7C"), ("trick_over",)]
    at.reply("yes")
    assert at.shown.over is not None
    assert (at.shown.over.winner, at.shown.over.rule) == ("A", "MAW-02")


def test_a_renounce_that_was_none_leaves_the_card_as_it_was_played() -> None:
    at = suspect()
    at.reply("no")
    assert at.shown.over is None
    assert not at.shown.provisional
    at.press("A-trick")
    at.show("3S", "8C")
    # The same seat and suit aren't asked about twice.
    assert at.questions == []


def test_a_trump_on_a_suit_and_a_suit_that_is_followed_are_no_renounce() -> None:
    at = dealt()
    at.trick("KC", "3D", "B")
    at.trick("7C", "8C", "A")
    at.show("9C")
    assert at.questions == []


def test_a_card_that_was_robbed_after_all_is_no_renounce() -> None:
    at = robbed("B")
    at.trick("KD", "3H", "A")
    at.show("2S", "6D")
    assert at.questions == []
    at.press("A-trick")
    at.show("4S", "8D")
    assert len(at.questions) == 1


def test_a_help_held_back_is_only_suspected() -> None:
    at = dealt()
    at.trick("KD", "3H", "A")
    at.show("2S", "AH")
    assert at.questions == ["B threw another suit away when the KD was led, and now plays the AH. Was that a renounce?"]
    at.reply("no")
    assert at.shown.over is None


def four() -> MawBench:
    """B deals; A leads, and A's mate takes the first trick."""
    at = bench(FOUR)
    at.enter(event="turn_up", by="B", card="6D")
    for role, card in (("A", "2C"), ("B", "3C"), ("A-mate", "5D"), ("B-mate", "4C")):
        at.show(card, role=f"{role}-card")
    return at


def test_with_a_reader_at_each_seat_a_lead_in_the_mate_s_place_is_asked_about() -> None:
    at = four()
    at.show("KS", role="A-card")
    assert at.questions == [
        "A leads, but it was the mate who took the last trick and should lead. Did A lead in the mate's place?"
    ]
    assert at.score == {"A": 0, "B": 0}
    at.show("2S", role="B-card")
    assert at.score == {"A": 0, "B": 0}
    at.reply("yes")
    assert at.score == {"A": 0, "B": 4}
    assert at.words["over"]


def test_the_mate_who_should_lead_is_asked_about_nothing() -> None:
    at = four()
    at.show("KS", role="A-mate-card")
    assert at.questions == []
    assert at.told[-2:] == [("trick_over",), ("lead", "A", "KS")]


def test_a_lead_by_the_other_side_is_said_and_no_offence() -> None:
    at = four()
    at.show("KS", role="B-card")
    assert at.questions == []
    assert at.notices == ["B leads, but A took the last trick: put it right, or correct what was counted."]


def test_each_mate_s_renounce_is_his_own() -> None:
    at = four()
    for role, card in (("A-mate", "KS"), ("B-mate", "2H"), ("A", "2S"), ("B", "3S")):
        at.show(card, role=f"{role}-card")
    at.show("KC", role="A-mate-card")
    at.show("4S", role="B-mate-card")
    assert len(at.questions) == 1
    assert at.questions[0].startswith("B threw another suit away when the KS was led, and now plays the 4S.")
