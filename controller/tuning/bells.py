"""From recorded rings and knocks to the settings of bells that hear one another: each ring once, at its bell, and no knock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import sqrt

from controller.tablefile.values import say_duration
from controller.tuning.takes import Proposal, Take
from hardware.detectors.bell import BellGroup, BellSettings, Form
from hardware.observations import Observation
from hardware.panel import Panel
from hardware.signals import MS, SECOND, Signal, source_of

FEWEST = 3
"""Rings of a bell from which anything can be said."""
SILENCE = 500 * MS
"""A blow begins after so long a silence of the bell."""
AGAIN = 2 * SECOND
"""And no sooner after the one before: what comes back earlier is the same ring, beating."""
SOON = 150 * MS
"""A ring belongs to the blow that began at most so long before it."""
MARGIN = 1.2
"""The softest ring is at least so many times `weakest`, and that so many times the loudest of what must not count."""
ENOUGH = 2.0
"""Where the softest ring is so many times the loudest of the rest, what is nearest to the table file is taken."""
THRESHOLDS = (1.0, 1.4, 2.0, 2.8, 4.0)
"""Times the threshold of the recording: a lower one can't be tried on it, since the board was silent there."""
MOST_FAULTS = 6
"""So many are named; more say nothing new."""
KEEPS = (0.12, 0.1, 0.08, 0.06)
"""Tried for bells that die soon, where no setting does with the `keep` of the table file."""
MORE_KEEPS = (0.2, 0.25, 0.3, 0.4, 0.5)
"""Then for knocks that die slowly: a peak holder that empties slowly, a frame of thin wood."""
LEASTS = (140 * MS, 120 * MS, 100 * MS, 80 * MS)
"""And of pulses, in place of `least`."""
MORE_LEASTS = (220 * MS, 270 * MS, 350 * MS, 500 * MS)
COUPLINGS = (20 * MS, 40 * MS, 60 * MS, 80 * MS, 120 * MS)

SHORT = "these bells die soon, and with so little keep a ball against a fort may ring them: better have bells that ring on"
LONG = (
    "knocks die slowly here, and with so much keep soft bells are missed: better have a smaller resistor in the peak holder, "
    "or the disc nearer to its bell"
)


@dataclass(frozen=True, slots=True)
class Bells:
    """Bells that are judged together. `bells`: sensor, role and channel of each; `tail`: how long their board goes on telling."""

    bells: tuple[tuple[str, str, str], ...]
    form: Form
    settings: BellSettings
    tail: int
    active_level: int = 1


@dataclass(frozen=True, slots=True)
class Ring:
    """A ring that was told, or one that should have been (`peak` None)."""

    take: Take
    at: int
    sensor: str
    peak: int | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What settings make of the takes: rings that are right, rings that were missed, and what was told though it was none."""

    settings: BellSettings
    right: tuple[Ring, ...]
    missed: tuple[Ring, ...]
    wrong: tuple[Ring, ...]

    @property
    def softest(self) -> int:
        """The least peak of a ring that must count."""
        return min(ring.peak or 0 for ring in self.right) if self.right else 0

    @property
    def loudest(self) -> int:
        """The highest peak of what must not count; 0: nothing does."""
        return max((ring.peak or 0 for ring in self.wrong), default=0)

    @property
    def room(self) -> float:
        """How many times the one is the other: above 1 there is a `weakest` between them."""
        return 0.0 if self.missed else self.softest / max(self.loudest, self.settings.threshold, 1)


def propose(bells: Bells, takes: Sequence[Take]) -> Proposal:
    """What to set for these bells. Each ring of a take is a blow with silence before it; a take of knocks has none that count."""
    sensors = tuple(sensor for sensor, _, _ in bells.bells)
    counts = {take: len(blows(bells, take)) for take in takes if take.sensor is not None}
    few = [f"{take.sensor} was rung {count} times in {take.name}" for take, count in counts.items() if count < FEWEST]
    if few or not counts:
        said = "; ".join(few) or "no bell was rung"
        trouble = f"{said}: ring each {FEWEST} times at least, and wait until it is silent before the next"
        return Proposal(sensors, (), {}, trouble)
    heard = [f"{take.sensor}: {count} rings in {take.name}" for take, count in counts.items()]
    heard += [f"knocks: {len(blows(bells, take))} in {take.name}" for take in takes if take.sensor is None]
    now = judge(bells, takes, bells.settings)
    if not now.missed and not now.wrong and _has_margin(now, bells):
        return Proposal(sensors, (*heard, _margin(bells, now, bells.settings.weakest), "what the table file has does well"), {})
    if bells.form == "pulses":
        return _of_pulses(bells, takes, tuple(heard))
    tried: list[Verdict] = []
    for start in _lengths(bells):
        verdicts = [judge(bells, takes, replace(settings, weakest=1)) for settings in _candidates(bells, start)]
        best = max(verdicts, key=lambda verdict: (min(verdict.room, ENOUGH), _nearness(verdict, bells)))
        tried.append(best)
        if best.room > 1:
            break
    else:
        return Proposal(sensors, tuple(heard), {}, _trouble(tried[0], bells))
    weakest = _weakest(best, bells.settings.weakest)
    found = judge(bells, takes, replace(best.settings, weakest=weakest))
    if found.missed or found.wrong:
        return Proposal(sensors, tuple(heard), {}, _trouble(found, bells))
    settings = {
        "threshold": str(best.settings.threshold),
        "weakest": str(weakest),
        "coupling": f'"{say_duration(best.settings.coupling)}"',
    }
    if best.settings.keep != bells.settings.keep:
        settings["keep"] = str(best.settings.keep)
        heard.append(SHORT if best.settings.keep < bells.settings.keep else LONG)
    reasons = (*heard, _margin(bells, best, weakest))
    if best.room < MARGIN**2:
        reasons = (*reasons, "that is little: glue the discs nearer to the bells, and record more rings and knocks")
    return Proposal(sensors, reasons, settings)


def _of_pulses(bells: Bells, takes: Sequence[Take], heard: tuple[str, ...]) -> Proposal:
    """Pulses tell no loudness: what does and is nearest to the table file."""
    sensors = tuple(sensor for sensor, _, _ in bells.bells)
    first: Verdict | None = None
    for start in _lengths(bells):
        verdicts = [judge(bells, takes, settings) for settings in _candidates(bells, start)]
        first = first or min(verdicts, key=lambda verdict: len(verdict.missed) + len(verdict.wrong))
        good = [verdict for verdict in verdicts if not verdict.missed and not verdict.wrong]
        if good:
            best = max(good, key=lambda verdict: _nearness(verdict, bells)).settings
            settings = {"coupling": f'"{say_duration(best.coupling)}"'}
            if best.least != bells.settings.least:
                settings["least"] = f'"{say_duration(best.least)}"'
            return Proposal(sensors, heard, settings)
    return Proposal(sensors, heard, {}, _trouble(first or judge(bells, takes, bells.settings), bells))


def _resting(bells: Bells, take: Take) -> dict[str, int]:
    """What each wire reads when all is silent: nothing, unless its board never ceased to tell of it."""
    told_at: dict[str, list[Signal]] = {}
    for signal in take.signals:
        told_at.setdefault(signal.channel, []).append(signal)
    return {
        channel: min(signal.number for signal in signals)
        for channel, signals in told_at.items()
        if bells.form == "readings" and all(after.at - before.at <= SILENCE for before, after in pairwise(signals))
    }


def blows(bells: Bells, take: Take) -> list[int]:
    """When something was struck: the bell of the take, or with knocks any."""
    channels = {channel for sensor, _, channel in bells.bells if take.sensor in (None, sensor)}
    rests = _resting(bells, take)
    begun: list[int] = []
    last = -SILENCE - 1
    for signal in take.signals:
        above = signal.number - rests.get(signal.channel, 0)
        loud = above >= bells.settings.threshold if bells.form == "readings" else signal.number == bells.active_level
        if signal.channel not in channels or not (loud or bells.form == "pulses"):
            continue
        pause = AGAIN if take.sensor is not None else SILENCE
        if loud and signal.at - last > SILENCE and (not begun or signal.at - begun[-1] >= pause):
            begun.append(signal.at)
        last = signal.at
    return begun


def judge(bells: Bells, takes: Iterable[Take], settings: BellSettings) -> Verdict:
    """What these settings make of the takes."""
    right: list[Ring] = []
    missed: list[Ring] = []
    wrong: list[Ring] = []
    for take in takes:
        rings = [Ring(take, one.at, one.sensor, int(one.value or 0)) for one in _rings(bells, take, settings)]
        if take.sensor is not None:
            for blow in blows(bells, take):
                own = [ring for ring in rings if ring.sensor == take.sensor and -SOON <= ring.at - blow <= SOON]
                if own:
                    right.append(own[0])
                    rings.remove(own[0])
                else:
                    missed.append(Ring(take, blow, take.sensor, None))
        wrong += rings
    return Verdict(settings, tuple(right), tuple(missed), tuple(wrong))


def _rings(bells: Bells, take: Take, settings: BellSettings) -> list[Observation]:
    group = BellGroup(bells.bells, bells.form, settings, active_level=bells.active_level)
    panel = Panel(group.detectors)
    signals = take.signals if bells.form == "pulses" else told(take.signals, settings.threshold, bells.tail)
    seen = [one for signal in signals for one in panel.feed(signal)]
    if signals:
        seen += panel.advance(source_of(bells.bells[0][2]), signals[-1].at + 10 * SECOND)
    return [one for one in seen if one.kind == "ring"]


def told(signals: Iterable[Signal], threshold: int, tail: int) -> list[Signal]:
    """What a board would have told with a higher threshold."""
    until: dict[str, int] = {}
    kept = []
    for signal in signals:
        if signal.at >= until.get(signal.channel, 0):
            if signal.number < threshold:
                continue
            until[signal.channel] = signal.at + tail
        kept.append(signal)
    return kept


def _lengths(bells: Bells) -> list[BellSettings]:
    """What the table file has, then what takes shorter sounds for rings, then what wants longer ones."""
    now = bells.settings
    if bells.form == "pulses":
        leasts = [least for least in LEASTS if least < now.least] + [least for least in MORE_LEASTS if least > now.least]
        return [now, *(replace(now, least=least) for least in leasts)]
    keeps = [keep for keep in KEEPS if keep < now.keep] + [keep for keep in MORE_KEEPS if keep > now.keep]
    return [now, *(replace(now, keep=keep) for keep in keeps)]


def _candidates(bells: Bells, now: BellSettings) -> list[BellSettings]:
    if now.keep > bells.settings.keep or now.least > bells.settings.least:
        return [now]  # what dies too slowly does so at any threshold
    thresholds = [now.threshold] if bells.form == "pulses" else [round(now.threshold * times) for times in THRESHOLDS]
    couplings = sorted({now.coupling, *COUPLINGS})
    return [replace(now, threshold=level, coupling=window) for level in thresholds if level <= 1023 for window in couplings]


def _nearness(verdict: Verdict, bells: Bells) -> float:
    """The nearer to what the table file has, the higher."""
    return (
        -abs(verdict.settings.threshold - bells.settings.threshold)
        - abs(verdict.settings.coupling - bells.settings.coupling) / MS
    )


def _has_margin(verdict: Verdict, bells: Bells) -> bool:
    return bells.form == "pulses" or verdict.softest >= MARGIN * bells.settings.weakest


def _weakest(verdict: Verdict, now: int) -> int:
    """Between what must not count and the softest ring; what the table file has, if it lies well between them."""
    low, high = max(verdict.loudest, verdict.settings.threshold), verdict.softest
    if low * MARGIN <= now <= high / MARGIN:
        return now
    return min(max(round(sqrt(low * high)), verdict.loudest + 1), high)


def _margin(bells: Bells, verdict: Verdict, weakest: int) -> str:
    if bells.form == "pulses":
        return "pulses tell no loudness, so there is no margin to be told"
    softest = min(verdict.right, key=lambda ring: ring.peak or 0)
    said = (
        f"the softest ring peaks at {softest.peak} ({_place(softest)}), {verdict.softest / weakest:.1f} times weakest = {weakest}"
    )
    if not verdict.wrong:
        return f"{said}; nothing else sounded like a ring"
    loudest = max(verdict.wrong, key=lambda ring: ring.peak or 0)
    return f"{said}; the loudest that is no ring at {loudest.peak} ({_place(loudest)})"


def _trouble(verdict: Verdict, bells: Bells) -> str:
    """What stands against every setting: the best of them misses these rings, or can't leave those out."""
    faults = [f"missed: {_place(ring)}" for ring in verdict.missed]
    loudest = sorted(verdict.wrong, key=lambda ring: -(ring.peak or 0))
    if bells.form == "pulses":
        faults += [f"no ring, but told: {_place(ring)}" for ring in loudest]
        remedy = "turn the trimmer of the comparator, or glue the disc on the frame of the bell itself"
    else:
        loud = [ring for ring in loudest if (ring.peak or 0) >= verdict.softest]
        faults += [f"no ring, but told with a peak of {ring.peak}: {_place(ring)}" for ring in loud]
        if verdict.right:
            softest = min(verdict.right, key=lambda ring: ring.peak or 0)
            faults.append(f"the softest ring that was told peaks at {softest.peak}: {_place(softest)}")
        remedy = (
            "glue each disc on the frame of its own bell, take the bells off the bed by felt, or ring harder and record again"
        )
    return f"no setting separates the rings from the rest ({'; '.join(faults[:MOST_FAULTS])}): {remedy}"


def _place(ring: Ring) -> str:
    start = ring.take.signals[0].at
    return f"{ring.sensor}, {(ring.at - start) / SECOND:.1f} s into {ring.take.name}"
