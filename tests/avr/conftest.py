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


@pytest.fixture
def live(simulator: Path, tmp_path: Path) -> Iterator[Board]:
    """A Nano in real time, plugged in as `usb-left`; the pins that tests use are at 0."""
    with Board(simulator, link=tmp_path / "usb-left") as board:
        for channel in (2, 3, 14):
            board.pin(channel, 0)
        yield board
