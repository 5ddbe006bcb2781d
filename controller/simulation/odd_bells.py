"""Bells, discs and wires of every kind that a house may have, beside those of the demo: from physics, for trials of a detector.

Hand bells from two kilohertz up that die in a sixth of a second or sing for three, cracked and damped ones, discs that hear ten
times as much as others; behind them the peak holder of docs/boards.md with what resistor there was, mains hum, a resting level
that drifts, and a converter of ten bits that is read a thousand times a second. Nothing is taken from the settings of a detector.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from controller.simulation.bells import FULL, MS, SECOND, Bell

SAMPLED = MS
"""A board samples its bells a thousand times a second."""


def between(rng: random.Random, least: float, most: float) -> float:
    """A number between these, as often within each octave."""
    return math.exp(rng.uniform(math.log(least), math.log(most)))


@dataclass(slots=True)
class OddBell(Bell):
    """A bell behind a peak holder: what it reads falls no faster than `release` (s) lets it."""

    release: float = 0.022
    offset: float = 0.0
    """What the wire reads at rest, in steps; it drifts by `drift` within `drift_s` seconds and back."""
    drift: float = 0.0
    drift_s: float = 10.0
    mains: float = 50.0
    held: float = 0.0
    last: int = 0

    @property
    def loudest(self) -> float:
        """What its readings can't exceed."""
        # Named as in Python before 3.12: `super()` doesn't work in a dataclass with slots.
        tones = sum(mode.amplitude for _, mode in self.sounds) * self.gain
        return tones + 6 * self.noise + self.hum + self.offset + abs(self.drift)

    def sample(self, rng: random.Random, at: int) -> int:
        """One reading; they are taken in order of time."""
        wave = self.level(at) * rng.uniform(0.9, 1.0)
        if at < self.last:
            self.held = 0.0
        self.held = max(wave, self.held * math.exp((self.last - at) / SECOND / self.release))
        self.last = at
        ripple = self.hum * abs(math.sin(math.pi * self.mains * at / SECOND))
        rest = self.offset + self.drift * math.sin(2 * math.pi * at / SECOND / self.drift_s)
        return max(0, min(FULL, round(self.held + ripple + rest + rng.gauss(0, self.noise))))


def hand_bell(rng: random.Random) -> OddBell:
    """A small hand bell: 2 to 5 kHz, and what it sounds falls to a third in 0.15 to 3 s."""
    hz = between(rng, 2000, 5000)
    return _bell(rng, hz, between(rng, 0.15, 3.0))


def cracked_bell(rng: random.Random) -> OddBell:
    """One that is cracked, or has a finger on it: it dies within a tenth of a second or two, and its pairs lie far apart."""
    bell = _bell(rng, between(rng, 1200, 4000), between(rng, 0.08, 0.2))
    bell.split, bell.even = rng.uniform(5, 40), rng.random() < 0.5
    return bell


def on_a_bad_wire(rng: random.Random) -> OddBell:
    """A hand bell whose wire hums, rests well above nothing, and drifts."""
    bell = hand_bell(rng)
    bell.hum, bell.offset, bell.drift = rng.uniform(0, 25), rng.uniform(0, 40), rng.uniform(-10, 10)
    return bell


def _bell(rng: random.Random, hz: float, tau: float) -> OddBell:
    return OddBell(
        hz=hz,
        quality=math.pi * hz * tau,
        gain=between(rng, 0.5, 2.5),
        noise=rng.uniform(0.3, 1.0),
        hum=rng.uniform(0, 4),
        split=rng.uniform(0.3, 8.0),
        step=SAMPLED,
        release=between(rng, 0.015, 0.047),
        offset=rng.uniform(0, 8),
        drift_s=rng.uniform(5, 60),
        mains=rng.choice((50.0, 100.0)),
    )
