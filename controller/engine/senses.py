"""Which of a table's sensors can be used now: sources that come and go, sensors that are left out by people or by themselves."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from controller.engine.absences import Absences, Change
from controller.engine.labels import clock_of
from controller.engine.records import Record
from controller.engine.showing import FittedSensor
from controller.engine.sickness import SickSensors
from hardware.health import SensorHealth, SourceHealth
from hardware.signals import SECOND

LOOK_EVERY = SECOND
"""How often the sensors' health is looked at for one that has gone bad."""


class Senses:
    """Keeps which sensors are out, and says so in `faults`. Pure: times in nanoseconds, wall times are labels."""

    def __init__(self, sensors: Sequence[FittedSensor], faults: dict[str, str]) -> None:
        self.quarantined: frozenset[str] = frozenset()
        self._sensors = sensors
        self._faults = faults
        self._absences = Absences()
        self._sick = SickSensors()
        self._next_look = 0

    @property
    def lost(self) -> frozenset[str]:
        """The roles without a sensor now: left out, or on a source that was not there yet."""
        missing = self._absences.unknown
        return frozenset(s.role for s in self._sensors if s.name in self.quarantined or not missing.isdisjoint(s.sources))

    def begin(self, missing: Collection[str]) -> None:
        """These sources were not there when the others were opened."""
        self._absences = Absences(missing)

    def found(self, source: str) -> None:
        """A source that was missing is there."""
        self._absences.unknown.discard(source)

    def take_up(self, records: Iterable[Record]) -> None:
        """What the records of a game have left out is out."""
        for record in records:
            if record.body.get("command") == "quarantine":
                self.leave_out(str(record.body["sensor"]), str(record.body.get("why", "")), record.wall)
            elif record.body.get("command") == "release":
                self.release(str(record.body["sensor"]))

    def leave_out(self, sensor: str, why: str = "", wall: str = "") -> None:
        """Leave a sensor out; with a reason it is said."""
        self.quarantined |= {sensor}
        if why:
            self._faults[f"quarantine:{sensor}"] = (
                f"{sensor} is left out since {clock_of(wall)}: {why}. Enter what it would have seen, and release it when it is "
                "mended."
            )

    def release(self, sensor: str) -> None:
        """Take a sensor back in."""
        self.quarantined -= {sensor}
        self._faults.pop(f"quarantine:{sensor}", None)
        self._sick.forget(sensor)

    def look(self, sources: Sequence[SourceHealth], watermarks: Mapping[str, int], now: int, wall: str) -> list[Change]:
        """Say which sources are away, and what ails the others; gives what has changed."""
        for health in sources:
            self._faults.pop(f"away:{health.source}", None)
            if not health.up:
                blind = ", ".join(sensor.name for sensor in self._sensors if health.source in sensor.sources)
                why = " ".join(map(ended, health.faults or (f"{health.source} is away",)))
                self._faults[f"away:{health.source}"] = f"{why} Until it is back, enter what these would have seen: {blind}."
            self._faults.pop(f"source:{health.source}", None)
            # Channels that storm are left out, and that is said with this reason.
            others = [fault for fault in health.faults if not fault.startswith(health.muted)]
            if health.up and others:
                self._faults[f"source:{health.source}"] = " ".join(map(ended, others))
        return self._absences.look(sources, watermarks, now, wall)

    @property
    def away(self) -> dict[str, str]:
        """The sources that have gone away, each with the wall time since when."""
        return self._absences.away

    def is_away(self, source: str) -> bool:
        """Whether it is said of a source that it is away."""
        return f"away:{source}" in self._faults

    def look_due(self, now: int) -> bool:
        """Whether it is time for `gone_bad`."""
        if now < self._next_look:
            return False
        self._next_look = now + LOOK_EVERY
        return True

    def gone_bad(self, health: Iterable[SensorHealth], sources: Sequence[SourceHealth], now: int) -> Iterator[tuple[str, str]]:
        """Sensors that should be left out and aren't, each with the reason."""
        for sensor, why in self._sick.look(self._sensors, health, sources, now).items():
            if sensor not in self.quarantined:
                yield sensor, why


def ended(sentence: str) -> str:
    """A sentence with its full stop."""
    return sentence if sentence.endswith((".", "?", "!")) else f"{sentence}."
