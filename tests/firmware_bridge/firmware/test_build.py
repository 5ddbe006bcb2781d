"""The firmware that travels with the program is what its sources say."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from firmware_bridge.fake_board import FakeBoard

pytestmark = pytest.mark.avr

FIRMWARE = Path(__file__).parents[3] / "firmware_bridge" / "firmware"
BOARDS = ("nano", "mega")


def said(*command: str | Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_same_compiler_makes_the_same_bytes_wherever_it_stands(tmp_path: Path) -> None:
    said("make", "-s", "-C", FIRMWARE, f"OUT={tmp_path / 'out'}", f"HEX={tmp_path}")
    made_with = (FIRMWARE / "COMPILER").read_text()
    if said("make", "-s", "-C", FIRMWARE, "compiler") == made_with:
        for board in BOARDS:
            assert (tmp_path / f"{board}.hex").read_bytes() == (FIRMWARE / f"{board}.hex").read_bytes(), (
                "make -C firmware_bridge/firmware"
            )
    else:  # another compiler makes other bytes, which must fit all the same
        for board, flash in zip(BOARDS, (30_720, 253_952), strict=True):
            assert 0 < len((tmp_path / f"{board}.hex").read_text()) < 3 * flash


def test_the_sources_and_python_name_the_same_build() -> None:
    version = re.search(r'VERSION "(.+)"', (FIRMWARE / "board.h").read_text())
    assert version is not None
    assert FakeBoard().build == f"nano {version[1]}"


def test_every_file_is_small() -> None:
    for source in [*FIRMWARE.glob("*.c"), *FIRMWARE.glob("*.h")]:
        assert len(source.read_text().splitlines()) <= 400, source.name
