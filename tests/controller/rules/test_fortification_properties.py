"""What holds in every game of fortification billiards, legal or not."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rules.awards import Refusal, Ruling
from controller.rules.fortification import Fortification
from controller.rules.fortification.options import OPTIONS
from controller.rules.fortification.state import State
from controller.rules.fortification.words import BALLS, FORTS, SIDES
from controller.rules.game import Form

GAME = Fortification()
Json = dict[str, Any]
Choose = Callable[[Sequence[Any]], Any]

OPTION_VALUES = {option.name: option.choices or (6, 20, 40) for option in OPTIONS}
POSITION_VALUES: dict[str, tuple[tuple[str, ...], tuple[Any, ...]]] = {
    "score": (SIDES, (-3, 0, 1, 14)),  # below zero points are owed (F-23)
    "pass": (SIDES, ("none", "made", "lapsed", "regular")),
    "forts": (FORTS, ("standing", "rung", "taken")),
    "unspotted": (BALLS, SIDES),
}


def some_options(choose: Choose) -> Json:
    return {name: choose(values) for name, values in OPTION_VALUES.items()}


def some_position(choose: Choose) -> Json:
    """A position of which each word may be left out."""
    position: Json = {}
    for word, (keys, values) in POSITION_VALUES.items():
        if choose((True, False)):
            position[word] = {key: choose(values) for key in keys if choose((True, False))}
    if choose((True, False)):
        position["turn"] = choose(SIDES)
    if choose((True, False)):
        position["english"] = choose(("A", "B", None))
    return position


def fill(form: Form, choose: Choose) -> Json:
    """A filling of a form: a choice for each closed field, several of its items for an open list."""
    event: Json = {"event": form.event}
    for field in form.fields:
        if not field.required and choose((True, False)):
            continue
        if field.kind == "choice":
            event[field.name] = choose(field.choices)
        elif field.kind == "list":
            event[field.name] = [choose(field.choices) for _ in range(choose((0, 1, 2, 2, 3, 5)))]
        else:
            event[field.name] = {"A": choose((0, 10, 250.5)), "B": choose((0, 10, 99))}
    return event


def step(state: State, event: Json, opening: dict[str, int], awarded: dict[str, int]) -> State:
    """Apply one event and check what must hold after any."""
    before = GAME.state_to_json(state)
    outcome = GAME.apply(state, GAME.read(event))
    assert GAME.write(GAME.read(event)) == event
    assert GAME.state_to_json(state) == before
    if isinstance(outcome, Refusal):
        assert outcome.rule.startswith(("FORT-", "F-"))
        assert outcome.text.endswith(".")
        return state
    for award in outcome.awards:
        assert award.points != 0
        awarded[award.side] += award.points
    after = outcome.state
    assert GAME.score(after) == {side: opening[side] + awarded[side] for side in SIDES}
    assert GAME.state_from_json(GAME.state_to_json(after)) == after
    position = GAME.position(after)
    assert GAME.position(GAME.start(None, position)) == position
    assert outcome.over == GAME.over(after)
    if outcome.over:
        assert GAME.offers(after) == ()
        assert outcome.over.winner in SIDES
    return after


def some_facts(draw: Choose, number: int) -> list[Json]:
    kinds = ("pass", "bell", "in_fort", "holed", "off_table", "on_fort", "on_cushion", "hit")
    facts = []
    for _ in range(number):
        fact = {"fact": draw(kinds), "ball": draw(BALLS)}
        fact |= {"fort": draw(FORTS)} if fact["fact"] in ("bell", "in_fort") else {}
        fact |= {"from": draw(("own_side", "enemy_side"))} if fact["fact"] == "pass" else {}
        fact |= {"cushion_first": draw((True, False))} if fact["fact"] == "hit" else {}
        facts.append(fact)
    return facts


def any_event(draw: Choose) -> Json:
    """Any event that can be read, whether it makes sense now or not."""
    kind = draw(("stroke", "stroke", "stroke", "lag", "colours_down", "respotted", "ball_lifted", "demand_respot", "ruling"))
    event: Json = {"event": kind}
    if kind == "stroke":
        event |= {"side": draw(SIDES), "ball": draw(BALLS), "facts": some_facts(draw, draw((0, 1, 2, 4)))}
        if draw((True, False)):
            event |= {"declared": "i_do_not_see", "hidden": draw((True, False))}
            event |= {"hidden_ball": draw(BALLS)} if draw((True, False)) else {}
    elif kind == "lag":
        event["distance_mm"] = {"A": draw((0, 10**400, 2.5)), "B": draw((0, 10**400, 2.5))}
        event["far_cushion"] = {"A": draw((True, False)), "B": draw((True, False))}
    elif kind == "colours_down":
        event |= {"of": draw((*FORTS, "english-pass", "french-pass")), "by": draw(SIDES)}
    elif kind == "ruling":
        event |= {"ask": "FORT-37a", "by": draw(("english", "marker")), "value": True}
    else:
        event |= {"ball": draw(BALLS)}
        event |= {"by": draw(SIDES)} if kind != "respotted" else {}
        event |= {"fort": draw(FORTS)} if kind == "ball_lifted" else {}
    return event


@settings(max_examples=150, deadline=None)
@given(chance=st.randoms(use_true_random=False))
def test_any_events_from_any_position(chance: random.Random) -> None:
    draw = chance.choice
    position = some_position(draw)
    state = GAME.start(some_options(draw), position)
    opening, awarded = GAME.score(state), dict.fromkeys(SIDES, 0)
    complete: Json = GAME.position(state)
    for word, given_words in position.items():
        for key, value in given_words.items() if isinstance(given_words, dict) else ():
            assert complete[word][key] == value
    for _ in range(draw((1, 3, 8))):
        state = step(state, any_event(draw), opening, awarded)


@settings(max_examples=100, deadline=None)
@given(chance=st.randoms(use_true_random=False))
def test_every_filling_of_a_closed_form_stands(chance: random.Random) -> None:
    draw = chance.choice
    state = GAME.start(some_options(draw), some_position(draw))
    opening, awarded = GAME.score(state), dict.fromkeys(SIDES, 0)
    for _ in range(draw((2, 6, 12))):
        forms = GAME.offers(state)
        if not forms:
            assert GAME.over(state)
            break
        form = draw(forms)
        event = fill(form, draw)
        if form.closed:
            assert isinstance(GAME.apply(state, GAME.read(event)), Ruling), event
        state = step(state, event, opening, awarded)


def test_every_closed_stroke_stands() -> None:
    for side in SIDES:
        state = GAME.start(position={"turn": side})
        for form in GAME.offers(state):
            if not form.closed:
                continue
            for number in range(max(len(field.choices) for field in form.fields)):
                event = {"event": form.event} | {f.name: f.choices[number % len(f.choices)] for f in form.fields}
                assert isinstance(GAME.apply(state, GAME.read(event)), Ruling), event


def test_play_by_offers_reaches_every_award() -> None:
    pays = {"06", "09a", "11", "12b", "18a", "19a", "22a", "25", "26", "27", "28", "29", "30", "31"}
    pays |= {"32b", "33", "34a", "34b", "36", "37b", "37c", "38a"}
    chance = random.Random(1822)
    reached: set[str] = set()
    for _ in range(3000):
        state = GAME.start(some_options(chance.choice), some_position(chance.choice))
        for _ in range(6):
            forms = GAME.offers(state)
            if not forms:
                break
            outcome = GAME.apply(state, GAME.read(fill(chance.choice(forms), chance.choice)))
            if isinstance(outcome, Ruling):
                state = outcome.state
                reached |= {award.rule for award in outcome.awards}
        if len(reached) == len(pays):
            break
    assert reached == {f"FORT-{rule}" for rule in pays}


def test_whole_games_by_offers_alone() -> None:
    """Two players who each time take the best of a few things that they might do play to the end."""
    chance = random.Random(38)
    for _ in range(5):
        state = GAME.start()
        while forms := GAME.offers(state):
            tries = [GAME.apply(state, GAME.read(fill(chance.choice(forms), chance.choice))) for _ in range(6)]
            side = GAME.turn(state)
            stood = [one for one in tries if isinstance(one, Ruling)]
            state = max(stood, key=lambda one: sum(a.points for a in one.awards if a.side == side)).state
        over = GAME.over(state)
        assert over is not None
        assert max(GAME.score(state).values()) >= 20
