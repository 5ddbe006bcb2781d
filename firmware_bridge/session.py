"""The session: one board as the host knows it. Bytes and times in, records and bytes out; no I/O, no clock (docs/protocol.md)."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from firmware_bridge.clock import BoardClock
from firmware_bridge.frames import Frame, FrameReader, encode_frame
from firmware_bridge.messages import (
    NEEDS,
    VERSION,
    BadMessage,
    Can,
    Events,
    Hello,
    Mode,
    Record,
    Setting,
    decode_events,
    decode_hello,
    decode_number,
    decode_time,
    encode_number,
    encode_setting,
    refusal,
)

MS = 1_000_000
SECOND = 1000 * MS
REPEAT = 100 * MS
"""A request without its reply is said again."""
SILENCE = 3 * SECOND
"""A reply due for so long means that the link is lost."""
PATIENCE = 6 * SECOND
"""For the first hello, and from there to ready: a bootloader may come first."""
HEARTBEAT = SECOND
LOADER = SECOND
"""A request without its reply for so long, and each time as long again: a boot loader may be what listens."""
LEAVE = bytes.fromhex("1b 01 00 01 0e 11 04") + b"\0"
"""To the boot loader of a Mega (STK500 version 2): leave the programming mode. It takes any byte for a programmer's, and would
wait for more of them as long as some come. To a board of ours these are two damaged frames."""
CHARGING = 20 * MS
"""A pull-up takes some milliseconds to charge a line and its capacitor."""
FIRST_TIMES = 4
"""Round trips before the first times are believed."""
LEVELS_KEPT = 4
_HALF = 0x8000


class State(StrEnum):
    """What a board is to the host. "Open" is not "connected": only `ready` is."""

    ABSENT = "absent"
    OPENING = "opening"
    HELLO = "hello"
    READY = "ready"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Ready:
    """The board is there and set up; `levels`: bit 0 for channel 0. `resumed`: it goes on where it was with nothing lost."""

    hello: Hello
    levels: int
    at: int
    resumed: bool


@dataclass(frozen=True, slots=True)
class Gone:
    """The link is lost; `why` is a sentence. `misfit`: to try again would be in vain until somebody changes something."""

    why: str
    misfit: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """The reply to an `ask` from outside: its payload, or why the board refused."""

    kind: str
    payload: bytes
    refused: str | None = None


Event = Record | Ready | Gone | Answer


@dataclass(slots=True)
class _Request:
    kind: str
    payload: bytes
    tag: int = 0
    asked: int = 0  # when first
    said: int = 0  # when last
    left: int = 0  # when a boot loader was last told to leave


@dataclass(slots=True)
class Counters:
    """What the host counted on this link. `early`: frames ahead of a lost one; `repeats`: requests said again."""

    duplicates: int = 0
    early: int = 0
    repeats: int = 0
    restarts: int = 0
    lost: int = 0


class Session:
    """The host's side of the link to one board.

    Call `opened` when the port is open, `receive` with what it reads, `advance` when `next_deadline` has passed, `closed` when
    the port is gone; after each of them write `to_send()` and take `events()`. All times are nanoseconds of the host's monotonic
    clock.

    `name` is for sentences. `settings`: the channels that are wanted and how. `board_id`: who it must be, if that matters.
    A board that reset is met again by itself: `Ready` with `resumed` False. Before the first `Ready`, and after a reset, records
    are history and dropped until the levels are known.
    """

    def __init__(self, name: str, settings: Mapping[int, Setting] | None = None, board_id: str | None = None) -> None:
        self.name = name
        self.settings = dict(settings or {})
        self.board_id = board_id
        self.state = State.ABSENT
        self.hello: Hello | None = None
        self.clock = BoardClock()
        self.reader = FrameReader()
        self.counters = Counters()
        self.watermark = 0
        """Every record older than this has been given out."""
        self._expected = 0
        self._out = bytearray()
        self._events: list[Event] = []
        self._waiting: deque[_Request] = deque()
        self._open_request: _Request | None = None
        self._tag = 0
        self._since = 0  # of this state
        self._beat = 0  # when the time was asked last
        self._times = 0  # round trips since the hello
        self._levels_at: int | None = None  # when to ask for the levels
        self._levels_number: int | None = None  # which levels record makes us ready
        self._levels_seen: dict[int, Record] = {}
        self._asked_levels = (-1, 0)  # number of the record that came of it, and when
        self._greeted = False  # since the port was opened
        self._boots = 0  # met since it was last ready
        self._history = True
        self._resumed = False
        self._mark: tuple[int, int] | None = None  # (number, µs): nothing older than that once the number is reached
        self._acknowledge = False

    # What the port tells

    def opening(self, now: int) -> None:
        """The port was found and is about to be opened."""
        self._become(State.OPENING, now)

    def opened(self, now: int) -> None:
        """The port is open: find out who is there."""
        self.reader = FrameReader()
        self._forget_requests()
        self._greeted = False
        self._boots = 0
        self._out[:] = b"\0"
        self._become(State.HELLO, now)
        self._put("h", bytes((VERSION,)), now)

    def closed(self, now: int, why: str | None = None) -> None:
        """The port is closed, or couldn't be opened; without a reason it was never there."""
        self._forget_requests()
        self._out.clear()
        if why is not None and self.state is not State.LOST:
            self._events.append(Gone(why))
        self._become(State.ABSENT if why is None else State.LOST, now)

    def receive(self, data: bytes, now: int) -> None:
        """Take what the board sent."""
        for frame in self.reader.feed(data):
            if self.state in (State.HELLO, State.READY):
                self._take(frame, now)
        if self._acknowledge and self.hello is not None:
            self._acknowledge = False
            self._out += encode_frame("a", self.hello.boot & 0xFF, encode_number(self._expected))
        self._next_request(now)

    def advance(self, now: int) -> None:
        """Let time pass: say again what was not answered, ask for the time, give up."""
        if self.state not in (State.HELLO, State.READY):
            return
        request = self._open_request
        if self.state is State.HELLO and now - self._since >= PATIENCE:
            self._lose(self._what_answers(), now)
            return
        if request is not None and self.state is State.READY and now - request.asked >= SILENCE:
            self._lose(f"{self.name} has been silent for {SILENCE // SECOND} s: look at its cable and its supply", now)
            return
        if request is not None and now - request.said >= REPEAT:
            request.said = now
            self.counters.repeats += 1
            if now - max(request.asked, request.left) >= LOADER:
                request.left = now
                self._out += LEAVE
            self._out += encode_frame(request.kind, request.tag, request.payload)
        if self._levels_at is not None and now >= self._levels_at:
            self._levels_at = None
            self._put("l", b"", now)
        if self.state is State.READY and now - self._beat >= HEARTBEAT:
            self.ask_time(now)
        self._next_request(now)

    def next_deadline(self) -> int | None:
        """When `advance` is due although nothing comes."""
        if self.state not in (State.HELLO, State.READY):
            return None
        due = [self._since + PATIENCE if self.state is State.HELLO else self._beat + HEARTBEAT]
        if self._open_request is not None:
            due.append(self._open_request.said + REPEAT)
        if self._levels_at is not None:
            due.append(self._levels_at)
        return min(due)

    def to_send(self) -> bytes:
        """The bytes to write now; each is given once."""
        data = bytes(self._out)
        self._out.clear()
        return data

    def events(self) -> list[Event]:
        """What happened since the last call, in order."""
        events, self._events = self._events, []
        return events

    # What the program wants

    def ask(self, kind: str, payload: bytes, now: int) -> None:
        """Put a request; its reply comes as an `Answer`, unless the link is lost first. One like it that waits is replaced."""
        self._put(kind, payload, now)
        self._next_request(now)

    def ask_time(self, now: int) -> None:
        """Ask for the time, which moves the watermark."""
        self._beat = now
        self.ask("t", b"", now)

    # Requests

    def _put(self, kind: str, payload: bytes, now: int) -> None:
        for request in self._waiting:
            if (
                request.kind == kind and request.payload[:1] == payload[:1]
            ):  # the same, or of the same channel: the later one counts
                request.payload = payload
                break
        else:
            self._waiting.append(_Request(kind, payload))
        self._next_request(now)

    def _next_request(self, now: int) -> None:
        if self._open_request is None and self._waiting and self.state in (State.HELLO, State.READY):
            request = self._open_request = self._waiting.popleft()
            self._tag = request.tag = self._tag % 255 + 1
            request.asked = request.said = now
            self._out += encode_frame(request.kind, request.tag, request.payload)

    def _forget_requests(self) -> None:
        self._waiting.clear()
        self._open_request = self._levels_at = self._levels_number = self._mark = None
        self._acknowledge = False

    # Frames

    def _take(self, frame: Frame, now: int) -> None:
        try:
            if frame.kind == ord("E"):
                self._take_events(frame, now)
            elif frame.kind == ord("H") and frame.tag == 0:
                self._ask_who(now)
            else:
                self._take_reply(frame, now)
        except BadMessage:
            self.reader.bad += 1

    def _ask_who(self, now: int) -> None:
        """The board may have reset. What it said by itself may be old: it is asked, and only the answer counts."""
        if self._open_request is None or self._open_request.kind != "h":
            self._put("h", bytes((VERSION,)), now)

    def _take_events(self, frame: Frame, now: int) -> None:
        if not self._greeted or self.hello is None or frame.tag != self.hello.boot & 0xFF:
            self._ask_who(now)
            return
        number, records = decode_events(frame.payload)
        self._acknowledge = True
        known = (self._expected - number) & 0xFFFF
        if known >= _HALF:
            self.counters.early += 1
        else:
            self.counters.duplicates += min(known, len(records))
            self._give(self.hello, Events(number + known, records[known:]), now)

    def _give(self, hello: Hello, events: Events, now: int) -> None:
        for number, record in enumerate(events.records, events.number):
            self._expected = (number + 1) & 0xFFFF
            # A board's records are in order, and none is older than its watermark; its clock on ours may be off by the error.
            at = max(self.watermark, min(now, self.clock.host_ns(record.at)))
            if number & 0xFFFF == self._asked_levels[0]:
                at = max(at, self._asked_levels[1])  # the board wrote it after it was asked, whatever its clock is taken to say
            self.watermark = at
            told = Record(record.kind, at, record.channel, record.value)
            # What it told before it was greeted may be of the time before it was set up: of channels that are off.
            if record.kind == "levels" and (number - hello.next) & 0xFFFF < _HALF:
                self._levels_seen[number & 0xFFFF] = told
                if len(self._levels_seen) > LEVELS_KEPT:
                    del self._levels_seen[next(iter(self._levels_seen))]
            elif record.kind == "lost" and not self._history:
                self.counters.lost += record.value
            if not self._history:
                self._events.append(told)
            if number & 0xFFFF == self._levels_number:
                self._get_ready(now)
        self._move_watermark(now)

    def _move_watermark(self, now: int) -> None:
        if self._mark is not None and (self._expected - self._mark[0]) & 0xFFFF < _HALF:
            mark = self.clock.host_ns(self._mark[1])
            self.watermark = max(self.watermark, min(now, mark - self.clock.error(mark)))
            self._mark = None

    def _take_reply(self, frame: Frame, now: int) -> None:
        request = self._open_request
        if request is None or frame.tag != request.tag or frame.kind not in (ord(request.kind.upper()), ord("N")):
            return
        refused = refusal(frame.payload) if frame.kind == ord("N") else None
        if refused is None and not self._reply(request, frame.payload, now):
            return
        if self._open_request is request:
            self._open_request = None
        if refused is not None and request.kind == "c":
            self._lose(f"{self.name}/{request.payload[0]}: the board refuses the setting: {refused}", now, misfit=True)
        elif refused is not None or request.kind not in "htcl":
            self._events.append(Answer(request.kind, frame.payload, refused))

    def _reply(self, request: _Request, payload: bytes, now: int) -> bool:
        """Take a reply; False if it isn't one. Raises `BadMessage`."""
        match request.kind:
            case "h":
                self._greet(decode_hello(payload), request.asked, now)
            case "t":
                time, following = decode_time(payload)
                if not self.clock.fits(request.asked, now, time):  # has it reset, and its hello was lost on the way?
                    self._ask_who(now)
                    return True
                self.clock.add(request.asked, now, time)
                self._mark = (following, time)
                self._move_watermark(now)
                self._times += 1
                if self._times < FIRST_TIMES:
                    self._waiting.appendleft(_Request("t", b""))
            case "l":
                number = decode_number(payload)
                self._asked_levels = number, request.asked
                if self.state is State.HELLO:
                    self._levels_number = number
                    if number in self._levels_seen:
                        self._get_ready(now)
            case "c" if payload != request.payload:
                return False
            case _:
                pass
        return True

    # Meeting a board

    def _greet(self, hello: Hello, asked: int, now: int) -> None:
        if sentence := self._misfit(hello):
            self._lose(sentence, now, misfit=True)
            return
        known = (self._expected - hello.first) & 0xFFFF
        same = self.hello is not None and (self.hello.boot, self.hello.id) == (hello.boot, hello.id)
        same = same and not self.clock.went_back(now, hello.time)  # a boot counter may be worn out
        if not (same and self.clock.fits(asked, now, hello.time)):
            self.clock = BoardClock()
        if same and self.state is State.READY:
            self.clock.add(asked, now, hello.time)
            return
        if not same:
            self.counters.restarts += self.hello is not None
            self._history = True
            self._expected = hello.first
        elif known >= _HALF:  # somebody else took them
            self.counters.lost += _HALF * 2 - known
            self._events.append(Record("lost", now, 0, _HALF * 2 - known))
            self._expected = hello.first
        # One that boots anew before it is set up gets no more time for that.
        since = self._since if self.state is State.HELLO and self._greeted else now
        self._greeted = True
        self._boots += not same
        self.hello, self._resumed = hello, same and not self._history
        self._forget_requests()
        self._levels_seen.clear()
        self._become(State.HELLO, since)
        self.clock.add(asked, now, hello.time)
        self._times = 0
        self._put("t", b"", now)
        for channel, setting in self.settings.items():
            self._put("c", encode_setting(channel, setting), now)
        self._levels_at = now + CHARGING

    def _misfit(self, hello: Hello) -> str | None:
        if hello.version != VERSION:
            return (
                f"{self.name} speaks version {hello.version} of the protocol, this program version {VERSION}: "
                "write the firmware that came with this program to the board (tablemarker flash)"
            )
        if self.board_id is not None and hello.id != self.board_id:
            called = f"is called {hello.id}" if hello.id else "has no id yet"
            return f"the board there {called}, and {self.board_id} is wanted: plug in the right one, or give it this id"
        for channel, (mode, *_) in self.settings.items():
            if channel >= len(hello.channels):
                last = len(hello.channels) - 1
                return f"{self.name}/{channel}: the board ({hello.build}) has no such channel; they are 0 to {last}"
            if NEEDS[mode] & ~hello.channels[channel]:
                return f"{self.name}/{channel}: this pin of the board ({hello.build}) can't be {_CALLED[mode]}"
        return self._bus_misfit(hello)

    def _bus_misfit(self, hello: Hello) -> str | None:
        sensor = next((channel for channel, setting in self.settings.items() if setting.mode is Mode.SENSOR), None)
        for channel, setting in self.settings.items():
            if sensor is not None and setting.mode is not Mode.OFF and Can.BUS in hello.channels[channel]:
                return (
                    f"{self.name}/{channel}: this pin of the board ({hello.build}) belongs to I²C, on which {self.name}/{sensor} "
                    "hangs: take another pin"
                )
        return None

    def _get_ready(self, now: int) -> None:
        assert self.hello is not None and self._levels_number is not None, "levels are asked for after the hello"  # noqa: PT018
        levels = self._levels_seen[self._levels_number]
        self._levels_number = None
        self._history = False
        self._boots = 0
        self._become(State.READY, now)
        self._beat = now
        self._events.append(Ready(self.hello, levels.value, levels.at, self._resumed))

    def _what_answers(self) -> str:
        if self.hello is not None and self._boots > 2:
            return (
                f"{self.name} boots again and again ({self.hello.why}) before it can be set up: look at its supply, and at what "
                "hangs on its pins"
            )
        if self.hello is not None and self.reader.good:
            return f"{self.name} stopped answering while it was set up: look at its cable and its supply"
        if not self.reader.heard:
            return f"{self.name}: nothing answers: no board of ours, or no firmware on it yet (tablemarker flash)"
        words = self.reader.excerpt or self.reader.unfinished  # a stranger that says little never ends a frame
        said = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in words[:24])
        return (
            f"{self.name}: something responds, but not with our protocol" + (f" (it says {said!r})" if said else "") + ": "
            "another device, another baud rate, or a board without our firmware (tablemarker flash)"
        )

    def _lose(self, why: str, now: int, *, misfit: bool = False) -> None:
        self._forget_requests()
        self._out.clear()
        self._become(State.LOST, now)
        self._events.append(Gone(why, misfit))

    def _become(self, state: State, now: int) -> None:
        self.state, self._since = state, now


_CALLED = {
    Mode.OFF: "off",
    Mode.INPUT: "an input",
    Mode.PULLED_UP: "an input with a pull-up",
    Mode.ANALOGUE: "an analogue input",
    Mode.BELL: "a bell",
    Mode.OUTPUT: "an output",
    Mode.SENSOR: "a sensor",
}
