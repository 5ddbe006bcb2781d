"""The page of faults says how one is reported: its commands are given as they stand there."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

from tests.controller.test_replay import TRACES, simulated_file

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "faults.md").read_text(encoding="utf-8")
RECORD, REPLAY, PACK = re.findall(r"^    (.+)$", PAGE.partition("### Reporting a fault")[2], re.MULTILINE)[:3]
PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


def run(command: str, folder: Path) -> None:
    subprocess.run(command, shell=True, cwd=folder, env={**os.environ, "PATH": PATH}, check=True, timeout=120)


def test_a_fault_is_reported_by_three_commands_and_seen_again_elsewhere(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    table = simulated_file("bagatelle", here)
    table.rename(here / "my-table.toml")
    command, *options = shlex.split(RECORD)
    with subprocess.Popen([Path(sys.executable).parent / command, *options], cwd=here, stderr=subprocess.PIPE) as recorder:
        assert recorder.stderr is not None
        assert recorder.stderr.readline().startswith(b"Recording to ")
        recorder.send_signal(signal.SIGINT)
        assert recorder.wait(60) == 0
    trace = here / "fault.jsonl.gz"
    assert trace.exists()
    trace.write_bytes((TRACES / "bagatelle-3.jsonl.gz").read_bytes())  # with a game in it
    run(REPLAY, here)
    run(PACK, here)
    run(f"tar -xzf {here / 'fault.tar.gz'}", there)
    told = (there / "fault.txt").read_text()
    assert told == (TRACES / "bagatelle-3.golden.jsonl").read_text()
    run(REPLAY, there)
    assert (there / "fault.txt").read_text() == told
