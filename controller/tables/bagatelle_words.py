"""What a bagatelle table says of cups, of one and of several."""

from __future__ import annotations

from collections.abc import Sequence

from controller.tables.turn_questions import cups_text


def lift(cups: Sequence[int]) -> str:
    """What people must do about balls that lie there."""
    return f"Lift the ball from {cups_text(cups)}." if len(cups) == 1 else f"Lift the balls from {cups_text(cups)}."


def no_count(cups: Sequence[int]) -> str:
    """That these balls give nothing."""
    return "It doesn't count" if len(cups) == 1 else "They don't count"


def put_back(cups: Sequence[int]) -> str:
    """What people must do about balls that should lie there."""
    if len(cups) == 1:
        return f"By the score a ball lies in {cups_text(cups)}, which is empty: put it back, or correct."
    return f"By the score balls lie in {cups_text(cups)}, which are empty: put them back, or correct."
