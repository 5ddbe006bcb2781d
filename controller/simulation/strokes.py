"""Simulated strokes of bagatelle: where each ball goes and when, and the true score that follows.

This is the world, not the program: it shares no code with the tables and the rules, so that its score can judge theirs.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Literal

from controller.simulation.board import BALL_M, BEAM_GAP_M, CUPS, HALF_WAY, LENGTH_M, A, B, Place

BLACK = "black"
WHITES_AND_REDS = ("white-1", "white-2", "white-3", "white-4", "red-1", "red-2", "red-3", "red-4")
SECOND = 1_000_000_000

Thing = Literal["cup-on", "cup-off", "spot-off", "up", "down"]


@dataclass(frozen=True, slots=True)
class Happens:
    """What a sensor could see of a stroke: at a time (ns), a thing, at a cup or at a speed (m/s)."""

    at: int
    thing: Thing
    cup: int = 0
    speed: float = 0.0


@dataclass(slots=True)
class World:
    """Where the balls truly are in one turn."""

    rng: random.Random
    hit: float = 0.85
    """How often the player strikes the black with a ball aimed at it."""
    struck: bool = False
    lying: dict[str, Place] = field(default_factory=lambda: {BLACK: A})
    brink: dict[str, int] = field(default_factory=dict)
    """Balls that sit on the edge of a cup: a touch sends them in."""
    cups: dict[int, str] = field(default_factory=dict)
    dead: set[int] = field(default_factory=set)
    """Cups with a ball in them that missed the black: to be lifted, worth nothing."""
    played: int = 0
    turned_out: set[str] = field(default_factory=set)
    """Balls that this stroke has turned out of their cups: they have moved, and lie where they came to rest."""

    @property
    def points(self) -> int:
        """What the cups are worth: each its number, twice that for the black; a ball that missed the black, nothing."""
        return sum(cup * (2 if ball == BLACK else 1) for cup, ball in self.cups.items() if cup not in self.dead)

    @property
    def black_cup(self) -> int | None:
        """The cup that holds the black."""
        return next((cup for cup, ball in self.cups.items() if ball == BLACK), None)

    def lift_dead(self, cup: int) -> None:
        """Take a ball that missed out of its cup."""
        self.dead.discard(cup)
        del self.cups[cup]

    def stroke(self, start: int) -> list[Happens]:
        """Play the next ball at time `start`."""
        rng = self.rng
        ball = WHITES_AND_REDS[self.played]
        self.played += 1
        self.turned_out.clear()
        speed = rng.uniform(0.8, 2.4)
        if rng.random() < 0.02:
            # Too weak: it never reaches the half-way line, and no sensor knows of it.
            return []
        up = start + round((B.along - HALF_WAY) * LENGTH_M / speed * SECOND)
        seen = [Happens(up, "up", speed=speed)]
        strikes = up + round((HALF_WAY - A.along) * LENGTH_M / speed * SECOND)
        if not self.struck:
            if rng.random() >= self.hit:
                return seen + self._miss(strikes, speed)
            self.struck = True
            seen.append(Happens(strikes, "spot-off"))
            del self.lying[BLACK]
            seen += self._comes_to_rest(BLACK, strikes, speed * 0.7)
        seen += self._comes_to_rest(ball, strikes, speed)
        for other in [other for other in self.lying if other not in (ball, BLACK, *self.turned_out)]:
            if rng.random() < (0.6 if other in self.brink else 0.06):
                del self.lying[other]
                edge = self.brink.pop(other, None)
                seen += self._comes_to_rest(other, strikes, speed * 0.5, into=edge)
        if BLACK in self.lying and BLACK not in self.turned_out and rng.random() < 0.15:
            del self.lying[BLACK]
            edge = self.brink.pop(BLACK, None)
            seen += self._comes_to_rest(BLACK, strikes, speed * 0.5, into=edge)
        return sorted(seen, key=lambda h: h.at)

    def _miss(self, after: int, speed: float) -> list[Happens]:
        rng = self.rng
        kind = rng.choices(("board", "cup", "back"), (5, 3, 2))[0]
        if kind == "back":
            return [Happens(after + round(rng.uniform(0.6, 2.0) * SECOND), "down", speed=speed * 0.5)]
        free = [cup for cup in CUPS if cup not in self.cups]
        if kind == "board" or not free:
            return []
        cup = rng.choice(free)
        self.cups[cup] = "missed"
        self.dead.add(cup)
        return [Happens(self._arrival(after, cup, speed), "cup-on", cup)]

    def _comes_to_rest(self, ball: str, after: int, speed: float, into: int | None = None) -> list[Happens]:
        rng = self.rng
        kinds = ("cup", "board", "back", "off", "brink")
        kind = "cup" if into is not None else rng.choices(kinds, (45, 32, 12, 1, 10))[0]
        if kind == "back":
            return [Happens(after + round(rng.uniform(0.6, 2.5) * SECOND), "down", speed=speed * 0.5)]
        if kind == "off":
            return []
        if kind == "cup":
            cup = into or rng.choice(tuple(CUPS))
            if cup in self.dead:
                kind = "board"
            else:
                return self._into_cup(ball, cup, after, speed)
        place = Place(rng.uniform(0.02, 0.45), rng.uniform(-0.11, 0.11))
        self.lying[ball] = place
        if kind == "brink":
            self.brink[ball] = rng.choice(tuple(CUPS))
        return []

    def _into_cup(self, ball: str, cup: int, after: int, speed: float) -> list[Happens]:
        rng = self.rng
        arrives = self._arrival(after, cup, speed)
        turned_out = self.cups.get(cup)
        if turned_out is None:
            self.cups[cup] = ball
            return [Happens(arrives, "cup-on", cup)]
        if rng.random() < 0.6:
            # It runs against the ball that lies there, and stays outside.
            self.lying[ball] = CUPS[cup]
            return []
        # It turns that ball out, gives up its speed, and rocks on the rim before it drops. Within a third of a second no
        # switch that bounces as long as the worst could tell: docs/detectors.md says so.
        self.cups[cup] = ball
        drops = arrives + round(rng.uniform(0.35, 0.8) * SECOND)
        self.turned_out.add(turned_out)
        self.lying[turned_out] = Place(rng.uniform(0.02, 0.45), rng.uniform(-0.11, 0.11))
        return [Happens(arrives, "cup-off", cup), Happens(drops, "cup-on", cup)]

    def _arrival(self, after: int, cup: int, speed: float) -> int:
        rolls = CUPS[cup].far_from(A) * self.rng.uniform(1.0, 3.0) / max(speed, 0.4)
        return after + round(min(rolls, 3.2) * SECOND)


def beam_times(happens: Happens) -> tuple[tuple[int, int], tuple[int, int]]:
    """When a ball breaks the near and the far beam, and for how long: ((at, lasts), (at, lasts))."""
    speed = max(happens.speed, 0.3)
    lasts = round(BALL_M / speed * SECOND)
    gap = round(BEAM_GAP_M / speed * SECOND)
    near, far = (0, gap) if happens.thing == "up" else (gap, 0)
    return (happens.at + near, lasts), (happens.at + far, lasts)
