"""The firmware of boards in the simulator: size, RAM, longest round of its loop, cycles from an edge to its frame, pin to host.

`python bench/firmware.py` prints a table and exits 1 beyond the limits. Cycles are the simulated chip's: the same on every
machine. From pin to host is in the board's time: the host's share of it shrinks when the simulation is slow.
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from firmware_bridge import port  # noqa: E402 - the checkout's own packages
from firmware_bridge.discovery import Wanted  # noqa: E402
from firmware_bridge.frames import encode_frame  # noqa: E402
from firmware_bridge.messages import Mode, Setting, decode_statistics, encode_number  # noqa: E402
from hardware.signals import Signal  # noqa: E402
from hardware.sources.board import BoardSource  # noqa: E402
from tests.avr.avr_kit import CYCLES_US, FIRMWARE, MCU, Board, BoardTime, Line, build, records  # noqa: E402

FLASH = {"nano": 30_720, "mega": 253_952}
"""Bytes beside the boot loader."""
RAM = {"nano": 2_048, "mega": 8_192}
STACK_LEFT = 64
"""Bytes that the stack must never have touched."""
LONGEST_ROUND = 500
"""µs: what main.c promises, so that no two looks are more than a millisecond apart."""
EDGE_TO_FRAME = 1_000
"""µs from the edge to the first byte of its frame at the most: the next look, and a round."""
LINE_BYTES = 11_520
"""A second."""
PIN_TO_HOST = 6.0
"""ms in the middle: a look, 15 bytes of line, the host."""

BELL = Setting(Mode.BELL, period=10, threshold=300, tail=400)
PULLED_UP = Setting(Mode.PULLED_UP)
misses: list[str] = []


def row(name: str, figure: float, unit: str, limit: float | None = None) -> None:
    far = limit is not None and figure > limit
    if far:
        misses.append(name)
    print(f"{name:<52}{figure:>10,.1f} {unit:<6}{'' if limit is None else f'at most {limit:,.0f}'}{'  BEYOND' if far else ''}")


def busiest_play(simulator: Path, kind: str, ram_used: int) -> None:
    """Ten seconds of 200 edges a second and three bells, with a host that asks for the time each 20 ms."""
    chance = random.Random(1)
    with Board(simulator, kind) as board:
        line = Line(board)
        line.run(20_000)
        bells = (14, 15, 16) if kind == "nano" else (54, 55, 69)
        for pin in range(2, 14):
            line.configure(pin, PULLED_UP)
        for bell in bells:
            line.configure(bell, BELL)
        expected = 0
        level = [1] * 8
        for turn in range(1000):
            if kind == "nano":
                for when in (100, 5_100):
                    pin = chance.randrange(2, 8)
                    level[pin] ^= 1
                    board.pin(pin, level[pin], after_us=when + chance.randrange(4_000))
            if turn % 100 == 0:
                for bell in bells:
                    board.adc(bell - bells[0] if bell < 69 else 15, 900, after_us=chance.randrange(9_000))
            if turn % 100 == 60:
                for bell in bells:
                    board.adc(bell - bells[0] if bell < 69 else 15, 0)
            asks = encode_frame("tls"[turn // 2 % 3], turn % 255 + 1) if turn % 2 else b""
            line.run(10_000, encode_frame("a", 0, encode_number(expected)) + asks)
            expected = len(records(line.frames))
        counted = decode_statistics(line.ask("s").payload)
        lowest = int(board.do("stat")[0])
    base = 0x100 if kind == "nano" else 0x200
    row(f"{kind}: RAM, variables", ram_used, "bytes")
    row(f"{kind}: RAM, with the deepest stack", RAM[kind] - (lowest + 1 - base) + ram_used, "bytes", RAM[kind] - STACK_LEFT)
    row(f"{kind}: longest round of the loop", counted.longest_loop, "µs", LONGEST_ROUND)
    row(f"{kind}: records lost", counted.lost, "", 0)
    row(f"{kind}: ring at its fullest", counted.fullest, "bytes")


def ten_bells(simulator: Path) -> None:
    """All ten bells of a table struck at once each second, and ringing on."""
    with Board(simulator, "mega") as board:
        line = Line(board)
        line.run(20_000)
        bells = range(54, 64)
        for bell in bells:
            line.configure(bell, BELL)
        said, expected, most = int(board.do("stat")[1]), 0, 0
        for turn in range(300):
            if turn % 100 in (0, 60):
                for bell in bells:
                    board.adc(bell - bells[0], 0 if turn % 100 else 900, after_us=3_000)
            line.run(10_000, encode_frame("a", 0, encode_number(expected)))
            expected = len(records(line.frames))
            if turn % 20 == 19:
                now = int(board.do("stat")[1])
                most, said = max(most, now - said), now
        counted = decode_statistics(line.ask("s").payload)
    row("ten bells on a Mega: share of the line while they ring", most * 100 / (LINE_BYTES / 5), "%", 100)
    row("ten bells on a Mega: records lost, frames sent again", counted.lost + counted.sent_again, "", 0)
    row("ten bells on a Mega: longest round of the loop", counted.longest_loop, "µs", LONGEST_ROUND)


def edge_to_frame(simulator: Path) -> None:
    chance = random.Random(2)
    with Board(simulator) as board:
        line = Line(board)
        line.run(20_000)
        line.configure(2, PULLED_UP)
        cycles = []
        for turn in range(400):
            moved = board.cycle + CYCLES_US * 1_000
            board.pin(2, turn % 2, after_us=1_000)
            line.run(4_000 + chance.randrange(1_000))
            cycles.append(board.first_out - moved)
            line.acknowledge(0, turn + 1, us=1_000 + chance.randrange(1_000))
    row("edge to frame, in the middle", statistics.median(cycles), "cycles")
    row("edge to frame, worst", max(cycles), "cycles", EDGE_TO_FRAME * CYCLES_US)


def pin_to_host(simulator: Path, folder: Path) -> None:
    with Board(simulator, link=folder / "usb-bench") as board:
        assert board.link is not None
        clock = BoardTime(board)
        port.time = clock  # type: ignore[assignment]  # host and board by one clock
        came = threading.Event()
        at = 0

        def emit(_: Signal) -> None:
            nonlocal at
            at = clock.monotonic_ns()
            came.set()

        source = BoardSource("board:bench", Wanted(board.link))
        source.open(["board:bench/2"], emit)
        latencies = []
        for turn in range(200):
            came.clear()
            board.pin(2, turn % 2)
            if not came.wait(10):
                raise SystemExit("an edge was lost")
            latencies.append((at - board.cycle * 1000 // CYCLES_US) / 1e6)
        source.close()
    row("pin to observation, p50", statistics.median(latencies), "ms", PIN_TO_HOST)
    row("pin to observation, p99", statistics.quantiles(latencies, n=100)[98], "ms")


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run(["make", "-s", "-C", FIRMWARE, f"OUT={folder}", f"HEX={folder}"], check=True)
        simulator = build(folder)
        for kind in MCU:
            sizes = subprocess.run(["avr-size", folder / f"{kind}.elf"], check=True, capture_output=True, text=True)
            text, data, bss = map(int, sizes.stdout.splitlines()[1].split()[:3])
            row(f"{kind}: flash", text + data, "bytes", FLASH[kind])
            busiest_play(simulator, kind, data + bss)
        ten_bells(simulator)
        edge_to_frame(simulator)
        pin_to_host(simulator, folder)
    if misses:
        print(f"Beyond the limits: {', '.join(misses)}")
    return 1 if misses else 0


if __name__ == "__main__":
    sys.exit(main())
