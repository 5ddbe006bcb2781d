"""Doubts: what may have been missed while a source was away, and people alone can say.

A doubt is a question that fills no unknown. While it is open the game is provisional: its score is kept and play goes on, but no
result is final. It ends when people say that the score is right (after they have corrected what is wrong), or by itself when the
source comes back with everything that it had kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from controller.engine.labels import clock_of
from controller.tables.table import Choice, Question

DOUBT = "away-"
"""The ids of doubts begin with it."""

_CHOICES = (Choice("yes", "The score is right"),)


def is_doubt(question: str) -> bool:
    """Whether that is the id of a doubt."""
    return question.startswith(DOUBT)


def number_of(doubt: Question) -> int:
    """The number of a doubt."""
    return int(doubt.id.removeprefix(DOUBT))


def open_doubts(questions: Iterable[Question], answered: Iterable[str]) -> tuple[Question, ...]:
    """The doubts that nobody has cleared."""
    cleared = set(answered)
    return tuple(q for q in questions if is_doubt(q.id) and q.due and q.id not in cleared)


def away(number: int, source: str, since: str) -> Question:
    """The doubt about a source that has gone away. `since`: wall time in ISO 8601."""
    text = f"{source} is away since {clock_of(since)}: enter what it would have seen. Is the score right?"
    return Question(f"{DOUBT}{number}", text, _CHOICES, "yes", due=True)


@dataclass(frozen=True, slots=True)
class Missed:
    """A source that is back, and has missed something, or may have. Times of the wall in ISO 8601.

    One that comes and goes is asked about once: as long as nobody has answered, `times` grow, and the time until when.
    """

    number: int
    source: str
    since: str
    until: str
    times: int = 1

    def again(self, until: str) -> Missed:
        """It has been away once more."""
        return replace(self, until=until, times=self.times + 1)

    @property
    def doubt(self) -> Question:
        """The doubt about it."""
        often = f" {self.times} times" if self.times > 1 else ""
        when = f"from {clock_of(self.since)} to {clock_of(self.until)}"
        text = f"{self.source} was away{often} {when} and may have missed something. Is the score right?"
        return Question(f"{DOUBT}{self.number}", text, _CHOICES, "yes", due=True)


def cleared(doubt: Question) -> Question:
    """The doubt when its source has missed nothing."""
    return replace(doubt, due=False)


@dataclass(slots=True)
class Away:
    """The sources of one game that are away, by name since when (a label), and what those that came back may have missed."""

    since: dict[str, str] = field(default_factory=dict)
    _numbers: dict[str, int] = field(default_factory=dict)
    _missed: dict[str, Missed] = field(default_factory=dict)

    def take(self, body: Mapping[str, Any], questions: Mapping[str, Question], still: Iterable[Question]) -> Question | None:
        """The doubt about a source that has gone or come. `body`: of the record of that; `still`: the open doubts."""
        source, since = body["source"], body["since"]
        # What people have said stood for the time until they said it.
        open_numbers = {number_of(doubt) for doubt in still}
        before = self._missed.get(source)
        before = before if before is not None and before.number in open_numbers else None
        fresh = before.number if before is not None else 1 + sum(map(is_doubt, questions))
        if body["what"] == "away":
            self.since[source], self._numbers[source] = since, fresh
            return away(fresh, source, since)
        self.since.pop(source, None)
        number = self._numbers.pop(source, 0)
        if body["missed"]:
            first = Missed(number if number in open_numbers else fresh, source, since, body["until"])
            missed = self._missed[source] = first if before is None else before.again(body["until"])
            return missed.doubt
        if doubt := questions.get(f"{DOUBT}{number}"):
            return cleared(doubt) if before is None else before.doubt
        return None
