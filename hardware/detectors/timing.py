"""Settle and lockout: when a change of an input counts, and the safe values for each kind of sensor."""

from __future__ import annotations

from dataclasses import dataclass

from hardware.signals import MS


@dataclass(frozen=True, slots=True)
class Timing:
    """Two filters, each for going on and for going off, in nanoseconds.

    `settle`: the input must be stable so long before the change counts. `lockout`: after a change that counted, further ones are
    ignored so long; then the level is compared, so that the last edge is never lost. On and off are *logical*: a contact that
    opens when a ball comes has the same times as one that closes. Raises `ValueError` for a negative time.
    """

    settle_on: int
    settle_off: int
    lockout_on: int = 0
    lockout_off: int = 0

    def __post_init__(self) -> None:
        for name in ("settle_on", "settle_off", "lockout_on", "lockout_off"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} is {getattr(self, name)} ns: a time can't be negative")


CUP = Timing(150 * MS, 150 * MS)
"""A ball rattles in a cup before it lies still. The worst of Ganssle's eighteen switches bounced for 157 ms: a train of that
length has no room for two stretches of 150 ms, so it counts once."""

FLAG = Timing(300 * MS, 300 * MS)
"""A staff is put in its socket by hand and wobbles; nothing hangs on a third of a second."""

BEAM = Timing(2 * MS, 2 * MS)
"""A ball at 5 m/s still shades a beam for 6 ms or more; what shades it for less than 1 ms is light or noise."""

BUTTON = Timing(20 * MS, 30 * MS, lockout_on=150 * MS, lockout_off=130 * MS)
"""A finger feels no delay of 20 ms. The lockouts, after a settle time, outlast the 157 ms of Ganssle's worst switch at either end
of a press, so that it is one press; three presses a second are still three. An `undo` that counts twice is worse than one that is
pressed again."""
