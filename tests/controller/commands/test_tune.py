"""`tablemarker tune` as people use it: recordings in, lines for the table file out."""

from __future__ import annotations

import random
import signal
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.__main__ import cli
from controller.simulation.bounce import Contact
from controller.tablefile import load_table
from controller.tables.roles import roles_of
from hardware.signals import MS, Signal
from hardware.sources.trace_file import TraceWriter
from tests.controller.tuning.test_bells import NAMES, Table
from tests.controller.tuning.test_contacts import pressed
from tests.played_kit import Played

HEAD = '[table]\nid = "t"\ngame = "fortification"\n'


def tune(*args: str | Path) -> Result:
    return CliRunner().invoke(cli, ["tune", *map(str, args)])


def recorded(path: Path, channels: list[str], signals: list[Signal]) -> Path:
    with TraceWriter(path, "boot") as writer:
        writer.begin(dict.fromkeys(channels, 0), 0)
        for one in signals:
            writer.feed(one)
            writer.advance("sim", one.at)
    return path


def table_file(folder: Path, bells: tuple[str, ...], more: str = "") -> Path:
    path = folder / "my-table.toml"
    items = "".join(f'[[sensor]]\nkind = "bell"\nrole = "{role}"\nsource = "sim"\n{more}' for role in bells)
    path.write_text(f"{HEAD}{items}")
    return path


def test_what_it_prints_can_be_pasted(tmp_path: Path) -> None:
    roles = [name for name, role in roles_of("fortification").items() if "bell" in role.kinds][:4]
    channels = [f"sim:{role}" for role in roles]
    names = dict(zip([f"sim:{name}" for name in NAMES], channels, strict=True))
    table = table_file(tmp_path, tuple(roles), "weakest = 900\n")
    options: list[str | Path] = []
    for which, role in enumerate(roles):
        signals = [one._replace(channel=names[one.channel]) for one in Table(0).rung(which).signals]
        options += ["--ring", f"{role}={recorded(tmp_path / f'{role}.jsonl', channels, signals)}"]
    knocks = [one._replace(channel=names[one.channel]) for one in Table(0).knocks().signals]
    result = tune(table, *options, "--knock", recorded(tmp_path / "knocks.jsonl", channels, knocks))
    assert (result.exit_code, result.stderr) == (0, "")
    assert f"# {roles[0]}: 3 rings in {roles[0]}.jsonl" in result.stdout
    lines = result.stdout[result.stdout.index("# in the [[sensor]]") :]
    again = load_table(table_file(tmp_path, tuple(roles), lines))
    assert {sensor.weakest for sensor in again.sensors if sensor.kind == "bell"} != {900}


SWITCH = '[table]\nid = "t"\ngame = "bagatelle"\n[[sensor]]\nkind = "switch"\nrole = "cup-1"\nsource = "sim"\nactive = "high"\n'


def bouncing(folder: Path, settle: str) -> tuple[Path, Path]:
    """A table file with one switch, and a recording of a bad one that is pressed."""
    folder.mkdir(exist_ok=True)
    table = folder / "my-table.toml"
    table.write_text(f"{SWITCH}{settle}\n")
    signals = [Signal(at, "sim:cup-1", level) for at, level in pressed(random.Random(1), Contact(60.0), 5)]
    return table, recorded(folder / "presses.jsonl", ["sim:cup-1"], signals)


def test_presses_of_a_switch(tmp_path: Path) -> None:
    table, trace = bouncing(tmp_path, 'settle = "0ms"')
    result = tune(table, "--press", f"cup-1={trace}")
    assert result.exit_code == 0
    assert "# cup-1: 5 presses in presses.jsonl; " in result.stdout
    (line,) = [line for line in result.stdout.splitlines() if not line.startswith("#")]
    table, trace = bouncing(tmp_path / "again", line)
    assert "what the table file has counts each once" in tune(table, "--press", f"cup-1={trace}").stdout


def test_what_it_says_of_a_bad_switch_is_quoted_in_the_page_as_it_is(tmp_path: Path) -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "detectors.md").read_text()
    table, trace = bouncing(tmp_path, 'settle = "5ms"')
    said = tune(table, "--press", f"cup-1={trace}").stdout
    assert "settle" in said
    assert "".join(f"    {line}\n" for line in said.splitlines()) in page


def test_what_no_setting_does_fails_in_one_line(tmp_path: Path) -> None:
    table, _ = bouncing(tmp_path, "")
    trace = recorded(tmp_path / "one.jsonl", ["sim:cup-1"], [Signal(10**9, "sim:cup-1", 1)])
    result = tune(table, "--press", f"cup-1={trace}")
    assert result.exit_code == 1
    assert result.stderr == "cup-1 was pressed 1 times in one.jsonl: press it 3 times at least, five are better\n"


def test_it_asks_at_the_table_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody presses it at once, five times, and far too shortly."""
    table, _ = bouncing(tmp_path, "")
    presses = Played((30 * change, "sim:cup-1", change % 2) for change in range(1, 11))
    monkeypatch.setattr("controller.inputs.build_sources", lambda _: [presses])
    monkeypatch.setattr("controller.tuning.guide.REST", 10 * MS)
    monkeypatch.setattr("controller.tuning.guide.STILL", 100 * MS)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    result = tune(table, "--live", "cup-1")
    assert result.exit_code == 1
    asked, heard, trouble = result.stderr.splitlines()
    assert asked.startswith("Now press cup-1, 5 times.")
    assert heard == "cup-1: heard."
    assert "hold it for a second" in trouble


def test_mistakes_are_told(tmp_path: Path) -> None:
    table, trace = bouncing(tmp_path, "")
    assert "tablemarker record" in tune(table).stderr
    assert tune(table).exit_code == 2
    unknown = tune(table, "--press", f"cup-2={trace}")
    assert (unknown.exit_code, unknown.stderr) == (
        2,
        "'cup-2' is no switch or button of this table; did you mean 'cup-1'? Allowed: cup-1\n",
    )
    assert "it has none" in tune(table, "--ring", f"cup-1={trace}").stderr
    assert "SENSOR=TRACE is wanted" in tune(table, "--press", "cup-1").stderr
    none = tmp_path / "none.jsonl"
    missing = tune(table, "--press", f"cup-1={none}")
    assert missing.exit_code == 2
    assert missing.stderr == (
        f"{none}: there is no such recording. Stop the service, start `tablemarker record {table} -o {none}`, "
        "press cup-1 five times, and end it with Ctrl-C\n"
    )
    knocks = tune(table, "--press", f"cup-1={trace}", "--knock", none).stderr
    assert f"{none}: there is no such recording" in knocks
    assert "knock on the table and stamp beside it, and end it with Ctrl-C" in knocks
