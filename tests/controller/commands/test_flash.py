"""`flash` with an avrdude that only notes what it was asked; the real one is in tests/avr."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from pytest_mock import MockerFixture

from controller.__main__ import cli
from firmware_bridge.call import Call
from firmware_bridge.discovery import Adapter
from firmware_bridge.fake_board import FakeBoard
from firmware_bridge.fake_cable import FakeCable
from firmware_bridge.flashing import FIRMWARE


def flash(*args: str | Path, answer: str | None = None) -> Result:
    return CliRunner().invoke(cli, ["flash", *map(str, args)], input=answer)


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole PATH."""
    folder = tmp_path / "tools"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def tool(folder: Path, name: str, *lines: str) -> None:
    script = folder / name
    script.write_text("\n".join(["#!/bin/sh", f'echo "$@" >{folder}/asked', *lines, ""]))
    script.chmod(0o755)


def asked(folder: Path) -> str:
    return (folder / "asked").read_text().rstrip("\n")


@pytest.fixture
def cable(tmp_path: Path) -> Iterator[FakeCable]:
    with FakeCable(FakeBoard(), tmp_path / "usb-new") as cable:
        yield cable


def test_it_says_what_it_will_do_does_it_and_hears_it_from_the_board(tools: Path, cable: FakeCable) -> None:
    tool(tools, "avrdude")
    result = flash("nano", "--port", cable.path, "--id", "left", answer="y\n")
    order = f"-q -p m328p -c arduino -b 115200 -P {cable.path} -D -U flash:w:{FIRMWARE / 'nano.hex'}:i"
    assert result.exit_code == 0, result.stderr
    assert result.stderr.splitlines() == [
        f"A nano (ATmega328P) at {cable.path}: what is on it now will be overwritten.",
        f"  1. avrdude {order}",
        "  2. ask the board what runs on it",
        "  3. give it the id left",
        "Go on? [y/N]: y",
        "Writing …",
    ]
    assert result.stdout.endswith(f"{cable.path}: nano 0.1.0, left\n")
    assert asked(tools) == order
    assert cable.board.id == "left"


def test_without_a_yes_nothing_is_touched(tools: Path, cable: FakeCable) -> None:
    tool(tools, "avrdude")
    assert flash("nano", "--port", cable.path, "--id", "left", answer="n\n").exit_code == 1
    assert flash("nano", "--port", cable.path, "--id", "left", answer="").exit_code == 1
    assert not (tools / "asked").exists()
    assert cable.board.id == ""


def test_a_name_stays_when_no_other_is_given(tools: Path, cable: FakeCable) -> None:
    cable.board.id = "right"
    tool(tools, "avrdude")
    result = flash("nano", "--port", cable.path, "--yes", "--old-bootloader")
    assert (result.exit_code, result.stdout) == (0, f"{cable.path}: nano 0.1.0, right\n")
    assert " -b 57600 " in asked(tools)


def test_another_file_must_still_turn_out_to_be_for_this_kind(tools: Path, cable: FakeCable, tmp_path: Path) -> None:
    tool(tools, "avrdude")
    image = tmp_path / "mine.hex"
    image.write_text(":00000001FF\n")
    assert flash("nano", "--port", cable.path, "--yes", "--hex", image).exit_code == 0
    assert f"flash:w:{image}:i" in asked(tools)
    result = flash("mega", "--port", cable.path, "--yes", "--hex", image)
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (
        1,
        f"{cable.path}: mega was written, and the board says that 'nano 0.1.0' runs on it",
    )
    assert "-p m2560 -c wiring" in asked(tools)


def test_what_avrdude_complains_of_is_told_with_a_remedy(tools: Path, cable: FakeCable) -> None:
    tool(tools, "avrdude", "echo 'avrdude: stk500_getsync() attempt 10 of 10: not in sync: resp=0x15' >&2", "exit 1")
    result = flash("nano", "--port", cable.path, "--yes")
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1] == (
        "avrdude could not write the firmware: avrdude: stk500_getsync() attempt 10 of 10: not in sync: resp=0x15; "
        "is it this kind of board? Many Nanos want --old-bootloader"
    )


def test_a_board_that_is_gone_afterwards_is_told(tools: Path, cable: FakeCable) -> None:
    tool(tools, "avrdude", f"/bin/rm {cable.path}")
    result = flash("nano", "--port", cable.path, "--yes")
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (
        1,
        f"it was written, but: {cable.path} is not there: plug the board in",
    )


def test_a_port_that_is_not_there_is_told_before_anything_else(tools: Path, tmp_path: Path) -> None:
    tool(tools, "avrdude")
    result = flash("nano", "--port", tmp_path / "usb-none", "--yes")
    assert (result.exit_code, result.stderr) == (
        2,
        f"--port: {tmp_path / 'usb-none'} is not there: plug the board in (`tablemarker boards` lists those that are)\n",
    )
    assert not (tools / "asked").exists()


def test_a_board_that_a_table_has_is_not_written_while_it_plays(tools: Path, cable: FakeCable) -> None:
    tool(tools, "avrdude")
    with Call(cable.path):
        result = flash("nano", "--port", cable.path, "--yes")
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1].startswith(f"nothing was written: {cable.path} is used by another program: only ")
    assert not (tools / "asked").exists()


def test_missing_tools_are_named_with_their_packages(tools: Path, cable: FakeCable) -> None:
    result = flash("nano", "--port", cable.path, "--yes")
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (1, "avrdude is not installed: apt-get install avrdude")
    result = flash("nano", "--port", cable.path, "--yes", "--build")
    assert (result.exit_code, result.stderr) == (
        1,
        "avr-gcc is not installed: apt-get install gcc-avr avr-libc, or leave out --build: a built one is here\n",
    )
    assert tools.is_dir()


def test_a_build_that_fails_is_told(tools: Path, cable: FakeCable) -> None:
    tool(tools, "avr-gcc")
    tool(tools, "make", "echo 'link.c:3: error: nonsense' >&2", "echo 'make: *** [all] Error 1' >&2", "exit 2")
    result = flash("nano", "--port", cable.path, "--yes", "--build")
    assert (result.exit_code, result.stderr) == (1, "the firmware can't be built: link.c:3: error: nonsense\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nano", "--id", "Left"], "--id: 'Left' can't be a board's id: 1 to 16 of a-z, 0-9 and -"),
        (["mega", "--old-bootloader"], "--old-bootloader is for a Nano"),
        (["nano", "--build", "--hex", "/dev/null"], "--build and --hex: one or the other"),
    ],
)
def test_what_makes_no_sense_is_refused_first(arguments: list[str], sentence: str) -> None:
    if "--hex" in arguments:
        arguments = [*arguments[:-1], str(FIRMWARE / "nano.hex")]
    result = flash(*arguments)
    assert (result.exit_code, result.stderr) == (2, sentence + "\n")


def test_the_only_board_is_the_one_that_is_meant_and_of_several_one_must_be_named(
    tools: Path, cable: FakeCable, mocker: MockerFixture
) -> None:
    tool(tools, "avrdude")
    one = Adapter(cable.path, cable.path, "FTDI", None)
    mocker.patch("firmware_bridge.discovery.adapters", side_effect=[[one], [], [one, one]])
    assert flash("nano", "--yes").exit_code == 0
    none, two = flash("nano", "--yes"), flash("nano", "--yes")
    assert (none.exit_code, none.stderr) == (
        2,
        "no board is plugged in, or its adapter is of an unknown make: name it with --port\n",
    )
    assert (two.exit_code, two.stderr.splitlines()) == (
        2,
        ["2 boards are plugged in; name one with --port:", *[f"  {cable.path} (FTDI)"] * 2],
    )
