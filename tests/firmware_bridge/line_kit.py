"""A session and a fake board with a line between them, in one thread; the test moves the clock and says what the line does."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from firmware_bridge.fake_board import FakeBoard
from firmware_bridge.messages import Mode, Record, Setting
from firmware_bridge.session import MS, SECOND, Event, Gone, Ready, Session, State

INPUT = Setting(Mode.PULLED_UP)
Damage = Callable[[bytes], list[bytes]]
"""What a line makes of a chunk: the chunks that arrive."""


def clean(chunk: bytes) -> list[bytes]:
    return [chunk]


class Line:
    """Everything takes `delay` each way; `to_host` and `to_board` may damage it."""

    def __init__(
        self,
        board: FakeBoard | None = None,
        settings: Mapping[int, Setting] | None = None,
        *,
        board_id: str | None = None,
        delay: int = MS,
    ) -> None:
        self.now = 1_000 * SECOND
        self.board = board or FakeBoard("left", now=self.now)
        self.session = Session("board:left", {2: INPUT, 3: INPUT} if settings is None else settings, board_id)
        self.delay = delay
        self.to_host: Damage = clean
        self.to_board: Damage = clean
        self.heard: list[Event] = []
        self._flying: list[tuple[int, bool, bytes]] = []

    def open(self) -> None:
        self.session.opening(self.now)
        self.session.opened(self.now)
        self.exchange()

    def exchange(self) -> None:
        """Let both sides say what they have to say."""
        for to_host, said, damage in (
            (True, self.board.to_send(), self.to_host),
            (False, self.session.to_send(), self.to_board),
        ):
            if said:
                self._flying += [(self.now + self.delay, to_host, chunk) for chunk in damage(said)]
        self.heard += self.session.events()

    def run(self, ns: int) -> None:
        """Let time pass, from one thing that happens to the next."""
        end = self.now + ns
        self.board.advance(self.now)
        self.exchange()
        while True:
            due = [self.board.next_deadline(), self.session.next_deadline(), *(at for at, _, _ in self._flying[:1])]
            self.now = max(self.now, min((at for at in due if at is not None), default=end + 1))
            if self.now > end:
                break
            while self._flying and self._flying[0][0] <= self.now:
                _, to_host, chunk = self._flying.pop(0)
                if to_host:
                    self.session.receive(chunk, self.now)
                else:
                    self.board.receive(chunk, self.now)
            self.board.advance(self.now)
            self.session.advance(self.now)
            self.exchange()
        self.now = end

    def connect(self) -> Ready:
        """Open, and wait until the board is ready."""
        self.open()
        self.run(SECOND)
        assert self.session.state is State.READY, self.heard
        return next(event for event in self.heard if isinstance(event, Ready))

    def set(self, channel: int, level: int) -> None:
        self.board.set(channel, level, self.now)

    def unplug(self) -> None:
        self._flying.clear()
        self.session.closed(self.now, "pulled out")
        self.exchange()
        self._flying.clear()

    @property
    def records(self) -> list[Record]:
        return [event for event in self.heard if isinstance(event, Record)]

    @property
    def edges(self) -> list[tuple[int, int]]:
        return [(record.channel, record.value) for record in self.records if record.kind == "edge"]

    @property
    def gone(self) -> list[Gone]:
        return [event for event in self.heard if isinstance(event, Gone)]
