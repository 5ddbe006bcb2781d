"""The table of fortification billiards: bells, arches, passes, pockets, colours, spots and buttons, assembled into strokes.

A stroke begins with a button or, where none is fitted, with what a ball does first. It is over when nothing has moved for
`quiet`, or when the next one begins; one of which nothing was seen is over by the next alone, since balls roll unseen. Colours
and balls put back are told in order with the strokes: what a hand does during the next stroke comes after it (FORT-12a, F-04).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, cast

from controller.rules.awards import Json, Notice
from controller.rules.fortification.words import BALLS, ENEMY, FORTS, NAME, Ball, Side
from controller.tables import unheard
from controller.tables.colours import COLOURS, Due, due_of, notices_of, taker
from controller.tables.life import Life
from controller.tables.siege import Between, Read, Sign, Stroke, draft, likely, may_have_rung, place_name, stray
from controller.tables.table import Draft, Out, Press, Seen, Standing
from hardware.signals import MS, SECOND

POCKETS = tuple(f"pocket-{n}" for n in range(1, 7))
LIVE = ("playing", "over")
"""A game that is over may not be so by another answer to an open question: what happens meanwhile is kept until then."""
MEMORY = 10 * SECOND
"""Readings of balls are kept so long."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How strokes are told apart, in nanoseconds.

    `quiet`: nothing moved for so long, the stroke is over; `linger`: how late something may become known; `again`: a stroke
    button pressed twice within it was pressed once.
    """

    quiet: int = 2 * SECOND
    linger: int = 100 * MS
    again: int = SECOND


class FortificationTable(Life):
    """One table of fortification. Roles are those of `roles.py`; any may be missing."""

    def __init__(self, roles: Iterable[str], timing: Timing | None = None) -> None:
        super().__init__(roles)
        self._timing = timing or Timing()
        self._levels: dict[str, bool] = {}
        self._changed: dict[str, int] = {}
        self._standing = Standing({}, over=False, turn_number=0)
        self._open: list[Stroke] = []
        self._waiting: list[Between] = []
        self._reads: list[Read] = []
        self._asked: set[Ball] = set()
        self._closed: Stroke | None = None
        self._told: Stroke | None = None  # the stroke of the turn before
        self._remarks: dict[str, Notice] = {}

    # What is shown

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What people must do now, by the levels as they are."""
        if self._phase == "arming":
            return self._until_clear()
        if self._phase != "playing":
            return ()
        return (*notices_of(self._due, self._up), *self._off_spot(), *self._remarks.values())

    @property
    def sees(self) -> frozenset[str]:
        """With a switch under every flag: which colours must come down. With all spots: which balls must go back."""
        rules: frozenset[str] = frozenset()
        if all(self._has(f"{of}-colours") for of in COLOURS):
            rules |= {"FORT-07a", "FORT-12a"}
        if all(self._has(f"{ball}-spot") for ball in BALLS):
            rules |= {"FORT-06", "FORT-09b", "FORT-10", "FORT-18b", "FORT-22b", "FORT-35a", "FORT-38d", "F-10"}
        return rules

    @property
    def seen(self) -> dict[str, Json]:
        """Colours that are down, spots that are filled, and bells that have rung in strokes still open."""
        down: list[Json] = [of for of in COLOURS if self._up(of) is False]
        rang: list[Json] = [sign.place for stroke in self._open for sign in stroke.signs if sign.what == "bell"]
        return {"down": down, "spots": [ball for ball in BALLS if self._on_spot(ball)], "rang": rang}

    # A table's life

    def baseline(self, levels: dict[str, bool], at: int) -> list[Out]:  # noqa: ARG002 - one signature for all tables
        """Take the debounced levels as they are: nothing of it is play."""
        self._levels.update(levels)
        self._look_again()
        return []

    def begin(self, standing: Standing, at: int) -> list[Out]:  # noqa: ARG002 - one signature for all tables
        """A new game: arming until the colours and balls stand as the rules have them."""
        self._standing = standing
        self._phase = "arming"
        self._look_again()
        return []

    def abandon(self) -> None:
        """The game is given up."""
        super().abandon()
        self._open.clear()
        self._waiting.clear()

    # Observations

    def observe(self, seen: Seen) -> list[Out]:
        """Take one observation."""
        o = seen.observation
        if o.role in self._lost:
            return []
        if o.kind == "level":
            self._levels[o.role] = bool(o.value)
            self._changed[o.role] = o.at
        if o.kind in ("press", "held"):
            return self._button(seen)
        if self._phase == "arming":
            self._look_again()
        elif self._phase in LIVE:
            self._play(seen)
        return []

    def _button(self, seen: Seen) -> list[Out]:
        o = seen.observation
        if (common := self._common(o)) is not None:
            return [common]
        if o.role == "undo":
            if self._open and not self._open[-1].signs:
                # Nothing was seen of that stroke: all there is to take back is the press that began it.
                self._open.pop()
                return []
            return [Press("undo", o.sensor)]
        if self._phase == "paused":
            return [Press("resume", o.sensor)]
        if self._phase in LIVE:
            self._called(seen, cast(Ball, o.role.removesuffix("-key")) if o.role.endswith("-key") else None)
        return []

    def _called(self, seen: Seen, ball: Ball | None) -> None:
        last = self._open[-1] if self._open else None
        if last is not None and last.called and not last.signs and seen.observation.at - last.start < self._timing.again:
            last.cued = ball or last.cued
            last.evidence.append(seen.id)
        elif last is not None and last.called and not last.signs and last.cued is None and ball is not None:
            last.cued = ball
            last.evidence.append(seen.id)
        else:
            self._begin(seen, called=True).cued = ball

    def _play(self, seen: Seen) -> None:
        o = seen.observation
        if o.kind == "bump":
            self._remark("bump", "FORT-15a", "The table was shaken: the bells sounded together, and none of them counts.")
        elif o.kind == "blocked" and o.role.endswith("-arch") and self._stroke_of(o.at) is not None:
            # A ball may have come to lie in the beam.
            self._sign(Sign("arch", o.role.removesuffix("-arch"), o.at, seen.id), seen)
        elif o.kind == "blocked":
            self._remark(o.role, "FORT-15b", f"Something stays in {place_name(o.role)}: take it away. Nothing is counted by it.")
        elif o.kind == "ring":
            self._sign(Sign("bell", o.role, o.at, seen.id), seen)
        elif o.role in POCKETS:
            if o.value is not False:
                self._sign(Sign("pocket", o.role, o.at, seen.id), seen)
        elif o.role.endswith("-colours"):
            if not o.value:
                of = o.role.removesuffix("-colours")
                self._came_down(of, seen)
                self._hand(Between(o.at, seen.id, {"event": "colours_down", "of": of, "by": taker(of)}))
        elif o.role.endswith("-spot"):
            self._spot(seen, cast(Ball, o.role.removesuffix("-spot")))
        elif o.role.endswith("-ball") and o.value in BALLS:
            self._read(Read(o.role.removesuffix("-ball"), o.value, o.at, seen.id), seen)
        elif o.kind == "crossing":
            self._crossing(seen)

    def _read(self, read: Read, seen: Seen) -> None:
        self._reads = [one for one in self._reads if read.at - one.at < MEMORY]
        self._reads.append(read)
        # With no beam there, that the ball is read is all that tells that one came.
        what: Literal["arch", "pocket"] = "pocket" if read.place in POCKETS else "arch"
        stroke, beam = self._stroke_of(read.at), read.place if what == "pocket" else f"{read.place}-arch"
        if not self._has(beam) and (stroke is None or all(sign.place != read.place for sign in stroke.signs)):
            self._sign(Sign(what, read.place, read.at, seen.id), seen)

    def _came_down(self, of: str, seen: Seen) -> None:
        """Colours came down that no other sensor can say to be due: a stroke in play or, with no button, one by that."""
        at = seen.observation.at
        if not self._tells_more(of, self._turn) or (self._told is not None and of in self._told.late):
            return
        stroke = self._stroke_of(at)
        if stroke is None and not self._open and not self._calls_strokes:
            stroke = self._begin(seen, called=False)
        if stroke is not None and stroke is self._open[0]:
            stroke.add(Sign("colours", of, at, seen.id))

    def _tells_more(self, of: str, side: Side) -> bool:
        return unheard.tells_more(of, side, self._due, self._has)

    def _crossing(self, seen: Seen) -> None:
        o = seen.observation
        if o.role.endswith("-arch"):
            self._sign(Sign("arch", o.role.removesuffix("-arch"), o.at, seen.id), seen)
            return
        # The near beam of a pass stands on the side whose it is.
        near = cast(Side, o.role.removesuffix("-pass"))
        way = {"up": near, "down": ENEMY[near]}.get(str(o.value), "")
        self._sign(Sign("pass", "pass", o.at, seen.id, way), seen)

    def _sign(self, sign: Sign, seen: Seen) -> None:
        stroke = self._stroke_of(sign.at)
        if stroke is None and not self._calls_strokes:
            stroke = self._begin(seen, called=False)
        if stroke is not None:
            stroke.add(sign)
            return
        if (notice := stray(sign)) is not None:
            self._remarks[sign.place] = notice

    def _spot(self, seen: Seen, ball: Ball) -> None:
        o = seen.observation
        if o.value:
            self._hand(Between(o.at, seen.id, {"event": "respotted", "ball": ball}))
            return
        stroke = self._stroke_of(o.at)
        if stroke is not None:
            stroke.left.add(ball)
            stroke.evidence.append(seen.id)

    def _hand(self, done: Between) -> None:
        self._waiting.append(done)
        self._waiting.sort(key=lambda one: one.at)

    # Strokes and their end

    @property
    def _calls_strokes(self) -> bool:
        """Whether a button tells strokes; without one only what a ball does can."""
        return self._has("stroke") or any(self._has(f"{ball}-key") for ball in BALLS)

    def _begin(self, seen: Seen, *, called: bool) -> Stroke:
        self._remarks.clear()
        at = seen.observation.at
        # A ball that leaves its spot just before the button was pressed was cued by this stroke.
        left = {ball for ball in BALLS if self._left_lately(ball, at)}
        stood = frozenset(ball for ball in BALLS if self._on_spot(ball)) | left
        stroke = Stroke(at, seen.id, called, stood=stood, left=left, evidence=[seen.id] if called else [])
        self._open.append(stroke)
        return stroke

    def _left_lately(self, ball: Ball, at: int) -> bool:
        role = f"{ball}-spot"
        return self._has(role) and not self._levels.get(role, True) and abs(at - self._changed.get(role, at - SECOND)) < SECOND

    def _stroke_of(self, at: int) -> Stroke | None:
        return next((stroke for stroke in reversed(self._open) if stroke.start <= at), None)

    def next_deadline(self) -> int | None:
        """When the oldest thing that is still open may be told."""
        if self._phase in ("over", "abandoned"):
            return None
        if self._waiting and (not self._open or self._waiting[0].at < self._open[0].start):
            return self._waiting[0].at + self._timing.linger
        if len(self._open) > 1:
            return self._open[1].start + self._timing.linger
        if self._open and self._open[0].signs:
            return self._open[0].last + max(self._timing.quiet, self._timing.linger)
        return None

    def advance(self, t: int) -> list[Out]:
        """Tell the oldest thing whose time has come; changes nothing unless it gives something."""
        while (due := self.next_deadline()) is not None and due <= t:
            outs = self._tell_next()
            if outs:
                return outs
        return []

    def finish(self, at: int, *, entering: bool) -> list[Out]:  # noqa: ARG002 - one signature for all tables
        """End the oldest stroke of which something was seen; one that was only called is for people to enter."""
        if self._phase == "over":
            # Should people now change what was before, so that the game goes on, this lay there before, and is no event after it.
            self._open.clear()
            self._waiting.clear()
        while self.next_deadline() is not None:
            outs = self._tell_next()
            if outs:
                return outs
        # What hands did since a stroke was called comes after it, if it is the one that people now enter.
        while self._waiting and not entering:
            outs = self._tell_hand(self._waiting.pop(0))
            if outs:
                return outs
        return []

    def _tell_next(self) -> list[Out]:
        if self._waiting and (not self._open or self._waiting[0].at < self._open[0].start):
            return self._tell_hand(self._waiting.pop(0))
        stroke = self._open.pop(0)
        self._closed = self._told = stroke
        there = {sign.place for sign in stroke.signs}
        stroke.late = tuple(of for of in COLOURS if of not in there and self._tells_more(of, self._turn))
        told = self._draft(stroke)
        for question in told.questions:
            self._asked.update(choice.key for choice in question.choices if choice.key in BALLS)
        return [*unheard.unseen_colours(stroke.key, stroke.start, self._due, self._has), *self._on_their_spots(stroke), told]

    def _on_their_spots(self, stroke: Stroke) -> list[Draft]:
        if not any(sign.what in ("bell", "colours") or sign.place in stroke.deaf for sign in stroke.signs):
            return []
        owed = [ball for ball, side in self._unspotted.items() if side == self._turn]
        return unheard.unseen_spots(stroke.key, stroke.start, owed, self._has)

    def _draft(self, stroke: Stroke) -> Draft:
        stroke.deaf = frozenset(fort for fort in FORTS if not self._has(fort))
        return draft(stroke, self._turn, self._reads)

    def _tell_hand(self, done: Between) -> list[Out]:
        if done.event["event"] == "respotted":
            # One that isn't owed may be so by another answer to an open question.
            ball = done.event["ball"]
            if ball not in self._unspotted and ball not in self._asked:
                return []
        elif self._due[str(done.event["of"])] == "down":
            return []
        return [*self._told_late(done), Draft(done.event, done.at, (done.id,), done.id)]

    def _told_late(self, done: Between) -> list[Out]:
        """What colours say of the stroke before, when nothing else could: now people are asked."""
        of, stroke = str(done.event.get("of")), self._told
        if stroke is None or of not in stroke.late:
            return []
        stroke.late = tuple(one for one in stroke.late if one != of)
        name, side = unheard.late_name(stroke.key, of), taker(of)
        if of not in FORTS:
            return [unheard.through(name, side)]
        return [unheard.rang(name, of, may_have_rung(stroke, of, side), went_in=False)]

    def drafts(self) -> list[Draft]:
        """The oldest stroke still open, as the event it would be if it ended now; without unknowns."""
        if not self._open or self._phase in ("over", "abandoned") or not (self._open[0].signs or len(self._open) > 1):
            return []
        return [likely(self._draft(self._open[0]))]

    def recorded(self, draft: Draft, record: int) -> None:
        """A draft has become the event of this record."""

    def follow(self, standing: Standing, at: int) -> list[Out]:
        """Take where the rules stand now."""
        before, self._standing = self._standing, standing
        closed, self._closed = self._closed, None
        if closed is None and standing.turn_number != before.turn_number:
            # People have entered or taken back a stroke: the one that was only called is that one, or was none.
            self._open = [stroke for stroke in self._open if stroke.signs]
        if standing.over != before.over:
            self._to("over" if standing.over else "playing")
        return self._down_already(closed, at) if closed is not None and not standing.over else []

    def _down_already(self, closed: Stroke, at: int) -> list[Out]:
        """Colours that were due by this stroke and lay down before it: there is nothing left to take down."""
        return [
            Draft({"event": "colours_down", "of": of, "by": taker(of)}, at, tuple(closed.evidence), closed.key)
            for of, due in self._due.items()
            if due == "coming down" and self._up(of) is False and self._changed.get(f"{of}-colours", 0) < closed.start
        ]

    # Where the rules stand, and levels

    @property
    def _turn(self) -> Side:
        return cast(Side, self._standing.position["turn"])

    @property
    def _unspotted(self) -> dict[str, Json]:
        return cast(dict[str, Json], self._standing.position.get("unspotted", {}))

    @property
    def _due(self) -> dict[str, Due]:
        return due_of(self._standing.position)

    def _up(self, of: str) -> bool | None:
        """Whether these colours are up; None where no sensor tells."""
        role = f"{of}-colours"
        return self._levels.get(role) if self._has(role) else None

    def _on_spot(self, ball: str) -> bool:
        return self._has(f"{ball}-spot") and self._levels.get(f"{ball}-spot", False)

    def _off_spot(self) -> list[Notice]:
        owed = [cast(Ball, ball) for ball in self._unspotted if self._has(f"{ball}-spot") and not self._on_spot(ball)]
        return [Notice("FORT-35a", f"Put {NAME[ball]} back on its spot, or behind it if another lies there.") for ball in owed]

    def _look_again(self) -> None:
        if self._phase == "arming" and not self._until_clear():
            self._phase = "playing"

    def _until_clear(self) -> tuple[Notice, ...]:
        notices = list(notices_of(self._due, self._up))
        due = self._due.values()
        if all(one == "up" for one in due) and not self._unspotted:
            # FORT-03: nothing has been played.
            missing = [ball for ball in BALLS if self._has(f"{ball}-spot") and not self._on_spot(ball)]
            notices += [Notice("FORT-03", f"Put {NAME[ball]} on its spot.") for ball in missing]
        return tuple(notices)

    def _remark(self, key: str, rule: str, text: str) -> None:
        self._remarks[key] = Notice(rule, text)
