"""People at a simulated table, of whatever game: they look at the scoreboard, play, and answer what the marker is asked."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Collection

from controller.engine.requests import Answer, Request
from controller.engine.snapshot import OpenQuestion, Snapshot
from controller.simulation.bounce import Contact, Edge
from controller.tablefile import TableFile
from hardware.signals import MS, SECOND
from hardware.sources.sim import SimSource

PRESS = 400 * MS
"""How long a button is held down: longer than the worst contact bounces."""


class Players(ABC):
    """Play games on the inputs of a `SimSource`. The same seed plays the same games.

    `act(now, shown)` does what is due and gives what people ask of the marker; `next_time` says when they want to be called.
    `resting`: the roles whose inputs are on before anybody plays.
    """

    def __init__(
        self, table: TableFile, sim: SimSource, seed: int, *, start: int, games: int | None, resting: Collection[str] = ()
    ) -> None:
        self.rng = random.Random(seed)  # noqa: S311 - it plays a game, it guards nothing
        self.sim = sim
        self.sensors = {sensor.role: sensor for sensor in table.sensors}
        self.contacts = {channel: Contact.any(self.rng) for s in table.sensors for channel in s.channels}
        self.next_time = start
        self.games_left = games
        self.finished: list[dict[str, int]] = []
        """The true scores of the games that are over."""
        self.answers = True
        """Whether the marker answers what is asked."""
        for sensor in table.sensors:
            level = sensor.active_level if sensor.role in resting else 1 - sensor.active_level
            for channel in sensor.channels:
                sim.set(channel, level, start)

    @property
    @abstractmethod
    def true_score(self) -> dict[str, int]:
        """What the game is worth by now, by the world alone."""

    @property
    def done(self) -> bool:
        """Whether the last game has been played and its questions are answered."""
        return self.games_left == 0

    def act(self, now: int, shown: Snapshot) -> list[Request]:
        """Look at the scoreboard and do what is due; gives what people ask of the marker."""
        if now < self.next_time:
            return []
        self.next_time = now + round(self.rng.uniform(0.8, 2.5) * SECOND)
        if shown.questions and self.answers:
            return self._answer_all(now, shown)
        return self._go_on(now, shown)

    @abstractmethod
    def _go_on(self, now: int, shown: Snapshot) -> list[Request]:
        """Do the next thing of the game; nothing is asked."""

    def _answer_all(self, now: int, shown: Snapshot) -> list[Request]:  # noqa: ARG002 - some need a moment for an answer
        return [self._answer(question) for question in shown.questions]

    def _answer(self, question: OpenQuestion) -> Request:
        """The truth where it is among the choices."""
        keys = [key for key, _ in question.choices]
        wanted = self._truth_of(question)
        return Request(Answer(question.id, wanted if wanted in keys else self._without_truth(question)), "demo")

    @abstractmethod
    def _truth_of(self, question: OpenQuestion) -> str | None:
        """The key of what really happened; None where the world doesn't know."""

    def _without_truth(self, question: OpenQuestion) -> str:
        """What is said where the truth is no choice."""
        return question.likely

    def _game_over(self) -> bool:
        """Note the score of a game that is over; whether it was the last."""
        self.finished.append(self.true_score)
        if self.games_left is not None:
            self.games_left -= 1
        return self.done

    # What hands do to the inputs

    def _press(self, role: str, at: int) -> int:
        """Press a button and let it go; gives when it has been let go."""
        self._change(role, at, 1)
        return self._change(role, at + PRESS, 0)

    def _contact(self, role: str) -> Contact:
        return self.contacts[self.sensors[role].channels[0]] if role in self.sensors else Contact(1.0)

    def _change(self, role: str, at: int, on: int) -> int:
        """An input goes on or off, as its contact bounces; gives its last edge. Nothing happens where it isn't fitted."""
        return self._edges(role, self._contact(role).change(self.rng, at, on))

    def _edges(self, role: str, edges: list[Edge], end: int = 0) -> int:
        sensor = self.sensors.get(role)
        if sensor is not None:
            for at, on in edges:
                self.sim.set(sensor.channels[end], sensor.active_level if on else 1 - sensor.active_level, at)
        return edges[-1][0]
