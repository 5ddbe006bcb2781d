"""Traces: what is written is read back call by call, a replay equals what happened, and a bad file says where it is bad."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.health import SourceHealth
from hardware.signals import MS, SECOND, Signal
from hardware.sources.source import Emit, Source, SourceError
from hardware.sources.trace import TraceSource
from hardware.sources.trace_file import Act, Advance, Begin, Entry, TraceError, TraceReader, TraceWriter
from tests.hardware.sources.benches import SimBench
from tests.source_contract import CONTRACT, Check, Ear

HEADER = '{"trace":1,"boot":"b","levels":{"gpio:17":1,"gpio:27":0,"board:left/1":0},"at":1000}'


class RecordedThenPlayed(Source):
    """A `sim` source is recorded, and a trace source plays the record in step: what the trace says is all that is heard."""

    def __init__(self, inner: Source, folder: Path, now: int) -> None:
        self.name = inner.name
        self._inner = inner
        self._folder = folder
        self._now = now
        self._writer: TraceWriter | None = None
        self._trace: TraceSource | None = None
        self._lock = threading.Lock()

    def open(self, channels: Iterable[str], emit: Emit) -> dict[str, int]:
        levels = self._inner.open(list(channels), self._record)
        path = self._folder / f"{len(list(self._folder.iterdir()))}.jsonl"
        self._writer = TraceWriter(path, "boot")
        self._writer.begin(levels, self._now)
        self._writer.flush()
        self._trace = TraceSource(path, self.name)
        return self._trace.open(levels, emit)

    def watermark(self, now: int) -> int:
        mark = self._inner.watermark(now)
        with self._lock:
            if self._writer is not None:
                self._writer.advance(self.name, mark)
        return self.played().watermark(now)

    def reconcile(self, now: int) -> None:
        self._inner.reconcile(now)
        self.played().reconcile(now)

    def levels(self) -> dict[str, int]:
        return self.played().levels()

    def health(self) -> SourceHealth:
        return self.played().health()

    def close(self) -> None:
        self._inner.close()
        if self._trace is not None and self._writer is not None:
            self._writer.close()
            self._trace.close()
            self._writer = None

    def played(self) -> TraceSource:
        assert self._trace is not None, "opened before it is asked"
        health = self._inner.health()  # not under our lock: whoever emits holds the source's, and waits for ours
        with self._lock:
            if self._writer is not None:
                self._writer.health(health)
                self._writer.flush()
                self._trace.play()
        return self._trace

    def _record(self, signal: Signal) -> None:
        with self._lock:
            assert self._writer is not None, "only an open source emits"
            self._writer.feed(signal)


class TraceBench(SimBench):
    """The bench of a `sim` source, heard through a trace."""

    def __init__(self, folder: Path) -> None:
        super().__init__(driven=True)
        self._folder = folder
        self._recorded: RecordedThenPlayed | None = None

    def make(self) -> Source:
        self._recorded = RecordedThenPlayed(super().make(), self._folder, self.now())
        return self._recorded

    def let_pass(self, ns: int) -> None:
        super().let_pass(ns)
        if self._recorded is not None:
            self._recorded.played()


@pytest.mark.parametrize("check", CONTRACT, ids=lambda check: check.__name__)
def test_contract(check: Check, tmp_path: Path) -> None:
    check(TraceBench(tmp_path))


levels = st.dictionaries(st.sampled_from(["gpio:17", "gpio:27", "board:left/1"]), st.integers(0, 1))
times = st.integers(0, 1 << 62)
entries: st.SearchStrategy[Entry] = st.one_of(
    st.builds(Begin, levels, times),
    st.builds(Signal, times, st.sampled_from(["gpio:17", "gpio:27"]), st.integers(0, 4095) | st.text(max_size=9)),
    st.builds(Advance, st.sampled_from(["gpio", "board:left"]), times),
    st.builds(Act, st.dictionaries(st.text(max_size=5), st.none() | st.text(max_size=5) | st.integers() | st.just([{}])), times),
    st.builds(
        SourceHealth,
        st.just("gpio"),
        st.booleans(),
        lost=st.integers(0, 99),
        muted=st.lists(st.just("gpio:17"), max_size=1).map(tuple),
        faults=st.lists(st.text(max_size=9), max_size=2).map(tuple),
    ),
)


@given(st.lists(entries, max_size=20), st.sampled_from(["jsonl", "jsonl.gz"]))
def test_what_is_written_is_read_back(tmp_path_factory: pytest.TempPathFactory, calls: list[Entry], suffix: str) -> None:
    path = tmp_path_factory.mktemp("trace") / f"t.{suffix}"
    opening = {"gpio:17": 1, "gpio:27": 0}
    with TraceWriter(path, "6e1f") as writer:
        writer.begin(opening, 7)
        for entry in calls:
            tell(writer, entry)
    with TraceReader(path) as reader:
        assert (reader.boot, reader.at, reader.levels) == ("6e1f", 7, opening)
        assert list(reader) == calls
    assert (path.read_bytes()[:2] == b"\x1f\x8b") == suffix.endswith("gz")


def tell(writer: TraceWriter, entry: Entry) -> None:
    match entry:
        case Signal():
            writer.feed(entry)
        case Advance(source, at):
            writer.advance(source, at)
        case Begin(found, at):
            writer.begin(found, at)
        case Act(said, at):
            writer.act(said, at)
        case SourceHealth():
            writer.health(entry)


def write(folder: Path, *lines: str) -> Path:
    path = folder / "table.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def fault(path: Path) -> str:
    with pytest.raises(TraceError) as error, TraceReader(path) as reader:
        list(reader)
    return str(error.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[1]", 'a line is an object, {"feed": …}'),
        ("nonsense", "this is not JSON"),
        ("", "this is not JSON"),
        ('{"at":1}', 'one of the keys "feed", "advance", "begin", "act" and "health"'),
        ('{"feed":"gpio:17","advance":"gpio","at":1}', "one of the keys"),
        (HEADER, "a line after the header"),
        ('{"feed":"gpio:17","value":1}', '"at" is missing: this line has feed, value, at'),
        ('{"feed":"gpio:17","value":1,"at":1,"wall":2}', 'unknown key "wall": this line has feed, value, at'),
        ('{"feed":"gpio:17","value":true,"at":1}', '"value" is a whole number from 0 on, below 2⁶³, or a line of text, not true'),
        ('{"feed":"gpio:17","value":1,"at":1.5}', '"at" is a whole number from 0 on, below 2⁶³, not 1.5'),
        ('{"feed":"gpio:17","value":null,"at":1}', "or a line of text, not null"),
        (f'{{"feed":"gpio:17","value":"{"x" * 8193}","at":1}}', "a line of text has at most 8192 characters, this one has 8193"),
        ('{"feed":"gpio:17","value":"\\ud800","at":1}', "half of a surrogate pair"),
        ('{"advance":"gpio","at":-1}', '"at" is a whole number from 0 on, below 2⁶³, not -1'),
        ('{"advance":"gpio","at":18446744073709551615}', '"at" is a whole number from 0 on, below 2⁶³, not 18446744073709551615'),
        ('{"advance":7,"at":1}', '"advance" is a text, not 7'),
        ('{"feed":"gpio:4","value":1,"at":1}', "gpio:4 is fed, but no level of it was found before"),
        ('{"begin":{"gpio:17":"x"},"at":1}', 'the level of gpio:17 is a whole number, not "x"'),
        ('{"begin":[],"at":1}', '"begin" is an object of channels and levels, not []'),
        (
            '{"health":"gpio","up":true,"lost":0,"recovered":0,"late":0,"blind":0,"muted":[1],"faults":[]}',
            '"muted" is a list of texts, not [1]',
        ),
        ("[" * 100_000, "this is not JSON"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = write(tmp_path, HEADER, '{"advance":"gpio","at":1}', line)
    assert fault(path).startswith(f"{path}:3: ")
    assert message in fault(path)


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ('{"advance":"gpio","at":1}', "a trace begins with its header"),
        ('{"trace":2,"sheep":1}', "this is version 2 of the format, and version 1 is what can be read here"),
        ('{"trace":1,"boot":"b","at":0}', '"levels" is missing'),
        ('{"trace":1,"boot":"b","levels":{},"at":0,"part":0}', '"part" is a whole number from 1 on, not 0'),
        ('{"trace":1,"boot":"b","levels":{},"at":0,"standing":[]}', '"standing" is an object, not []'),
    ],
)
def test_a_bad_header_is_named(tmp_path: Path, header: str, message: str) -> None:
    path = write(tmp_path, header)
    assert fault(path).startswith(f"{path}:1: ")
    assert message in fault(path)


@pytest.mark.parametrize("standing", [None, {}, {"command": "start_game", "options": {"target": 31}}])
def test_a_header_tells_how_things_stood(tmp_path: Path, standing: dict[str, object] | None) -> None:
    with TraceWriter(tmp_path / "t.jsonl", "boot") as writer:
        if standing is not None:
            writer.stand(standing)
        writer.begin({}, 7)
        writer.stand({"too": "late"})
        writer.begin({}, 8)
    with TraceReader(tmp_path / "t.jsonl") as reader:
        assert reader.standing == standing
        assert list(reader) == [Begin({}, 8)]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"act":[],"at":1}', '"act" is an object, not []'),
        ('{"act":{"do":1}}', '"at" is missing: this line has act, at'),
        ('{"act":{},"at":1,"who":"Ann"}', 'unknown key "who": this line has act, at'),
    ],
)
def test_an_act_that_can_not_be_read_says_so_and_nothing_else_is_lost(tmp_path: Path, line: str, says: str) -> None:
    path = write(tmp_path, HEADER, line, '{"advance":"gpio","at":1}')
    with TraceReader(path) as reader:
        bad, good = list(reader)
    assert bad == Act({}, 0, fault=says)
    assert isinstance(bad, Act)
    assert bad.place == f"{path}:2"
    assert good == Advance("gpio", 1)


def test_files_that_are_no_traces(tmp_path: Path) -> None:
    assert "can't be read: No such file" in fault(tmp_path / "none")
    assert "can't be read: Is a directory" in fault(tmp_path)
    assert "is empty" in fault(write(tmp_path))
    noise = tmp_path / "noise"
    noise.write_bytes(b"\xff\xfe\x00\n")
    assert fault(noise) == f"{noise}:1: this is not JSON"


@given(st.lists(entries, max_size=8), st.data())
def test_a_power_cut_leaves_whole_lines(
    tmp_path_factory: pytest.TempPathFactory, calls: list[Entry], data: st.DataObject
) -> None:
    """Wherever the file is cut behind its header, what can be read is the beginning of what was written."""
    path = tmp_path_factory.mktemp("trace") / "t.jsonl"
    with TraceWriter(path, "6e1f") as writer:
        writer.begin({"gpio:17": 1, "gpio:27": 0}, 7)
        header = writer.size
        for entry in calls:
            tell(writer, entry)
    whole = path.read_bytes()
    end = data.draw(st.integers(header, len(whole)))
    path.write_bytes(whole[:end] + data.draw(st.sampled_from([b"", bytes(100)])))
    with TraceReader(path) as reader:
        seen = list(reader)
        assert seen == calls[: len(seen)]
        assert whole[:end].count(b"\n") == len(seen) + 1
        assert (reader.cut is None) == path.read_bytes().endswith(b"\n")
        if reader.cut:
            assert reader.cut == f"{path}:{len(seen) + 2}: the line is cut off, as by a power cut"


def test_a_line_that_is_still_being_written_is_read_when_it_is_whole(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER)
    with TraceReader(path) as reader, path.open("a") as more:
        for piece in ('{"feed":"gp', 'io:17","value":0,"at":2000'):
            more.write(piece)
            more.flush()
            assert reader.read() is None
        more.write('}\n{"adv')
        more.flush()
        assert list(reader) == [Signal(2000, "gpio:17", 0)]


def test_a_header_that_is_cut_off_is_no_trace(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(HEADER[:20])
    assert fault(path) == f"{path}:1: the line is cut off, as by a power cut, so it is no trace"


def test_a_zipped_trace_that_is_cut_or_damaged(tmp_path: Path) -> None:
    path = tmp_path / "t.gz"
    whole = gzip.compress((HEADER + "\n" + '{"advance":"gpio","at":1}\n' * 10_000).encode())
    path.write_bytes(whole[: len(whole) // 2])
    with TraceReader(path) as reader:
        assert len(list(reader)) > 1_000
        assert reader.cut == f"{path}: the file is cut off, as by a power cut"
    path.write_bytes(whole[:20] + b"\xff\xff\xff\xff" + whole[24:])
    assert "the file is damaged here" in fault(path)


def test_a_packed_trace_that_was_synced_can_be_read_although_it_has_no_end(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl.gz"
    writer = TraceWriter(path, "b")
    writer.begin({"gpio:17": 1}, 0)
    writer.feed(Signal(5, "gpio:17", 0))
    writer.sync()
    with TraceReader(path) as reader:
        assert list(reader) == [Signal(5, "gpio:17", 0)]
    writer.close()


def test_a_trace_is_never_written_over(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER)
    with pytest.raises(TraceError, match="is there already"):
        TraceWriter(path, "b")
    with pytest.raises(TraceError, match="can't be written: No such file"):
        TraceWriter(tmp_path / "none" / "t.jsonl", "b")


def test_a_full_disk_is_told(tmp_path: Path) -> None:
    writer = TraceWriter(tmp_path / "t.jsonl", "b")
    writer._file.close()
    writer._file = Path("/dev/full").open("wb")  # noqa: SIM115 - closed by the writer
    writer.begin({"gpio:17": 1}, 0)
    for act in (writer.sync, writer.close):
        with pytest.raises(TraceError, match=r"t\.jsonl: can't be written: No space left"):
            act()
    writer.close()


def test_play_goes_as_far_as_it_is_told(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        HEADER,
        '{"feed":"gpio:17","value":0,"at":2000}',
        '{"feed":"board:left/1","value":1,"at":2500}',
        '{"advance":"gpio","at":3000}',
        '{"advance":"board:left","at":9000}',
        '{"begin":{"gpio:17":1,"board:left/1":0},"at":3500}',
        '{"feed":"gpio:27","value":1,"at":4000}',
        '{"health":"gpio","up":true,"lost":3,"recovered":0,"late":0,"blind":0,"muted":[],"faults":["a word"]}',
        '{"health":"board:left","up":false,"lost":0,"recovered":0,"late":0,"blind":0,"muted":[],"faults":[]}',
    )
    ear = Ear()
    source = TraceSource(path, "gpio")
    assert source.open(["gpio:17", "gpio:27"], ear.emit) == {"gpio:17": 1, "gpio:27": 0}
    source.play(1_999)
    assert (ear.signals, source.watermark(1 << 60)) == ([], 1_000)
    source.play(3_000)
    assert ear.signals == [Signal(2_000, "gpio:17", 0)]
    assert (source.watermark(1 << 60), source.watermark(2_000)) == (3_000, 2_000)
    assert source.levels() == {"gpio:17": 0, "gpio:27": 0}
    source.play()
    assert ear.signals[1:] == [Signal(3_500, "gpio:17", 1), Signal(4_000, "gpio:27", 1)]
    assert source.health() == SourceHealth("gpio", up=True, lost=3, faults=("a word",))
    source.close()
    assert not source.health().up
    with pytest.raises(SourceError, match="open the source before"):
        source.play()


def test_a_trace_of_other_sensors_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER)
    with pytest.raises(SourceError, match="holds nothing of gpio:4, board:left/1 from gpio"):
        TraceSource(path, "gpio").open(["gpio:4", "gpio:17", "board:left/1"], Ear().emit)
    with pytest.raises(SourceError, match="can't be read"):
        TraceSource(tmp_path / "none", "gpio").open([], Ear().emit)


def test_the_file_is_readable_by_people(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    with TraceWriter(path, "6e1f") as writer:
        writer.begin({"gpio:17": 1}, SECOND)
        writer.feed(Signal(SECOND + MS, "gpio:17", 0))
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[1] == '{"feed":"gpio:17","value":0,"at":1001000000}'
    assert list(json.loads(lines[0])) == ["trace", "boot", "levels", "at"]
