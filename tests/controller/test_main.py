"""The frame of the command line: commands imported when used, mistakes in one line, packages that shadow ours."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from controller.__main__ import PACKAGES
from controller.commands.group import COMMANDS, shadowed

ROOT = Path(__file__).parents[2]


def program(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "controller", *arguments],
        env={**os.environ, **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def test_help_lists_the_commands_that_are_there() -> None:
    done = program("--help")
    assert done.returncode == 0
    for name in COMMANDS:
        there = (ROOT / "controller/commands" / f"{name}.py").exists()
        assert (f"\n  {name} " in done.stdout) == there, name


def test_help_imports_no_command() -> None:
    done = program("--help", PYTHONPROFILEIMPORTTIME="1")
    assert "controller.commands.group" in done.stderr
    for heavy in ("controller.commands.score", "controller.rules", "pydantic", "starlette", "paho"):
        assert heavy not in done.stderr, heavy


def test_every_command_has_help() -> None:
    done = program("score", "--help")
    assert done.returncode == 0
    assert "Usage: tablemarker score" in done.stdout


def test_version() -> None:
    done = program("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("tablemarker")


@pytest.mark.parametrize("arguments", [["scroe"], ["score", "--postions"], ["score", "a", "b"], ["--speed", "2"]])
def test_wrong_use_is_status_2_without_a_traceback(arguments: list[str]) -> None:
    done = program(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert "Error: No such" in done.stderr or "Error: Got unexpected" in done.stderr


def test_a_folder_that_hides_a_package_of_ours_is_named(tmp_path: Path) -> None:
    hiding = tmp_path / "hardware"
    hiding.mkdir()
    (hiding / "__init__.py").write_text("")
    done = subprocess.run(
        [sys.executable, "-m", "controller", "--help"],
        env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert str(hiding) in done.stderr


def test_packages_side_by_side_hide_nothing() -> None:
    assert shadowed(PACKAGES, ROOT) is None


def test_a_missing_package_is_named() -> None:
    assert "'no_such_package' is missing" in str(shadowed(("no_such_package",), ROOT))
