"""The maw table: robbing, and what it suspects of being against the laws and asks about."""

from __future__ import annotations

from controller.engine.play import GameInPlay
from controller.engine.records import Record
from controller.engine.requests import Correct, StartGame, Undo
from tests.maw_kit import CALLS, COMMON, DEALS, FOUR, FULL, HEAD, TRICKS, MawBench, bench, dealt, sensor, suspect


def play(at: MawBench) -> GameInPlay:
    """The game of this bench."""
    assert at.engine.play is not None
    return at.engine.play


def records(at: MawBench) -> list[Record]:
    """What the journal has of its game."""
    return at.journal.records_of(play(at).start.id)  # type: ignore[attr-defined, no-any-return]  # a bench keeps its journal in memory


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


def test_a_lead_by_the_other_side_is_asked_about_and_no_offence() -> None:
    at = four()
    at.show("KS", role="B-card")
    assert at.questions == ["B leads, but A took the last trick. Did B lead out of turn?"]
    at.reply("allowed")
    assert at.score == {"A": 0, "B": 0}
    assert at.told[-1] == ("lead", "B", "KS")


TWO = HEAD + sensor("A-card", "reader") + sensor("B-card", "reader") + sensor("stock", "reader") + CALLS + TRICKS + DEALS + COMMON


def two(*, first: str = "A") -> MawBench:
    """B deals; this side leads the first card."""
    at = bench(TWO)
    at.press("B-deal")
    at.show("6D", role="stock")
    at.show("KC", role=f"{first}-card")
    return at


def by_a() -> MawBench:
    """A took the first trick, as its button says, and B leads."""
    at = two()
    at.show("10C", role="B-card")
    at.press("A-trick")
    at.show("2S", role="B-card")
    return at


def test_whoever_dealt_and_leads_the_first_card_is_asked_about_it() -> None:
    at = two(first="B")
    assert at.questions == ["B leads, but B dealt. Did B lead out of turn?"]
    (question,) = at.shown.questions
    choices = ["No: A dealt, and B leads", "Yes, and it stands", "Yes, and B takes the card back"]
    assert [text for _, text in question.choices] == choices
    assert question.likely == "allowed"
    at.reply("right")
    at.enter(event="game_won", by="A")
    at.enter(event="new_deal")
    at.show("7D", role="stock")
    assert at.told[-1] == ("turn_up", "B", "7D")


def test_a_lead_out_of_turn_that_is_asked_about_goes_on_being_asked_after_the_next_card() -> None:
    at = by_a()
    at.show("3S", role="A-card")
    assert at.questions == ["B leads, but A took the last trick. Did B lead out of turn?"]
    assert at.told[-2:] == [("lead", "B", "2S"), ("play", "A", "3S")]
    assert at.shown.questions[0].likely == "allowed"


def test_a_lead_that_is_taken_back_is_none_and_the_next_card_is_the_lead() -> None:
    at = by_a()
    at.show("3S", role="A-card")
    at.reply("back")
    assert at.told[-1] == ("lead", "A", "3S")
    at.show("2S", role="B-card")
    assert at.told[-1] == ("play", "B", "2S")


def test_a_side_that_leads_rightly_took_the_trick_before() -> None:
    at = by_a()
    at.reply("right")
    at.show("3S", role="A-card")
    at.press("B-trick")
    at.show("4S", role="B-card")
    at.show("5S", role="A-card")
    at.press("B-trick")
    # Its own two by the button, and the one that people have given it.
    assert at.score == {"A": 0, "B": 4}
    assert at.questions == []


def test_a_lead_out_of_turn_that_is_undone_is_asked_about_no_more() -> None:
    at = by_a()
    at.press("undo")
    assert at.questions == []
    at.show("3S", role="A-card")
    at.show("2S", role="B-card")
    assert at.told[-2:] == [("lead", "A", "3S"), ("play", "B", "2S")]


def test_what_was_seen_before_a_suspicion_belongs_to_it() -> None:
    at = by_a()
    there = records(at)
    cards = {one.body["value"]: one.id for one in there if one.kind == "observation" and one.body["kind"] == "card"}
    button = next(one.id for one in there if one.kind == "observation" and one.body["role"] == "A-trick")
    assert play(at).fold.steps[-1].entry.evidence == (cards["KC"], cards["10C"], button, cards["2S"])


def test_an_ace_that_is_played_belongs_to_the_rob_that_it_settles() -> None:
    at = robbed()
    at.show("AD")
    rob = next(step for step in play(at).fold.steps if step.event["event"] == "rob")
    ace = [one.id for one in records(at) if one.body.get("value") == "AD"]
    assert [*play(at).tellings.led_to(rob.entry)][-1:] == ace


def test_when_nobody_answers_a_rob_is_taken_as_the_cards_have_it() -> None:
    at = dealt("6D", table=FULL.replace(HEAD, f'{HEAD}answer_within = "2min"\n'))
    at.press("A-rob")
    at.show("KC", "AD")
    (question,) = at.shown.questions
    assert question.likely == "no"
    assert question.unanswered == "If nobody answers within 2 min, it is taken as: No."
    assert at.score == {"A": 0, "B": 0}
    at.wait(150)
    assert at.score == {"A": 0, "B": 4}


def test_each_mate_s_renounce_is_his_own() -> None:
    at = four()
    for role, card in (("A-mate", "KS"), ("B-mate", "2H"), ("A", "2S"), ("B", "3S")):
        at.show(card, role=f"{role}-card")
    at.show("KC", role="A-mate-card")
    at.show("4S", role="B-mate-card")
    assert len(at.questions) == 1
    assert at.questions[0].startswith("B threw another suit away when the KS was led, and now plays the 4S.")
