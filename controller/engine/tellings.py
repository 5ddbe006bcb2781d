"""What was told of questions, and what of it holds: what was told because of a correction goes and comes back with it."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace

from controller.engine.fold import Entry
from controller.engine.questions import read_question
from controller.engine.records import Record
from controller.rules.awards import Json
from controller.tables.table import Question


class Tellings:
    """The questions of one game as they were told, each time with the record because of which a table told of it.

    A table that follows the rules tells what they make of its strokes; when the event, answer, undo or correction that brought
    the rules there is taken back, the questions are again as they were before it. What a sensor has told stays.
    """

    def __init__(self) -> None:
        self.questions: dict[str, Question] = {}
        """As they are now, each of their choices with all that it ever bound: one that is told again may know less."""
        self.likely: dict[str, Json] = {}
        """By unknown: what the question that told of it last holds for likely."""
        self.bound: dict[str, Question] = {}
        """By unknown: the last question that told of it, which may have been told without it since."""
        self._all: list[tuple[int | None, Question]] = []
        self._because: set[int] = set()
        self._before: dict[int, int] = {}
        """By record: how much had been told when it came."""
        self._gone: frozenset[int] = frozenset()
        self._last: dict[str, Question] = {}
        self._binds: dict[tuple[str, str], dict[str, Json]] = {}

    def is_news(self, question: Question) -> bool:
        """Whether it says anything but what was told of it last."""
        return self._last.get(question.id) != question

    def take(self, question: Question, because: int | None = None) -> None:
        """Take a question as it is now. `because`: the id of the record that a table followed when it told of it."""
        self._all.append((because, question))
        if because is not None:
            self._because.add(because)
        self._tell(question)

    def take_record(self, record: Record) -> None:
        """Take it as a journal has it."""
        because = record.body.get("because")
        self.take(read_question(record.body), because if isinstance(because, int) else None)

    def move(self, record: int) -> None:
        """An event, an answer, an undo or a correction has come: what is told from now on is told after it."""
        self._before[record] = len(self._all)

    def holds_since(self, record: int) -> bool:
        """Whether anything that was told since that record came still holds."""
        return any(because not in self._gone for because, _ in self._all[self._before.get(record, 0) :])

    def hold_under(self, effective: AbstractSet[int]) -> None:
        """Let hold what was told because of these records, and what sensors have told. `effective`: all that count, by id."""
        gone = frozenset(self._because - effective)
        if gone == self._gone:
            return
        self._gone = gone
        for mapping in (self.questions, self.likely, self.bound, self._last, self._binds):
            mapping.clear()
        for because, question in self._all:
            if because not in gone:
                self._tell(question)

    def led_to(self, entry: Entry) -> tuple[int, ...]:
        """The observations that led to an event, those too by which something that it left open was known later."""
        asked = (asked_of(name, self.questions, self.bound) for name in sorted(entry.unknown))
        later = (number for question in asked if question is not None for number in question.evidence)
        return tuple(dict.fromkeys([*entry.evidence, *later]))

    def copy(self) -> Tellings:
        """Tellings of its own that begin with these."""
        other = Tellings()
        other._before = dict(self._before)
        for because, question in self._all:
            other.take(question, because)
        other.hold_under(self._because - self._gone)
        return other

    def _tell(self, question: Question) -> None:
        self._last[question.id] = question
        choices = []
        for choice in question.choices:
            said = self._binds[question.id, choice.key] = {**self._binds.get((question.id, choice.key), {}), **choice.binds}
            choices.append(replace(choice, binds=said))
            if choice.key == question.likely:
                self.likely |= choice.binds
        told = self.questions[question.id] = replace(question, choices=tuple(choices))
        self.bound |= {name: told for choice in choices for name in choice.binds}


def asked_of(name: str, questions: Mapping[str, Question], bound: Mapping[str, Question]) -> Question | None:
    """The question that binds an unknown, or did before what it is about was corrected."""
    asking = [one for one in questions.values() if any(name in choice.binds for choice in one.choices)]
    return asking[-1] if asking else bound.get(name)
