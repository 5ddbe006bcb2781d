"""What balls or hands did at a table of fortification while no stroke was in play: people are asked whether a stroke was missed.

A table with buttons knows of a stroke by a press. What is seen without one is no event until people say that a stroke was played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from controller.rules.awards import Notice
from controller.tables.readings import Read
from controller.tables.siege import Stroke
from controller.tables.signs import Sign, place_name
from controller.tables.table import Choice, Question, Standing

NONE, PLAYED, ENTERED = "none", "played", "entered"
MOST_ASKED = 3
"""Of so many it is asked at a time; what is seen besides is a notice."""


@dataclass(slots=True)
class Missed:
    """What was seen of one. `turns`, `strokes`: so many had been; `asked`: people are; `told`: its stroke has become an event."""

    stroke: Stroke
    turns: int
    strokes: int
    asked: bool = False
    told: bool = False

    @property
    def name(self) -> str:
        """The question's id."""
        return f"missed-{self.stroke.key}"

    def question(self, *, gone_on: bool, entered: bool) -> Question:
        """Was a stroke missed? `gone_on`: the next has begun since; `entered`: people have entered one."""
        text = f"{_seen(self.stroke.signs)} while no stroke was in play. Was a stroke missed?"
        no, put_in = Choice(NONE, "No: nothing counts"), Choice(ENTERED, "Yes, and it has been entered")
        if entered:
            return Question(self.name, text, (put_in,), ENTERED, due=True)
        played = put_in if gone_on else Choice(PLAYED, "Yes: a stroke was played")
        return Question(self.name, text, (no, played), NONE, due=True)


class MissedStrokes:
    """All of one game. `quiet`: what comes within it belongs together; nanoseconds."""

    def __init__(self, quiet: int) -> None:
        self._quiet = quiet
        self._all: list[Missed] = []
        self._own: list[int] = []

    @property
    def due(self) -> int | None:
        """When people are asked of the latest."""
        last = self._latest
        return None if last is None else last.stroke.last + self._quiet

    def add(self, sign: Sign, standing: Standing, begin: Callable[[], Stroke]) -> bool:
        """Something was seen; False where too much is asked already. `begin`: makes the stroke that it may have been."""
        if self._latest is None:
            if sum(one.name not in standing.answers for one in self._all) >= MOST_ASKED:
                return False
            self._all.append(Missed(begin(), standing.turn_number, _strokes(standing)))
        self._all[-1].stroke.add(sign)
        return True

    def ask(self, reads: Sequence[Read]) -> set[str]:
        """Nothing more of it is seen; gives the places that people are asked about. What broke an arch alone is a notice."""
        last = self._latest
        if last is None:
            return set()
        last.asked, last.stroke.reads = True, tuple(reads)
        if all(sign.what == "arch" for sign in last.stroke.signs):
            self._all.pop()
            return set()
        return {sign.place for sign in last.stroke.signs}

    def recorded(self, record: int) -> None:
        """A stroke of this table has become an event."""
        self._own.append(record)

    def questions(self, standing: Standing, latest: Stroke | None) -> list[Question]:
        """What is asked, as things are now. `latest`: of the open strokes."""
        own = [record for record, _ in standing.events if record in self._own]
        return [
            one.question(
                gone_on=standing.turn_number != one.turns or (latest is not None and latest.start >= one.stroke.start),
                entered=_strokes(standing) > one.strokes + sum(record > one.stroke.key for record in own),
            )
            for one in self._all
            if one.asked and one.name not in standing.answers
        ]

    def played(self, standing: Standing) -> Stroke | None:
        """A stroke of which people say that it was played, to be told now; once."""
        for one in self._all:
            if not one.told and standing.answers.get(one.name) == PLAYED:
                one.told = one.stroke.missed = True
                return one.stroke
        return None

    @property
    def _latest(self) -> Missed | None:
        return self._all[-1] if self._all and not self._all[-1].asked else None


def stray(sign: Sign) -> Notice:
    """What is told of a sign with no stroke in play that is no question."""
    said, rule = _WORDS[sign.what]
    said = said.format(place_name(sign.place))
    return Notice(rule, f"{said} with no stroke in play: nothing counts. If a stroke was missed, enter it.")


_WORDS = {
    "bell": ("The bell of {} rang", "FORT-15a"),
    "pass": ("Something went through {}", "FORT-07a"),
    "pocket": ("Something fell into {}", "FORT-28"),
    "arch": ("Something went into {}", "FORT-15b"),
}


def _seen(signs: Sequence[Sign]) -> str:
    """What was seen, in words; a bell tells the arch before it."""
    rung = {sign.place for sign in signs if sign.what == "bell"}
    parts = [
        _WORDS[sign.what][0].format(place_name(sign.place)) for sign in signs if sign.what != "arch" or sign.place not in rung
    ]
    first, *more = dict.fromkeys(parts)
    lowered = [f"{part[0].lower()}{part[1:]}" for part in more]
    return first if not more else f"{', '.join([first, *lowered[:-1]])} and {lowered[-1]}"


def _strokes(standing: Standing) -> int:
    return sum(event["event"] == "stroke" for _, event in standing.events)
