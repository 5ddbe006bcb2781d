"""Bell settings from synthesised rings and knocks: they hear every recorded ring and no knock, or it is said that none do."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import pytest

from controller.simulation.bells import Bell, edges
from controller.simulation.bells import Bells as Sounding
from controller.simulation.odd_bells import cracked_bell, hand_bell
from controller.tablefile.values import read_duration
from controller.tuning.bells import Bells, blows, judge, propose, told
from controller.tuning.takes import Take
from hardware.detectors.bell import BellSettings
from hardware.signals import MS, SECOND, Signal

NAMES = tuple(f"bell-{n}" for n in range(4))
GROUP = Bells(tuple((name, name, f"sim:{name}") for name in NAMES), "readings", BellSettings(), 400 * MS)


Play = Callable[[int], None]


@dataclass(slots=True)
class Table:
    """Four bells that somebody rings, knocks and throws balls beside. `threshold`: that of its board."""

    seed: int
    threshold: int = 30
    make: Callable[[random.Random], Bell] = Bell.any
    silent: bool = True

    def rung(self, which: int, slowest: float = 0.5, times: int = 3) -> Take:
        rng, bells = self._fresh(f"ring {which}")
        name = NAMES[which]
        return self._take(f"{name}.jsonl", name, bells, lambda at: bells.ring(which, at, rng.uniform(1, 4) * slowest), times)

    def knocks(self) -> Take:
        rng, bells = self._fresh("knock")
        return self._take("knocks.jsonl", None, bells, lambda at: bells.knock(at, math.exp(rng.uniform(3.4, 7))), 6)

    def balls_against_forts(self) -> Take:
        rng, bells = self._fresh("thud")
        return self._take("thuds.jsonl", None, bells, lambda at: bells.thud(rng.randrange(len(NAMES)), at, 400), 6)

    def touched(self) -> Take:
        rng, bells = self._fresh("touch")
        return self._take("touched.jsonl", None, bells, lambda at: bells.ring(rng.randrange(len(NAMES)), at, 0.25), 3)

    def all(self) -> list[Take]:
        return [*(self.rung(which) for which in range(len(NAMES))), self.knocks()]

    def _fresh(self, what: str) -> tuple[random.Random, Sounding]:
        return random.Random(f"{self.seed} {what}"), Sounding(random.Random(self.seed), len(NAMES), self.make)

    def _take(self, name: str, sensor: str | None, bells: Sounding, play: Play, times: int) -> Take:
        """It is done so many times, with a wait until all is silent."""
        signals: list[Signal] = []
        for n in range(times):
            bells.hush(1 << 62)
            at = (n * 12 + 1) * SECOND
            play(at)
            # A wire that rests above the threshold is told of all the time; others are silent before the next.
            span = (at - SECOND // 2, at + (3 * SECOND if self.silent else 23 * SECOND // 2))
            heard = bells.heard(self.threshold, span, 10 * MS, GROUP.tail)
            signals += [Signal(when, f"sim:{NAMES[which]}", value) for when, which, value in heard]
        return Take(name, sensor, {}, tuple(sorted(signals)))


def tuned(settings: Mapping[str, str]) -> BellSettings:
    """The settings of the lines that were proposed."""
    coupling = read_duration(settings["coupling"].strip('"'))
    return replace(GROUP.settings, threshold=int(settings["threshold"]), weakest=int(settings["weakest"]), coupling=coupling)


@pytest.mark.parametrize("seed", range(2))
def test_settings_that_do_are_left_as_they_are(seed: int) -> None:
    proposal = propose(GROUP, Table(seed).all())
    assert (proposal.settings, proposal.trouble) == ({}, None)
    assert proposal.reasons[:2] == ("bell-0: 3 rings in bell-0.jsonl", "bell-1: 3 rings in bell-1.jsonl")
    assert proposal.reasons[-1] == "what the table file has does well"


@pytest.mark.parametrize("seed", range(2))
def test_a_weakest_ring_that_is_set_too_high_comes_down(seed: int) -> None:
    made = Table(seed).all()
    deaf = replace(GROUP, settings=replace(GROUP.settings, weakest=900))
    assert judge(deaf, made, deaf.settings).missed
    proposal = propose(deaf, made)
    assert proposal.trouble is None
    settings = tuned(proposal.settings)
    assert (settings.threshold, settings.coupling) == (30, 40 * MS)
    verdict = judge(GROUP, made, settings)
    assert (verdict.missed, verdict.wrong, len(verdict.right)) == ((), (), 12)


def test_what_is_proposed_for_hand_bells_hears_other_rings_of_them() -> None:
    """Three rings of each and six knocks are recorded; then softer rings, and balls against the forts, are judged by it."""
    table = Table(2, make=hand_bell)
    deaf = replace(GROUP, settings=replace(GROUP.settings, weakest=900))
    proposal = propose(deaf, table.all())
    assert proposal.trouble is None
    others = [*(table.rung(which, slowest=0.4, times=3) for which in range(len(NAMES))), table.balls_against_forts()]
    verdict = judge(GROUP, others, tuned(proposal.settings))
    assert (len(verdict.missed), verdict.wrong) == (0, ())


@pytest.mark.parametrize(("seed", "says"), [(0, "the loudest that is no ring at"), (1, "nothing else sounded like a ring")])
def test_what_sounded_like_rings_and_was_none_does_so_no_more(seed: int, says: str) -> None:
    """Settings that believe anything; bells that were touched, and balls that struck the forts beside them."""
    table = Table(seed)
    made = [*(table.rung(which, slowest=1.0) for which in range(len(NAMES))), table.touched(), table.balls_against_forts()]
    gullible = replace(GROUP, settings=replace(GROUP.settings, weakest=20))
    assert judge(gullible, made, gullible.settings).wrong
    proposal = propose(gullible, made)
    assert proposal.trouble is None
    verdict = judge(GROUP, made, tuned(proposal.settings))
    assert (verdict.missed, verdict.wrong, len(verdict.right)) == ((), (), 12)
    assert says in proposal.reasons[-1]


def test_what_no_setting_separates_is_told_with_its_place() -> None:
    """Somebody rang a bell while knocks were recorded."""
    table = Table(0)
    knocks = replace(table.rung(3, slowest=3.0), sensor=None, name="knocks.jsonl")
    proposal = propose(GROUP, [*(table.rung(which, slowest=0.5) for which in range(3)), knocks])
    assert proposal.settings == {}
    assert proposal.trouble is not None
    assert proposal.trouble.startswith("no setting separates the rings from the rest (no ring, but told with a peak of ")
    assert "bell-3, 0.0 s into knocks.jsonl" in proposal.trouble
    assert "the softest ring that was told peaks at " in proposal.trouble


def test_a_ring_that_is_heard_at_another_bell_is_no_ring_of_its_own() -> None:
    """Somebody has taken the recording of one bell for that of another."""
    mistaken = replace(Table(0).rung(1), sensor=NAMES[0], name="mistaken.jsonl")
    proposal = propose(GROUP, [mistaken])
    assert proposal.trouble is not None


def test_bells_that_die_soon_get_a_keep_of_their_own() -> None:
    made = Table(3, make=cracked_bell).all()
    assert judge(GROUP, made, GROUP.settings).missed
    proposal = propose(GROUP, made)
    assert proposal.trouble is None
    keep = float(proposal.settings["keep"])
    verdict = judge(GROUP, made, replace(tuned(proposal.settings), keep=keep))
    assert (verdict.missed, verdict.wrong, len(verdict.right)) == ((), (), 12)
    assert "better have bells that ring on" in proposal.reasons[-2]


def behind_a_slow_holder(rng: random.Random) -> Bell:
    bell = hand_bell(rng)
    bell.release, bell.quality = 0.08, max(bell.quality, math.pi * bell.hz * 0.5)
    return bell


def test_where_knocks_die_slowly_more_is_asked_of_a_ring() -> None:
    """A peak holder that empties four times as slowly as it should; softer rings than those of the recording are heard too."""
    table = Table(1, make=behind_a_slow_holder)
    made = [*table.all(), table.balls_against_forts()]
    assert len(judge(GROUP, made, GROUP.settings).wrong) > 3
    proposal = propose(GROUP, made)
    assert proposal.trouble is None
    settings = replace(tuned(proposal.settings), keep=float(proposal.settings["keep"]))
    assert settings.keep > GROUP.settings.keep
    softer = [table.rung(which, slowest=0.4) for which in range(len(NAMES))]
    verdict = judge(GROUP, [*made, *softer], settings)
    assert (verdict.missed, verdict.wrong) == ((), ())
    assert "better have a smaller resistor in the peak holder" in proposal.reasons[-2]


def on_a_resting_wire(rng: random.Random) -> Bell:
    bell = hand_bell(rng)
    bell.offset, bell.hum = 50.0, 3.0
    return bell


def test_blows_are_heard_on_wires_that_rest_above_the_threshold() -> None:
    take = Table(1, make=on_a_resting_wire, silent=False).rung(0)
    assert all(after.at - before.at < SECOND for before, after in pairwise(take.signals))
    assert [round(at / SECOND) for at in blows(GROUP, take)] == [1, 13, 25]
    assert propose(GROUP, [take]).trouble is None


def test_too_few_rings_say_nothing() -> None:
    proposal = propose(GROUP, [Table(0).rung(0, times=2)])
    assert proposal.trouble == (
        "bell-0 was rung 2 times in bell-0.jsonl: ring each 3 times at least, and wait until it is silent before the next"
    )
    assert "no bell was rung" in str(propose(GROUP, [Table(0).knocks()]).trouble)


def pulses_of(seed: int) -> list[Take]:
    """Each bell is rung three times, and heard by comparators."""
    made = []
    for which, name in enumerate(NAMES):
        rng, bells = random.Random(seed * 10 + which), Sounding(random.Random(seed), len(NAMES))
        signals: list[Signal] = []
        for n in range(3):
            at = (n * 12 + 1) * SECOND
            bells.hush(1 << 62)
            bells.ring(which, at, 1.5)
            for place, bell in enumerate(bells.bells):
                heard = edges(bell, rng, (at - SECOND // 2, at + 3 * SECOND), threshold=60)
                signals += [Signal(when, f"sim:{NAMES[place]}", level) for when, level in heard]
        made.append(Take(f"{name}.jsonl", name, {}, tuple(sorted(signals))))
    return made


def test_a_comparators_pulses_tell_no_loudness() -> None:
    pulses = replace(GROUP, form="pulses")
    proposal = propose(pulses, pulses_of(0))
    assert (proposal.settings, proposal.trouble) == ({}, None)
    assert "pulses tell no loudness, so there is no margin to be told" in proposal.reasons
    shorter = propose(pulses, pulses_of(1))
    assert (shorter.settings, shorter.trouble) == ({"coupling": '"40ms"', "least": '"100ms"'}, None)
    rung = pulses_of(0)[0]
    hopeless = propose(pulses, [rung, replace(rung, sensor=None, name="knocks.jsonl")])
    assert hopeless.settings == {}
    assert "no ring, but told: bell-0, " in str(hopeless.trouble)
    assert "turn the trimmer of the comparator" in str(hopeless.trouble)


def test_a_recording_tells_what_a_board_with_a_higher_threshold_would() -> None:
    heard = [Signal(ms * MS, "sim:bell-0", value) for ms, value in [(0, 40), (10, 70), (20, 35), (30, 8), (40, 59), (50, 60)]]
    elsewhere = Signal(25 * MS, "sim:bell-1", 59)
    kept = told(sorted([*heard, elsewhere]), 60, 25 * MS)
    assert [(signal.at // MS, signal.number) for signal in kept] == [(10, 70), (20, 35), (30, 8), (50, 60)]


def test_blows_are_told_apart_by_the_silence_between_them() -> None:
    def at(*seconds: float) -> Take:
        return Take("t", NAMES[0], {}, tuple(Signal(round(second * SECOND), "sim:bell-0", 100) for second in seconds))

    assert blows(GROUP, at(1, 1.2, 4, 4.4, 9)) == [SECOND, 4 * SECOND, 9 * SECOND]
    assert blows(GROUP, at(1, 1.9, 2.8, 4)) == [SECOND, 4 * SECOND]
