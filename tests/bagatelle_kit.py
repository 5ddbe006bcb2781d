"""What a bench of bagatelle shows and asks, in short words."""

from __future__ import annotations

from controller.engine.requests import Answer
from tests.table_kit import Bench, same_again


def notices(table: Bench) -> list[str]:
    return [notice.text for notice in table.shown.notices]


def asked(table: Bench) -> list[str]:
    return [question.text for question in table.shown.questions]


def answer(table: Bench, choice: str, place: int = 0) -> None:
    assert table.ask(Answer(table.shown.questions[place].id, choice)).ok
    same_again(table)


def moves(table: Bench) -> list[object]:
    """Where balls came to rest, shot by shot, as the game stands now."""
    assert table.engine.play is not None
    assert all(step.stood for step in table.engine.play.fold.steps)
    return [step.event["moves"] for step in table.engine.play.fold.steps if step.event["event"] == "shot"]
