"""Watching a panel at work: the newest signals and what came of them, kept for a person who looks on."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from hardware.detectors.bell import BellDetector, BellGroup, Verdict
from hardware.detectors.detector import Detector
from hardware.observations import Observation
from hardware.panel import Panel
from hardware.recording import RecordingPanel
from hardware.signals import Signal

MOST = 8192
"""Entries that are kept: ten seconds of a table whose ten bells all ring."""

Entry = Signal | Observation | Verdict


class WatchedPanel(Panel):
    """A panel that keeps the newest `most` signals, observations and verdicts on bells.

    It is worked by the engine's thread, as any panel; `since`, `levels` and `marks` may be called from any other.
    """

    def __init__(self, detectors: Iterable[Detector], most: int = MOST) -> None:
        detectors = tuple(detectors)
        super().__init__(detectors)
        self._groups: tuple[BellGroup, ...] = tuple({one.group: None for one in detectors if isinstance(one, BellDetector)})
        # Appending to them and copying them are each one step for other threads: no edge waits for a lock.
        self._kept: deque[Entry] = deque(maxlen=most)
        self._levels: dict[str, int | str] = {}
        self._marks: dict[str, int] = {}
        self._feed = super().feed

    def begin(self, levels: dict[str, int], at: int) -> list[Observation]:
        """Take levels, see `Panel`."""
        self._levels.update(levels)
        return super().begin(levels, at)

    def feed(self, signal: Signal) -> list[Observation]:
        """Take one signal, see `Panel`."""
        observations = self._feed(signal)
        self._kept.append(signal)
        self._levels[signal.channel] = signal.value
        if observations:
            self._kept.extend(observations)
        return observations

    def advance(self, source: str, t: int) -> list[Observation]:
        """Let deadlines pass, see `Panel`."""
        observations = super().advance(source, t)
        self._marks[source] = t
        if observations:
            self._kept.extend(observations)
        for group in self._groups:
            if group.verdicts:
                self._kept.extend(group.verdicts)
                group.verdicts.clear()
        return observations

    # For whoever looks on

    def marks(self) -> dict[str, int]:
        """By source: the time up to which it has told everything."""
        return self._marks.copy()

    def since(self, last: Entry | None) -> list[Entry]:
        """What was kept after this entry, oldest first; all that is kept where there is none, or where it is kept no longer."""
        kept = self._kept.copy()
        fresh: deque[Entry] = deque()
        while kept and (entry := kept.pop()) is not last:
            fresh.appendleft(entry)
        return list(fresh)

    def levels(self) -> dict[str, int | str]:
        """What each channel gave last; one that never gave anything isn't in it."""
        return self._levels.copy()


class WatchedRecordingPanel(RecordingPanel, WatchedPanel):
    """Both at once: what it is told is written to a trace, and kept for whoever looks on."""
