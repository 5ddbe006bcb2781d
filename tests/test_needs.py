"""What a machine can't run is left out and named at the end, or with CI=true a failure."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from tests.vm import kernel

ROOT = Path(__file__).parents[1]

TESTS = """
import pytest

@pytest.mark.browser
def test_in_a_browser(): ...

def test_anywhere(): ...
"""


def run_two(tmp_path: Path, ci: str, *options: str) -> subprocess.CompletedProcess[str]:
    (tmp_path / "test_two.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = browser\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", "-p", "no:cacheprovider", *options, "test_two.py"]
    env = {"PATH": "", "PYTHONPATH": str(ROOT), "CI": ci}
    return subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("options", [(), ("--numprocesses", "2", "--dist", "loadfile")], ids=["alone", "in several processes"])
def test_what_is_missing_is_left_out_and_named(tmp_path: Path, options: tuple[str, ...]) -> None:
    outcome = run_two(tmp_path, "", *options)
    assert outcome.returncode == 0
    assert "1 passed" in outcome.stdout
    assert "1 test (browser: chromium" in outcome.stdout
    assert "apt-get install chromium" in outcome.stdout


def test_in_ci_what_is_missing_fails(tmp_path: Path) -> None:
    outcome = run_two(tmp_path, "true")
    assert outcome.returncode == 1
    assert "1 passed, 1 error" in outcome.stdout
    assert "CI=true leaves nothing out, but browser: chromium" in outcome.stdout


def test_what_the_virtual_machine_lacks_is_named_with_its_command(mocker: MockerFixture) -> None:
    mocker.patch("tests.vm.kernel.platform.machine", return_value="x86_64")
    mocker.patch("tests.vm.kernel.ctypes.util.find_library", return_value="libelf.so.1")
    there = mocker.patch("tests.vm.kernel.shutil.which", side_effect=lambda name, **_: None if name == "cpio" else name)
    mocker.patch("tests.vm.kernel.os.geteuid", return_value=1000)
    assert kernel.missing() == "not installed: apt-get install cpio"
    mocker.patch("tests.vm.kernel.os.geteuid", return_value=0)
    assert kernel.missing() is None, "root gets it by itself"
    there.side_effect = None
    there.return_value = None
    assert "Debian" in str(kernel.missing())
