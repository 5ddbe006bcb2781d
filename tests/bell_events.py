"""What happens in trials of the bell detector: blows on bells of every kind, and everything else that shakes a table."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from controller.simulation.bells import COUNTS_PER_M_S, Bell, Bells
from controller.simulation.house_bells import (
    after_a_capacitor,
    buzz,
    glass_bell,
    hand_or_tea_bell,
    on_half_the_supply,
    scrape,
    slam,
    spike,
    tea_bell,
    touched,
    without_a_holder,
)
from controller.simulation.odd_bells import between, cracked_bell, hand_bell, on_a_bad_wire
from hardware.detectors.bell import Form
from hardware.signals import MS, SECOND

GENTLE = 0.4
"""What strikes a bell at so many metres a second still rings it plainly; less is a soft ring."""
AT = 300 * MS
HEARD_WITHIN = 60 * MS

Struck = list[tuple[int, int]]
"""Which bells rang, and when."""


def any_speed(rng: random.Random) -> float:
    """How fast balls strike bells that ring plainly, in metres a second."""
    while (speed := rng.lognormvariate(math.log(0.9), 0.6)) < GENTLE:
        pass
    return min(3.0, speed)


def _rung(bells: Bells, rng: random.Random, speed: float, at: int = AT) -> Struck:
    which = rng.randrange(len(bells.bells))
    bells.ring(which, at, speed)
    return [(which, at)]


def _ring(bells: Bells, rng: random.Random) -> Struck:
    return _rung(bells, rng, any_speed(rng))


def _beating(bells: Bells, rng: random.Random) -> Struck:
    for bell in bells.bells:
        bell.split, bell.even = rng.uniform(1, 6), True
    return _ring(bells, rng)


def _music_and_ring(bells: Bells, rng: random.Random) -> Struck:
    bells.music(0, 1500 * MS, rng.uniform(5, 50))
    return _ring(bells, rng)


def _footfall_and_ring(bells: Bells, rng: random.Random) -> Struck:
    bells.footfall(AT - rng.randint(0, 300) * MS, rng.uniform(5, 60))
    return _ring(bells, rng)


def _knock_and_ring(bells: Bells, rng: random.Random) -> Struck:
    bells.knock(AT - rng.randint(80, 300) * MS, between(rng, 30, 300))
    return _ring(bells, rng)


def _twice(bells: Bells, rng: random.Random) -> Struck:
    """The ball or the clapper comes back on it: still one ring."""
    struck = _ring(bells, rng)
    after, share = rng.randint(20, 300) * MS, rng.uniform(0.3, 1.0)
    for bell in bells.bells:
        bell.sounds += [(since + after, mode.scaled(share)) for since, mode in bell.sounds]
    return struck


def _into_a_ring(bells: Bells, rng: random.Random) -> Struck:
    first, other = rng.sample(range(len(bells.bells)), 2)
    at = AT + rng.randint(300, 1500) * MS
    bells.ring(first, AT, any_speed(rng))
    bells.ring(other, at, any_speed(rng))
    return [(first, AT), (other, at)]


def _once_more(bells: Bells, rng: random.Random) -> Struck:
    """Another ball, a few seconds later, on the same bell."""
    which, at = rng.randrange(len(bells.bells)), AT + rng.randint(2500, 6000) * MS
    bells.ring(which, AT, any_speed(rng))
    bells.ring(which, at, any_speed(rng))
    return [(which, AT), (which, at)]


def _knock(bells: Bells, rng: random.Random, rings: float = 0.1) -> Struck:
    bells.knock(AT, between(rng, 30, 1500), rings)
    return []


def _footfalls(bells: Bells, rng: random.Random) -> Struck:
    for step in range(3):
        bells.footfall(AT + step * 500 * MS, rng.uniform(5, 60))
    return []


def _thud(bells: Bells, rng: random.Random) -> Struck:
    bells.thud(rng.randrange(len(bells.bells)), AT, between(rng, 50, 1000))
    return []


def _knocks(bells: Bells, rng: random.Random) -> Struck:
    for place in range(3):
        bells.knock(AT + place * 1500 * MS, between(rng, 30, 1500), rng.uniform(0.0, 0.1))
    return []


def _music(bells: Bells, rng: random.Random) -> Struck:
    bells.music(0, 2 * SECOND, rng.uniform(5, 60))
    return []


def _nothing(bells: Bells, rng: random.Random) -> Struck:  # noqa: ARG001 - as all of them
    return []


def _clapper(bells: Bells, rng: random.Random) -> Struck:
    """A ball pushes a bell, whose clapper then strikes it, and swings back, several times: one ring."""
    which, speed, at = rng.randrange(len(bells.bells)), any_speed(rng), AT + rng.randint(40, 200) * MS
    bells.thud(which, AT, speed * COUNTS_PER_M_S * rng.uniform(0.05, 0.3))
    struck = [(which, at)]
    for _ in range(rng.randint(2, 6)):
        bells.ring(which, at, speed)
        at, speed = at + rng.randint(150, 400) * MS, speed * rng.uniform(0.5, 0.85)
    return struck


def _jingle(bells: Bells, rng: random.Random) -> Struck:
    """The pellet in a sleigh bell goes on striking it."""
    which, speed, at = rng.randrange(len(bells.bells)), any_speed(rng), AT
    for _ in range(rng.randint(3, 10)):
        bells.ring(which, at, speed * (1.0 if at == AT else rng.uniform(0.2, 1.0)))
        at += rng.randint(15, 120) * MS
    return [(which, AT)]


def _rolls_along(bells: Bells, rng: random.Random) -> Struck:
    """The ball stays at the bell for a moment: it chatters on it, damps it, and lets it go."""
    which, speed, at = rng.randrange(len(bells.bells)), any_speed(rng), AT
    stays = rng.randint(15, 100) * MS
    while at < AT + stays:
        bells.ring(which, at, speed * (1.0 if at == AT else rng.uniform(0.02, 0.2)))
        at += rng.randint(4, 15) * MS
    _touch(bells, between(rng, 0.04, 0.2), stays / SECOND)
    return [(which, AT)]


def _leans(bells: Bells, rng: random.Random) -> Struck:
    """The ball comes to rest against the bell that it has rung."""
    struck = _ring(bells, rng)
    _touch(bells, between(rng, 0.06, 0.4), 10.0)
    return struck


def _touch(bells: Bells, tau: float, until: float) -> None:
    for bell in bells.bells:
        bell.sounds = touched(bell.sounds, AT, tau, until)


def _two_on_a_frame(bells: Bells, rng: random.Random) -> Struck:
    """Each pair of neighbours hangs on one frame, with discs alike."""
    for one in range(0, len(bells.bells), 2):
        bells.share_frame(one, one + 1, rng.uniform(0.2, 0.5))
        bells.bells[one + 1].gain = bells.bells[one].gain * rng.uniform(0.85, 1.18)
    return _ring(bells, rng)


def _put_down(bells: Bells, rng: random.Random) -> Struck:
    """A glass is put on the table: it touches two or three times."""
    at, strength = AT, between(rng, 30, 600)
    for _ in range(rng.randint(2, 4)):
        bells.knock(at, strength, touches=(0.0003, 0.001))
        at, strength = at + rng.randint(20, 90) * MS, strength * rng.uniform(0.3, 0.8)
    return []


def _coins(bells: Bells, rng: random.Random) -> Struck:
    """Coins or keys fall on it."""
    at = AT
    for _ in range(rng.randint(3, 9)):
        bells.knock(at, between(rng, 20, 300), touches=(0.0001, 0.0003))
        at += rng.randint(15, 120) * MS
    return []


def _cue_falls(bells: Bells, rng: random.Random) -> Struck:
    """A cue falls against the table, and then on the floor."""
    at, strength = AT, between(rng, 200, 3000)
    for _ in range(rng.randint(2, 4)):
        bells.knock(at, strength)
        at, strength = at + rng.randint(80, 300) * MS, strength * rng.uniform(0.3, 0.8)
    bells.footfall(at, rng.uniform(5, 60))
    return []


def _telephone(bells: Bells, rng: random.Random) -> Struck:
    for start in (0, 800):
        buzz(bells, AT + start * MS, rng.randint(200, 500) * MS, between(rng, 10, 300))
    return []


def _scrapes(bells: Bells, rng: random.Random) -> Struck:
    scrape(bells, AT, rng.randint(200, 1200) * MS, between(rng, 20, 300))
    return []


def _spikes(bells: Bells, rng: random.Random) -> Struck:
    for place in range(3):
        spike(bells, AT + place * 500 * MS + rng.randint(0, 100) * MS, between(rng, 50, 600))
    return []


def _door(bells: Bells, rng: random.Random) -> Struck:
    slam(bells, AT, rng.uniform(5, 100))
    bells.knock(AT, between(rng, 10, 100))
    return []


def _loud_knock(bells: Bells, rng: random.Random) -> Struck:
    bells.knock(AT, between(rng, 1500, 6000), rng.uniform(0.0, 0.05))
    return []


def _loud_thud(bells: Bells, rng: random.Random) -> Struck:
    bells.thud(rng.randrange(len(bells.bells)), AT, between(rng, 1000, 4000))
    return []


Line = Literal["board", "any period", "every sample", "lossy"]
"""How readings come: as a board is set unless told otherwise, each 2 to 50 ms, each sample even of silence, or with gaps."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What happens: on which bells, for how long (ns). `pulses`: by a comparator too; `trials`: so many are on the page."""

    happens: Callable[[Bells, random.Random], Struck]
    bell: Callable[[random.Random], Bell] = Bell.any
    until: int = 2 * SECOND
    line: Line = "board"
    within: int = HEARD_WITHIN
    pulses: bool = True
    trials: int = 200

    def heard_by(self, form: Form) -> bool:
        """Whether it is tried in this form."""
        return self.pulses or form == "readings"


KINDS = {
    "a ring": Kind(_ring),
    "a soft ring": Kind(lambda bells, rng: _rung(bells, rng, rng.uniform(0.2, GENTLE))),
    "a ring off the scale": Kind(lambda bells, rng: _rung(bells, rng, rng.uniform(2.5, 5.0))),
    "a ring that beats": Kind(_beating),
    "a ring during music": Kind(_music_and_ring),
    "a ring and footfalls": Kind(_footfall_and_ring),
    "a ring after a knock": Kind(_knock_and_ring),
    "a knock on the table": Kind(_knock),
    "a ball against a fort": Kind(_thud),
    "three footfalls": Kind(_footfalls),
    "two seconds of music": Kind(_music),
    "two seconds of noise": Kind(_nothing),
    "a hand bell": Kind(_ring, hand_bell),
    "a soft hand bell": Kind(lambda bells, rng: _rung(bells, rng, rng.uniform(0.2, GENTLE)), hand_bell),
    "a hand bell off the scale": Kind(lambda bells, rng: _rung(bells, rng, rng.uniform(2.5, 10.0)), hand_bell),
    "a cracked or damped bell": Kind(_ring, cracked_bell),
    "a bell struck twice at once": Kind(_twice, hand_bell),
    "a bell while another sounds": Kind(_into_a_ring, hand_bell, 3 * SECOND),
    "the same bell once more": Kind(_once_more, hand_bell, 8 * SECOND),
    "a hand bell on a bad wire": Kind(_ring, on_a_bad_wire),
    "a knock that rings hand bells": Kind(lambda bells, rng: _knock(bells, rng, rng.uniform(0.05, 0.2)), hand_bell),
    "a ball against a fort of hand bells": Kind(_thud, hand_bell),
    "three knocks on bad wires": Kind(_knocks, on_a_bad_wire, 5 * SECOND),
    "ten seconds of bad wires": Kind(_nothing, on_a_bad_wire, 10 * SECOND),
}
HOUSE_KINDS = {
    "a glass bell": Kind(_ring, glass_bell),
    "a tea bell": Kind(_ring, tea_bell),
    "a tea bell off the scale": Kind(lambda bells, rng: _rung(bells, rng, rng.uniform(2.5, 10.0)), tea_bell),
    "a bell with a clapper": Kind(_clapper, hand_or_tea_bell, 4 * SECOND, within=300 * MS),
    "a sleigh bell": Kind(_jingle, hand_or_tea_bell, within=300 * MS),
    "a ball that rolls along a bell": Kind(_rolls_along, hand_or_tea_bell),
    "a ball that leans on a bell": Kind(_leans, hand_or_tea_bell),
    "two bells on one frame": Kind(_two_on_a_frame, hand_or_tea_bell),
    "a bell after a capacitor": Kind(_ring, after_a_capacitor, pulses=False),
    "a bell without a peak holder": Kind(_ring, without_a_holder, pulses=False),
    "a bell on half the supply": Kind(_ring, on_half_the_supply, pulses=False),
    "a bell read at any period": Kind(_ring, hand_or_tea_bell, line="any period", pulses=False),
    "a bell of which each sample is told": Kind(_ring, hand_or_tea_bell, line="every sample", pulses=False),
    "a bell on a lossy line": Kind(_ring, hand_or_tea_bell, line="lossy", pulses=False),
    "a knock off the scale": Kind(_loud_knock, hand_or_tea_bell),
    "a hard ball against a fort": Kind(_loud_thud, hand_or_tea_bell),
    "three knocks after a capacitor": Kind(_knocks, after_a_capacitor, 5 * SECOND, pulses=False),
    "three knocks without a peak holder": Kind(_knocks, without_a_holder, 5 * SECOND, pulses=False),
    "three knocks on half the supply": Kind(_knocks, on_half_the_supply, 5 * SECOND, pulses=False),
    "three knocks read at any period": Kind(_knocks, hand_or_tea_bell, 5 * SECOND, line="any period", pulses=False),
    "three knocks on a lossy line": Kind(_knocks, hand_or_tea_bell, 5 * SECOND, line="lossy", pulses=False),
    "a glass is put down": Kind(_put_down, hand_or_tea_bell),
    "coins fall on the table": Kind(_coins, hand_or_tea_bell),
    "a cue falls": Kind(_cue_falls, hand_or_tea_bell, 3 * SECOND),
    "a telephone shakes": Kind(_telephone, hand_or_tea_bell, 3 * SECOND),
    "a chair scrapes": Kind(_scrapes, hand_or_tea_bell, 3 * SECOND),
    "static on a wire": Kind(_spikes, hand_or_tea_bell),
    "a door slams": Kind(_door, hand_or_tea_bell),
}
"""What a house has beside them: wood and brass of every sort, and what people do."""
KINDS |= {what: replace(kind, trials=50) for what, kind in HOUSE_KINDS.items()}
"""What is tried, by its name in docs/detectors.md."""
