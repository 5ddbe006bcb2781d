"""What the rules leave to people, where the answers are few: asked as questions, answered by the `ruling` that says so.

An ask whose answer is a number is a form on the console alone: it has no choices to ask with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from controller.engine.fold import Step
from controller.rules.awards import Json
from controller.rules.game import Form, Game

ASK = "ask-"
"""The ids of these questions begin with it."""

_WORDS = {True: ("yes", "Yes"), False: ("no", "No")}


@dataclass(frozen=True, slots=True)
class RulesAsk:
    """One ask with its answers: by key, what people read and the event that says it. `rule`: which rule leaves it to them."""

    id: str
    rule: str
    text: str
    answers: Mapping[str, tuple[str, dict[str, Json]]]


def asked_by_rules(game: Game[Any], state: Any, steps: Sequence[Step]) -> tuple[RulesAsk, ...]:
    """What may be answered now. `steps`: the game so far, by which an ask is told from the one before it."""
    if not game.asks(state):
        return ()
    forms = [form for form in game.offers(state) if form.event == "ruling" and form.closed]
    return tuple(_ask(form, steps) for form in forms)


def _ask(form: Form, steps: Sequence[Step]) -> RulesAsk:
    fields = {field.name: field.choices for field in form.fields}
    (rule,) = map(str, fields["ask"])
    # Where it is one side's own answer, the marker only says what that side has said.
    by = "marker" if form.side is None else form.side
    said = [step.event.get("by") for step in steps if step.stood and step.event.get("ask") == rule]
    before = sum(form.side is None or who in (by, "marker") for who in said)
    of = "" if form.side is None else f"-{form.side}"
    answers: dict[str, tuple[str, dict[str, Json]]] = {}
    for value in fields["value"]:
        key, text = _WORDS[value] if isinstance(value, bool) else (str(value), str(value).capitalize())
        answers[key] = text, {"event": "ruling", "ask": rule, "by": by, "value": value}
    return RulesAsk(f"{ASK}{rule}{of}-{before + 1}", rule, form.title, answers)
