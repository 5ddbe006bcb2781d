"""`tablemarker flash` with the real avrdude and the boot loaders that boards are sold with, on simulated chips that have nothing
else yet.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.__main__ import cli
from firmware_bridge import flashing
from firmware_bridge.call import Call
from tests.avr.avr_kit import FIRMWARE, Board, mega_loader, nano_loader, old_nano_loader
from tests.broker_kit import eventually

pytestmark = [pytest.mark.avr, pytest.mark.slow, pytest.mark.timeout(400)]


@pytest.mark.parametrize(
    ("kind", "loader", "options"),
    [("nano", old_nano_loader, ["--old-bootloader"]), ("nano", nano_loader, []), ("mega", mega_loader, [])],
    ids=["nano of before 2018", "nano", "mega"],
)
def test_an_empty_board_is_written_and_named(
    kind: str, loader: Callable[[Path], Path], options: list[str], simulator: Path, tmp_path: Path
) -> None:
    with Board(simulator, kind, tmp_path / "usb-new", loader(tmp_path)) as board:
        assert board.link is not None
        board.do("stat")
        result = CliRunner().invoke(cli, ["flash", kind, "--port", str(board.link), "--id", "left", *options, "--yes"])
        assert (result.exit_code, result.stdout) == (0, f"{board.link}: {kind} 0.1.0, left\n"), result.stderr
        with Call(board.link) as call:
            boot = call.hello.boot
            assert (call.hello.id, call.hello.build) == ("left", f"{kind} 0.1.0")
            board.do("reset")  # the boot loader takes what we say for a programmer's
            eventually(lambda: call.hello.boot == boot + 1, "the board after a reset while the port is open")
            if loader is not old_nano_loader:  # which doesn't come back from that while it has power
                board.do("hang")
                eventually(lambda: call.hello.boot == boot + 2, "the board after a bite of its watchdog")


def test_sources_that_somebody_changed_are_built_written_and_heard_from_the_board(
    simulator: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = tmp_path / "firmware"
    shutil.copytree(FIRMWARE, sources)
    (sources / "board.h").write_text((FIRMWARE / "board.h").read_text().replace('VERSION "0.1.0"', 'VERSION "0.1.0-mine"'))
    monkeypatch.setattr(flashing, "FIRMWARE", sources)
    with Board(simulator, "nano", tmp_path / "usb-new", nano_loader(tmp_path)) as board:
        assert board.link is not None
        board.do("stat")
        result = CliRunner().invoke(cli, ["flash", "nano", "--port", str(board.link), "--id", "left", "--build", "--yes"])
        assert (result.exit_code, result.stdout) == (0, f"{board.link}: nano 0.1.0-mine, left\n"), result.stderr
        assert "(built just now)" in result.stderr
        assert (sources / "nano.hex").read_bytes() == (FIRMWARE / "nano.hex").read_bytes(), "the one that was there is untouched"
        with Call(board.link) as call:
            assert (call.hello.id, call.hello.build) == ("left", "nano 0.1.0-mine")
