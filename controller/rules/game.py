"""The one interface of all four games, and what they share.

A game object holds no state of its own: `start` gives the first state, `apply` takes a state and an event and gives a
`Ruling` with the next state, or a `Refusal`. States are frozen and private to their game; what others may read of one is
`position` (the public words), `score`, `over`, `unbanked`, `asks` and `offers`.

    >>> from controller.rules.registry import find_game
    >>> game = find_game("bagatelle")
    >>> state = game.start({"target": 60})
    >>> game.score(state)
    {'A': 0, 'B': 0}
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Generic, TypeVar

from controller.rules.awards import Ask, Award, Json, Over, Refusal, Ruling
from controller.rules.errors import BadEvent, BadOption, BadPosition, nearest, shown
from controller.rules.shapes import Unreadable, reader, to_json


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What every event may carry besides its own fields: kept, without effect."""

    id: Json = None
    at: Json = None
    origin: Json = None
    evidence: Json = None
    note: Json = None


_KEPT = frozenset(f.name for f in fields(Event))


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingEvent(Event):
    """The answer of people to an `Ask`: `{"event":"ruling","ask":"MAW-09c","by":"A","value":true}`."""

    ask: str
    by: str
    value: bool | int | float | str


@dataclass(frozen=True, slots=True)
class Option:
    """A house rule: its name, the values it takes (none: a number from `least`), default and one line on what it does."""

    name: str
    default: Json
    text: str
    choices: tuple[Json, ...] = ()
    least: int = 1
    most: int | None = None
    whole: bool = True
    """Whether only whole numbers are taken; lengths take fractions."""
    item: str = ""
    """The ledger item of the rule book that argues for the default (`B-01`)."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a form: a closed choice (`choices`), or an open one of the given kind (`number`, `list`, `object`, `text`).

    A choice is a whole JSON value. A field that isn't required may be left out.
    """

    name: str
    title: str
    kind: str = "choice"
    choices: tuple[Json, ...] = ()
    required: bool = True


@dataclass(frozen=True, slots=True)
class Form:
    """An event that may be entered now. Every filling of a form whose fields are all closed choices is accepted."""

    event: str
    title: str
    side: str | None = None
    """Whose event it is, for the person who enters it; not itself a field."""
    fields: tuple[Field, ...] = field(default=())

    @property
    def closed(self) -> bool:
        """Whether every field is a closed choice."""
        return all(f.kind == "choice" for f in self.fields)


S = TypeVar("S")


class Game(ABC, Generic[S]):
    """The rules of one game."""

    name: ClassVar[str]
    prefix: ClassVar[str]
    """Of its rule ids: `BAG`."""
    version: ClassVar[int] = 1
    """Of the rules and the state's shape: grows when a fold of the same events could differ."""
    options: ClassVar[tuple[Option, ...]]
    events: ClassVar[Mapping[str, type[Event]]]
    """Event classes by the name they bear in a transcript."""
    state_type: ClassVar[type[Any]]

    @abstractmethod
    def start(self, options: Mapping[str, Json] | None = None, position: Mapping[str, Json] | None = None) -> S:
        """The first state. Raises `BadOption`, `BadPosition`."""

    @abstractmethod
    def apply(self, state: S, event: Event) -> Ruling[S] | Refusal:
        """Adjudicate one event. Never raises for an event that `read` gave."""

    @abstractmethod
    def position(self, state: S) -> dict[str, Json]:
        """The state in the public words of the transcript, complete."""

    @abstractmethod
    def offers(self, state: S) -> tuple[Form, ...]:
        """What may be entered now, most likely first."""

    @abstractmethod
    def sides(self, state: S) -> tuple[str, ...]:
        """The sides that score, in their order of play."""

    @abstractmethod
    def score(self, state: S) -> dict[str, int]:
        """The banked score of each side."""

    @abstractmethod
    def over(self, state: S) -> Over | None:
        """How the game ended, or None while it goes on."""

    @abstractmethod
    def turn(self, state: S) -> str | None:
        """The side to play, where the rules know one."""

    def unbanked(self, state: S) -> tuple[Award, ...] | None:  # noqa: ARG002 - games that bank at once have none
        """The awards that would be banked now; None in a game that banks at once."""
        return None

    def asks(self, state: S) -> tuple[Ask, ...]:  # noqa: ARG002 - most games ask nothing
        """Asks that still wait for a ruling."""
        return ()

    def read(self, obj: Mapping[str, Json]) -> Event:
        """Give the typed event of a JSON object. Raises `BadEvent` naming the field and the nearest right name."""
        if not isinstance(obj, dict):
            raise BadEvent(f"an event is a JSON object, not {type(obj).__name__}")
        kind = obj.get("event")
        if not isinstance(kind, str):
            raise BadEvent('an event names its kind: {"event":"…"}')
        event_type = self.events.get(kind)
        if event_type is None:
            raise BadEvent(f"unknown event {kind!r} in {self.name}; {nearest(kind, self.events)}")
        body = {key: value for key, value in obj.items() if key != "event"}
        try:
            event: Event = reader(event_type)(body, "")
        except Unreadable as error:
            raise BadEvent(f"{kind}: {error}") from None
        for key, value in body.items():
            if value is None and key not in _KEPT:
                raise BadEvent(f"{kind}: {key}: null says nothing here: leave the field out")
        return event

    def read_in(self, state: S, obj: Mapping[str, Json]) -> Event:  # noqa: ARG002 - in most games every name always exists
        """Give the typed event of a JSON object within one game.

        As `read`, but a name that exists only with other options (the third player of a game of two) is a `BadEvent` too.
        """
        return self.read(obj)

    def write(self, event: Event) -> dict[str, Json]:
        """Give the JSON object of a typed event: the reverse of `read`."""
        kind = next(name for name, event_type in self.events.items() if type(event) is event_type)
        return {"event": kind, **{k: v for k, v in to_json(event).items() if v is not None}}

    def read_options(self, given: Mapping[str, Json] | None) -> dict[str, Any]:
        """All options with their values: those given, the defaults for the rest. Raises `BadOption`."""
        values: dict[str, Any] = {option.name: option.default for option in self.options}
        known = {option.name: option for option in self.options}
        for name, value in (given or {}).items():
            option = known.get(name)
            if option is None:
                raise BadOption(f"unknown option {name!r} in {self.name}; {nearest(name, known)}")
            values[name] = read_option(option, value)
        return values

    def state_to_json(self, state: S) -> dict[str, Json]:
        """The whole private state as JSON, without loss."""
        return {"game": self.name, "version": self.version, "state": to_json(state)}

    def state_from_json(self, data: Mapping[str, Any]) -> S:
        """The state that `state_to_json` wrote. Raises `BadPosition` for another game's or version's."""
        if data.get("game") != self.name or data.get("version") != self.version:
            raise BadPosition(
                f"a state of {data.get('game')!r} version {data.get('version')!r}, not of {self.name} version {self.version}"
            )
        try:
            state: S = reader(self.state_type)(data.get("state"), "")
        except Unreadable as error:
            raise BadPosition(str(error)) from None
        return state


def read_option(option: Option, value: Json) -> Json:
    """Check one option's value. Raises `BadOption` with what is allowed."""
    if option.choices:
        # 1 == True in Python, but not in a house rule.
        for choice in option.choices:
            if choice == value and isinstance(choice, bool) == isinstance(value, bool):
                return choice
        if None not in option.choices or value is not None:
            raise BadOption(f"option {option.name}: {shown(value)}; {nearest(value, option.choices)}")
    # A whole number may be too large for a float, so finiteness is asked of floats alone.
    finite = isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))
    if isinstance(value, bool) or not isinstance(value, int | float) or not finite or (option.whole and value != int(value)):
        raise BadOption(f"option {option.name} is a {'whole ' if option.whole else ''}number, not {shown(value)}")
    if value < option.least or (option.most is not None and value > option.most):
        upper = "" if option.most is None else f" and at most {option.most}"
        raise BadOption(f"option {option.name} is at least {option.least}{upper}, not {shown(value)}")
    return int(value) if option.whole else value
