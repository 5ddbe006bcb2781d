"""An evening of bagatelle at a simulated table: two players, balls that do what balls do, and hands that collect them."""

from __future__ import annotations

from controller.engine.requests import Request, StartGame
from controller.engine.snapshot import OpenQuestion, Snapshot
from controller.simulation.bounce import beam_break
from controller.simulation.players import Players
from controller.simulation.strokes import Happens, World, beam_times
from controller.tablefile import TableFile
from hardware.signals import MS, SECOND
from hardware.sources.sim import SimSource


class Evening(Players):
    """Plays games of bagatelle. `true_score` is what the balls were worth, counted from the world alone."""

    def __init__(self, table: TableFile, sim: SimSource, seed: int, *, start: int, games: int | None = None) -> None:
        super().__init__(table, sim, seed, start=start, games=games, resting=("spot-a",))
        self.world = World(self.rng)
        self._banked = {"A": 0, "B": 0}
        self._turn: str | None = None
        self._waiting_since = start

    @property
    def true_score(self) -> dict[str, int]:
        """What the turns that are over were worth."""
        return self._banked

    def _go_on(self, now: int, shown: Snapshot) -> list[Request]:
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
            if self._game_over():
                return []
            self._collect(self.next_time)
        self._banked = {"A": 0, "B": 0}
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
            self._change("end-of-turn", now, 1)
            self.next_time = self._change("end-of-turn", now + 320 * MS, 0) + SECOND
            self._waiting_since = now

    def _bank(self, shown: Snapshot) -> None:
        if (self._turn is not None and shown.turn != self._turn) or (shown.over is not None and self._turn is not None):
            self._banked = {**self._banked, self._turn: self._banked[self._turn] + self.world.points}
            self._turn = None

    def _truth_of(self, question: OpenQuestion) -> str | None:
        if not question.id.startswith("black-"):
            # What can't be is only asked where sensors fail, and here they don't.
            return None
        cup = self.world.black_cup
        return "none" if cup is None else f"cup-{cup}"

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
