"""How bells, knocks and the bar sound to a piezo disc glued to a bell's frame: from physics, as readings or as edges.

A bell is a few partials, each a pair of modes split by the casting's faults, which beat; each decays with its quality factor. A
blow is half a sine of its contact time, so a short one excites high modes and a long one low modes alone. Wood loses two to six
parts in a hundred of critical damping: it dies within tenths of a second. Nothing here is taken from the settings of a detector.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

MS = 1_000_000
SECOND = 1_000_000_000
STEP = 2 * MS
FULL = 1023
"""The highest reading of a converter of ten bits."""

BALL_ON_BELL_S = 0.0002
"""A hard ball of an inch and three quarters touches brass for about so long (Hertz)."""
DISC_HZ = 4600.0
"""Where a piezo disc of 27 mm resonates; above that it hears less and less."""
BLEED_HZ = 1 / (2 * math.pi * 10_000 * 20e-9)
"""A disc of 20 nF with 10 kΩ across it gives less and less below this."""
DIES = 7
"""After so many of its time constants a tone is nothing: a thousandth."""
COUNTS_PER_M_S = 400.0
"""What a bell reads that a ball strikes at a metre a second, before the spread of gains."""


@dataclass(frozen=True, slots=True)
class Mode:
    """A decaying tone, or a pair of them that beats: `split` Hz apart, the weaker `balance` of the stronger (0: a single tone).

    A `slow` one is followed wave by wave, since a converter sees its every half wave.
    """

    hz: float
    tau: float
    amplitude: float
    split: float = 0.0
    balance: float = 0.0
    phase: float = 0.0
    attack: float = 0.0
    slow: bool = False

    def level(self, t: float) -> float:
        """Its envelope `t` seconds after the blow."""
        if t < 0 or t > DIES * self.tau:
            return 0.0
        level = self.amplitude * math.exp(-t / self.tau)
        if self.attack:
            level *= 1 - math.exp(-t / self.attack)
        if self.slow:
            return level * abs(math.sin(2 * math.pi * self.hz * t + self.phase))
        if self.balance:
            turn = math.cos(2 * math.pi * self.split * t + self.phase)
            level *= math.sqrt(1 + self.balance**2 + 2 * self.balance * turn) / (1 + self.balance)
        return level

    def scaled(self, factor: float) -> Mode:
        """The same, so many times as strong."""
        return Mode(self.hz, self.tau, self.amplitude * factor, self.split, self.balance, self.phase, self.attack, self.slow)


def push(hz: float, contact_s: float) -> float:
    """What half a sine of this length gives to a mode, against one that lasts no time at all."""
    x = 2 * hz * contact_s
    return math.pi / 4 if abs(x - 1) < 1e-6 else abs(math.cos(math.pi * x / 2) / (1 - x * x))


@dataclass(slots=True)
class Bell:
    """One small bell with its disc and amplifier. `sounds`: what it hears, each with the time (ns) at which it began."""

    hz: float
    quality: float
    gain: float
    noise: float
    hum: float
    split: float
    even: bool = False
    """Whether both modes of each pair sound alike: then the beat falls to nothing."""
    sounds: list[tuple[int, Mode]] = field(default_factory=list)
    step: int = STEP
    """Nanoseconds between two samples."""
    ratios: tuple[float, ...] = (1.0, 2.0, 2.7, 4.1)
    """Its partials, as multiples of the lowest."""

    @classmethod
    def any(cls, rng: random.Random) -> Bell:
        """A bell of an inch or two, as one may be."""
        return cls(
            rng.uniform(1200, 3200),
            math.exp(rng.uniform(math.log(1500), math.log(8000))),
            rng.uniform(0.6, 1.6),
            rng.uniform(1.0, 3.0),
            rng.uniform(1.0, 12.0),
            rng.uniform(0.3, 8.0),
        )

    def partials(self, rng: random.Random, strength: float, contact_s: float = BALL_ON_BELL_S) -> list[Mode]:
        """What it sounds when it is struck; a disc hears acceleration, so high partials more, up to its own resonance."""
        ratios = self.ratios
        disc = [ratio / (1 + (self.hz * ratio / DISC_HZ) ** 2) for ratio in ratios]
        short = [hears * push(self.hz * ratio, BALL_ON_BELL_S) for ratio, hears in zip(ratios, disc, strict=True)]
        given = [
            hears * push(self.hz * ratio, contact_s) * rng.uniform(0.3, 1.0) for ratio, hears in zip(ratios, disc, strict=True)
        ]
        whole = sum(short)
        return [
            Mode(
                self.hz * ratio,
                self.quality / (math.pi * self.hz * ratio),
                strength * part / whole,
                self.split * ratio,
                1.0 if self.even else rng.uniform(0.1, 0.9),
                rng.uniform(0, 2 * math.pi),
            )
            for ratio, part in zip(ratios, given, strict=True)
        ]

    @property
    def loudest(self) -> float:
        """What its readings can't exceed."""
        return sum(mode.amplitude for _, mode in self.sounds) * self.gain + 6 * self.noise + self.hum

    def level(self, at: int) -> float:
        """What the amplifier gives then, without noise."""
        level = 0.0
        for since, mode in self.sounds:
            if 0 <= at - since <= DIES * mode.tau * SECOND:
                level += mode.level((at - since) / SECOND)
        return level * self.gain

    def sample(self, rng: random.Random, at: int) -> int:
        """One reading."""
        level = self.level(at) * rng.uniform(0.85, 1.0)
        level += abs(rng.gauss(0, self.noise)) + self.hum * abs(math.sin(2 * math.pi * 50 * at / SECOND))
        return min(FULL, round(level))


def wood(rng: random.Random, strength: float) -> list[Mode]:
    """What a blow on the table or a fort gives: three modes that die soon."""
    modes = []
    for _ in range(3):
        hz = math.exp(rng.uniform(math.log(90), math.log(500)))
        modes.append(Mode(hz, 1 / (2 * math.pi * hz * rng.uniform(0.02, 0.06)), strength * rng.uniform(0.2, 0.5)))
    return modes


class Bells:
    """The bells of one table, which hear one another through its wood."""

    def __init__(self, rng: random.Random, count: int = 10, make: Callable[[random.Random], Bell] = Bell.any) -> None:
        self.rng = rng
        self.bells = [make(rng) for _ in range(count)]
        self._coupling = [
            [math.exp(rng.uniform(math.log(0.005), math.log(0.2 if abs(one - other) == 1 else 0.08))) for other in range(count)]
            for one in range(count)
        ]

    def ring(self, which: int, at: int, speed: float) -> None:
        """A ball strikes a bell at `speed` (m/s)."""
        bell = self.bells[which]
        strength = speed * COUNTS_PER_M_S
        tone = bell.partials(self.rng, strength) + wood(self.rng, strength * self.rng.uniform(0.1, 0.3))
        self._heard(which, at, tone)

    def thud(self, which: int, at: int, strength: float) -> None:
        """A ball strikes a fort's wall beside the bell, which hardly sounds."""
        contact = self.rng.uniform(0.0006, 0.0015)
        tone = self.bells[which].partials(self.rng, strength * self.rng.uniform(0.03, 0.1), contact)
        self._heard(which, at, wood(self.rng, strength) + tone)

    def knock(self, at: int, strength: float, rings: float = 0.1, touches: tuple[float, float] = (0.001, 0.005)) -> None:
        """A fist, a glass or the butt of a cue on the table. `rings`: how much of it sets the bells going; `touches`: s."""
        contact = self.rng.uniform(*touches)
        for bell in self.bells:
            reaches = strength * self.rng.uniform(0.2, 1.0)
            heard = wood(self.rng, reaches) + bell.partials(self.rng, reaches * rings, contact)
            late = self.rng.randint(0, 4 * MS)
            bell.sounds += [(at + late, mode) for mode in heard]

    def footfall(self, at: int, strength: float) -> None:
        """Somebody stamps: the floor swings a few times, and the table with it."""
        hz = self.rng.uniform(10, 28)
        floor = Mode(hz, 1 / (2 * math.pi * hz * self.rng.uniform(0.03, 0.06)), strength, phase=self.rng.uniform(0, 3), slow=True)
        for bell in self.bells:
            bell.sounds.append((at, floor.scaled(self.rng.uniform(0.4, 1.0))))

    def music(self, at: int, lasts: int, strength: float) -> None:
        """Bass and drum from the bar, beat after beat."""
        beat = round(60 / self.rng.uniform(90, 140) * SECOND)
        shares = [self.rng.uniform(0.3, 1.0) for _ in self.bells]
        for start in range(at, at + lasts, beat // 2):
            note = Mode(
                self.rng.uniform(45, 160),
                self.rng.uniform(0.08, 0.3),
                strength * self.rng.uniform(0.3, 1.0),
                phase=self.rng.uniform(0, 3),
                attack=self.rng.uniform(0.002, 0.02),
            )
            for bell, share in zip(self.bells, shares, strict=True):
                bell.sounds.append((start, note.scaled(share)))

    def heard(self, threshold: int, span: tuple[int, int], period: int, tail: int) -> Iterator[tuple[int, int, int]]:
        """What a board tells of all bells in this time: (time, which bell, reading), those that can't be heard left out."""
        for which, bell in enumerate(self.bells):
            if bell.loudest >= threshold:
                told = readings(bell, self.rng, span, threshold=threshold, period=period, tail=tail)
                yield from ((at, which, value) for at, value in told)

    def share_frame(self, one: int, other: int, share: float) -> None:
        """Two bells on one frame: each hears so much of the other."""
        self._coupling[one][other] = self._coupling[other][one] = share

    def hush(self, before: int) -> None:
        """Forget what has died away by then."""
        for bell in self.bells:
            bell.sounds = [(since, mode) for since, mode in bell.sounds if since + DIES * mode.tau * SECOND > before]

    def _heard(self, which: int, at: int, tone: Sequence[Mode]) -> None:
        for other, bell in enumerate(self.bells):
            reaches = 1.0 if other == which else self._coupling[which][other]
            late = 0 if other == which else self.rng.randint(MS // 2, 3 * MS)
            bell.sounds += [(at + late, mode.scaled(reaches)) for mode in tone if mode.amplitude * reaches > 0.5]


def readings(
    bell: Bell, rng: random.Random, span: tuple[int, int], *, threshold: int, period: int, tail: int
) -> Iterator[tuple[int, int]]:
    """What a board's converter writes: the sample that reached `threshold`, then for `tail` the highest of each `period` (ns)."""
    start, until = span
    ends, due, highest = -1, 0, 0
    for at in range(start, until, bell.step):
        value = bell.sample(rng, at)
        if at >= ends:
            if value >= threshold:
                yield at, value
                ends, due, highest = at + tail, at + period, 0
            continue
        highest = max(highest, value)
        if at + bell.step >= due:
            yield at, highest
            due, highest = due + period, 0


def bled(bell: Bell) -> Bell:
    """The bell as it is heard through a disc with 10 kΩ across it: stamps, bass and wood are faint."""
    return replace(bell, sounds=[(since, mode.scaled(mode.hz / math.hypot(mode.hz, BLEED_HZ))) for since, mode in bell.sounds])


def edges(bell: Bell, rng: random.Random, span: tuple[int, int], *, threshold: int) -> Iterator[tuple[int, int]]:
    """What a comparator behind a peak holder makes: high above `threshold`, low again a fifth below it."""
    start, until = span
    high, held = 0, 0.0
    for at in range(start, until, bell.step):
        held = max(bell.sample(rng, at), held * math.exp(-bell.step / (5 * MS)))
        if not high and held >= threshold:
            high = 1
            yield at, 1
        elif high and held < threshold * 0.8:
            high = 0
            yield at, 0
    if high:
        yield until, 0
