"""What our two pin factories share: one thread that sleeps until edges come, and gives them to their pins in order of time."""

from __future__ import annotations

import os
import select
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from typing import Any

from hardware.sources.gpio_chips import board_info

Report = tuple[int, Any, int]
"""An edge: when, in monotonic nanoseconds; the pin; its level since then."""


class EdgeFactory(ABC):
    """The part of a gpiozero pin factory that listens. Ticks are monotonic nanoseconds."""

    lag_ns = 0
    """How long after an edge `collect` may not have it yet."""
    confirm_ns = 0
    """How long a level must have differed from the last edge before that proves the edge lost."""
    _info: Any

    def listen(self) -> None:
        """Start the thread."""
        self.late = 0
        """Edges that were older than a time which `drain` had given before."""
        self.failure: OSError | None = None
        """Why no more edges come; None while they do."""
        self.lock = threading.RLock()
        """Held while lines are touched and while handlers run."""
        self._ahead: list[Report] = []  # later than the last `drain` began
        self._watermark = 0
        self._epoll = select.epoll()
        self._bell = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)  # wakes the thread
        self._epoll.register(self._bell, select.EPOLLIN)
        self._stopping = False
        self._thread: threading.Thread | None = threading.Thread(target=self._listen, name="gpio", daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while self.failure is None:
            ready = self._epoll.poll(0 if self._ahead else None)
            if any(descriptor == self._bell for descriptor, _ in ready):
                os.eventfd_read(self._bell)
            if self._stopping:
                return
            self.drain()

    @abstractmethod
    def collect(self, ready: Collection[int]) -> Iterable[Report]:
        """Read what there is at these descriptors. Raises `OSError` if the chip is gone."""

    def drain(self) -> int:
        """Give every edge up to now to its handler, in order of time; gives a time than which no older edge will come."""
        with self.lock:
            now = time.monotonic_ns()
            try:
                self._ahead += self.collect([descriptor for descriptor, _ in self._epoll.poll(0)])
            except OSError as error:  # a chip on USB was unplugged
                self.failure = error
                return self._watermark
            if self._ahead:
                self._deliver(now)
                if self._ahead and threading.current_thread() is not self._thread:
                    os.eventfd_write(self._bell, 1)  # it may be asleep, and nothing else would wake it for these
            self._watermark = max(self._watermark, now - self.lag_ns)
            return self._watermark

    def _deliver(self, now: int) -> None:
        # What happened after `now` may be later than an edge of a line that was read before: it waits for the next turn.
        self._ahead.sort(key=lambda edge: edge[0])
        due = [edge for edge in self._ahead if edge[0] <= now]
        del self._ahead[: len(due)]
        for at, pin, level in due:
            self.late += at < self._watermark
            pin.deliver(at, level)

    def forget(self, pin: EdgePin) -> None:
        """Drop what this pin said and nobody heard yet."""
        self._ahead = [edge for edge in self._ahead if edge[1] is not pin]

    def stop_listening(self) -> bool:
        """Stop the thread; False if it was stopped before. Not to be called by a handler."""
        if self._thread is None:
            return False
        self._stopping = True
        os.eventfd_write(self._bell, 1)
        self._thread.join()
        self._thread = None
        self._epoll.close()
        os.close(self._bell)
        return True

    @staticmethod
    def ticks() -> int:
        """The time now, in monotonic nanoseconds."""
        return time.monotonic_ns()

    @staticmethod
    def ticks_diff(later: int, earlier: int) -> float:
        """The time between two ticks, in seconds, as gpiozero wants it."""
        return (later - earlier) / 1e9

    def _get_board_info(self) -> Any:
        if self._info is None:
            self._info = board_info()
        return self._info


class EdgePin:
    """The part of a gpiozero pin that takes edges."""

    factory: Any
    _when_changed: Any
    when_changed: Any

    def deliver(self, at: int, level: int) -> None:
        """Call the handler; without one, nothing."""
        reference = self._when_changed  # another thread may clear it any moment
        handler = reference() if reference is not None else None
        if handler is not None:
            handler(at, level)
        elif reference is not None:
            self.when_changed = None  # gpiozero holds handlers weakly, and this one is gone

    def _set_when_changed(self, value: Any) -> None:
        # gpiozero has a lock for each pin here. Whoever delivers edges holds ours and may then want the pin's: so must everyone.
        with self.factory.lock:
            super()._set_when_changed(value)  # type: ignore[misc]  # the other base is a gpiozero pin
