"""Every message that leaves by MQTT, as a dataclass; `/api/score` and the replies to HTTP commands are the same JSON.

The JSON Schemas are made from these classes (`tablemarker schema NAME`), so what is written here is the contract. Times are wall
time in ISO 8601, for people; what came first is told by `revision`, which only grows.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from controller.engine.snapshot import (
    Happening,
    HouseRule,
    LastAwards,
    ListedEvent,
    OpenQuestion,
    SensorView,
    SideView,
    Snapshot,
    Undoable,
)
from controller.rules.awards import Award, Notice, Over
from controller.rules.game import Form
from controller.tables.table import Phase
from hardware.health import SourceHealth

Object = dict[str, Any]
"""A JSON object whose keys a game decides."""

Wall = Callable[[int], str]
"""Gives the wall time of a monotonic time in nanoseconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What every message carries: the version of its shape."""

    schema: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class EventAwards:
    """The points that one event gave or took. `event_id`: the journal's; 0 for a stroke that may still change.

    `banked` is false while a turn is still out.
    """

    event_id: int
    banked: bool
    awards: tuple[Award, ...]
    event: Object | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreMessage(Message):
    """The score as it stands, whole: who connects at any moment needs nothing before it.

    `sides`: in their order of play, `pending` is what would be banked now. `last`: the awards of the latest event that had any,
    `earlier`: those before it, newest first. `unbanked`: the awards that would be banked now. `notices`: what people must do.
    `position`: as in a transcript; `seen`: what the table's sensors see now, in any phase. `questions`: how many wait.
    `provisional`: an open question could change the score, the turn or the winner. `durable`: false while the journal can't be
    written.
    """

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
    last: EventAwards | None
    earlier: tuple[EventAwards, ...]
    unbanked: tuple[Award, ...]
    notices: tuple[Notice, ...]
    over: Over | None
    questions: int
    position: Object
    seen: Object
    options: Object


@dataclass(frozen=True, slots=True, kw_only=True)
class EventMessage(Message):
    """One thing that happened. `ruling` is as a line of `tablemarker score`; a `correction` has `before` and `after`.

    `event_id`: the journal's, by which an event that comes twice is known; 0 for a correction or a result. `flagged`: what
    sensors saw and the rules don't allow as things stand.
    """

    kind: Literal["event", "flagged", "correction", "result"]
    game_id: str
    revision: int
    event_id: int
    at: str
    origin: Literal["sensor", "marker", "derived"]
    event: Object
    ruling: Object
    evidence: tuple[int, ...]
    before: Object | None
    after: Object | None


@dataclass(frozen=True, slots=True)
class QuestionChoice:
    """One answer: `choice` is what the command `answer` wants, `text` what people read."""

    choice: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question that waits; `likely` is the choice that stands until it is answered, `hangs` what depends on it.

    `unanswered`: what is taken as its answer when nobody gives one in time; empty where it waits for ever. `offered`: the choice
    that the table's button ANSWER gives now; empty where it gives none of this question.
    """

    id: str
    text: str
    choices: tuple[QuestionChoice, ...]
    likely: str
    hangs: str
    roles: tuple[str, ...]
    unanswered: str
    offered: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionsMessage(Message):
    """All questions that wait, oldest first."""

    game_id: str
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorMessage(Message):
    """One sensor. `since`: when its value last changed. The counts are those at the last change of anything else in here."""

    sensor: str
    role: str
    kind: str
    source: str
    value: bool | int | float | str | None
    since: str | None
    quarantined: bool
    faults: tuple[str, ...]
    edges: int
    accepted: int
    late: int


@dataclass(frozen=True, slots=True)
class MqttHealth:
    """The link to the broker: what it had to drop, and what it refused."""

    protocol: str
    connections: int = 0
    events_dropped: int = 0
    events_late: int = 0
    replies_dropped: int = 0
    commands_refused: int = 0
    commands_retained: int = 0
    last_refusal: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthMessage(Message):
    """How the table does: its sources of signals, its link to the broker, and `faults`, sentences each with its remedy.

    `sensors`: the names of those that have faults; their own topics say which.
    """

    table: str
    durable: bool
    sources: tuple[SourceHealth, ...]
    sensors: tuple[str, ...]
    mqtt: MqttHealth
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyMessage(Message):
    """What became of a command: `id` is the command's own, `revision` that of the state which it made.

    `detail`: what was asked for; for a `correct` with `preview` the scores before and after, the later events that would
    `fall`, and an event whose insertion saves them.
    """

    id: str | None
    ok: bool
    error: str | None = None
    revision: int | None = None
    detail: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleMessage(Message):
    """What the marker may do now. `forms`: events that may be entered, most likely first; `rules`: those a new game may have."""

    game: str
    game_id: str
    revision: int
    forms: tuple[Form, ...]
    undoable: Undoable | None
    rules: tuple[HouseRule, ...]
    sensors: tuple[SensorMessage, ...]
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListMessage(Message):
    """All events of a game, in the order in which they count."""

    game_id: str
    revision: int
    events: tuple[ListedEvent, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormsMessage(Message):
    """What might have been entered in the place of an earlier event."""

    game_id: str
    forms: tuple[Form, ...]


def score_message(snapshot: Snapshot) -> ScoreMessage:
    """The score of a snapshot."""
    return ScoreMessage(
        table=snapshot.table,
        game=snapshot.game,
        game_id=snapshot.game_id,
        revision=snapshot.revision,
        at=snapshot.at,
        phase=snapshot.phase,
        provisional=snapshot.provisional,
        durable=snapshot.durable,
        sides=snapshot.sides,
        turn=snapshot.turn,
        last=None if snapshot.last is None else _event_awards(snapshot.last),
        earlier=tuple(map(_event_awards, snapshot.earlier)),
        unbanked=snapshot.unbanked,
        notices=snapshot.notices,
        over=snapshot.over,
        questions=len(snapshot.questions),
        position=snapshot.position,
        seen=snapshot.seen,
        options=snapshot.options,
    )


def _event_awards(last: LastAwards) -> EventAwards:
    return EventAwards(event_id=last.event_id, banked=last.banked, awards=last.awards, event=last.event)


def event_message(happening: Happening, wall: Wall) -> EventMessage:
    """The message of one happening."""
    return EventMessage(
        kind=happening.kind,
        game_id=happening.game_id,
        revision=happening.revision,
        event_id=happening.event_id,
        at=wall(happening.at),
        origin=happening.origin,
        event=happening.event,
        ruling=happening.ruling,
        evidence=happening.evidence,
        before=happening.before,
        after=happening.after,
    )


def questions_message(snapshot: Snapshot) -> QuestionsMessage:
    """The open questions of a snapshot."""
    return QuestionsMessage(game_id=snapshot.game_id, questions=tuple(map(_question, snapshot.questions)))


def _question(question: OpenQuestion) -> Question:
    return Question(
        id=question.id,
        text=question.text,
        choices=tuple(QuestionChoice(choice, text) for choice, text in question.choices),
        likely=question.likely,
        hangs=question.hangs,
        roles=question.roles,
        unanswered=question.unanswered,
        offered=question.offered,
    )


def sensor_message(view: SensorView, wall: Wall) -> SensorMessage:
    """The message of one sensor."""
    health = view.health
    value = health.value
    return SensorMessage(
        sensor=view.name,
        role=view.role,
        kind=view.kind,
        source=view.source,
        # JSON has no NaN, and a reading that isn't a number says nothing.
        value=None if isinstance(value, float) and not math.isfinite(value) else value,
        since=None if health.since is None else wall(health.since),
        quarantined=view.quarantined,
        faults=health.faults,
        edges=health.edges,
        accepted=health.accepted,
        late=health.late,
    )


def health_message(snapshot: Snapshot, mqtt: MqttHealth, faults: tuple[str, ...] = ()) -> HealthMessage:
    """The health of a snapshot, with what the link itself has to say."""
    return HealthMessage(
        table=snapshot.table,
        durable=snapshot.durable,
        sources=snapshot.sources,
        sensors=tuple(view.name for view in snapshot.sensors if view.health.faults),
        mqtt=mqtt,
        faults=tuple(dict.fromkeys(snapshot.faults + faults)),
    )


def console_message(snapshot: Snapshot, wall: Wall) -> ConsoleMessage:
    """What the marker may do with the game of a snapshot."""
    ledger = snapshot.ledger
    return ConsoleMessage(
        game=snapshot.game,
        game_id=snapshot.game_id,
        revision=snapshot.revision,
        forms=() if ledger is None else ledger.forms(),
        undoable=None if ledger is None else ledger.undoable,
        rules=() if ledger is None else ledger.rules,
        sensors=tuple(sensor_message(view, wall) for view in snapshot.sensors),
        faults=snapshot.faults,
    )


def list_message(snapshot: Snapshot) -> ListMessage:
    """The list of a snapshot's game."""
    events = () if snapshot.ledger is None else snapshot.ledger.events()
    return ListMessage(game_id=snapshot.game_id, revision=snapshot.revision, events=events)


@functools.cache
def _names(shape: Any) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(shape))


def _fields(value: Any) -> Object:
    return {name: getattr(value, name) for name in _names(value.__class__)}


# json's own C code walks the message and asks for each dataclass in it: four times as fast as a dictionary of the whole.
_encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_fields)


def encode(message: Message | Mapping[str, Any]) -> bytes:
    """A message as it travels: JSON in UTF-8, as short as it can be."""
    return _encoder.encode(message).encode("utf-8", "replace")


def plain(message: ReplyMessage) -> Object:
    """A reply as a JSON object."""
    return _fields(message)
