"""Whatever cups, the spot, the beams and hands do at a bagatelle board: no more balls count than there are, under any answer."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.engine.play import GameInPlay
from controller.engine.requests import Answer, Undo
from controller.engine.trial import trial_of
from tests.table_kit import BEAMS, COLOURS, CUPS, FULL, HEAD, SPOT, Bench, same_again

NO_BEAM = f"{HEAD}\n{CUPS}\n{SPOT}"
NO_SPOT = f"{HEAD}\n{CUPS}\n{BEAMS}"

Act = tuple[str, Any]
CUP = st.integers(1, 9)
HANDS: list[st.SearchStrategy[Act]] = [
    st.tuples(st.just("cups"), st.dictionaries(CUP, st.booleans(), min_size=1, max_size=4)),
    st.tuples(st.just("cups"), st.dictionaries(CUP, st.just(True), min_size=1, max_size=3)),
    st.tuples(st.just("ball"), st.lists(CUP, max_size=3, unique=True)),
    st.tuples(st.just("spot"), st.booleans()),
    st.tuples(st.just("colour"), st.tuples(CUP, st.booleans())),
    st.tuples(st.just("back"), st.none()),
    st.tuples(st.just("button"), st.sampled_from(("next-ball", "end-of-turn"))),
    st.tuples(st.just("answer"), st.integers(0, 9)),
]
ACTS = st.lists(st.tuples(st.one_of(HANDS), st.sampled_from((0.05, 0.4, 3.0, 8.0))), min_size=3, max_size=25)
CORRECTED = st.lists(
    st.tuples(st.one_of(*HANDS, st.tuples(st.just("undo"), st.none())), st.sampled_from((0.05, 3.0))), min_size=3, max_size=25
)


def do(table: Bench, act: Act) -> None:
    what, how = act
    if what == "cups":
        for cup, on in how.items():
            table.set(f"cup-{cup}", on=on)
    elif what == "ball" and "half-way" in table.by_role:
        table.play_ball(*how, rest=0.5)
    elif what == "spot" and "spot-a" in table.by_role:
        table.set("spot-a", on=how)
    elif what == "colour" and "black-1" in table.by_role:
        table.set(f"black-{how[0]}", on=how[1])
    elif what == "back" and "half-way" in table.by_role:
        table.cross("down")
    elif what == "button" and how in table.by_role:
        table.press(how)
    elif what == "answer" and table.shown.questions:
        question = table.shown.questions[how % len(table.shown.questions)]
        table.ask(Answer(question.id, question.choices[how % len(question.choices)][0]))
    elif what == "undo":
        table.ask(Undo())


def adds_up(play: GameInPlay, *, stands: bool) -> None:
    """No more balls lie in cups than were played, the black but once. `stands`: and the rules take every event."""
    refused = [step.event for step in play.fold.steps if not step.stood]
    assert refused == [] or not stands
    position: dict[str, Any] = play.game.position(play.state)
    balls = list(position["cups"].values())
    assert len(set(balls)) == len(balls) <= 9 - position["balls_left"]


def under_any_answer(table: Bench, *, stands: bool) -> None:
    play = table.engine.play
    assert play is not None
    adds_up(play, stands=stands)
    for question in play.asked:
        for choice in question.choices:
            trial = trial_of(play)
            trial.answer(question.id, choice.key, "test", table.now)
            trial.finish(table.now)
            adds_up(trial, stands=stands)


@pytest.mark.timeout(300)
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(ACTS, st.sampled_from([FULL, f"{FULL}\n{COLOURS}", NO_BEAM]))
def test_no_more_balls_count_than_there_are(acts: list[tuple[Act, float]], table: str) -> None:
    bench = Bench(table).open().start()
    for act, seconds in acts:
        do(bench, act)
        bench.wait(seconds)
        under_any_answer(bench, stands=True)
    same_again(bench)


@pytest.mark.timeout(300)
@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(CORRECTED, st.sampled_from([f"{FULL}\n{COLOURS}", NO_SPOT]))
def test_nor_when_it_is_taken_back_and_done_again(acts: list[tuple[Act, float]], table: str) -> None:
    bench = Bench(table).open().start()
    for act, seconds in acts:
        do(bench, act)
        bench.wait(seconds)
        under_any_answer(bench, stands=False)
        same_again(bench)
