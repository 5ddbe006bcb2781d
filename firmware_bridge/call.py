"""A call to one board: who is there, and requests one after the other. For commands; tables use the board source."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from firmware_bridge.discovery import PROBE_SECONDS
from firmware_bridge.messages import VERSION, Hello, check_id
from firmware_bridge.port import Link, is_there
from firmware_bridge.session import Answer, Event, Gone, Ready, Session, State

ANSWER_SECONDS = 4.0
"""The session gives a board up after three."""


class CallTrouble(Exception):
    """Nobody answers at this port, or not as a board of ours; the message says why."""


class Call:
    """Opens a port and meets the board there; use it in a `with`. Entering and asking raise `CallTrouble`.

    Opening a port resets most Arduinos: outputs go off, and what a running table had not yet heard is gone.
    """

    def __init__(self, path: Path, seconds: float = PROBE_SECONDS) -> None:
        self.session = Session(str(path))
        self._link = Link(self.session, lambda: [path] if is_there(path) else [], self._take)
        self._path = path
        self._seconds = seconds
        self._ready: Ready | None = None
        self._gone: Gone | None = None
        self._answer: Answer | None = None

    def __enter__(self) -> Self:
        """Meet the board."""
        self._link.start()
        try:
            self._wait_until(lambda: self._ready is not None, self._seconds)
        except CallTrouble:
            self._link.stop()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Hang up."""
        self._link.stop()

    @property
    def hello(self) -> Hello:
        """What the board said of itself last."""
        assert self._ready is not None, "inside the with, somebody is there"
        return self._ready.hello

    @property
    def clock_error(self) -> int:
        """How exactly the board's clock was known when it was met, in nanoseconds: half of the quickest round trip, or so."""
        assert self._ready is not None, "inside the with, somebody is there"
        return self.session.clock.error(self._ready.at)

    def ask(self, kind: str, payload: bytes = b"") -> bytes:
        """Put a request that the session has no use for itself; gives the payload of its reply."""
        self._answer = None
        self._link.do(lambda session, now: session.ask(kind, payload, now))
        self._wait_until(lambda: self._answer is not None, ANSWER_SECONDS)
        answer: Answer | None = self._answer  # the link's thread has set it
        assert answer is not None, "that was waited for"
        if answer.refused is not None:
            raise CallTrouble(f"{self._path}: the board refuses: {answer.refused}")
        return answer.payload

    def name(self, board_id: str) -> None:
        """Give the board an id for good, and hear it from the board itself. Raises `ValueError` for what can't be one."""
        wanted = check_id(board_id)
        if self.hello.id == board_id:
            return
        self.ask("i", wanted)
        self._ready = None
        self._link.do(lambda session, now: session.ask("h", bytes((VERSION,)), now))
        self._wait_until(lambda: self._ready is not None, self._seconds)
        if self.hello.id != board_id:
            raise CallTrouble(f"{self._path}: the board was given the id {board_id} and says {self.hello.id!r}")

    def _wait_until(self, true: Callable[[], bool], seconds: float) -> None:
        with self._link.changed:
            self._link.changed.wait_for(lambda: true() or self._gone is not None or self._absent, seconds)
            if true():
                return
            gone = self._gone
        if gone is not None:
            raise CallTrouble(gone.why)
        raise CallTrouble(f"{self._path} is not there: plug the board in" if self._absent else f"{self._path}: no answer")

    @property
    def _absent(self) -> bool:
        return self._link.passes > 0 and self.session.state is State.ABSENT

    def _take(self, events: list[Event], now: int) -> None:  # noqa: ARG002 - as a link calls it
        for event in events:
            match event:
                case Ready():
                    self._ready = event
                case Gone():
                    self._gone = event
                case Answer():
                    self._answer = event
                case _:
                    pass
