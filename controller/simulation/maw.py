"""An evening of maw at a simulated table: two players, their buttons, a card scanner, and whoever answers what is asked."""

from __future__ import annotations

from collections import deque

from controller.engine.requests import EnterEvent, Request, StartGame
from controller.engine.snapshot import OpenQuestion, Snapshot
from controller.simulation.hands import Deed, Hands
from controller.simulation.players import Players
from controller.tablefile import TableFile
from hardware.signals import MS, SECOND
from hardware.sources.sim import SimSource


class MawEvening(Players):
    """Plays sets of maw."""

    def __init__(self, table: TableFile, sim: SimSource, seed: int, *, start: int, games: int | None = None) -> None:
        super().__init__(table, sim, seed, start=start, games=games)
        self.hands = Hands(self.rng)
        self._deeds: deque[Deed] = deque()
        # They consent that one game may decide the set (MAW-09c).
        self._truth = {"ask": "yes"}
        self._shown_before: list[str] = []
        """Cards that lie in the tricks of this deal."""
        self._playing = False

    @property
    def true_score(self) -> dict[str, int]:
        """What the set stands at by now."""
        return self.hands.score

    def _go_on(self, now: int, shown: Snapshot) -> list[Request]:
        if shown.phase in ("idle", "over", "abandoned"):
            return self._between_sets(shown)
        if shown.phase == "playing":
            return self._play(now)
        return []

    def _between_sets(self, shown: Snapshot) -> list[Request]:
        if shown.phase == "over" and self._playing:
            self._playing = False
            if self._game_over():
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

    def _truth_of(self, question: OpenQuestion) -> str | None:
        return self._truth.get(question.id.partition("-")[0])

    def _without_truth(self, question: OpenQuestion) -> str:
        return question.choices[-1][0]

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
