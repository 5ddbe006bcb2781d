"""Inputs that move though nobody is at the table: that is wiring, light or music, and no game can be scored with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from controller.doctor.findings import Finding, fault, well
from controller.tablefile import TableFile
from controller.tablefile.sensors import TextSensor
from hardware.health import SourceHealth
from hardware.observations import Observation
from hardware.panel import Panel
from hardware.signals import Signal

FEW = 2
"""Changes that may be somebody who passed by."""


class Idle:
    """A view that counts what each input does. Sensors that tell lines of text do so all the time, and aren't counted."""

    done = False

    def __init__(self, table: TableFile) -> None:
        self._sensors = {
            channel: sensor for sensor in table.sensors if not isinstance(sensor, TextSensor) for channel in sensor.channels
        }
        self._moved: Counter[str] = Counter()
        self._away: set[str] = set()

    def see(self, signals: list[Signal], observations: Iterable[Observation], now: int) -> None:  # noqa: ARG002 - a View's
        """Count the signals."""
        self._moved.update(signal.channel for signal in signals if signal.channel in self._sensors)

    def draw(self, panel: Panel, sources: tuple[SourceHealth, ...], now: int) -> None:  # noqa: ARG002 - a View's
        """Keep in mind which sources are away."""
        self._away |= {f"{one.source} is away" for one in sources if not one.up}
        self._away |= {sentence for one in sources for sentence in one.faults}

    def end(self) -> bool:
        """Whether nothing has moved."""
        return not self._moved

    def findings(self, seconds: float) -> Iterator[Finding]:
        """What was found in so many seconds."""
        for sentence in sorted(self._away):
            yield fault("idle", sentence)
        restless = {channel: count for channel, count in self._moved.items() if count > FEW}
        for channel, count in restless.items():
            sensor = self._sensors[channel]
            remedy = (
                "raise its threshold, or look for music, a lamp or a loose wire beside it"
                if sensor.kind == "bell"
                else "this looks like wiring: a loose wire, no pull-up of 1 to 4.7 kΩ, a cable beside a lamp (docs/wiring.md)"
            )
            yield fault("idle", f"{sensor.name} ({channel}) changed {count} times in {seconds:g} s with nobody there: {remedy}")
        if not restless and not self._away:
            yield well("idle", f"no input moved by itself in {seconds:g} s")
