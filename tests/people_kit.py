"""Games that sensors tell and people have a hand in, with the recording of both: for what a replay must give again."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from controller.engine.corrections import offered_events
from controller.engine.play import GameInPlay
from controller.engine.records import Record
from controller.engine.requests import Command, Correct, EnterEvent, Pause, Quarantine, Release, Reply, Request, Resume, Undo
from controller.engine.snapshot import Happening, Snapshot
from controller.publish.messages import console_message, encode, list_message, questions_message, score_message
from controller.replay import Done, Replay
from controller.simulation.stage import Stage
from controller.tablefile import TableFile
from hardware.signals import SECOND
from hardware.sources.trace_chain import TraceChain
from hardware.sources.trace_file import TraceReader
from tests.table_kit import Bench

NUMBERS = ("revision", "at", "game_id", "event_id", "faults")
IDS = ("id", "question")
"""What is named otherwise in a replay."""


class Meddler:
    """Whoever holds the phone of the marker while simulated players play: enters, undoes, corrects, pauses."""

    def __init__(self, stage: Stage, chance: Random) -> None:
        self.stage = stage
        self.chance = chance
        self.did: dict[str, int] = {}
        self.refused = 0

    def ask(self, command: Command) -> Reply:
        replies: list[Reply] = []
        self.stage.loop.submit(Request(command, "web", replies.append))
        self.stage.loop.turn(self.stage.now)
        name = type(command).__name__
        self.did[name] = self.did.get(name, 0) + replies[0].ok
        self.refused += not replies[0].ok
        return replies[0]

    @property
    def play(self) -> GameInPlay | None:
        play = self.stage.engine.play
        return None if play is None or play.ended else play

    def some_event(self, play: GameInPlay) -> dict[str, Any]:
        found: list[dict[str, Any]] = list(itertools.islice(offered_events(play.game, play.state), 40))
        return self.chance.choice(found) if found else {"event": "none"}

    def meddle(self) -> None:
        """Do one thing, in the middle of whatever goes on."""
        play = self.play
        if play is None or not play.fold.steps:
            return
        self.chance.choice([self.enter, self.correct, self.correct, self.undo, self.stop, self.mistake, self.leave_out])(play)

    def enter(self, play: GameInPlay) -> None:
        if self.ask(EnterEvent(self.some_event(play))).ok and self.chance.random() < 0.6:
            self.ask(Undo())

    def correct(self, play: GameInPlay) -> None:
        step, event = self.chance.choice(play.fold.steps[-6:]), self.chance.choice(play.fold.steps).event
        how: dict[str, Any] = self.chance.choice([{"remove": True}, {"replace": event}, {"insert_before": event}])
        self.ask(Correct(step.entry.revision, **how, preview=True))
        if self.ask(Correct(step.entry.revision, **how)).ok and self.chance.random() < 0.6:
            self.ask(Undo())

    def undo(self, play: GameInPlay) -> None:  # noqa: ARG002 - as the others
        self.ask(Undo())
        if self.chance.random() < 0.7:
            self.ask(Undo())

    def stop(self, play: GameInPlay) -> None:  # noqa: ARG002 - as the others
        self.ask(Pause())
        self.stage.play_until(self.stage.now + 2 * SECOND)
        self.ask(Resume())

    def mistake(self, play: GameInPlay) -> None:  # noqa: ARG002 - as the others
        """What is refused ends the open strokes all the same, as a correction; or does nothing."""
        mistakes: list[Command] = [Correct(0, remove=True), EnterEvent({"event": "none"}), Undo(if_revision=0)]
        self.ask(self.chance.choice(mistakes))

    def leave_out(self, play: GameInPlay) -> None:  # noqa: ARG002 - as the others
        name = self.chance.choice(self.stage.engine.fitted.sensors).name
        self.ask(Quarantine(name))
        self.stage.play_until(self.stage.now + 3 * SECOND)
        self.ask(Release(name))


def told(happenings: list[Happening]) -> Any:
    """What happened, as a replay prints it; a reason that somebody gave is in no recording."""
    return without_ids(json.loads(json.dumps([[one.kind, one.event, one.ruling, one.at] for one in happenings])))


def story(play: GameInPlay) -> list[Any]:
    """The game as the journal has it: each event, answer, undo and correction, its questions, and its end."""
    shape = [(q.text, [c.key for c in q.choices], q.likely, q.due) for q in play.questions.values()]
    return [story_of(play.moves), shape, play.state, play.result, play.table.phase]


def story_of(moves: Sequence[Record]) -> list[Any]:
    """What people did and sensors told, each with its time, without names, reasons and numbers."""
    places = {move.id: n for n, move in enumerate(moves)}
    lines: list[Any] = []
    for move in moves:
        body: dict[str, Any] = {key: value for key, value in move.body.items() if key not in ("evidence", "why")}
        body["by"] = str(body.get("by", "")).rpartition("(")[2].rstrip(")")
        if "target" in body:
            body["target"] = places[body["target"]]
        lines.append((move.kind, move.at, body))
    return [without_ids(line) for line in lines]


def without_ids(value: Any) -> Any:
    """Names of questions and unknowns hold the number of an observation, and that is another in a replay."""
    if isinstance(value, dict):
        return {without_ids(key): "#" if key in IDS else without_ids(one) for key, one in value.items() if key not in NUMBERS}
    if isinstance(value, list | tuple):
        return [without_ids(one) for one in value]
    return "?" if isinstance(value, str) and value.startswith("?") else value


def views_of(shown: Snapshot) -> list[Any]:
    """What all screens and topics show of the game, but for the numbers that are others in a replay."""
    messages = (score_message(shown), questions_message(shown), list_message(shown), console_message(shown, str))
    return [without_ids(json.loads(encode(message))) for message in messages]


class Replayed:
    """A recording, played again."""

    def __init__(self, table: TableFile, *paths: Path) -> None:
        with TraceReader(paths[0]) if len(paths) == 1 else TraceChain(paths) as reader:
            self.replay = Replay(table, reader)
            self.all = list(self.replay.run())
        self.done = [one for one in self.all if isinstance(one, Done)]
        self.told = told([one for one in self.all if isinstance(one, Happening)])
        self.refused = [one for one in self.done if one.refused is not None]
        self.play = self.replay._engine.play

    @property
    def shown(self) -> Snapshot:
        assert self.replay.shown is not None
        return self.replay.shown


def same_as_live(again: Replayed, table: Bench) -> None:
    """Nothing was refused, and all was told, stands and is shown as it was live."""
    assert again.refused == []
    assert again.replay.faults == []
    assert again.told == told(table.watcher.happenings)
    live = table.engine.play
    assert (again.play is None) == (live is None)
    if again.play is not None and live is not None:
        assert story(again.play) == story(live)
    assert views_of(again.shown) == views_of(table.shown)
