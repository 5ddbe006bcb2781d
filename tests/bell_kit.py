"""Trials of the bell detector: ten synthesised bells and something that happens, heard through a converter or a comparator."""

from __future__ import annotations

import functools
import math
import random
from dataclasses import dataclass, replace
from pathlib import Path

from controller.simulation.bells import COUNTS_PER_M_S, Bell, Bells, bled, edges
from controller.simulation.odd_bells import OddBell
from hardware.detectors.bell import BellGroup, BellSettings, Form
from hardware.observations import Observation
from hardware.panel import Panel
from hardware.signals import MS, SECOND, Signal
from tests.bell_events import GENTLE, HEARD_WITHIN, KINDS, Kind, Struck

BOARD_THRESHOLD = 30
"""What the board is silent below, in steps of its converter."""
COMPARATOR = 20
"""Where a comparator's trimmer is set at the least, in the same steps: a tenth of a volt."""
LIT = 250 * MS
"""A comparator's trimmer is set so that its lamp is lit for so long by a gentle ring."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one trial gave: rings told that were none, rings that were not told, and how many were to be told."""

    false: int
    missed: int
    rings: int


Signals = tuple[Signal, ...]


def signals_of(form: Form, what: str, seed: int | str) -> tuple[Signals, Struck, int]:
    """What the bells of a trial send, which were struck, and when it ends."""
    kind, rng = KINDS[what], random.Random(f"{form} {what} {seed}")
    bells = Bells(rng, make=kind.bell)
    struck = kind.happens(bells, rng)
    heard = (
        bells.heard(*_board(kind, rng))
        if form == "readings"
        else (
            (at, place, level)
            for place, (bell, level_set) in enumerate((bled(bell), trimmed(bell)) for bell in bells.bells)
            if bell.loudest >= level_set
            for at, level in edges(bell, rng, (0, kind.until), threshold=level_set)
        )
    )
    signals = sorted((Signal(at, f"sim:{place}", value) for at, place, value in heard), key=lambda one: one.at)
    return tuple(_arrived(signals, rng) if kind.line == "lossy" else signals), struck, kind.until


def _board(kind: Kind, rng: random.Random) -> tuple[int, tuple[int, int], int, int]:
    """How its board is set: what it is silent below, the time that is played, its period and its tail."""
    if kind.line == "every sample":
        return 0, (0, kind.until), MS, 400 * MS
    period = rng.choice((2, 5, 20, 50)) * MS if kind.line == "any period" else 10 * MS
    return BOARD_THRESHOLD, (0, kind.until), period, 400 * MS


def _arrived(signals: list[Signal], rng: random.Random) -> list[Signal]:
    """A tenth of them is lost, some tens of milliseconds at a time, and stamps are wrong by up to a millisecond and a half."""
    kept, lost_until = [], -1
    for signal in signals:
        if rng.random() < 0.02:
            lost_until = signal.at + rng.randint(5, 60) * MS
        if signal.at > lost_until:
            kept.append(signal._replace(at=max(0, signal.at + rng.randint(-3, 3) * MS // 2)))
    return sorted(kept, key=lambda one: one.at)


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


def judged(
    form: Form, heard: tuple[Signals, Struck, int], settings: BellSettings | None = None, within: int = HEARD_WITHIN
) -> Outcome:
    """What a panel makes of it. `within`: a ring that is told so long before or after a blow is that blow's."""
    signals, struck, until = heard
    rings = [one for one in observe(form, signals, until, settings) if one.kind == "ring"]
    right = 0
    for which, at in struck:
        own = next((one for one in rings if one.role == str(which) and abs(one.at - at) < within), None)
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
    return judged(form, signals_of(form, what, seed), settings, KINDS[what].within)


def at_most(found: int, trials: int, sure: float = 0.95) -> float:
    """The upper confidence bound of a rate per thousand (Clopper and Pearson): above it so few would be found too seldom."""
    least, most = found / trials, 1.0
    for _ in range(50):
        rate = (least + most) / 2
        chance = sum(math.comb(trials, n) * rate**n * (1 - rate) ** (trials - n) for n in range(found + 1))
        least, most = (rate, most) if chance > 1 - sure else (least, rate)
    return most * 1000


PAGE = Path(__file__).resolve().parents[1] / "docs" / "detectors.md"
SEEDS = "frozen"
"""The trials that the page tells of; settings were chosen on others."""
AGAIN = 3
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
def sampled(form: Form) -> tuple[tuple[tuple[Signals, Struck, int], int], ...]:
    """The first trials of each kind, and how near to its blow a ring must be told."""
    return tuple(
        (signals_of(form, what, f"{SEEDS}{seed}"), kind.within)
        for what, kind in KINDS.items()
        if kind.until <= 3 * SECOND and kind.heard_by(form)
        for seed in range(AGAIN)
    )


def sample(form: Form, settings: BellSettings | None = None) -> str:
    """False and missed rings in them."""
    outcomes = [judged(form, heard, settings, within) for heard, within in sampled(form)]
    return f"{sum(one.false for one in outcomes)} and {sum(one.missed for one in outcomes)}"


def table_on(page: str) -> str:
    """The part of the page that is measured."""
    first = page.index(f"| {next(iter(KINDS))} |")
    return page[first : page.index(".\n", page.index("What the tests try again", first)) + 1]
