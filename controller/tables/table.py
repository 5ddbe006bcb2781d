"""What a table is to the engine: observations in; events, questions and button presses out.

A table knows its game's sensors and how strokes look to them. It never knows the score: after every event the engine tells it
where the rules stand (`follow`), and it compares that with what its sensors see.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from controller.rules.awards import Json, Notice
from hardware.observations import Observation

Phase = Literal["idle", "arming", "playing", "clearing", "paused", "over", "abandoned"]
"""Where in its life a table is."""


LEFT_OUT = "?left-out"
"""A choice that binds an unknown to this says that the event has no such field."""


@dataclass(frozen=True, slots=True)
class Seen:
    """An observation with the id under which the journal keeps it."""

    id: int
    observation: Observation


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to a question, and what it says of the unknowns."""

    key: str
    text: str
    binds: dict[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Question:
    """What the sensors can't know. A later question of the same id takes the place of the earlier; alike it changes nothing.

    `due`: people are asked now; before that only the likely choice is used. Where no choice binds anything the table itself takes
    the answer, by `Standing.answers`, for what is no event yet; the game is provisional until it is given.
    """

    id: str
    text: str
    choices: tuple[Choice, ...]
    likely: str
    due: bool
    evidence: tuple[int, ...] = field(default=(), compare=False)
    """Journal ids of observations that no event has, by which it is as it is now: they belong to the events that it fills."""
    firm: bool = False
    """The likely answer is taken when nobody answers, though what came after it stands only under another."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A game event as the sensors propose it. Texts that begin with `?` in `event` are named unknowns, bound by a question."""

    event: dict[str, Json]
    at: int
    evidence: tuple[int, ...] = ()
    key: int = 0
    """The table's own mark, handed back with the record's id in `recorded`."""
    questions: tuple[Question, ...] = ()
    """The questions that bind its unknowns: they come into force with it."""


@dataclass(frozen=True, slots=True)
class Press:
    """A table button that is a command: the engine does what it would do for the same command from the console.

    `next_choice`: another answer is offered, which `answer` then takes.
    """

    command: Literal["undo", "new_game", "resume", "answer", "next_choice"]
    button: str


Out = Draft | Question | Press


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the rules stand after the effective events: what a table may know of them.

    `events`: the effective events of the game that stand, unknowns filled, with the ids of their records; `turn_events`: those of
    the turn in play; `turn_number` counts the turns so far. `options`: the house rules; `asked`: the ids of the questions that
    people are asked now; `answered`: of those that people have answered; `answers`: the choice by question of all that are
    answered, by people or by a deadline.
    """

    position: dict[str, Json]
    over: bool
    turn_number: int
    turn_events: tuple[tuple[int, dict[str, Json]], ...] = ()
    events: tuple[tuple[int, dict[str, Json]], ...] = ()
    options: dict[str, Json] = field(default_factory=dict)
    asked: tuple[str, ...] = ()
    answered: tuple[str, ...] = ()
    answers: Mapping[str, str] = field(default_factory=dict)


class Table(Protocol):
    """The sensors of one game put together. Pure: times are arguments."""

    @property
    def phase(self) -> Phase:
        """Where in its life the table is."""

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What people must do now, by the levels as they are."""

    @property
    def sees(self) -> frozenset[str]:
        """Rules whose notices its own take the place of: its sensors tell when people have done what they ask."""

    @property
    def seen(self) -> dict[str, Json]:
        """What lies on the table as the sensors see it, for the screens."""

    def baseline(self, levels: dict[str, bool], at: int) -> list[Out]:
        """Take the debounced levels by role, as found at a start: nothing of it is play."""

    def begin(self, standing: Standing, at: int) -> list[Out]:
        """A new game: arming until the table is clear."""

    def observe(self, seen: Seen) -> list[Out]:
        """Take one observation; they come in the order in which they became known."""

    def advance(self, t: int) -> list[Out]:
        """It is `t` at the slowest source."""

    def next_deadline(self) -> int | None:
        """When `advance` should be called although nothing was seen."""

    def follow(self, standing: Standing, at: int) -> Iterable[Out]:
        """The rules have moved: by this table's own event, the marker's, an undo or a correction.

        Each out is taken before the next is asked for: what it brings about may leave no more to be told.
        """

    def recorded(self, draft: Draft, record: int) -> None:
        """A draft has become the event of this record."""

    def drafts(self) -> list[Draft]:
        """The strokes still open, as the events they would be if they ended now; without unknowns."""

    def finish(self, at: int, *, entering: bool) -> list[Out]:
        """End the oldest stroke still open, if any: people are about to undo or correct. Asked until it gives none.

        `entering`: they are about to enter an event, which may be the stroke that was begun last.
        """

    def pause(self, at: int) -> list[Out]:
        """The cleaning cloth: from now on nothing is play."""

    def resume(self, at: int) -> list[Out]:
        """Go on; what changed meanwhile is a notice."""

    def abandon(self) -> None:
        """The game is given up."""

    def lost(self, roles: frozenset[str]) -> None:
        """These roles have no sensor now (none fitted, or quarantined)."""
