"""What may happen to a board and its line, drawn by Hypothesis, and what must come of it.

For the board in Python and for the link code of the firmware alike.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeGuard

from hypothesis import strategies as st

from firmware_bridge.frames import FrameReader
from firmware_bridge.messages import Mode, Record, Setting
from firmware_bridge.session import MS, SECOND, Event, Ready, State
from tests.firmware_bridge.line_kit import INPUT, Line, clean

RING = 150
"""Bytes of the boards' rings, so that they overflow soon."""
PINS = {2: INPUT, 3: INPUT}
NOTES = {14: Setting(Mode.ANALOGUE, 10, 1)}
FAULTS = ("pass", "pass", "drop", "double", "cut", "flip", "swap", "noise", "zero")
LINES = st.lists(st.sampled_from(FAULTS), max_size=80)
_WHEN = st.integers(1, 120)
"""Milliseconds until the next step."""
STEPS = st.lists(
    st.tuples(st.sampled_from(("edge", "edge", "edge", "burst", "full", "room", "plug", "levels")), _WHEN), max_size=60
)
RESETS = st.lists(st.tuples(st.sampled_from(("note", "note", "note", "reset", "plug")), _WHEN), max_size=60)
CLOCK = 10 * MS
"""So exactly at least is a board's clock known on a line that takes a millisecond each way, whatever happens there."""
BURST = 60
"""Edges of one."""


class BadLine:
    """Does the next fault of its list to each chunk, then no more."""

    def __init__(self, faults: Sequence[str], seed: int) -> None:
        self.faults = list(faults)
        self.chance = random.Random(seed)
        self.kept: list[bytes] = []

    def __call__(self, chunk: bytes) -> list[bytes]:
        before, self.kept = self.kept, []
        place = self.chance.randrange(len(chunk))
        match self.faults.pop() if self.faults else "pass":
            case "drop":
                return before
            case "double":
                return [chunk, *before, chunk]
            case "cut":
                return [chunk[:place], *before, chunk[place + 1 :]]
            case "flip":
                return [*before, chunk[:place] + bytes((chunk[place] ^ 1 << self.chance.randrange(8),)) + chunk[place + 1 :]]
            case "swap":
                self.kept = [chunk]
                return before
            case "noise":
                return [*before, self.chance.randbytes(place + 1), chunk]
            case "zero":
                return [*before, chunk[:place] + b"\0" + chunk[place:]]
            case _:
                return [chunk, *before]


def play_edges(line: Line, steps: Sequence[tuple[str, int]], to_host: Sequence[str], to_board: Sequence[str], seed: int) -> None:
    """Each edge must come once and in order, or a record in its place say how many are lost."""
    line.connect()
    line.to_host, line.to_board = BadLine(to_host, seed), BadLine(to_board, seed + 1)
    levels = dict.fromkeys(PINS, 0)
    driven: list[tuple[int, int, int]] = []

    def move(channel: int) -> None:
        levels[channel] ^= 1
        driven.append((channel, levels[channel], line.now))
        line.set(channel, levels[channel])

    for step, milliseconds in steps:
        match step:
            case "edge":
                move(2 + milliseconds % 2)
            case "burst":
                for turn in range(BURST):
                    line.now += MS // 2 if turn % 3 else 0  # two at once are a shorter record
                    move(2 + turn % 2)
            case "full" | "room":
                line.board.full = step == "full"
            case "plug":  # a board with its own supply
                line.unplug()
                line.board.to_send()
                line.open()
            case _:
                line.session.ask("l", b"", line.now)
        line.run(milliseconds * MS)
    line.board.full = False
    settle(line)
    account(driven, line.records)
    times = [record.at for record in line.records]
    assert times == sorted(times)
    assert line.session.counters.lost == sum(record.value for record in line.records if record.kind == "lost")


def play_resets(line: Line, steps: Sequence[tuple[str, int]], to_host: Sequence[str], to_board: Sequence[str]) -> None:
    """A reset loses what is on the board; what comes is nothing twice and in order, and what happens afterwards comes."""
    line.connect()
    line.to_host, line.to_board = BadLine(to_host, 1), BadLine(to_board, 2)
    for count, (step, milliseconds) in enumerate(steps):
        if step == "note":
            line.board.read(14, count, line.now)
        elif step == "reset":
            line.board.reset(line.now)
        else:
            line.unplug()
            line.board.reset(line.now, cause=1)
            line.open()
        line.run(milliseconds * MS)
    settle(line)
    line.board.read(14, 1000, line.now)
    line.run(SECOND)
    values = [record.value for record in line.records if record.kind == "reading"]
    assert values == sorted(set(values))
    assert values[-1] == 1000


def play_resets_at_levels(line: Line, resets: int) -> None:
    """The board boots each time just before it is asked for its levels: what it says with its channels off is no level."""
    for channel in PINS:
        line.set(channel, 1)
    line.connect()
    reader, left = FrameReader(), resets

    def boot_first(chunk: bytes) -> list[bytes]:
        nonlocal left
        if left and any(frame.kind == ord("l") for frame in reader.feed(chunk)):
            left -= 1
            line.board.reset(line.now)
        return [chunk]

    line.to_board = boot_first
    line.session.ask("l", b"", line.now)
    line.run(SECOND)
    settle(line)
    assert left == 0
    told = [event.levels if isinstance(event, Ready) else event.value for event in line.heard if is_levels(event)]
    assert set(told) == {sum(1 << channel for channel in PINS)}


def is_levels(event: Event) -> TypeGuard[Ready | Record]:
    """Whether that tells the levels."""
    return isinstance(event, Ready) or (isinstance(event, Record) and event.kind == "levels")


def settle(line: Line) -> None:
    """The line is good again; a session that has given up meanwhile is begun anew."""
    line.to_host = line.to_board = clean
    for _ in range(3):
        line.run(4 * SECOND)
        if line.session.state is State.LOST:
            line.unplug()
            line.open()
    assert line.session.state is State.READY


def account(driven: Sequence[tuple[int, int, int]], records: Sequence[Record]) -> None:
    """What was driven, and when, is what came, but for what is said to be lost, at its place."""
    place = 0
    for record in records:
        if record.kind == "edge":
            *moved, at = driven[place]
            assert moved == [record.channel, record.value]
            assert abs(record.at - at) <= CLOCK
            place += 1
        elif record.kind == "lost":
            place += record.value
    assert place == len(driven)
