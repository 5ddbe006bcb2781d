"""Which answers are tried together: all of them while they are few."""

from __future__ import annotations

import itertools

import pytest

from controller.engine.fold import MOST_COMBINATIONS, combinations

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
