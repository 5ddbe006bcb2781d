"""A simulated game of squails: where every disc truly lies, what the players do, and the true score that follows.

This is the world, not the program: it shares no code with the table and the rules, so that its score can judge theirs.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from typing import Literal

SIDES = ("light", "dark")
OTHER = {"light": "dark", "dark": "light"}
EACH = 8
WINS = 5
EDGE = 600.0
"""Half the breadth of the round table; all lengths are millimetres."""
SQUAIL = 25.4
TARGET = 12.7
GAUGE = 76.2
SEAT = {"light": -math.pi / 2, "dark": math.pi / 2}
"""Where each side sits, as an angle round the table."""

Spot = tuple[float, float]
Fate = Literal["in", "short", "across", "off"]


@dataclass(slots=True)
class Slide:
    """One squail struck: from where it was set to where it came to rest, and what it sent elsewhere."""

    side: str
    squail: str
    start: Spot
    end: Spot
    fate: Fate
    """`off`: it slid over the edge on the far side."""
    pushed: dict[str, tuple[Spot, Spot]] = field(default_factory=dict)
    """Other things by name: from where to where; the target too."""
    target_out: bool = False


@dataclass(slots=True)
class Parlour:
    """One game."""

    rng: random.Random
    score: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    lead: str = "light"
    turn: str = "light"
    target: Spot = (0.0, 0.0)
    lying: dict[str, Spot] = field(default_factory=dict)
    in_hand: dict[str, list[str]] = field(default_factory=dict)
    crossed: list[str] = field(default_factory=list)
    """Went right across and were not cried, in the order in which they did."""
    dead: set[str] = field(default_factory=set)
    """Cried out."""
    again: list[str] = field(default_factory=list)
    """Called for, to be played again."""
    replays: dict[str, int] = field(default_factory=dict)
    sent_out: str | None = None
    """Who struck the target out in this round."""
    last: Slide | None = None

    def __post_init__(self) -> None:
        self.fresh_round()

    @property
    def winner(self) -> str | None:
        """Who has five or more."""
        return next((side for side in SIDES if self.score[side] >= WINS), None)

    @property
    def done(self) -> bool:
        """Whether the round has been played."""
        return self.sent_out is not None or (not any(self.in_hand.values()) and not self.again)

    def fresh_round(self) -> None:
        """The squails are back in hand, and the leader begins."""
        self.lying.clear()
        self.in_hand = {side: [f"{side}-s{n}" for n in range(1, EACH + 1)] for side in SIDES}
        self.crossed.clear()
        self.dead.clear()
        self.again.clear()
        self.replays.clear()
        self.sent_out = None
        self.last = None
        self.turn = self.lead

    # Strokes

    def slide(self) -> Slide:
        """The next squail is struck, and everything comes to rest."""
        rng = self.rng
        if any(self.in_hand.values()):
            side = self.turn
            squail = self.in_hand[side].pop(0)
        else:
            squail = self.again.pop(0)
            side = squail.split("-")[0]
            self.replays[squail] = self.replays.get(squail, 0) + 1
            self.crossed = [one for one in self.crossed if one != squail]
            self.lying.pop(squail, None)
        angle = SEAT[side] + rng.uniform(-0.3, 0.3)
        start = _at(angle, EDGE - SQUAIL / 2)
        fate: Fate = rng.choices(("in", "short", "across", "off"), (86, 5, 6, 3))[0]
        slide = Slide(side, squail, start, start, fate)
        if fate == "in":
            self._aim(slide)
        elif fate == "short":
            slide.end = _at(angle + rng.uniform(-0.2, 0.2), EDGE - SQUAIL - rng.uniform(4, 70))
        else:
            slide.end = _at(angle + math.pi + rng.uniform(-0.4, 0.4), EDGE - SQUAIL - rng.uniform(-2 if fate == "off" else 4, 60))
        if fate != "off":
            self.lying[squail] = slide.end
            self._push(slide)
            slide.end = self.lying[squail]
        if fate in ("across", "off"):
            self.crossed.append(squail)
        self.last = slide
        if slide.target_out:
            self._out(side)
        elif self.in_hand[OTHER[side]] or not self.in_hand[side]:
            self.turn = OTHER[side]
        return slide

    def take_back(self) -> str:
        """A squail that lies short is taken back, to be struck again."""
        assert self.last is not None
        squail, side = self.last.squail, self.last.side
        del self.lying[squail]
        if self.replays.get(squail):
            self.replays[squail] -= 1
            self.again.insert(0, squail)
        else:
            self.in_hand[side].insert(0, squail)
            self.turn = side
        return squail

    def cry(self, squail: str) -> None:
        """An opponent cries it out in time."""
        self.dead.add(squail)
        self.crossed.remove(squail)

    def call(self, side: str) -> None:
        """A side calls for its first squail that may be played again."""
        own = sorted(one for one in self.may_call(side))
        waiting = {*self.again, own[0]}
        self.again = [one for one in self.crossed if one in waiting]

    def may_call(self, side: str) -> list[str]:
        """Those that went across uncried, may be played again and wait for nobody's cry any more."""
        late = self.crossed if not any(self.in_hand.values()) else [one for one in self.crossed if not self._latest(one)]
        return [o for o in late if o.startswith(side) and o not in self.again and self.replays.get(o, 0) < 2]

    def _latest(self, squail: str) -> bool:
        return self.last is not None and self.last.squail == squail

    def _aim(self, slide: Slide) -> None:
        """Near the target, mostly; now and then on the very edge of something."""
        rng = self.rng
        kind = rng.choices(("near", "gauge", "rival", "wild", "line"), (72, 8, 10, 6, 4))[0]
        away = rng.uniform(0, 2 * math.pi)
        gap = abs(rng.gauss(0, 90)) + 2
        if kind == "gauge":
            gap = GAUGE + rng.uniform(-2.5, 2.5)
        rivals = [self._gap(spot) for one, spot in self.lying.items() if not one.startswith(slide.side)]
        if kind == "rival" and rivals:
            gap = max(2.0, min(rivals) + rng.uniform(-2.5, 2.5))
        if kind == "wild":
            gap = rng.uniform(100, 300)
        x, y = self.target
        slide.end = (x + (gap + SQUAIL + TARGET) * math.cos(away), y + (gap + SQUAIL + TARGET) * math.sin(away))
        rim = EDGE - SQUAIL - math.hypot(*slide.end)
        if kind == "line" or rim < GAUGE + 8:
            # Just past the line, before its own seat.
            slide.end = _at(SEAT[slide.side] + rng.uniform(-0.3, 0.3), EDGE - SQUAIL - GAUGE - rng.uniform(0.1, 9))

    def _push(self, slide: Slide) -> None:
        """It shoves aside what lies where it came to rest; now and then it strikes the target hard."""
        rng = self.rng
        before = {**self.lying, "target": self.target}
        if slide.fate == "in" and rng.random() < 0.06:
            least, most = rng.choice(((-10, GAUGE), (GAUGE, 260), (GAUGE - 1.5, GAUGE + 1.5)))
            far = EDGE - TARGET - rng.uniform(least, most)
            self.target = _at(SEAT[slide.side] + math.pi + rng.uniform(-0.5, 0.5), far)
        for _ in range(60):
            moved = False
            for one in sorted(self.lying):
                if one != slide.squail:
                    moved |= self._apart(one, slide.squail)
                moved |= self._apart_from_target(one)
                for other in sorted(self.lying):
                    if one < other and slide.squail not in (one, other):
                        moved |= self._apart(one, other)
            if not moved:
                break
        else:
            self._scatter(slide.squail)
        after = {**self.lying, "target": self.target}
        slide.pushed = {n: (before[n], spot) for n, spot in after.items() if n != slide.squail and before[n] != spot}
        slide.target_out = EDGE - TARGET - math.hypot(*self.target) <= GAUGE

    def _scatter(self, fixed: str) -> None:
        """A crowd that finds no room slides off to all sides."""
        for place, one in enumerate(sorted(set(self.lying) - {fixed})):
            middle = (self.target[0], self.target[1])
            spot = _at(place * 2 * math.pi / 16 + self.rng.uniform(0, 0.05), 330)
            if math.hypot(spot[0] - middle[0], spot[1] - middle[1]) > 60:
                self.lying[one] = spot

    def _apart(self, one: str, fixed: str) -> bool:
        return self._shove(one, self.lying[fixed], 2 * SQUAIL)

    def _apart_from_target(self, one: str) -> bool:
        return self._shove(one, self.target, SQUAIL + TARGET)

    def _shove(self, one: str, middle: Spot, least: float) -> bool:
        x, y = self.lying[one]
        far = math.hypot(x - middle[0], y - middle[1])
        if far >= least:
            return False
        # Along the line between them; from the same place anywhere.
        angle = math.atan2(y - middle[1], x - middle[0]) if far else self.rng.uniform(0, 2 * math.pi)
        grown = least + self.rng.uniform(0.5, 6)
        self.lying[one] = (middle[0] + grown * math.cos(angle), middle[1] + grown * math.sin(angle))
        return True

    def _out(self, side: str) -> None:
        self.sent_out = side
        self.score[OTHER[side]] += 1
        self.again.clear()
        self.lead = side

    # The end of a round

    def _gap(self, spot: Spot) -> float:
        return math.hypot(spot[0] - self.target[0], spot[1] - self.target[1]) - SQUAIL - TARGET

    @property
    def gaps(self) -> dict[str, float]:
        """How far each squail that counts lies from the target, rim to rim."""
        return {one: self._gap(spot) for one, spot in self.lying.items() if one not in self.dead}

    @property
    def counted(self) -> list[str]:
        """The squails of the nearer side before any of the other, within the gauge."""
        ranked = sorted(self.gaps.items(), key=lambda item: item[1])
        if not ranked:
            return []
        side = ranked[0][0].split("-")[0]
        found = []
        for one, gap in ranked:
            if not one.startswith(side) or gap > GAUGE:
                break
            found.append(one)
        return found

    def reckon(self) -> None:
        """Score the round."""
        counted = self.counted
        if counted:
            side = counted[0].split("-")[0]
            self.score[side] += len(counted)
            self.lead = side


def _at(angle: float, radius: float) -> Spot:
    return (radius * math.cos(angle), radius * math.sin(angle))
