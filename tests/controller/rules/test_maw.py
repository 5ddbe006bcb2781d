"""Maw: the adjudicated cases, the hard one that the interface must carry, and what can't be read."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from controller.rules.awards import Ruling
from controller.rules.errors import BadEvent, BadOption, BadPosition
from controller.rules.maw.game import Maw
from tests.controller.rules.maw_words import events, transcript
from tests.legal_play import check_state, filling, some_options, stray_event, try_event
from tests.rules_kit import case_params, check_case, play

GAME = Maw()


@pytest.mark.parametrize("case", case_params("maw"))
def test_adjudicated_case(case: dict[str, Any]) -> None:
    check_case(case)


def test_consent_is_asked_of_each_side_and_one_no_keeps_the_set_open() -> None:
    # MAW-09c
    state = GAME.start(position={"score": {"A": 24, "B": 25}})
    turned = GAME.apply(state, GAME.read({"event": "turn_up", "by": "A", "card": "AH"}))
    assert isinstance(turned, Ruling)
    assert [(ask.ask, ask.text[:2], ask.choices) for ask in turned.asks] == [
        ("MAW-09c", "A:", (True, False)),
        ("MAW-09c", "B:", (True, False)),
    ]
    assert turned.over is None

    rulings = [form for form in GAME.offers(turned.state) if form.event == "ruling"]
    assert [form.side for form in rulings] == ["A", "B"]
    no = {"event": "ruling", "ask": "MAW-09c", "by": "B", "value": False}
    refused_consent = GAME.apply(turned.state, GAME.read(no))
    assert isinstance(refused_consent, Ruling)
    assert [ask.text[:2] for ask in refused_consent.asks] == ["A:"]

    won = GAME.read({"event": "game_won", "by": "A"})
    decided, alone = GAME.apply(turned.state, won), GAME.apply(refused_consent.state, won)
    assert isinstance(decided, Ruling)
    assert isinstance(alone, Ruling)
    assert GAME.score(decided.state) == GAME.score(alone.state) == {"A": 32, "B": 25}
    assert decided.over is not None
    assert (decided.over.winner, decided.over.rule) == ("A", "MAW-09b")
    assert alone.over is None
    assert [notice.rule for notice in alone.notices] == ["MAW-09c"]
    assert alone.asks == ()


@pytest.mark.parametrize(
    ("event", "says"),
    [
        ({"event": "turn_up", "by": "A", "card": "1H"}, "card"),
        ({"event": "turn_up", "by": "A", "card": "HA"}, "card"),
        ({"event": "turn_up", "by": "A"}, "card"),
        ({"event": "lead", "by": "C"}, "by"),
        ({"event": "vie", "by": "A", "leads_help": True}, "help_in_hand"),
        ({"event": "vie", "by": "A", "help_in_hand": True}, "leads_help"),
        ({"event": "vie", "by": "A", "leads_help": False, "help_in_hand": False}, "leads_help"),
        ({"event": "rob", "by": "A"}, "has_ace"),
        ({"event": "rob", "by": "A", "has_ace": True, "made_out_by": "B"}, "made_out_by"),
        ({"event": "offence", "law": 6, "by": "A"}, "law"),
        ({"event": "offence", "law": 4, "by": "A"}, "deals_again"),
        ({"event": "offence", "law": 3, "by": "A", "deals_again": True}, "law 4"),
        ({"event": "offence", "law": 4, "by": "A", "deals_again": True, "looked_at": "asked_card"}, "law 5"),
        ({"event": "offence", "law": 5, "by": "A", "looked_at": "a_card"}, "asked_card"),
        ({"event": "ruling", "ask": "MAW-09c", "by": "umpire", "value": True}, "marker"),
        ({"event": "ruling", "ask": "MAW-09c", "by": "A", "value": None}, "value"),
        ({"event": "pledges", "by": "A"}, "did you mean 'pledge'"),
    ],
)
def test_what_is_no_event(event: dict[str, Any], says: str) -> None:
    with pytest.raises(BadEvent, match=says):
        GAME.read(event)


@pytest.mark.parametrize(
    "position",
    [
        {"score": {"C": 1}},
        {"score": {"A": "1"}},
        {"deal": {"crossed": -1}},
        {"deal": {"tricks": 6}},
        {"deal": {"tricks": -1}},
        {"deal": {"tricks": 5, "led": "A"}},
        {"deal": {"over": True, "pending": "A"}},
        {"deal": {"over": True, "led": "A"}},
        {"deal": {"asked": "C"}},
        {"deal": {"vied": 1}},
        {"deal": None},
        {"turn": "A"},
    ],
)
def test_what_is_no_position(position: dict[str, Any]) -> None:
    with pytest.raises(BadPosition, match="position"):
        GAME.start(position=position)


@pytest.mark.parametrize("options", [{"out": 0}, {"loss": "none"}, {"strict_seed": 1}, {"outs": 27}, {"livings": 2.5}])
def test_what_is_no_house_rule(options: dict[str, Any]) -> None:
    with pytest.raises(BadOption, match=r"out|loss|strict_seed|livings"):
        GAME.start(options)


def test_a_position_means_what_it_usually_does() -> None:
    asked = GAME.start(position={"deal": {"for_set": "B"}})
    settled = GAME.start(position={"deal": {"for_set": "B", "over": True}})
    assert [ask.ask for ask in GAME.asks(asked)] == ["MAW-09c", "MAW-09c"]
    assert GAME.asks(settled) == ()
    # A side that led and has a vie before it may still pledge: the vie came after its card (MAW-11b).
    led = play(transcript("pledge A", deal={"led": "A", "pending": "B"}))
    assert not led.refused
    assert GAME.position(GAME.start()) == {
        "score": {"A": 0, "B": 0},
        "deal": {"asked": None, "crossed": 0, "pending": None, "tricks": 0, "led": None, "over": False, "for_set": None},
    }


@pytest.mark.parametrize(
    ("led", "script", "refused"),
    [
        ("A", "play A; play A", [3]),
        ("B", "play B; play B", [3]),
        ("A", "play B; play B; play B", [4]),
        ("B", "play A; play A; play A", [4]),
        (None, "lead A; play A; play B; play B", []),
        (None, "lead B; play B; play A; play A", []),
    ],
)
def test_a_lead_that_a_position_tells_of_is_one_of_its_side_s_cards(led: str | None, script: str, refused: list[int]) -> None:
    # M-12
    played = play(transcript(script, deal={"led": led}))
    assert list(played.refused) == refused
    assert {refusal.rule for refusal in played.refused.values()} <= {"M-12"}


def test_who_is_to_play_is_known_after_a_lead() -> None:
    assert GAME.turn(play(transcript("lead B")).state) == "A"
    assert GAME.turn(play(transcript("lead B; play A")).state) is None
    assert GAME.turn(GAME.start()) is None


@pytest.mark.parametrize(
    ("script", "deal", "rules"),
    [
        ("vie A", {}, ["M-07"]),
        ("vie A", {"crossed": 3}, ["MAW-12"]),
        ("offence 4 B passes", {}, ["MAW-04b"]),
        ("ask A; vie B", {}, ["M-07"]),
        ("won A", {}, []),
    ],
)
def test_people_are_told_what_is_due(script: str, deal: dict[str, Any], rules: list[str]) -> None:
    assert [notice.rule for notice in play(transcript(script, deal=deal)).notices] == rules


def test_who_may_ask_by_law_15_is_told_so() -> None:
    assert [notice.rule for notice in play(transcript("ask A", score="10-23")).notices] == ["MAW-15"]
    assert play(transcript("ask A", score="10-22")).refused[2].rule == "MAW-14a"


def test_the_reason_of_an_award_tells_its_parts() -> None:
    told = (
        play(transcript("ask A; vie B; pledge A; won B")).awards
        + play(transcript("won A")).awards
        + play(transcript("ask A; won A")).awards
        + play(transcript("won A", deal={"crossed": 2})).awards
        + play(transcript("rob A no-ace back", deal={"crossed": 2})).awards
        + play(transcript("rob A no-ace")).awards
    )
    assert [award.why for award in told] == [
        "B has won the game: 4, and 1 asked card, and 1 vied card.",
        "A has won the game: 4.",
        "A has won the game: 4, and 1 asked card.",
        "A has won the game: 4, and 2 vied cards.",
        "A robbed without the ace: four, and 2 vied cards. Laying the same card down again is no excuse.",
        "A robbed without the ace: four.",
    ]


def test_what_is_asked_tells_what_is_at_stake() -> None:
    strict = {"strict_seed": True}
    asked = [
        play(transcript(script, deal=deal, options=strict)).asks[-1].text
        for script, deal in (
            ("won A", {}),
            ("won A", {"asked": "B", "crossed": 2}),
            ("offence 3 A", {"crossed": 1}),
            ("rob A no-ace", {"crossed": 1}),
            ("rob A no-ace", {"crossed": 2}),
        )
    ]
    assert asked == [
        "A has won a game: what is it worth?",
        "A has won a game: what is it worth, its 1 asked card and 2 vied cards included?",
        "A has lost a game by an offence: what is it worth, its 1 vied card included?",
        "A robbed without the ace: what is the 1 vied card worth?",
        "A robbed without the ace: what are the 2 vied cards worth?",
    ]


def test_each_kind_of_event_is_offered_in_its_time() -> None:
    def offered(script: str, **opening: Any) -> set[str]:
        return {form.event for form in GAME.offers(play(transcript(script, **opening)).state)}

    at_first = {"lead", "turn_up", "ask", "vie", "rob", "trick_over", "game_won", "offence", "new_deal"}
    assert offered("") == at_first
    assert offered("vie A") == at_first - {"vie"} | {"pledge", "give_back"}
    assert offered("lead A; ") == {"play", "trick_over", "vie", "rob", "game_won", "offence", "new_deal"}
    assert offered("won A") == {"new_deal", "offence"}
    assert offered("offence 1 A") == set()
    # The asker has the vie for a help alone (MAW-16a).
    helped = [form for form in GAME.offers(play(transcript("ask A")).state) if form.event == "vie" and form.side == "A"]
    assert [[field.name for field in form.fields] for form in helped] == [["by", "leads_help", "help_in_hand"]]


def points(chance: Random, *_: object) -> int:
    return chance.randrange(12)


def test_whole_sets_by_offers_under_all_house_rules_reach_every_award() -> None:
    chance, reached, ended = Random(11), set(), set()
    for _ in range(200):
        options = some_options(chance, GAME) if chance.random() < 0.5 else {"decline": "concede_game"}
        score = {side: chance.choice((0, 18, 22, 24, 25, 26)) for side in "AB"}
        state = GAME.start(options, {"score": score})
        for _ in range(40):
            forms = GAME.offers(state)
            if not forms:
                break
            # The ace of hearts among 52 cards, and anything after a set lost at once, would be rare.
            longer = [form for form in forms if form.title not in ("Changed hands", "Renounced")]
            event = filling(chance, chance.choice(longer if chance.random() < 0.95 else forms), points)
            assert event is not None
            if event["event"] == "turn_up" and chance.random() < 0.5:
                event["card"] = "AH"
            ruling = try_event(GAME, state, event)
            assert isinstance(ruling, Ruling), event  # the open field of a maw form is a number of points, which stands too
            state = ruling.state
            reached |= {award.rule for award in ruling.awards}
            ended |= {ruling.over.rule} if ruling.over else set()
            try_event(GAME, state, stray_event(chance, GAME))
        check_state(GAME, state, options)
    assert reached == {"MAW-03", "MAW-04a", "MAW-05a", "MAW-05b", "MAW-06a", "MAW-07a", "MAW-08", "MAW-09a", "M-07", "M-13"}
    assert ended == {"MAW-01", "MAW-02", "MAW-09a", "MAW-09b", "M-04"}


def test_nothing_stands_after_the_end() -> None:
    over = play(transcript("offence 1 A")).state
    for short in ("deal", "turn A AH", "ask A", "vie A", "pledge A", "back A", "rob A", "lead A", "play A", "trick", "won A",
                  "offence 4 A passes", "ruling MAW-09c A yes"):  # fmt: skip
        assert play_on_one(over, short) == "MAW-01"


def play_on_one(state: Any, short: str) -> str:
    outcome = GAME.apply(state, GAME.read(events(short)[0]))
    assert not isinstance(outcome, Ruling)
    return outcome.rule


def test_a_card_that_lies_open_is_not_offered_again() -> None:
    state = play(transcript("lead A 5H")).state
    fields = [field for form in GAME.offers(state) if form.event == "play" for field in form.fields]
    cards = [field.choices for field in fields if field.name == "card"]
    assert cards
    assert all("5H" not in choices and "5D" in choices for choices in cards)
    assert not any(field.required for field in fields if field.name == "card")


@pytest.mark.parametrize(("tricks", "offered"), [(0, True), (4, True), (5, False)])
def test_the_end_of_a_trick_is_offered_until_all_have_been_played(tricks: int, offered: bool) -> None:
    # M-13
    state = GAME.start(position={"deal": {"tricks": tricks}})
    assert [form.event for form in GAME.offers(state)].count("trick_over") == offered
    assert bool(play(transcript("trick", deal={"tricks": tricks})).refused) != offered
