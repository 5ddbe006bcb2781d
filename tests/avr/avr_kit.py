"""The firmware in simavr, for tests and benches: stepped, where time passes when told, or live behind a pty."""

from __future__ import annotations

import mmap
import subprocess
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from firmware_bridge.frames import Frame, FrameReader, encode_frame
from firmware_bridge.messages import Hello, Record, Setting, decode_events, decode_hello, encode_setting

HERE = Path(__file__).parent
FIRMWARE = HERE.parents[1] / "firmware_bridge" / "firmware"
LOADERS = Path("/usr/share/arduino/hardware/arduino/avr/bootloaders")
"""Of Debian's package arduino-core-avr."""
MCU = {"nano": "atmega328p", "mega": "atmega2560"}
CYCLES_US = 16
"""Cycles in a microsecond."""
BYTE_US = 87


def build(folder: Path) -> Path:
    """Compile the program that runs boards; gives its path."""
    program = folder / "board"
    command = ["gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, HERE / "board.c", "-lsimavr", "-lutil"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return program


def old_nano_loader(folder: Path) -> Path:
    """The boot loader of a Nano before 2018."""
    return plain_hex(LOADERS / "atmega" / "ATmegaBOOT_168_atmega328.hex", folder)


def nano_loader(folder: Path) -> Path:
    """That of a newer Nano, built with room for what a newer compiler makes of it: Debian's own build exceeds its 512 bytes."""
    built, made = folder / "optiboot.elf", folder / "optiboot.hex"
    options = [
        "-mmcu=atmega328p",
        "-DF_CPU=16000000L",
        "-DBAUD_RATE=115200",
        "-DLED_START_FLASHES=3",
        "-Os",
        "-w",
        "-nostartfiles",
    ]
    options += ["-fno-split-wide-types", "-mrelax", "-Wl,--section-start=.text=0x7c00,--section-start=.version=0x7ffe"]
    for command in (
        ["avr-gcc", *options, "-o", built, LOADERS / "optiboot" / "optiboot.c"],
        [
            "avr-objcopy",
            "-j",
            ".text",
            "-j",
            ".data",
            "-j",
            ".version",
            "--set-section-flags",
            ".version=alloc,load",
            "-O",
            "ihex",
            built,
            made,
        ],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    return plain_hex(made, folder)


def mega_loader(folder: Path) -> Path:
    """That of a Mega."""
    return plain_hex(LOADERS / "stk500v2" / "stk500boot_v2_mega2560.hex", folder)


def plain_hex(path: Path, folder: Path) -> Path:
    """A hex file of data and where it belongs, which is all that simavr reads."""
    made = folder / f"plain-{path.name}"
    made.write_text("".join(line + "\n" for line in path.read_text().splitlines() if line[7:9] in ("00", "02", "04")))
    return made


class Board:
    """A board with the firmware that travels with the program; with a `link` live behind a pty of that name, else stepped.

    With a `loader` it has nothing but that, and opening its port resets it.
    """

    def __init__(self, program: Path, kind: str = "nano", link: Path | None = None, loader: Path | None = None) -> None:
        command = [
            program,
            loader or FIRMWARE / f"{kind}.hex",
            MCU[kind],
            *([link] if link else []),
            *(["dtr"] if loader else []),
        ]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.link = link
        self.cycle = self.first_out = 0
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(10)

    def do(self, command: str) -> list[str]:
        """Say a command (board.c lists them); gives the words of its reply behind the cycle."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._lock:
            self._process.stdin.write(command + "\n")
            ok, *words = self._process.stdout.readline().split() or ["gone"]
        assert ok == "ok", f"{command}: {ok}"
        self.cycle = int(words[0])
        return words[1:]

    def run(self, us: int, data: bytes = b"") -> bytes:
        """Let time pass; `data` arrives on the line meanwhile. Gives what the board said."""
        first, *out = self.do(f"run {us} {data.hex()}")
        self.first_out = int(first)
        return bytes.fromhex(out[0]) if out else b""

    def pin(self, channel: int, level: int, after_us: int = 0) -> None:
        """A level at a digital pin of a Nano."""
        port, bit = ("D", channel) if channel < 8 else ("B", channel - 8) if channel < 14 else ("C", channel - 14)
        self.do(f"{f'at {after_us} ' if after_us else ''}pin {port}{bit} {level}")

    def adc(self, index: int, steps: int, after_us: int = 0) -> None:
        """A voltage at an analogue pin, in steps of the ADC."""
        self.do(f"{f'at {after_us} ' if after_us else ''}adc {index} {(steps * 5000 + 2500) // 1024}")


class BoardTime:
    """The clock of a live board, in the place of the machine's: whoever lives by it doesn't mind how fast the simulation goes."""

    def __init__(self, board: Board) -> None:
        assert board.link is not None
        board.do("stat")  # it answers when the file is there
        with Path(f"{board.link}.clock").open("rb") as file:
            self._shown = memoryview(mmap.mmap(file.fileno(), 8, prot=mmap.PROT_READ)).cast("Q")

    def monotonic_ns(self) -> int:
        return self._shown[0]

    def monotonic(self) -> float:
        return self._shown[0] / 1e9

    def wait(self, ns: int) -> None:
        """Until so much of its time has passed."""
        end = self.monotonic_ns() + ns
        while self.monotonic_ns() < end:
            threading.Event().wait(min(ns, 1_000_000) / 1e9)


@dataclass
class Line:
    """The host's end of a stepped board's line, as plain as can be: no session, so that each frame can be looked at."""

    board: Board
    reader: FrameReader = field(default_factory=FrameReader)
    frames: list[Frame] = field(default_factory=list)
    tag: int = 0

    def run(self, us: int, data: bytes = b"") -> list[Frame]:
        """Let time pass; gives the frames that came."""
        came = self.reader.feed(self.board.run(us, data))
        self.frames += came
        return came

    def ask(self, kind: str, payload: bytes = b"", us: int = 20_000) -> Frame:
        """Say a request once; gives the reply."""
        self.tag = self.tag % 255 + 1
        replies = [
            frame
            for frame in self.run(us, encode_frame(kind, self.tag, payload))
            if frame.tag == self.tag and chr(frame.kind) != "E"
        ]
        assert len(replies) == 1, f"{kind}: {replies}"
        return replies[0]

    def ask_again(self, kind: str, payload: bytes) -> Frame:
        """Say a request as a host does, each 100 ms, until the reply comes."""
        for _ in range(30):
            self.tag = 99
            replies = [frame for frame in self.run(100_000, encode_frame(kind, 99, payload)) if frame.tag == 99]
            if replies:
                return replies[0]
        raise AssertionError(f"{kind}: no reply in 3 s")

    def hello(self) -> Hello:
        return decode_hello(self.ask("h", b"\1").payload)

    def configure(self, channel: int, setting: Setting) -> Frame:
        return self.ask("c", encode_setting(channel, setting), us=20000)

    def acknowledge(self, boot: int, number: int, us: int = 2000) -> list[Frame]:
        return self.run(us, encode_frame("a", boot & 0xFF, number.to_bytes(2, "little")))


def records(frames: list[Frame]) -> dict[int, Record]:
    """All records in these frames by their number; the same number has always the same record."""
    found: dict[int, Record] = {}
    for frame in frames:
        if chr(frame.kind) != "E":
            continue
        events = decode_events(frame.payload)
        for number, record in enumerate(events.records, events.number):
            assert found.setdefault(number & 0xFFFF, record) == record
    return found
