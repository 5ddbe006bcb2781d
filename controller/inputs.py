"""The inputs of a table without its game: watched live, through the same sources and detectors as in play."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Protocol, Self, runtime_checkable

from controller.fitting.detectors import build_panel
from controller.fitting.sources import build_sources
from controller.tablefile import TableFile
from controller.walk import Walk, columns, how_to_walk, wrap
from hardware.health import SensorHealth, SourceHealth
from hardware.observations import Observation
from hardware.panel import Panel
from hardware.signals import SECOND, Signal, source_of
from hardware.sources.lines import TopicSource

Say = Callable[[str], object]

FRAME = SECOND // 5
"""How often the live view is drawn."""


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


@runtime_checkable
class Beginner(Protocol):
    """A view that wants to know how the inputs stand before anything moves."""

    def begin(self, levels: Mapping[str, int], now: int) -> None:
        """The sources are open, and their inputs have these levels."""


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
        now = time.monotonic_ns()
        self._panel.begin(levels, now)
        if isinstance(self._view, Beginner):
            self._view.begin(levels, now)
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
    """A row an input, drawn over and over. `size`: columns and lines of the terminal now; None: there is none."""

    done = False

    def __init__(self, table: TableFile, say: Say, size: Callable[[], tuple[int, int] | None] = lambda: None) -> None:
        self._sensors = table.sensors
        self._say = say
        self._size = size
        self._levels: dict[str, int | str] = {}
        self._drawn = False

    def begin(self, levels: Mapping[str, int], now: int) -> None:  # noqa: ARG002 - a Beginner's
        """Keep the levels that are there already."""
        self._levels |= {
            c: levels[c] for sensor in self._sensors if not sensor.reads_text for c in sensor.channels if c in levels
        }

    def see(self, signals: list[Signal], observations: Iterable[Observation], now: int) -> None:  # noqa: ARG002 - a View's
        """Keep the raw levels."""
        for signal in signals:
            self._levels[signal.channel] = signal.value if isinstance(signal.value, int) else "text"

    def draw(self, panel: Panel, sources: tuple[SourceHealth, ...], now: int) -> None:
        """Draw all rows from the top of the screen."""
        health = {one.sensor: one for one in panel.health()}
        rows = []
        for sensor in self._sensors:
            raw = "".join(str(self._levels.get(channel, "·")) for channel in sensor.channels)
            rows.append((health[sensor.name].since, row(health[sensor.name], wired(sensor.channels), raw, now)))
        below = [f"{one.source}: {'up' if one.up else 'AWAY'}, lost {one.lost}, recovered {one.recovered}" for one in sources]
        wrong = [fault for one in sources for fault in one.faults] + [fault for one in health.values() for fault in one.faults]
        size = self._size()
        if size is None:
            self._say("\n".join(columns([HEAD, *(cells for _, cells in rows)], right=(4, 5)) + wrong + below))
            return
        lines = page(rows, wrong, below, *size)
        start = "\x1b[H" if self._drawn else "\x1b[H\x1b[2J"
        self._drawn = True
        self._say(start + "\n".join(f"{line}\x1b[K" for line in lines) + "\x1b[J")

    def end(self) -> bool:
        """Nothing to add."""
        return True


HEAD = ("sensor", "source", "raw", "state", "for", "edges", "health")
SPARED = (5, 4, 1)
"""The columns that a narrow terminal is spared, in this order: edges, for, source."""
SHORTEST = 8
"""Then names are shortened, but not below so many letters."""


def wired(channels: Sequence[str]) -> str:
    """The addresses of an input: those of a pair without what both begin with, `board:left/4 5`."""
    first, *others = channels
    return " ".join([first, *(other.removeprefix(source_of(first))[1:] for other in others)])


def _short(name: str, most: int) -> str:
    """A name without its middle: forts differ in their ends."""
    return name if len(name) <= most else f"{name[: most // 2]}…{name[len(name) - most + most // 2 + 1 :]}"


def row(health: SensorHealth, source: str, raw: str, now: int) -> tuple[str, ...]:
    """One input, cell by cell."""
    since = "–" if health.since is None else f"{(now - health.since) / SECOND:.1f} s"  # noqa: RUF001 - a dash for people
    state = "on" if health.value is True else "off" if health.value is False else str(health.value or "")
    return health.sensor, source, raw, state, since, str(health.edges), "FAULT" if health.faults else "well"


def page(
    rows: Sequence[tuple[int | None, tuple[str, ...]]], wrong: Sequence[str], below: Sequence[str], width: int, height: int
) -> list[str]:
    """As much as a terminal has room for: faults in whole sentences, and of too many inputs those that have moved last.

    `rows`: when each has moved, and its cells; `wrong`: sentences; `below`: what stands at the bottom.
    """
    room = max(height - 1, 1)  # the cursor stands below
    foot = [part for line in wrong for part in wrap(line, width)][: room // 3]
    foot += [part for line in below for part in wrap(line, width)]
    places = list(range(len(rows)))
    fits = max(room - 1 - len(foot), 1)
    if len(rows) > fits:
        fits = max(fits - 1, 1)
        places = sorted(places, key=lambda place: (-(rows[place][0] or 0), place))[:fits]
        foot.insert(0, f"and {len(rows) - fits} more: the latest to move are here"[:width])
    shown = list(range(len(HEAD)))
    cells = [HEAD, *(cells for _, cells in rows)]
    for spared in (None, *SPARED, None):
        shown = [column for column in shown if column != spared]
        # All rows set the widths, or the columns would jump whenever another one moves.
        lines = columns([[one[column] for column in shown] for one in cells], [shown.index(c) for c in (4, 5) if c in shown])
        over = max(map(len, lines)) - width
        if over <= 0:
            break
        if len(shown) == len(HEAD) - len(SPARED):
            most = max(max(len(one[0]) for one in cells) - over, SHORTEST)
            cells = [(_short(one[0], most), *one[1:]) for one in cells]
    table = [lines[0], *(lines[1 + place] for place in places)]
    return [line if len(line) <= width else f"{line[: width - 1]}…" for line in table + foot][:room]


class Walker:
    """Tries every input once. `say`: what has just passed; `title`: of the record."""

    def __init__(self, table: TableFile, say: Say, title: str = "", *, keys: bool = False) -> None:
        self._walk = Walk([(s.name, s.role, s.kind, wired(s.channels)) for s in table.sensors])
        self._say = say
        self._title = title
        self._typed: deque[str] = deque()
        self._over = False
        self._health: tuple[SensorHealth, ...] = ()
        say(how_to_walk({sensor.kind for sensor in table.sensors}))
        if keys:
            say("Enter lists what is left; q and Enter ends.")

    def type(self, line: str) -> None:
        """Somebody has typed a line; from any thread."""
        self._typed.append(line)

    def see(self, signals: list[Signal], observations: Iterable[Observation], now: int) -> None:  # noqa: ARG002 - a View's
        """Say which input has just passed."""
        for observation in observations:
            passed = self._walk.observe(observation)
            if passed is not None:
                self._say(f"pass  {passed.sensor}{passed.detail and f': {passed.detail}'}; {len(self._walk.left)} left")
        while self._typed:
            if self._typed.popleft().strip().lower() == "q":
                self._over = True
            else:
                self._say(f"left: {', '.join(self._walk.left)}")

    def draw(self, panel: Panel, sources: tuple[SourceHealth, ...], now: int) -> None:  # noqa: ARG002 - a View's
        """Keep the health for the record."""
        self._health = panel.health()

    @property
    def done(self) -> bool:
        """Whether every input has passed, or somebody wants no more."""
        return self._over or self._walk.done

    def record(self, width: int | None = None) -> str:
        """The printed record, wrapped at a width."""
        lines = self._walk.record(self._health, width)
        return "\n".join([self._title, *lines] if self._title else lines)

    def end(self) -> bool:
        """Whether all is well."""
        return not self._walk.failed(self._health)
