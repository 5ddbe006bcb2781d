"""Which bell was rung, reading by reading."""

from __future__ import annotations

import math

from controller.learning.rings import Heard, Rings
from hardware.signals import MS, SECOND, Signal
from tests.table_kit import table_of

TWO = (
    '[table]\nid = "t"\ngame = "fortification"\n[[board]]\nname = "b"\nid = "b"\n'
    '[[sensor]]\nrole = "english-grand"\nkind = "bell"\nsource = "board:b/54"\n'
    '[[sensor]]\nrole = "french-grand"\nkind = "bell"\nsource = "board:b/55"\nthreshold = 40\n'
)
"""They are set differently, so each is judged by itself."""


def heard(*sounds: tuple[str, int, float], since: int = 0) -> Heard | None:
    """`sounds`: which input, its peak, how slowly it dies in seconds."""
    rings = Rings(table_of(TWO))
    rings.begin({}, 0)
    signals = [
        Signal(SECOND + ms * MS, channel, round(peak * math.exp(-ms / 1000 / tau)))
        for channel, peak, tau in sounds
        for ms in range(0, 500, 10)
    ]
    for signal in sorted(signals):
        rings.feed(signal)
    return rings.judged(3 * SECOND, "readings", since)


def test_a_ring_is_one_although_a_knock_was_louder() -> None:
    one = heard(("board:b/54", 300, 0.5), ("board:b/55", 900, 0.02))
    assert one is not None
    assert (one.channel, one.kind, one.active) == ("board:b/54", "ring", None)


def test_of_two_that_ring_the_louder_was_struck() -> None:
    one = heard(("board:b/54", 300, 0.5), ("board:b/55", 900, 0.5))
    assert one is not None
    assert one.channel == "board:b/55"


def test_what_rang_before_is_no_answer() -> None:
    assert heard(("board:b/54", 300, 0.5), since=2 * SECOND) is None
