"""Whatever people and sensors do, in any order: the engine goes on, shows what is well formed, and a restart changes nothing."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache
from typing import Any

import jsonschema
import pytest

from controller.engine.journal import Journal
from controller.engine.play import GameInPlay
from controller.engine.takeup import take_up
from controller.fitting.tables import table_maker
from controller.intake import Intake
from controller.publish.messages import (
    MqttHealth,
    console_message,
    encode,
    event_message,
    health_message,
    list_message,
    questions_message,
    score_message,
    sensor_message,
)
from controller.publish.schemas import schema_of
from controller.rules.awards import Ruling
from controller.rules.registry import find_game
from tests.loose_kit import LooseTable
from tests.table_kit import BEAMS, BUTTONS, COLOURS, CUPS, FULL, HEAD

TABLES = {
    "all": FULL,
    "colours": f"{FULL}\n{COLOURS}",
    "no beams": f"{HEAD}\n{CUPS}\n{BUTTONS}",
    "no spot": f"{HEAD}\n{CUPS}\n{BEAMS}\n{BUTTONS}",
    "cups alone": f"{HEAD}\n{CUPS}",
}
ACTS = 80
COMMANDS = (
    *("start_game", "event", "event", "event", "answer", "answer", "undo", "correct", "correct"),
    *("pause", "resume", "resume", "quarantine", "release", "release", "test_output"),
)
BALLS = ("white-1", "white-2", "red-4", "black", "?black-1.5")
PLACES = ("cup-1", "cup-5", "cup-9", "board", "past_half_way", "off_table", "short")
POSITIONS: tuple[dict[str, Any], ...] = (
    {},
    {"score": {"A": 110, "B": 118}},
    {"turn": "B", "cups": {"9": "black"}, "balls_left": 1},
    {"cups": {"9": "none"}},
)


def wall(at: int) -> str:
    return f"at {at}"


@cache
def validator(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(schema_of(name))


def holds(name: str, sent: bytes) -> None:
    validator(name).validate(json.loads(sent))


class Crowd:
    """People who do anything to one table, at random; what follows from it is looked at after each act."""

    def __init__(self, table: str, seed: int) -> None:
        self.rng = random.Random(seed)
        self.bench = LooseTable(table=table)
        self.bench.open()
        self.games: list[str] = []
        self.boots = 1
        self.revision = 0
        self.seen = 0
        self.told = 0
        self.replies: list[bytes] = []
        self.shown_as: dict[int, bytes] = {}
        self.given_up: dict[int, int] = {}
        acts: list[tuple[int, Callable[[], None]]] = [
            (8, self.play),
            (4, self.move),
            (3, self.push),
            (4, self.collect),
            (10, self.command),
            (2, self.again),
            (2, self.together),
            (2, self.pull),
        ]
        self.acts = [act for times, act in acts for _ in range(times)]

    def act(self) -> None:
        self.rng.choice(self.acts)()
        self.look()

    # What they do

    def play(self) -> None:
        cups = self.rng.sample(range(1, 10), self.rng.choice((0, 1, 1, 2)))
        strike = self.rng.random() < 0.5 and "spot-a" in self.bench.by_role
        rest = self.rng.choice((0.0, 0.3, 3.0, 8.0))
        if "half-way" in self.bench.by_role:
            self.bench.play_ball(*cups, strike=strike, back=self.rng.randrange(2), rest=rest)
        else:
            for cup in cups:
                self.bench.set(f"cup-{cup}", on=True)
            self.bench.wait(rest)

    def move(self) -> None:
        sensor = self.rng.choice(self.bench.table.sensors)
        self.bench.set(sensor.role, on=self.rng.random() < 0.5, end=self.rng.randrange(len(sensor.channels)))
        self.bench.wait(self.rng.choice((0.0, 0.01, 0.2, 2.5, 30.0)))

    def push(self) -> None:
        buttons = [role for role in ("next-ball", "end-of-turn", "undo", "new-game") if role in self.bench.by_role]
        if buttons:
            self.bench.press(self.rng.choice(buttons), self.rng.choice((0.1, 2.5)))

    def collect(self) -> None:
        self.bench.collect()

    def command(self) -> None:
        self.send(self.any_command())
        self.bench.wait(self.rng.choice((0.001, 0.2)))

    def together(self) -> None:
        # In one batch, beside an input that moves at the same moment.
        for _ in range(self.rng.randrange(2, 5)):
            self.send(self.any_command())
        self.bench.set(f"cup-{self.rng.randrange(1, 10)}", on=self.rng.random() < 0.5)
        self.bench.wait(0.3)

    def again(self) -> None:
        play = self.bench.engine.play
        if play is not None and not play.ended:
            self.same_again(play)
        self.boots += 1
        self.bench = self.bench.again(f"boot-{self.boots}", plugged=self.rng.random() < 0.8)
        assert {place for place in self.bench.engine.faults if not place.startswith("quarantine:")} == set()
        self.seen = self.told = 0
        self.bench.open()

    def pull(self) -> None:
        cable = self.bench.cable
        if cable.plugged:
            self.bench.unplug()
            self.bench.wait(self.rng.choice((0.1, 1.0, 8.0)))
        if self.rng.random() < 0.9:
            cable.plug(kept=self.rng.random() < 0.5)
        self.bench.wait(self.rng.choice((0.0, 2.0)))

    def same_again(self, left: GameInPlay) -> None:
        journal = self.bench.journal
        assert isinstance(journal, Journal)
        make = table_maker(self.bench.table)
        play, difference = take_up(journal.kept().open_game, find_game("bagatelle"), (make(), make()))
        assert difference is None
        assert play.fold.state == left.fold.state
        assert play.settled == left.settled
        assert (play.asked, play.provisional, play.away, play.out) == (left.asked, left.provisional, left.away, left.out)
        assert (play.table.phase, play.table.notices, play.table.drafts()) == (
            left.table.phase,
            left.table.notices,
            left.table.drafts(),
        )

    def send(self, command: dict[str, Any]) -> None:
        sent = json.dumps(command).encode()
        Intake(self.bench.loop.submit).take(
            sent, lambda reply: self.replies.append(encode(reply)), now=self.bench.now, via="test"
        )

    def any_command(self) -> dict[str, Any]:
        rng = self.rng
        name = rng.choice([*COMMANDS, *(("abandon",) if rng.random() < 0.3 else ())])
        fields: dict[str, Any] = {}
        if name == "start_game":
            options = rng.choice(({}, {"scoring": "as_made"}, {"target": 1}, {"targett": 1}))
            fields = {"options": options, "position": rng.choice(POSITIONS)}
        elif name == "event":
            fields = {"event": self.any_event()}
        elif name == "answer":
            fields = self.any_answer()
        elif name == "correct":
            how = rng.choice(({"remove": True}, {"replace": self.any_event()}, {"insert_before": self.any_event()}))
            fields = {"revision": self.any_event_revision(), "why": "a test", "preview": rng.random() < 0.3, **how}
        elif name in ("quarantine", "release"):
            fields = {"sensor": rng.choice([*(sensor.name for sensor in self.bench.table.sensors), "cup-77"])}
        elif name == "test_output":
            fields = {"output": "lamp"}
        if name in ("undo", "answer", "correct") and rng.random() < 0.2:
            fields["if_revision"] = rng.choice((self.revision, 0))
        if name in ("undo", "event", "answer", "correct") and rng.random() < 0.2:
            fields |= {"game": rng.choice([*self.games, "7"]), "who": "Ann"}
        return {"command": name, **fields}

    def any_event(self) -> dict[str, Any]:
        rng = self.rng
        offered = self.bench.shown.ledger.forms() if self.bench.shown.ledger is not None else ()
        closed = [form for form in offered if form.closed]
        if closed and rng.random() < 0.4:
            form = rng.choice(closed)
            return {"event": form.event, **{field.name: rng.choice(field.choices) for field in form.fields}}
        in_hand = self.bench.shown.position.get("in_hand")
        ball = rng.choice([*(in_hand if isinstance(in_hand, list) else ()), *BALLS])
        moves = [{"ball": rng.choice((ball, *BALLS)), "to": rng.choice(PLACES)} for _ in range(rng.randrange(3))]
        return rng.choice(
            (
                {"event": "shot", "ball": ball, "hit_black": rng.random() < 0.7, "moves": moves},
                {"event": "shot", "ball": ball, "hit_black": True, "moves": moves, "note": ["?black-1.5", None, {"x": 1}]},
                {"event": "end_turn"},
                {"event": "cheese"},
            )
        )

    def any_answer(self) -> dict[str, Any]:
        asked = self.bench.shown.questions
        if not asked or self.rng.random() < 0.2:
            return {
                "question": self.rng.choice(("black-1", "struck-2", "go-on")),
                "choice": self.rng.choice(("none", "yes", "1")),
            }
        question = self.rng.choice(asked)
        return {"question": question.id, "choice": self.rng.choice(question.choices)[0]}

    def any_event_revision(self) -> int:
        ledger = self.bench.shown.ledger
        listed = [event.revision for event in ledger.events()] if ledger is not None else []
        return self.rng.choice([*listed, 0])

    # What must hold

    def look(self) -> None:
        for sent in self.replies:
            holds("reply", sent)
        self.replies.clear()
        watcher = self.bench.watcher
        for snapshot in watcher.snapshots[self.seen :]:
            assert snapshot.revision >= self.revision
            self.revision = snapshot.revision
            assert snapshot.durable
            score = encode(score_message(snapshot))
            assert self.shown_as.setdefault(snapshot.revision, score) == score
        self.seen = len(watcher.snapshots)
        for happening in watcher.happenings[self.told :]:
            holds("event", encode(event_message(happening, wall)))
        self.told = len(watcher.happenings)
        shown = self.bench.shown
        if shown.game_id and shown.game_id not in self.games:
            self.games.append(shown.game_id)
        holds("score", encode(score_message(shown)))
        holds("question", encode(questions_message(shown)))
        holds("health", encode(health_message(shown, MqttHealth("5"))))
        for view in shown.sensors:
            holds("sensor", encode(sensor_message(view, wall)))
        encode(console_message(shown, wall))
        encode(list_message(shown))
        if self.bench.engine.play is not None:
            self.adds_up(self.bench.engine.play)

    def adds_up(self, play: GameInPlay) -> None:
        score = dict(play.game.score(play.fold.opening))
        for step in play.fold.steps:
            for award in step.outcome.awards if isinstance(step.outcome, Ruling) else ():
                score[award.side] += award.points
        assert score == self.bench.score
        assert len({step.entry.id for step in play.fold.steps}) == len(play.fold.steps)
        if play.abandoned:
            assert self.given_up.setdefault(play.start.id, len(play.moves)) == len(play.moves)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("table", TABLES)
def test_nothing_stops_it(table: str, seed: int) -> None:
    crowd = Crowd(TABLES[table], seed)
    for _ in range(ACTS):
        crowd.act()
    assert crowd.revision > ACTS
