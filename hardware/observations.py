"""Observations: what a detector made of the signals of one sensor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["level", "press", "held", "crossing", "blocked", "ring", "bump", "reading", "card", "position", "gauge"]


@dataclass(frozen=True, slots=True)
class Sound:
    """What was measured of a bell that rang.

    `peak`: its highest reading, in steps of the converter; None of pulses. `decay` in seconds: of readings the time in which it
    falls to 1/e (None where it wasn't seen to fall), of pulses how long it was heard. `coupled`: the sensors of bells that began
    to sound with it, and were found to have only heard it.
    """

    peak: int | None
    decay: float | None
    coupled: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Observation:
    """Something happened at one sensor.

    `at`: when it happened there; `known`: when its detector was sure of it (both in monotonic nanoseconds, `at <= known`).
    `kind` and `value`: `level` True or False (a ball lies there, a flag is up); `press` and `held` True (a button); `crossing`
    `"up"`, `"down"` or `""` where the direction can't be told; `blocked` True (something stays in a beam); `position` the text of
    a `Scene`; `gauge` True (it touches) or False.
    `late`: it came after its source had said that nothing older would. `sound`: of a bell, what people may want to know of it;
    nothing is decided by it later.
    """

    at: int
    known: int
    sensor: str
    role: str
    kind: Kind
    value: bool | int | float | str
    late: bool = False
    sound: Sound | None = None
