"""What the screens show of a stroke still open fits what stands of the strokes that are events."""

from __future__ import annotations

import pytest

from controller.engine.requests import Answer, Pause, Resume
from tests.table_kit import Bench, same_again


@pytest.mark.parametrize("left", [3, 5, 7, 9])
def test_of_too_many_cups_only_the_one_that_people_name_is_to_be_lifted(left: int) -> None:
    table = Bench().open().start()
    table.play_ball(5, strike=True)
    table.play_ball(3, 7, 9)
    assert table.ask(Answer(table.shown.questions[0].id, f"cup-{left}")).ok
    table.wait(1)
    assert [notice.text for notice in table.shown.notices] == [f"Lift the ball from cup {left}. It doesn't count in this turn."]
    # Two whites and the black lie in three cups: it is in one of them, and that counts twice.
    cups = {3, 5, 7, 9} - {left}
    assert table.pending["A"] - sum(cups) in cups
    same_again(table)


def test_several_balls_are_told_of_in_the_plural() -> None:
    table = Bench().open().start()
    for cup in (4, 6):
        table.set(f"cup-{cup}", on=True)
        table.wait(1)
        assert table.ask(Answer(table.shown.questions[0].id, "put")).ok
    assert [notice.text for notice in table.shown.notices] == ["Lift the balls from cups 4 and 6. They don't count in this turn."]
    for cup in (4, 6):
        table.set(f"cup-{cup}", on=False)
    table.wait(1)
    table.play_ball(4, strike=True)
    table.play_ball(6)
    table.play_ball()
    table.ask(Pause())
    for cup in (4, 6):
        table.set(f"cup-{cup}", on=False)
    table.wait(1)
    table.ask(Resume())
    table.wait(1)
    empty = "By the score balls lie in cups 4 and 6, which are empty: put them back, or correct."
    assert [notice.text for notice in table.shown.notices] == [empty]
