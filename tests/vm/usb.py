"""USB of the virtual machine: a serial adapter, as Arduinos have, that is plugged in and pulled out while the machine runs.

QEMU does it on demand, which comes as lines of JSON on a socket (QMP). The adapter is FTDI's; its other end is a pseudo-terminal
of the host.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

OPTIONS = ("-device", "qemu-xhci,id=usb", "-mon", "chardev=monitor,mode=control", "-chardev")
"""QEMU's, before that which names the socket."""
PATIENCE = 30.0
"""Seconds for one demand, on a busy host."""


class UsbFailed(AssertionError):
    """QEMU refused a demand; with its own words."""


class Usb:
    """The sockets of the machine; use it in a `with`. `theirs` is QEMU's end, which it must inherit."""

    def __init__(self) -> None:
        self._ours, self.theirs = socket.socketpair()
        self._ours.settimeout(PATIENCE)
        self._lines = self._ours.makefile("r")

    @property
    def options(self) -> list[str]:
        return [*OPTIONS, f"socket,id=monitor,fd={self.theirs.fileno()}"]

    def begin(self) -> None:
        """Once QEMU runs."""
        self.theirs.close()
        self._until(lambda said: "QMP" in said)
        self._demand("qmp_capabilities")

    def plug(self, terminal: Path, serial: str, port: int = 1) -> None:
        """Plug an adapter with this serial number into a socket; what the guest writes to it comes out of the terminal."""
        self._demand("chardev-add", id="line", backend={"type": "serial", "data": {"device": str(terminal)}})
        self._demand("device_add", driver="usb-serial", id="adapter", chardev="line", serial=serial, bus="usb.0", port=str(port))

    def unplug(self) -> None:
        """Pull it out."""
        self._demand("device_del", id="adapter")
        self._until(lambda said: said.get("event") == "DEVICE_DELETED")
        self._demand("chardev-remove", id="line")

    def _demand(self, what: str, **arguments: Any) -> None:
        self._ours.sendall(json.dumps({"execute": what, "arguments": arguments}).encode() + b"\n")
        answer = self._until(lambda said: "return" in said or "error" in said)
        if "error" in answer:
            raise UsbFailed(f"{what} {arguments}: {answer['error']}")

    def _until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        while True:
            line = self._lines.readline()
            if not line:
                raise UsbFailed("QEMU has gone")
            said: dict[str, Any] = json.loads(line)
            if wanted(said):
                return said

    def close(self) -> None:
        self._lines.close()
        self._ours.close()
        self.theirs.close()
