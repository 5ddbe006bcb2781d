"""How bells are judged: the settings, with their measured defaults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hardware.signals import MS, SECOND

Form = Literal["readings", "pulses"]
"""What a bell's signals are: readings of a converter (its highest of some milliseconds), or the edges of a comparator."""


@dataclass(frozen=True, slots=True)
class BellSettings:
    """What is a ring; times in nanoseconds. The defaults are measured: `tests/hardware/detectors/test_bell_rates.py`.

    `threshold`: a reading that may begin a ring, `weakest` its least peak. `rise`: it begins with so many times what was heard in
    the last `memory`. `coupling`: bells that begin within it sound together; one that has not `share` of what the one that grew
    most has gained only hears another. `sudden`: so much of what it is at the most it becomes at once; a telephone that shakes
    comes slowly. `judge`, `look`: between `judge` and `judge + look` after it began a ring still has
    `keep` of its peak, and `floor` of the threshold, or within the next `look` it has `linger` of that share: its clang was loud;
    a knock has neither. What is still `flat` of its peak before it is judged was off the scale or sounds long: in the second look
    it must have `slowly` of what it had in the first. `refractory`: a bell begins no second ring within it.
    `stand_out`: a ring is so many times as loud as the bell in the middle; if that isn't so and the share `bump` of all bells
    sounds, the table was shaken.

    Of pulses only their length is known: they are judged by how long a bell sounds until `lasting` after the first began, and one
    that falls silent before `least` was knocked. A pause up to `gap` is none; nor one up to `echo` after a ring, or while another
    bell sounds: it beats. A bell that begins within `late` of another may only have been slow to reach its level.
    """

    threshold: int = 30
    weakest: int = 60
    rise: float = 2.5
    memory: int = 60 * MS
    coupling: int = 40 * MS
    share: float = 0.3
    judge: int = 100 * MS
    look: int = 80 * MS
    sudden: float = 0.3
    keep: float = 0.15
    linger: float = 0.27
    flat: float = 0.75
    slowly: float = 0.25
    floor: float = 0.5
    refractory: int = 2 * SECOND
    bump: float = 0.6
    stand_out: float = 4.0
    gap: int = 100 * MS
    echo: int = 500 * MS
    late: int = 200 * MS
    least: int = 180 * MS
    lasting: int = SECOND
    pulses_stand_out: float = 2.0

    def __post_init__(self) -> None:
        for name in ("threshold", "memory", "coupling", "judge", "look", "refractory", "gap", "echo", "late", "least", "lasting"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} of a bell is {getattr(self, name)}: it must be more than 0")
