"""Which answers are tried together, where they lead, and what it costs as the game goes on."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.engine.fold import MOST_COMBINATIONS, Binds, Entry, Fold, Step, combinations, first_unknown
from controller.engine.questions import settle
from controller.rules.awards import Json
from controller.rules.registry import find_game
from controller.tables.table import Choice, Question

KEYS = tuple("abcdefgh")


@pytest.mark.parametrize("counts", [(2,), (2, 3), (8, 8)])
def test_few_answers_are_tried_in_every_combination(counts: tuple[int, ...]) -> None:
    choices = [KEYS[:count] for count in counts]
    assert set(combinations(choices, ["a"] * len(counts))) == set(itertools.product(*choices))


def test_many_answers_are_tried_one_question_at_a_time_the_others_at_their_likely_one() -> None:
    choices = [KEYS, KEYS, KEYS[:2]]
    tried = list(combinations(choices, ["b", "a", "a"]))
    assert 8 * 8 * 2 > MOST_COMBINATIONS == 64
    assert tried[0] == ("b", "a", "a")
    assert len(tried) == len(set(tried)) == 1 + 7 + 7 + 1
    assert all(sum(a != b for a, b in zip(one, tried[0], strict=True)) <= 1 for one in tried)


NAMES = ("?one", "?two", "?three")
BALLS = ("white-1", "white-2", "white-3", "white-4", "red-1", "red-2", "red-3", "red-4")
PLACES: tuple[Json, ...] = ("cup-1", "cup-9", "board", "baulk", "nowhere", None)


class CountingFold(Fold):
    """A fold of bagatelle that counts what it adjudicates."""

    def __init__(self) -> None:
        super().__init__(find_game("bagatelle"), {}, {})
        self.count = 0

    def step(self, state: Any, entry: Entry, event: dict[str, Json]) -> Step:
        self.count += 1
        return super().step(state, entry, event)


def shot(number: int, to: str) -> Entry:
    """A ball that goes there; of an unknown every other time one that may have moved nothing else."""
    moves: list[Json] = [{"ball": BALLS[number % 8], "to": to}]
    if number % 2 and to in NAMES:
        moves = [{"ball": BALLS[number % 8], "to": "board"}, to]
    return Entry(number, {"event": "shot", "ball": BALLS[number % 8], "hit_black": number % 8 == 0, "moves": moves}, "sensor")


def ends(fold: Fold, entries: Sequence[Entry], firm: Binds, waiting: Sequence[str]) -> list[tuple[Any, tuple[bool, ...]]]:
    """Where these lead under every answer that is open."""
    answers = [dict(firm) | dict(zip(waiting, filled, strict=True)) for filled in itertools.product(PLACES, repeat=len(waiting))]
    return fold.try_out(entries, answers, first_unknown(entries, frozenset(waiting)))


where = st.sampled_from(["cup-3", "board", *NAMES])
turns = st.tuples(
    st.sampled_from(["append", "append", "append", "change", "remove", "answer", "fold"]),
    st.integers(0, 20),
    where,
    st.sampled_from(PLACES),
)


@settings(deadline=None)  # a busy machine may take longer for one than for another
@given(st.lists(turns, max_size=12))
def test_what_is_gone_on_from_leads_where_the_whole_list_does(steps: list[tuple[str, int, str, Json]]) -> None:
    fold = Fold(find_game("bagatelle"), {}, {})
    entries: list[Entry] = []
    firm: dict[str, Json] = {}
    for number, (act, place, to, filled) in enumerate(steps):
        if act == "append" or not entries:
            entries.append(shot(number, to))
        elif act == "change":
            entries[place % len(entries)] = shot(number, to)
        elif act == "remove":
            del entries[place % len(entries)]
        elif act == "answer":
            firm[NAMES[place % 3]] = filled
        else:
            fold.run(entries, dict.fromkeys(NAMES, "board") | firm)
        waiting = [name for name in NAMES[number % 3 :] if name not in firm]
        rest = dict.fromkeys(NAMES[1:], "cup-1") | firm
        assert ends(fold, entries, rest, waiting) == ends(Fold(find_game("bagatelle"), {}, {}), entries, rest, waiting)


def test_while_questions_are_open_a_new_event_is_tried_by_itself() -> None:
    fold = CountingFold()
    entries = [shot(0, "?one"), shot(1, "?two")]
    ends(fold, entries, {}, NAMES[:2])
    for number in range(2, 10):
        entries.append(shot(number, "board"))
        before = fold.count
        ends(fold, entries, {}, NAMES[:2])
        assert fold.count - before == len(PLACES) ** 2
    before = fold.count
    ends(fold, entries, {"?one": "cup-9"}, ["?two"])
    assert fold.count == before
    entries.append(shot(10, "?three"))
    ends(fold, entries, {"?one": "cup-9"}, ["?two", "?three"])
    assert fold.count - before == len(PLACES) ** 2


def test_what_speaks_for_another_answer_leaves_other_questions_at_their_likely_one() -> None:
    def asked(name: str, likely: str, *places: str) -> Question:
        return Question(name, f"Where is {name}?", tuple(Choice(to, to, {f"?{name}": to}) for to in places), likely, due=True)

    fold = Fold(find_game("bagatelle"), {}, {})
    entries = [shot(0, "?one"), shot(2, "?two")]
    one, two = asked("one", "nowhere", "nowhere", "board"), asked("two", "board", "cup-3", "board")
    assert settle(fold, entries, [one, two], {}, {}).binds == {"?one": "board", "?two": "board"}
