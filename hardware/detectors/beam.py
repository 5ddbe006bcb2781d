"""A light beam that a ball breaks, or a pair an inch apart that also tells the direction."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from hardware.detectors.digital import Change, DigitalInput
from hardware.detectors.timing import BEAM, Timing
from hardware.health import SensorHealth
from hardware.observations import Observation
from hardware.signals import MS, SECOND, Signal

NEAR, FAR = 0, 1


class BeamDetector:
    """Gives `crossing` when something has gone through, `blocked` when something stays; times in nanoseconds.

    `channels`: one beam, whose crossings have no direction, or a pair `(near, far)` as seen by the player: near broken first is
    `"up"`, away from the player, far first is `"down"`. `active_level`: the level while the beam is broken. Both must break
    within `window`, and the ball must leave by the other side: one that turns back between the beams hasn't crossed. Of a pair
    that broke in the same instant the order of clearing tells the direction.

    What stays longer than `blocked_after` (a hand, the cleaning cloth, a ball at rest) is `blocked`, once, and no crossing.
    A crossing is `at` the moment when the last beam was broken, `known` when the beams were clear again.
    """

    def __init__(
        self,
        sensor: str,
        role: str,
        channels: tuple[str, ...],
        active_level: int,
        *,
        settle_on: int = BEAM.settle_on,
        settle_off: int = BEAM.settle_off,
        lockout_on: int = BEAM.lockout_on,
        lockout_off: int = BEAM.lockout_off,
        window: int = SECOND,
        blocked_after: int = 500 * MS,
    ) -> None:
        if len(channels) not in (1, 2) or len(set(channels)) != len(channels):
            raise ValueError(f"{sensor}: a beam has one channel or a pair of two, not {channels}")
        timing = Timing(settle_on, settle_off, lockout_on, lockout_off)
        self._sensor = sensor
        self._role = role
        self._channels = channels
        self._beams = tuple(DigitalInput(active_level, timing) for _ in channels)
        self._window = window
        # A beam that clears in time has settled by then.
        self._patience = blocked_after + settle_off
        self._blocked = False
        self._broke: dict[int, Change] = {}  # of this passage: when each beam was broken first
        self._cleared: dict[int, int] = {}  # of this passage: when each beam cleared last
        self._stays: dict[int, int] = {}  # beams that are broken now: since when

    @property
    def channels(self) -> tuple[str, ...]:
        """The addresses that it listens to, the nearer to the player first."""
        return self._channels

    def begin(self, levels: dict[str, int], at: int) -> list[Observation]:
        """Take the levels found when the source opened; what lies in a beam by then is no crossing, but may be `blocked`."""
        if not any(channel in levels for channel in self._channels):
            return []
        self._forget()
        self._stays.clear()
        for index, channel in enumerate(self._channels):
            beam = self._beams[index]
            if channel in levels:
                beam.begin(levels[channel], at)
            if beam.value:
                self._stays[index] = at
        return []

    def feed(self, signal: Signal) -> list[Observation]:
        """Take one edge of one of the beams."""
        observations = self.advance(signal.at)
        index = self._channels.index(signal.channel)
        return observations + self._take(index, self._beams[index].feed(signal.at, signal.number))

    def advance(self, t: int) -> list[Observation]:
        """Every edge before `t` has been fed."""
        observations: list[Observation] = []
        while (due := self.next_deadline()) is not None and due <= t:
            for index, beam in enumerate(self._beams):
                if beam.deadline == due:
                    observations += self._take(index, beam.advance(due))
                    break
            else:
                observations += self._take_blocked(due)
        for beam in self._beams:
            beam.advance(t)
        return observations

    def next_deadline(self) -> int | None:
        """When a beam's level is sure, or something has stayed for too long."""
        due = [beam.deadline for beam in self._beams if beam.deadline is not None]
        if self._stays and not self._blocked:
            due.append(min(self._stays.values()) + self._patience)
        return min(due, default=None)

    def health(self) -> SensorHealth:
        """Whether a beam is broken, the counts of both, chatter, and what blocks them."""
        each = [
            beam.health(self._sensor if len(self._beams) == 1 else f"{self._sensor} ({end} beam)")
            for beam, end in zip(self._beams, ("near", "far"), strict=False)
        ]
        faults = [fault for beam in each for fault in beam.faults]
        if self._blocked:
            faults.append(f"{self._sensor} is blocked: take away what lies in the beam, or see to its lamp and where it points")
        known = [beam.value for beam in each if beam.value is not None]
        return SensorHealth(
            self._sensor,
            any(known) if known else None,
            max((beam.since for beam in each if beam.since is not None), default=None),
            edges=sum(beam.edges for beam in each),
            accepted=sum(beam.accepted for beam in each),
            late=sum(beam.late for beam in each),
            lost=sum(beam.lost for beam in each),
            faults=tuple(faults),
            notes=tuple(note for beam in each for note in beam.notes),
        )

    def _take(self, index: int, changes: Iterable[Change]) -> list[Observation]:
        observations = []
        for change in changes:
            if change.value:
                self._take_broken(index, change)
            else:
                observations += self._take_clear(index, change)
        return observations

    def _take_broken(self, index: int, change: Change) -> None:
        broke = self._broke
        other = broke.get(1 - index)
        if not self._stays:
            # A ball smaller than the gap has left the other beam by now. Anything else begins a new passage.
            if other is None or index in broke or change.at - other.at > self._window:
                self._forget()
            broke[index] = change
        elif index not in broke or (other is not None and self._cleared[index] <= other.at):
            # Either the second beam of a passage or, if this one was clear before the other broke, what broke it then was
            # another ball. Everything else is a ball that rocks on the beams.
            broke[index] = change
        self._stays[index] = change.at

    def _take_clear(self, index: int, change: Change) -> list[Observation]:
        self._stays.pop(index, None)
        self._cleared[index] = change.at
        if self._stays:
            return []
        if self._blocked:
            self._forget()
            return []
        if len(self._broke) < len(self._beams):
            return []
        direction = self._direction()
        at = max(broke.at for broke in self._broke.values())
        late = change.late or any(broke.late for broke in self._broke.values())
        self._forget()
        if direction is None:
            return []
        return [Observation(at, change.known, self._sensor, self._role, "crossing", direction, late)]

    def _direction(self) -> Literal["up", "down", ""] | None:
        """Which way it went through; None if it didn't."""
        if len(self._beams) == 1:
            return ""
        entered = self._broke[FAR].at - self._broke[NEAR].at
        left = self._cleared[FAR] - self._cleared[NEAR]
        if abs(entered) > self._window or entered * left < 0:
            return None
        way = entered or left
        return "up" if way > 0 else "down" if way < 0 else ""

    def _take_blocked(self, known: int) -> list[Observation]:
        self._blocked = True
        return [Observation(min(self._stays.values()), known, self._sensor, self._role, "blocked", value=True)]

    def _forget(self) -> None:
        self._blocked = False
        self._broke.clear()
        self._cleared.clear()
