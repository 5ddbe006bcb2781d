"""A watched panel gives the same observations as any other, and keeps the newest for whoever looks on."""

from __future__ import annotations

import threading
from itertools import pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from hardware.detectors.bell import BellGroup, Verdict
from hardware.detectors.detector import Detector
from hardware.detectors.switch import SwitchDetector
from hardware.observations import Observation
from hardware.panel import Panel
from hardware.signals import MS, SECOND, Signal
from hardware.sources.trace_file import TraceReader, TraceWriter
from hardware.watching import WatchedPanel, WatchedRecordingPanel


def switches() -> list[Detector]:
    return [SwitchDetector(f"cup-{n}", f"cup-{n}", f"sim:cup-{n}", active_level=1) for n in (1, 2)]


def press(panel: Panel, at: int, level: int = 1) -> list[Observation]:
    return panel.feed(Signal(at, "sim:cup-1", level)) + panel.advance("sim", at + SECOND)


@given(st.lists(st.tuples(st.integers(1, 400), st.sampled_from(["sim:cup-1", "sim:cup-2"]), st.booleans()), max_size=40))
def test_it_observes_what_any_panel_observes(steps: list[tuple[int, str, bool]]) -> None:
    plain, watched = Panel(switches()), WatchedPanel(switches())
    at, level = 0, {"sim:cup-1": 0, "sim:cup-2": 0}
    seen: list[Observation] = []
    for panel in (plain, watched):
        panel.begin(level, 0)
    for wait, channel, advances in steps:
        at += wait * MS
        level[channel] = 1 - level[channel]
        signal = Signal(at, channel, level[channel])
        told = plain.feed(signal) + (plain.advance("sim", at) if advances else [])
        seen += told
        assert watched.feed(signal) + (watched.advance("sim", at) if advances else []) == told
    seen += plain.advance("sim", at + SECOND)
    watched.advance("sim", at + SECOND)
    kept = watched.since(None)
    assert [one for one in kept if isinstance(one, Observation)] == seen
    assert [one.channel for one in kept if isinstance(one, Signal)] == [channel for _, channel, _ in steps]
    assert watched.levels() == level
    assert watched.marks() == {"sim": at + SECOND}


def test_whoever_looks_on_is_told_each_thing_once() -> None:
    panel = WatchedPanel(switches())
    panel.begin({"sim:cup-1": 0, "sim:cup-2": 0}, 0)
    press(panel, SECOND)
    first = panel.since(None)
    assert [type(one) for one in first] == [Signal, Observation]
    assert panel.since(first[-1]) == []
    press(panel, 3 * SECOND, 0)
    assert [one.at for one in panel.since(first[-1])] == [3 * SECOND, 3 * SECOND]


def test_a_storm_leaves_the_newest_alone() -> None:
    panel = WatchedPanel(switches(), most=8)
    panel.begin({"sim:cup-1": 0, "sim:cup-2": 0}, 0)
    for n in range(100):
        panel.feed(Signal(n, "sim:cup-1", n % 2))
    kept = panel.since(None)
    assert [one.at for one in kept] == list(range(92, 100))
    assert [one.at for one in panel.since(kept[4])] == [97, 98, 99]
    # What came after an entry that is kept no longer can't be told: all that is kept is.
    assert panel.since(Signal(3, "sim:cup-1", 1)) == kept


def test_verdicts_on_bells_are_kept_beside_what_they_gave() -> None:
    panel = WatchedPanel(BellGroup([("a", "a", "sim:a"), ("b", "b", "sim:b")]).detectors)
    for ms in range(0, 400, 10):
        panel.feed(Signal(ms * MS, "sim:a", 400 - ms // 2))
    panel.advance("sim", SECOND)
    (verdict,) = [one for one in panel.since(None) if isinstance(one, Verdict)]
    assert (verdict.sensor, verdict.kind, verdict.peak, verdict.kept) == ("a", "ring", 400, 350)
    panel.advance("sim", 2 * SECOND)
    assert [one.kind for one in panel.since(None) if isinstance(one, Verdict)] == ["ring"]


def test_it_can_be_looked_at_while_it_works() -> None:
    panel = WatchedPanel(switches(), most=64)
    panel.begin({"sim:cup-1": 0, "sim:cup-2": 0}, 0)
    done = threading.Event()

    def work() -> None:
        for n in range(20_000):
            panel.feed(Signal(n, "sim:cup-1", n % 2))
        done.set()

    worker = threading.Thread(target=work)
    worker.start()
    times: list[int] = []
    last = None
    while not done.is_set():
        fresh = panel.since(last)
        last = fresh[-1] if fresh else last
        times += [one.at for one in fresh]
    worker.join()
    assert times
    assert all(one < other for one, other in pairwise(times))


def test_one_that_records_too_does_both(tmp_path: Path) -> None:
    path = tmp_path / "trace"
    writer = TraceWriter(path, "boot")
    panel = WatchedRecordingPanel(switches(), writer)
    panel.begin({"sim:cup-1": 0, "sim:cup-2": 0}, 0)
    (seen,) = press(panel, SECOND)
    writer.close()
    assert panel.since(None) == [Signal(SECOND, "sim:cup-1", 1), seen]
    with TraceReader(path) as reader:
        assert Signal(SECOND, "sim:cup-1", 1) in list(reader)
