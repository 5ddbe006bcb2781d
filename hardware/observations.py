"""Observations: what a detector made of the signals of one sensor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["level", "press", "held", "crossing", "blocked", "ring", "bump", "reading", "card", "position", "gauge"]


@dataclass(frozen=True, slots=True)
class Observation:
    """Something happened at one sensor.

    `at`: when it happened there; `known`: when its detector was sure of it (both in monotonic nanoseconds, `at <= known`).
    `kind` and `value`: `level` True or False (a ball lies there, a flag is up); `press` and `held` True (a button); `crossing`
    `"up"`, `"down"` or `""` where the direction can't be told; `blocked` True (something stays in a beam); `position` the text of
    a `Scene`; `gauge` True (it touches) or False.
    `late`: it came after its source had said that nothing older would.
    """

    at: int
    known: int
    sensor: str
    role: str
    kind: Kind
    value: bool | int | float | str
    late: bool = False
