"""The import arrows hold, and the contracts that say so would notice if one didn't."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("controller", "hardware", "firmware_bridge")

WRONG = {
    "firmware_bridge/__init__.py": "hardware.signals",
    "hardware/signals.py": "controller.strict_json",
    "hardware/health.py": "firmware_bridge",
    "hardware/detectors/timing.py": "time",
    "controller/rules/awards.py": "pydantic",
    "controller/rules/errors.py": "hardware.signals",
    "controller/tables/roles.py": "sqlite3",
    "controller/tables/table.py": "controller.engine.fold",
    "controller/engine/records.py": "controller.publish.topics",
    "controller/engine/fold.py": "controller.tablefile.faults",
    "controller/web/errors.py": "controller.engine.journal",
    "controller/publish/topics.py": "firmware_bridge",
    "controller/announce/sentences.py": "controller.engine.journal",
    "controller/tablefile/faults.py": "controller.simulation",
}
"""A module, and what it must not import."""


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=folder,
        env={"PYTHONPATH": str(folder), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=lambda _, names: [n for n in names if n == "__pycache__"])
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_every_arrow_points_one_way(copy: Path) -> None:
    done = lint(copy)
    assert done.returncode == 0, done.stdout


def test_an_arrow_the_other_way_is_noticed(copy: Path) -> None:
    for module, target in WRONG.items():
        with (copy / module).open("a") as file:
            file.write(f"\nimport {target}\n")
    done = lint(copy)
    assert done.returncode == 1
    told = done.stdout.replace("\n", " ")
    unnoticed = []
    for module, target in WRONG.items():
        importer = module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        if f"{importer} -> {target} " not in told:
            unnoticed.append(f"{importer} -> {target}")
    assert unnoticed == []
