"""An evening at a simulated table: two players who look at the scoreboard, and a marker who answers what it asks."""

from __future__ import annotations

import random
from typing import Any, Protocol

from controller.engine.requests import Answer, Request, StartGame
from controller.engine.snapshot import Snapshot
from controller.simulation.bounce import Contact, Edge, beam_break
from controller.simulation.strokes import Happens, World, beam_times
from controller.tablefile import TableFile
from hardware.signals import MS, SECOND
from hardware.sources.sim import SimSource


class PlaysGames(Protocol):
    """People at a simulated table, of whatever game."""

    next_time: int
    """When they want to be called."""
    answers: bool
    """Whether the marker answers what is asked."""

    def __init__(self, table: TableFile, sim: SimSource, seed: int, *, start: int, games: int | None = None) -> None: ...

    @property
    def true_score(self) -> dict[str, int]:
        """What the game is worth by now, by the world alone."""

    @property
    def done(self) -> bool:
        """Whether the last game has been played and its questions are answered."""

    def act(self, now: int, shown: Snapshot) -> list[Request]:
        """Look at the scoreboard and do what is due; gives what people ask of the marker."""


class Evening:
    """Plays games of bagatelle on the inputs of a `SimSource`. The same seed plays the same balls.

    `act(now, shown)` does what is due and gives what people ask of the marker; `next_time` says when it wants to be called.
    `true_score` is what the balls were worth, counted from the world alone.
    """

    def __init__(self, table: TableFile, sim: SimSource, seed: int, *, start: int, games: int | None = None) -> None:
        self.rng = random.Random(seed)  # noqa: S311 - it plays a game, it guards nothing
        self.sim = sim
        self.sensors = {sensor.role: sensor for sensor in table.sensors}
        self.contacts = {channel: Contact.any(self.rng) for s in table.sensors for channel in s.channels}
        self.next_time = start
        self.games_left = games
        self.true_score = {"A": 0, "B": 0}
        self.world = World(self.rng)
        self.finished: list[dict[str, int]] = []
        self._turn: str | None = None
        self.answers = True
        """Whether the marker answers what is asked."""
        self._waiting_since = start
        for sensor in table.sensors:
            for channel in sensor.channels:
                on = sensor.role == "spot-a"
                sim.set(channel, sensor.active_level if on else 1 - sensor.active_level, start)

    @property
    def done(self) -> bool:
        """Whether the last game has been played and its questions are answered."""
        return self.games_left == 0

    def act(self, now: int, shown: Snapshot) -> list[Request]:
        """Look at the scoreboard and do the next thing."""
        if now < self.next_time:
            return []
        self.next_time = now + round(self.rng.uniform(0.8, 2.5) * SECOND)
        if shown.questions and self.answers:
            return [self._answer(question) for question in shown.questions]
        if shown.phase in ("idle", "over", "abandoned"):
            return self._between_games(shown)
        if shown.phase in ("clearing", "arming"):
            self._bank(shown)
            self._collect(now)
            self._turn = None
        elif shown.phase == "playing":
            self._play(now, shown)
        return []

    def _between_games(self, shown: Snapshot) -> list[Request]:
        if shown.phase == "over" and self._turn is not None:
            self._bank(shown)
            self.finished.append(self.true_score)
            if self.games_left is not None:
                self.games_left -= 1
                if self.games_left == 0:
                    return []
            self._collect(self.next_time)
        self.true_score = {"A": 0, "B": 0}
        self._turn = None
        self.world = World(self.rng)
        return [Request(StartGame(), "demo")]

    def _play(self, now: int, shown: Snapshot) -> None:
        if self._turn is not None and shown.turn != self._turn:
            # Nothing lay in the cups: the turn was over without anything to clear.
            self._bank(shown)
            self._turn = None
        if self._turn is None:
            self._turn = shown.turn
            self.world = World(self.rng)
            self._waiting_since = 0
        if self.world.dead:
            self._lift_dead(now)
        elif self.world.played < 8:
            self._stroke(now)
            self._waiting_since = self.next_time
        elif now - self._waiting_since > 7 * SECOND:
            # All eight are played, but the marker waits: it missed one that never reached the beams.
            self._press("end-of-turn", now, 120 * MS)
            self._waiting_since = now

    def _bank(self, shown: Snapshot) -> None:
        if (self._turn is not None and shown.turn != self._turn) or (shown.over is not None and self._turn is not None):
            self.true_score = {**self.true_score, self._turn: self.true_score[self._turn] + self.world.points}
            self._turn = None

    def _answer(self, question: Any) -> Request:
        cup = self.world.black_cup
        wanted = "none" if cup is None else f"cup-{cup}"
        keys = [key for key, _ in question.choices]
        return Request(Answer(question.id, wanted if wanted in keys else question.likely), "demo")

    # What hands and balls do to the inputs

    def _stroke(self, now: int) -> None:
        happens = self.world.stroke(now + round(self.rng.uniform(0.2, 1.0) * SECOND))
        end = max((self._happen(one) for one in happens), default=now)
        self.next_time = max(self.next_time, end + round(self.rng.uniform(0.5, 3.0) * SECOND))

    def _happen(self, one: Happens) -> int:
        if one.thing in ("up", "down"):
            ends = beam_times(one)
            for end, (at, lasts) in enumerate(ends):
                self._edges("half-way", beam_break(self.rng, at, lasts), end)
            return max(at + lasts for at, lasts in ends)
        if one.thing == "spot-off":
            return self._change("spot-a", one.at, 0)
        if one.thing == "cup-off":
            return self._change(f"cup-{one.cup}", one.at, 0)
        return self._edges(f"cup-{one.cup}", self._contact(f"cup-{one.cup}").rattle(self.rng, one.at))

    def _lift_dead(self, now: int) -> None:
        cup = min(self.world.dead)
        self.world.lift_dead(cup)
        end = self._change(f"cup-{cup}", now + 300 * MS, 0)
        if self.rng.random() < 0.4:
            end = max(end, self._hand_in_beams(now + 200 * MS))
        self.next_time = end + round(self.rng.uniform(0.5, 1.5) * SECOND)

    def _collect(self, now: int) -> None:
        at = now + 200 * MS
        if self.rng.random() < 0.6:
            at = self._hand_in_beams(at)
        for cup in sorted(self.world.cups):
            at = self._change(f"cup-{cup}", at, 0) + round(self.rng.uniform(0.1, 0.4) * SECOND)
        if self.world.struck:
            at = self._change("spot-a", at + 200 * MS, 1)
        self.world = World(self.rng)
        self.next_time = at + round(self.rng.uniform(0.8, 2.0) * SECOND)

    def _hand_in_beams(self, at: int) -> int:
        """An arm reaches over the line: it stays in both beams for longer than a ball would."""
        lasts = round(self.rng.uniform(0.7, 3.0) * SECOND)
        for end in (0, 1):
            self._edges("half-way", [(at + end * 40 * MS, 1), (at + lasts - end * 40 * MS, 0)], end)
        return at + lasts + 100 * MS

    def _press(self, role: str, at: int, lasts: int) -> None:
        self._change(role, at, 1)
        self.next_time = self._change(role, at + lasts + 200 * MS, 0) + SECOND

    def _contact(self, role: str) -> Contact:
        return self.contacts[self.sensors[role].channels[0]] if role in self.sensors else Contact(1.0)

    def _change(self, role: str, at: int, on: int) -> int:
        return self._edges(role, self._contact(role).change(self.rng, at, on))

    def _edges(self, role: str, edges: list[Edge], end: int = 0) -> int:
        sensor = self.sensors.get(role)
        if sensor is not None:
            for at, on in edges:
                self.sim.set(sensor.channels[end], sensor.active_level if on else 1 - sensor.active_level, at)
        return edges[-1][0]
