"""Sensors that go bad in the middle of a game: which of them are left out by themselves, and why.

A storm is left out at once: its source has muted it already, so it sees nothing. Chatter, a beam that stays blocked, a bell that
never falls silent are left out when they have lasted, since they often end by themselves: a hand, a cloth, a lorry outside. A
button that is held down is stuck. A switch that stays on never is: a ball may lie in a cup for as long as people please, and only
they can say that none is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from controller.engine.showing import FittedSensor
from hardware.health import SensorHealth, SourceHealth
from hardware.signals import SECOND

LASTING = 60 * SECOND
"""A fault that stands for so long is not over soon, in nanoseconds."""
STUCK = 60 * SECOND
"""Nobody holds a button down for so long."""

WATCHED = frozenset({"switch", "beam", "button", "bell"})
"""Kinds whose faults are their own; what a reader or a camera complains of may be the card or the light."""


class SickSensors:
    """Looks at the health of all sensors, again and again. Pure; times in nanoseconds."""

    def __init__(self) -> None:
        self._since: dict[str, int] = {}

    def look(
        self, fitted: Iterable[FittedSensor], health: Iterable[SensorHealth], sources: Sequence[SourceHealth], now: int
    ) -> dict[str, str]:
        """The sensors that must be left out now, with the reason as a sentence."""
        kinds = {sensor.name: sensor for sensor in fitted}
        sick: dict[str, str] = {}
        for one in health:
            why = self._sick(kinds[one.sensor], one, sources, now)
            if why is not None:
                sick[one.sensor] = why
        return sick

    def forget(self, sensor: str) -> None:
        """It was released: what it does from now on counts."""
        self._since.pop(sensor, None)

    def _sick(self, fitted: FittedSensor, health: SensorHealth, sources: Sequence[SourceHealth], now: int) -> str | None:
        channels = fitted.source.split()
        for source in sources:
            for channel in source.muted:
                if channel in channels:
                    return next((fault for fault in source.faults if fault.startswith(channel)), f"{channel} storms")
        if fitted.kind not in WATCHED:
            return None
        if fitted.kind == "button" and health.value is True and now - (health.since or now) >= STUCK:
            return f"{fitted.name} has been down for {STUCK // SECOND} s: it is stuck, or something leans on it"
        if not health.faults:
            self.forget(fitted.name)
            return None
        since = self._since.setdefault(fitted.name, now)
        return health.faults[0] if now - since >= LASTING else None
