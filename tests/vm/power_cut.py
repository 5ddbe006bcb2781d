"""A power cut: what a program has shown before it must still be there after it.

Killing a process can't tell a database that syncs from one that doesn't, since the kernel lives on and writes what it holds. Here
the whole machine is killed, and another boots with the same disks. What the dead kernel hadn't flushed is gone, as with a real
cable; damage that a dying disk does by itself isn't imitated.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.vm import kernel
from tests.vm.machine import Machine, Result

SECONDS = 300.0
"""For a writer to come to each point, and for the checker."""


@dataclass(frozen=True)
class Aftermath:
    """`shown`: what the writer had printed when the power went; `found`: what the checker then said."""

    shown: str
    found: Result


def cut_power_under(folder: Path, write: str, check: str, *, until: Iterable[str], disks: int = 1) -> Aftermath:
    """Run a writer, cut the power once it has printed a line with each text of `until`, boot again, run a checker.

    `write`, `check`: shell scripts (see `machine.python_command`), which find their own ext4 file systems at /mnt/disk/0,
    /mnt/disk/1, empty for the writer. `folder`: an empty one, for the images and what the machines share with the host.
    """
    share = folder / "share"
    share.mkdir()
    images = [folder / f"disk-{number}" for number in range(disks)]
    mount = ""
    for number, image in enumerate(images):
        with image.open("wb") as file:
            file.truncate(64 * 2**20)
        subprocess.run(["mkfs.ext4", "-q", image], env={"PATH": kernel.PATH}, check=True)
        mount += f"mkdir /mnt/disk/{number} && mount /dev/vd{chr(ord('a') + number)} /mnt/disk/{number} || exit 99\n"
    with Machine(share, images) as machine:
        job = machine.start(mount + write)
        for text in until:
            job.wait_for(text, SECONDS)
        machine.cut_power()
    with Machine(share, images) as machine:
        return Aftermath(job.output, machine.run(mount + check, SECONDS))
