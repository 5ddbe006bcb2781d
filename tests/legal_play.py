"""Plays any game by filling the forms that it offers, and tries what must not stand: shared by the tests of the rules.

Every function takes a `random.Random`, so that Hypothesis (`st.randoms(use_true_random=False)`) and plain loops can both
drive it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

from controller.rules.awards import Refusal, Ruling
from controller.rules.errors import BadEvent, BadOption, BadPosition
from controller.rules.game import Field, Form, Game, Option
from tests.rules_kit import load_cases

Json = dict[str, Any]
RULE_ID = re.compile(r"(BAG|FORT|SQU|MAW|B|F|S|M)-\d{2}[a-z]?\d?")


def option_values(option: Option) -> list[Any]:
    """Some values that an option takes; a default of None is one that is left out."""
    values = option.choices or (option.least, min(option.least + 3, option.most or option.least + 3), option.default)
    return [value for value in values if value is not None]


def some_options(chance: Random, game: Game[Any]) -> Json:
    """House rules, each with some of its values, most left at their default."""
    return {option.name: chance.choice(option_values(option)) for option in game.options if chance.random() < 0.3}


@cache
def openings(name: str) -> list[Json]:
    """The game lines of a game's cases: options and positions that make sense."""
    return [case["transcript"][0] for case in load_cases(name)]


MORE_WORDS: dict[str, list[Json]] = {
    "bagatelle": [
        {"event": "turn", "side": "A"},
        {"event": "turn", "side": "B", "cups": {"9": "black"}},
        {"event": "end_turn", "side": "B"},
        {"event": "end_turn", "cups": {"9": "white-1", "8": "black"}},
        {"event": "shot", "ball": "black", "hit_black": True, "moves": []},
        {"event": "shot", "ball": "red-1", "hit_black": True, "moves": [], "from": "behind_b", "side": "B"},
        {
            "event": "shot",
            "ball": "red-2",
            "hit_black": False,
            "moves": [{"ball": "red-2", "to": "short"}],
            "cups": {"1": "red-2"},
        },
        {
            "event": "shot",
            "ball": "white-3",
            "hit_black": False,
            "moves": [{"ball": "black", "to": "off_table"}],
            "from": "ahead_of_b",
        },
        {"event": "ruling", "ask": "MAW-09c", "by": "A", "value": True},
    ],
    "maw": [
        {"event": "ruling", "ask": "MAW-09c", "by": "A", "value": False},
        {"event": "ruling", "ask": "MAW-09c", "by": "marker", "value": True},
        {"event": "ruling", "ask": "M-13", "by": "marker", "value": 5},
        {"event": "ruling", "ask": "MAW-04a", "by": "B", "value": "nobody"},
        {"event": "trick_over"},
        {"event": "play", "by": "A", "card": "5H"},
    ],
}
"""Well-formed events that a game's cases have none of."""


@cache
def vocabulary(name: str) -> dict[str, list[Json]]:
    """Events of a game's cases, and some more, by kind: well-formed, and out of place nearly anywhere else."""
    events: dict[str, list[Json]] = {}
    known = [event for case in load_cases(name) for event in case["transcript"][1:]]
    for event in known + MORE_WORDS.get(name, []):
        events.setdefault(event["event"], []).append(event)
    return events


def some_start(chance: Random, game: Game[Any]) -> tuple[Any, Json]:
    """A first state with its options: of a case, or of a whole game under some house rules."""
    if chance.random() < 0.6:
        opening = chance.choice(openings(game.name))
        options = opening.get("options", {})
        return game.start(options, opening.get("position")), options
    while True:
        options = some_options(chance, game)
        try:
            return game.start(options), options
        except BadOption:
            continue  # two house rules that can't stand together


def filling(chance: Random, form: Form, opened: Callable[[Random, Form, Field], Any] | None = None) -> Json | None:
    """One filling of a form; None if it has a field that is required and that only `opened` could fill."""
    event: Json = {"event": form.event}
    for field in form.fields:
        if not field.required and chance.random() < 0.5:
            continue
        if field.kind == "choice":
            event[field.name] = chance.choice(field.choices)
        elif field.kind == "list" and field.choices:
            event[field.name] = [chance.choice(field.choices) for _ in range(chance.choice((0, 1, 1, 2, 3)))]
        else:
            value = opened(chance, form, field) if opened else None
            if value is not None:
                event[field.name] = value
            elif field.required:
                return None
    return event


def from_the_cases(game: Game[Any]) -> Callable[[Random, Form, Field], Any]:
    """Fills open fields with what the cases have there."""

    def opened(chance: Random, form: Form, field: Field) -> Any:
        known = [event[field.name] for event in vocabulary(game.name).get(form.event, ()) if field.name in event]
        return chance.choice(known) if known else None

    return opened


def stray_event(chance: Random, game: Game[Any]) -> Json:
    """A well-formed event of the cases, here most likely out of place; often with fields mixed from two of its kind."""
    events = chance.choice(sorted(vocabulary(game.name).items()))[1]
    first, second = chance.choice(events), chance.choice(events)
    return {name: second.get(name, value) if chance.random() < 0.4 else value for name, value in (second | first).items()}


def try_event(game: Game[Any], state: Any, event: Json) -> Ruling[Any] | Refusal | None:
    """Apply an event and check what must hold of any; None if it can't be read at all."""
    try:
        typed = game.read(event)
    except BadEvent:
        return None
    assert game.read(game.write(typed)) == typed
    before = game.state_to_json(state)
    outcome = game.apply(state, typed)
    assert game.state_to_json(state) == before
    if isinstance(outcome, Refusal):
        assert RULE_ID.fullmatch(outcome.rule), outcome
        assert outcome.text.endswith("."), outcome
        return outcome
    after = outcome.state
    expected = game.score(state)
    for award in outcome.awards:
        assert award.points != 0, award
        assert RULE_ID.fullmatch(award.rule), award
        assert award.why.endswith("."), award
        expected[award.side] += award.points
    assert game.score(after) == expected
    assert outcome.over == game.over(after)
    assert outcome.unbanked == game.unbanked(after)
    for notice in outcome.notices:
        assert RULE_ID.fullmatch(notice.rule), notice
        assert notice.text.endswith("."), notice
    return outcome


def check_state(game: Game[Any], state: Any, options: Json) -> None:
    """What must hold in any state that can be reached."""
    written = json.loads(json.dumps(game.state_to_json(state)))
    assert game.state_from_json(written) == state
    position = json.loads(json.dumps(game.position(state)))
    assert contains(game.position(game.start(options, position)), position)
    assert position["score"] == game.score(state)
    turn, sides = game.turn(state), game.sides(state)
    assert turn is None or turn in sides
    assert tuple(game.score(state)) == sides
    for ask in game.asks(state):
        assert RULE_ID.fullmatch(ask.ask), ask


def contains(whole: Any, part: Any) -> bool:
    """Whether a position says all that another says."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(name in whole and contains(whole[name], value) for name, value in part.items())
    return bool(whole == part)


def play_on(chance: Random, game: Game[Any], state: Any, steps: int) -> Iterator[tuple[Json, Ruling[Any]]]:
    """Play by filling offers, and try stray events after every step; gives each event that stood with its ruling.

    Every filling of a closed form must stand.
    """
    opened = from_the_cases(game)
    for _ in range(steps):
        forms = game.offers(state)
        event = filling(chance, chance.choice(forms), opened) if forms and chance.random() < 0.8 else stray_event(chance, game)
        if event is None:
            continue
        outcome = try_event(game, state, event)
        if isinstance(outcome, Ruling):
            state = outcome.state
            yield event, outcome


def some_position_under_any_house_rules(chance: Random, game: Game[Any]) -> Any:
    """A first state: the position of a case, each house rule as likely as not at another of its values."""
    while True:
        opening = chance.choice(openings(game.name))
        other = {option.name: chance.choice(option_values(option)) for option in game.options if chance.random() < 0.5}
        try:
            return game.start(opening.get("options", {}) | other, opening.get("position"))
        except (BadOption, BadPosition):
            continue  # a position that can't be under these


def play_by_offers(chance: Random, game: Game[Any], state: Any, steps: int) -> Iterator[tuple[Json, Ruling[Any]]]:
    """Play by filling offers and nothing else; gives each event that stood with its ruling. Ends where nothing is offered.

    Maw's ace of hearts, one choice of 52 on which laws hang, comes every other time.
    """
    opened = from_the_cases(game)
    for _ in range(steps):
        forms = game.offers(state)
        event = filling(chance, chance.choice(forms), opened) if forms else None
        if event is None:
            continue
        if event["event"] == "turn_up" and chance.random() < 0.5:
            event["card"] = "AH"
        outcome = game.apply(state, game.read(event))
        if isinstance(outcome, Ruling):
            state = outcome.state
            yield event, outcome


def a_closed_filling(chance: Random, game: Game[Any], state: Any) -> Json | None:
    """A filling of a closed form, which must stand; None where none is offered."""
    forms = [form for form in game.offers(state) if form.closed]
    return filling(chance, chance.choice(forms)) if forms else None
