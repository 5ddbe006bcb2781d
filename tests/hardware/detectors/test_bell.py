"""The bell detector by hand-made signals: what is a ring, whose, and what is only a knock."""

from __future__ import annotations

import math

import pytest

from hardware.detectors.bell import BellDetector, BellGroup, BellSettings, Form
from hardware.observations import Observation, Sound
from hardware.panel import Panel
from hardware.signals import MS, SECOND, Signal

NAMES = "abcdefghij"


class Bench:
    """Ten bells on one panel."""

    def __init__(self, form: Form = "readings") -> None:
        self.group = BellGroup([(name, name, f"sim:{name}") for name in NAMES], form)
        self.panel = Panel(self.group.detectors)
        self.signals: list[Signal] = []

    def sounds(self, name: str, peak: float, tau: float, at: int = 0, lasts: int = 400) -> None:
        """A decay, in milliseconds, as a board tells it."""
        for ms in range(0, lasts, 10):
            self.signals.append(Signal((at + ms) * MS, f"sim:{name}", min(1023, round(peak * math.exp(-ms / tau)))))

    def high(self, name: str, at: int, until: int) -> None:
        """A comparator's pulse, in milliseconds."""
        self.signals += [Signal(at * MS, f"sim:{name}", 1), Signal(until * MS, f"sim:{name}", 0)]

    def seen(self) -> list[Observation]:
        """What comes of it all."""
        told = [one for signal in sorted(self.signals) for one in self.panel.feed(signal)]
        return told + self.panel.advance("sim", 60 * SECOND)

    def told(self) -> list[tuple[str, str, object]]:
        """The same in short."""
        return [(one.kind, one.role, one.value) for one in self.seen()]


def test_a_ring_is_told_once_with_its_beginning_and_its_peak() -> None:
    bench = Bench()
    bench.sounds("c", 412, 300, at=1000, lasts=5000)
    (ring,) = bench.seen()
    assert (ring.kind, ring.sensor, ring.value, ring.at, ring.late) == ("ring", "c", 412, 1000 * MS, False)
    assert 0 < ring.known - ring.at < SECOND


def test_a_ring_tells_how_high_it_was_how_it_falls_and_who_only_heard_it() -> None:
    bench = Bench()
    bench.sounds("c", 412, 800)
    bench.sounds("d", 60, 800, at=5)
    bench.sounds("e", 200, 15, at=5)
    (ring,) = bench.seen()
    assert ring.sound is not None
    assert (ring.sound.peak, ring.sound.coupled) == (412, ("d",))
    assert ring.sound.decay == pytest.approx(0.8, abs=0.02)


def test_of_a_ring_that_is_not_seen_to_fall_no_decay_is_told() -> None:
    bench = Bench()
    bench.sounds("c", 3000, 300)
    (ring,) = bench.seen()
    assert ring.sound == Sound(peak=1023, decay=None)


def test_a_ring_that_beats_to_nothing_as_it_is_first_judged_rings_all_the_same() -> None:
    bench = Bench()
    for ms in range(0, 400, 10):
        bench.signals.append(Signal(ms * MS, "sim:c", 4 if 70 < ms < 150 else 200))
    assert bench.told() == [("ring", "c", 200)]
    halved = BellSettings(look=40 * MS)
    assert [one for signal in bench.signals for one in BellGroup([("c", "c", "sim:c")], "readings", halved).feed(0, signal)] == []


def test_a_bell_that_beats_with_another_is_not_struck_anew() -> None:
    bench = Bench("pulses")
    bench.high("c", 0, 1900)
    bench.high("d", 2, 900)
    bench.high("d", 1100, 1700)
    assert bench.told() == [("ring", "c", 1000)]
    alone = Bench("pulses")
    alone.high("d", 0, 50)
    alone.high("d", 250, 900)
    assert alone.told() == [("ring", "d", 650)]


def test_of_pulses_it_is_told_how_long_they_were_heard() -> None:
    bench = Bench("pulses")
    bench.high("a", 0, 420)
    (ring,) = bench.seen()
    assert ring.sound == Sound(peak=None, decay=0.42)


def test_a_knock_dies_at_once_and_is_no_ring() -> None:
    bench = Bench()
    bench.sounds("c", 800, 20)
    assert bench.told() == []


def test_of_bells_that_sound_together_the_strongest_rang() -> None:
    bench = Bench()
    bench.sounds("b", 90, 500)
    bench.sounds("c", 600, 300, at=3)
    bench.sounds("d", 120, 900, at=5)
    assert bench.told() == [("ring", "c", 600)]


def test_a_thud_beside_one_bell_does_not_hide_another_that_rang() -> None:
    bench = Bench()
    bench.sounds("b", 900, 25)
    bench.sounds("c", 400, 400, at=10)
    assert bench.told() == [("ring", "c", 400)]


def test_off_the_scale_what_is_left_tells_the_strongest() -> None:
    bench = Bench()
    bench.sounds("b", 1500, 60)
    bench.sounds("c", 4000, 300)
    assert bench.told() == [("ring", "c", 1023)]


def test_all_at_once_is_a_bump() -> None:
    bench = Bench()
    for name in NAMES:
        bench.sounds(name, 300, 400)
    ((kind, _, count),) = bench.told()
    assert (kind, count) == ("bump", 10)


def test_two_bells_one_after_the_other_are_two_rings() -> None:
    bench = Bench()
    bench.sounds("b", 300, 300, at=0)
    bench.sounds("c", 300, 300, at=150)
    assert bench.told() == [("ring", "b", 300), ("ring", "c", 300)]


def test_a_bell_rings_again_after_it_has_fallen_silent() -> None:
    bench = Bench()
    bench.sounds("b", 300, 200, at=0)
    bench.sounds("b", 300, 200, at=5000)
    assert len(bench.told()) == 2


def test_of_pulses_the_one_that_sounds_longest_rang() -> None:
    bench = Bench("pulses")
    bench.high("b", 0, 150)
    bench.high("c", 2, 700)
    assert bench.told() == [("ring", "c", 698)]


def test_a_short_pulse_is_a_knock_and_a_burst_of_edges_is_one_ring() -> None:
    bench = Bench("pulses")
    bench.high("b", 0, 40)
    assert bench.told() == []
    bench = Bench("pulses")
    for ms in range(0, 400, 2):
        bench.high("b", ms, ms + 1)
    assert bench.told() == [("ring", "b", 399)]


def test_a_pulse_that_outlasts_the_judgement_is_one_ring() -> None:
    bench = Bench("pulses")
    bench.high("b", 0, 9000)
    assert bench.told() == [("ring", "b", 1000)]


def test_pulses_of_all_bells_are_a_bump() -> None:
    bench = Bench("pulses")
    for name in NAMES:
        bench.high(name, 0, 300)
    ((kind, _, count),) = bench.told()
    assert (kind, count) == ("bump", 10)


def test_a_late_signal_is_marked_late() -> None:
    bench = Bench()
    bench.panel.advance("sim", 50 * MS)
    bench.sounds("b", 300, 300)
    (ring,) = bench.seen()
    assert ring.late


@pytest.mark.parametrize("form", ["readings", "pulses"])
def test_however_the_calls_are_cut_up_the_same_is_told(form: Form) -> None:
    whole, cut = Bench(form), Bench(form)
    for bench in (whole, cut):
        if form == "readings":
            bench.sounds("b", 300, 300)
            bench.sounds("c", 90, 300, at=4)
            bench.sounds("e", 200, 300, at=2500)
        else:
            bench.high("b", 0, 500)
            bench.high("c", 4, 200)
    told = []
    for signal in sorted(cut.signals):
        told += cut.panel.advance("sim", signal.at)
        told += cut.panel.feed(signal)
        due = cut.panel.next_deadline()
        assert due is None or due > signal.at
    assert told + cut.panel.advance("sim", 60 * SECOND) == whole.seen()


def test_health_names_a_bell_that_was_never_heard_and_one_that_never_falls_silent() -> None:
    bench = Bench()
    bench.sounds("b", 300, 1e9, lasts=12_000)
    for signal in bench.signals:
        bench.panel.feed(signal)
    noisy, silent = bench.panel.health()[1], bench.panel.health()[0]
    assert noisy.accepted == 1
    assert noisy.faults == ("b never falls silent: raise its threshold, or look for a loose wire or a lamp beside it",)
    assert silent.notes == ("a was never heard: ring it once; if it stays silent, see to its disc, wire and threshold",)


def test_a_source_that_opens_tells_nothing_of_bells() -> None:
    bell = BellGroup([("a", "a", "sim:a")]).detectors[0]
    assert isinstance(bell, BellDetector)
    assert bell.begin({"sim:a": 900}, 0) == []


def test_a_setting_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="coupling of a bell is 0"):
        BellSettings(coupling=0)


def verdicts(bench: Bench) -> dict[str, str]:
    bench.seen()
    return {verdict.sensor: verdict.kind for verdict in bench.group.verdicts}


def test_each_sound_has_its_verdict() -> None:
    bench = Bench()
    bench.sounds("a", 412, 300)
    bench.sounds("b", 50, 300)
    bench.sounds("c", 800, 20, at=5000)
    bench.sounds("d", 50, 300, at=9000)
    assert verdicts(bench) == {"a": "ring", "b": "coupled", "c": "knock", "d": "faint"}
    ring = bench.group.verdicts[0]
    assert (ring.at, ring.peak) == (0, 412)
    assert 0.2 * 412 < ring.kept < 412


def test_when_the_table_is_shaken_every_bell_is_told_so() -> None:
    bench = Bench()
    for name in NAMES:
        bench.sounds(name, 300, 300)
    assert verdicts(bench) == dict.fromkeys(NAMES, "bump")


def test_of_pulses_a_verdict_tells_how_long_they_were_heard() -> None:
    bench = Bench("pulses")
    bench.high("a", 0, 400)
    bench.high("b", 5000, 5020)
    assert verdicts(bench) == {"a": "ring", "b": "knock"}
    assert [(one.peak, one.kept) for one in bench.group.verdicts] == [(400, 0), (20, 0)]


def test_verdicts_that_nobody_takes_are_few() -> None:
    bench = Bench()
    for n in range(200):
        bench.sounds("a", 800, 20, at=5000 * n, lasts=60)
    bench.group.advance(0)
    for signal in sorted(bench.signals):
        bench.panel.feed(signal)
    assert len(bench.group.verdicts) <= 64


@pytest.mark.parametrize("bells", [1, 2])
def test_a_table_may_have_one_or_two_bells(bells: int) -> None:
    group = BellGroup([(name, name, f"sim:{name}") for name in NAMES[:bells]])
    told = [
        one
        for ms in range(0, 400, 10)
        for one in group.detectors[0].feed(Signal(ms * MS, "sim:a", round(400 * math.exp(-ms / 300))))
    ]
    told += group.advance(SECOND)
    assert [(one.kind, one.value) for one in told] == [("ring", 400)]
    for ms in range(0, 400, 10):
        group.detectors[0].feed(Signal(5 * SECOND + ms * MS, "sim:a", round(800 * math.exp(-ms / 20))))
    assert group.advance(6 * SECOND) == []


def on_wire(bench: Bench, name: str, rest: int, until: int) -> None:
    """A wire that rests above the threshold: its board tells all the time, in milliseconds."""
    own = {signal.at // MS: signal for signal in bench.signals if signal.channel == f"sim:{name}"}
    bench.signals = [signal for signal in bench.signals if signal.channel != f"sim:{name}"]
    for ms in range(0, until, 10):
        sounds = own[ms].number if ms in own else 0
        bench.signals.append(Signal(ms * MS, f"sim:{name}", rest + sounds))


def test_a_wire_that_rests_high_is_heard_as_any_other() -> None:
    bench = Bench()
    bench.panel.begin(dict.fromkeys(bench.panel.channels, 0), 0)
    bench.sounds("c", 300, 20, at=3000)
    bench.sounds("c", 100, 200, at=6000)
    on_wire(bench, "c", 70, 9000)
    assert [(one.kind, one.at) for one in bench.seen()] == [("ring", 6000 * MS)]


def test_what_is_loud_when_its_source_opens_is_no_ring() -> None:
    bench = Bench()
    bench.panel.begin(dict.fromkeys(bench.panel.channels, 0), 0)
    on_wire(bench, "c", 90, 1000)
    assert bench.told() == []


@pytest.mark.parametrize("after", [30, 60, 90, 150, 250])
def test_a_bell_that_is_struck_twice_at_once_rings_once(after: int) -> None:
    bench = Bench()
    for ms in range(0, 800, 10):
        level = 300 * math.exp(-ms / 120) + (400 * math.exp(-(ms - after) / 120) if ms >= after else 0)
        bench.signals += [Signal(ms * MS, "sim:c", round(level)), Signal((ms + 2) * MS, "sim:d", round(level / 4))]
    assert [(one.role, one.at) for one in bench.seen()] == [("c", 0)]


def test_a_soft_ring_is_heard_while_a_loud_one_still_sounds() -> None:
    bench = Bench()
    bench.sounds("a", 1000, 3000, lasts=3000)
    bench.sounds("c", 150, 300, at=1000)
    assert [one.role for one in bench.seen()] == ["a", "c"]


def test_a_blow_on_a_bell_that_sounds_is_not_taken_for_its_neighbours() -> None:
    """The neighbour hears it, and the bell itself is louder already than would be an onset."""
    bench = Bench()
    for ms in range(0, 3000, 10):
        level = 500 * math.exp(-ms / 3000) + (400 * math.exp(-(ms - 1000) / 300) if ms >= 1000 else 0)
        bench.signals.append(Signal(ms * MS, "sim:a", round(level)))
    bench.sounds("b", 90, 300, at=1002)
    assert [one.role for one in bench.seen()] == ["a"]


def shaped(bench: Bench, levels: list[int], name: str = "c", at: int = 0) -> None:
    """A sound, a reading each ten milliseconds."""
    bench.signals += [Signal((at + 10 * n) * MS, f"sim:{name}", level) for n, level in enumerate(levels)]


def test_a_bell_that_clangs_and_sings_on_rings() -> None:
    bench = Bench()
    shaped(bench, [600, 500, 250, 150, 110, *(round(90 * math.exp(-n / 20)) for n in range(35))])
    assert bench.told() == [("ring", "c", 600)]


def test_a_knock_off_the_scale_is_no_ring() -> None:
    """It reads the end of the scale for half a tenth of a second, and a third of that after a tenth."""
    bench = Bench()
    bench.sounds("c", 8000, 33)
    assert bench.told() == []


def test_what_grows_slowly_was_not_struck() -> None:
    bench = Bench()
    shaped(bench, [30, 60, 100, 140, 180, 210, 230, *[240] * 30])
    assert bench.told() == []


def test_readings_that_were_lost_while_it_was_judged_are_made_up_for_by_later_ones() -> None:
    bench = Bench()
    bench.sounds("c", 300, 300)
    bench.signals = [signal for signal in bench.signals if not 90 * MS < signal.at < 190 * MS]
    assert bench.told() == [("ring", "c", 300)]


def test_a_clapper_that_swings_back_is_not_taken_for_its_neighbour() -> None:
    """The bell itself may not ring again so soon; the neighbour hears it."""
    bench = Bench()
    for at in (0, 700):
        bench.sounds("c", 600, 150, at=at, lasts=700)
        bench.sounds("d", 250, 150, at=at + 2, lasts=700)
    assert [one.role for one in bench.seen()] == ["c"]
