"""`tablemarker flash` with the real avrdude and the boot loader that most Nanos have, on a simulated chip that is else empty."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.__main__ import cli
from tests.avr.avr_kit import LOADER, Board, plain_hex

pytestmark = [pytest.mark.avr, pytest.mark.slow, pytest.mark.timeout(400)]


def test_an_empty_board_is_written_and_named(simulator: Path, tmp_path: Path) -> None:
    with Board(simulator, link=tmp_path / "usb-new", loader=plain_hex(LOADER, tmp_path)) as board:
        assert board.link is not None
        asked = ["flash", "nano", "--port", str(board.link), "--id", "left", "--old-bootloader", "--yes"]
        board.do("stat")
        result = CliRunner().invoke(cli, asked)
        assert (result.exit_code, result.stdout) == (0, f"{board.link}: nano 0.1.0, left\n"), result.stderr
        listed = CliRunner().invoke(cli, ["boards", "--port", str(board.link)])
        assert listed.exit_code == 0, listed.stdout
        assert "  left, nano 0.1.0, boot " in listed.stdout
