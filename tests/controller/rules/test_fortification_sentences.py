"""What is said beside the score: why, notices and refusals, each with the rule that it cites."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.controller.rules.fortification_words import (
    HIDDEN,
    MISS_E,
    MISS_F,
    PASSED,
    TAKES,
    Json,
    asked_back,
    bell,
    colours,
    hit,
    in_fort,
    lag,
    left,
    lifted,
    long,
    passes,
    spotted,
    standing_after,
    stroke,
)
from tests.rules_kit import Played, play


def told(start: Json, *events: Json, **options: Any) -> Played:
    return play([{"event": "game", "game": "fortification", "position": start, "options": options}, *events])


ALL_FALLEN = standing_after("eA1", "fA1", "fA2")
HITS = hit("fa", cushion=True)


@pytest.mark.parametrize(
    ("start", "one", "options", "named"),
    [
        (PASSED, stroke("ea", bell("fA1", "ea"), left("holed", "fa")), {}, [[], ["FORT-32a"]]),
        (PASSED, stroke("ea", bell("fA1", "ea"), in_fort("eA1", "fa")), {}, [[], []]),
        ({}, stroke("ea", left("holed", "fa")), {}, [[]]),
        ({**PASSED, "unspotted": {"french-attack": "english"}}, stroke("ea", bell("fA1", "ea"), left("holed", "fa")), {}, [[]]),
        (ALL_FALLEN, stroke("ea", left("holed", "fa"), in_fort("eA1", "ea")), {}, [["FORT-32b"]]),
        (PASSED, stroke("ea", left("holed", "fa"), in_fort("fR1", "ea")), {}, [["FORT-32b"]]),
        (PASSED, stroke("ea", left("holed", "fa"), bell("fA1", "ed1")), {}, [[]]),
        (ALL_FALLEN, stroke("ea", in_fort("fA1", "ea")), {}, [[]]),
        ({}, stroke("ea", left("holed", "fa"), left("holed", "ea")), {}, [["FORT-33"]]),
        ({}, stroke("ea", left("holed", "ea")), {}, [[]]),
        ({}, stroke("ea", left("holed", "fa"), left("on_fort", "ea")), {"art33": "with_fort_only"}, [[], []]),
        (
            PASSED,
            stroke("ea", left("holed", "fa"), left("holed", "ed1"), bell("fA1", "ea")),
            {"art33": "with_fort_only"},
            [["FORT-33"]],
        ),
        ({}, stroke("ea", HITS, left("holed", "ea"), **HIDDEN), {}, [["FORT-38a"]]),
        (PASSED, stroke("ea", HITS, in_fort("fR1", "ea"), **HIDDEN), {}, [["FORT-38a"]]),
        (PASSED, stroke("ea", HITS, bell("fA1", "ed1"), **HIDDEN), {}, [[]]),
        ({}, stroke("ea", left("holed", "ea"), **HIDDEN), {}, [[], []]),
        ({}, stroke("ea", HITS, in_fort("eA1", "fa"), **HIDDEN), {}, [["FORT-38c"], ["FORT-38b"]]),
        ({}, stroke("ea", HITS, in_fort("eA1", "fd1"), **HIDDEN), {}, [[], []]),
    ],
)
def test_why_names_the_articles_that_agree(start: Json, one: Json, options: Json, named: list[list[str]]) -> None:
    awards = told(start, one, **options).awards
    assert [re.findall(r"FORT-\w+", award.why) for award in awards] == named
    assert all(award.why.endswith(".") for award in awards)


@pytest.mark.parametrize(
    ("start", "events", "rule"),
    [
        ({"score": {"english": 20}}, [MISS_E], "FORT-00c"),
        ({}, [MISS_E, lag(1, 2)], "FORT-01a"),
        ({}, [lag(1, 2), lag(1, 2)], "FORT-01a"),
        ({}, [MISS_F], "FORT-01c"),
        ({"turn": "french"}, [MISS_E], "F-18"),
        ({"score": {"french": 2}}, [MISS_F], "F-18"),
        ({"pass": {"french": "made"}}, [MISS_F], "F-18"),
        ({"forts": {"french-grand": "taken"}}, [MISS_F], "F-18"),
        ({"unspotted": {"french-attack": "french"}}, [MISS_F], "F-18"),
        ({}, [stroke("ea", hit("ea"))], "FORT-19b"),
        ({}, [stroke("ea", **HIDDEN, hidden_ball=long("ed1"))], "FORT-37a"),
        ({}, [colours("fA1")], "FORT-12a"),
        (ALL_FALLEN, [colours("fA1")], "FORT-12a"),
        ({}, [colours("f-pass")], "FORT-07a"),
        ({"pass": {"english": "regular"}}, [colours("f-pass")], "FORT-07a"),
        ({"pass": {"english": "lapsed"}}, [colours("f-pass")], "FORT-08a"),
        ({}, [spotted("ea")], "FORT-23a"),
        ({"pass": {"english": "lapsed"}}, [spotted("ea")], "FORT-08b"),
        ({"pass": {"english": "made"}}, [spotted("ea")], "FORT-08b"),
        ({"pass": {"english": "lapsed"}}, [spotted("ed1")], "FORT-23a"),
        ({"pass": {"english": "lapsed"}}, [spotted("fa")], "FORT-23a"),
        ({}, [lifted("fA1", "ea", "f")], "FORT-24a"),
        ({"forts": {"french-advanced-1": "rung"}}, [lifted("fA1", "ed1", "f")], "FORT-24a"),
        ({}, [asked_back("ed1", "f")], "FORT-19b"),
        ({}, [stroke("ea", hit("ed1")), asked_back("ed1", "e")], "FORT-19b"),
        ({}, [stroke("ea", hit("fd1")), asked_back("fd1", "f")], "FORT-19b"),
        ({}, [stroke("ea", left("holed", "ed1")), spotted("ed1"), asked_back("ed1", "f")], "FORT-19b"),
        ({}, [stroke("ea", hit("ed1"), left("holed", "ed1")), asked_back("ed1", "f")], "FORT-19b"),
    ],
)
def test_refusals_cite_their_rule(start: Json, events: list[Json], rule: str) -> None:
    refused = told(start, *events).refused
    assert {line: refusal.rule for line, refusal in refused.items()} == {len(events) + 1: rule}


def test_refusals_say_why() -> None:
    def why(start: Json, *events: Json) -> str:
        return list(told(start, *events).refused.values())[-1].text

    assert why({}, colours("fA1")) == "The first French advanced fort is not taken: its colours stay up."
    assert why(ALL_FALLEN, colours("fA1")) == "The colours of the first French advanced fort are down already."
    assert why({}, colours("f-pass")) == "The French pass colours stay up: the English have not made the pass."
    assert why(PASSED, colours("f-pass")) == "The French pass colours are down already."


OWING = {**PASSED, "unspotted": {"french-attack": "english"}}


@pytest.mark.parametrize(
    ("start", "events", "options", "rules"),
    [
        ({}, [MISS_E], {}, []),
        ({}, [lag(1, 2)], {}, ["FORT-01b"]),
        ({}, [lag(1, 1)], {}, ["FORT-01a"]),
        ({}, [TAKES], {}, ["FORT-06"]),
        ({"pass": {"english": "lapsed"}}, [TAKES], {}, ["FORT-09b"]),
        ({}, [stroke("ea", passes("ea"))], {}, ["FORT-07a"]),
        ({}, [stroke("ea", passes("ea")), MISS_F], {}, ["FORT-07a", "FORT-08a"]),
        (PASSED, [TAKES], {}, ["FORT-12a", "FORT-10"]),
        (PASSED, [TAKES, MISS_F], {}, ["FORT-12a", "FORT-10", "FORT-12a"]),
        (PASSED, [TAKES, lifted("fA1", "ea", "e")], {}, ["FORT-12a", "FORT-10", "FORT-12a"]),
        (PASSED, [TAKES, lifted("fA1", "ea", "f")], {}, ["FORT-12a", "FORT-10", "FORT-24b"]),
        (PASSED, [TAKES, colours("fA1"), lifted("fA1", "ea", "f")], {}, ["FORT-12a", "FORT-10"]),
        (PASSED, [stroke("ea", in_fort("fA1", "ea"))], {}, ["FORT-15b"]),
        (PASSED, [stroke("ea", in_fort("fA1", "ed1"))], {}, []),
        (PASSED, [stroke("ea", in_fort("fA1", "ea"), bell("fA1", "ea"))], {}, ["FORT-12a", "FORT-10"]),
        (PASSED, [stroke("ea", in_fort("fA1", "ea"), bell("fA2", "ea"))], {}, ["FORT-12a", "FORT-15b", "FORT-10"]),
        (PASSED, [stroke("ed1", bell("fA1", "ed1"))], {}, ["FORT-18b"]),
        (PASSED, [stroke("ea", bell("fR1", "ea"))], {}, ["FORT-22b"]),
        (PASSED, [stroke("ea", in_fort("fR1", "ea"))], {}, ["F-10"]),
        (OWING, [TAKES], {}, ["FORT-23b", "FORT-12a", "FORT-10"]),
        (OWING, [TAKES], {"unspotted_fort": "stands"}, ["FORT-23b", "FORT-10"]),
        ({}, [stroke("fa", left("holed", "fd1"), side="e")], {}, ["FORT-35a"]),
        ({}, [stroke("ea", hit("ed1"))], {}, ["FORT-19b"]),
        ({}, [stroke("ea", hit("ed1")), asked_back("ed1", "f")], {}, ["FORT-19b", "FORT-19b"]),
        ({}, [stroke("ea", hidden=False)], {}, ["F-14"]),
        ({}, [stroke("ea", HITS, in_fort("eA1", "fa"), **HIDDEN)], {}, ["FORT-38d"]),
        ({}, [stroke("ea", left("holed", "ea"))], {}, ["FORT-35a"]),
        ({}, [stroke("ea", left("holed", "ea"), left("holed", "fa"))], {}, ["F-08", "FORT-35a", "FORT-35a"]),
        ({}, [stroke("ea", left("holed", "ea"), left("holed", "fa"))], {"art33": "with_fort_only"}, ["FORT-35a", "FORT-35a"]),
        (OWING, [stroke("ea", bell("fA1", "ea"), left("holed", "ed1"))], {}, ["FORT-23b", "F-08", "FORT-10", "FORT-35a"]),
    ],
)
def test_notices_cite_their_rule(start: Json, events: list[Json], options: Json, rules: list[str]) -> None:
    assert [notice.rule for notice in told(start, *events, **options).notices] == rules


def test_notices_say_what_is_to_be_done() -> None:
    def said(rule: str, start: Json, *events: Json) -> str:
        return next(notice.text for notice in told(start, *events).notices if notice.rule == rule)

    take_down = "Take down the colours of the first French advanced fort before the next stroke, or it must be taken again"
    assert said("FORT-12a", PASSED, TAKES) == f"{take_down} and the four points are put back."
    assert said("FORT-12a", OWING, TAKES) == f"{take_down}."
    assert said("FORT-23b", OWING, TAKES).endswith("it falls unpaid.")
    assert said("FORT-10", PASSED, TAKES) == "Put the English attacking ball back on its middle spot."
    holed = stroke("ea", left("holed", "fd1"))
    assert said("FORT-35a", {}, holed).endswith("on its spot; if another ball lies there, behind it without touching.")
    assert said("FORT-19b", {}, stroke("ea", hit("ed2"))).startswith("The French may ask that the second English defending ball")
    assert said("FORT-07a", {}, stroke("ea", passes("ea"))).startswith("Take down the French pass colours")
    left_up = said("FORT-08a", {}, stroke("ea", passes("ea")), MISS_F)
    assert left_up.startswith("The French pass colours were left up: the English must make the pass again")
    spoilt = stroke("ea", bell("fA1", "ea"), left("holed", "ed1"))
    assert said("F-08", PASSED, spoilt).endswith("; the first French advanced fort stays up.")
    assert said("FORT-24b", PASSED, TAKES, lifted("fA1", "ea", "f")).endswith("take down its colours.")
