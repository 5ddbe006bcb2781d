"""Whatever balls, hands and people do at a fortification table, in any order: it is told, and no arch scores by itself."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.engine.occurrences import Refused
from controller.engine.play import GameInPlay
from controller.engine.records import Record
from controller.rules.fortification import Fortification
from controller.rules.fortification.words import BALLS, FORTS
from controller.tables.colours import COLOURS
from controller.tables.fortification import FortificationTable
from hardware.observations import Kind, Observation
from hardware.signals import MS, SECOND

PLACES = (*FORTS[:1], *FORTS[5:7], "french-grand")
POCKETS = ("pocket-1", "pocket-2")
BUTTONS = ("stroke", "undo", *(f"{ball}-key" for ball in BALLS))
SPOTS = tuple(f"{ball}-spot" for ball in BALLS)
READERS = tuple(f"{place}-ball" for place in (*PLACES, *POCKETS))
ARCHES = tuple(f"{fort}-arch" for fort in PLACES)
ALL = frozenset((*PLACES, *ARCHES, *(f"{of}-colours" for of in COLOURS), *SPOTS, *READERS, *POCKETS, *BUTTONS, "english-pass"))
WITHOUT: dict[str, frozenset[str]] = {
    "all": frozenset(),
    "buttons": frozenset(BUTTONS),
    "bells": frozenset(PLACES),
    "spots": frozenset(SPOTS),
    "keys and arches": frozenset((*BUTTONS[2:], *ARCHES)),
    "buttons, colours and readers": frozenset(r for r in ALL if r in BUTTONS or r.endswith(("-colours", "-ball"))),
}

Act = tuple[str, str, Any]


def acts(kind: str, roles: tuple[str, ...], values: st.SearchStrategy[Any]) -> st.SearchStrategy[Act]:
    return st.tuples(st.just(kind), st.sampled_from(roles), values)


DOES = st.one_of(
    acts("ring", PLACES, st.just(400)),
    acts("crossing", (*ARCHES, *POCKETS), st.just("")),
    acts("crossing", ("english-pass",), st.sampled_from(("up", "up", "down", ""))),
    acts("blocked", (*ARCHES, *POCKETS, "english-pass"), st.just(1)),
)
"""What a ball or a hand does at a place."""
ONE = st.one_of(
    acts("played", SPOTS, DOES),
    acts("played", SPOTS, DOES),
    DOES,
    acts("press", BUTTONS, st.just(1)),
    acts("level", SPOTS, st.booleans()),
    acts("level", (*(f"{place}-colours" for place in PLACES), "french-pass-colours", "english-pass-colours"), st.booleans()),
    acts("card", READERS, st.sampled_from(BALLS)),
    acts("bump", PLACES, st.just(1)),
    st.tuples(st.sampled_from(("answer", "answer", "undo", "finish", "lose")), st.just(""), st.integers(0, 7)),
)
STREAM = st.lists(
    st.tuples(ONE, st.sampled_from((0, 20, 200, 500, 2500, 12000)), st.sampled_from((0, 100, 400))), min_size=8, max_size=30
)


class Play:
    """A game without a clock: everything is known so long after it was."""

    def __init__(self, without: frozenset[str]) -> None:
        self.ids = itertools.count(2)
        self.seen: dict[int, Observation] = {}
        self.now = 1000 * SECOND
        self.roles = ALL - without
        position: dict[str, Any] = {"pass": {"english": "regular", "french": "regular"}}
        start = Record(1, "start", 1, self.now, "", {"options": {}, "position": position, "sides": ["E", "F"], "game_id": "g"})
        self.play = GameInPlay(start, Fortification(), FortificationTable(self.roles), self.note)
        levels = {role: not role.endswith("-pass-colours") for role in self.roles if role.endswith(("-colours", "-spot"))}
        self.play.baseline(levels, self.now)
        self.lost: frozenset[str] = frozenset()

    def note(self, kind: Any, body: dict[str, Any], at: int) -> Record:
        record = Record(next(self.ids), kind, 1, at, "", body)
        if kind == "observation":
            self.seen[record.id] = Observation(**{**body, "sound": None})
        return record

    def do(self, act: Act, wait: int, lag: int) -> None:
        self.now += wait * MS
        self.play.advance(self.now)
        kind, role, value = act
        try:
            if kind == "answer" and self.play.asked:
                question = self.play.asked[value % len(self.play.asked)]
                self.play.answer(question.id, question.choices[value % len(question.choices)].key, "test", self.now)
            elif kind == "undo":
                self.play.undo("test", self.now)
        except Refused:
            return
        if kind == "finish":
            self.play.finish(self.now, entering=bool(value % 2))
        elif kind == "lose":
            self.lost = frozenset() if self.lost else frozenset(sorted(self.roles)[value::8])
            self.play.quarantine(self.lost, {"command": "quarantine", "lost": sorted(self.lost), "by": "test"}, self.now)
        elif kind == "played":
            # A ball is cued, and something comes of it; its button may have been forgotten.
            self.do(("press", f"{role.removesuffix('-spot')}-key" if lag else "stroke", 1), 0, 0)
            self.do(("level", role, False), 100, 100)
            self.do(value, 500, lag)
        elif role in self.roles:
            self.observe(kind, role, value, lag)  # type: ignore[arg-type]  # what is left are kinds of observations

    def observe(self, kind: Kind, role: str, value: Any, lag: int) -> None:
        self.play.observe(Observation(self.now - lag * MS, self.now, role, role, kind, value))

    def end(self) -> None:
        self.now += 60 * SECOND
        self.play.advance(self.now)

    def check(self) -> None:
        answered = self.play.kept.answers
        for step in self.play.fold.steps:
            if step.entry.origin != "sensor":
                continue
            assert step.entry.evidence, step.event
            assert self.seen.keys() >= {*step.entry.evidence}
            facts: Any = step.entry.event.get("facts", [])
            for told, fact in zip(facts, facts, strict=True):
                if isinstance(told, dict) and fact["fact"] == "in_fort":
                    assert self.was_read(step.entry.evidence, fact["fort"], fact["ball"]), step.entry.event
                elif isinstance(told, str):
                    self.check_question(told.removeprefix("?"), answered, step.entry.evidence)

    def check_question(self, name: str, answered: dict[str, str], evidence: tuple[int, ...]) -> None:
        """One that could be a silent ball in an arch has several answers, or it was answered, or the ball was read."""
        question = self.play.questions[name]
        for choice in question.choices:
            fact: Any = choice.binds.get(f"?{name}")
            if len(question.choices) > 1 or not isinstance(fact, dict) or fact["fact"] != "in_fort" or name in answered:
                continue
            assert self.was_read((*evidence, *question.evidence), fact["fort"], fact["ball"]), question

    def was_read(self, evidence: tuple[int, ...], fort: str, ball: str) -> bool:
        return any(self.seen[number].role == f"{fort}-ball" and self.seen[number].value == ball for number in evidence)


@pytest.mark.parametrize("without", WITHOUT)
@settings(max_examples=60, deadline=None)
@given(stream=STREAM)
def test_any_stream_is_told_and_no_silent_arch_scores_unasked(without: str, stream: list[tuple[Act, int, int]]) -> None:
    game = Play(WITHOUT[without])
    for act, wait, lag in stream:
        game.do(act, wait, lag)
    game.end()
    game.check()


@settings(max_examples=60, deadline=None)
@given(stream=STREAM, fort=st.sampled_from(PLACES), stays=st.booleans())
def test_a_hand_in_an_arch_changes_no_score_for_good(stream: list[tuple[Act, int, int]], fort: str, stays: bool) -> None:
    """A stroke is called, and a hand breaks one beam: what counts for it is provisional until people have said what it was."""
    game = Play(frozenset(role for role in ALL if role.endswith("-ball")))
    for act, wait, lag in stream:
        game.do(act, wait, lag)
    game.end()
    game.play.finish(game.now)
    game.do(("press", "stroke", 1), 3000, 0)
    before = dict(game.play.game.score(game.play.state))
    game.do(("blocked" if stays else "crossing", f"{fort}-arch", 1 if stays else ""), 3000, 0)
    known = {**game.play.kept.answers}
    game.end()
    after = dict(game.play.game.score(game.play.state))
    strokes = [step for step in game.play.fold.steps if step.event["event"] == "stroke"]
    facts: Any = strokes[-1].event["facts"] if strokes else []
    if before != after and any(fact["fact"] == "in_fort" for fact in facts):
        # Evidence for another answer may have chosen it, as long as people are asked.
        assert {f"?{question.id}" for question in game.play.asked} & strokes[-1].entry.unknown
        assert game.play.provisional
    assert game.play.kept.answers == known
