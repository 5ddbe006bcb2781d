"""Golden traces: the same file through detectors, table and rules gives the same events and score, and what happened live."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.__main__ import cli
from controller.engine.snapshot import Happening, Snapshot
from controller.fitting.detectors import build_detectors
from controller.resources import resource
from controller.rules.registry import GAME_NAMES
from controller.simulation.stage import Stage, simulated_table
from hardware.recording import RecordingPanel
from hardware.signals import SECOND
from hardware.sources.trace_file import TraceWriter

TRACES = Path(__file__).parents[1] / "traces"
TABLE = '[table]\nid = "golden"\ngame = "bagatelle"\n'


@pytest.fixture
def table_file(tmp_path: Path) -> Path:
    """The shipped bagatelle table with simulated inputs."""
    return simulated_file("bagatelle", tmp_path)


def simulated_file(game: str, folder: Path) -> Path:
    """The shipped table of a game with simulated inputs."""
    text = resource("config", f"{game}.toml").read_text()
    lines = []
    for line in text.splitlines():
        key = line.partition("=")[0].strip()
        if key == "source":
            lines.append('source = ["sim", "sim"]' if "[" in line.partition("#")[0] else 'source = "sim"')
        else:
            lines.append(line)
    path = folder / "table.toml"
    path.write_text("\n".join(lines))
    return path


def replayed(table_file: Path, trace: Path) -> str:
    result = CliRunner().invoke(cli, ["replay", str(table_file), str(trace)])
    assert result.exit_code == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize("trace", sorted(TRACES.glob("*.jsonl.gz")), ids=lambda path: path.name)
def test_a_golden_trace_gives_its_golden_events(tmp_path: Path, trace: Path) -> None:
    table_file = simulated_file(trace.name.partition("-")[0], tmp_path)
    golden = trace.with_name(trace.name.replace(".jsonl.gz", ".golden.jsonl")).read_text()
    assert replayed(table_file, trace) == golden
    assert replayed(table_file, trace) == golden


class Audience:
    """Keeps what a table tells."""

    def __init__(self) -> None:
        self.told: list[dict[str, object]] = []

    def offer(self, snapshot: Snapshot, happenings: tuple[Happening, ...]) -> None:  # noqa: ARG002 - a publisher's signature
        self.told += [{"kind": one.kind, "event": one.event, **one.ruling} for one in happenings]


@pytest.mark.parametrize("game", GAME_NAMES)
def test_a_replay_tells_what_was_told_live(game: str, tmp_path: Path) -> None:
    trace, table, audience = tmp_path / "game.jsonl.gz", simulated_table(game), Audience()
    with TraceWriter(trace, "simulated") as writer:
        stage = Stage(table, 11, publishers=[audience], panel=RecordingPanel(build_detectors(table), writer))
        stage.evening.answers = False
        stage.open()
        stage.play_until(stage.now + 120 * SECOND)
    told = [json.loads(line) for line in replayed(simulated_file(game, tmp_path), trace).splitlines()]
    assert len(audience.told) > 10
    assert told[:-1] == json.loads(json.dumps(audience.told))
    assert stage.shown is not None
    assert told[-1]["sides"] == {side.id: {"score": side.score, "pending": side.pending} for side in stage.shown.sides}


@pytest.mark.parametrize(
    ("text", "says"),
    [("nonsense\n", "not JSON"), ('{"trace": 1}\n', "trace.jsonl:1: "), ("", "trace.jsonl: is empty")],
)
def test_a_file_that_is_no_trace_is_named_with_its_line(table_file: Path, tmp_path: Path, text: str, says: str) -> None:
    trace = tmp_path / "trace.jsonl"
    trace.write_text(text)
    result = CliRunner().invoke(cli, ["replay", str(table_file), str(trace)])
    assert result.exit_code == 2
    assert says in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_a_trace_that_was_cut_ends_in_one_line(table_file: Path, tmp_path: Path) -> None:
    whole = gzip.decompress((TRACES / "bagatelle-3.jsonl.gz").read_bytes())
    trace = tmp_path / "trace.jsonl"
    trace.write_bytes(whole[:5000])
    result = CliRunner().invoke(cli, ["replay", str(table_file), str(trace)])
    assert result.exit_code in (0, 2)
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("feed", "said"),
    [
        ({"feed": "sim:card", "value": 7}, "a number, where this input of the table file gives a line of text"),
        ({"feed": "sim:A-vie", "value": "7"}, "a line of text, where this input of the table file gives a number"),
    ],
)
def test_a_value_that_its_input_never_gives_is_told_and_left_out(feed: dict[str, object], said: str, tmp_path: Path) -> None:
    table, whole, damaged = simulated_file("maw", tmp_path), TRACES / "maw-6.jsonl.gz", tmp_path / "damaged.jsonl"
    header, *lines = gzip.decompress(whole.read_bytes()).decode().splitlines()
    at = json.loads(header)["at"]
    damaged.write_text("\n".join([header, json.dumps({**feed, "at": at}), *lines]) + "\n")
    result = CliRunner().invoke(cli, ["replay", str(table), str(damaged)])
    assert f"{feed['feed']} at {at}: {said}" in result.stderr
    assert result.exit_code == 1
    assert result.stdout == replayed(table, whole)
