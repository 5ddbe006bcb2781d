"""The table of fortification billiards: bells, arches, passes, pockets, colours, spots and buttons, assembled into strokes.

A stroke begins with a button or, where none is fitted, with what a ball does first. It is over when nothing has moved for
`quiet`, or when the next one begins; one of which nothing was seen is over by the next alone, since balls roll unseen. Colours
and balls put back are told in order with the strokes: what a hand does during the next stroke comes after it (FORT-12a, F-04).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

from controller.rules.awards import Json, Notice
from controller.rules.fortification.words import BALLS, FORTS, Ball, Side
from controller.tables import unheard
from controller.tables.afterwards import Afterwards, done_already
from controller.tables.colours import COLOURS, Due, due_of, taker
from controller.tables.levels import Levels
from controller.tables.life import Life
from controller.tables.missed import MissedStrokes, stray
from controller.tables.opened import OpenStrokes
from controller.tables.readings import MEMORY, Read
from controller.tables.siege import Between, Stroke, likely, unseen_before
from controller.tables.signs import POCKETS, Sign, crossing, place_name, was_slow
from controller.tables.table import Draft, Out, Press, Seen, Standing
from controller.tables.unwatched import Unwatched, ask, unwatched
from controller.tables.wrong_side import drafts, played_by
from hardware.signals import MS, SECOND

LIVE = ("playing", "over")
"""A game that is over may not be so by another answer to an open question: what happens meanwhile is kept until then."""


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
        self._levels = Levels(self._has)
        self._standing = Standing({}, over=False, turn_number=0)
        self._opened = OpenStrokes(self._timing.quiet)
        self._missed = MissedStrokes(max(self._timing.quiet, self._timing.linger))
        self._waiting: list[Between] = []
        self._reads: list[Read] = []
        self._asked: set[Ball] = set()
        self._closed: Stroke | None = None  # one that has just become an event
        self._after = Afterwards()
        self._remarks: dict[str, Notice] = {}

    # What is shown

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What people must do now, by the levels as they are."""
        if self._phase == "arming":
            return self._levels.until_clear(self._due, self._unspotted)
        if self._phase != "playing":
            return ()
        return (*self._levels.colours(self._due), *self._levels.owed(self._unspotted), *self._remarks.values())

    @property
    def sees(self) -> frozenset[str]:
        """With a switch under every flag: which colours must come down. With all spots: which balls must go back."""
        return self._levels.sees

    @property
    def seen(self) -> dict[str, Json]:
        """Colours that are down, spots that are filled, and bells that have rung in strokes still open."""
        down: list[Json] = [of for of in COLOURS if self._levels.up(of) is False]
        rang: list[Json] = [sign.place for stroke in self._opened.all for sign in stroke.signs if sign.what == "bell"]
        return {"down": down, "spots": [ball for ball in BALLS if self._levels.on_spot(ball)], "rang": rang}

    # A table's life

    def baseline(self, levels: dict[str, bool], at: int) -> list[Out]:
        """Take the debounced levels as they are: nothing of it is play."""
        self._levels.begin(levels, at)
        self._look_again()
        return []

    def begin(self, standing: Standing, at: int) -> list[Out]:  # noqa: ARG002 - one signature for all tables
        """A new game: arming until the colours and balls stand as the rules have them."""
        self._standing = standing
        self._phase = "arming"
        self._look_again()
        return []

    def lost(self, roles: frozenset[str]) -> None:
        """These roles are out of use: what they would have seen is unseen."""
        self._levels.lose(roles)
        super().lost(roles)

    def abandon(self) -> None:
        """The game is given up."""
        super().abandon()
        self._opened.all.clear()
        self._waiting.clear()

    # Observations

    def observe(self, seen: Seen) -> list[Out]:
        """Take one observation."""
        o = seen.observation
        if o.role in self._lost:
            return []
        if o.kind == "level":
            self._levels.take(o, seen.id, in_play=self._phase in LIVE)
        if o.kind in ("press", "held"):
            return [*self._button(seen), *self._missed_now()]
        if self._phase == "arming":
            self._look_again()
        elif self._phase in LIVE:
            return self._play(seen)
        return []

    def _button(self, seen: Seen) -> list[Out]:
        o = seen.observation
        if (common := self._common(o)) is not None:
            return [common]
        if o.role == "undo":
            if self._opened.take_back_press():
                return []
            return [Press("undo", o.sensor)]
        if self._phase == "paused":
            return [Press("resume", o.sensor)]
        if self._phase in LIVE:
            self._called(seen, cast(Ball, o.role.removesuffix("-key")) if o.role.endswith("-key") else None)
        return []

    def _called(self, seen: Seen, ball: Ball | None) -> None:
        if not self._opened.called_again(seen, ball, self._timing.again):
            self._begin(seen, called=True).cued = ball

    def _play(self, seen: Seen) -> list[Out]:
        o = seen.observation
        if o.kind == "bump":
            shaken = "The table was shaken: the bells sounded together, and none of them counts."
            self._remarks["bump"] = Notice("FORT-15a", shaken)
        elif o.kind == "blocked":
            self._blocked(seen)
        elif o.kind == "ring":
            self._sign(Sign("bell", o.role, o.at, seen.id), seen)
        elif o.role in POCKETS:
            if o.value is not False:
                self._sign(Sign("pocket", o.role, o.at, seen.id, slow=was_slow(o)), seen)
        elif o.role.endswith("-colours"):
            if not o.value:
                of = o.role.removesuffix("-colours")
                self._came_down(of, seen)
                self._hand(Between(o.at, seen.id, {"event": "colours_down", "of": of, "by": taker(of)}))
        elif o.role.endswith("-spot"):
            self._spot(seen, cast(Ball, o.role.removesuffix("-spot")))
        elif o.role.endswith("-ball") and o.value in BALLS:
            return self._read(Read(o.role.removesuffix("-ball"), o.value, o.at, seen.id), seen)
        elif o.kind == "crossing":
            self._sign(crossing(seen), seen)
        return []

    def _blocked(self, seen: Seen) -> None:
        """A ball may have come to lie in the beam; a hand does that as well."""
        o = seen.observation
        stroke = self._opened.of_ball(o.at)
        if stroke is not None:
            stroke.add(replace(crossing(seen), stays=True))
        else:
            stays = f"Something stays in {place_name(o.role)}: take it away. Nothing is counted by it."
            self._remarks[o.role] = Notice("FORT-15b", stays)

    def _read(self, read: Read, seen: Seen) -> list[Out]:
        self._reads = [one for one in self._reads if read.at - one.at < MEMORY]
        self._reads.append(read)
        is_pocket = read.place in POCKETS
        stroke, beam = self._opened.of(read.at), self._has(read.place if is_pocket else f"{read.place}-arch")
        # With no button and no beam it may be the next stroke's: nothing else would tell that one has begun.
        if stroke is None and (self._calls_strokes or beam) and self._after.brought_one_to(read.place):
            return [*self._after.read(read, self._standing.answered)]
        # With no beam there, that the ball is read is all that tells that one came.
        if not beam and (stroke is None or all(sign.place != read.place for sign in stroke.signs)):
            self._sign(Sign("pocket" if is_pocket else "arch", read.place, read.at, seen.id), seen)
        return []

    def _came_down(self, of: str, seen: Seen) -> None:
        """Colours came down that no other sensor can say to be due: a stroke in play or, with no button, one by that."""
        at = seen.observation.at
        if not unheard.tells_more(of, self._turn, self._due, self._has) or self._after.waits_for(of):
            return
        stroke = self._opened.of(at)
        if stroke is None and not self._opened.all and not self._calls_strokes:
            stroke = self._begin(seen, called=False)
        if stroke is not None and stroke is self._opened.first:
            stroke.add(Sign("colours", of, at, seen.id))

    def _sign(self, sign: Sign, seen: Seen) -> None:
        stroke = self._opened.of_ball(sign.at)
        if stroke is None and not self._calls_strokes:
            stroke = self._begin(seen, called=False)
        if stroke is not None:
            stroke.add(sign)
        elif self._phase == "playing":
            self._stray(sign, seen)

    def _stray(self, sign: Sign, seen: Seen) -> None:
        """Seen while no stroke was in play: a stroke was missed, or a hand did it."""
        lies_there = self._after.brought_one_to(sign.place)
        if lies_there and sign.what == "arch":
            return  # A hand takes out the ball that lies there.
        if lies_there or sign.what == "arch":
            self._remarks[sign.place] = stray(sign)
        if not lies_there and not self._missed.add(sign, self._standing, lambda: self._make(seen, called=False)):
            self._remarks[sign.place] = stray(sign)

    def _spot(self, seen: Seen, ball: Ball) -> None:
        o = seen.observation
        if o.value:
            self._opened.come_back(ball)
            self._hand(Between(o.at, seen.id, {"event": "respotted", "ball": ball}))
        elif not self._opened.leave(ball, o.at, seen.id) and not self._calls_strokes:
            self._begin(seen, called=False)

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
        stroke = self._make(seen, called=called)
        self._opened.add(stroke)
        return stroke

    def _make(self, seen: Seen, *, called: bool) -> Stroke:
        at = seen.observation.at
        stroke = Stroke(at, seen.id, called, evidence=[seen.id] if called else [])
        stroke.stood = frozenset(ball for ball in BALLS if self._levels.on_spot(ball))
        for ball, left, told_by in self._levels.left_lately(at):
            # A ball that leaves its spot just before the button was pressed was cued by this stroke.
            stroke.stood |= {ball}
            stroke.leave(ball, left, told_by)
        return stroke

    def next_deadline(self) -> int | None:
        """When the oldest thing that is still open may be told."""
        if self._phase in ("over", "abandoned"):
            return None
        due = [one for one in (self._stroke_due(), self._missed.due) if one is not None]
        return min([*due, *(one.by for one in self._unwatched())], default=None)

    def _unwatched(self, *, paused: bool = False) -> list[Unwatched]:
        # During a pause hands may still be at it.
        phase = self._paused_from if paused and self._phase == "paused" else self._phase
        return unwatched(self._levels, self._due, self._unspotted, self._opened.first) if phase == "playing" else []

    def _stroke_due(self) -> int | None:
        first = self._opened.first
        if self._waiting and (first is None or self._waiting[0].at < first.start):
            return self._waiting[0].at + self._timing.linger
        return self._opened.due(self._timing.linger)

    def advance(self, t: int) -> list[Out]:
        """Tell the oldest thing whose time has come; changes nothing unless it gives something."""
        while (due := self.next_deadline()) is not None and due <= t:
            if outs := self._tell_next():
                return outs
        return []

    def finish(self, at: int, *, entering: bool) -> list[Out]:  # noqa: ARG002 - one signature for all tables
        """End the oldest stroke of which something was seen; one that was only called is for people to enter."""
        if self._phase == "over":
            # Should people now change what was before, so that the game goes on, this lay there before, and is no event after it.
            self._opened.all.clear()
            self._waiting.clear()
        if entering and (done := self._unwatched(paused=True)):
            return [*ask(done, self._levels, self._standing)]  # Before what people enter, should it be a stroke.
        while self.next_deadline() is not None:
            if outs := self._tell_next():
                return outs
        # What hands did since a stroke was called comes after it, if it is the one that people now enter.
        while self._waiting and not entering:
            outs = self._tell_hand(self._waiting.pop(0))
            if outs:
                return outs
        return []

    def _tell_next(self) -> list[Out]:
        # What hands did before the next stroke goes before it, whenever that became known.
        if done := self._unwatched():
            return [*ask(done, self._levels, self._standing)]
        stroke_due = self._stroke_due()
        if self._missed.due is not None and (stroke_due is None or self._missed.due < stroke_due):
            for place in self._missed.ask(self._reads):
                self._remarks.pop(place, None)
            return self._missed_now()
        first = self._opened.first
        if self._waiting and (first is None or self._waiting[0].at < first.start):
            return self._tell_hand(self._waiting.pop(0))
        stroke = self._opened.take_first()
        stroke.reads = tuple(self._reads)
        return self._tell(stroke)

    def _tell(self, stroke: Stroke) -> list[Out]:
        there, side = {sign.place for sign in stroke.signs}, played_by(stroke, self._turn)
        stroke.late = tuple(of for of in COLOURS if of not in there and unheard.tells_more(of, side, self._due, self._has))
        *before, told = self._drafts(stroke, stroke.reads)
        self._after.begin(stroke, side, told)
        for question in told.questions:
            self._asked.update(choice.key for choice in question.choices if choice.key in BALLS)
        return [*unseen_before(stroke, side, self._due, self._unspotted, self._has), *before, told]

    def _missed_now(self) -> list[Out]:
        return [*self._missed.questions(self._standing, self._opened.last)]

    def _drafts(self, stroke: Stroke, reads: Sequence[Read]) -> list[Draft]:
        stroke.deaf = frozenset(fort for fort in FORTS if not self._has(fort))
        stroke.readable = frozenset(place for place in (*FORTS, *POCKETS) if self._has(f"{place}-ball"))
        return drafts(stroke, self._turn, reads)

    def _tell_hand(self, done: Between) -> list[Out]:
        if done.event["event"] == "respotted":
            # One that isn't owed may be so by another answer to an open question.
            ball = done.event["ball"]
            if ball not in self._unspotted and ball not in self._asked:
                return []
        elif self._due[str(done.event["of"])] == "down":
            return []
        return [*self._after.colours(done), Draft(done.event, done.at, (done.id,), done.id)]

    def drafts(self) -> list[Draft]:
        """The oldest stroke still open, as the event it would be if it ended now; without unknowns."""
        first = self._opened.first
        if first is None or self._phase in ("over", "abandoned") or not (first.signs or len(self._opened.all) > 1):
            return []
        return [likely(told) for told in self._drafts(first, self._reads)]

    def recorded(self, draft: Draft, record: int) -> None:
        """A draft has become the event of this record."""
        self._after.recorded(draft, record)
        if draft.event["event"] == "stroke":
            self._closed = self._after.stroke
            self._missed.recorded(record)

    def follow(self, standing: Standing, at: int) -> Iterator[Out]:
        """Take where the rules stand now."""
        before, self._standing = self._standing, standing
        closed, self._closed = self._closed, None
        if closed is None and standing.turn_number != before.turn_number:
            self._opened.entered()
        if standing.over != before.over:
            self._to("over" if standing.over else "playing")
        if closed is not None and not standing.over:
            yield from done_already(closed, at, self._levels, self._due, self._unspotted)
        yield from self._after.spoken_for(standing)
        yield from self._missed_now()
        if (missed := self._missed.played(self._standing)) is not None:
            yield from self._tell(missed)

    # Where the rules stand

    @property
    def _turn(self) -> Side:
        return cast(Side, self._standing.position["turn"])

    @property
    def _unspotted(self) -> dict[str, Json]:
        return cast(dict[str, Json], self._standing.position.get("unspotted", {}))

    @property
    def _due(self) -> dict[str, Due]:
        return due_of(self._standing.position)

    def _look_again(self) -> None:
        if self._phase == "arming" and not self._levels.until_clear(self._due, self._unspotted):
            self._phase = "playing"
