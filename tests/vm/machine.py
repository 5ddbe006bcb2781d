"""A small virtual machine with real kernel interfaces that tests can't have on the host: GPIO lines, a disk to pull the plug on.

    with Machine(tmp_path) as machine:
        result = machine.python("tests/vm/guest_something.py", "argument")
        assert result.status == 0, result.output

It sees the host's files read-only, so the Python and the checkout that run the tests run in there too, and what it writes to
/mnt/share is in the folder that was given. Each image in `disks` is a drive: /dev/vda, /dev/vdb. A machine boots once for
many commands; boot one for a test module and not one for each test (see the fixtures in conftest.py).

To test a whole program: `start` a shell script that makes the GPIO chip (`tests/vm/guest_gpio.py`), starts a broker and the
program with `&` and then plays; wait for what it prints with `Job.wait_for`; `Machine.cut_power` at the moment of your choice,
then boot another `Machine` on the same disks and look at what is left. A board's serial adapter is plugged into `Machine.usb`.
Everything happens in software (TCG) on one processor: a machine with hardware acceleration isn't to be had everywhere, and with
two processors the simulated GPIO chip merges edges. So time in there is real but slow, and says nothing about latency.
"""

from __future__ import annotations

import codecs
import os
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.vm import kernel
from tests.vm.usb import Usb

REPOSITORY = Path(__file__).parents[2]
BOOT_SECONDS = 120.0
"""More than a slow host takes; about four on a usual one."""
CLOCK = "clocksource=hpet tsc=unstable nolapic_timer no_timer_check"
"""The one clock whose rate needn't be measured at boot: on a busy host the kernel measures the others wrong, at worst tenfold."""
MARK = "\x01"
"""Starts a line of the machine's own on the serial port (see init.sh)."""


class MachineFailed(AssertionError):
    """The machine died, or what was waited for didn't come in time; with the end of what it printed."""


@dataclass(frozen=True)
class Result:
    """How a command ended."""

    status: int
    output: str


class Machine:
    """A virtual machine that is on between `__enter__` and `__exit__`, or until its power is cut.

    `share`: a folder that appears as /mnt/share; `disks`: raw images; what the guest hasn't written there by the end is lost.
    """

    def __init__(self, share: Path, disks: Iterable[Path] = (), memory: int = 1024) -> None:
        self._share = share
        self._disks = list(disks)
        self._memory = memory
        self._jobs = 0
        self._off = ExitStack()
        self._printed = ""
        self._over = False
        self._news = threading.Condition()
        self.boot_seconds = 0.0

    def __enter__(self) -> Self:
        with ExitStack() as undo:
            undo.enter_context(kernel.only_one())
            built = kernel.kernel()
            started = time.monotonic()
            pipe = subprocess.PIPE
            self.usb = Usb()
            undo.callback(self.usb.close)
            command, env = [*self._command(built), *self.usb.options], {"PATH": kernel.PATH}
            passed = [self.usb.theirs.fileno()]
            qemu = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT, env=env, pass_fds=passed)
            self._qemu = undo.enter_context(qemu)
            reader = threading.Thread(target=self._read, name="serial port of the machine")
            reader.start()
            undo.callback(reader.join)
            undo.callback(self._qemu.kill)
            self.usb.begin()
            self._wait(f"{MARK}ready", 0, BOOT_SECONDS)
            self.boot_seconds = time.monotonic() - started
            self._off = undo.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.cut_power()

    def _command(self, built: kernel.Kernel) -> list[str]:
        command = ["qemu-system-x86_64", "-nodefaults", "-no-user-config", "-no-reboot", "-display", "none", "-serial", "stdio"]
        command += ["-machine", "q35,accel=tcg", "-cpu", "max", "-smp", "1", "-m", str(self._memory)]
        command += ["-kernel", str(built.image), "-initrd", str(built.initrd)]
        command += ["-append", f"console=ttyS0 quiet loglevel=3 panic=-1 mitigations=off {CLOCK}"]
        for tag, path, mode in (("host", Path("/"), ",readonly=on"), ("share", self._share, "")):
            command += ["-virtfs", f"local,path={path},mount_tag={tag},security_model=none,multidevs=remap{mode}"]
        for disk in self._disks:
            command += ["-drive", f"file={disk},format=raw,if=virtio,cache=writeback"]
        return command

    def _read(self) -> None:
        assert self._qemu.stdout is not None
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        while chunk := os.read(self._qemu.stdout.fileno(), 65536):
            with self._news:
                self._printed += decoder.decode(chunk).replace("\r", "")
                self._news.notify_all()
        with self._news:
            self._over = True
            self._news.notify_all()

    def _wait(self, text: str, start: int, seconds: float, unless: str | None = None) -> int:
        """Where the line with this text ends; looks from `start` on. `unless`: after this it won't come any more."""
        deadline = time.monotonic() + seconds
        with self._news:
            while True:
                found = self._printed.find(text, start)
                end = self._printed.find("\n", found)
                if found >= 0 and end >= 0:
                    return end
                left = deadline - time.monotonic()
                ended = unless is not None and self._printed.find(unless, start) >= 0
                if self._over or ended or left <= 0:
                    why = (
                        "the machine has stopped"
                        if self._over
                        else "the script has ended"
                        if ended
                        else f"not within {seconds:.0f} s"
                    )
                    raise MachineFailed(f"{text!r} didn't come: {why}; it printed:\n{self._printed[start:][-4000:]}")
                self._news.wait(left)

    def start(self, script: str) -> Job:
        """Run a bash script as root in there; one at a time. Gives it while it still runs."""
        self._jobs += 1
        name = f"job-{self._jobs}"
        (self._share / f"{name}.sh").write_text(f"cd {shlex.quote(str(REPOSITORY))}\n{script}\n")
        with self._news:
            start = len(self._printed)
        assert self._qemu.stdin is not None
        self._qemu.stdin.write(f"{name}\n".encode())
        self._qemu.stdin.flush()
        return Job(self, name, start)

    def run(self, script: str, seconds: float = 60) -> Result:
        """Run a bash script as root in there to its end."""
        return self.start(script).finish(seconds)

    def python(self, *arguments: str, seconds: float = 60) -> Result:
        """Run a program of this checkout with the Python that runs the tests."""
        return self.run(python_command(*arguments), seconds)

    def cut_power(self) -> None:
        """Off, this instant: no signal, no sync. May be called twice."""
        self._off.close()


class Job:
    """A script that runs in the machine."""

    def __init__(self, machine: Machine, name: str, start: int) -> None:
        self._machine = machine
        self._done = f"{MARK}done {name} "
        self._start = start

    @property
    def output(self) -> str:
        """What it has printed so far."""
        return self._machine._printed[self._start :].partition(MARK)[0]

    def wait_for(self, text: str, seconds: float = 60) -> None:
        """Wait until it has printed a line with this text."""
        self._machine._wait(text, self._start, seconds, unless=self._done)

    def finish(self, seconds: float = 60) -> Result:
        """Wait for its end."""
        end = self._machine._wait(self._done, self._start, seconds)
        output, _, status = self._machine._printed[self._start : end].partition(self._done)
        return Result(int(status), output)


def python_command(*arguments: str) -> str:
    """The shell command for it, in there."""
    return f"PYTHONPATH={shlex.quote(str(REPOSITORY))} {shlex.join([sys.executable, *arguments])}"
