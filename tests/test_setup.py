"""The Makefile and its helper on machines that lack something: stand-ins for the programs that would change this one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


class Machine:
    """A folder of stand-ins that is all there is on the PATH; what they are asked to do is noted."""

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.notes = folder / "notes"
        self.notes.touch()
        for program in ("sh", "tr", "env"):
            self.bin.joinpath(program).symlink_to(shutil.which(program) or "")

    def has(self, program: str, does: str = "true") -> None:
        path = self.bin / program
        path.write_text(f'#!/bin/sh\necho "{program} $*" >>{self.notes}\n{does}\n')
        path.chmod(0o755)

    def run(self, *packages: str) -> subprocess.CompletedProcess[str]:
        # The script itself looks into /usr/sbin too, where none of the programs below are.
        command = ["/bin/sh", ROOT / ".ci" / "debian.sh", *packages]
        return subprocess.run(command, env={"PATH": str(self.bin)}, capture_output=True, text=True, check=False)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    machine = Machine(tmp_path)
    machine.has("apt-get")
    machine.has("id", "echo 1000")
    machine.has("sudo", "exit 1")
    return machine


def test_what_is_there_needs_nothing(machine: Machine) -> None:
    machine.has("marker-two")
    done = machine.run("two=marker-one,marker-two")
    assert (done.returncode, done.stderr, machine.notes.read_text()) == (0, "", "")


def test_where_it_may_not_install_it_names_the_command(machine: Machine) -> None:
    done = machine.run("one=marker-one", "python3-venv")
    assert done.returncode == 1
    assert done.stderr == "Some Debian packages are missing. To install them: sudo apt-get install one python3-venv\n"
    assert "apt-get install" not in machine.notes.read_text()


@pytest.mark.parametrize(("who", "how"), [("root", "apt-get"), ("with sudo", "sudo -n apt-get")])
def test_where_it_may_it_installs_what_is_missing_alone(machine: Machine, who: str, how: str) -> None:
    machine.has("id", "echo 0" if who == "root" else "echo 1000")
    machine.has("sudo")
    machine.has("marker-two")
    done = machine.run("one=marker-one", "two=marker-two", "three=marker-three")
    assert done.returncode == 0, done.stderr
    assert machine.notes.read_text().splitlines()[-1] == f"{how} install -y -qq --no-install-recommends one three"


def test_a_failed_installation_is_a_failure(machine: Machine) -> None:
    machine.has("id", "echo 0")
    machine.has("apt-get", "exit 100")
    assert machine.run("one=marker-one").returncode != 0


def test_elsewhere_than_on_debian_it_names_what_is_missing(machine: Machine) -> None:
    machine.bin.joinpath("apt-get").unlink()
    done = machine.run("one=marker-one")
    assert (done.returncode, done.stderr) == (1, "These are missing, by their names in Debian: one\n")


def test_an_old_python_is_told_which_one_is_wanted(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    old = tmp_path / "python3.9"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    done = subprocess.run(["make", "demo", f"PYTHON={old}"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "tablemarker needs Python 3.11 or newer; another one: make PYTHON=/path/to/python3.x" in done.stderr
