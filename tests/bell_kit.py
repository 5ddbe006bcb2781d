"""Trials of the bell detector: ten synthesised bells and something that happens, heard through a converter or a comparator."""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from controller.simulation.bells import COUNTS_PER_M_S, Bell, Bells, bled, edges
from controller.simulation.odd_bells import OddBell, between, cracked_bell, hand_bell, on_a_bad_wire
from hardware.detectors.bell import BellGroup, BellSettings, Form
from hardware.observations import Observation
from hardware.panel import Panel
from hardware.signals import MS, SECOND, Signal

BOARD_THRESHOLD = 30
"""What the board is silent below, in steps of its converter."""
COMPARATOR = 20
"""Where a comparator's trimmer is set at the least, in the same steps: a tenth of a volt."""
GENTLE = 0.4
"""What strikes a bell at so many metres a second still rings it plainly; less is a soft ring."""
LIT = 250 * MS
"""A comparator's trimmer is set so that its lamp is lit for so long by a gentle ring."""
AT = 300 * MS
HEARD_WITHIN = 60 * MS


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one trial gave: rings told that were none, rings that were not told, and how many were to be told."""

    false: int
    missed: int
    rings: int


Struck = list[tuple[int, int]]
"""Which bells rang, and when."""
Signals = tuple[Signal, ...]


def any_speed(rng: random.Random) -> float:
    """How fast balls strike bells that ring plainly, in metres a second."""
    while (speed := rng.lognormvariate(math.log(0.9), 0.6)) < GENTLE:
        pass
    return min(3.0, speed)


def _rung(bells: Bells, rng: random.Random, speed: float, at: int = AT) -> Struck:
    which = rng.randrange(len(bells.bells))
    bells.ring(which, at, speed)
    return [(which, at)]


def _ring(bells: Bells, rng: random.Random) -> Struck:
    return _rung(bells, rng, any_speed(rng))


def _beating(bells: Bells, rng: random.Random) -> Struck:
    for bell in bells.bells:
        bell.split, bell.even = rng.uniform(1, 6), True
    return _ring(bells, rng)


def _music_and_ring(bells: Bells, rng: random.Random) -> Struck:
    bells.music(0, 1500 * MS, rng.uniform(5, 50))
    return _ring(bells, rng)


def _footfall_and_ring(bells: Bells, rng: random.Random) -> Struck:
    bells.footfall(AT - rng.randint(0, 300) * MS, rng.uniform(5, 60))
    return _ring(bells, rng)


def _knock_and_ring(bells: Bells, rng: random.Random) -> Struck:
    bells.knock(AT - rng.randint(80, 300) * MS, between(rng, 30, 300))
    return _ring(bells, rng)


def _twice(bells: Bells, rng: random.Random) -> Struck:
    """The ball or the clapper comes back on it: still one ring."""
    struck = _ring(bells, rng)
    after, share = rng.randint(20, 300) * MS, rng.uniform(0.3, 1.0)
    for bell in bells.bells:
        bell.sounds += [(since + after, mode.scaled(share)) for since, mode in bell.sounds]
    return struck


def _into_a_ring(bells: Bells, rng: random.Random) -> Struck:
    first, other = rng.sample(range(len(bells.bells)), 2)
    at = AT + rng.randint(300, 1500) * MS
    bells.ring(first, AT, any_speed(rng))
    bells.ring(other, at, any_speed(rng))
    return [(first, AT), (other, at)]


def _once_more(bells: Bells, rng: random.Random) -> Struck:
    """Another ball, a few seconds later, on the same bell."""
    which, at = rng.randrange(len(bells.bells)), AT + rng.randint(2500, 6000) * MS
    bells.ring(which, AT, any_speed(rng))
    bells.ring(which, at, any_speed(rng))
    return [(which, AT), (which, at)]


def _knock(bells: Bells, rng: random.Random, rings: float = 0.1) -> Struck:
    bells.knock(AT, between(rng, 30, 1500), rings)
    return []


def _footfalls(bells: Bells, rng: random.Random) -> Struck:
    for step in range(3):
        bells.footfall(AT + step * 500 * MS, rng.uniform(5, 60))
    return []


def _thud(bells: Bells, rng: random.Random) -> Struck:
    bells.thud(rng.randrange(len(bells.bells)), AT, between(rng, 50, 1000))
    return []


def _knocks(bells: Bells, rng: random.Random) -> Struck:
    for place in range(3):
        bells.knock(AT + place * 1500 * MS, between(rng, 30, 1500), rng.uniform(0.0, 0.1))
    return []


def _music(bells: Bells, rng: random.Random) -> Struck:
    bells.music(0, 2 * SECOND, rng.uniform(5, 60))
    return []


def _nothing(bells: Bells, rng: random.Random) -> Struck:  # noqa: ARG001 - as all of them
    return []


@dataclass(frozen=True, slots=True)
class Kind:
    """What happens: on which bells, for how long (ns)."""

    happens: Callable[[Bells, random.Random], Struck]
    bell: Callable[[random.Random], Bell] = Bell.any
    until: int = 2 * SECOND


KINDS = {
    "a ring": Kind(_ring),
    "a soft ring": Kind(lambda bells, rng: _rung(bells, rng, rng.uniform(0.2, GENTLE))),
    "a ring off the scale": Kind(lambda bells, rng: _rung(bells, rng, rng.uniform(2.5, 5.0))),
    "a ring that beats": Kind(_beating),
    "a ring during music": Kind(_music_and_ring),
    "a ring and footfalls": Kind(_footfall_and_ring),
    "a ring after a knock": Kind(_knock_and_ring),
    "a knock on the table": Kind(_knock),
    "a ball against a fort": Kind(_thud),
    "three footfalls": Kind(_footfalls),
    "two seconds of music": Kind(_music),
    "two seconds of noise": Kind(_nothing),
    "a hand bell": Kind(_ring, hand_bell),
    "a soft hand bell": Kind(lambda bells, rng: _rung(bells, rng, rng.uniform(0.2, GENTLE)), hand_bell),
    "a hand bell off the scale": Kind(lambda bells, rng: _rung(bells, rng, rng.uniform(2.5, 10.0)), hand_bell),
    "a cracked or damped bell": Kind(_ring, cracked_bell),
    "a bell struck twice at once": Kind(_twice, hand_bell),
    "a bell while another sounds": Kind(_into_a_ring, hand_bell, 3 * SECOND),
    "the same bell once more": Kind(_once_more, hand_bell, 8 * SECOND),
    "a hand bell on a bad wire": Kind(_ring, on_a_bad_wire),
    "a knock that rings hand bells": Kind(lambda bells, rng: _knock(bells, rng, rng.uniform(0.05, 0.2)), hand_bell),
    "a ball against a fort of hand bells": Kind(_thud, hand_bell),
    "three knocks on bad wires": Kind(_knocks, on_a_bad_wire, 5 * SECOND),
    "ten seconds of bad wires": Kind(_nothing, on_a_bad_wire, 10 * SECOND),
}
"""What is tried, by its name in docs/detectors.md."""


def signals_of(form: Form, what: str, seed: int | str) -> tuple[Signals, Struck, int]:
    """What the bells of a trial send, which were struck, and when it ends."""
    kind, rng = KINDS[what], random.Random(f"{form} {what} {seed}")
    bells = Bells(rng, make=kind.bell)
    struck = kind.happens(bells, rng)
    heard = (
        bells.heard(BOARD_THRESHOLD, (0, kind.until), 10 * MS, 400 * MS)
        if form == "readings"
        else (
            (at, place, level)
            for place, (bell, level_set) in enumerate((bled(bell), trimmed(bell)) for bell in bells.bells)
            if bell.loudest >= level_set
            for at, level in edges(bell, rng, (0, kind.until), threshold=level_set)
        )
    )
    signals = sorted((Signal(at, f"sim:{place}", value) for at, place, value in heard), key=lambda one: one.at)
    return tuple(signals), struck, kind.until


def trimmed(bell: Bell) -> int:
    """Where a person sets the comparator of this bell: each of five gentle rings lights its lamp for `LIT`, and silence never."""
    silent = bell.hum + 3 * bell.noise + (bell.offset + abs(bell.drift) if isinstance(bell, OddBell) else 0)
    rng = random.Random(f"{bell.hz} {bell.gain}")
    left = []
    for _ in range(5):
        tried = bled(replace(bell, sounds=[(0, mode) for mode in bell.partials(rng, GENTLE * COUNTS_PER_M_S)]))
        # It beats: the lamp goes on for good with the highest of some moments.
        left.append(max(tried.level(LIT + later * MS) for later in (0, 10, 20, 40, 60)))
    return max(COMPARATOR, round(1.5 * silent), round(min(left)))


def judged(form: Form, heard: tuple[Signals, Struck, int], settings: BellSettings | None = None) -> Outcome:
    """What a panel makes of it."""
    signals, struck, until = heard
    rings = [one for one in observe(form, signals, until, settings) if one.kind == "ring"]
    right = 0
    for which, at in struck:
        own = next((one for one in rings if one.role == str(which) and abs(one.at - at) < HEARD_WITHIN), None)
        if own is not None:
            right += 1
            rings.remove(own)
    return Outcome(len(rings), len(struck) - right, len(struck))


def observe(form: Form, signals: Signals, until: int, settings: BellSettings | None = None) -> list[Observation]:
    """What a panel of ten bells sees."""
    group = BellGroup([(str(place), str(place), f"sim:{place}") for place in range(10)], form, settings)
    panel = Panel(group.detectors)
    panel.begin(dict.fromkeys(panel.channels, 0), 0)
    seen = [one for signal in signals for one in panel.feed(signal)]
    return seen + panel.advance("sim", until + 5 * SECOND)


def trial(form: Form, what: str, seed: int | str, settings: BellSettings | None = None) -> Outcome:
    """Try it once."""
    return judged(form, signals_of(form, what, seed), settings)


def at_most(found: int, trials: int, sure: float = 0.95) -> float:
    """The upper confidence bound of a rate per thousand (Clopper and Pearson): above it so few would be found too seldom."""
    least, most = found / trials, 1.0
    for _ in range(50):
        rate = (least + most) / 2
        chance = sum(math.comb(trials, n) * rate**n * (1 - rate) ** (trials - n) for n in range(found + 1))
        least, most = (rate, most) if chance > 1 - sure else (least, rate)
    return most * 1000


PAGE = Path(__file__).resolve().parents[1] / "docs" / "detectors.md"
SEEDS = "final"
"""The trials that the page tells of; settings were chosen on others."""
AGAIN = 4
"""So many trials of each kind are made again by the tests; of the long ones none."""


@dataclass(frozen=True, slots=True)
class Rates:
    """What was found: false rings in so many trials, missed rings of so many."""

    false: int
    trials: int
    missed: int
    rings: int

    @property
    def said(self) -> str:
        """As the page has it: per thousand, and in brackets the least that it is below, 95 in 100 sure."""
        missed = f"{_rate(self.missed, self.rings)}" if self.rings else "–"  # noqa: RUF001 - a dash for people
        return f"{_rate(self.false, self.trials)} | {missed}"


def _rate(found: int, trials: int) -> str:
    return f"{1000 * found / trials:.0f} ({at_most(found, trials):.0f})"


def rates_of(form: Form, what: str, seeds: str, trials: int) -> Rates:
    """How often it fails."""
    outcomes = [trial(form, what, f"{seeds}{seed}") for seed in range(trials)]
    return Rates(
        sum(bool(one.false) for one in outcomes),
        trials,
        sum(one.missed for one in outcomes),
        sum(one.rings for one in outcomes),
    )


@functools.cache
def sampled(form: Form) -> tuple[tuple[Signals, Struck, int], ...]:
    """The first trials of each kind."""
    return tuple(
        signals_of(form, what, f"{SEEDS}{seed}")
        for what, kind in KINDS.items()
        if kind.until <= 3 * SECOND
        for seed in range(AGAIN)
    )


def sample(form: Form, settings: BellSettings | None = None) -> str:
    """False and missed rings in them."""
    outcomes = [judged(form, heard, settings) for heard in sampled(form)]
    return f"{sum(one.false for one in outcomes)} and {sum(one.missed for one in outcomes)}"


def table_on(page: str) -> str:
    """The part of the page that is measured."""
    first = page.index(f"| {next(iter(KINDS))} |")
    return page[first : page.index(".\n", page.index("What the tests try again", first)) + 1]
