"""Discovery: which port a board is at. By its id, its USB serial number, or a name of the port that stays; never by ttyUSB0."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from serial.tools import list_ports  # type: ignore[import-untyped]  # pyserial has no types

from firmware_bridge.messages import Hello
from firmware_bridge.port import Link, is_there
from firmware_bridge.session import PATIENCE, SECOND, Event, Gone, Ready, Session

log = logging.getLogger(__name__)

KNOWN = {
    0x0403: "FTDI",
    0x067B: "Prolific",
    0x10C4: "Silicon Labs CP210x",
    0x1A86: "WCH CH340",
    0x2341: "Arduino",
    0x2A03: "Arduino",
}
"""Makers of the serial adapters on Arduino boards, by USB vendor id: others are left alone, they may be anything."""
LINKS = (Path("/dev/serial/by-id"), Path("/dev/serial/by-path"))
PROBE_SECONDS = 2 * PATIENCE / SECOND + 2
_UNSTABLE = re.compile(r"/dev/tty(USB|ACM)\d+")


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which board: at a port, or with a USB serial number, or with an id; several together must all be true."""

    port: Path | None = None
    usb_serial: str | None = None
    board_id: str | None = None

    def __str__(self) -> str:
        """As a person would say it."""
        said = []
        if self.port is not None:
            said.append(f"at {self.port}")
        if self.usb_serial is not None:
            said.append(f"with the USB serial number {self.usb_serial}")
        if self.board_id is not None:
            said.append(f"called {self.board_id}")
        return " ".join(said)


@dataclass(frozen=True, slots=True)
class Adapter:
    """A serial adapter that is plugged in. `path`: a name that stays, where there is one; `device`: where it is now."""

    path: Path
    device: Path
    maker: str
    usb_serial: str | None


@dataclass(frozen=True, slots=True)
class Found:
    """What is at a port: a board's hello, or a sentence why not. `error`: how exactly its clock is known, in nanoseconds."""

    path: Path
    hello: Hello | None
    sentence: str
    error: int = 0


def unstable(port: Path) -> str | None:
    """Why this port is no name for a board: its number changes with the order of plugging in. None if it will do."""
    if _UNSTABLE.fullmatch(str(port)) is None:
        return None
    link = stable(port)
    return f"{port} may be another board after the next start: write " + (
        f'"{link}"' if link != port else "its name in /dev/serial/by-id or /dev/serial/by-path, or its id"
    )


def stable(device: Path, folders: Iterable[Path] = LINKS) -> Path:
    """The name of a device that stays, by-id before by-path; the device itself if it has none."""
    for folder in folders:
        try:
            links = sorted(folder.iterdir())
        except FileNotFoundError:  # udev takes it away with the last link in it
            continue
        for link in links:
            if link.resolve() == device:
                return link
    return device


def adapters() -> list[Adapter]:
    """The known serial adapters that are plugged in; none if one was pulled out just while they were looked at."""
    try:
        ports = list_ports.comports()
    except (OSError, TypeError) as error:  # pyserial makes a number of what the kernel no longer says
        log.debug("The adapters changed while they were listed: %s", error)
        return []
    return [
        Adapter(stable(Path(port.device)), Path(port.device), KNOWN[port.vid], port.serial_number)
        for port in sorted(ports, key=lambda port: port.device)
        if port.vid in KNOWN
    ]


def find(wanted: Wanted) -> list[Path]:
    """The ports at which this board may be, now. A port that is named is given even if nothing is known of it."""
    if wanted.port is not None:
        return [wanted.port] if is_there(wanted.port) else []
    return [
        adapter.path for adapter in adapters() if wanted.usb_serial is None or adapter.usb_serial == wanted.usb_serial
    ]  # with an id alone each known adapter is asked who it is


def probe(path: Path, seconds: float = PROBE_SECONDS) -> Found:
    """Ask who is at a port; takes at most so long, and a fraction of a second if a board answers."""
    outcome: list[Event] = []
    known = threading.Event()

    def deliver(events: list[Event], now: int) -> None:  # noqa: ARG001 - as a link calls it
        ends = [event for event in events if isinstance(event, Ready | Gone)]
        if ends and not outcome:
            outcome.append(ends[0])
            known.set()

    link = Link(Session(str(path)), lambda: [path], deliver)
    link.start()
    known.wait(seconds)
    error = link.session.clock.error(outcome[0].at) if outcome and isinstance(outcome[0], Ready) else 0
    link.stop()
    match outcome:
        case [Ready(hello=hello)]:
            return Found(path, hello, f"{hello.id or 'a board without an id'}, {hello.build}", error)
        case [Gone(why=why)]:
            return Found(path, None, why)
        case _:
            return Found(path, None, f"{path}: nothing could be found out in {seconds:.0f} s")
