"""The recorder of a running table: it never holds the table up, it outlives its disk, and what it kept replays as it was."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller import flight_recorder
from controller.__main__ import cli
from controller.fitting.detectors import build_detectors
from controller.flight_recorder import QUIET, FlightRecorder, recorder_of
from controller.service import Service
from controller.simulation.stage import Stage, simulated_table
from controller.tablefile import load_table
from controller.tablefile.model import Record
from hardware.recording import RecordingPanel
from hardware.signals import MS, SECOND, Signal
from hardware.sources import trace_ring
from hardware.sources.sim import SimSource
from hardware.sources.trace_chain import TraceChain
from hardware.sources.trace_file import Act, Advance, Begin, TraceError
from hardware.sources.trace_ring import TraceRing
from tests.broker_kit import eventually
from tests.controller.commands.test_run import table_file
from tests.controller.test_replay import simulated_file


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flight_recorder, "GATHER_SECONDS", 0.01)
    monkeypatch.setattr(flight_recorder, "AGAIN_SECONDS", 0.05)


class Said:
    """What the recorder has reported."""

    def __init__(self) -> None:
        self.all: list[str | None] = []

    def __call__(self, said: str | None) -> None:
        self.all.append(said)


def test_a_game_that_goes_over_several_files_replays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two minutes of a simulated bagatelle game; a file ends in its middle more than once."""
    monkeypatch.setattr(trace_ring, "SMALLEST", 1)
    table = simulated_table("bagatelle")
    ring = TraceRing(tmp_path / "game.jsonl", "simulated", size=20_000, keep=50)
    recorder = FlightRecorder(lambda: ring, Said())
    recorder.start()
    stage = Stage(table, 11, panel=RecordingPanel(build_detectors(table), recorder))
    stage.evening.answers = False
    stage.open()
    stage.play_until(stage.now + 120 * SECOND)
    recorder.stop()
    assert len(ring.files) > 2
    assert stage.engine.play is not None
    assert stage.shown is not None
    result = CliRunner().invoke(cli, ["replay", str(simulated_file("bagatelle", tmp_path)), *map(str, ring.files)])
    assert (result.exit_code, result.stderr) == (0, "")
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["event"] for line in told if line["kind"] == "event"] == [step.event for step in stage.engine.play.fold.steps]
    assert told[-1]["sides"] == {side.id: {"score": side.score, "pending": side.pending} for side in stage.shown.sides}
    newest = CliRunner().invoke(cli, ["replay", str(tmp_path / "table.toml"), str(ring.files[-1])])
    assert (newest.exit_code, newest.stderr) == (0, "")


@pytest.fixture
def said() -> Said:
    return Said()


@pytest.fixture
def recorder(tmp_path: Path, said: Said) -> Iterator[FlightRecorder]:
    one = recorder_of(Record.model_validate({"folder": "tapes", "size": 1, "keep": 2}), tmp_path, "long-room", "boot", said)
    one.start()
    yield one
    one.stop()


def kept(folder: Path) -> list[object]:
    with TraceChain(sorted(folder.glob("*.jsonl"))) as chain:
        return [Begin(chain.levels, chain.at), *chain]


def test_what_is_told_is_written_when_it_stops(tmp_path: Path, recorder: FlightRecorder, said: Said) -> None:
    recorder.begin({"gpio:17": 1}, 5)
    recorder.feed(Signal(7, "gpio:17", 0))
    recorder.advance("gpio", 9)
    recorder.stop()
    assert kept(tmp_path / "tapes") == [Begin({"gpio:17": 1}, 5), Signal(7, "gpio:17", 0), Advance("gpio", 9)]
    assert said.all == []


def test_what_people_do_stands_where_it_was_done_and_the_file_begins_with_the_game(
    tmp_path: Path, recorder: FlightRecorder, said: Said
) -> None:
    recorder.stand({"game": 1})
    recorder.begin({"gpio:17": 1}, 5)
    recorder.advance("gpio", 9)
    recorder.act({"do": "this"}, 8)
    recorder.stand({"game": 2})
    recorder.feed(Signal(10, "gpio:17", 0))
    recorder.stop()
    assert kept(tmp_path / "tapes") == [
        Begin({"gpio:17": 1}, 5),
        Advance("gpio", 9),
        Act({"do": "this"}, 8),
        Signal(10, "gpio:17", 0),
    ]
    with TraceChain((tmp_path / "tapes").glob("*.jsonl")) as chain:
        assert chain.standing == {"game": 1}
    assert said.all == []


def test_before_what_people_do_in_a_quiet_hour_the_held_marks_are_told(tmp_path: Path, recorder: FlightRecorder) -> None:
    recorder.begin({"gpio:17": 1}, 0)
    for second in range(1, 200):
        recorder.advance("gpio", second * SECOND)
    recorder.act({"do": "this"}, 199 * SECOND)
    recorder.stop()
    assert kept(tmp_path / "tapes")[-2:] == [Advance("gpio", 199 * SECOND), Act({"do": "this"}, 199 * SECOND)]


def test_a_quiet_hour_takes_a_line_a_minute(tmp_path: Path, recorder: FlightRecorder) -> None:
    recorder.begin({"gpio:17": 1}, 0)
    for second in range(1, 3601):
        recorder.advance("gpio", second * SECOND)
    recorder.feed(Signal(3601 * SECOND, "gpio:17", 0))
    recorder.stop()
    entries = kept(tmp_path / "tapes")
    marks = [entry.at for entry in entries if isinstance(entry, Advance)]
    assert marks[:60] == [second * SECOND for second in range(1, 61)]
    assert all(later - earlier >= QUIET for earlier, later in itertools.pairwise(marks[60:-1]))
    assert len(marks) < 130
    assert entries[-2:] == [Advance("gpio", 3600 * SECOND), Signal(3601 * SECOND, "gpio:17", 0)]


def test_a_disk_that_refuses_is_told_and_tried_again(tmp_path: Path, recorder: FlightRecorder, said: Said) -> None:
    blocked = tmp_path / "tapes"
    blocked.write_text("a file where the folder should be")
    recorder.begin({"gpio:17": 1}, 0)
    recorder.feed(Signal(1, "gpio:17", 0))
    recorder.stand({"game": 1})
    eventually(lambda: said.all, "a report")
    assert said.all == [f"not recorded: {blocked}: can't be made: File exists; set folder in [record] to another place"]
    blocked.unlink()
    at = 2

    def goes_on() -> bool:
        nonlocal at
        at += 1
        recorder.advance("gpio", at)
        return said.all[-1] is None

    eventually(goes_on, "the recording to go on")
    recorder.act({"do": "this"}, at)
    recorder.feed(Signal(at + 1, "gpio:17", 1))
    recorder.stop()
    begin, *rest = kept(blocked)
    assert isinstance(begin, Begin)
    assert begin.levels == {"gpio:17": 0}
    assert rest[-2:] == [Act({"do": "this"}, at), Signal(at + 1, "gpio:17", 1)]
    with TraceChain(blocked.glob("*.jsonl")) as chain:
        assert chain.standing == {"game": 1}


def test_a_disk_that_stalls_costs_the_recording_and_not_the_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(flight_recorder, "MOST_WAITING", 100)
    go_on, stalled = threading.Event(), threading.Event()

    class Stalling(TraceRing):
        def begin(self, levels: object, at: int) -> None:
            stalled.set()
            go_on.wait(20)
            super().begin(levels, at)  # type: ignore[arg-type]

    recorder = FlightRecorder(lambda: Stalling(tmp_path / "t.jsonl", "b", size=1_000_000, keep=3), Said())
    recorder.start()
    recorder.begin({"gpio:17": 0}, 0)
    assert stalled.wait(20)
    for n in range(1, 1_000):
        recorder.feed(Signal(n, "gpio:17", n % 2))
    assert len(recorder._items) == 100
    go_on.set()
    eventually(lambda: not recorder._items, "the recorder to catch up")
    recorder.feed(Signal(1_000, "gpio:17", 0))
    recorder.stop()
    with TraceChain(sorted(tmp_path.glob("*.jsonl"))) as chain:
        assert len(chain.gaps) == 1
        seen = list(chain)
    assert [one for one in seen if isinstance(one, Begin)] == [Begin({"gpio:17": 1}, 1_000)]
    assert seen[-1] == Signal(1_000, "gpio:17", 0)
    assert len(seen) == 102


def test_a_service_records_when_its_table_file_says_so(tmp_path: Path) -> None:
    path = table_file(tmp_path, more='[record]\nfolder = "tapes"\n[[sensor]]\nrole = "cup-1"\nkind = "switch"\nsource = "sim"\n')
    service = Service(load_table(path), tmp_path)
    service.start()
    assert service.loop is not None
    (sim,) = service.loop.sources
    assert isinstance(sim, SimSource)
    sim.set("sim:cup-1", 0)
    service.stop()
    (trace,) = (tmp_path / "tapes").iterdir()
    assert trace.name == "long-room-000001.jsonl"
    assert any(isinstance(entry, Signal) and entry.value == 0 for entry in kept(tmp_path / "tapes"))


def test_a_service_whose_recording_is_refused_goes_on_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "tapes").write_text("")
    service = Service(load_table(table_file(tmp_path, more='[record]\nfolder = "tapes"\n')), tmp_path)
    service.start()
    assert service.loop is not None
    engine = service.loop.engine
    eventually(lambda: "recorder" in engine.faults, "the fault on the screens")
    assert "set folder in [record]" in engine.faults["recorder"]
    assert service.loop.alive
    service.stop()


def test_the_levels_of_a_begin_are_those_of_that_moment(recorder: FlightRecorder, tmp_path: Path) -> None:
    levels = {"gpio:17": 1}
    recorder.begin(levels, 0)
    levels["gpio:17"] = 0
    recorder.feed(Signal(MS, "gpio:17", 0))
    recorder.stop()
    assert kept(tmp_path / "tapes")[0] == Begin({"gpio:17": 1}, 0)


def test_a_break_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match="can't be read"):
        TraceRing(tmp_path / "none" / "t.jsonl", "b", size=1_000_000, keep=3).begin({}, 0)
