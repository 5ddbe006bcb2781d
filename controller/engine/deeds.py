"""What people did, as a recording keeps it: enough to do it again at the same place, and nobody's name.

The words are those of the commands by MQTT, with `by`, the way by which one came. Who asked and why, the names of the sides
and the revision that was looked at are left out; no PIN and no token comes as far as the engine. Of a command that was refused
nothing is kept but that it was: what it held was not read by the rules, and might be anything. `was` says of a command that it
isn't done again: `refused`, though it may have `finished` strokes; or `tried`, a preview or an output.

Records and revisions are numbered otherwise in a replay. So an event that was corrected and a question that was answered are
named by their `Place`: the time of their first record in nanoseconds, and how many of that time came before it. A `game` that
isn't the one in play is named by the time at which it began.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from controller.engine.doubts import is_doubt
from controller.engine.occurrences import Refused
from controller.engine.play import GameInPlay
from controller.engine.records import Record
from controller.engine.requests import (
    Abandon,
    Again,
    Answer,
    Command,
    Correct,
    EnterEvent,
    Explain,
    ForgetPlayer,
    Pause,
    Place,
    Quarantine,
    Release,
    Request,
    Resume,
    StartGame,
    TestOutput,
    Undo,
)
from controller.rules.awards import Json

WORDS: Mapping[type[Command], str] = {
    StartGame: "start_game",
    EnterEvent: "event",
    Answer: "answer",
    Undo: "undo",
    Correct: "correct",
    Pause: "pause",
    Resume: "resume",
    Abandon: "abandon",
    Quarantine: "quarantine",
    Release: "release",
    TestOutput: "test_output",
    ForgetPlayer: "forget_player",
}
"""What each command is called; those that only ask have no word, and leave no trace."""

Deed = dict[str, Json]


class Acts(Protocol):
    """Whoever takes down what people do. Must not block."""

    def act(self, said: Mapping[str, Json], at: int) -> None:
        """People did something, and it was worked."""

    def stand(self, said: Mapping[str, Json]) -> None:
        """How things stand from now on: what whoever begins here must know."""


class NoActs:
    """Takes down nothing."""

    def act(self, said: Mapping[str, Json], at: int) -> None:
        """Forget it."""

    def stand(self, said: Mapping[str, Json]) -> None:
        """Forget it."""


class QuestionPlaces:
    """The places of the questions of one game. `records`: what it has already."""

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self._ids: dict[Place, str] = {}
        self._places: dict[str, Place] = {}
        self._last: Place = (0, -1)
        for record in records:
            self.take(record)

    def take(self, record: Record) -> None:
        """Take note of a record: of a question that is new, or the start of a game, whose questions begin."""
        if record.kind == "start":
            self._ids.clear()
            self._places.clear()
        name = str(record.body.get("id"))
        if record.kind != "question" or name in self._places or is_doubt(name):
            return
        self._last = (record.at, self._last[1] + 1 if record.at == self._last[0] else 0)
        self._ids[self._last], self._places[name] = name, self._last

    def of(self, question: str) -> Place | None:
        """The place of a question; None for one that the table hasn't asked."""
        return self._places.get(question)

    def at(self, place: Place) -> str | None:
        """The id of the question of a place; None where there is none."""
        return self._ids.get(place)


def _placed(records: Sequence[Record]) -> Iterable[tuple[Place, Record]]:
    last, count = -1, 0
    for record in records:
        if record.kind in ("event", "correct"):
            count = count + 1 if record.at == last else 0
            last = record.at
            yield (record.at, count), record


def event_place(play: GameInPlay, revision: int) -> Place | None:
    """The place of the event of a revision; None where the game has none."""
    return next((place for place, move in _placed(play.moves) if move.body.get("revision") == revision), None)


def event_at(records: Sequence[Record], place: Place) -> Record | None:
    """The record of the event of a place, of those of a game; None where there is none."""
    return next((record for one, record in _placed(records) if one == place), None)


def is_told(command: Command) -> bool:
    """Whether a command is taken down: one that only asks isn't."""
    return not isinstance(command, Explain | Again)


def deed(request: Request, play: GameInPlay | None, questions: QuestionPlaces, *, in_play: bool) -> Deed:
    """What a request asks, before it is done. `play`: the game that it is about; `in_play`: whether that is the one in play."""
    command = request.command
    said: Deed = {"command": WORDS[type(command)], "by": request.via}
    if isinstance(command, TestOutput) or (isinstance(command, Correct) and command.preview):
        return {**said, "was": "tried"}
    of: Deed = {} if in_play or play is None else {"game": play.start.at}
    return said | of | _content(command, play, questions)


def _content(command: Command, play: GameInPlay | None, questions: QuestionPlaces) -> Deed:
    match command:
        case StartGame(sides, options, position):
            return {"sides": len(sides), "options": options, "position": position}
        case EnterEvent():
            return {"event": command.event}
        case Answer():
            place = questions.of(command.question)
            asked: Deed = {} if place is None else {"asked": list(place)}
            return {"question": command.question, "choice": command.choice, **asked}
        case Correct():
            place = None if play is None else event_place(play, command.revision)
            how: Deed = {"remove": True} if command.remove else {}
            how |= {} if command.replace is None else {"replace": command.replace}
            how |= {} if command.insert_before is None else {"insert_before": command.insert_before}
            return {"of": [] if place is None else list(place), **how}
        case Quarantine(sensor) | Release(sensor):
            return {"sensor": sensor}
    return {}


def refused(said: Deed, records: Sequence[Record]) -> Deed:
    """What is kept of a command that was refused. `records`: those that were written meanwhile."""
    finishes = [record.body for record in records if record.kind == "command" and record.body["command"] == "finish"]
    kept: Deed = {"command": said["command"], "by": said["by"], "was": "refused"}
    if finishes:
        kept |= {"finished": len(finishes), "entering": bool(finishes[0].get("entering"))}
    return kept


def standing(play: GameInPlay | None) -> Deed:
    """How things stand for whoever begins here: the rules of the game in play; nothing where there is none."""
    if play is None or play.ended:
        return {}
    return {"command": "start_game", "options": play.start.body["options"]}


def resolved(again: Again, play: GameInPlay | None, questions: QuestionPlaces) -> Command | None:
    """The command of a recording with the names that its event or question has here. Raises `Refused` where there is none.

    `play`: the game that it is about.
    """
    command = again.command
    if again.place is None:
        return command
    if isinstance(command, Correct) and play is not None:
        event = event_at(play.moves, again.place)
        if event is None:
            raise Refused("this game has no such event: it was played before the recording began, or by what isn't in it")
        return replace(command, revision=int(str(event.body["revision"])))
    if isinstance(command, Answer):
        question = questions.at(again.place)
        if question is None:
            raise Refused("this game has no such question: it was asked before the recording began, or of what isn't in it")
        return replace(command, question=question)
    return command
