"""`tablemarker sensors` as an installer runs it: what it prints, and how it ends."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.__main__ import cli
from controller.tablefile import load_table
from tests.played_kit import Played

ROOT = Path(__file__).resolve().parents[3]
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
    assert result.exit_code == 0
    assert " ".join(result.stderr.split()) == (
        "In any order: bring each switch on and off again, with a ball or a flag; press each button, and hold "
        f"down those that want it. pass {LONG}; 1 left pass undo; 0 left"
    )
    title, *rows = result.stdout.splitlines()
    assert title.startswith("Walk round t, 20")
    assert rows == [f"pass  {LONG} (cup-1)  {CUP}", f"pass  undo{'':{len(LONG) + 4}}  {UNDO}", "2 of 2 pass"]


def test_a_walk_with_an_input_that_nobody_saw_fails(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = sensors(table, monkeypatch, ONCE[:1], "--walk", "--seconds", "0.5")
    assert result.exit_code == 1
    assert result.stderr.endswith("\nSome inputs have failed; see the record above.\n")
    cup, undo, _, count = result.stdout.splitlines()[1:]
    assert cup == f"FAIL  {LONG} (cup-1)  {CUP}  not seen: off"
    assert undo.startswith("FAIL  undo ")
    assert undo.index("not seen: press") == cup.index("not seen: off")
    assert count == "0 of 2 pass, 2 FAIL"


def test_what_it_learns_is_the_sensors_of_a_table_file(table: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The wires are the other way round than the file says; a press is short, a ball stays."""
    moves = [(50, UNDO, 0), (200, UNDO, 1), (1000, CUP, 0)]
    result = sensors(table, monkeypatch, moves, "--learn")
    assert result.exit_code == 0
    said = [line for line in result.stderr.splitlines() if " is sim" in line or "Learnt" in line]
    assert said == ["cup-1 is sim:undo.".replace("cup-1", LONG), f"undo is {CUP}.", "Learnt 2 of 2: all that was asked for."]
    again = tmp_path / "again.toml"
    learned = result.stdout
    assert 'settle = "1ms"' in learned
    again.write_text('[table]\nid = "t"\ngame = "bagatelle"\n' + learned.replace("sim:undo", "gpio:17").replace(CUP, "gpio:27"))
    assert [(one.role, one.channels) for one in load_table(again).sensors] == [("cup-1", ("gpio:17",)), ("undo", ("gpio:27",))]


def test_learning_that_is_stopped_prints_what_is_known(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = sensors(table, monkeypatch, [(50, CUP, 0)], "--learn", "--seconds", "1")
    assert result.exit_code == 1
    assert result.stderr.endswith("Learnt 1 of 2. Not learnt, and left as in the file: undo.\n")
    assert '# Not learnt: left as it was.\n[[sensor]]\nkind = "button"' in result.stdout


def test_where_nothing_was_learnt_nothing_is_printed(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = sensors(table, monkeypatch, [], "--learn", "--seconds", "0.2")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.endswith(f"Learnt 0 of 2. Not learnt: {LONG}, undo. Nothing is printed.\n")


def test_learning_and_walking_are_two_things(table: Path) -> None:
    result = CliRunner().invoke(cli, ["sensors", str(table), "--learn", "--walk"])
    assert result.exit_code == 2
    assert "one at a time" in result.stderr


def test_a_table_of_a_camera_alone_has_nothing_to_learn(tmp_path: Path) -> None:
    path = tmp_path / "camera.toml"
    path.write_text(
        '[table]\nid = "t"\ngame = "squails"\n[[lines]]\nname = "c"\npipe = "c"\n'
        '[[sensor]]\nrole = "squails"\nkind = "position"\nsource = "lines:c"\ndiameter = 1200.0\n'
    )
    result = CliRunner().invoke(cli, ["sensors", str(path), "--learn"])
    assert (result.exit_code, result.stdout) == (1, "")
    assert "there is nothing to learn" in result.stderr


def test_what_is_typed_at_a_terminal_is_taken(table: Path) -> None:
    """A real terminal: skip both, end."""
    ours, theirs = pty.openpty()
    program = subprocess.Popen(
        [sys.executable, "-m", "controller", "sensors", str(table), "--learn", "--seconds", "60"],
        stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
    )  # fmt: skip
    os.write(ours, b"s\ns\n\n")
    out, err = program.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    assert (program.returncode, out) == (1, "")
    assert [line for line in err.splitlines() if "skipped" in line] == [f"{LONG} is skipped.", "undo is skipped."]
    assert err.splitlines()[-1].startswith("Learnt 0 of 2.")


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
