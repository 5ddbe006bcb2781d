"""Inputs that move by themselves are named, with what to do; those that are still are well."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from controller.__main__ import cli
from controller.doctor.idle import Idle
from controller.engine.journal import Journal
from hardware.health import SourceHealth
from hardware.panel import Panel
from hardware.signals import Signal
from tests.controller.commands.test_run import table_file
from tests.table_kit import table_of

TABLE = """
[table]
id = "t"
game = "fortification"
[[lines]]
name = "gauge"
pipe = "gauge"
[[sensor]]
kind = "switch"
role = "flag-s1"
source = "sim"
[[sensor]]
kind = "bell"
role = "french-grand"
source = "sim"
"""


def told(channel: str, count: int) -> list[Signal]:
    return [Signal(n, channel, n % 2) for n in range(count)]


def test_an_input_that_chatters_is_told_with_its_remedy() -> None:
    idle = Idle(table_of(TABLE))
    idle.see(told("sim:flag-s1", 9), [], 0)
    idle.see(told("sim:french-grand", 5), [], 0)
    idle.see(told("sim:nobody", 5), [], 0)
    flag, bell = idle.findings(10)
    assert flag.state == bell.state == "FAULT"
    assert flag.sentence.startswith("flag-s1 (sim:flag-s1) changed 9 times in 10 s with nobody there: this looks like wiring")
    assert "raise its threshold" in bell.sentence
    assert not idle.end()


def test_one_touch_is_no_chatter_and_a_source_that_is_away_is_told() -> None:
    idle = Idle(table_of(TABLE))
    idle.see(told("sim:flag-s1", 2), [], 0)
    idle.draw(Panel([]), (SourceHealth("sim", up=True),), 0)
    assert [one.state for one in idle.findings(10)] == ["well"]
    idle.draw(Panel([]), (SourceHealth("board:left", up=False, faults=("plug it in",)),), 0)
    assert [one.sentence for one in idle.findings(10)] == ["board:left is away", "plug it in"]


def test_the_doctor_listens_when_asked_and_not_beside_a_table_that_runs(tmp_path: Path) -> None:
    path = table_file(tmp_path)
    result = CliRunner().invoke(cli, ["doctor", str(path), "--listen", "0.2"])
    assert "well   idle           no input moved by itself in 0.2 s" in result.stdout
    journal = Journal(tmp_path / "long-room.sqlite3")
    result = CliRunner().invoke(cli, ["doctor", str(path), "--listen", "0.2"])
    assert "-      idle           the tablemarker that runs has the inputs" in result.stdout
    journal.close()
    assert "idle" not in CliRunner().invoke(cli, ["doctor", str(path)]).stdout
