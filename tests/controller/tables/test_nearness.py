"""Distances within their errors: whatever is true, true answers give the true count, and nothing is asked in vain."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules.squails.game import Squails
from controller.tables.nearness import Gap, Judged, judge
from controller.tables.table import Question

GAUGE = 76.2
Truth = dict[str, float]

gap = st.floats(0, 120).map(lambda mm: round(mm, 2))


@st.composite
def rounds(draw: st.DrawFn) -> tuple[list[Gap], Truth]:
    """Measured distances, and the true ones within their errors."""
    error = draw(st.sampled_from([0.0, 0.5, 2.0, 6.0]))
    crowded = draw(st.booleans())
    gaps, truth = [], {}
    for side in ("light", "dark"):
        for n in range(1, draw(st.integers(0, 3)) + 1):
            name = f"{side}-s{n}"
            true = draw(st.floats(70, 82) if crowded else gap)
            off = draw(st.floats(-error, error))
            truth[name] = round(true, 2)
            gaps.append(Gap(name, side, max(0.0, round(true + off, 2)), error + 0.01))
    return gaps, truth


def counted(gaps: dict[str, Any], level: str) -> dict[str, int]:
    """What the rules make of these distances."""
    game = Squails()
    state = game.start({"level": level, "target": 99})
    ruling = game.apply(state, game.read_in(state, {"event": "round_end", "gaps_mm": gaps}))
    return game.score(ruling.state)  # type: ignore[union-attr]  # a round may always be measured


def true_names(truth: Truth, level: str) -> set[str]:
    """The squails that count."""
    ranked = sorted((mm, name) for name, mm in truth.items())
    if not ranked:
        return set()
    nearest = ranked[0][0]
    leaders = {name.split("-")[0] for mm, name in ranked if mm == nearest}
    if len(leaders) > 1:
        return {name for mm, name in ranked if level == "split" and mm == nearest <= GAUGE}
    limit = min((mm for mm, name in ranked if name.split("-")[0] not in leaders), default=999.0)
    return {name for mm, name in ranked if mm < limit and mm <= GAUGE}


def answer(question: Question, truth: Truth, level: str) -> dict[str, Any]:
    if question.id.startswith("gauge-"):
        wanted = "yes" if truth["-".join(question.id.split("-")[-2:])] <= GAUGE else "no"
    else:
        wanted = "+".join(sorted(true_names(truth, level))) or "none"
    chosen = [choice for choice in question.choices if choice.key == wanted]
    assert chosen, f"{wanted} is no choice of {[choice.key for choice in question.choices]}"
    return dict(chosen[0].binds)


def filled(judged: Judged, binds: dict[str, Any]) -> dict[str, Any]:
    return {name: binds.get(str(value), value) for name, value in judged.gaps.items()}


@given(rounds(), st.sampled_from(["none", "split"]))
def test_true_answers_give_the_true_count(given_round: tuple[list[Gap], Truth], level: str) -> None:
    gaps, truth = given_round
    judged = judge(gaps, GAUGE, level, "1")
    binds: dict[str, Any] = {}
    for question in judged.questions:
        binds |= answer(question, truth, level)
    assert counted(filled(judged, binds), level) == counted(truth, level)


@given(rounds())
def test_the_likely_answers_are_what_was_measured(given_round: tuple[list[Gap], Truth]) -> None:
    gaps, _ = given_round
    judged = judge(gaps, GAUGE, "none", "1")
    binds: dict[str, Any] = {}
    for question in judged.questions:
        binds |= next(dict(choice.binds) for choice in question.choices if choice.key == question.likely)
    assert counted(filled(judged, binds), "none") == counted({gap.squail: gap.mm for gap in gaps}, "none")


@given(rounds())
def test_without_errors_nothing_is_asked(given_round: tuple[list[Gap], Truth]) -> None:
    gaps, _ = given_round
    exact = [Gap(one.squail, one.side, one.mm, 0.0) for one in gaps]
    different = {one.mm for one in exact}
    if len(different) == len(exact) and GAUGE not in different:
        assert judge(exact, GAUGE, "none", "1").questions == ()


@pytest.mark.parametrize(
    ("light", "dark", "asked"),
    [
        ([10.0], [40.0], []),
        ([75.5], [150.0], ["gauge-1-light-s1"]),
        ([150.0, 160.0], [151.0], []),
        ([10.0, 76.0], [40.0], []),
        ([10.0, 30.0], [31.0], ["near-1"]),
        ([30.0], [31.0], ["near-1"]),
        ([75.5], [76.5], ["near-1"]),
        ([10.0, 76.0, 77.0], [90.0], ["gauge-1-light-s2", "gauge-1-light-s3"]),
    ],
)
def test_what_is_asked(light: list[float], dark: list[float], asked: list[str]) -> None:
    gaps = [Gap(f"light-s{n}", "light", mm, 2.0) for n, mm in enumerate(light, 1)]
    gaps += [Gap(f"dark-s{n}", "dark", mm, 2.0) for n, mm in enumerate(dark, 1)]
    assert [question.id for question in judge(gaps, GAUGE, "none", "1").questions] == asked
