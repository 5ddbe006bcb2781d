"""The panel: all detectors of a table, fed by channel and advanced by source."""

from __future__ import annotations

import heapq
from collections.abc import Iterable

from hardware.detectors.beam import BeamDetector
from hardware.detectors.button import ButtonDetector
from hardware.detectors.detector import Detector
from hardware.detectors.switch import SwitchDetector
from hardware.health import SensorHealth
from hardware.observations import Observation
from hardware.signals import SECOND, Signal, source_of

_NEVER = 1 << 63
"""Later than every time in nanoseconds."""
_BY_EDGES = (SwitchDetector, ButtonDetector, BeamDetector)
"""Their health changes with edges and deadlines; what time alone changes (a chatter is over) may show a second later."""


class Panel:
    """Routes signals to the detectors that want them; pure. Times in nanoseconds.

    Observations come out in order of `known` for each source, however the calls are cut up: a signal proves that everything its
    source had to tell before it has been told, so deadlines up to its time pass first. A signal older than what was already
    advanced is fed all the same, and what comes of it is `late`.

    Raises `ValueError` if two detectors want one channel or a detector's channels belong to several sources.
    """

    def __init__(self, detectors: Iterable[Detector]) -> None:
        self._lanes: dict[str, _Lane] = {}
        self._slots: dict[str, _Slot] = {}
        for order, detector in enumerate(detectors):
            sources = {source_of(channel) for channel in detector.channels}
            if len(sources) != 1:
                raise ValueError(f"one detector can't listen to several sources: {', '.join(detector.channels)}")
            slot = _Slot(order, detector, self._lanes.setdefault(sources.pop(), _Lane()))
            for channel in detector.channels:
                if channel in self._slots:
                    raise ValueError(f"two detectors listen to {channel}: give each its own input")
                self._slots[channel] = slot

    @property
    def channels(self) -> tuple[str, ...]:
        """Every address that a detector listens to."""
        return tuple(self._slots)

    def begin(self, levels: dict[str, int], at: int) -> list[Observation]:
        """Take the levels found when a source opened, or opened again, as baselines; other detectors stay as they are."""
        observations = []
        for slot in dict.fromkeys(self._slots[channel] for channel in levels if channel in self._slots):
            slot.looked = _NEVER
            observations += slot.detector.begin(levels, at)
            slot.lane.schedule(slot)
        return observations

    def feed(self, signal: Signal) -> list[Observation]:
        """Take one signal. Those of a source come in order of time; one on a channel that no detector wants changes nothing."""
        slot = self._slots.get(signal.channel)
        if slot is None:
            return []
        slot.looked = _NEVER
        lane = slot.lane
        at = signal.at
        passed: list[Observation] = []
        if at < lane.mark:
            passed = slot.detector.advance(lane.mark)  # so that it knows that the signal is late
        else:
            lane.mark = at
            if lane.due <= at:
                passed = lane.run(at)
        observations = slot.feed(signal)
        deadline = slot.next_deadline()
        if deadline is not None and deadline < slot.scheduled:
            lane.schedule(slot)
        return passed + observations if passed else observations

    def advance(self, source: str, t: int) -> list[Observation]:
        """The source has told everything that happened before `t`: its detectors' deadlines up to `t` pass, in order."""
        lane = self._lanes.get(source)
        if lane is None:
            return []
        lane.mark = max(lane.mark, t)
        return lane.run(t) if lane.due <= t else []

    def next_deadline(self) -> int | None:
        """When the next detector wants `advance` although no signal comes."""
        deadline = min((lane.next_deadline() for lane in self._lanes.values()), default=_NEVER)
        return None if deadline == _NEVER else deadline

    def health(self) -> tuple[SensorHealth, ...]:
        """Each sensor as it stands, in the order of the detectors."""
        return tuple(slot.health() for slot in dict.fromkeys(self._slots.values()))


class _Slot:
    """A detector with what the panel keeps beside it; its methods bound once, since they are called for each edge."""

    __slots__ = ("_health", "_lasting", "detector", "feed", "lane", "looked", "next_deadline", "order", "scheduled")

    def __init__(self, order: int, detector: Detector, lane: _Lane) -> None:
        self.order = order
        self.detector = detector
        self.lane = lane
        self.feed = detector.feed
        self.next_deadline = detector.next_deadline
        self.scheduled = _NEVER
        self.looked = _NEVER
        """When its health was last worked out; never, where something has happened since."""
        self._lasting = isinstance(detector, _BY_EDGES)
        self._health = detector.health()

    def health(self) -> SensorHealth:
        """How the sensor stands now, not when it was last heard."""
        mark = self.lane.mark
        if self._lasting and self.looked <= mark < self.looked + SECOND:
            return self._health
        deadline = self.next_deadline()
        if deadline is None or deadline > mark:
            self.detector.advance(mark)
        self.looked, self._health = mark, self.detector.health()
        return self._health


class _Lane:
    """The detectors of one source, and which of them is due next.

    A bouncing input moves its detector's deadline with each edge. So a detector's entry in the heap may be too early, never too
    late, and is put right when it comes up.
    """

    __slots__ = ("_heap", "_slots", "due", "mark")

    def __init__(self) -> None:
        self.mark = -1
        self.due = _NEVER
        self._heap: list[tuple[int, int]] = []  # (time, order of the detector), so that equal times come in a fixed order
        self._slots: dict[int, _Slot] = {}

    def schedule(self, slot: _Slot) -> None:
        """Put a detector in for its deadline, unless it is in for that or an earlier time."""
        deadline = slot.next_deadline()
        if deadline is not None and deadline < slot.scheduled:
            slot.scheduled = deadline
            self._slots[slot.order] = slot
            heapq.heappush(self._heap, (deadline, slot.order))
            self.due = self._heap[0][0]

    def run(self, t: int) -> list[Observation]:
        """Let the deadlines up to `t` pass."""
        observations: list[Observation] = []
        while self.next_deadline() <= t:
            slot = self._slots[self._heap[0][1]]
            slot.looked = _NEVER
            observations += slot.detector.advance(self._heap[0][0])
        return observations

    def next_deadline(self) -> int:
        """The true next deadline: entries that came up too early are put right first."""
        heap = self._heap
        while heap:
            time, order = heap[0]
            slot = self._slots[order]
            deadline = slot.next_deadline()
            if time == slot.scheduled and time == deadline:
                break
            heapq.heappop(heap)
            if time == slot.scheduled:
                slot.scheduled = _NEVER
                self.schedule(slot)
        self.due = heap[0][0] if heap else _NEVER
        return self.due
