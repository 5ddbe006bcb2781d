"""What every source must do, as plain functions over a bench that moves the inputs of the source under test.

`for check in CONTRACT: check(a_fresh_bench)`. Nothing here needs pytest, so that the same checks run inside a virtual machine.

Sources of lines of text have one address and no levels, so there is nothing to reconcile and no edge to be missed. What is left
of the contract (order and times, the watermark, losses counted, closing and opening again, addresses named, storms muted) is held
over pseudo-terminals by `tests/hardware/sources/test_lines.py`.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Protocol

from hardware.signals import MS, SECOND, Signal
from hardware.sources.source import Source, SourceError


class Bench(Protocol):
    """Inputs that can be moved, and a source that watches them."""

    channels: tuple[str, ...]
    """Three inputs or more, each at level 0 when the bench is made."""
    unknown: str
    """An address that the source can't have."""
    storm_limit: int
    """Above so many edges within a second the source mutes a channel: small enough for the bench to drive twice as many."""

    def make(self) -> Source:
        """A new source on these inputs, not open yet. Called again only after the last one was closed."""

    def now(self) -> int:
        """The clock by which the source stamps its signals, in nanoseconds."""

    def let_pass(self, ns: int) -> None:
        """Let at least so much time pass (a simulated clock jumps, a real one waits)."""

    def drive(self, channel: str, level: int) -> None:
        """Set the level of an input now. Safe from a second thread while the first asks the source."""

    def drive_unseen(self, channel: str, level: int) -> None:
        """Set the level so that no edge reaches the source and nothing shows it that one is missing."""

    def lose_edges(self, channel: str, level: int) -> None:
        """Drive edges so that the source can't get them all but can tell (an overflow); the input ends at `level`."""


class Ear:
    """Takes what a source emits."""

    def __init__(self) -> None:
        self.signals: list[Signal] = []

    def emit(self, signal: Signal) -> None:
        self.signals.append(signal)

    def values(self, channel: str) -> list[int]:
        return [signal.number for signal in self.signals if signal.channel == channel]


def until(bench: Bench, condition: Callable[[], bool], what: str) -> None:
    """Let time pass until the condition holds; fails after ten seconds of the bench's time."""
    deadline = bench.now() + 10 * SECOND
    while not condition():
        assert bench.now() < deadline, f"waited ten seconds in vain: {what}"
        bench.let_pass(5 * MS)


@contextmanager
def opened(bench: Bench, ear: Ear) -> Iterator[Source]:
    source = bench.make()
    try:
        source.open(bench.channels, ear.emit)
        yield source
    finally:
        source.close()


def check_opening_levels_are_silent(bench: Bench) -> None:
    first, second, third = bench.channels[:3]
    bench.drive(second, 1)
    ear = Ear()
    source = bench.make()
    try:
        levels = source.open(bench.channels, ear.emit)
        assert levels == {channel: int(channel == second) for channel in bench.channels}
        assert source.levels() == levels
        assert source.health().up
        bench.drive(third, 1)
        until(bench, lambda: bool(ear.signals), "the first edge")
        assert [(signal.channel, signal.value) for signal in ear.signals] == [(third, 1)]
        bench.drive(first, 1)
        until(bench, lambda: len(ear.signals) > 1, "the second edge")
        assert source.levels()[first] == 1
    finally:
        source.close()


def check_order_and_times(bench: Bench) -> None:
    ear = Ear()
    with opened(bench, ear) as source:
        driven = []
        start = bench.now()
        for turn in range(20):
            for channel in bench.channels:
                driven.append((channel, 1 - turn % 2))
                bench.drive(*driven[-1])
                bench.let_pass(MS)
        until(bench, lambda: len(ear.signals) >= len(driven), "every edge")
        assert [(signal.channel, signal.value) for signal in ear.signals] == driven
        times = [signal.at for signal in ear.signals]
        assert times == sorted(times)
        assert start <= times[0]
        assert times[-1] <= bench.now()
        # A millisecond passed between any two edges. The stamps must show it: they tell when the input moved, not when it was
        # read.
        assert all(later - earlier >= MS // 2 for earlier, later in pairwise(times))
        assert source.health().lost == 0


def check_watermark_under_load(bench: Bench) -> None:
    """After `watermark` answered `w`, no signal older than `w` comes, whatever goes on at the inputs."""
    ear = Ear()
    with opened(bench, ear) as source:
        done = threading.Event()

        def load() -> None:
            for turn in range(bench.storm_limit // 2):
                for channel in bench.channels:
                    bench.drive(channel, 1 - turn % 2)
            done.set()

        thread = threading.Thread(target=load)
        thread.start()
        marks: list[tuple[int, int]] = []  # how many signals had come when it was told, and what it was
        while not done.is_set():
            now = bench.now()
            mark = source.watermark(now)
            marks.append((len(ear.signals), mark))
            assert mark <= now
        thread.join()
        last = bench.now()
        until(bench, lambda: source.watermark(bench.now()) > last, "a watermark past the last edge")
        marks.append((len(ear.signals), source.watermark(bench.now())))
        for channel in bench.channels:
            bench.drive(channel, 1 - source.levels()[channel])
        until(bench, lambda: len(ear.signals) >= marks[-1][0] + len(bench.channels), "the edges after the load")
        for count, mark in marks:
            assert all(signal.at >= mark for signal in ear.signals[count:])
        assert [mark for _, mark in marks] == sorted(mark for _, mark in marks), "a watermark never goes back"
        assert source.health().late == 0


def check_last_edge(bench: Bench) -> None:
    """However fast an input moves, what was said of it last is what it is."""
    ear = Ear()
    with opened(bench, ear) as source:
        for channel in bench.channels:
            for turn in range(bench.storm_limit // 2 * 2 - 1):
                bench.drive(channel, 1 - turn % 2)

        def told() -> bool:
            source.reconcile(bench.now())
            return all(ear.values(channel)[-1:] == [1] for channel in bench.channels)

        until(bench, told, "level 1 of each channel as the last word")
        assert source.levels() == dict.fromkeys(bench.channels, 1)
        for channel in bench.channels:
            assert set(ear.values(channel)) <= {0, 1}


def check_gap_is_counted(bench: Bench) -> None:
    first, second = bench.channels[:2]
    ear = Ear()
    with opened(bench, ear) as source:
        assert source.health().lost == 0
        bench.lose_edges(first, 1)

        def told() -> bool:
            source.reconcile(bench.now())
            return ear.values(first)[-1:] == [1] and source.health().lost > 0

        until(bench, told, "the lost edges counted and the level right")
        lost = source.health().lost
        bench.drive(second, 1)
        until(bench, lambda: ear.values(second) == [1], "an edge of another channel")
        bench.drive(first, 0)
        until(bench, lambda: ear.values(first)[-1] == 0, "the next edge of the channel that lost some")
        assert source.health().lost == lost, "one gap is counted once"


def check_silent_change_is_recovered(bench: Bench) -> None:
    first, second = bench.channels[:2]
    ear = Ear()
    with opened(bench, ear) as source:
        bench.drive_unseen(first, 1)
        bench.drive(second, 1)
        until(bench, lambda: ear.values(second) == [1], "an edge of another channel")
        assert ear.values(first) == []
        before = bench.now()

        def told() -> bool:
            source.reconcile(bench.now())
            return ear.values(first) == [1]

        until(bench, told, "the level that changed without an edge")
        assert source.health().recovered == 1
        assert before <= ear.signals[-1].at <= bench.now()
        source.reconcile(bench.now())
        bench.drive(first, 0)
        until(bench, lambda: ear.values(first) == [1, 0], "the edge after it, and no signal twice")
        assert source.health().recovered == 1
        times = [signal.at for signal in ear.signals]
        assert times == sorted(times)


def check_close_and_reopen(bench: Bench) -> None:
    first, second = bench.channels[:2]
    ear, later_ear = Ear(), Ear()
    source = bench.make()
    try:
        source.open(bench.channels, ear.emit)
        bench.drive(first, 1)
        until(bench, lambda: ear.values(first) == [1], "an edge before closing")
        source.close()
        source.close()
        assert not source.health().up
        bench.drive(first, 0)
        bench.drive(second, 1)
        levels = source.open(bench.channels, later_ear.emit)
        assert (levels[first], levels[second]) == (0, 1)
        bench.drive(first, 1)
        until(bench, lambda: later_ear.values(first) == [1], "an edge after opening again")
        assert [(signal.channel, signal.value) for signal in ear.signals] == [(first, 1)]
        assert [(signal.channel, signal.value) for signal in later_ear.signals] == [(first, 1)]
    finally:
        source.close()
    another = bench.make()  # every line must be free for the next one
    try:
        assert another.open(bench.channels, Ear().emit)[first] == 1
    finally:
        another.close()


def check_unknown_channel_is_named(bench: Bench) -> None:
    source = bench.make()
    try:
        message = ""
        try:
            source.open([*bench.channels, bench.unknown], Ear().emit)
        except SourceError as error:
            message = str(error)
        assert bench.unknown in message
        assert set(source.open(bench.channels, Ear().emit)) == set(bench.channels), "the failed attempt left nothing behind"
    finally:
        source.close()


def check_handler_survives_garbage_collection(bench: Bench) -> None:
    first = bench.channels[0]
    signals: list[Signal] = []
    source = bench.make()
    try:
        source.open(bench.channels, lambda signal: signals.append(signal))  # noqa: PLW0108 - a lambda that nothing else holds is the point
        gc.collect()
        for level in (1, 0, 1):
            bench.drive(first, level)
            bench.let_pass(MS)
        until(bench, lambda: [signal.value for signal in signals] == [1, 0, 1], "three edges after a garbage collection")
    finally:
        source.close()


def check_storm_is_muted_and_reported(bench: Bench) -> None:
    stormy, other = bench.channels[:2]
    ear = Ear()
    with opened(bench, ear) as source:

        def raging() -> bool:
            # On a busy machine a storm may lose edges, or take a while to be as dense as one.
            for turn in range(2 * bench.storm_limit):
                bench.drive(stormy, 1 - turn % 2)
            return stormy in source.health().muted

        until(bench, raging, "the storm muted")
        told = len(ear.values(stormy))
        for level in (1, 0, 1):
            bench.drive(stormy, level)
        assert len(ear.values(stormy)) == told
        assert any(stormy in fault for fault in source.health().faults), "a sentence names the channel"
        bench.drive(other, 1)
        until(bench, lambda: ear.values(other) == [1], "another channel goes on")

        def calm() -> bool:
            source.reconcile(bench.now())
            return stormy not in source.health().muted and ear.values(stormy)[-1] == 1

        until(bench, calm, "the channel let in again with the level it has")
        assert source.health().faults == ()
        bench.drive(stormy, 0)
        until(bench, lambda: ear.values(stormy)[-1] == 0, "an edge after the storm")


Check = Callable[[Bench], None]

CONTRACT: tuple[Check, ...] = (
    check_opening_levels_are_silent,
    check_order_and_times,
    check_watermark_under_load,
    check_last_edge,
    check_gap_is_counted,
    check_silent_change_is_recovered,
    check_close_and_reopen,
    check_unknown_channel_is_named,
    check_handler_survives_garbage_collection,
    check_storm_is_muted_and_reported,
)
