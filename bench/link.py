"""Frames a second, and CPU a frame, of the link to a board: the session alone, and the whole port over a pseudo-terminal.

`python bench/link.py` prints a line each, with the ratio to decoding COBS and CRC alone, which no link can do without, and exits
1 below the floor. A serial line of 115,200 baud carries 768 frames a second, one edge each.
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
import time
import tty
from binascii import crc_hqx
from pathlib import Path

from cobs import cobs

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from firmware_bridge.fake_board import FakeBoard
from firmware_bridge.frames import encode_frame
from firmware_bridge.messages import Mode, Record, Setting, encode_events, encode_record
from firmware_bridge.port import Link
from firmware_bridge.session import MS, SECOND, Event, Session, State

SETTINGS = {3: Setting(Mode.PULLED_UP)}
LINE = 115_200 / 10 / 15
"""Frames a second, of 15 bytes each, on the line."""
FLOOR = 20 * LINE
"""A Pi is ten times slower than a desktop, and has other things to do."""
CEILING_RATIO = 60
"""A frame costs at most so many times its bare decoding, which is done in C."""
CHUNK = 64
"""Bytes that the port reads at once: what an FTDI adapter sends in one USB packet."""


def events(board: FakeBoard, count: int, start_us: int) -> list[bytes]:
    """Frames with an edge each, in order, as the board would send them."""
    frames = []
    at = start_us
    for turn in range(count):
        edge = encode_record(Record("edge", at + 5000, 3, 1 - turn % 2), at)
        frames.append(encode_frame("E", board.boot & 0xFF, encode_events((board.next_number + turn) & 0xFFFF, at, edge)))
        at += 5000
    return frames


def bare(frames: list[bytes]) -> float:
    """Seconds of CPU a frame of what nobody can do without."""
    start = time.process_time()
    for frame in frames:
        body = cobs.decode(frame[:-1])
        if crc_hqx(body[:-2], 0xFFFF) != body[-2] | body[-1] << 8:
            raise AssertionError
    return (time.process_time() - start) / len(frames)


def session(count: int) -> tuple[float, float]:
    """Frames a second and seconds of CPU a frame through the session, in chunks as a port reads them, with acknowledgements."""
    now = SECOND
    board, host = FakeBoard("left", now=0), Session("board:left", SETTINGS)
    host.opened(now)
    while host.state is not State.READY:
        board.receive(host.to_send(), now)
        board.advance(now)
        host.receive(board.to_send(), now)
        now += MS
        host.advance(now)
    stream = b"".join(events(board, count, board.clock(now)))
    host.events()
    seen = 0
    start, cpu = time.perf_counter(), time.process_time()
    for place in range(0, len(stream), CHUNK):
        now += 5 * MS
        host.receive(stream[place : place + CHUNK], now)
        host.to_send()
        seen += len(host.events())
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    if seen != count:
        raise AssertionError(f"{seen} of {count} edges came")
    return count / seconds, cpu / count


def port(count: int) -> tuple[float, float]:
    """The same through a pseudo-terminal, the thread and its lock; the CPU of whoever writes is in it."""
    ready, done = threading.Event(), threading.Event()
    seen = 0

    def deliver(told: list[Event], now: int) -> None:  # noqa: ARG001 - as a link calls it
        nonlocal seen
        seen += sum(isinstance(event, Record) and event.kind == "edge" for event in told)
        if link.session.state is State.READY:
            ready.set()
        if seen == count:
            done.set()

    end, name = open_pty()
    board = FakeBoard("left", now=time.monotonic_ns())
    link = Link(Session("board:left", SETTINGS), lambda: [name], deliver)
    link.start()
    while not ready.wait(0.001):
        board.receive(read(end), time.monotonic_ns())
        board.advance(time.monotonic_ns())
        os.write(end, board.to_send())
    stream = b"".join(events(board, count, board.clock(time.monotonic_ns())))
    start, cpu = time.perf_counter(), time.process_time()
    while stream:
        try:
            stream = stream[os.write(end, stream[:4096]) :]
        except BlockingIOError:
            done.wait(0.0005)
        read(end)
    if not done.wait(10):
        raise AssertionError(f"{seen} of {count} edges came")
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    link.stop()
    os.close(end)
    return count / seconds, cpu / count


def open_pty() -> tuple[int, Path]:
    """The board's end, which doesn't block, and the name of the port."""
    end, far = os.openpty()
    tty.setraw(far)
    os.set_blocking(end, False)
    return end, Path(os.ttyname(far))


def read(end: int) -> bytes:
    """What the host said."""
    try:
        return os.read(end, 65536)
    except BlockingIOError:
        return b""


def main() -> int:
    """Print the figures; 1 if they are behind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=20_000)
    parser.add_argument(
        "--runs", type=int, default=5, help="the best of so many counts: the others show what else the machine did"
    )
    options = parser.parse_args()
    frames = events(FakeBoard("left"), options.frames, SECOND // 1000)
    reference = min(bare(frames) for _ in range(options.runs))
    print(f"bare COBS and CRC: {reference * 1e6:.2f} µs CPU/frame")
    behind = False
    for name, measure in (("session", session), ("port", port)):
        results = [measure(options.frames) for _ in range(options.runs)]
        rate, cost = max(rate for rate, _ in results), min(cost for _, cost in results)
        behind |= rate < FLOOR or cost > CEILING_RATIO * reference
        print(
            f"{name}: {rate:,.0f} frames/s, {rate / LINE:.0f} times the line, {rate / FLOOR:.1f} of the floor; "
            f"{cost * 1e6:.1f} µs CPU/frame, {cost / reference:.1f} times the bare decoding (at most {CEILING_RATIO})"
        )
    return int(behind)


if __name__ == "__main__":
    sys.exit(main())
