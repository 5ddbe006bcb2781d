"""What people ask of the engine: commands from MQTT, the web page, table buttons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from controller.rules.awards import Json


@dataclass(frozen=True, slots=True)
class StartGame:
    """A new game; a game in play is abandoned."""

    sides: tuple[str, ...] = ()
    """Names of the sides, in their order of play."""
    options: dict[str, Json] = field(default_factory=dict)
    position: dict[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class OfGame:
    """What is about one game. `game`: one that is over, by its `game_id` or its number; None: the one in play. `who` asks."""

    game: str | None = None
    who: str = ""


@dataclass(frozen=True, slots=True)
class EnterEvent(OfGame):
    """A game event from the marker."""

    event: dict[str, Json]


@dataclass(frozen=True, slots=True)
class Answer(OfGame):
    """The answer to a question: one of its choices' keys."""

    question: str
    choice: str
    if_revision: int | None = None


@dataclass(frozen=True, slots=True)
class Undo(OfGame):
    """Take back the latest effective record."""

    if_revision: int | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Correct(OfGame):
    """Change (`replace`), remove, or insert before (`insert_before`) the event of `revision`."""

    revision: int
    replace: dict[str, Json] | None = None
    remove: bool = False
    insert_before: dict[str, Json] | None = None
    why: str = ""
    preview: bool = False
    """Only say what it would do."""
    if_revision: int | None = None


@dataclass(frozen=True, slots=True)
class Explain:
    """Only say why points were given. `game`: any of the journal, by its `game_id` or number; None: the one in play.

    `revision`: of one event; None: all, those after the event `after` first.
    """

    game: str | None = None
    revision: int | None = None
    after: int | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    """The cleaning cloth: signals are recorded, not scored."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on after a pause, or after a boot."""


@dataclass(frozen=True, slots=True)
class Abandon:
    """End the game without a result."""


@dataclass(frozen=True, slots=True)
class Quarantine:
    """Leave a sensor out: its role is asked of the marker."""

    sensor: str


@dataclass(frozen=True, slots=True)
class Release:
    """Take a sensor back in."""

    sensor: str


@dataclass(frozen=True, slots=True)
class TestOutput:
    """Light a lamp, sound a sounder."""

    output: str


@dataclass(frozen=True, slots=True)
class ForgetPlayer:
    """Take a player's name out of all games of the journal."""

    name: str


Place = tuple[int, int]
"""An event or a question of a game, by the time of its first record, and how many of that time came before it."""


@dataclass(frozen=True, slots=True)
class Again:
    """What a recording holds of a command, to be done as it was done then.

    `command`: None where it did nothing of its own. `place`: the event that it corrects, or the question that it answers.
    `finished`: so many times it ended open strokes although it was refused; `entering`: an event. `gone`: the game that was
    over is shown no longer.
    """

    command: Command | None
    place: Place | None = None
    finished: int = 0
    entering: bool = False
    gone: bool = False


Command = (
    StartGame
    | EnterEvent
    | Answer
    | Undo
    | Correct
    | Explain
    | Pause
    | Resume
    | Abandon
    | Quarantine
    | Release
    | TestOutput
    | ForgetPlayer
    | Again
)


@dataclass(frozen=True, slots=True)
class Reply:
    """What became of a command."""

    ok: bool
    error: str | None = None
    revision: int | None = None
    detail: dict[str, Json] | None = None
    """What was asked for, where a command asks: what a correction would do."""


@dataclass(frozen=True, slots=True)
class Request:
    """A command on its way to the engine. `reply` is called once, from the engine's thread, and must not block."""

    command: Command
    via: str
    """Who asks, for the journal: `mqtt`, `web`, `button:undo`, `demo`."""
    reply: Callable[[Reply], None] | None = None
    id: str | None = None
    """Its sender's own name for it, where the reply must be the same after a restart."""
