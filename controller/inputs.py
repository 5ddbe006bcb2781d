"""The inputs of a table without its game: watched live, through the same sources and detectors as in play."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Protocol, Self

from controller.fitting.detectors import build_panel
from controller.fitting.sources import build_sources
from controller.tablefile import TableFile
from controller.tablefile.sensors import ContactSensor
from controller.walk import Learning, Walk, columns
from hardware.health import SensorHealth, SourceHealth
from hardware.observations import Observation
from hardware.panel import Panel
from hardware.signals import MS, SECOND, Signal, source_of
from hardware.sources.lines import TopicSource

Say = Callable[[str], object]

FRAME = SECOND // 5
"""How often the live view is drawn."""
STILL = 300 * MS
"""An input that a person moves is taken when it has been still for so long."""


class View(Protocol):
    """What is made of the inputs."""

    def see(self, signals: list[Signal], observations: Iterable[Observation], now: int) -> None:
        """Take what has come in."""

    def draw(self, panel: Panel, sources: tuple[SourceHealth, ...], now: int) -> None:
        """Show it."""

    @property
    def done(self) -> bool:
        """Whether there is nothing left to do."""

    def end(self) -> bool:
        """Say the last word; whether all is well."""


class Inputs:
    """Opens a table's sources and feeds a view. Raises `SourceError`."""

    def __init__(self, table: TableFile, view: View) -> None:
        self._panel = build_panel(table)
        self._sources = build_sources(table)
        self._view = view
        self._queue: deque[Signal] = deque()
        self._wake = threading.Event()

    def __enter__(self) -> Self:
        levels: dict[str, int] = {}
        for source in self._sources:
            levels |= source.open([c for c in self._panel.channels if source_of(c) == source.name], self._emit)
            if isinstance(source, TopicSource):
                source.lost("its topic isn't heard while the inputs alone are looked at: there is no link to the broker then")
        self._panel.begin(levels, time.monotonic_ns())
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for source in self._sources:
            source.close()

    def watch(self, stop: threading.Event, seconds: float | None) -> None:
        """Watch until stopped, done, or so many seconds have gone by."""
        began = time.monotonic_ns()
        next_frame = reconcile = began
        while not stop.is_set() and not self._view.done:
            now = time.monotonic_ns()
            if seconds is not None and now - began > seconds * SECOND:
                self._take(now)
                return
            if now >= reconcile:
                reconcile = now + SECOND
                for source in self._sources:
                    source.reconcile(now)
            self._take(now)
            if now >= next_frame:
                next_frame = now + FRAME
                self._view.draw(self._panel, tuple(source.health() for source in self._sources), now)
            self._wake.wait(max(next_frame - time.monotonic_ns(), 0) / SECOND)
            self._wake.clear()

    def _emit(self, signal: Signal) -> None:
        self._queue.append(signal)
        self._wake.set()

    def _take(self, now: int) -> None:
        marks = {source.name: source.watermark(now) for source in self._sources}
        signals = [self._queue.popleft() for _ in range(len(self._queue))]
        observations: list[Observation] = []
        for signal in signals:
            observations += self._panel.feed(signal)
        for name, mark in marks.items():
            observations += self._panel.advance(name, mark)
        self._view.see(signals, observations, now)


class Screen:
    """A row an input, drawn over and over."""

    done = False

    def __init__(self, table: TableFile, say: Say) -> None:
        self._sensors = table.sensors
        self._say = say
        self._levels: dict[str, int | str] = {}

    def see(self, signals: list[Signal], observations: Iterable[Observation], now: int) -> None:  # noqa: ARG002 - a View's
        """Keep the raw levels."""
        for signal in signals:
            self._levels[signal.channel] = signal.value if isinstance(signal.value, int) else "text"

    def draw(self, panel: Panel, sources: tuple[SourceHealth, ...], now: int) -> None:
        """Draw all rows from the top of the screen."""
        health = {one.sensor: one for one in panel.health()}
        rows: list[tuple[str, ...]] = [("sensor", "source", "raw", "state", "for", "edges", "health")]
        for sensor in self._sensors:
            raw = "".join(str(self._levels.get(channel, "·")) for channel in sensor.channels)
            rows.append(row(health[sensor.name], " ".join(sensor.channels), raw, now))
        lines = columns(rows, right=(4, 5))
        lines += [f"{one.source}: {'up' if one.up else 'AWAY'}, lost {one.lost}, recovered {one.recovered}" for one in sources]
        self._say("\x1b[H\x1b[J" + "\n".join(lines))

    def end(self) -> bool:
        """Nothing to add."""
        return True


def row(health: SensorHealth, source: str, raw: str, now: int) -> tuple[str, ...]:
    """One input, cell by cell."""
    since = "–" if health.since is None else f"{(now - health.since) / SECOND:.1f} s"  # noqa: RUF001 - a dash for people
    state = "on" if health.value is True else "off" if health.value is False else str(health.value or "")
    return health.sensor, source, raw, state, since, str(health.edges), "; ".join(health.faults) or "well"


class Walker:
    """Tries every input once."""

    def __init__(self, table: TableFile, say: Say) -> None:
        self._walk = Walk([(s.name, s.role, s.kind) for s in table.sensors])
        self._say = say
        self._health: tuple[SensorHealth, ...] = ()
        say("Put a ball into each cup and take it out; roll one through the beams; press each button.")

    def see(self, signals: list[Signal], observations: Iterable[Observation], now: int) -> None:  # noqa: ARG002 - a View's
        """Say which input has just passed."""
        for observation in observations:
            passed = self._walk.observe(observation)
            if passed is not None:
                left = sum(not tried.passed for tried in self._walk.tried.values())
                self._say(f"pass  {passed.sensor}; {left} left")

    def draw(self, panel: Panel, sources: tuple[SourceHealth, ...], now: int) -> None:  # noqa: ARG002 - a View's
        """Keep the health for the record."""
        self._health = panel.health()

    @property
    def done(self) -> bool:
        """Whether every input has passed."""
        return self._walk.done

    def end(self) -> bool:
        """Print the record."""
        lines = self._walk.record(self._health)
        self._say("\n".join(lines))
        return not any(line.startswith("FAIL") for line in lines)


class Learner:
    """Asks for each role in turn."""

    def __init__(self, table: TableFile, say: Say) -> None:
        self._learning = Learning(
            {s.role: s.kind for s in table.sensors if isinstance(s, ContactSensor) and len(s.channels) == 1}
        )
        self._say = say
        self._moving: dict[str, Signal] = {}
        self._ask()

    def _ask(self) -> None:
        role = self._learning.ask
        self._say(f"Now: {role}. Drop a ball there, or press it." if role else "All inputs are known.")

    def see(self, signals: list[Signal], observations: Iterable[Observation], now: int) -> None:  # noqa: ARG002 - a View's
        """Take an input that has moved and come to rest."""
        self._moving |= {signal.channel: signal for signal in signals if isinstance(signal.value, int)}
        for channel, signal in list(self._moving.items()):
            if now - signal.at >= STILL:
                del self._moving[channel]
                role = self._learning.change(channel, signal.number)
                if role is not None:
                    self._say(f"{role} is {channel}.")
                    self._ask()

    def draw(self, panel: Panel, sources: tuple[SourceHealth, ...], now: int) -> None:
        """Nothing to draw."""

    @property
    def done(self) -> bool:
        """Whether every role has its input."""
        return self._learning.ask is None

    def end(self) -> bool:
        """Print the table file's sensors."""
        self._say(f"\n{self._learning.table()}")
        return self.done
