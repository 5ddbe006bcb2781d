"""An evening of maw at a simulated table: two players, their buttons, a card scanner, and whoever answers what is asked."""

from __future__ import annotations

import random
from collections import deque
from typing import Any

from controller.engine.requests import Answer, EnterEvent, Request, StartGame
from controller.engine.snapshot import Snapshot
from controller.simulation.bounce import Contact
from controller.simulation.hands import Deed, Hands
from controller.tablefile import TableFile
from hardware.signals import MS, SECOND
from hardware.sources.sim import SimSource


class MawEvening:
    """Plays sets of maw on the inputs of a `SimSource`; see `Evening`. `true_score` is the world's alone."""

    def __init__(self, table: TableFile, sim: SimSource, seed: int, *, start: int, games: int | None = None) -> None:
        self.rng = random.Random(seed)  # noqa: S311 - it plays a game, it guards nothing
        self.sim = sim
        self.sensors = {sensor.role: sensor for sensor in table.sensors}
        self.contacts = {channel: Contact.any(self.rng) for s in table.sensors for channel in s.channels}
        self.next_time = start
        self.games_left = games
        self.hands = Hands(self.rng)
        self.finished: list[dict[str, int]] = []
        self.answers = True
        self._deeds: deque[Deed] = deque()
        # They consent that one game may decide the set (MAW-09c).
        self._truth = {"ask": "yes"}
        self._shown_before: list[str] = []
        """Cards that lie in the tricks of this deal."""
        self._playing = False
        for sensor in table.sensors:
            for channel in sensor.channels:
                sim.set(channel, 1 - sensor.active_level, start)

    @property
    def done(self) -> bool:
        """Whether the last set has been played and its questions are answered."""
        return self.games_left == 0

    @property
    def true_score(self) -> dict[str, int]:
        """What the set stands at by now."""
        return self.hands.score

    def act(self, now: int, shown: Snapshot) -> list[Request]:
        """Look at the scoreboard and do the next thing."""
        if now < self.next_time:
            return []
        self.next_time = now + round(self.rng.uniform(0.8, 2.5) * SECOND)
        if shown.questions and self.answers:
            return [self._answer(question) for question in shown.questions]
        if shown.phase in ("idle", "over", "abandoned"):
            return self._between_sets(shown)
        if shown.phase == "playing":
            return self._play(now)
        return []

    def _between_sets(self, shown: Snapshot) -> list[Request]:
        if shown.phase == "over" and self._playing:
            self._playing = False
            self.finished.append(self.true_score)
            if self.games_left is not None:
                self.games_left -= 1
                if self.games_left == 0:
                    return []
            self.next_time += 4 * SECOND
            return []
        self.hands = Hands(self.rng)
        self._deeds.clear()
        self._playing = True
        return [Request(StartGame(), "demo")]

    def _play(self, now: int) -> list[Request]:
        if not self._deeds:
            if self.hands.winner is not None:
                return []
            self._deeds.extend(self.hands.deal())
            self._shown_before.clear()
            self.next_time = now + round(self.rng.uniform(9, 13) * SECOND)
        deed = self._deeds.popleft()
        self._truth |= deed.truth
        if deed.thing == "tell":
            return [Request(EnterEvent(deed.event), "demo")]
        if deed.thing in ("turned up", "card"):
            self._scan(deed.card, now)
            if deed.thing == "card":
                self._shown_before.append(deed.card)
        elif f"{deed.by}-{deed.thing}" in self.sensors:
            self._press(f"{deed.by}-{deed.thing}", now)
            if deed.thing == "rob":
                # He takes the card turned up into his hand, and lays another away.
                self.next_time += 3 * SECOND
        return []

    def _answer(self, question: Any) -> Request:
        keys = [key for key, _ in question.choices]
        wanted = self._truth.get(question.id.partition("-")[0], keys[-1])
        return Request(Answer(question.id, wanted if wanted in keys else keys[-1]), "demo")

    # What hands do to the inputs

    def _scan(self, card: str, now: int) -> None:
        """Hold a card before the scanner: it reads it again and again, now and then torn, and sees one that lies there."""
        rng = self.rng
        at = now
        for _ in range(rng.randint(1, 8)):
            self._read(card, at)
            at += round(rng.uniform(0.08, 0.3) * SECOND)
        if self._shown_before and rng.random() < 0.05:
            self._read(rng.choice(self._shown_before), at + 100 * MS)

    def _read(self, card: str, at: int) -> None:
        chance = self.rng.random()
        line = card
        if chance < 0.06:
            line = card[: self.rng.randint(0, len(card) - 1)] if chance < 0.03 else card[1:]
            # The next reading is whole: a card that isn't read at all is shown again.
            self.sim.tell(self.sensors["card"].channels[0], card, at + 40 * MS)
        elif chance < 0.1:
            line = f"{card}{card}"
        self.sim.tell(self.sensors["card"].channels[0], line, at)

    def _press(self, role: str, at: int) -> None:
        sensor = self.sensors[role]
        for start, on in ((at, 1), (at + 400 * MS, 0)):
            # Longer than the worst contact bounces.
            for edge, level in self.contacts[sensor.channels[0]].change(self.rng, start, on):
                self.sim.set(sensor.channels[0], sensor.active_level if level else 1 - sensor.active_level, edge)
