"""A position sensor: a camera or a grid of magnets that tells, several times a second, where everything lies."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from hardware.detectors.frames import NoFrame, placed, read_frame
from hardware.health import SensorHealth
from hardware.observations import Observation
from hardware.places import Extent, Place, Scene
from hardware.signals import SECOND, Signal

RUBBISH_TOLD = 10 * SECOND
"""For so long what couldn't be used is a fault."""
RESTLESS = 30 * SECOND
"""Nothing on a table moves for so long: then its error is set too small."""
MOST_STRANGERS = 5
"""So many unknown names are told."""


class PositionSettings(NamedTuple):
    """What a position sensor may be told. Times in nanoseconds, lengths in millimetres.

    `still`: what hasn't moved for so long has come to rest; `gone`: what wasn't seen for so long is gone (shorter absences are
    arms that reach over the table); `silence`: after so long without a frame nothing is known. `fixed` and `growing`: the error
    of a reading that brings none, `fixed` + `growing` times the distance from the middle. `overhang`: a thing whose middle lies
    further than this beyond the edge lies nowhere.
    """

    extent: Extent
    still: int = SECOND
    gone: int = 3 * SECOND
    silence: int = 5 * SECOND
    fixed: float = 1.0
    growing: float = 0.0
    overhang: float = 25.4


@dataclass(slots=True)
class _Track:
    """One thing: `place` where it rests or was last seen to get to, since `since`; `origin` where its movement began.

    `latest`: its latest reading there, which tells best where it is when it was nudged by less than the errors.
    """

    place: Place
    latest: Place
    since: int
    origin: Place
    moving: bool = True
    doubted: bool = False
    """Seen elsewhere once: a single frame may be wrong."""
    sure: bool = False
    """Seen in two frames running."""
    missing_since: int | None = None


class PositionDetector:
    """Gives a `position` observation when something begins to move, and a scene when all has come to rest; see `Scene`.

    `things`: the names that it may tell of; `names`: what each of the tracker's own names is, where they differ. A thing moves
    when it is seen twice running further from its place than the errors of both readings. A line that can't be used, a name that
    is nothing of the table and a place off the table are counted, told as health, and never used.
    """

    def __init__(
        self,
        sensor: str,
        role: str,
        channel: str,
        settings: PositionSettings,
        *,
        things: Collection[str],
        names: Mapping[str, str] | None = None,
    ) -> None:
        self._sensor = sensor
        self._role = role
        self._channel = channel
        self._things = frozenset(things)
        self._settings = settings
        self._names = dict(names or {})
        self._tracks: dict[str, _Track] = {}
        self._movers: dict[str, Place] = {}  # since the last scene at rest, in the order in which they began
        self._gone: dict[str, Place] = {}
        self._resting = False
        self._restless: tuple[int, str] | None = None  # since when there was no rest, and what moves
        self._told: frozenset[str] = frozenset()
        self._last_frame: int | None = None
        self._away = self._was_away = False
        self._now = 0
        self._frames = self._late = 0
        self._rubbish = _Rubbish()
        self._since: int | None = None

    @property
    def channels(self) -> tuple[str, ...]:
        """The one address that it listens to."""
        return (self._channel,)

    def begin(self, levels: dict[str, int], at: int) -> list[Observation]:
        """Its source has opened; text has no level."""
        if self._channel in levels:
            self._last_frame = max(self._last_frame or 0, at)
        return []

    def feed(self, signal: Signal) -> list[Observation]:
        """Take one line."""
        late = signal.at < self._now
        if late:
            # What is older than what was seen since says nothing new.
            self._late += 1
            return []
        self._now = signal.at
        observations = self.advance(signal.at) if self._due_by(signal.at) else []
        try:
            found = read_frame(signal.text)
        except NoFrame as error:
            self._rubbish.add(f"a line can't be used: {error}", signal.at)
            return observations
        self._frames += 1
        self._last_frame = signal.at
        back, self._away = self._away, False
        self._was_away = self._was_away or back
        self._see(self._mine(found, signal.at), signal.at)
        return observations + self._tell(signal.at)

    def advance(self, t: int) -> list[Observation]:
        """It is `t`: a sensor that has been silent for long tells nothing any more."""
        self._now = max(self._now, t)
        if not self._due_by(t):
            return []
        self._away = True
        self._resting = False
        known = self.deadline_of_silence
        return [self._observe(Scene(rest=False, away=True), known, known)]

    def next_deadline(self) -> int | None:
        """When it will have been silent for too long."""
        return None if self._away or self._last_frame is None else self.deadline_of_silence

    @property
    def deadline_of_silence(self) -> int:
        """When nothing is known any more if no frame comes."""
        return (self._last_frame or 0) + self._settings.silence

    def health(self) -> SensorHealth:
        """How many things are seen, and what is wrong with what it says."""
        faults = list(self._rubbish.faults(self._sensor, self._now))
        if self._away:
            faults.insert(
                0,
                f"{self._sensor} has sent nothing for {self._settings.silence // SECOND} s: does its program run, is its cable in"
                "? Until it is back, enter what is played",
            )
        if self._restless is not None and not self._away and self._now - self._restless[0] >= RESTLESS:
            faults.append(
                f"{self._sensor}: {self._restless[1]} has not come to rest for {RESTLESS // SECOND} s, so no stroke is told: "
                "its error is set too small, or something moves it"
            )
        notes = [f"{self._sensor} had {self._late} lines that came late: the link to it is slow"] if self._late else []
        value = None if self._away or not self._frames else sum(track.sure for track in self._tracks.values())
        return SensorHealth(
            self._sensor,
            value,
            self._since,
            edges=self._frames + self._rubbish.count,
            accepted=self._frames,
            late=self._late,
            lost=self._rubbish.count,
            faults=tuple(faults),
            notes=tuple(notes),
        )

    # What a frame shows

    def _due_by(self, t: int) -> bool:
        return not self._away and self._last_frame is not None and self.deadline_of_silence <= t

    def _mine(self, found: Mapping[str, tuple[float, float, float | None]], at: int) -> dict[str, Place]:
        places: dict[str, Place] = {}
        for told, numbers in found.items():
            name = self._names.get(told, told)
            place = placed(numbers, self._settings.fixed, self._settings.growing)
            if name not in self._things:
                self._rubbish.stranger(told, at)
            elif name in places:
                self._rubbish.add(f"{name} is told to be in two places", at)
                del places[name]
            elif self._settings.extent.in_from_edge(place) < -self._settings.overhang - place.error:
                self._rubbish.add(f"{name} is told to lie off the table, at {place.x:.0f}, {place.y:.0f}", at)
            else:
                places[name] = place
        return places

    def _see(self, places: Mapping[str, Place], at: int) -> None:
        for name, place in places.items():
            track = self._tracks.get(name)
            if track is None:
                self._tracks[name] = _Track(place, place, at, place)
                continue
            track.missing_since = None
            if not track.sure:
                track.sure = True
                track.latest = place
                self._movers.setdefault(name, track.origin)
                track.place, track.since = (place, at) if place.is_surely_apart_from(track.place) else (track.place, track.since)
            elif not place.is_surely_apart_from(track.place):
                track.doubted = False
                track.latest = place
                if track.moving and at - track.since >= self._settings.still:
                    track.moving = False
            elif track.moving or track.doubted:
                if not track.moving:
                    track.moving, track.origin = True, track.latest
                    self._movers.setdefault(name, track.origin)
                track.doubted = False
                track.place = track.latest = place
                track.since = at
            else:
                track.doubted = True
        for name in [name for name in self._tracks if name not in places]:
            self._miss(name, at)

    def _miss(self, name: str, at: int) -> None:
        track = self._tracks[name]
        if not track.sure:
            del self._tracks[name]  # one frame that nothing bears out
        elif track.missing_since is None:
            track.missing_since = at
        elif at - track.missing_since >= self._settings.gone:
            del self._tracks[name]
            self._gone[name] = track.latest

    def _tell(self, at: int) -> list[Observation]:
        tracks = {name: track for name, track in self._tracks.items() if track.sure}
        moving = [name for name, track in tracks.items() if track.moving]
        unsure = [
            name for name, track in self._tracks.items() if not track.sure or track.doubted or track.missing_since is not None
        ]
        if moving or unsure:
            self._restless = ((self._restless or (at,))[0], ", ".join((moving or unsure)[:3]))
        else:
            self._restless = None
        if moving:
            new = frozenset(self._movers)
            if self._resting or not new <= self._told:
                self._resting, self._told = False, new
                began = min(tracks[name].since for name in moving)
                return [self._observe(Scene(rest=False, moved=dict(self._movers)), min(began, at), at)]
            return []
        if unsure or (self._resting and not self._gone and not self._movers):
            return []
        if not self._frames:
            return []
        moved, gone, blind = dict(self._movers), dict(self._gone), self._was_away
        self._movers.clear()
        self._gone.clear()
        self._resting, self._told, self._was_away = True, frozenset(), False
        since = max((tracks[name].since for name in moved if name in tracks), default=at)
        self._since = at
        places = {name: track.latest for name, track in sorted(tracks.items())}
        return [self._observe(Scene(rest=True, places=places, moved=moved, gone=gone, blind=blind), since, at)]

    def _observe(self, scene: Scene, at: int, known: int) -> Observation:
        return Observation(at, known, self._sensor, self._role, "position", scene.text())


@dataclass(slots=True)
class _Rubbish:
    """What couldn't be used: how often, what was said of the latest, and until when it is told."""

    count: int = 0
    latest: str = ""
    until: int = 0
    strangers: list[str] = field(default_factory=list)

    def add(self, said: str, at: int) -> None:
        """One more."""
        self.count += 1
        self.latest = said
        self.until = at + RUBBISH_TOLD

    def stranger(self, name: str, at: int) -> None:
        """A name that is nothing of this table."""
        shown = repr(name[:40])
        if shown not in self.strangers and len(self.strangers) < MOST_STRANGERS:
            self.strangers.append(shown)
        self.add(f"it tells of {', '.join(self.strangers)}, which is nothing of this table: give its names in the table file", at)

    def faults(self, sensor: str, now: int) -> tuple[str, ...]:
        """A sentence, while it is fresh."""
        return (f"{sensor}: {self.latest} ({self.count} so far)",) if now < self.until and self.count else ()
