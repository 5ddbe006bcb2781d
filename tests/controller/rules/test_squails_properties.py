"""What holds in every game of squails, legal or not."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rules.awards import Refusal, Ruling
from controller.rules.errors import BadEvent, BadOption, BadPosition
from controller.rules.game import Form
from controller.rules.squails.game import Squails
from controller.rules.squails.options import OPTIONS
from controller.rules.squails.state import State
from controller.rules.squails.words import PLAYERS, SIDES, SQUAILS, seats
from tests.rules_kit import difference

GAME = Squails()
Json = dict[str, Any]
Choose = Callable[[Sequence[Any]], Any]

OPTION_VALUES: dict[str, Sequence[Any]] = {option.name: option.choices for option in OPTIONS}
OPTION_VALUES |= {"target": (3, 5, 11), "players": range(2, 9), "gauge_mm": (50.8, 76.2), "squails_each": (1, 2, 3, 8)}
GAPS = (None, 0, 5, 12.7, 12.7, 30, 50.8, 76.2, 76.3, 150)
STATUSES = ("in_hand", "in_hand", "short", "played", "over", "claimable", "out", "null")
TARGETS = ("centre", "moved", "unsteady", "out")
AWARD_RULES = {"SQU-09", "SQU-10", "SQU-17", "SQU-18", "SQU-19", "SQU-23", "SQU-26"}


def some_options(choose: Choose) -> Json:
    return {name: choose(values) for name, values in OPTION_VALUES.items() if choose((True, True, False))}


def some_position(choose: Choose, options: Json) -> Json:
    """A position of which each word may be left out; some can't stand."""
    given_options = GAME.read_options(options)
    table = seats(given_options["players"], given_options["squails_each"])
    words: Json = {
        "score": {side: choose((0, 1, 2)) for side in table.sides if choose((True, False))},
        "round": choose((1, 2, 7)),
        "to_play": choose((None, *table.players)),
        "next_begins": choose((None, None, None, *table.players, *table.sides)),
        "target": choose(TARGETS),
        "squails": {squail: choose(STATUSES) for squail in table.squails if choose((True, False))},
    }
    words["replay"] = [one for one, status in words["squails"].items() if status == "claimable" and choose((True, False))]
    return {word: value for word, value in words.items() if value not in ({}, []) and choose((True, False))}


def gaps_for(names: Sequence[str], choose: Choose) -> Json:
    return {name: choose(GAPS) for name in names if choose((True, True, True, False))}


def fill(state: State, form: Form, choose: Choose) -> Json:
    """A filling of a form; the open ones are distances."""
    event: Json = {"event": form.event}
    for field in form.fields:
        if field.kind == "choice":
            if field.required or choose((True, False, False)):
                event[field.name] = choose(field.choices)
        else:
            names = state.seats.sides if form.event == "lead_trial" else state.seats.squails
            event[field.name] = gaps_for(names, choose)
    return event


def any_event(choose: Choose, state: State) -> Json:
    """An event that can be read, most often with names of this game, whether it makes sense or not."""
    here = choose((True, True, True, False))
    squails, players, sides = (
        state.seats.squails if here else SQUAILS,
        state.seats.players if here else PLAYERS,
        state.seats.sides,
    )
    sides = sides if here else SIDES
    squail, player, side, truth = choose(squails), choose(players), choose(sides), choose((True, False))
    strike = {"event": "strike", "player": player, "squail": squail}
    events: list[Json] = [
        {"event": "lead_trial", "gaps_mm": gaps_for(sides, choose)},
        strike,
        {**strike, "in_from_edge_mm": choose((-20, 50, 10**400)), "target": choose(("still", "moved", "unsteady", "out"))},
        {**strike, "crossed_far_line": truth, "rose": choose((True, False, False, False))},
        {"event": "take_back", "squail": squail},
        {"event": "cry_out", "squail": squail, "by": side},
        {"event": "claim_replay", "squail": squail, "by": side},
        {"event": "stand_target", "by": player, "where": choose(("as_found", "elsewhere"))},
        {"event": "round_end", "gaps_mm": {**gaps_for(squails, choose), **choose(({}, {squail: -1}, {squail: 10**400}))}},
        {"event": "claim", "by": player, "count": choose((-1, 0, 1, 2, 9))},
        {"event": "dispute", "by": player},
        {"event": "allow", "by": player},
        {"event": "gauge", "squail": squail, "touches": truth},
        {"event": "touch", "squails": [squail, choose(squails)], "by": side},
        {"event": "new_round", "target_at": choose(("centre", "elsewhere"))},
        {"event": "ruling", "ask": "SQU-02", "by": side, "value": truth},
    ]
    return dict(choose(events))


def step(state: State, event: Json, opening: dict[str, int], awarded: dict[str, int]) -> tuple[State, Ruling[State] | Refusal]:
    """Apply one event and check what must hold after any."""
    before = GAME.state_to_json(state)
    outcome = GAME.apply(state, GAME.read(event))
    assert GAME.state_to_json(state) == before
    if isinstance(outcome, Refusal):
        assert outcome.rule.startswith(("SQU-", "S-"))
        assert outcome.text.endswith(".")
        return state, outcome
    after = outcome.state
    for award in outcome.awards:
        assert award.points != 0
        awarded[award.side] += award.points
    assert GAME.score(after) == {side: opening[side] + awarded[side] for side in opening}
    assert min(after.score) >= 0
    assert outcome.over == GAME.over(after)
    assert GAME.state_from_json(GAME.state_to_json(after)) == after
    position: Json = GAME.position(after)
    assert difference(position, GAME.position(GAME.start(asdict(after.house), position))) is None
    return after, outcome


def walk(choose: Choose, state: State, steps: int) -> None:
    """Play forms and stray events by turns."""
    opening = GAME.score(state)
    awarded = dict.fromkeys(opening, 0)
    for _ in range(steps):
        offered = GAME.offers(state)
        if offered and choose((True, True, True, False)):
            form = choose(offered)
            after, outcome = step(state, fill(state, form, choose), opening, awarded)
            assert not (form.closed and isinstance(outcome, Refusal)), (form, outcome)
        else:
            after, outcome = step(state, any_event(choose, state), opening, awarded)
        state = after


@settings(max_examples=60, deadline=None)
@given(chance=st.randoms(use_true_random=False))
def test_whatever_happens_from_the_start(chance: random.Random) -> None:
    walk(chance.choice, GAME.start(some_options(chance.choice)), 40)


@settings(max_examples=100, deadline=None)
@given(chance=st.randoms(use_true_random=False))
def test_whatever_happens_from_any_position(chance: random.Random) -> None:
    options = some_options(chance.choice)
    position = some_position(chance.choice, options)
    try:
        state = GAME.start(options, position)
    except BadPosition:
        return
    if position:  # in a case, {} means that nothing is there
        assert difference(position, GAME.position(state)) is None
    walk(chance.choice, state, 15)


def fillings(form: Form) -> Iterator[Json]:
    """Every filling of a form whose fields are all closed choices."""
    ways = [[*([] if field.required else [{}]), *({field.name: one} for one in field.choices)] for field in form.fields]
    for parts in itertools.product(*ways):
        yield {"event": form.event} | {name: value for part in parts for name, value in part.items()}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_filling_of_every_closed_form_stands(players: int) -> None:
    chance = random.Random(players)
    for _ in range(6):
        state = GAME.start({"players": players, "squails_each": chance.choice((1, 2, 3)), "target": 3})
        for _ in range(25):
            closed = [event for form in GAME.offers(state) if form.closed for event in fillings(form)]
            for event in closed:
                assert isinstance(GAME.apply(state, GAME.read(event)), Ruling), event
            if not closed:
                break
            outcome = GAME.apply(state, GAME.read(chance.choice(closed)))
            state = outcome.state if isinstance(outcome, Ruling) else state


def test_play_by_offers_reaches_every_award() -> None:
    chance = random.Random(1857)
    reached: set[str] = set()
    for _ in range(2000):
        state = GAME.start(some_options(chance.choice))
        for _ in range(25):
            forms = GAME.offers(state)
            if not forms:
                break
            outcome = GAME.apply(state, GAME.read(fill(state, chance.choice(forms), chance.choice)))
            if isinstance(outcome, Ruling):
                state = outcome.state
                reached |= {award.rule for award in outcome.awards}
        if reached == AWARD_RULES:
            break
    assert reached == AWARD_RULES


def test_whole_games_by_offers_alone() -> None:
    chance = random.Random(5)
    for players in range(2, 9):
        state = GAME.start({"players": players})
        for _ in range(4000):
            forms = [form for form in GAME.offers(state) if form.event not in ("touch", "claim") or chance.random() < 0.1]
            if not forms or GAME.over(state):
                break
            outcome = GAME.apply(state, GAME.read(fill(state, chance.choice(forms), chance.choice)))
            state = outcome.state if isinstance(outcome, Ruling) else state
        over = GAME.over(state)
        assert over is not None
        assert GAME.score(state)[str(over.winner)] >= 5


@pytest.mark.parametrize(
    "event",
    [
        {"event": "strike", "player": "light-2", "squail": "light-s1"},
        {"event": "strike", "player": "light-1", "squail": "light-s3"},
        {"event": "claim", "by": "A", "count": 1},
        {"event": "round_end", "gaps_mm": {"A-s1": 3}},
        {"event": "touch", "squails": ["light-s1", "dark-s3"], "by": "light"},
        {"event": "lead_trial", "gaps_mm": {"light": 3, "A": 4}},
    ],
)
def test_names_that_this_game_has_not(event: Json) -> None:
    state = GAME.start({"squails_each": 2})
    with pytest.raises(BadEvent, match="isn't in this game"):
        GAME.read_in(state, event)
    assert isinstance(GAME.apply(state, GAME.read(event)), Refusal)


@pytest.mark.parametrize(
    ("event", "says"),
    [
        (
            {"event": "strike", "player": "light-2", "squail": "light-s1"},
            "strike: 'light-2' isn't in this game; did you mean 'light-1'? Allowed: light-1, dark-1, light, dark",
        ),
        (
            {"event": "cry_out", "squail": "light-s1", "by": "A"},
            "cry_out: 'A' isn't in this game; allowed: light-1, dark-1, light, dark",
        ),
        (
            {"event": "strike", "player": "light-1", "squail": "light-s3"},
            "strike: 'light-s3' isn't in this game; did you mean 'light-s2'? Allowed: light-s1, light-s2, dark-s1, dark-s2",
        ),
    ],
)
def test_a_name_that_this_game_has_not_is_told_with_those_of_its_kind(event: Json, says: str) -> None:
    with pytest.raises(BadEvent) as error:
        GAME.read_in(GAME.start({"squails_each": 2}), event)
    assert str(error.value) == says


@pytest.mark.parametrize(
    "event",
    [
        {"event": "strike", "player": "light-5", "squail": "light-s1"},
        {"event": "strike", "player": "light-1", "squail": "light-s9"},
        {"event": "cry_out", "squail": "light-s1", "by": "light-1"},
        {"event": "claim", "by": "light", "count": 1},
        {"event": "claim", "by": "light-1", "count": 1.5},
        {"event": "strike", "player": "light-1", "squail": "light-s1", "target": "gone"},
        {"event": "new_round"},
    ],
)
def test_names_and_values_that_no_game_has(event: Json) -> None:
    with pytest.raises(BadEvent):
        GAME.read(event)


@pytest.mark.parametrize(
    "options",
    [
        {"players": 1},
        {"players": 9},
        {"squails_each": 9},
        {"squails_each": None},
        {"gauge_mm": 0.5},
        {"gauge_mm": "3in"},
        {"level": "both"},
    ],
)
def test_house_rules_that_no_house_has(options: Json) -> None:
    with pytest.raises(BadOption):
        GAME.start(options)


@pytest.mark.parametrize(
    "position",
    [
        {"to_play": "light-2"},
        {"to_play": "light"},
        {"score": {"A": 1}},
        {"score": {"light": -1}},
        {"round": 0},
        {"squails": {"light-s3": "out"}},
        {"squails": {"light-s1": "lost"}},
        {"replay": ["light-s1", "light-s1"]},
        {"replay": ["light-s1"], "squails": {"light-s1": "out"}},
        {"to_play": "dark-1", "next_begins": "light"},
        {"to_play": "dark-1", "target": "out"},
        {"replay": ["light-s1"], "next_begins": "light"},
        {"replay": ["light-s1"], "target": "out"},
        {"to_play": "dark-1", "squails": {"dark-s1": "played", "dark-s2": "out"}},
        {"to_play": "dark-1", "squails": dict.fromkeys(("light-s1", "light-s2", "dark-s1", "dark-s2"), "played")},
        {"balls": 3},
    ],
)
def test_positions_that_cannot_stand(position: Json) -> None:
    with pytest.raises(BadPosition):
        GAME.start({"squails_each": 2}, position)


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("score", {"A": 1}),
        ("to_play", "light-2"),
        ("next_begins", "light-2"),
        ("squails", {"light-s3": "out"}),
        ("replay", ["light-s3"]),
    ],
)
def test_a_stranger_in_a_position_is_named_with_its_place(place: str, said: Any) -> None:
    with pytest.raises(BadPosition, match=rf"position\.{place}: '.+' isn't in this game"):
        GAME.start({"squails_each": 2}, {place: said})


def test_options_of_a_running_game_open_another() -> None:
    options = GAME.read_options({"players": 5})
    assert options["squails_each"] == 3
    assert GAME.start(options) == GAME.start({"players": 5})
    assert all(option.text and option.item for option in OPTIONS)
