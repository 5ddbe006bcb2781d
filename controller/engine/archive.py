"""Games as a journal keeps them: folded again from their events, with the reasons and the evidence of each point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controller.engine.fold import Fold, Step
from controller.engine.journal import GameState, JournalError, read_game, read_games
from controller.engine.moves import Moves
from controller.engine.questions import Settled, settle
from controller.engine.records import TAKEN_BACK, Record
from controller.engine.tellings import Tellings, asked_of
from controller.rules.awards import Json, Over
from controller.rules.errors import RulesError
from controller.rules.game import Game
from controller.rules.registry import find_game
from controller.tables.table import Question

DONE = {
    "event": "an event was added",
    "answer": "a question was answered",
    "correct": "an event was corrected",
    "undo": "what came last was taken back",
}
"""What was done to a game that was over, where nobody has said why."""


class NoSuchGame(JournalError):
    """The journal has no game of that number; the message says which it has."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What was done to a game after it was over: when (wall time), by whom, and why."""

    at: str
    by: str
    why: str


@dataclass(frozen=True, slots=True)
class Kept:
    """One game of a journal, folded: its start record, steps, and what its result record said."""

    number: int
    state: GameState
    start: Record
    game: Game[Any]
    steps: tuple[Step, ...]
    settled: Settled
    observations: dict[int, dict[str, Json]]
    answers: tuple[tuple[str, str, str], ...]
    """(question's text, answer's text, by whom)."""
    result: dict[str, Json] | None
    corrections: tuple[Correction, ...] = ()
    """What was done to it after it was over."""
    first_result: dict[str, Json] | None = None
    """The score that was kept when it was over, before any of that."""
    tellings: Tellings = field(default_factory=Tellings)
    """What was asked, as far as it holds."""
    answered: Mapping[str, Record] = field(default_factory=dict)
    """By question: the answer that counts."""
    moves: Mapping[int, Record] = field(default_factory=dict)
    """The records that brought an event, by their ids; also those that no longer count."""

    def asked_of(self, unknown: str) -> Question | None:
        """The question that binds an unknown."""
        return asked_of(unknown, self.tellings.questions, self.tellings.bound)

    def led_to(self, step: Step) -> tuple[int, ...]:
        """The observations that led to an event, by the journal's numbers."""
        return self.tellings.led_to(step.entry)

    @property
    def ended(self) -> str:
        """How it stands: as the journal has it, but for a game that was over and by a correction is no more."""
        return "unfinished" if self.state == "over" and self.over is None else self.state

    @property
    def over(self) -> Over | None:
        """How it ended, as the rules give it now."""
        return self.game.over(self._last)

    @property
    def names(self) -> dict[str, str]:
        """Names of the sides."""
        body: dict[str, Any] = self.start.body
        return dict(zip(self.game.sides(self._last), body["sides"], strict=True))

    @property
    def score(self) -> dict[str, int]:
        """The banked score, as the rules give it now."""
        return dict(self.game.score(self._last))

    @property
    def opening(self) -> Any:
        """The rules' state before the first event."""
        body: dict[str, Any] = self.start.body
        return self.game.start(body["options"], body["position"])

    @property
    def _last(self) -> Any:
        return self.steps[-1].state if self.steps else self.opening

    def said(self, score: Mapping[str, Json] | None) -> str:
        """A score of this game with the names of its sides."""
        return "" if score is None else ", ".join(f"{name} {score[side]}" for side, name in self.names.items())

    @property
    def differs(self) -> bool:
        """Whether the rules of today give another score than the one that was kept with the result."""
        return self.result is not None and self.result["score"] != self.score

    def transcript(self) -> Iterator[dict[str, Json]]:
        """The game as a transcript: the game line, then its events that stand."""
        body = self.start.body
        yield {"event": "game", "game": self.game.name, "options": body["options"], "position": body["position"]}
        for step in self.steps:
            if step.stood:
                yield {**step.event, "id": step.entry.revision, "origin": step.entry.origin, "evidence": [*self.led_to(step)]}


def list_games(journal: Path) -> list[Kept]:
    """All games of a journal, oldest first. Raises `JournalError`."""
    return [open_game(journal, number) for number, _ in read_games(journal)]


def open_game(journal: Path, number: int) -> Kept:
    """One game of a journal, by the number of its start record. Raises `NoSuchGame` or `JournalError`."""
    states = dict(read_games(journal))
    if number not in states:
        there = ", ".join(map(str, [*states][-20:])) or "none"
        there = f"… {there}" if len(states) > 20 else there
        raise NoSuchGame(f"{journal}: there is no game {number}; there are: {there}")
    records = read_game(journal, number)
    try:
        return fold_game(number, states[number], records)
    except JournalError as error:
        raise JournalError(f"{journal}: {error}") from None


def fold_game(number: int, state: GameState, records: Sequence[Record]) -> Kept:
    """One game from its records, its start first. Raises `JournalError` where the rules of today can't go on with it."""
    body: dict[str, Any] = records[0].body
    try:
        game = find_game(body["game"])
        fold = Fold(game, body["options"], body["position"])
    except RulesError as error:
        raise JournalError(f"game {number} can't be folded: {error}") from None
    moves = Moves()
    for record in records:
        if record.kind in TAKEN_BACK:
            moves.keep(record)
    standing, entries = moves.counting, moves.line
    tellings = _tellings(records, frozenset(record.id for record in standing))
    questions = tellings.questions
    settled = settle(fold, entries, list(questions.values()), moves.answers, tellings.likely)
    fold.run(entries, settled.binds)
    results = [record for record in records if record.kind == "result"]
    over = state == "over" and bool(results)
    return Kept(
        number=number,
        state=state,
        start=records[0],
        game=game,
        steps=tuple(fold.steps),
        settled=settled,
        observations={record.id: record.body for record in records if record.kind == "observation"},
        answers=tuple(_answer(questions, record) for record in standing if record.kind == "answer"),
        result=results[-1].body if over else None,
        corrections=tuple(map(_correction, standing[_after(standing, results[0]) :])) if over else (),
        first_result=_score(results[0]) if over else None,
        tellings=tellings,
        answered={str(record.body["question"]): record for record in standing if record.kind == "answer"},
        moves={record.id: record for record in records if record.kind in ("event", "correct")},
    )


def _score(result: Record) -> dict[str, Json]:
    score = result.body["score"]
    assert isinstance(score, dict)
    return score


def _after(standing: list[Record], result: Record) -> int:
    return sum(record.id < result.id for record in standing)


def _correction(record: Record) -> Correction:
    body: dict[str, Any] = record.body
    return Correction(record.wall, body["by"], body.get("why") or DONE[record.kind])


def _tellings(records: Sequence[Record], effective_ids: frozenset[int]) -> Tellings:
    """What was told of questions, as far as it holds."""
    tellings = Tellings()
    for record in records:
        if record.kind == "question":
            tellings.take_record(record)
    tellings.hold_under(effective_ids)
    return tellings


def _answer(questions: dict[str, Question], record: Record) -> tuple[str, str, str]:
    question, choice = str(record.body["question"]), str(record.body["choice"])
    asked = questions.get(question)
    text = next((c.text for c in asked.choices if c.key == choice), choice) if asked else choice
    return asked.text if asked else question, text, str(record.body["by"])
