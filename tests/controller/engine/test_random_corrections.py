"""A thousand random games of all four rules, corrected at random: the result is that of the corrected list played from the start.

And a correction that is taken back leaves no trace in any view but `revision` and `at`; what the next undo would do is told
truly: it brings the correction back. Half of the games are played before the game's own table with all its sensors, and some by
simulated players through these sensors.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from controller.engine.engine import Batch, Engine
from controller.engine.journal import Journal, Kept
from controller.engine.play import GameInPlay
from controller.engine.requests import Command, Correct, EnterEvent, Reply, Request, StartGame, Undo
from controller.engine.showing import Fitted
from controller.engine.snapshot import Snapshot
from controller.engine.takeup import take_up
from controller.fitting.tables import table_maker
from controller.publish.messages import console_message, encode, list_message, questions_message, score_message
from controller.rules.errors import RulesError
from controller.rules.game import Game
from controller.rules.registry import find_game
from controller.simulation.stage import Stage, simulated_table
from controller.tables.bare import BareTable
from controller.tables.table import Table
from hardware.panel import Panel
from hardware.signals import SECOND
from tests.legal_play import filling, from_the_cases, openings, some_options, stray_event

GAMES = 250
"""Of each of the four rules."""
CHUNKS = 5
ACTS = 9

Event = dict[str, Any]


class Marker:
    """An engine of which no sensor tells anything, and whoever enters and corrects its game."""

    def __init__(self, chance: Random, game: Game[Any], make_table: Callable[[], Table]) -> None:
        self.chance = chance
        self.game = game
        self.engine = Engine(Fitted("test", {}), game, Panel([]), make_table, Kept(0, 0, ()))
        self.engine.boot("boot", {}, 0, "", "test")
        self.now = 0
        self.line: list[tuple[int, Event]] = []
        self.corrected = self.taken_back = 0
        while not self.ask(self.some_opening()).ok:
            continue

    @property
    def state(self) -> Any:
        assert self.engine.play is not None
        return self.engine.play.state

    @property
    def shown(self) -> Snapshot:
        return self.engine.view((), durable=True, now=self.now)[0]

    def ask(self, command: Command) -> Reply:
        self.now += 1
        self.engine.work(Batch(self.now, f"at {self.now}", [], [(self.now, Request(command, "test"))]))
        ((_, reply),) = self.engine.replies()
        return reply

    def some_opening(self) -> StartGame:
        opening = self.chance.choice(openings(self.game.name)) if self.chance.random() < 0.5 else {}
        options = opening.get("options") or some_options(self.chance, self.game)
        self.opening = StartGame(options=options, position=opening.get("position") or {})
        return self.opening

    def some_event(self) -> Event | None:
        forms = self.game.offers(self.state)
        if not forms or self.chance.random() < 0.1:
            return stray_event(self.chance, self.game)
        return filling(self.chance, self.chance.choice(forms), from_the_cases(self.game))

    def act(self) -> None:
        if self.line and self.chance.random() < 0.35:
            self.correct()
        elif (event := self.some_event()) is not None and self.ask(EnterEvent(event)).ok:
            self.line.append((self.last_revision(), event))

    def correct(self) -> None:
        place = self.chance.randrange(len(self.line))
        revision, _ = self.line[place]
        action = self.chance.choice(("remove", "replace", "insert"))
        event = self.chance.choice([self.some_event(), *(event for _, event in self.line)]) or {"event": "none"}
        how: dict[str, Any] = {"remove": {"remove": True}, "replace": {"replace": event}, "insert": {"insert_before": event}}
        before = self.views()
        if not self.ask(Correct(revision, **how[action])).ok:
            assert self.views() == before
            return
        self.corrected += 1
        if self.chance.random() < 0.4:
            assert self.ask(Undo()).ok
            assert self.views() == taken_back(before, None if action == "remove" else event)
            self.taken_back += 1
            if self.chance.random() < 0.5:
                return
            assert self.ask(Undo()).ok
            put = [] if action == "remove" else [(self.revision_before_undos(), event)]
        else:
            put = [] if action == "remove" else [(self.last_revision(), event)]
        self.line[place : place + (action != "insert")] = put

    def last_revision(self) -> int:
        assert self.engine.play is not None
        revision = self.engine.play.moves[-1].body["revision"]
        assert isinstance(revision, int)
        return revision

    def revision_before_undos(self) -> int:
        assert self.engine.play is not None
        revision = self.engine.play.moves[-3].body["revision"]
        assert isinstance(revision, int)
        return revision

    def views(self) -> list[Any]:
        """What all screens and topics show."""
        return views_of(self.shown)

    def from_the_start(self) -> Any:
        """The state when the corrected list is played."""
        state = self.game.start(self.opening.options, self.opening.position)
        for _, event in self.line:
            try:
                outcome = self.game.apply(state, self.game.read_in(state, event))
            except RulesError:
                continue
            state = getattr(outcome, "state", state)
        return state


def views_of(shown: Snapshot) -> list[Any]:
    """What all screens and topics show of a snapshot, but for the revision and the time."""
    messages = (score_message(shown), questions_message(shown), list_message(shown), console_message(shown, str))
    views = [json.loads(encode(message)) for message in messages]
    for view in views:
        for changing in ("revision", "at"):
            view.pop(changing, None)
    return views


def taken_back(before: list[Any], event: Event | None) -> list[Any]:
    """The same views when a correction has been made and taken back: the next undo brings it back, with its event."""
    *others, console = before
    again = {**console["undoable"], "kind": "undo", "event": json.loads(json.dumps(event))}
    return [*others, {**console, "undoable": {**again, "said": ""} if "said" in again else again}]


def own_table(game: str) -> Callable[[], Table]:
    """Makes the tables of the shipped table file, with all their sensors."""
    return table_maker(simulated_table(game))


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("name", ["bagatelle", "fortification", "squails", "maw"])
def test_the_result_is_that_of_the_corrected_list_played_from_the_start(name: str, chunk: int) -> None:
    game = find_game(name)
    corrected = taken_back = 0
    for number in range(GAMES // CHUNKS):
        marker = Marker(Random(f"{name} {chunk} {number}"), game, own_table(name) if number % 2 else BareTable)
        for _ in range(ACTS):
            marker.act()
        assert marker.state == marker.from_the_start()
        corrected += marker.corrected
        taken_back += marker.taken_back
    assert corrected > 20
    assert taken_back > 5


class Visitor:
    """Whoever corrects a game that simulated players play through its sensors."""

    def __init__(self, chance: Random, name: str) -> None:
        self.chance = chance
        self.journal = Journal(":memory:")
        self.stage = Stage(simulated_table(name), chance.randrange(1000), games=1, journal=self.journal)
        self.stage.open()
        self.corrected = self.taken_back = 0

    def ask(self, command: Command) -> Reply:
        replies: list[Reply] = []
        self.stage.loop.submit(Request(command, "test", replies.append))
        self.stage.loop.turn(self.stage.now)
        return replies[0]

    def views(self) -> list[Any]:
        assert self.stage.shown is not None
        return views_of(self.stage.shown)

    def correct(self) -> None:
        play = self.stage.engine.play
        if play is None or play.ended or not play.fold.steps:
            return
        # One that is refused ends the strokes that are still open, as any correction does.
        self.ask(Correct(0, remove=True))
        step = self.chance.choice(play.fold.steps[-8:])
        event = self.chance.choice(play.fold.steps).event
        how: dict[str, Any] = self.chance.choice([{"remove": True}, {"replace": event}, {"insert_before": event}])
        before = self.views()
        told = self.ask(Correct(step.entry.revision, **how, preview=True))
        assert self.views() == before
        if not self.ask(Correct(step.entry.revision, **how)).ok:
            assert not told.ok
            assert self.views() == before
            return
        self.corrected += 1
        assert state_from_the_start(play) == play.state
        detail: Any = told.detail
        assert detail["after"] == dict(play.game.score(play.state))
        if self.chance.random() < 0.7:
            assert self.ask(Undo()).ok
            assert self.views() == taken_back(before, None if "remove" in how else event)
            assert state_from_the_start(play) == play.state
            self.taken_back += 1

    def taken_up(self) -> GameInPlay:
        """The game as a start of the program would find it. It differs in nothing that its table did."""
        table = simulated_table(self.stage.engine.game.name)
        make = table_maker(table)
        play, difference = take_up(self.journal.kept().open_game, self.stage.engine.game, (make(), make()))
        assert difference is None
        return play


def state_from_the_start(play: GameInPlay) -> Any:
    """The state when the events of a game, as they are now, are played one after another."""
    body: dict[str, Any] = play.start.body
    state = play.game.start(body["options"], body["position"])
    for step in play.fold.steps:
        try:
            outcome = play.game.apply(state, play.game.read_in(state, step.event))
        except RulesError:
            continue
        state = getattr(outcome, "state", state)
    return state


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        *((name, f"sensors {name}") for name in ("bagatelle", "fortification", "squails", "maw")),
        pytest.param("fortification", "preview fortification 22", id="another answer is likely by a correction"),
        pytest.param("fortification", "preview fortification 4", id="a ball was spotted when the game was over, and it goes on"),
        pytest.param("fortification", "preview fortification 105", id="colours came down after a stroke that was only called"),
        pytest.param("bagatelle", "preview bagatelle 16", id="a second correction makes an event of the first stand again"),
        pytest.param("bagatelle", "preview bagatelle 133", id="what a correction makes of the black goes with it"),
        pytest.param("bagatelle", "preview bagatelle 260", id="back in a turn that an answer has changed nothing is asked"),
    ],
)
def test_games_that_sensors_tell_are_corrected_alike(name: str, seed: str) -> None:
    visitor = Visitor(Random(seed), name)
    for _ in range(25):
        visitor.stage.play_until(visitor.stage.now + 15 * SECOND)
        visitor.correct()
    assert visitor.corrected > 3
    assert visitor.taken_back > 1


@pytest.mark.parametrize("name", ["bagatelle", "fortification", "squails", "maw"])
def test_a_game_that_was_corrected_is_taken_up_as_it_was_left(name: str) -> None:
    visitor = Visitor(Random(f"taken up {name}"), name)
    looked = 0
    for _ in range(25):
        visitor.stage.play_until(visitor.stage.now + 7 * SECOND)
        visitor.correct()
        left = visitor.stage.engine.play
        if left is None or left.ended:
            continue
        play, looked = visitor.taken_up(), looked + 1
        assert (play.state, play.settled) == (left.state, left.settled)
        table, was = play.table, left.table
        assert (table.phase, table.notices, table.seen) == (was.phase, was.notices, was.seen)
        assert (table.drafts(), table.next_deadline()) == (was.drafts(), was.next_deadline())
    assert looked > 15
    assert visitor.corrected > 3
