"""Boards in the simulator; the program that runs them is compiled once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.avr import avr_kit
from tests.avr.avr_kit import Board, Line


@pytest.fixture(scope="session")
def simulator(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return avr_kit.build(tmp_path_factory.mktemp("simulator"))


@pytest.fixture
def line(simulator: Path) -> Iterator[Line]:
    """A Nano that has booted, in steps."""
    with Board(simulator) as board:
        line = Line(board)
        line.run(20_000)
        yield line
