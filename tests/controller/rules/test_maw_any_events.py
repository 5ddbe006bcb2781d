"""Maw under any well-formed events at all, from any position under any house rules: what each law says of the words alone."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rules.awards import Refusal, Ruling
from controller.rules.maw.game import Maw
from controller.rules.maw.state import QUESTIONS
from controller.rules.maw.words import SIDES, Speaker
from tests.legal_play import check_state, some_options, try_event

GAME = Maw()
Json = dict[str, Any]
OTHER = {"A": "B", "B": "A"}
AT_ANY_TIME = {"new_deal", "ruling"}
SET_LOST, DEAL_LOST, GAME_LOST = (1, 2), 4, (3, 5)

# Few cards, so that some lie twice, and the ace that laws hang on among them.
FEW = ("AH", "AH", "AH", "5S", "10D", "KC", "2H")
VALUES = (True, False, "yes", "no", "nobody", "A", "B", 0, 4, 4.0, 4.5, -1, "four")
SCORES = (-3, 0, 0, 5, 18, 19, 20, 22, 23, 24, 25, 26, 28)


def some(chance: Random, **fields: Sequence[Any]) -> Json:
    """Each field with one of its values, or left out."""
    return {name: chance.choice(values) for name, values in fields.items() if chance.random() < 0.6}


def some_position(chance: Random) -> Json:
    """A position that can stand, of which each word may be left out."""
    sides, none_or = (None, *SIDES), chance.choice((SIDES, (None,), (None, *SIDES)))
    running = some(chance, pending=none_or, led=none_or, tricks=(0, 0, 1, 4))
    deal = some(chance, asked=sides, crossed=(0, 1, 2, 3, 4), for_set=(None, None, *SIDES))
    deal |= {"over": True} if chance.random() < 0.1 else running
    return {"score": some(chance, A=SCORES, B=SCORES)} | ({"deal": deal} if chance.random() < 0.7 else {})


def any_event(chance: Random) -> Json:
    """An event that can be read, whether it makes sense or not. A set lost at once, which leaves little to see, is rare."""
    truth = (True, False)
    rob = {"has_ace": chance.choice(truth), **some(chance, same_card_back=truth, made_out_by=("robber", "mate"))}
    law = chance.choice((1, 2, 3, 4, 5) if chance.random() < 0.3 else (3, 4, 5))
    looked = some(chance, looked_at=("asked_card", "bottom_card"))
    offences: dict[int, Json] = {4: {"deals_again": chance.choice(truth)}, 5: looked}
    help_told = {"leads_help": True, "help_in_hand": chance.choice(truth)}
    kinds: dict[str, Json] = {
        "ask": {},
        "vie": help_told if chance.random() < 0.3 else some(chance, leads_help=(False,)),
        "pledge": {},
        "give_back": {},
        "lead": some(chance, card=FEW),
        "play": some(chance, card=FEW),
        "trick_over": {},
        "new_deal": {},
        "turn_up": {"card": chance.choice(FEW)},
        "rob": rob,
        "game_won": {},
        "offence": {"law": law, **offences.get(law, {})},
        "ruling": {"ask": chance.choice((*QUESTIONS, "MAW-01", "")), "value": chance.choice(VALUES)},
    }
    often = ("vie", "pledge", "pledge", "give_back", "lead", "play", "ask", "ruling")
    kind = chance.choice(often if chance.random() < 0.6 else tuple(kinds))
    by: Sequence[str] = get_args(Speaker) if kind == "ruling" else SIDES
    return {"event": kind, **kinds[kind], **({} if kind in ("trick_over", "new_deal") else {"by": chance.choice(by)})}


@settings(max_examples=400, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_any_events(seed: int) -> None:
    # Evenly drawn: from simple draws alone, hardly a vie is ever pledged.
    chance = Random(seed)
    options = some_options(chance, GAME)
    position = some_position(chance)
    state = GAME.start(options, position)
    check_state(GAME, state, options)
    for _ in range(25):
        event = any_event(chance)
        outcome = try_event(GAME, state, event)
        assert outcome is not None, event
        before, score = state, GAME.score(state)
        deal: Any = GAME.position(state)["deal"]
        over = GAME.over(before)
        if over is not None:
            assert isinstance(outcome, Refusal)
            assert outcome.rule == over.rule
            return
        house = GAME.read_options(options)
        if event["event"] in ("ask", "vie", "give_back"):
            assert isinstance(outcome, Ruling) == may_call(event, deal, score, house), (event, outcome)
        if isinstance(outcome, Ruling):
            state = outcome.state
            check_state(GAME, state, options)
            after: Json = GAME.position(state)
            stood(event, deal, after["deal"], {side: after["score"][side] - score[side] for side in SIDES}, house)
            in_the_open(options, outcome)
        else:
            refused(event, deal, GAME.asks(before))


def may_call(event: Json, deal: Any, score: Json, house: Json) -> bool:
    """Laws 10 to 15, in the public words."""
    by, other, kind = event["by"], OTHER[event["by"]], event["event"]
    if deal["over"]:
        return False
    if kind == "give_back":
        return bool(deal["pending"] == other and deal["crossed"] < 3)
    if kind == "vie":
        before_first = deal["asked"] == by and deal["tricks"] == 0
        on_a_help = event.get("leads_help") and event["help_in_hand"]
        return deal["pending"] is None and deal["led"] != by and deal["tricks"] < 5 and bool(on_a_help or not before_first)
    if deal["asked"] or deal["led"] or deal["tricks"]:
        return False
    livings, stake = house["out"] - house["livings"], worth(deal, house) + 1
    behind = score[other] >= house["out"] - house["game_value"] and score[by] < score[other]
    return bool(house["strict_seed"] or (score[by] + stake < livings and (behind or score[other] + stake < livings)))


def stood(event: Json, deal: Any, after: Any, gained: Json, house: Json) -> None:
    """What must have been so, in the public words, for an event to stand; and what it did."""
    kind, by, law = event["event"], str(event.get("by")), event.get("law")
    nothing = {"A": 0, "B": 0}
    if deal["over"]:
        assert kind in AT_ANY_TIME or law in (*SET_LOST, DEAL_LOST)
    if kind in ("ask", "vie"):
        assert after["asked" if kind == "ask" else "pending"] == by
    elif kind in ("pledge", "give_back"):
        assert deal["pending"] == OTHER[by]
        assert after["crossed"] == deal["crossed"] + (kind == "pledge")
        assert after["pending"] is None
    elif kind == "turn_up" and event["card"] == "AH":
        assert gained[by] == 4
        assert gained[OTHER[by]] in (0, house["livings"])
    elif kind == "game_won" or law in GAME_LOST:
        winner = by if kind == "game_won" else OTHER[by]
        points = 0 if house["strict_seed"] else worth(deal, house)
        deducted = law in GAME_LOST and house["loss"] == "deduct"
        assert gained == nothing | ({by: -points} if deducted else {winner: points})
    if kind in ("lead", "play", "trick_over", "new_deal", "ask", "vie", "pledge") or law in SET_LOST:
        assert gained == nothing
    if kind in ("game_won", "rob") or law in GAME_LOST:
        assert after["over"] or (kind == "rob" and event["has_ace"])


def worth(deal: Any, house: Json) -> int:
    """A game with its cards (M-03); a vie after three crossed has to be taken (MAW-12)."""
    forced = deal["pending"] is not None and deal["crossed"] >= 3
    return int(house["game_value"]) + (deal["asked"] is not None) + int(deal["crossed"]) + forced


def refused(event: Json, deal: Any, asks: Any) -> None:
    """What may never be refused while the set goes on."""
    kind, law = event["event"], event.get("law")
    assert kind != "new_deal"
    assert law not in (*SET_LOST, DEAL_LOST)
    if not deal["over"]:
        assert kind != "game_won"
        assert law != 3
        assert kind != "give_back" or not (deal["pending"] == OTHER[event["by"]] and deal["crossed"] < 3)
    if kind == "ruling" and event["by"] == "marker" and event["value"] in ("yes", "no"):
        assert not [ask for ask in asks if ask.ask == event["ask"] and True in ask.choices]


def in_the_open(options: Json, outcome: Ruling[Any]) -> None:
    """Whatever is asked can be answered by the marker; without `strict_seed` consent alone is asked."""
    if not options.get("strict_seed"):
        assert {ask.ask for ask in outcome.asks} <= {"MAW-09c"}
    for ask in outcome.asks:
        value = ask.choices[0] if ask.choices else 4
        answered = try_event(GAME, outcome.state, {"event": "ruling", "ask": ask.ask, "by": "marker", "value": value})
        assert isinstance(answered, Ruling), ask
