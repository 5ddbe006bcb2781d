"""What the engine hands to whoever shows the game: one whole state, and what has just happened.

Publishers turn these into messages; they never reach back into the engine.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Literal, Protocol

from controller.rules.awards import Award, Json, Notice, Over, Refusal
from controller.rules.game import Form, Option
from controller.tables.table import Phase
from hardware.health import SensorHealth, SourceHealth


@dataclass(frozen=True, slots=True)
class SideView:
    """One side: `id` as in the rules, `name` as people said it, `score` banked, `pending` points that would be banked now."""

    id: str
    name: str
    score: int
    pending: int = 0


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that waits: `choices` as people read them, `likely` one of their keys, `hangs` what depends on it."""

    id: str
    text: str
    choices: tuple[tuple[str, str], ...]
    """(key to answer with, text to show)."""
    likely: str
    hangs: str
    roles: tuple[str, ...] = ()
    unanswered: str = ""
    """What is taken as its answer when nobody gives one in time, and when; empty where it waits for ever."""
    offered: str = ""
    """The key of the answer that the button ANSWER gives now; empty where it gives none of this question."""


@dataclass(frozen=True, slots=True)
class LastAwards:
    """An event that gave or took points, and what its articles say. `banked` is false while a turn is still out."""

    event_id: int
    """The journal's id of the event; 0 for a stroke that may still change."""
    awards: tuple[Award, ...]
    banked: bool
    event: dict[str, Json] | None = None


@dataclass(frozen=True, slots=True)
class SensorView:
    """One sensor: its place on the table and how it does."""

    name: str
    role: str
    kind: str
    source: str
    health: SensorHealth
    quarantined: bool = False


@dataclass(frozen=True, slots=True)
class HouseRule:
    """An option of the game, and the value that this table's games begin with."""

    option: Option
    value: Json


@dataclass(frozen=True, slots=True)
class ListedEvent:
    """One event of a game, for the person who may have to correct it."""

    revision: int
    """Its own, by which `correct` names it."""
    event: dict[str, Json]
    """With unknowns filled where it stands."""
    origin: Literal["sensor", "marker"]
    at: str
    """Wall time, as a label."""
    fate: Literal["stands", "flagged", "replaced", "removed", "taken_back"]
    """`flagged`: kept, but the rules refuse it as things stand; `taken_back`: by an undo."""
    turn: str | None = None
    """Whose turn it was."""
    awards: tuple[Award, ...] = ()
    banked: bool = True
    refusal: Refusal | None = None
    put_in: bool = False
    """Whether a correction put it there, and with which words."""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Undoable:
    """What `undo` would take back; `event` where that is one, or brings one back; `said`: an answer with its question."""

    kind: Literal["event", "answer", "correct", "undo"]
    event: dict[str, Json] | None
    said: str = ""


class Ledger(Protocol):
    """What the marker may do with the game of a snapshot, worked out when somebody asks; safe from any thread."""

    @property
    def rules(self) -> tuple[HouseRule, ...]:
        """What a new game may be played by."""

    @property
    def undoable(self) -> Undoable | None:
        """What an undo would take back."""

    def forms(self) -> tuple[Form, ...]:
        """What may be entered now, most likely first."""

    def forms_before(self, revision: int) -> tuple[Form, ...] | None:
        """What might have been entered in the place of that event; None where the game has no such event."""

    def events(self) -> tuple[ListedEvent, ...]:
        """All events of the game, in the order in which they count."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything that can be shown, as one consistent whole. `at` is wall time in ISO 8601, for people."""

    table: str
    game: str
    game_id: str
    revision: int
    at: str
    phase: Phase
    provisional: bool
    durable: bool
    sides: tuple[SideView, ...]
    turn: str | None
    last: LastAwards | None
    earlier: tuple[LastAwards, ...]
    """Awards before `last`, newest first, a few."""
    unbanked: tuple[Award, ...]
    notices: tuple[Notice, ...]
    """What people must do now: lift the balls from 3 and 7."""
    over: Over | None
    position: dict[str, Json]
    seen: dict[str, Json]
    """What lies on the table as its sensors see it, in any phase: bagatelle `{"cups": {"5": "black", "3": "ball"}}`."""
    options: dict[str, Json]
    questions: tuple[OpenQuestion, ...]
    sensors: tuple[SensorView, ...]
    sources: tuple[SourceHealth, ...]
    faults: tuple[str, ...] = ()
    """Sentences for the person who keeps the table: the journal can't be written, the broker is away."""
    moves: int = 0
    """How many events, answers, undos and corrections the game has."""
    ledger: Ledger | None = field(default=None, compare=False, repr=False)

    def same_game_as(self, other: Snapshot) -> bool:
        """Whether it shows the same of the game: all but the time of day, the revision and what is around the game."""
        return _GAME(self) == _GAME(other)


_AROUND = ("at", "revision", "durable", "sensors", "sources", "faults", "ledger")
_GAME = attrgetter(*(field.name for field in fields(Snapshot) if field.name not in _AROUND))


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that happened, for those who follow events: a game event with its ruling, or a correction."""

    kind: Literal["event", "flagged", "correction", "result"]
    """`flagged`: what sensors saw and the rules don't allow as things stand."""
    revision: int
    game_id: str
    at: int
    """Monotonic nanoseconds; who sends it late can tell how late."""
    event: dict[str, Json]
    ruling: dict[str, Json]
    """As a line of `tablemarker score`, without the line number."""
    origin: Literal["sensor", "marker", "derived"]
    evidence: tuple[int, ...] = ()
    """Journal ids of the observations that led to it."""
    before: dict[str, Json] | None = None
    after: dict[str, Json] | None = None
    event_id: int = 0
    """The journal's id of the event, by which one sent twice is known; 0 for a correction or a result."""


class Publisher(Protocol):
    """Whoever shows the game. Called from the engine's thread, after the journal has committed; must not block."""

    def offer(self, snapshot: Snapshot, happenings: tuple[Happening, ...]) -> None:
        """Take the newest state and what has happened since the last call."""
