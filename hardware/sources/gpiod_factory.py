"""A gpiozero pin factory over libgpiod 2: no edge lost without being counted, each with the kernel's own time, all in order.

    from gpiozero import Button
    button = Button(17, pin_factory=GpiodFactory())

or `GPIOZERO_PIN_FACTORY=gpiod` in the environment. Each pin is a kernel request of its own, since a request can't gain or lose
lines and the kernel's buffer of events is one a request. One thread sleeps until any of them has something to say.
"""

from __future__ import annotations

import select
from collections.abc import Collection, Iterable, Iterator
from typing import Any

# Before libgpiod, because it says what to do where that is missing
from hardware.sources.gpio_chips import find_chip, line_fault
from hardware.sources.gpio_edges import EdgeFactory, EdgePin, Report

# isort: split

import gpiod
from gpiod.line import Bias, Clock, Direction, Edge, Value
from gpiozero.exc import (  # type: ignore[import-untyped]  # gpiozero has no types
    PinFixedPull,
    PinInvalidBounce,
    PinInvalidEdges,
    PinInvalidFunction,
    PinInvalidPull,
    PinSetInput,
    PinSPIUnsupported,
)
from gpiozero.pins.pi import PiFactory, PiPin  # type: ignore[import-untyped]

BUFFER = 1024
"""Events that the kernel keeps for a line until they are read; it silently takes any greater number for this one."""

IRQ_LAG_NS = 200_000
"""The kernel stamps an edge in the interrupt and hands it out from a thread, which on another core may run so much later."""

_BIAS = {"up": Bias.PULL_UP, "down": Bias.PULL_DOWN, "floating": Bias.DISABLED}


class GpiodFactory(EdgeFactory, PiFactory):  # type: ignore[misc]  # gpiozero has no types
    """Pins of the GPIO chip with this label; without one, of the chip behind the Pi's header.

    `consumer`: the name under which other programs see the lines held. Ticks are monotonic nanoseconds. Raises `ChipNotFound`,
    `ChipForbidden`; its pins raise `LineBusy`.
    """

    lag_ns = IRQ_LAG_NS

    def __init__(self, chip_label: str | None = None, consumer: str = "tablemarker") -> None:
        super().__init__()
        self.pin_class = GpiodPin
        self.path = find_chip(chip_label)
        self.chip = gpiod.Chip(str(self.path))
        self.consumer = consumer
        self.lost = 0
        """Edges that the kernel dropped because nobody read them in time."""
        self._watched: dict[int, GpiodPin] = {}  # by the descriptor of its request
        self.listen()

    def spi(self, **spi_args: object) -> Any:  # noqa: ARG002 - gpiozero's signature
        """Not there: no sensor of ours speaks SPI."""
        raise PinSPIUnsupported("the gpiod pin factory has no SPI")

    def collect(self, ready: Collection[int]) -> Iterator[Report]:
        """Read what the kernel has for these lines."""
        for descriptor in ready:
            if pin := self._watched.get(descriptor):
                for at, level in pin.read():
                    yield at, pin, level

    def watch(self, pin: GpiodPin, request: gpiod.LineRequest) -> None:
        """Take this pin's edges from now on."""
        self._watched[request.fd] = pin
        self._epoll.register(request.fd, select.EPOLLIN)

    def unwatch(self, pin: GpiodPin, request: gpiod.LineRequest) -> None:
        """Take no more of this pin's edges."""
        if self._watched.pop(request.fd, None):
            self._epoll.unregister(request.fd)
        self.forget(pin)

    def close(self) -> None:
        """Stop the thread and free every line. May be called twice; not by a handler."""
        with self.lock:
            super().close()
        if self.stop_listening():
            self.chip.close()


class GpiodPin(EdgePin, PiPin):  # type: ignore[misc]  # gpiozero has no types
    """One line. gpiozero keeps this object after its device was closed and may open it again."""

    def __init__(self, factory: GpiodFactory, info: Any) -> None:
        super().__init__(factory, info)
        self._request: gpiod.LineRequest | None = None
        self._reset()

    def _reset(self) -> None:
        self._function = "input"
        self._pull = self.info.pull or "floating"
        self._detect = False
        self._level = False  # what an output starts with
        self._count = 0  # the kernel's number of the last edge

    def read(self) -> list[tuple[int, bool]]:
        """The edges that the kernel has for this line: when, and the level after it. Counts what it dropped."""
        assert self._request is not None, "only a pin with a request is watched"
        edges = []
        for event in self._request.read_edge_events(BUFFER):
            self.factory.lost += (event.line_seqno - self._count - 1) % 2**32  # that is where the kernel's number starts again
            self._count = event.line_seqno
            edges.append((event.timestamp_ns, event.event_type is event.Type.RISING_EDGE))
        return edges

    def close(self) -> None:
        """Free the line for others."""
        with self.factory.lock:
            self._when_changed = None
            if self._request is not None:
                self.factory.unwatch(self, self._request)
                self._request.release()
                self._request = None
            self._reset()

    def _apply(self) -> gpiod.LineRequest:
        """Ask the kernel for the line as it should be now. Raises `LineBusy`."""
        output = Value.ACTIVE if self._level else Value.INACTIVE
        settings: dict[Iterable[int | str] | int | str, gpiod.LineSettings | None] = {
            self._number: gpiod.LineSettings(direction=Direction.OUTPUT, output_value=output)
            if self._function == "output"
            else gpiod.LineSettings(
                direction=Direction.INPUT,
                bias=_BIAS[self._pull],
                edge_detection=Edge.BOTH if self._detect else Edge.NONE,
                event_clock=Clock.MONOTONIC,
            )
        }
        with self.factory.lock:
            if self._request is not None:
                self._request.reconfigure_lines(settings)
            else:
                try:
                    self._request = self.factory.chip.request_lines(settings, self.factory.consumer, BUFFER)
                except OSError as error:
                    raise line_fault(self.factory.path, self._number, error) from error
            return self._request

    def _get_function(self) -> str:
        return self._function

    def _set_function(self, value: str) -> None:
        if value not in ("input", "output"):
            raise PinInvalidFunction(f"{self!r} can be an input or an output, not {value!r}")
        self._function = value
        self._apply()

    def output_with_state(self, state: bool) -> None:
        """Make it an output that has this level from the start."""
        self._level = bool(state)
        self.function = "output"

    def _get_pull(self) -> str:
        return self._pull

    def _set_pull(self, value: str) -> None:
        if self._function != "input":
            raise PinFixedPull(f"{self!r} is an output: it has no pull")
        if self.info.pull not in (value, ""):
            raise PinFixedPull(f"{self!r} has a pull-{self.info.pull} resistor on the board itself")
        if value not in _BIAS:
            raise PinInvalidPull(f"{self!r} can be pulled up, down or be floating, not {value!r}")
        self._pull = value
        self._apply()

    def _get_state(self) -> bool:
        with self.factory.lock:
            request = self._request or self._apply()
            return request.get_value(self._number) is Value.ACTIVE

    def _set_state(self, value: bool) -> None:
        if self._function != "output":
            raise PinSetInput(f"{self!r} is an input: its level can't be set")
        with self.factory.lock:
            request = self._request or self._apply()
            request.set_value(self._number, Value.ACTIVE if value else Value.INACTIVE)

    def _get_bounce(self) -> None:
        return None

    def _set_bounce(self, value: float | None) -> None:
        if value is not None:
            raise PinInvalidBounce(f"{self!r} reports every edge: what a bounce is, is decided by whoever takes the edges")

    def _get_edges(self) -> str:
        return "both"

    def _set_edges(self, value: str) -> None:
        if value != "both":
            raise PinInvalidEdges(f"{self!r} reports both edges, not {value!r} alone")

    def _enable_event_detect(self) -> None:
        with self.factory.lock:
            self._detect = True
            request = self._apply()
            while request.wait_edge_events(0):
                self.read()  # of a time when nobody listened
            self.factory.watch(self, request)

    def _disable_event_detect(self) -> None:
        with self.factory.lock:
            self._detect = False
            self.factory.unwatch(self, self._apply())
