"""Which rules a game's code can put into an award: read from the code, so that a new one is wanted of the tests at once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from controller.rules.maw.questions import YES_NO, ask_of
from controller.rules.maw.state import Question, Waiting
from tests.legal_play import RULE_ID

RULES = Path(__file__).parents[3] / "controller/rules"

GIVERS = {
    "Award",
    # maw
    "gain",
    "loss",
    "Waiting",
    # fortification
    "win",
    "put_back",
    "lose",
    "_gain",
    "_fault",
    "append",
    # squails
    "_correct",
}
"""Calls that carry the rule of an award to it. `append` is that of fortification's `gains` and `losses`."""

ANSWERED_WITHOUT_POINTS = {one for one in Question.__args__ if ask_of(Waiting(one, "A")).choices == YES_NO}
"""Questions of maw that yes or no answers: no points come of them."""


def award_rules(name: str) -> set[str]:
    """The id of every rule that the code of a game names where it gives or takes points."""
    trees = [ast.parse(module.read_text(encoding="utf-8")) for module in (RULES / name).glob("*.py")]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call) and _called(node) in GIVERS]
    return {rule for call in calls for given in call.args for rule in _rules(given)} - ANSWERED_WITHOUT_POINTS


def _called(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _rules(node: ast.AST) -> Iterator[str]:
    """Rule ids in an expression, those in calls within it left to these."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and RULE_ID.fullmatch(node.value):
        yield node.value
    if not isinstance(node, ast.Call):
        for part in ast.iter_child_nodes(node):
            yield from _rules(part)
