"""Plays transcripts through a game's interface and compares with what a case expects.

A case file holds one case a line: `id`, `rules`, `transcript`, `expect`, `why`, `depends_on`. In `expect`: `score` at the
end; `refused`: transcript line numbers that must be refused (left out: none; null: not compared); `position`: a part that
must hold at the end (`{"any": […]}`: one of these; `{}`: empty); `over` (left out: not compared); `awards`: points by side
and rule over the whole transcript.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from controller.rules.awards import Ask, Award, Notice, Refusal
from controller.rules.game import Game
from controller.rules.registry import GAME_NAMES, find_game

CASES = Path(__file__).parent / "cases"
GAMES = [name for name in GAME_NAMES if (CASES / f"{name}.jsonl").exists()]
"""Games with adjudicated cases."""


def load_cases(name: str) -> list[dict[str, Any]]:
    """The cases of `tests/cases/NAME.jsonl`."""
    return [json.loads(line) for line in (CASES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines() if line.strip()]


def case_params(name: str) -> list[Any]:
    """The cases as pytest parameters that bear their ids."""
    return [pytest.param(case, id=case["id"]) for case in load_cases(name)]


@dataclass
class Played:
    """What came of a transcript."""

    game: Game[Any]
    state: Any
    awards: list[Award] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    asks: list[Ask] = field(default_factory=list)
    refused: dict[int, Refusal] = field(default_factory=dict)
    """By transcript line."""

    @property
    def position(self) -> dict[str, Any]:
        return self.game.position(self.state)

    @property
    def score(self) -> dict[str, int]:
        return self.game.score(self.state)

    def points(self) -> dict[tuple[str, str], int]:
        """Points summed by (side, rule), those that cancel left out."""
        return sum_awards((award.side, award.rule, award.points) for award in self.awards)


def sum_awards(awards: Iterable[tuple[str, str, int]]) -> dict[tuple[str, str], int]:
    summed: Counter[tuple[str, str]] = Counter()
    for side, rule, points in awards:
        summed[side, rule] += points
    return {key: points for key, points in summed.items() if points}


def play(transcript: list[dict[str, Any]]) -> Played:
    """Play a transcript, the game line first, as `tablemarker score` does."""
    first = transcript[0]
    game = find_game(first["game"])
    played = Played(game, game.start(first.get("options"), first.get("position")))
    for line, obj in enumerate(transcript[1:], start=2):
        outcome = game.apply(played.state, game.read(obj))
        if isinstance(outcome, Refusal):
            played.refused[line] = outcome
            continue
        played.state = outcome.state
        played.awards += outcome.awards
        played.notices += outcome.notices
        played.asks += outcome.asks
    return played


def difference(want: Any, got: Any, place: str = "") -> str | None:
    """Where `got` doesn't hold the part `want`; None when it does."""
    if isinstance(want, dict) and set(want) == {"any"}:
        return (
            None
            if any(difference(one, got) is None for one in want["any"])
            else f"{place}: {got!r}, wanted one of {want['any']!r}"
        )
    if isinstance(want, dict):
        if not isinstance(got, dict) or (got and not want):
            return f"{place}: {got!r}, wanted {want!r}"
        for key, item in want.items():
            if key not in got:
                return f"{place}.{key}: missing, wanted {item!r}"
            if found := difference(item, got[key], f"{place}.{key}"):
                return found
        return None
    # 1 == True in Python, but not in a transcript.
    same = want == got and isinstance(want, bool) == isinstance(got, bool)
    return None if same else f"{place}: {got!r}, wanted {want!r}"


def check_case(case: dict[str, Any]) -> None:
    """Assert that a case holds."""
    expect, played = case["expect"], play(case["transcript"])
    wrong: list[str | None] = []
    if "score" in expect:
        wrong.append(difference(expect["score"], played.score, "score"))
    refused = expect.get("refused", [])
    if refused is not None and refused != list(played.refused):
        said = "; ".join(f"{line}: {refusal.rule} {refusal.text}" for line, refusal in played.refused.items())
        wrong.append(f"refused {list(played.refused)}, wanted {refused} ({said})")
    if "position" in expect:
        wrong.append(difference(expect["position"], played.position, "position"))
    if "over" in expect:
        over = played.game.over(played.state)
        seen = over and {"winner": over.winner, "draw": over.draw, "double": over.double, "rule": over.rule}
        wrong.append(difference(expect["over"], seen, "over"))
    if "awards" in expect:
        wanted = sum_awards((a["side"], a["rule"], a["points"]) for a in expect["awards"])
        if wanted != played.points():
            wrong.append(f"awards {played.points()}, wanted {wanted}")
    opening = case["transcript"][0].get("position", {}).get("score", {})
    for side, points in played.score.items():
        total = opening.get(side, 0) + sum(a.points for a in played.awards if a.side == side)
        if total != points:
            wrong.append(f"score of {side} is {points}, its awards make {total}")
    found = [one for one in wrong if one]
    assert not found, f"{case['why']}\n" + "\n".join(found)
