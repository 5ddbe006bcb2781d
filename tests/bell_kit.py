"""Trials of the bell detector: ten synthesised bells and something that happens, heard through a converter or a comparator."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

from controller.simulation.bells import Bells, edges
from hardware.detectors.bell import BellGroup, Form
from hardware.observations import Observation
from hardware.panel import Panel
from hardware.signals import MS, SECOND, Signal

BOARD_THRESHOLD = 30
"""What the board is silent below, in steps of its converter."""
COMPARATOR = 60
"""Where the comparator's trimmer is set: above hum and steps on the floor."""
AT = 300 * MS
HEARD_WITHIN = 60 * MS


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one trial gave."""

    false: int
    missed: int
    bumps: int


def any_speed(rng: random.Random) -> float:
    """How fast balls strike bells, in metres a second."""
    return min(3.0, max(0.2, rng.lognormvariate(math.log(0.9), 0.6)))


def _between(rng: random.Random, least: float, most: float) -> float:
    return math.exp(rng.uniform(math.log(least), math.log(most)))


def _beating(bells: Bells, rng: random.Random) -> None:
    for bell in bells.bells:
        bell.split, bell.even = rng.uniform(1, 6), True


def _nothing(bells: Bells, rng: random.Random) -> None:
    """Nothing else happens."""


Prepare = Callable[[Bells, random.Random], None]

RINGS: dict[str, tuple[Prepare, Callable[[random.Random], float]]] = {
    "a ring": (_nothing, any_speed),
    "a soft ring": (_nothing, lambda rng: rng.uniform(0.2, 0.4)),
    "a ring off the scale": (_nothing, lambda rng: rng.uniform(2.5, 5.0)),
    "a ring that beats": (_beating, any_speed),
    "a ring during music": (lambda bells, rng: bells.music(0, 1500 * MS, rng.uniform(5, 50)), any_speed),
    "a ring and footfalls": (
        lambda bells, rng: bells.footfall(AT - rng.randint(0, 300) * MS, rng.uniform(5, 60)),
        any_speed,
    ),
    "a ring after a knock": (
        lambda bells, rng: bells.knock(AT - rng.randint(80, 300) * MS, _between(rng, 30, 300)),
        any_speed,
    ),
}
"""What is done besides, and how fast the ball is."""


def _footfalls(bells: Bells, rng: random.Random) -> None:
    for step in range(3):
        bells.footfall(AT + step * 500 * MS, rng.uniform(5, 60))


NO_RINGS: dict[str, Prepare] = {
    "a knock on the table": lambda bells, rng: bells.knock(AT, _between(rng, 30, 1500)),
    "a ball against a fort": lambda bells, rng: bells.thud(rng.randrange(10), AT, _between(rng, 50, 1000)),
    "three footfalls": _footfalls,
    "two seconds of music": lambda bells, rng: bells.music(0, 2 * SECOND, rng.uniform(5, 60)),
    "two seconds of noise": _nothing,
}


def trial(form: Form, what: str, seed: int) -> Outcome:
    """Try it once."""
    rng = random.Random(f"{form} {what} {seed}")
    bells = Bells(rng)
    struck = None
    if what in RINGS:
        prepare, speed = RINGS[what]
        prepare(bells, rng)
        struck = rng.randrange(len(bells.bells))
        bells.ring(struck, AT, speed(rng))
    else:
        NO_RINGS[what](bells, rng)
    seen = observe(bells, form, rng, 2 * SECOND)
    rings = [one for one in seen if one.kind == "ring"]
    right = [one for one in rings if struck is not None and one.role == str(struck) and abs(one.at - AT) < HEARD_WITHIN]
    return Outcome(
        len(rings) - len(right[:1]), int(struck is not None and not right), len([one for one in seen if one.kind == "bump"])
    )


def observe(bells: Bells, form: Form, rng: random.Random, until: int) -> list[Observation]:
    """What a panel makes of what they sound."""
    group = BellGroup([(str(place), str(place), f"sim:{place}") for place in range(len(bells.bells))], form)
    panel = Panel(group.detectors)
    heard = (
        bells.heard(BOARD_THRESHOLD, (0, until), 10 * MS, 400 * MS)
        if form == "readings"
        else (
            (at, place, level)
            for place, bell in enumerate(bells.bells)
            if bell.loudest >= COMPARATOR
            for at, level in edges(bell, rng, (0, until), threshold=COMPARATOR)
        )
    )
    signals = [Signal(at, f"sim:{place}", value) for at, place, value in heard]
    seen = [one for signal in sorted(signals, key=lambda s: s.at) for one in panel.feed(signal)]
    return seen + panel.advance("sim", until + 5 * SECOND)


def at_most(found: int, trials: int, sure: float = 0.95) -> float:
    """The upper confidence bound of a rate per thousand (Clopper and Pearson): above it so few would be found too seldom."""
    least, most = found / trials, 1.0
    for _ in range(50):
        rate = (least + most) / 2
        chance = sum(math.comb(trials, n) * rate**n * (1 - rate) ** (trials - n) for n in range(found + 1))
        least, most = (rate, most) if chance > 1 - sure else (least, rate)
    return most * 1000
