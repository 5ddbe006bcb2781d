"""What lines of text come from: a serial port, or a pipe or pseudo-terminal by its path."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import termios
import tty
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

BAUD = 9600
"""What card readers, scanners and small gauges speak as they are delivered."""


class DeviceTrouble(Exception):
    """A device can't be opened or is gone; the message names it and the remedy."""


class Device(ABC):
    """Something to read bytes from. Used by one thread; may be opened again after it was closed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.waits_for: str | None = None
        """What is missing at the other end while it is open; None: nothing."""
        self.loses = True
        """Whether something may be said that nobody hears while it is away: nobody can say anything to a pipe that isn't read."""

    @abstractmethod
    def open(self) -> int:
        """Open it; gives what to wait on. Raises `DeviceTrouble`."""

    @abstractmethod
    def read(self, most: int) -> bytes:
        """Some bytes, where they wait; b"" where none do. Raises `DeviceTrouble` when it is gone."""

    @abstractmethod
    def close(self) -> None:
        """Close it, whatever has become of it."""


class PathDevice(Device):
    """A pipe (made by `mkfifo`) or a pseudo-terminal, by its path."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._fd: int | None = None
        self._is_pipe = False

    def open(self) -> int:
        """Open it for reading."""
        try:
            # Without waiting for a writer, who may come later or never.
            self._fd = fd = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
        except OSError as error:
            raise DeviceTrouble(_why_not(self.path, error)) from error
        self._is_pipe = stat.S_ISFIFO(os.fstat(fd).st_mode)
        self.waits_for = f"no program writes to {self.path} yet" if self._is_pipe else None
        self.loses = not self._is_pipe
        if os.isatty(fd):
            try:
                tty.setraw(fd)  # or it would wait for whole lines, and change their ends
            except termios.error as error:
                raise DeviceTrouble(_why_not(self.path, error)) from error
        elif not self._is_pipe:
            raise DeviceTrouble(f"{self.path} is neither a pipe nor a terminal: make a pipe with mkfifo")
        else:
            self._alone(fd)
        return fd

    def _alone(self, fd: int) -> None:
        """Keep other readers out: two would share the lines between them."""
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise DeviceTrouble(f"{self.path} is read by another program already: stop the other tablemarker") from error

    def read(self, most: int) -> bytes:
        """Some bytes."""
        assert self._fd is not None, "only an open device is read"
        if not self._is_pipe:
            return _read(self._fd, most, self.path, "the program at its other end has ended")
        try:
            data = os.read(self._fd, most)
        except BlockingIOError:
            return b""
        if data:
            self.waits_for = None
        else:
            self._again(self._fd)
        return data

    def _again(self, fd: int) -> None:
        """The last writer has closed the pipe. Opened anew before it is closed, so that what the next one writes isn't lost."""
        try:
            fresh = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)
        except OSError as error:
            raise DeviceTrouble(_why_not(self.path, error)) from error
        os.dup2(fresh, fd)
        os.close(fresh)
        self._alone(fd)
        self.waits_for = f"the program that wrote to {self.path} has ended"

    def close(self) -> None:
        """Close it."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


class SerialDevice(Device):
    """A serial port, for us alone."""

    def __init__(self, path: Path, baud: int = BAUD) -> None:
        super().__init__(path)
        self._baud = baud
        # pyserial is wanted only where there is a port.
        import serial  # type: ignore[import-untyped]  # noqa: PLC0415 - as above; it has no types

        self._serial = serial
        self._port: Any = None

    def open(self) -> int:
        """Open the port."""
        try:
            self._port = port = self._serial.Serial(str(self.path), self._baud, timeout=0, exclusive=True)
        except (OSError, ValueError, termios.error) as error:  # termios.error is no OSError
            raise DeviceTrouble(_why_not(self.path, error)) from error
        fd: int = port.fd
        return fd

    def read(self, most: int) -> bytes:
        """Some bytes."""
        assert self._port is not None, "only an open device is read"
        return _read(self._port.fd, most, self.path, "was it unplugged, or does another program read it too?")

    def close(self) -> None:
        """Close the port."""
        if self._port is not None:
            try:
                self._port.close()
            except OSError:
                self._port.fd = None  # the kernel has freed it all the same
            self._port = None


def _read(fd: int, most: int, path: Path, gone: str) -> bytes:
    try:
        data = os.read(fd, most)
    except BlockingIOError:
        return b""
    except OSError as error:
        raise DeviceTrouble(f"{path} is gone ({error.strerror}): {gone}") from error
    if not data:
        raise DeviceTrouble(f"{path} has ended: {gone}")
    return data


def _why_not(path: Path, error: OSError | ValueError | termios.error) -> str:
    number = error.errno if isinstance(error, OSError) else None
    if number == errno.ENOENT or not path.exists():
        return f"{path} is not there: plug the device in, or start the program that makes it"
    if number in (errno.EACCES, errno.EPERM):
        return f"{path} may not be opened: add the user of this program to the group {path.group()}"
    if number in (errno.EAGAIN, errno.EBUSY):
        return f"{path} is used by another program: only one can have it"
    return f"{path} can't be opened: {error}"
