"""Bells that sound: which one was struck, and what was only a knock.

Bells on one table hear one another, so they are judged together: a `BellGroup` holds what all of them heard, and a `BellDetector`
for each bell is what a panel listens with.
"""

from __future__ import annotations

import math
import statistics
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from hardware.detectors.bell_memory import AT_ONCE, BellMemory, BellSound, BellWindow
from hardware.detectors.bell_settings import BellSettings, Form
from hardware.health import SensorHealth
from hardware.observations import Observation, Sound
from hardware.signals import MS, SECOND, Signal

__all__ = ["VERDICTS", "BellDetector", "BellGroup", "BellSettings", "Form", "Judged", "Verdict"]

ENDLESS = 10 * SECOND
"""No bell sounds so long without a pause."""
OPENING = 200 * MS
"""What is heard so soon after a source has opened was there before."""


Judged = Literal["ring", "knock", "coupled", "faint", "bump"]


class Verdict(NamedTuple):
    """What was made of one sound of one bell, for the person who sets it; times in nanoseconds.

    `ring`; `knock`: it died at once; `coupled`: it only heard another bell; `faint`: it wasn't loud enough; `bump`: the whole
    table was shaken. `peak`, `kept`: its highest reading and the highest while it was judged (of pulses: how many milliseconds
    it was heard, and 0).
    """

    at: int
    known: int
    sensor: str
    kind: Judged
    peak: int
    kept: int


VERDICTS = 64
"""So many of the latest verdicts wait for somebody who takes them."""


class BellGroup:
    """The bells of one source that can hear one another. Pure."""

    def __init__(
        self,
        bells: Sequence[tuple[str, str, str]],
        form: Form = "readings",
        settings: BellSettings | None = None,
        *,
        active_level: int = 1,
    ) -> None:
        """`bells`: sensor, role and channel of each; `active_level`: of pulses, the level while it sounds."""
        self.settings = settings or BellSettings()
        self.form: Form = form
        self.active_level = active_level
        self.detectors = tuple(BellDetector(self, place, *bell) for place, bell in enumerate(bells))
        self._stand_out = self.settings.stand_out if form == "readings" else self.settings.pulses_stand_out
        self._windows: list[BellWindow] = []
        self.delay = (
            self.settings.coupling + self.settings.judge + 2 * self.settings.look if form == "readings" else self.settings.lasting
        )
        self.now = -1
        self.verdicts: deque[Verdict] = deque(maxlen=VERDICTS)
        """On the latest sounds, oldest first; whoever takes them clears it."""

    @property
    def deadline(self) -> int | None:
        """When the oldest window is judged."""
        return self._windows[0].start + self.delay if self._windows else None

    def advance(self, t: int) -> list[Observation]:
        """Judge the windows whose time has come."""
        observations: list[Observation] = []
        while (due := self.deadline) is not None and due <= t:
            observations += self._judge(self._windows.pop(0), due)
        self.now = max(self.now, t)
        return observations

    def feed(self, place: int, signal: Signal) -> list[Observation]:
        """Take one signal of a bell."""
        late = signal.at < self.now
        observations = self.advance(signal.at)
        bell = self.detectors[place]
        bell.count(signal.at, late=late)
        if self.form == "readings":
            self._reading(place, bell, signal, late=late)
        else:
            self._edge(place, bell, signal, late=late)
        return observations

    def _reading(self, place: int, bell: BellDetector, signal: Signal, *, late: bool) -> None:
        settings, at, value = self.settings, signal.at, signal.number
        # A board that told nothing read less than the threshold: half of it, for want of anything better.
        unheard = None if bell.opening(at) else settings.threshold // 2
        guessed = bell.memory.silent(at)
        rest, before = bell.memory.remember(at, value, settings.memory, unheard=unheard)
        for window in self._windows:
            if at <= window.start + settings.coupling:
                window.loudest[place] = max(value, window.loudest[place])
        sound = self._sound_of(place)
        leap = value - max(bell.memory.latest(at - AT_ONCE, rest), rest)
        again = value - rest >= settings.threshold and value - rest >= settings.rise * (before - rest)
        if sound is not None and not (again and at > sound.began + settings.coupling and not sound.rings_on(settings, at)):
            sound.follow(settings, at, value, leap)
        elif again and bell.may_ring(at, settings.refractory):
            # What is so little above the rest is no sound: the wire has drifted.
            low = bell.memory.before(at, settings.memory)
            rest = low if rest < low <= rest + settings.threshold // 2 else rest
            self._begin(place, BellSound(at, value, late, rest, guessed, peaked=at, latest=value, leap=leap))

    def _edge(self, place: int, bell: BellDetector, signal: Signal, *, late: bool) -> None:
        settings, at, high = self.settings, signal.at, signal.number == self.active_level
        sound = self._sound_of(place)
        silent = bell.silent_since
        bell.silent_since = None if high else at
        # A bell that was still sounding when its window was judged goes on with the same ring.
        paused = not bell.high and (silent is None or at - silent > self._pause(bell, at))
        bell.high = high
        if sound is None or (high and paused and sound.on_since is None):
            if high and paused and bell.may_ring(at, settings.refractory):
                bell.dying = False
                self._begin(place, BellSound(at, 1, late, on_since=at))
            return
        if high:
            if sound.on_since is None:
                sound.on_since = at
        elif sound.on_since is not None:
            sound.lasted = at - sound.began
            sound.on_since = None

    def _pause(self, bell: BellDetector, at: int) -> int:
        """How long a bell has been silent before it is struck anew, not only beats, by itself or with another that sounds."""
        gap = self.settings.gap
        sounding = any(other.high or at - (other.silent_since or -SECOND) <= gap for other in self.detectors if other is not bell)
        return self.settings.echo if sounding or bell.dying else gap

    def _sound_of(self, place: int) -> BellSound | None:
        for window in reversed(self._windows):
            if place in window.sounds:
                return window.sounds[place]
        return None

    def _begin(self, place: int, sound: BellSound) -> None:
        together = self.settings.coupling if self.form == "readings" else max(self.settings.coupling, self.settings.late)
        for window in self._windows:
            if 0 <= sound.began - window.start <= together:
                window.sounds[place] = sound
                return
        window = BellWindow(sound.began, {place: sound})
        if self.form == "readings":
            memories = [bell.memory for bell in self.detectors]
            window.rest = {n: memory.rest for n, memory in enumerate(memories)} | {place: sound.rest}
            window.before = {n: memory.before(sound.began, self.settings.memory) for n, memory in enumerate(memories)}
            window.loudest = {n: memory.highest(sound.began, self.settings.memory) for n, memory in enumerate(memories)}
        self._windows.append(window)

    def _judge(self, window: BellWindow, known: int) -> list[Observation]:
        settings, sounds = self.settings, window.sounds
        if self.form == "readings":
            for place, sound in sounds.items():
                if sound.guessed:
                    sound.rest = min(sound.rest, self.detectors[place].memory.rest)  # its board has told it by now
        if self.form == "pulses":
            for sound in sounds.values():
                if sound.on_since is not None:
                    sound.lasted = known - sound.began
                sound.peak = sound.lasted // MS
        strongest = max(sounds, key=lambda place: self._strength(sounds[place]))
        heard = [self._heard(window, place) for place in range(len(self.detectors))]
        # Of two bells neither is in the middle: that a table was shaken shows by three or more.
        stands_out = len(heard) < 3 or heard[strongest] >= self._stand_out * statistics.median(heard)
        if not stands_out:
            shaken = len(sounds) >= max(3, settings.bump * len(heard))
            self._tell(window, known, max(heard), shaken=shaken)
            return [self._observe(strongest, sounds[strongest], known, "bump", len(sounds))] if shaken else []
        loudest = max(self._grown(window, place) for place in range(len(self.detectors)))
        rings = [place for place in sounds if self._is_ring(sounds[place], loudest) and self._may_ring(place, sounds[place])]
        if not rings:
            self._tell(window, known, loudest)
            return []
        rang = max(rings, key=lambda place: self._strength(sounds[place]))
        if self.form == "readings" and self._swings_on(window, rang):
            self._tell(window, known, loudest)
            return []
        self._tell(window, known, loudest, rang)
        self.detectors[rang].rang(sounds[rang].began)
        ring = self._observe(rang, sounds[rang], known, "ring", sounds[rang].peak)
        return [replace(ring, sound=self._measured(rang, sounds, loudest))]

    def _heard(self, window: BellWindow, place: int) -> int:
        """How loud a bell was in a window."""
        if self.form == "pulses":
            return window.sounds[place].peak if place in window.sounds else 0
        return window.loudest[place] - window.rest[place]

    def _grown(self, window: BellWindow, place: int) -> int:
        """How much louder a bell became in a window."""
        if self.form == "pulses":
            return self._heard(window, place)
        return window.loudest[place] - max(window.before[place], window.rest[place])

    def _swings_on(self, window: BellWindow, rang: int) -> bool:
        """Whether a bell that rang of late was struck again, by its clapper, and this one only hears it."""
        rung = [
            place
            for place, bell in enumerate(self.detectors)
            if place not in window.sounds and not bell.may_ring(window.start, self.settings.refractory)
        ]
        return any(self._grown(window, place) > self._grown(window, rang) for place in rung)

    def _may_ring(self, place: int, sound: BellSound) -> bool:
        # A bell that is struck twice at once is still waiting for its first judgement when the second sound begins.
        return self.detectors[place].may_ring(sound.began, self.settings.refractory)

    def _measured(self, rang: int, sounds: dict[int, BellSound], loudest: int) -> Sound:
        sound = sounds[rang]
        others = (place for place in sounds if place != rang and self._why_none(sounds[place], loudest) == "coupled")
        coupled = tuple(self.detectors[place].sensor for place in others)
        if self.form == "pulses":
            return Sound(None, round(sound.lasted / SECOND, 2), coupled)
        falls = 0 < sound.kept < sound.peak
        decay = round((sound.kept_at - sound.peaked) / SECOND / math.log(sound.peak / sound.kept), 2) if falls else None
        return Sound(sound.peak, decay, coupled)

    def _tell(self, window: BellWindow, known: int, loudest: int, rang: int | None = None, *, shaken: bool = False) -> None:
        """Put down what was made of each sound."""
        for place, sound in window.sounds.items():
            kind: Judged = "ring" if place == rang else "bump" if shaken else self._why_none(sound, loudest)
            self.verdicts.append(Verdict(sound.began, known, self.detectors[place].sensor, kind, sound.peak, sound.kept))

    def _why_none(self, sound: BellSound, loudest: int) -> Judged:
        settings = self.settings
        if self.form == "readings" and sound.peak - sound.rest < settings.share * loudest:
            return "coupled"
        if self.form == "readings" and sound.peak < settings.weakest:
            return "faint"
        return "coupled" if self._is_ring(sound, loudest) else "knock"

    def _strength(self, sound: BellSound) -> tuple[int, int]:
        # What is left says more than the peak, which may be the knock or the end of the scale; then who began first.
        if self.form == "pulses":
            return sound.lasted, -sound.began
        return (sound.peak - sound.rest) * max(sound.kept - sound.rest, 1), -sound.began

    def _is_ring(self, sound: BellSound, loudest: int) -> bool:
        settings = self.settings
        if self.form == "pulses":
            return sound.lasted >= settings.least
        return sound.is_ring(settings, loudest)

    def _observe(self, place: int, sound: BellSound, known: int, kind: Literal["ring", "bump"], value: int) -> Observation:
        bell = self.detectors[place]
        return Observation(sound.began, known, bell.sensor, bell.role, kind, value, sound.late)


class BellDetector:
    """One bell of a group.

    Gives `ring` with its peak (of pulses: the milliseconds that it was heard), once however long it sounds, and `bump` with the
    number of bells when the whole table was shaken. What comes of a group may come from any of its bells.

    >>> left, right = BellGroup([("a", "a", "sim:a"), ("b", "b", "sim:b")]).detectors
    >>> for ms in range(0, 200, 10):
    ...     _ = left.feed(Signal(ms * MS, "sim:a", 400 - ms // 2)), right.feed(Signal(ms * MS, "sim:b", 70 - ms // 10))
    >>> [(seen.role, seen.kind, seen.value) for seen in left.advance(SECOND)]
    [('a', 'ring', 400)]
    """

    def __init__(self, group: BellGroup, place: int, sensor: str, role: str, channel: str) -> None:
        self.sensor = sensor
        self.role = role
        self.silent_since: int | None = None
        self.high = False
        self.dying = False
        """Of pulses: it rang, and hasn't been silent for long since."""
        self.memory = BellMemory()
        self._group = group
        self._place = place
        self._channel = channel
        self._opened = -SECOND
        self._signals = self._rings = self._late = 0
        self._last = -1
        self._loud_since = -1
        self._rang: int | None = None

    @property
    def group(self) -> BellGroup:
        """The bells that are judged together with it, and itself."""
        return self._group

    @property
    def channels(self) -> tuple[str, ...]:
        """The one address that it listens to."""
        return (self._channel,)

    def begin(self, levels: dict[str, int], at: int) -> list[Observation]:  # noqa: ARG002 - a bell has no level to tell
        """A bell that sounds when its source opens was not struck now."""
        self._opened = at
        return []

    def feed(self, signal: Signal) -> list[Observation]:
        """Take one reading or edge."""
        return self._group.feed(self._place, signal)

    def advance(self, t: int) -> list[Observation]:
        """Every signal of the group before `t` has been fed."""
        return self._group.advance(t)

    def next_deadline(self) -> int | None:
        """When the group knows what rang."""
        return self._group.deadline

    def health(self) -> SensorHealth:
        """When it rang last, counts, and whether it never falls silent."""
        faults = notes = ()  # type: tuple[str, ...]
        if self._last - self._loud_since > ENDLESS and self._group.now - self._last < SECOND:
            faults = (f"{self.sensor} never falls silent: raise its threshold, or look for a loose wire or a lamp beside it",)
        if not self._signals:
            notes = (f"{self.sensor} was never heard: ring it once; if it stays silent, see to its disc, wire and threshold",)
        return SensorHealth(
            self.sensor,
            self._rang is not None and self._group.now - self._rang < SECOND,
            self._rang,
            edges=self._signals,
            accepted=self._rings,
            late=self._late,
            faults=faults,
            notes=notes,
        )

    # For its group

    def count(self, at: int, *, late: bool) -> None:
        """Take note of a signal."""
        self._signals += 1
        self._late += late
        if at - self._last > SECOND // 2:
            self._loud_since = at
        self._last = max(self._last, at)

    def may_ring(self, at: int, refractory: int) -> bool:
        """Whether its last ring is long enough ago."""
        return not self.opening(at) and (self._rang is None or at - self._rang >= refractory)

    def opening(self, at: int) -> bool:
        """Whether its source has opened only just."""
        return at < self._opened + OPENING

    def rang(self, at: int) -> None:
        """It was this one."""
        self._rang = at
        self._rings += 1
        self.dying = True
