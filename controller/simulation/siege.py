"""A simulated game of fortification: what the players do, where the balls truly are, and the true score that follows.

This is the world, not the program: it shares no code with the table and the rules, so that its score can judge theirs.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Literal

SIDES = ("english", "french")
BALLS = ("attack", "defence-1", "defence-2")
FORTS = ("advanced-1", "advanced-2", "reserved-1", "reserved-2", "grand")
OTHER = {"english": "french", "french": "english"}
ALL_FORTS = tuple(f"{side}-{fort}" for side in SIDES for fort in FORTS)
ALL_BALLS = tuple(f"{side}-{ball}" for side in SIDES for ball in BALLS)
WINS = 20

Thing = Literal["leaves", "pass", "bell", "silent", "pocket"]


@dataclass(frozen=True, slots=True)
class Deed:
    """What a ball does during a stroke, so many seconds after the blow; `place` is a fort, a pocket or the side it comes from."""

    after: float
    thing: Thing
    ball: str
    place: str = ""


@dataclass(slots=True)
class Siege:
    """One game."""

    rng: random.Random
    turn: str = "english"
    score: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    passed: dict[str, str] = field(default_factory=lambda: dict.fromkeys(SIDES, "no"))
    """`no`, `through` while the enemy's pass colours are still up, `free` once they came down."""
    forts: dict[str, str] = field(default_factory=lambda: dict.fromkeys(ALL_FORTS, "stands"))
    """`stands`, `rung` (paid for), `rung for nothing`, `fallen`."""
    owed: dict[str, str] = field(default_factory=dict)
    """Balls that must go back to their spots, and by whose stroke."""
    on_spot: set[str] = field(default_factory=lambda: set(ALL_BALLS))

    @property
    def winner(self) -> str | None:
        """Who has won: twenty up, with no fort among them whose flag still flies."""
        for side in sorted(SIDES, key=lambda one: -self.score[one]):
            paid = any(self.forts[f"{OTHER[side]}-{fort}"] == "rung" for fort in FORTS)
            if self.score[side] >= WINS and not paid:
                return side
        return None

    @property
    def due(self) -> list[str]:
        """Flags that must come down before the next stroke."""
        rung = [fort for fort, stands in self.forts.items() if stands.startswith("rung")]
        return rung + [f"{OTHER[side]}-pass" for side in SIDES if self.passed[side] == "through"]

    def lower(self, flag: str) -> None:
        """A flag comes down in time."""
        if flag.endswith("pass"):
            self.passed[OTHER[flag.removesuffix("-pass")]] = "free"
        else:
            self.forts[flag] = "fallen"

    def spot(self, ball: str) -> None:
        """A ball is put on its spot."""
        self.on_spot.add(ball)
        self.owed.pop(ball, None)

    def stroke(self) -> list[Deed]:
        """The side whose turn it is plays."""
        side = self.turn
        for flag in self.due:
            self._left_up(flag)
        cued, deeds = self._aim(side)
        self._reckon(side, deeds)
        moved = {cued, *(deed.ball for deed in deeds)}
        leaving = [Deed(0.02 if ball == cued else 0.25, "leaves", ball) for ball in ALL_BALLS if ball in moved & self.on_spot]
        self.on_spot -= moved
        self.turn = OTHER[side]
        return leaving + deeds

    def _left_up(self, flag: str) -> None:
        if flag.endswith("pass"):
            self.passed[OTHER[flag.removesuffix("-pass")]] = "no"
            return
        if self.forts[flag] == "rung":
            self.score[OTHER[flag.split("-", maxsplit=1)[0]]] -= 4
        self.forts[flag] = "stands"

    def _aim(self, side: str) -> tuple[str, list[Deed]]:
        """What the player tries, and what comes of it: the ball cued, and what the balls do."""
        rng, enemy, attack = self.rng, OTHER[side], f"{side}-attack"
        if self.passed[side] == "no" and rng.random() < 0.8:
            through = [Deed(rng.uniform(0.6, 1.4), "pass", attack, side)]
            return attack, through if rng.random() < 0.75 else []
        if self.passed[side] == "free" and self._next_forts(enemy) and rng.random() < 0.75:
            return attack, self._storm(side)
        cued = f"{side}-{rng.choice(BALLS)}"
        kind = rng.choices(("miss", "enemy holed", "own holed", "both holed", "prisoner", "wrong pass"), (30, 35, 8, 4, 12, 5))[0]
        victim = f"{enemy}-{rng.choice(BALLS)}"
        deeds = []
        if kind in ("enemy holed", "both holed"):
            deeds.append(Deed(rng.uniform(0.5, 1.2), "pocket", victim, f"pocket-{rng.randint(1, 6)}"))
        if kind in ("own holed", "both holed"):
            deeds.append(Deed(rng.uniform(1.4, 2.2), "pocket", cued, f"pocket-{rng.randint(1, 6)}"))
        if kind == "prisoner":
            thing: Thing = "bell" if rng.random() < 0.6 else "silent"
            deeds.append(Deed(rng.uniform(0.6, 1.5), thing, victim, f"{side}-{rng.choice(FORTS)}"))
        if kind == "wrong pass":
            deeds.append(Deed(rng.uniform(0.6, 1.4), "pass", cued, enemy))
        return cued, deeds

    def _next_forts(self, enemy: str) -> list[str]:
        for group in (FORTS[:2], FORTS[2:4], FORTS[4:]):
            standing = [f"{enemy}-{fort}" for fort in group if self.forts[f"{enemy}-{fort}"] != "fallen"]
            if standing:
                return standing
        return []

    def _storm(self, side: str) -> list[Deed]:
        rng, enemy, attack = self.rng, OTHER[side], f"{side}-attack"
        after = rng.uniform(0.6, 1.6)
        kind = rng.choices(("taken", "miss", "silent", "any fort", "taken and holed"), (55, 20, 10, 8, 7))[0]
        target = rng.choice(self._next_forts(enemy))
        if kind == "miss":
            return []
        if kind == "silent":
            return [Deed(after, "silent", attack, target)]
        if kind == "any fort":
            return [Deed(after, "bell", attack, f"{enemy}-{rng.choice(FORTS)}")]
        deeds = [Deed(after, "bell", attack, target)]
        if kind == "taken and holed":
            holed = f"{enemy}-{rng.choice(BALLS)}"
            deeds.insert(0, Deed(after - 0.2, "pocket", holed, f"pocket-{rng.randint(1, 6)}"))
        return deeds

    def _reckon(self, side: str, deeds: list[Deed]) -> None:
        """What it is worth: a fault takes two for each own ball at fault, and with it all that the stroke would have won."""
        enemy, attack = OTHER[side], f"{side}-attack"
        owing, free = side in self.owed.values(), self.passed[side] == "free"
        at_fault: set[str] = set()
        won, taken = 0, ""
        back: set[str] = set()
        for deed in deeds:
            own = deed.ball.startswith(side)
            if deed.thing == "pass":
                if deed.ball == attack and deed.place == side and not free:
                    self.passed[side] = "through"
            elif deed.thing == "pocket":
                back.add(deed.ball)
                if own:
                    at_fault.add(deed.ball)
                else:
                    won += 2
            elif not own:
                back.add(deed.ball)
                won += 2 if self.forts[deed.place] == "fallen" else 6
            elif self.forts[deed.place] == "fallen" or deed.place not in self._next_forts(enemy):
                back.add(deed.ball)
                at_fault.add(deed.ball)
            elif deed.thing == "bell":
                back.add(deed.ball)
                taken = deed.place
        if at_fault:
            self.score[side] -= 2 * len(at_fault)
        else:
            self.score[side] += won + (4 if taken and not owing else 0)
            if taken:
                self.forts[taken] = "rung for nothing" if owing else "rung"
        self.owed.update(dict.fromkeys(back, side))
