from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from pytest_mock import MockerFixture

from controller.__main__ import cli
from controller.tablefile import load_table
from firmware_bridge.call import Call
from firmware_bridge.discovery import Adapter
from firmware_bridge.fake_board import FakeBoard
from firmware_bridge.fake_cable import FakeCable
from firmware_bridge.session import SECOND


def boards(*args: str | Path) -> Result:
    return CliRunner().invoke(cli, ["boards", *map(str, args)])


def test_a_board_is_told_with_all_that_it_says_of_itself(tmp_path: Path) -> None:
    with FakeCable(FakeBoard("left", boot=40), tmp_path / "usb-left") as cable:
        result = boards("--port", cable.path)
    assert (result.exit_code, result.stderr) == (0, "")
    port, identity, channels, link = result.stdout.splitlines()
    assert port == str(cable.path)
    assert identity == "  left, nano 0.1.0, boot 41 (power came on)"
    assert channels == (
        "  channels: 2-13 input, output; 14-17 input, analogue, bell, output; 18-19 input, analogue, bell, output, I²C; "
        "20-21 analogue, bell; 22-23 sensor on I²C"
    )
    assert link.startswith("  link: clock known to ")
    assert link.endswith(" frames damaged here, 0 there, 0 sent again, 0 records lost")


def test_every_adapter_of_a_known_make_is_asked(tmp_path: Path, mocker: MockerFixture) -> None:
    with (
        FakeCable(FakeBoard("left"), tmp_path / "usb-1") as left,
        FakeCable(FakeBoard(), tmp_path / "usb-2") as nameless,
    ):
        plugged = [Adapter(cable.path, cable.path, maker, None) for cable, maker in ((left, "FTDI"), (nameless, "WCH CH340"))]
        mocker.patch("firmware_bridge.discovery.adapters", return_value=plugged)
        result = boards()
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert (lines[0], lines[4]) == (f"{left.path} (FTDI)", f"{nameless.path} (WCH CH340)")
    assert lines[5].startswith("  no id yet (tablemarker flash --id), nano 0.1.0")


def test_a_stranger_is_described_and_the_others_are_listed_all_the_same(tmp_path: Path, mocker: MockerFixture) -> None:
    mocker.patch("firmware_bridge.session.PATIENCE", SECOND)
    with (
        FakeCable(FakeBoard(), tmp_path / "usb-1", stranger=b"ready>\r\n") as stranger,
        FakeCable(FakeBoard("left"), tmp_path / "usb-2") as left,
    ):
        result = boards("--port", stranger.path, "--port", left.path)
    assert result.exit_code == 1
    assert "  something responds, but not with our protocol (it says 'ready>" in result.stdout
    assert "  left, nano 0.1.0" in result.stdout
    assert result.stderr == "1 of 2 didn't answer as a board of ours\n"


@pytest.mark.parametrize("version", [0, 2], ids=["too old", "too new"])
def test_firmware_that_does_not_fit_is_told_with_the_remedy(tmp_path: Path, version: int) -> None:
    board = FakeBoard("left")
    board.version = version
    with FakeCable(board, tmp_path / "usb-left") as cable:
        result = boards("--port", cable.path)
    assert result.exit_code == 1
    assert f"speaks version {version} of the protocol, this program version 1: write the firmware" in result.stdout
    assert "(tablemarker flash)" in result.stdout


def test_a_port_that_another_program_has(tmp_path: Path) -> None:
    with FakeCable(FakeBoard("left"), tmp_path / "usb-left") as cable, Call(cable.path):
        result = boards("--port", cable.path)
    assert result.exit_code == 1
    assert result.stdout.splitlines()[1] == (
        f"  {cable.path} is used by another program: only one can have it (another table, a terminal, the Arduino IDE)"
    )


@pytest.mark.parametrize("name", ["usb-away", "by-id/usb-away"])
def test_a_port_that_is_not_there(tmp_path: Path, name: str) -> None:
    result = boards("--port", tmp_path / name)
    assert (result.exit_code, result.stdout) == (1, f"{tmp_path / name}\n  {tmp_path / name} is not there: plug the board in\n")


def test_nothing_plugged_in_is_said(mocker: MockerFixture) -> None:
    mocker.patch("firmware_bridge.discovery.adapters", return_value=[])
    result = boards()
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "No board is plugged in; an adapter of an unknown make is asked with --port.\n"


def test_the_example_on_the_page_is_a_sound_table_file(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "boards.md").read_text("utf-8")
    example = page.split("```toml\n")[1].split("```")[0]
    path = tmp_path / "table.toml"
    path.write_text(example)
    table = load_table(path)
    assert [sensor.channels for sensor in table.sensors] == [("board:left/2",), ("board:left/14", "board:left/15")]
