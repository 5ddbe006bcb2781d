"""The portable parts of the firmware, compiled for the host and driven in one process: a board as `FakeBoard` is one."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
FIRMWARE = HERE.parents[2] / "firmware_bridge" / "firmware"
PORTABLE = ("bell", "channels", "frame", "link", "outputs", "ring", "sensors")
"""Sources that know nothing of a microcontroller."""
MS = 1_000_000


def build(folder: Path, ring: int | None = None) -> ctypes.CDLL:
    """Compile them with every warning an error, and every undefined behaviour a crash."""
    library = folder / "firmware.so"
    sources = [HERE / "host.c", *(FIRMWARE / f"{name}.c" for name in PORTABLE)]
    flags = [
        "-std=gnu99",
        "-O1",
        "-g",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-fsanitize=undefined",
        "-fsanitize-undefined-trap-on-error",
        *([] if ring is None else [f"-DRING_BYTES={ring}"]),
    ]
    done = subprocess.run(
        ["gcc", "-shared", "-fPIC", *flags, "-I", FIRMWARE, "-o", library, *sources], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return ctypes.CDLL(str(library))


class HostFirmware:
    """The compiled link with pins that a test moves; one at a time: the firmware's variables are the library's.

    Times are the host's nanoseconds. It says at once what it has to say, as if the line had no end of room.
    """

    def __init__(self, library: ctypes.CDLL, *, now: int, boot: int = 1, board_id: str = "left") -> None:
        self.library = library
        self.boot = boot
        name = board_id.encode()
        library.host_name(name, len(name))
        for channel in range(24):
            library.host_pin(channel, 0)
        self._start(now, 1)

    def _start(self, now: int, cause: int) -> None:
        self._booted = self._now = now
        self.library.host_boot(self.boot, cause)
        self._full = False
        self._said = b""
        self.advance(now)

    def _us(self, now: int) -> int:
        return (now - self._booted) // 1000 & 0xFFFFFFFF

    def reset(self, now: int, cause: int = 2) -> None:
        self.boot = (self.boot + 1) & 0xFFFF
        self._start(now, cause)

    def set(self, channel: int, level: int, now: int) -> None:
        self.library.host_pin(channel, level)
        self.library.host_look(self._us(now))

    def read(self, channel: int, value: int, now: int) -> None:
        """As of `FakeBoard`, on an analogue input."""
        self.sample(channel - 14, value, now)

    @property
    def full(self) -> bool:
        return self._full

    @full.setter
    def full(self, full: bool) -> None:
        """Its transmitter stands still, so that its ring fills."""
        self._full = full
        self.library.host_busy(full)

    def sample(self, index: int, value: int, now: int) -> None:
        self.library.host_sample(index, value)
        self.library.host_look(self._us(now))

    def receive(self, data: bytes, now: int) -> None:
        self.library.host_hear(data, len(data))
        self.advance(now)

    def advance(self, now: int) -> None:
        self._now = now
        self.library.host_look(self._us(now))
        place = ctypes.POINTER(ctypes.c_uint8)()
        count = self.library.host_rounds(self._us(now), ctypes.byref(place))
        self._said += ctypes.string_at(place, count)

    def next_deadline(self) -> int | None:
        """Soon, while records wait to be sent again."""
        held = self.library.ring_first() & 0xFFFF != self.library.ring_next() & 0xFFFF
        return self._now + 5 * MS if held else None

    def to_send(self) -> bytes:
        said, self._said = self._said, b""
        return said
