"""The thread that listens for edges, over a pipe in place of a kernel's lines."""

from __future__ import annotations

import gc
import os
import select
import threading
import time
from collections.abc import Collection, Iterator

import pytest

from hardware.signals import MS
from hardware.sources.gpio_edges import EdgeFactory, EdgePin, Report


class Pin(EdgePin):
    def __init__(self, name: str, heard: list[tuple[str, int, int]]) -> None:
        self._when_changed = None
        self.name = name
        self.heard = heard

    def deliver(self, at: int, level: int) -> None:
        self.heard.append((self.name, at, level))


class PipeFactory(EdgeFactory):
    """`report`: edges that the next collection finds, or the error that it meets."""

    lag_ns = MS

    def __init__(self) -> None:
        self.found: list[Report] = []
        self.error: OSError | None = None
        self._out, self._in = os.pipe()
        self.listen()
        self._epoll.register(self._out, select.EPOLLIN)

    def report(self, *edges: Report) -> None:
        with self.lock:
            self.found += edges
            os.write(self._in, b"!")

    def collect(self, ready: Collection[int]) -> Iterator[Report]:
        if self._out in ready:
            os.read(self._out, 1)
            if self.error:
                raise self.error
            found, self.found = self.found, []
            yield from found

    def close(self) -> None:
        if self.stop_listening():
            os.close(self._in)
            os.close(self._out)


@pytest.fixture
def factory() -> Iterator[PipeFactory]:
    factory = PipeFactory()
    yield factory
    factory.close()
    factory.close()


def until(condition: object) -> None:
    assert callable(condition)
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline, "waited ten seconds in vain"
        threading.Event().wait(0.001)


def test_edges_of_several_lines_come_in_order_of_time(factory: PipeFactory) -> None:
    heard: list[tuple[str, int, int]] = []
    a, b = Pin("a", heard), Pin("b", heard)
    factory.report((10, a, 1), (30, a, 0), (20, b, 1))
    until(lambda: len(heard) == 3)
    assert heard == [("a", 10, 1), ("b", 20, 1), ("a", 30, 0)]
    assert factory.late == 0


def test_what_is_later_than_the_look_at_the_lines_waits_for_the_next(factory: PipeFactory) -> None:
    heard: list[tuple[str, int, int]] = []
    pin = Pin("a", heard)
    with factory.lock:  # the thread must wait too
        ahead = time.monotonic_ns() + 20 * MS
        factory.report((ahead, pin, 1))
        assert factory.drain() < ahead
        assert heard == []
    until(lambda: heard == [("a", ahead, 1)])
    assert time.monotonic_ns() >= ahead


def test_the_watermark_leaves_an_edge_the_time_to_come(factory: PipeFactory) -> None:
    before = time.monotonic_ns()
    mark = factory.drain()
    assert before - factory.lag_ns <= mark <= time.monotonic_ns() - factory.lag_ns
    heard: list[tuple[str, int, int]] = []
    factory.report((mark - 1, Pin("a", heard), 1))
    until(lambda: heard)
    assert factory.late == 1


def test_what_a_forgotten_pin_said_is_not_delivered(factory: PipeFactory) -> None:
    heard: list[tuple[str, int, int]] = []
    pin, other = Pin("a", heard), Pin("b", heard)
    with factory.lock:
        ahead = time.monotonic_ns() + 10 * MS
        factory.report((ahead, pin, 1), (ahead, other, 1))
        factory.drain()
        factory.forget(pin)
    until(lambda: heard == [("b", ahead, 1)])


def test_a_chip_that_is_gone_ends_the_thread_and_the_watermark_stays(factory: PipeFactory) -> None:
    factory.error = OSError(19, "No such device")
    with factory.lock:
        mark = factory.drain()
    factory.report()
    until(lambda: factory.failure is not None)
    thread = factory._thread
    assert thread is not None
    thread.join(10)
    assert not thread.is_alive()
    os.write(factory._in, b"!")
    assert factory.drain() == mark


class WeakPin(EdgePin):
    """Holds its handler as gpiozero's pins do."""

    def __init__(self) -> None:
        self._when_changed = None


def test_a_handler_that_nobody_holds_is_let_go() -> None:
    pin = WeakPin()
    pin.deliver(1, 1)
    pin._when_changed = lambda: None  # a dead reference
    gc.collect()
    pin.when_changed = "set"
    pin.deliver(2, 0)
    assert pin.when_changed is None
