"""`tablemarker record` as a program: files of bounded size, told when full or refused, and a replay of them."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.__main__ import cli
from tests.broker_kit import eventually
from tests.controller.commands.test_run import table_file


def record(*args: str | Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "controller", "record", *map(str, args)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize(("more", "name"), [([], "game.jsonl"), (["--keep", "3"], "game-000001.jsonl")])
def test_it_records_until_stopped_and_its_files_replay(tmp_path: Path, more: list[str], name: str) -> None:
    table = table_file(tmp_path)
    with record(table, "-o", tmp_path / "game.jsonl", "--size", "1", *more) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("Recording to ")
        process.send_signal(signal.SIGTERM)
        assert process.communicate(timeout=60) == ("", "")
        assert process.returncode == 0
    assert [path.name for path in tmp_path.glob("game*")] == [name]
    result = CliRunner().invoke(cli, ["replay", str(table), str(tmp_path / name)])
    assert (result.exit_code, result.stderr) == (0, "")


def test_what_was_recorded_before_it_was_killed_replays(tmp_path: Path) -> None:
    table, trace = table_file(tmp_path), tmp_path / "game-000001.jsonl"
    with record(table, "-o", tmp_path / "game.jsonl", "--keep", "2") as process:
        eventually(lambda: trace.exists() and trace.read_bytes().count(b"\n") > 1, "a line of the recording")
        process.kill()
    result = CliRunner().invoke(cli, ["replay", str(table), str(trace)])
    assert result.exit_code == 0
    assert '"kind": "end"' in result.stdout


def test_one_file_ends_it_when_it_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.recorder.MEGABYTE", 50)  # its first line alone has more bytes
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    result = CliRunner().invoke(cli, ["record", str(table_file(tmp_path)), "-o", str(tmp_path / "game.jsonl"), "--size", "1"])
    assert result.exit_code == 0
    assert (tmp_path / "game.jsonl").stat().st_size > 50


def test_a_trace_that_can_not_be_written_ends_it_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    (tmp_path / "game.jsonl").write_text("mine")
    result = CliRunner().invoke(cli, ["record", str(table_file(tmp_path)), "-o", str(tmp_path / "game.jsonl")])
    assert result.exit_code == 1
    assert result.stderr == f"{tmp_path}/game.jsonl: is there already, and a trace is never written over; take another name\n"
    gone = CliRunner().invoke(cli, ["record", str(table_file(tmp_path)), "-o", str(tmp_path / "none" / "t.jsonl"), "--keep", "2"])
    assert gone.exit_code == 1
    assert "none: can't be read: No such file" in gone.stderr


def test_a_power_cut_in_the_recording_is_told_beside_the_replay(tmp_path: Path) -> None:
    trace = tmp_path / "t.jsonl"
    trace.write_text('{"trace":1,"boot":"b","levels":{"sim:cup-1":1},"at":0}\n{"feed":"sim:cup-1","va')
    result = CliRunner().invoke(cli, ["replay", str(table_file(tmp_path)), str(trace)])
    assert result.exit_code == 0
    assert result.stderr == f"{trace}:2: the line is cut off, as by a power cut; what came before it was played\n"
    assert '"kind": "end"' in result.stdout


def test_an_input_that_can_not_be_opened_is_named_with_the_table_file_and_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    table, trace = tmp_path / "table.toml", tmp_path / "game.jsonl"
    head = '[table]\nid = "t"\ngame = "bagatelle"\n\n[gpio]\nchip = "no such chip"\n\n'
    table.write_text(head + '[[sensor]]\nrole = "cup-1"\nkind = "switch"\nsource = "gpio:17"\n')
    result = CliRunner().invoke(cli, ["record", str(table), "-o", str(trace)])
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"{table}: gpiod: ")
    assert not trace.exists()
