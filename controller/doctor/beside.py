"""What stands beside the table: pipes that other programs write to, the voice, the recordings."""

from __future__ import annotations

import os
import shlex
import shutil
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from controller.doctor.findings import Finding, fault, untold, well
from controller.doctor.ports import holders
from controller.doctor.storage import Disk, what_is_wrong

PLAYBACK = Path("/proc/asound/pcm")
"""Where the kernel lists the devices that play sound."""


@dataclass(frozen=True, slots=True)
class Pipe:
    """A pipe or pseudo-terminal of a [[lines]] item. `holders`: programs that have it open, as far as this user is told."""

    name: str
    path: Path
    there: bool = False
    fits: bool = False
    """Whether it is a pipe or a terminal."""
    readable: bool = False
    user: str = ""
    holders: tuple[str, ...] = ()


def read_pipe(name: str, path: Path) -> Pipe:
    """Look at one without opening it: a program that waits for a reader would take us for one."""
    user = str(os.geteuid())
    try:
        mode = path.stat().st_mode
    except OSError:
        return Pipe(name, path, user=user)
    # A pseudo-terminal is a character device, as a serial port is.
    fits = stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)
    readable = os.access(path, os.R_OK)
    return Pipe(name, path, there=True, fits=fits, readable=readable, user=user, holders=tuple(sorted(holders(path.resolve()))))


def check_pipe(pipe: Pipe) -> Finding:
    """Whether lines can come through it."""
    path = pipe.path
    if not pipe.there:
        return fault(pipe.name, f"{path} is not there: mkfifo {path}, or start the program that makes it")
    if not pipe.fits:
        return fault(pipe.name, f"{path} is neither a pipe nor a terminal: remove it, then mkfifo {path}")
    if not pipe.readable:
        return fault(pipe.name, f"user {pipe.user} may not read {path}: sudo chown {pipe.user} {path}")
    held = f"open in {', '.join(pipe.holders)}" if pipe.holders else "no program that we may look at has it open"
    return well(pipe.name, f"{path} is there and may be read; {held}")


@dataclass(frozen=True, slots=True)
class Speaker:
    """The program that speaks. `found`: where it is; `plays`: whether the machine shows a device for sound, where it tells."""

    command: tuple[str, ...]
    found: str | None = None
    plays: bool | None = None


def read_speaker(command: Sequence[str]) -> Speaker:
    """Look for the program; it isn't started."""
    try:
        plays = "playback" in PLAYBACK.read_text("ascii", errors="replace")
    except OSError:
        plays = None
    return Speaker(tuple(command), shutil.which(command[0]), plays)


def check_speaker(speaker: Speaker) -> Finding:
    """Whether the score can be called."""
    program = speaker.command[0]
    if speaker.found is None:
        remedy = "sudo apt install espeak-ng" if program.startswith("espeak") else "install it, or make it executable"
        return fault("speech", f"there is no program {program}: {remedy}, or put another one into the table file under [speech]")
    heard = f"whether it is heard you hear: echo hello | {shlex.join(speaker.command)}"
    if not speaker.plays:
        return untold("speech", f"{speaker.found} is there, but this machine shows no device for sound; {heard}")
    return well("speech", f"{speaker.found} is there; {heard}")


def check_recordings(disk: Disk) -> Finding:
    """Whether the recordings of [record] can be written."""
    wrong = what_is_wrong(disk, "folder in [record]")
    return fault("recordings", wrong) if wrong is not None else well("recordings", f"{disk.folder} can be written")
