"""Flashing: the firmware that travels with this program, or a fresh build of it, written to a board with avrdude."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

FIRMWARE = Path(__file__).parent / "firmware"
BUILD_SECONDS = 120
WRITE_SECONDS = 180


class FlashTrouble(Exception):
    """The firmware can't be built or written; the message says why, and the remedy."""


@dataclass(frozen=True, slots=True)
class BoardKind:
    """A kind of board as avrdude knows it."""

    name: str
    chip: str
    part: str
    programmer: str
    baud: int


NANO = BoardKind("nano", "ATmega328P", "m328p", "arduino", 115_200)
OLD_NANO = BoardKind("nano", "ATmega328P", "m328p", "arduino", 57_600)
"""With the boot loader of before 2018, which most clones still have."""
MEGA = BoardKind("mega", "ATmega2560", "m2560", "wiring", 115_200)
KINDS = {kind.name: kind for kind in (NANO, MEGA)}


def shipped(kind: BoardKind) -> Path:
    """The hex file that travels with this program."""
    return FIRMWARE / f"{kind.name}.hex"


def version() -> str:
    """Of the firmware that travels with this program."""
    found = re.search(r'#define VERSION "(.+)"', (FIRMWARE / "board.h").read_text("utf-8"))
    assert found is not None, "board.h names the version"
    return found[1]


def build(kind: BoardKind, folder: Path) -> Path:
    """Build the firmware from its sources in this folder; gives the hex file. Raises `FlashTrouble`."""
    for program, package in (("avr-gcc", "gcc-avr avr-libc"), ("make", "make")):
        if shutil.which(program) is None:
            raise FlashTrouble(
                f"{program} is not installed: apt-get install {package}, or leave out --build: a built one is here"
            )
    made = folder / f"{kind.name}.hex"
    done = _run(["make", "-s", "-C", str(FIRMWARE), f"OUT={folder}", f"HEX={folder}", str(made)], BUILD_SECONDS)
    if done.returncode:
        raise FlashTrouble(f"the firmware can't be built: {_last_words(done)}")
    return made


def avrdude(kind: BoardKind, port: Path, image: Path) -> list[str]:
    """The command that writes this file to the board at this port."""
    return [
        "avrdude", "-q", "-p", kind.part, "-c", kind.programmer, "-b", str(kind.baud), "-P", str(port), "-D",
        "-U", f"flash:w:{image}:i",
    ]  # fmt: skip


def write(command: list[str]) -> None:
    """Run avrdude, which also reads back what it wrote. Raises `FlashTrouble`."""
    if shutil.which(command[0]) is None:
        raise FlashTrouble("avrdude is not installed: apt-get install avrdude")
    done = _run(command, WRITE_SECONDS)
    if done.returncode == 0:
        return
    words = done.stdout + done.stderr
    hint = ""
    if "not in sync" in words or "not responding" in words or "timeout" in words:
        hint = "; is it this kind of board? Many Nanos want --old-bootloader"
    elif "ermission denied" in words:
        hint = "; add your user to the port's group (docs/boards.md)"
    raise FlashTrouble(f"avrdude could not write the firmware: {_last_words(done)}{hint}")


def _run(command: list[str], seconds: float) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(  # noqa: S603 - avrdude or make, with arguments that no shell reads
            command, capture_output=True, text=True, errors="replace", timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise FlashTrouble(f"{command[0]} was still not done after {seconds:.0f} s") from error


def _last_words(done: subprocess.CompletedProcess[str]) -> str:
    lines = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(("avrdude done", "make:"))]
    return telling[-1] if telling else f"it ended with {done.returncode}"
