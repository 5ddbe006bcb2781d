"""A push-button: pressed, and held."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from hardware.detectors.digital import Change, DigitalInput
from hardware.detectors.timing import BUTTON, Timing
from hardware.health import SensorHealth
from hardware.observations import Observation
from hardware.signals import Signal


class ButtonDetector:
    """Gives `press` when the button goes down and, with `hold`, `held` once if it stays down so long; times in nanoseconds.

    `hold_only`: the long press alone matters to its role, and a press that becomes a hold is no press: `press` waits for
    the release and comes only if the button was let go before `hold` had passed.

    A button that is down when its source opens is neither pressed nor held until it is let go and pressed again.
    """

    def __init__(
        self,
        sensor: str,
        role: str,
        channel: str,
        active_level: int,
        *,
        settle_on: int = BUTTON.settle_on,
        settle_off: int = BUTTON.settle_off,
        lockout_on: int = BUTTON.lockout_on,
        lockout_off: int = BUTTON.lockout_off,
        hold: int | None = None,
        hold_only: bool = False,
    ) -> None:
        if hold_only and hold is None:
            raise ValueError(f"{sensor}: hold_only needs to know how long a hold is")
        if hold is not None and hold <= settle_on:
            raise ValueError(f"{sensor}: a hold of {hold} ns must be longer than settle_on, {settle_on} ns")
        self._sensor = sensor
        self._role = role
        self._channel = channel
        self._hold = hold
        self._hold_only = hold_only
        self._settle_off = settle_off
        self._input = DigitalInput(active_level, Timing(settle_on, settle_off, lockout_on, lockout_off))
        self._down: Change | None = None  # the press whose release or hold is still to come
        self._hold_due: int | None = None

    @property
    def channels(self) -> tuple[str, ...]:
        """The one address that it listens to."""
        return (self._channel,)

    def begin(self, levels: dict[str, int], at: int) -> list[Observation]:
        """Take the level found when the source opened; a button has no baseline to tell."""
        if self._channel in levels:
            self._input.begin(levels[self._channel], at)
            self._down = self._hold_due = None
        return []

    def feed(self, signal: Signal) -> list[Observation]:
        """Take one edge."""
        observations = self.advance(signal.at)
        return observations + self._take(self._input.feed(signal.at, signal.number))

    def advance(self, t: int) -> list[Observation]:
        """Every edge before `t` has been fed."""
        observations: list[Observation] = []
        while (due := self.next_deadline()) is not None and due <= t:
            if due == self._hold_due:
                observations += self._take_hold(due)
            else:
                observations += self._take(self._input.advance(due))
        self._input.advance(t)
        return observations

    def next_deadline(self) -> int | None:
        """When a press or release is sure or a press becomes a hold."""
        if self._hold_due is None:
            return self._input.deadline
        return self._hold_due if self._input.deadline is None else min(self._hold_due, self._input.deadline)

    def health(self) -> SensorHealth:
        """Whether it is down, counts, chatter."""
        return self._input.health(self._sensor)

    def _take(self, changes: Iterable[Change]) -> list[Observation]:
        observations = []
        for change in changes:
            if change.value:
                self._down = change
                if self._hold is not None:
                    # By then a release before the hold was complete has settled, or at least shows as a raw edge.
                    self._hold_due = max(change.at + self._hold + self._settle_off, change.known)
                if not self._hold_only:
                    observations.append(self._observe("press", change.at, change.known, late=change.late))
            else:
                if self._down is not None and self._hold_only:
                    late = self._down.late or change.late
                    observations.append(self._observe("press", self._down.at, change.known, late=late))
                self._down = self._hold_due = None
        return observations

    def _take_hold(self, known: int) -> list[Observation]:
        self._hold_due = None
        down = self._down
        assert down is not None, "a hold is due only while the button is down"
        assert self._hold is not None, "a hold is due only for a button that has one"
        held_at = down.at + self._hold
        if not self._input.was_on_until(held_at):
            return []
        self._down = None
        return [self._observe("held", held_at, known, late=down.late)]

    def _observe(self, kind: Literal["press", "held"], at: int, known: int, *, late: bool) -> Observation:
        return Observation(at, known, self._sensor, self._role, kind, value=True, late=late)
