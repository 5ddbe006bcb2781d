"""`tablemarker sensors` as an installer runs it: what it prints, and how it ends."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.__main__ import cli
from controller.tablefile import load_table
from tests.played_kit import Played

LONG = "the-cup-in-the-far-left-corner-of-all"
TABLE = (
    '[table]\nid = "t"\ngame = "bagatelle"\n'
    f'[[sensor]]\nname = "{LONG}"\nkind = "switch"\nrole = "cup-1"\nsource = "sim"\nsettle = "1ms"\n'
    '[[sensor]]\nkind = "button"\nrole = "undo"\nsource = "sim"\n'
)
CUP, UNDO = f"sim:{LONG}", "sim:undo"
ONCE = [(100, CUP, 0), (200, CUP, 1), (300, UNDO, 0), (600, UNDO, 1)]
"""A ball into the cup and out of it, and a press."""


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    path = tmp_path / "table.toml"
    path.write_text(TABLE)
    return path


def sensors(table: Path, monkeypatch: pytest.MonkeyPatch, moves: list[tuple[int, str, int]], *args: str) -> Result:
    monkeypatch.setattr("controller.inputs.build_sources", lambda _: [Played(moves, resting=[CUP, UNDO])])
    return CliRunner().invoke(cli, ["sensors", str(table), *args])


def test_a_walk_in_which_all_pass_ends_by_itself_with_the_record(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = sensors(table, monkeypatch, ONCE, "--walk")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "Put a ball into each cup and take it out; roll one through the beams; press each button.",
        f"pass  {LONG}; 1 left",
        "pass  undo; 0 left",
        f"pass  {LONG}  cup-1",
        f"pass  undo{'':{len(LONG) - 4}}  undo",
    ]


def test_a_walk_with_an_input_that_nobody_saw_fails(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = sensors(table, monkeypatch, ONCE[:1], "--walk", "--seconds", "0.5")
    assert result.exit_code == 1
    assert result.stderr == "Some inputs have failed; see the record above.\n"
    cup, undo = result.stdout.splitlines()[-2:]
    assert cup.startswith(f"FAIL  {LONG}  cup-1  not seen: off. Look at its wire and its pin.")
    assert undo.startswith("FAIL  undo ")
    assert cup.index("cup-1") == undo.rindex("undo")


def test_what_it_learns_is_the_sensors_of_a_table_file(table: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The wires are the other way round than the file says, and one input is on when it goes high."""
    moves = [(50, UNDO, 0), (500, UNDO, 1), (1000, CUP, 0)]
    result = sensors(table, monkeypatch, moves, "--learn")
    assert (result.exit_code, result.stderr) == (0, "")
    said, _, learned = result.stdout.partition("\n\n")
    assert said.splitlines() == [
        "Now: cup-1. Drop a ball there, or press it.",
        "cup-1 is sim:undo.",
        "Now: undo. Drop a ball there, or press it.",
        f"undo is {CUP}.",
        "All inputs are known.",
    ]
    again = tmp_path / "again.toml"
    again.write_text('[table]\nid = "t"\ngame = "bagatelle"\n' + learned.replace("sim:undo", "gpio:17").replace(CUP, "gpio:27"))
    assert [(one.role, one.channels) for one in load_table(again).sensors] == [("cup-1", ("gpio:17",)), ("undo", ("gpio:27",))]


def test_learning_that_is_stopped_prints_what_is_known(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = sensors(table, monkeypatch, [], "--learn", "--seconds", "0.2")
    assert result.exit_code == 1
    assert result.stderr == "Stopped before every role had its input: above is what is known.\n"
    assert "[[sensor]]" not in result.stdout


def test_columns_stand_below_one_another_whatever_the_names(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = sensors(table, monkeypatch, [], "--seconds", "0.1")
    assert result.exit_code == 0
    head, cup, undo = result.stdout.splitlines()[:3]
    for title, cells in (("source", (CUP, UNDO)), ("health", ("well", "well"))):
        assert [cup.index(f"  {cells[0]}"), undo.index(f"  {cells[1]}")] == [head.index(f"  {title}")] * 2


def test_a_table_file_that_is_wrong_is_told_in_its_own_words(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["sensors", str(tmp_path / "none.toml")])
    assert result.exit_code == 2
    assert "none.toml" in result.stderr
