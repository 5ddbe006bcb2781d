"""A ring of traces: bounded files, the oldest dropped, each one a trace by itself, nothing lost between them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.detectors.detector import Detector
from hardware.detectors.switch import SwitchDetector
from hardware.panel import Panel
from hardware.recording import RecordingPanel, replay
from hardware.signals import MS, SECOND, Signal
from hardware.sources import trace_ring
from hardware.sources.trace_chain import TraceChain
from hardware.sources.trace_file import Act, Advance, Begin, Entry, TraceError, TraceReader
from hardware.sources.trace_ring import TraceRing

SMALL = 400
CHANNELS = ("gpio:17", "gpio:27", "lines:camera")


@pytest.fixture(autouse=True)
def _small_files_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace_ring, "SMALLEST", 1)


instants = st.integers(0, 1 << 40)
calls: st.SearchStrategy[Entry] = st.one_of(
    st.builds(Signal, instants, st.sampled_from(CHANNELS[:2]), st.integers(0, 1)),
    st.builds(Signal, instants, st.just(CHANNELS[2]), st.text("xy", max_size=40)),
    st.builds(Advance, st.sampled_from(["gpio", "lines:camera"]), instants),
    st.builds(Begin, st.dictionaries(st.sampled_from(CHANNELS[:2]), st.integers(0, 1)), instants),
    st.builds(Act, st.dictionaries(st.text("xy", max_size=40), st.integers(0, 9), max_size=2), instants),
)


def tell(ring: TraceRing, call: Entry) -> None:
    match call:
        case Signal():
            ring.feed(call)
        case Advance(source, at):
            ring.advance(source, at)
        case Begin(levels, at):
            ring.begin(levels, at)
        case Act(said, at):
            ring.act(said, at)


@given(st.lists(st.tuples(calls, st.booleans()), max_size=40), st.sampled_from(["jsonl", "jsonl.gz"]))
def test_its_files_together_are_what_was_told(
    tmp_path_factory: pytest.TempPathFactory, told: list[tuple[Entry, bool]], suffix: str
) -> None:
    folder = tmp_path_factory.mktemp("ring")
    ring = TraceRing(folder / f"t.{suffix}", "boot", size=SMALL, keep=99)
    ring.begin(dict.fromkeys(CHANNELS, 0), 0)
    for call, rests in told:
        tell(ring, call)
        if rests:
            ring.rest()
    ring.close()
    with TraceChain(reversed(ring.files)) as chain:
        assert (chain.gaps, chain.cut) == ([], [])
        assert list(chain) == [call for call, _ in told]
    levels = dict.fromkeys(CHANNELS, 0)
    for path in ring.files:
        with TraceReader(path) as reader:
            inside = list(reader)
            found = inside[0].levels if inside and isinstance(inside[0], Begin) else {}
            assert reader.levels in (levels, levels | found)
        for entry in inside:
            if isinstance(entry, Signal) and isinstance(entry.value, int):
                levels[entry.channel] = entry.value
            elif isinstance(entry, Begin):
                levels |= entry.levels
        if suffix == "jsonl":
            assert path.stat().st_size <= SMALL


def test_the_oldest_are_dropped_and_the_numbers_go_on(tmp_path: Path) -> None:
    other = tmp_path / "t-notes.jsonl"
    other.write_text("mine")
    for boot in ("one", "two"):
        ring = TraceRing(tmp_path / "t.jsonl", boot, size=SMALL, keep=3)
        ring.begin({"gpio:17": 0}, 0)
        for n in range(40):
            ring.feed(Signal(n * SECOND, "gpio:17", n % 2))
        ring.close()
        assert len(ring.files) == 3
    numbers = [int(path.stem.rpartition("-")[2]) for path in ring.files]
    assert numbers == [numbers[-1] - 2, numbers[-1] - 1, numbers[-1]]
    assert numbers[-1] > 10
    assert other.read_text() == "mine"
    with TraceReader(ring.files[-1]) as reader:
        assert reader.boot == "two"


def detectors() -> list[Detector]:
    return [SwitchDetector(f"cup-{n}", f"cup-{n}", f"gpio:{n}", 0, settle_on=150 * MS, settle_off=150 * MS) for n in (1, 2)]


def test_a_file_ends_where_nothing_is_cut_in_two_so_the_newest_alone_gives_what_was_seen(tmp_path: Path) -> None:
    """A ball drops in every two seconds and bounces for 60 ms, and the source says each 50 ms how far it has come."""
    ring = TraceRing(tmp_path / "t.jsonl", "boot", size=4_000, keep=4)
    panel = RecordingPanel(detectors(), ring)
    panel.begin({"gpio:1": 1, "gpio:2": 1}, 0)
    live = []
    for tick in range(0, 60_000, 50):
        ball, into = divmod(tick, 2_000)
        if into == 0:
            for bounce in range(7):
                at = (tick + 10 * bounce) * MS
                live += panel.feed(Signal(at, f"gpio:{1 + ball % 2}", (ball // 2 + bounce) % 2))
        live += panel.advance("gpio", (tick + 50) * MS)
    ring.close()
    assert len(ring.files) == 4
    for path in ring.files:
        with TraceReader(path) as reader:
            start, seen = reader.at, list(replay(reader, Panel(detectors())))
        changes = [one for one in seen if one.at > start]
        assert changes
        assert changes == [one for one in live if one.at > start][: len(changes)]
    assert changes[-1] == live[-1]


def test_files_that_do_not_follow_one_another_are_told(tmp_path: Path) -> None:
    for boot in ("one", "one", "two"):
        ring = TraceRing(tmp_path / "t.jsonl", boot, size=SMALL, keep=99)
        ring.begin({"gpio:17": 0}, 0)
        for n in range(20):
            ring.feed(Signal(n, "gpio:17", n % 2))
        ring.close()
    files = ring.files
    with TraceChain([files[0], files[2]]) as chain:
        assert chain.gaps == [f"{files[0]} and {files[2]} don't follow one another: what happened between them is unknown"]
        assert any(isinstance(entry, Begin) for entry in chain)
    with pytest.raises(TraceError, match="after another start of the machine"):
        TraceChain([files[0], files[-1]])


def test_a_folder_that_is_gone_and_bounds_that_can_not_be_kept(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match="none: can't be read: No such file"):
        TraceRing(tmp_path / "none" / "t.jsonl", "b", size=SMALL, keep=2).begin({}, 0)
    with pytest.raises(ValueError, match="0 files of 400 bytes"):
        TraceRing(tmp_path / "t.jsonl", "b", size=SMALL, keep=0)


def test_each_file_begins_with_how_things_stood_then(tmp_path: Path) -> None:
    ring = TraceRing(tmp_path / "t.jsonl", "boot", size=SMALL, keep=99)
    ring.begin({"gpio:17": 0}, 0)
    standing: list[object] = [None]
    for n in range(4):
        ring.stand({"game": n})
        files = len(ring.files)
        while len(ring.files) == files:
            ring.advance("gpio", n)
        standing.append({"game": n})
    ring.close()
    with_levels = [TraceReader(path) for path in ring.files]
    assert [reader.standing for reader in with_levels] == standing
    for reader in with_levels:
        reader.close()
