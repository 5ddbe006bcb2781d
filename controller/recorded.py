"""What a recording says that people did, read again: `engine/deeds.py` wrote it, and anybody may have changed it since."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from controller.engine import requests
from controller.engine.deeds import WORDS
from controller.engine.requests import Again, Request
from hardware.sources.trace_file import Act

DEEPEST = 20
"""So deeply an event or a position may be nested: far less is wanted."""

_Place = Annotated[tuple[Annotated[int, Field(ge=0)], Annotated[int, Field(ge=0)]], Field(strict=False)]
_Word = Literal[
    "start_game",
    "event",
    "answer",
    "undo",
    "correct",
    "pause",
    "resume",
    "abandon",
    "quarantine",
    "release",
    "test_output",
    "forget_player",
]


def began(at: int) -> str:
    """The name by which a replay finds a game that began at this time."""
    return f"@{at}"


class BadDeed(ValueError):
    """What people did can't be read; the message says why."""


class Deed(BaseModel):
    """One line of a recording that is no call of the panel."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    command: str


class Boot(Deed):
    """The program was started; these sources were not there yet."""

    command: Literal["boot"]
    missing: Annotated[tuple[str, ...], Field(strict=False)] = ()


class Found(Deed):
    """A source that was missing is there."""

    command: Literal["found"]
    source: str


class Gap(Deed):
    """A source went away, or is back."""

    command: Literal["source"]
    source: str
    what: Literal["away", "back"]
    since: str
    until: str = ""
    missed: bool = False


class Slow(Deed):
    """It was so late that the table didn't wait for a source any longer."""

    command: Literal["slow"]


class LeftOut(Deed):
    """The table left a sensor out by itself."""

    command: Literal["leave_out"]
    sensor: str
    why: str


class Asked(Deed):
    """A command of people. `by`: how it came."""

    command: _Word
    by: str

    def request(self) -> Request:
        """What the engine is asked."""
        return Request(Again(self.again()), self.by)

    def again(self) -> requests.Command | None:
        """The command as it was; None where nothing of it is done again."""
        kind: Any = next(kind for kind, word in WORDS.items() if word == self.command)
        made: requests.Command = kind(**self.model_dump(exclude={"command", "by"}))
        return made


class OfGame(Asked):
    """A command about a game. `game`: when it began; None: the one in play."""

    game: Annotated[int, Field(ge=0)] | None = None

    @property
    def about(self) -> str | None:
        """The name of its game, where that isn't the one in play."""
        return None if self.game is None else began(self.game)


class NotDone(Asked):
    """A command that isn't done again, but counts as a sign of people."""

    was: Literal["refused", "tried"]
    finished: Annotated[int, Field(ge=0, le=1000)] = 0
    entering: bool = False

    def request(self) -> Request:
        """What the engine is asked."""
        return Request(Again(None, finished=self.finished, entering=self.entering), self.by)


class StartGame(Asked):
    """A new game. `sides`: how many were named."""

    command: Literal["start_game"]
    sides: Annotated[int, Field(ge=0, le=16)] = 0
    options: dict[str, Any] = {}
    position: dict[str, Any] = {}

    def again(self) -> requests.Command:
        """The command, with the sides called as the table calls them."""
        return requests.StartGame(options=self.options, position=self.position)


class EnterEvent(OfGame):
    """An event was entered."""

    command: Literal["event"]
    event: dict[str, Any]

    def again(self) -> requests.Command:
        """The command as it was."""
        return requests.EnterEvent(self.event, game=self.about)


class Answer(OfGame):
    """A question was answered; `asked`: its place, where it has one."""

    command: Literal["answer"]
    question: str
    choice: str
    asked: _Place | None = None

    def request(self) -> Request:
        """What the engine is asked."""
        return Request(Again(requests.Answer(self.question, self.choice, game=self.about), self.asked), self.by)


class Correct(OfGame):
    """An event was corrected; `of`: its place."""

    command: Literal["correct"]
    of: _Place
    replace: dict[str, Any] | None = None
    remove: bool = False
    insert_before: dict[str, Any] | None = None

    def request(self) -> Request:
        """What the engine is asked. Raises `BadDeed` when it says more than one thing, or none."""
        if (self.replace is not None) + self.remove + (self.insert_before is not None) != 1:
            raise BadDeed("exactly one of replace, remove and insert_before is wanted")
        how: dict[str, Any] = {"replace": self.replace, "remove": self.remove, "insert_before": self.insert_before}
        return Request(Again(requests.Correct(0, **how, game=self.about), self.of), self.by)


class Undo(OfGame):
    """The latest was taken back."""

    command: Literal["undo"]

    def again(self) -> requests.Command:
        """The command as it was."""
        return requests.Undo(game=self.about)


class Bare(Asked):
    """A command without fields."""

    command: Literal["pause", "resume", "abandon"]


class OfSensor(Asked):
    """A sensor was left out, or taken in again."""

    command: Literal["quarantine", "release"]
    sensor: str


class ForgetPlayer(Asked):
    """A player was forgotten; `gone`: with the game that was over, and still shown."""

    command: Literal["forget_player"]
    gone: bool

    def request(self) -> Request:
        """What the engine is asked."""
        return Request(Again(None, gone=self.gone), self.by)


_Done = StartGame | EnterEvent | Answer | Correct | Undo | Bare | OfSensor | ForgetPlayer | Boot | Found | Gap | Slow | LeftOut
_DONE: TypeAdapter[Deed] = TypeAdapter(Annotated[_Done, Field(discriminator="command")])


def read_deed(act: Act) -> Deed:
    """What an act of a recording says. Raises `BadDeed`."""
    if act.fault is not None:
        raise BadDeed(act.fault)
    if _depth(act.said) > DEEPEST:
        raise BadDeed(f"it is nested more than {DEEPEST} deep")
    try:
        deed = NotDone.model_validate(act.said) if "was" in act.said else _DONE.validate_python(act.said)
        if isinstance(deed, Asked):
            deed.request()
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(repr(part) if isinstance(part, str) else str(part) for part in first["loc"])
        raise BadDeed(f"{place}: {first['msg']}" if place else first["msg"]) from None
    return deed


def read_standing(standing: Mapping[str, Any] | None) -> requests.StartGame | None:
    """The start of the game that was in play when a recording began; None where there was none. Raises `BadDeed`.

    A recording that says nothing of it is of sensors alone: a game begins with it.
    """
    if standing is None:
        return requests.StartGame()
    if not standing:
        return None
    deed = read_deed(Act({"by": "replay", **standing}, 0))
    if not isinstance(deed, StartGame):
        raise BadDeed(f"a game begins with start_game, not with {deed.command!r}")
    return requests.StartGame(options=deed.options)


def _depth(value: Any) -> int:
    deepest, layer = 0, [value]
    while layer and deepest <= DEEPEST:
        deepest += 1
        layer = [inner for one in layer for inner in _inside(one)]
    return deepest


def _inside(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        return [*value.values()]
    return value if isinstance(value, list) else []
