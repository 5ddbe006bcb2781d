"""The `board` source: the pins of a microcontroller board on a serial line."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Literal

from firmware_bridge.discovery import Wanted, find, unstable
from firmware_bridge.messages import DIGITAL, Bus, Failure, Form, Mode, Record, Setting, encode_output
from firmware_bridge.port import Link
from firmware_bridge.session import Event, Gone, Ready, Session, State
from hardware.health import SourceHealth
from hardware.signals import MS, SECOND, Signal
from hardware.sources.source import Emit, Source, SourceError
from hardware.sources.storm import StormGuard

__all__ = ["BoardSource", "Bus", "Form", "Mode", "Setting", "Wanted"]

log = logging.getLogger(__name__)

Pull = Literal["up", "down", "none"]

PATIENCE = 12.0
"""Seconds until a board must be ready when it is opened: a bootloader takes two of them."""
ASK_EVERY = 20 * MS
"""How often the board is asked for its time at the most, which moves the watermark."""
AWAY = 3 * SECOND
"""For so long may a board be away before play goes on without it."""
MOST_BOOTS, BOOTS_WITHIN = 3, 60 * SECOND
"""A board that boots so often in that time is no more to be trusted than one that is away."""

_MODES = {"up": Mode.PULLED_UP, "none": Mode.INPUT}


class BoardSource(Source):
    """Emits the changes of a board's channels with the board's time of each, on the host's clock. Addresses are `board:left/3`.

    `name`: `board:left`. `wanted`: which board that is. `pulls`: the resistor for each address, "up" where nothing is said.
    `settings`: channels that are no plain inputs (bells, readings), by address. Once open it stays open when the board resets or
    is unplugged: `health` says that it is away, its levels are compared when it returns, and what its buffer kept comes then.
    `required`: whether it must be there when it is opened; one that needn't is away, and has no levels, until it comes.
    `outputs`: addresses that lamps and sounders hang on, see `set_output`.
    """

    def __init__(
        self,
        name: str,
        wanted: Wanted,
        *,
        pulls: Mapping[str, Pull] | None = None,
        settings: Mapping[str, Setting] | None = None,
        guard: StormGuard | None = None,
        patience: float = PATIENCE,
        required: bool = True,
        outputs: Iterable[str] = (),
    ) -> None:
        self.name = name
        self._wanted = wanted
        self._pulls = dict(pulls or {})
        self._settings = dict(settings or {})
        self._guard = guard or StormGuard()
        self._patience = patience
        self._required = required
        self._outputs = dict.fromkeys(outputs, 0)  # as they were asked for
        self._link: Link | None = None
        self._emit: Emit | None = None
        self._channels: dict[int, str] = {}
        self._levels: dict[str, int] = {}  # as the board told them
        self._told: dict[str, int] = {}  # as they were emitted
        self._ready = False
        self._trouble: str | None = None
        self._misfit = False
        self._away_since: int | None = None
        self._mark = 0
        self._asked = 0
        self._failed: dict[str, int] = {}  # sensors on I²C that give no readings, and why
        self._lost = self._recovered = self._late = self._blind = 0
        self._boots: deque[int] = deque(maxlen=MOST_BOOTS)  # when it came back anew
        self._cause = ""  # of the last

    def open(self, channels: Iterable[str], emit: Emit) -> dict[str, int]:
        """Start to watch these channels; gives their levels, silently. Raises `SourceError`."""
        if self._link is not None:
            raise SourceError(f"{self.name} is open already: close it first")
        if self._wanted.port is not None and (sentence := unstable(self._wanted.port)):
            raise SourceError(f"{self.name}: {sentence}")
        settings = dict(self._setting(channel) for channel in channels)
        self._channels = {number: f"{self.name}/{number}" for number in settings}
        settings |= {self._number(channel): Setting(Mode.OUTPUT) for channel in self._outputs}
        self._ready = self._misfit = False
        self._trouble = self._away_since = None
        self._emit = emit
        link = Link(Session(self.name, settings, self._wanted.board_id), lambda: find(self._wanted), self._take)
        self._link = link
        link.start()
        with link.changed:
            # A board that needn't be there is taken up whenever it comes: one look at the ports is enough.
            link.changed.wait_for(
                lambda: self._ready or (link.passes > 0 and (self._misfit or not self._required)), self._patience
            )
            levels = dict(self._told)
            if self._ready or not self._required:
                if not self._ready:
                    self._begin_away()
                return levels
            trouble = self._trouble
        self.close()
        raise SourceError(trouble or f"{self.name}: {self._none_there}")

    @property
    def _none_there(self) -> str:
        return f"there is no board {self._wanted}: plug it in, or put the table file right"

    def _begin_away(self) -> None:
        self._trouble = self._trouble or self._none_there
        log.warning("%s is away: %s", self.name, self._trouble)
        # Nobody waits for what it may have kept: nobody played before it was opened.
        self._away_since = time.monotonic_ns() - AWAY - 1

    def _number(self, channel: str) -> int:
        name, _, number = channel.rpartition("/")
        if name != self.name or not number.isdecimal() or int(number) > 255:
            raise SourceError(f"{channel} is no channel of {self.name}: an address here is {self.name}/NUMBER")
        return int(number)

    def _setting(self, channel: str) -> tuple[int, Setting]:
        number = self._number(channel)
        pull = self._pulls.get(channel, "up")
        if channel not in self._settings and pull not in _MODES:
            raise SourceError(f'{channel}: a board has no pull-{pull} resistor: fit one, and write pull = "none"')
        return number, self._settings.get(channel) or Setting(_MODES[pull])

    # In the link's thread, its lock held

    def _take(self, events: list[Event], now: int) -> None:
        for event in events:
            match event:
                case Record(kind="edge" | "reading"):
                    self._change(event)
                case Record(kind="failed"):
                    self._fail(event)
                case Record(kind="levels"):
                    self._compare(event.value, event.at)
                case Record(kind="lost"):
                    self._lost += event.value
                    log.warning("%s lost %d signals: its buffer was full", self.name, event.value)
                case Ready():
                    self._return(event)
                case Gone():
                    self._leave(event, now)
                case _:
                    pass

    def _change(self, record: Record) -> None:
        channel = self._channels.get(record.channel)
        if channel is not None:
            self._levels[channel] = record.value
            self._failed.pop(channel, None)
            if self._guard.admit(channel, record.at):
                self._tell(record.at, channel, record.value)

    def _fail(self, record: Record) -> None:
        channel = self._channels.get(record.channel)
        if channel is not None:
            self._failed[channel] = record.value
            log.warning("%s", self._failure(channel))

    def _failure(self, channel: str) -> str:
        setting = self._settings.get(channel)
        where = "" if setting is None or setting.bus is None else f" at 0x{setting.bus.address:02x}"
        if self._failed[channel] == Failure.STUCK:
            return f"{channel}: something holds the wires of I²C: look at the cable of the sensor{where}, and at its supply"
        return f"{channel}: no sensor answers on I²C{where}: look at its cable, its supply and its address"

    def _tell(self, at: int, channel: str, value: int) -> None:
        assert self._emit is not None, "only an open source has anything to tell"
        self._late += at < self._mark
        self._told[channel] = value
        self._emit(Signal(at, channel, value))

    def _compare(self, levels: int, at: int) -> None:
        """Find what changed without an edge. The board's levels stand in their place among the edges: none can be under way."""
        for number, level in self._digital(levels):
            channel = self._channels[number]
            self._levels[channel] = level
            if level != self._told[channel] and channel not in self._guard.muted:
                self._recovered += 1
                self._tell(at, channel, level)

    def _digital(self, levels: int) -> list[tuple[int, int]]:
        assert self._link is not None, "there are levels only while it is open"
        settings = self._link.session.settings
        return [(number, levels >> number & 1) for number in self._channels if settings[number].mode in DIGITAL]

    def _return(self, ready: Ready) -> None:
        self._trouble = self._away_since = None
        if not self._told:
            self._told = dict.fromkeys(self._channels.values(), 0)
            self._told |= {self._channels[number]: level for number, level in self._digital(ready.levels)}
            self._levels = dict(self._told)
        else:
            log.warning("%s is back (%s): its levels are compared", self.name, "it went on" if ready.resumed else "it has reset")
            self._blind += not ready.resumed
            if not ready.resumed:
                self._boots.append(time.monotonic_ns())
                self._cause = ready.hello.why
                self._failed.clear()  # a board that was set up anew tells again what it can't read
            self._compare(ready.levels, ready.at)
        self._ready = True
        for channel, level in self._outputs.items():
            if level:
                self._switch(channel, level)

    def _switch(self, channel: str, level: int) -> None:
        assert self._link is not None, "only an open source has a board"
        payload = encode_output(self._number(channel), level, 0)
        self._link.session.ask("o", payload, time.monotonic_ns())
        self._link.wake()

    def _leave(self, gone: Gone, now: int) -> None:
        if self._ready:
            log.warning("%s is away: %s", self.name, gone.why)
            self._away_since = now
        self._ready = False
        self._trouble, self._misfit = gone.why, gone.misfit

    # From the thread that plays lamps and sounders

    def set_output(self, channel: str, level: int) -> None:
        """Bring an output to a level, 0 (off) to 255, now, or when the board is back."""
        self._outputs[channel] = level
        link = self._link
        if link is not None:
            with link.lock:
                if self._ready:
                    self._switch(channel, level)

    # From the engine's thread

    def watermark(self, now: int) -> int:
        """A time of which this is true: every signal older than it has been emitted. At most `now`.

        Of a board that has been away for some seconds nothing more is awaited: what its buffer kept comes late, and is counted.
        """
        link = self._link
        if link is None:
            return now
        with link.lock:
            if self._away_since is not None and now - self._away_since > AWAY:
                self._mark = max(self._mark, now)
            else:
                self._mark = max(self._mark, min(now, link.session.watermark))
            ask = self._ready and now - max(self._asked, self._mark) > ASK_EVERY
            if ask:
                self._asked = now
                link.do(Session.ask_time)
            return min(now, self._mark)

    def reconcile(self, now: int) -> None:  # noqa: ARG002 - a level is of the moment at which the board reads it
        """Ask the board for its levels; what changed without a signal is emitted and counted when they come."""
        if self._link is not None:
            self._link.do(self._ask_levels)

    def _ask_levels(self, session: Session, now: int) -> None:
        if session.state is State.READY:
            self._guard.calmed(now)
            session.ask("l", b"", now)

    def levels(self) -> dict[str, int]:
        """The levels as the board told them last."""
        if self._link is None:
            return dict(self._levels)
        with self._link.lock:
            return dict(self._levels)

    def health(self) -> SourceHealth:
        """What was lost, recovered, muted; why the board is away."""
        if self._link is None:
            return self._health()
        with self._link.lock:
            return self._health()

    def _health(self) -> SourceHealth:
        faults = self._guard.faults + tuple(self._failure(channel) for channel in self._failed)
        if self._trouble is not None and self._link is not None:
            faults += (f"{self.name} is away: {self._trouble}",)
        if len(self._boots) == MOST_BOOTS and time.monotonic_ns() - self._boots[0] < BOOTS_WITHIN:
            often = f"{self.name} has booted {MOST_BOOTS} times within a minute (the last time: {self._cause})"
            faults += (f"{often}: look at its supply, at its cable, and at what hangs on its pins",)
        return SourceHealth(
            self.name,
            up=self._ready,
            lost=self._lost,
            recovered=self._recovered,
            late=self._late,
            blind=self._blind,
            muted=self._guard.muted,
            faults=faults,
        )

    def close(self) -> None:
        """Stop and free the port. May be called twice."""
        if self._link is not None:
            self._link.stop()
            self._link = None
        self._emit = None
        self._ready = False
        self._guard.clear()
        self._told.clear()
        self._failed.clear()
