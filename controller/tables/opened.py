"""The strokes of fortification that are still open: which one something belongs to, and what begins one where no button does."""

from __future__ import annotations

from controller.rules.fortification.words import Ball
from controller.tables.siege import Stroke
from controller.tables.table import Seen
from hardware.signals import SECOND

ROLL = 10 * SECOND
"""Nothing that a ball does comes so long after a ball left its spot by the same stroke."""


class OpenStrokes:
    """In the order in which they began. `quiet`: nothing moved for so long, a stroke is over; nanoseconds."""

    def __init__(self, quiet: int) -> None:
        self.all: list[Stroke] = []
        self._quiet = quiet
        self._lapsed: dict[Ball, int] = {}

    @property
    def first(self) -> Stroke | None:
        """The one that is told next."""
        return self.all[0] if self.all else None

    @property
    def last(self) -> Stroke | None:
        """The one that began last."""
        return self.all[-1] if self.all else None

    def due(self, linger: int) -> int | None:
        """When the one that is told next is over: nothing has moved for a while, or another has begun."""
        first = self.first
        if len(self.all) > 1:
            return self.all[1].start + linger
        return None if first is None or not first.signs else first.last + max(self._quiet, linger)

    def add(self, stroke: Stroke) -> None:
        """One more has begun."""
        stroke.lapsed, self._lapsed = self._lapsed, {}
        self.all.append(stroke)

    def entered(self) -> None:
        """People have entered or taken back a stroke: one of which nothing was seen is that one, or was none."""
        self.all = [stroke for stroke in self.all if stroke.signs]
        self._lapsed = {}

    def called_again(self, seen: Seen, ball: Ball | None, again: int) -> bool:
        """A button was pressed: whether that is of the stroke that was called last, of which nothing was seen yet."""
        last = self.last
        if last is None or not last.called or last.signs:
            return False
        twice = seen.observation.at - last.start < again
        if not twice and (last.cued is not None or ball is None):
            return False
        last.cued = ball or last.cued
        last.evidence.append(seen.id)
        return True

    def take_back_press(self) -> bool:
        """All there is to take back is the press that began a stroke of which nothing was seen; False where there is none."""
        last = self.last
        if last is None or not last.called or last.signs:
            return False
        self.all.pop()
        return True

    def take_first(self) -> Stroke:
        """The one that is told next is over: it knows of nothing that comes after it."""
        stroke = self.all.pop(0)
        stroke.until = self.all[0].start if self.all else None
        return stroke

    def of(self, at: int) -> Stroke | None:
        """The stroke that was in play then."""
        return next((stroke for stroke in reversed(self.all) if stroke.start <= at), None)

    def of_ball(self, at: int) -> Stroke | None:
        """The stroke of something that a ball did then; None where none was in play.

        One that no button called began with what is known to have come first, whenever that becomes known. A ball that left its
        spot long ago, and of which nothing was seen since, was lifted, or missed and nobody has said so.
        """
        stroke = self.of(at)
        last = self.last
        if stroke is None and last is not None and not last.called and at > last.start - self._quiet:
            stroke = last
        if stroke is not None and self._has_lapsed(stroke, at):
            self.all.remove(stroke)
            self._lapsed = dict(stroke.left)
            return None
        return stroke

    def leave(self, ball: Ball, at: int, seen: int) -> bool:
        """A ball left its spot; False where no stroke was in play."""
        stroke, last = self.of_ball(at), self.last
        if stroke is not None:
            stroke.leave(ball, at, seen)
        if last is not None and last is not stroke and at < last.start < at + SECOND:
            # The button was pressed just then, and a switch takes a while to settle.
            last.leave(ball, at, seen)
            return True
        return stroke is not None

    def come_back(self, ball: Ball) -> None:
        """A ball is on its spot: where nothing else was seen it was lifted, and no stroke was played."""
        last = self.last
        if last is not None and _is_bare(last):
            last.come_back(ball)
            if not last.left:
                self.all.remove(last)

    def _has_lapsed(self, stroke: Stroke, at: int) -> bool:
        return _is_bare(stroke) and at - stroke.moved > ROLL


def _is_bare(stroke: Stroke) -> bool:
    """Whether all that tells of a stroke is that balls left their spots."""
    return not stroke.called and not stroke.signs
