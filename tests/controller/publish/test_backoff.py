from __future__ import annotations

from controller.publish.backoff import Backoff
from hardware.signals import SECOND


def test_waits_double_up_to_the_longest() -> None:
    backoff = Backoff(first=1, longest=10, chance=lambda: 0.0)
    assert [backoff.after(0) for _ in range(6)] == [1, 2, 4, 8, 10, 10]


def test_only_a_healthy_while_starts_again_from_the_first() -> None:
    backoff = Backoff(first=1, longest=60, healthy=30 * SECOND, chance=lambda: 0.0)
    waits = [
        backoff.after(0),
        backoff.after(29 * SECOND),
        backoff.after(29 * SECOND),
        backoff.after(30 * SECOND),
        backoff.after(0),
    ]
    assert waits == [1, 2, 4, 1, 2]


def test_each_wait_is_shortened_at_random_by_up_to_a_half() -> None:
    chances = iter([0.0, 0.5, 1.0])
    backoff = Backoff(first=4, longest=4, chance=lambda: next(chances))
    assert [backoff.after(0) for _ in range(3)] == [4, 3, 2]
