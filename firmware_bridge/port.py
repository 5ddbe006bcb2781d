"""The port: a thread that opens a serial port, pumps bytes between it and a session, and begins again when it is gone."""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import select
import termios
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import serial  # type: ignore[import-untyped]  # pyserial has no types

from firmware_bridge.session import Event, Gone, Session, State

log = logging.getLogger(__name__)

BAUD = 115_200
AGAIN = 0.5
"""Seconds until a port that is away is looked for again."""
IN_VAIN = 10.0
"""Seconds until a board that doesn't fit is asked again: each opening of its port resets an Arduino."""
READ = 4096
STUCK = 4096
"""So many bytes that the port doesn't take mean that nothing reads them."""

Deliver = Callable[[list[Event], int], None]


class PortTrouble(Exception):
    """A port can't be opened or has failed; the message names it and the remedy."""


def is_there(path: Path) -> bool:
    """Whether there is such a port. One in a folder that is closed to us may be: opening it says why it can't be had."""
    try:
        return path.exists()
    except PermissionError:
        return True


def open_port(path: Path) -> serial.Serial:
    """Open a serial port for us alone. Raises `PortTrouble`."""
    try:
        port = serial.Serial(str(path), BAUD, exclusive=True)
    except (OSError, termios.error) as error:  # termios.error is no OSError
        raise PortTrouble(_why_not(path, error)) from error
    try:
        fcntl.ioctl(port.fd, termios.TIOCEXCL)  # pyserial's lock stops those alone that lock too
        attributes = termios.tcgetattr(port.fd)
        # Lowering DTR at the end would reset an Arduino whenever this program starts again.
        attributes[2] &= ~termios.HUPCL
        termios.tcsetattr(port.fd, termios.TCSANOW, attributes)
    except (OSError, termios.error) as error:
        close_port(port)
        raise PortTrouble(_why_not(path, error)) from error
    return port


def close_port(port: serial.Serial) -> None:
    """Close it, whatever has become of it."""
    try:
        port.close()
    except OSError as error:  # the kernel has freed it all the same
        log.debug("Closing %s: %s", port.port, error)


def _why_not(path: Path, error: OSError | termios.error) -> str:
    number = error.errno if isinstance(error, OSError) else error.args[0]
    if number == errno.ENOENT or not is_there(path):
        return f"{path} is not there: plug the board in"
    if number in (errno.EACCES, errno.EPERM):
        return f"{path} may not be opened: add the user of this program to {_group(path)}"
    if number in (errno.EAGAIN, errno.EBUSY):
        return f"{path} is used by another program: only one can have it (another table, a terminal, the Arduino IDE)"
    return f"{path} can't be opened as a serial port: {error}"


def _group(path: Path) -> str:
    try:
        return f"the group {path.group()}"
    except KeyError:  # as in a container that hasn't the names of its host
        return f"the group with the number {path.stat().st_gid}"
    except OSError:  # it has gone meanwhile
        return "its group"


class Link:
    """Keeps a session with one board going, in a thread of its own: finds its port, opens it, closes it, and tries again.

    `find` gives the ports to try, in order. `deliver` takes the events, in that thread, while `lock` is held; it must not block.
    Whoever touches the session from another thread holds `lock`, and goes through `do` if it may have something to send.
    """

    def __init__(self, session: Session, find: Callable[[], Iterable[Path]], deliver: Deliver) -> None:
        self.session = session
        self.lock = threading.RLock()
        self.changed = threading.Condition(self.lock)
        """Notified after events were delivered and after each pass over the ports."""
        self.passes = 0
        self.path: Path | None = None
        """The port that is open."""
        self._find = find
        self._deliver = deliver
        self._stopping = False
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_write, False)
        self._thread = threading.Thread(target=self._run, name=session.name, daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Close the port and end the thread."""
        self._stopping = True
        self.wake()
        self._thread.join()
        os.close(self._wake_read)
        os.close(self._wake_write)

    def do(self, act: Callable[[Session, int], None]) -> None:
        """Do something with the session now, and send what it has to say."""
        with self.lock:
            act(self.session, time.monotonic_ns())
        self.wake()

    def wake(self) -> None:
        """Let the thread look at the session."""
        try:
            os.write(self._wake_write, b"!")
        except BlockingIOError:
            return  # it is being woken more than enough

    # The thread

    def _run(self) -> None:
        while not self._stopping:
            try:
                in_vain = self._pass()
            except Exception as error:  # a thread that ends in silence would leave a board that is there for ever
                log.exception("The link to %s", self.session.name)
                sentence = f"{self.session.name}: a fault of this program ({error!r}): please tell us; it is tried again"
                self._tell(lambda session, now, why=sentence: session.closed(now, why))  # type: ignore[misc]  # of this turn
                in_vain = True
            with self.changed:
                self.passes += 1
                self.changed.notify_all()
            self._wait(IN_VAIN if in_vain else AGAIN)

    def _pass(self) -> bool:
        """Go over the ports once; whether the last of them has a board that doesn't fit."""
        in_vain = False
        paths = list(self._find())
        for path in paths:
            if not self._stopping:
                in_vain = self._serve(path)
        if not paths:
            self._tell(lambda session, now: session.closed(now))
        return in_vain

    def _wait(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while not self._stopping and (left := end - time.monotonic()) > 0:
            if select.select([self._wake_read], [], [], left)[0]:
                os.read(self._wake_read, READ)

    def _tell(self, act: Callable[[Session, int], None]) -> list[Event]:
        """Do something with the session and deliver what came of it."""
        with self.lock:
            now = time.monotonic_ns()
            act(self.session, now)
            events = self.session.events()
            if events:
                self._deliver(events, now)
                self.changed.notify_all()
        return events

    def _serve(self, path: Path) -> bool:
        """Talk to the board at this port until it is gone; whether it doesn't fit."""
        self._tell(lambda session, now: session.opening(now))
        try:
            port = open_port(path)
        except PortTrouble as error:
            sentence = str(error)
            self._tell(lambda session, now: session.closed(now, sentence))
            return False
        self.path = path
        in_vain = False
        why = None
        try:
            self._tell(lambda session, now: session.opened(now))
            in_vain = self._pump(port)
        except PortTrouble as error:
            why = str(error)
        finally:
            self.path = None
            close_port(port)
        if why is None and not self._stopping:
            why = "the session ended"
        self._tell(lambda session, now: session.closed(now, why))
        return in_vain

    def _pump(self, port: serial.Serial) -> bool:
        """Until we stop or the session has lost the board; whether that doesn't fit. Raises `PortTrouble`."""
        out = bytearray()
        while True:
            events = self._tell(lambda session, now: session.advance(now))
            with self.lock:
                out += self.session.to_send()
                due = self.session.next_deadline()
                lost = self.session.state is State.LOST
            if self._stopping or lost:
                return any(isinstance(event, Gone) and event.misfit for event in events)
            if len(out) > STUCK:
                raise PortTrouble(f"{port.port} takes no more bytes: the adapter hangs; plug it out and in again")
            if data := self._exchange(port, out, due):
                in_vain = self._receive(data)
                if in_vain:
                    return True

    def _receive(self, data: bytes) -> bool:
        events = self._tell(lambda session, now: session.receive(data, now))
        return any(isinstance(event, Gone) and event.misfit for event in events)

    def _exchange(self, port: serial.Serial, out: bytearray, due: int | None) -> bytes:
        """Wait for bytes until it is time, write what can be written, give what came. Raises `PortTrouble`."""
        fd = port.fd
        wait = None if due is None else max(0, due - time.monotonic_ns()) / 1e9
        try:
            # Not pyserial's own read: that can't wait for a reply, for us and for room to write at once.
            readable, writable, _ = select.select([fd, self._wake_read], [fd] if out else [], [], wait)
            if self._wake_read in readable:
                os.read(self._wake_read, READ)
            if writable:
                del out[: os.write(fd, out)]
            if fd not in readable:
                return b""
            data = os.read(fd, READ)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise PortTrouble(f"{port.port} is gone ({error.strerror}): was the board unplugged?") from error
        if not data:
            raise PortTrouble(f"{port.port} has hung up: was the board unplugged, or does another program read it too?")
        return data
