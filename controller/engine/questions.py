"""Which questions are open, which matter, and what hangs on them."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from controller.engine.fold import End, Entry, Fold, at_stake, combinations, first_unknown
from controller.rules.awards import Json
from controller.rules.game import Game
from controller.rules.shapes import to_json
from controller.tables.table import Choice, Question


@dataclass(frozen=True, slots=True)
class Stake:
    """The most that an answer would change: points by side, and whether the end of the game hangs on it.

    `pending`: points by side that are at stake in a turn still out; `turn`: whose turn it is. With none of these another answer
    only changes what may be played from here on.
    """

    points: dict[str, int]
    end: bool
    pending: dict[str, int] = field(default_factory=dict)
    turn: bool = False

    @property
    def size(self) -> tuple[bool, int, int, bool]:
        """For comparing: the end of the game weighs more than any points, and points more than what is at stake."""
        return self.end, sum(map(abs, self.points.values())), sum(map(abs, self.pending.values())), self.turn


@dataclass(frozen=True, slots=True)
class Settled:
    """How the unknowns are filled now, and what is still open.

    `asked`: due questions that matter, those first whose answers the table takes itself. `provisional`: an open answer could
    change score, turn or winner.
    """

    binds: dict[str, Json]
    asked: tuple[Question, ...]
    provisional: bool
    hangs: dict[str, Stake]
    """By question that matters: the most that its answer alone would change; one that matters with others alone has none."""


def settle(
    fold: Fold, entries: Sequence[Entry], questions: Sequence[Question], answers: dict[str, str], known: Mapping[str, Json]
) -> Settled:
    """Fill the unknowns: with the answers; else with the fill under which most events stand, the likely choice first.

    `known`: what they were by the questions of before, for those of which the questions of now say nothing.
    """
    binds: dict[str, Json] = dict(known)
    of_tables = tuple(q for q in questions if q.due and taken_by_table(q) and find_choice(q, answers.get(q.id)) is None)
    waiting: list[Question] = []
    used = frozenset[str]().union(*(entry.unknown for entry in entries))
    for question in questions:
        if not any(name in used for choice in question.choices for name in choice.binds):
            continue
        # Of one choice nothing is open.
        only = question.choices[0] if len(question.choices) == 1 else None
        answered = find_choice(question, answers.get(question.id)) or only
        if answered is None:
            waiting.append(question)
        else:
            binds.update(answered.binds)
    if not waiting:
        return Settled(binds, of_tables, provisional=bool(of_tables), hangs={})

    names = frozenset(name for q in waiting for choice in q.choices for name in choice.binds)
    start = first_unknown(entries, names)
    likely = tuple(q.likely for q in waiting)
    tried = list(combinations([[c.key for c in q.choices] for q in waiting], likely))
    ends = fold.try_out(entries, (binds | _bound(waiting, keys) for keys in tried), start)
    outcomes = dict(zip(tried, ends, strict=True))
    # A sensor event that stands under one answer alone is evidence for it; between equals the most likely answers are first.
    chosen = max(outcomes, key=lambda keys: (sum(outcomes[keys][1]), sum(map(operator.eq, keys, likely))))
    settled = _what_hangs(fold.game, waiting, outcomes, chosen, binds | _bound(waiting, chosen))
    return replace(settled, asked=of_tables + settled.asked, provisional=settled.provisional or bool(of_tables))


Outcomes = dict[tuple[str, ...], End]
"""By the answers tried."""


def _what_hangs(
    game: Game[Any], waiting: Sequence[Question], outcomes: Outcomes, chosen: tuple[str, ...], binds: dict[str, Json]
) -> Settled:
    state, stood = outcomes[chosen]
    shown = (game.score(state), game.turn(state), game.over(state))
    matters: set[str] = set()
    hangs: dict[str, Stake] = {}
    provisional = False
    for keys, (other, other_stood) in outcomes.items():
        if other == state and other_stood == stood:
            continue
        changed = [q.id for q, key, now in zip(waiting, keys, chosen, strict=True) if key != now]
        matters.update(changed)
        if (game.score(other), game.turn(other), game.over(other)) != shown:
            provisional = True
        if len(changed) == 1:
            stake = _stake(game, state, other)
            hangs[changed[0]] = max(hangs.get(changed[0], stake), stake, key=lambda one: one.size)
    asked = tuple(q for q in waiting if q.id in matters and q.due)
    return Settled(binds, asked, provisional, hangs)


def fills_nothing(question: Question) -> bool:
    """Whether no answer to it fills an unknown."""
    return not any(choice.binds for choice in question.choices)


def taken_by_table(question: Question) -> bool:
    """Whether it is a question whose answer its table takes itself. A doubt has one answer alone, and so has what is settled."""
    return len(question.choices) > 1 and fills_nothing(question)


def find_choice(question: Question, key: str | None) -> Choice | None:
    """The choice of that key; None where there is none now."""
    return next((choice for choice in question.choices if choice.key == key), None)


def in_force(question: Question, binds: Mapping[str, Json]) -> Choice:
    """The choice by which a game stands with these binds, or would if nobody answered: the likely one, unless only others fit."""
    fits = [choice for choice in question.choices if all(binds.get(name) == value for name, value in choice.binds.items())]
    likely = find_choice(question, question.likely) or question.choices[0]
    return likely if likely in fits or not fits or question.firm else fits[0]


def _bound(questions: Sequence[Question], keys: Sequence[str]) -> dict[str, Json]:
    binds: dict[str, Json] = {}
    for question, key in zip(questions, keys, strict=True):
        choice = find_choice(question, key)
        assert choice is not None
        binds.update(choice.binds)
    return binds


def _stake(game: Game[Any], state: Any, other: Any) -> Stake:
    points = _changes(game.score(state), game.score(other))
    pending = _changes(at_stake(game, state), at_stake(game, other))
    return Stake(points, game.over(state) != game.over(other), pending, game.turn(state) != game.turn(other))


def _changes(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    sides = dict.fromkeys([*before, *after])
    return {side: after.get(side, 0) - before.get(side, 0) for side in sides if after.get(side, 0) != before.get(side, 0)}


def read_question(body: dict[str, Any]) -> Question:
    """The question of a journal record."""
    choices = tuple(Choice(c["key"], c["text"], dict(c["binds"])) for c in body["choices"])
    return Question(
        body["id"], body["text"], choices, body["likely"], body["due"], tuple(body.get("evidence", ())), body.get("firm", False)
    )


def question_body(question: Question) -> dict[str, Json]:
    """A question as the journal keeps it."""
    body: dict[str, Json] = to_json(question)
    for name in ("evidence", "firm"):
        if not getattr(question, name):
            # As journals had it before questions told these.
            del body[name]
    return body
