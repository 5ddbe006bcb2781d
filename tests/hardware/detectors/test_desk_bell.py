"""A desk bell of 2 to 4 kHz rings in both forms, also where a comparator sees each wave; a knock dead in 80 ms never does."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator

import pytest

from controller.simulation.bells import Bell, Mode, edges, readings
from hardware.detectors.bell import BellGroup, Form
from hardware.panel import Panel
from hardware.signals import MS, SECOND, Signal

AT = 500 * MS
SPAN = (0, 4 * SECOND)
DESK_BELLS = [(2000, 0.3), (2700, 0.6), (3300, 1.0), (4000, 2.0)]
"""Of each the tone (Hz), and how long until a third is left (s)."""
LEVEL = 20
"""Where the comparator is set, in steps of the converter: a tenth of a volt."""
KNOCKS = [(90, 0.011), (180, 0.012), (400, 0.017)]
"""Tones of a table that is dead, at one in a hundred, within 50 to 80 ms."""


def sounding(modes: Iterable[Mode]) -> Bell:
    """A disc that hears these, with a little noise and hum."""
    return Bell(3000, 1, gain=1.0, noise=1.0, hum=3.0, split=0.0, sounds=[(AT, mode) for mode in modes], step=MS)


def bell(hz: float, tau: float, peak: float) -> Bell:
    """A stroke: the tone, its octave and more, which die sooner, and what the clapper knocks on the base."""
    tones = [Mode(hz * ratio, tau / ratio, peak * share, 3 * ratio, 0.4) for ratio, share in ((1, 0.5), (2, 0.2), (2.7, 0.2))]
    return sounding([*tones, Mode(200, 0.012, peak * 0.1)])


def rings(form: Form, told: Iterable[tuple[int, int]]) -> list[int]:
    """When the first of four bells rang, in milliseconds after it was struck; the others are silent."""
    panel = Panel(BellGroup([(name, name, f"sim:{name}") for name in "abcd"], form).detectors)
    panel.begin(dict.fromkeys(panel.channels, 0), 0)
    seen = [one for at, value in told for one in panel.feed(Signal(at, "sim:a", value))]
    seen += panel.advance("sim", 20 * SECOND)
    return [(one.at - AT) // MS for one in seen if one.kind == "ring" and one.role == "a"]


def waves(heard: Bell, hz: float, threshold: float) -> Iterator[tuple[int, int]]:
    """What a comparator without a peak holder makes: a pulse for each wave."""
    for n in range(round(3.5 * hz)):
        level = heard.level(AT + round(n / hz * SECOND))
        if level > threshold:
            rises = math.asin(threshold / level) / (2 * math.pi)
            yield AT + round((n + rises) / hz * SECOND), 1
            yield AT + round((n + 0.5 - rises) / hz * SECOND), 0


def converted(heard: Bell) -> list[tuple[int, int]]:
    return list(readings(heard, random.Random(1), SPAN, threshold=30, period=10 * MS, tail=400 * MS))


def compared(heard: Bell) -> list[tuple[int, int]]:
    return list(edges(heard, random.Random(1), SPAN, threshold=LEVEL))


@pytest.mark.parametrize(("hz", "tau"), DESK_BELLS)
@pytest.mark.parametrize("peak", [150, 600, 3000])
def test_a_desk_bell_rings_once(hz: float, tau: float, peak: float) -> None:
    heard = bell(hz, tau, peak)
    for found in (
        rings("readings", converted(heard)),
        rings("pulses", compared(heard)),
        rings("pulses", waves(heard, hz, LEVEL)),
    ):
        assert len(found) == 1
        assert found[0] < 10


@pytest.mark.parametrize(("hz", "tau"), KNOCKS)
@pytest.mark.parametrize("peak", [60, 300, 1000])
def test_a_knock_is_no_ring(hz: float, tau: float, peak: float) -> None:
    heard = sounding([Mode(hz, tau, peak)])
    assert (rings("readings", converted(heard)), rings("pulses", compared(heard))) == ([], [])
    assert rings("pulses", waves(heard, hz, LEVEL)) == []
    assert compared(heard)
