"""What a house really has: glass and tea bells with a clang, circuits of all sorts behind the disc, and what shakes a table.

Written with recordings of small bells in mind. The first fiftieth of a second is loud with partials that die at once, and what
goes on afterwards is a third or less of it. Glass sounds from half a kilohertz to two and a half, its partials rising as the
square of their number; small brass bells from two to five, a thousandth being left after 0.3 to 3 s. A disc may hang on the
converter by a peak holder, after a coupling capacitor that swings below nothing when the sound is over, by itself, or on half the
supply. Nothing is taken from the settings of a detector.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from controller.simulation.bells import FULL, MS, SECOND, Bell, Bells, Mode, wood
from controller.simulation.odd_bells import SAMPLED, OddBell, between

Circuit = Literal["holder", "capacitor", "bare", "half"]
"""How a disc hangs on the converter."""
GLASS = (1.0, 2.3, 4.2, 6.6)
BRASS = (1.0, 2.6, 4.4, 6.1)
HALF = (FULL + 1) // 2


@dataclass(slots=True)
class HouseBell(OddBell):
    """A bell with a clang, behind one of four circuits. `full`: where its Zener diode or its supply ends it."""

    clang: float = 0.0
    """How loud the partials that die at once are, against the others."""
    circuit: Circuit = "holder"
    full: int = FULL
    slow: float = 0.2
    """Of a coupling capacitor: its time constant (s)."""
    average: float = 0.0

    def partials(self, rng: random.Random, strength: float, contact_s: float = 0.0002) -> list[Mode]:
        """What it sounds when it is struck; the softer the blow touches, the less clang."""
        # Named as in Python before 3.12: `super()` doesn't work in a dataclass with slots.
        modes = Bell.partials(self, rng, strength, contact_s)
        clang = strength * self.clang * min(1.0, 0.0002 / contact_s)
        high = [Mode(self.hz * rng.uniform(4, 9), rng.uniform(0.004, 0.025), clang * rng.uniform(0.3, 1.0)) for _ in range(3)]
        return modes + high

    def sample(self, rng: random.Random, at: int) -> int:
        """One reading; they are taken in order of time."""
        if self.circuit in ("holder", "capacitor"):
            return min(self.full, self._held(rng, at))
        # The converter takes the wave itself, wherever it is just then.
        moment = at + rng.randint(-MS // 10, MS // 10)
        wave = sum(_wave(mode, (moment - since) / SECOND) for since, mode in self.sounds if since <= at) * self.gain
        ripple = self.hum * math.sin(2 * math.pi * self.mains / 2 * at / SECOND) + rng.gauss(0, self.noise)
        if self.circuit == "bare":
            return max(0, min(self.full, round(wave + ripple)))
        return max(0, min(self.full, round(HALF + wave + ripple)))

    def _held(self, rng: random.Random, at: int) -> int:
        if at < self.last:
            self.held = self.average = 0.0
        passed = (at - self.last) / SECOND
        self.last = at
        self.held = max(self.level(at) * rng.uniform(0.9, 1.0), self.held * math.exp(-passed / self.release))
        if self.circuit == "capacitor":
            self.average += (self.held - self.average) * -math.expm1(-passed / self.slow)
        ripple = self.hum * abs(math.sin(math.pi * self.mains * at / SECOND)) + rng.gauss(0, self.noise)
        return max(0, min(self.full, round(self.held - self.average + self.offset + ripple)))


def _wave(mode: Mode, t: float) -> float:
    level = mode.level(t)
    return level if mode.slow or not level else level * math.sin(2 * math.pi * mode.hz * t + mode.phase)


def glass_bell(rng: random.Random) -> HouseBell:
    """A glass with a foot, or a bell of glass."""
    hz = between(rng, 500, 2500)
    return _house_bell(rng, hz, between(rng, 500, 2500) / (math.pi * hz), GLASS)


def tea_bell(rng: random.Random) -> HouseBell:
    """A tea bell, a desk bell, a bell of a cat: a thousandth is left after 0.4 to 3 s."""
    return _house_bell(rng, between(rng, 2000, 5000), between(rng, 0.4, 3.0) / math.log(1000), BRASS)


def after_a_capacitor(rng: random.Random) -> HouseBell:
    """A wire that rests above nothing, and swings below that after each sound."""
    bell = tea_bell(rng)
    bell.circuit, bell.offset, bell.slow = "capacitor", rng.uniform(10, 120), between(rng, 0.15, 1.0)
    return bell


def without_a_holder(rng: random.Random) -> HouseBell:
    """The disc with a resistor across it, straight on the converter."""
    bell = hand_or_tea_bell(rng)
    bell.circuit = "bare"
    return bell


def on_half_the_supply(rng: random.Random) -> HouseBell:
    """The disc between two resistors that hold it in the middle: half of the range is left."""
    bell = hand_or_tea_bell(rng)
    bell.circuit = "half"
    return bell


def hand_or_tea_bell(rng: random.Random) -> HouseBell:
    """Either, at a blow that needn't be loud: one of three ends below the top of the converter."""
    bell = _house_bell(rng, between(rng, 1500, 5000), between(rng, 0.1, 1.5), BRASS)
    bell.full = rng.choice((FULL, 960, 700))
    return bell


def _house_bell(rng: random.Random, hz: float, tau: float, ratios: tuple[float, ...]) -> HouseBell:
    return HouseBell(
        hz=hz,
        quality=math.pi * hz * tau,
        gain=between(rng, 0.6, 2.0),
        noise=rng.uniform(0.3, 2.0),
        hum=rng.uniform(0, 8),
        split=rng.uniform(0.3, 8.0),
        step=SAMPLED,
        ratios=ratios,
        release=between(rng, 0.005, 0.033),
        offset=rng.uniform(0, 8),
        drift_s=rng.uniform(5, 60),
        mains=rng.choice((50.0, 60.0, 100.0, 120.0)),
        clang=rng.uniform(0.0, 0.4),
    )


def touched(modes: Iterable[tuple[int, Mode]], since: int, tau: float, until: float) -> list[tuple[int, Mode]]:
    """What a thing that lies against a bell from the blow at `since` on leaves of it: `tau` s, and free again after `until` s."""
    left = math.exp(-until / tau)
    heard = []
    for at, mode in modes:
        dies = 1 / (1 / mode.tau + 1 / tau)
        if at < since:
            heard.append((at, mode))
        else:
            heard += [(at, replace(mode, tau=dies, amplitude=mode.amplitude * (1 - left))), (at, mode.scaled(left))]
    return heard


def buzz(bells: Bells, at: int, lasts: int, strength: float) -> None:
    """A telephone that lies on the table and shakes: a hum that comes within some hundredths of a second, stays, and ends."""
    rng = bells.rng
    hz, starts = rng.uniform(140, 200), rng.randint(30, 80) * MS
    shares = [between(rng, 0.1, 0.7) for _ in bells.bells]
    shares[rng.randrange(len(shares))] = 1.0
    for start in range(at, at + lasts, 10 * MS):
        note = Mode(hz, 0.02, strength * rng.uniform(0.8, 1.0) * min(1.0, (start - at + 5 * MS) / starts), attack=0.01)
        for bell, share in zip(bells.bells, shares, strict=True):
            bell.sounds.append((start, note.scaled(share)))


def scrape(bells: Bells, at: int, lasts: int, strength: float) -> None:
    """A chair, a cue or a glass is pushed along: small blows, one upon the other, nearer to some bells than to others."""
    rng = bells.rng
    shares = [between(rng, 0.1, 1.0) for _ in bells.bells]
    moment = at
    while moment < at + lasts:
        blow = wood(rng, strength * rng.uniform(0.2, 1.0))
        for bell, share in zip(bells.bells, shares, strict=True):
            bell.sounds += [(moment, mode.scaled(share)) for mode in blow]
        moment += rng.randint(3, 25) * MS


def spike(bells: Bells, at: int, strength: float) -> None:
    """Static, a relay or a fluorescent lamp: a moment on one wire, and less on others."""
    rng = bells.rng
    nearest = rng.randrange(len(bells.bells))
    for place, bell in enumerate(bells.bells):
        share = 1.0 if place == nearest else rng.uniform(0.0, 0.5)
        bell.sounds.append((at, Mode(5000, 0.0005, strength * share / bell.gain)))


def slam(bells: Bells, at: int, strength: float) -> None:
    """A door: the house swings a few times, five to fifteen times a second."""
    rng = bells.rng
    hz = rng.uniform(5, 15)
    swing = Mode(hz, 1 / (2 * math.pi * hz * rng.uniform(0.05, 0.15)), strength, phase=rng.uniform(0, 3), slow=True)
    for bell in bells.bells:
        bell.sounds.append((at, swing.scaled(rng.uniform(0.3, 1.0))))
