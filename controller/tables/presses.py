"""What people press at a table of squails: seats, the captains' buttons, the gauge; and what a table of squails keeps in mind."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace

from controller.rules.awards import Json, Notice
from controller.rules.squails.words import Player, listed, sentence, spoken
from controller.tables.captains import Captains, disputed, gauge_laid, lay_next
from controller.tables.demarcation import Ground
from controller.tables.eyes import Eyes
from controller.tables.life import Life
from controller.tables.nearness import Gap
from controller.tables.rounds import gauged
from controller.tables.slides import Stroke, Struck, draft, target_now
from controller.tables.squails_standing import SquailsStanding
from controller.tables.table import Draft, Out, Press, Question, Seen, Standing
from hardware.places import Place
from hardware.signals import MS, SECOND

SEATS = tuple(f"seat-{n}" for n in range(1, 9))
SAYS = ("claim", "allow", "dispute", "out")
REFUSED = {
    "strike": ("SQU-07", "stroke"),
    "claim": ("SQU-17", "claim"),
    "allow": ("SQU-17", "allowance"),
    "dispute": ("SQU-18", "dispute"),
    "gauge": ("SQU-18", "answer of the gauge"),
    "cry_out": ("SQU-26", "cry"),
    "claim_replay": ("SQU-27", "call for a squail"),
}
"""What a press may tell though the rules refuse it: the rule, and how it is called."""
OF_PRESSES = ("refused", "nobody", "judge", "claim", "cry", "gauge", "seat")
"""Remarks that are about a press: the next press takes their place."""


@dataclass(frozen=True, slots=True)
class Timing:
    """When a round is measured, in nanoseconds.

    `quiet`: nothing has moved for so long after the last stroke; `grace`: the same where a squail may still be cried, called for
    or taken back; `centred`: how far off the middle, in millimetres, the target may be put back; `linger`: how long a press of a
    seat's button waits for the target, where no sensor sees the squails.
    """

    quiet: int = 3 * SECOND
    grace: int = 15 * SECOND
    centred: float = 10.0
    linger: int = 1500 * MS


@dataclass(slots=True)
class RoundKept:
    """What a table keeps in mind of one round: corrections may lead to another, and back."""

    stood: Place | None
    """Where the target stood after the stroke before."""
    armed: bool = False
    """Whether the table was seen clear before the first stroke."""
    gauged: Question | None = None
    """What the gauge answered last."""
    remarks: dict[str, Notice] = field(default_factory=dict)
    moved_target: set[str] = field(default_factory=set)
    """The squails whose stroke did something to the target."""


class Presses(Life):
    """A table of squails as far as its buttons and its gauge tell of the game."""

    def __init__(self, roles: Iterable[str], ground: Ground | None, timing: Timing) -> None:
        super().__init__(roles)
        self._ground = ground
        self._timing = timing
        self._rules = SquailsStanding(Standing({}, over=False, turn_number=0))
        self._eyes = Eyes(self._roles)
        self._captains = Captains()
        self._seat: tuple[Player, int, int] | None = None  # who pressed, when, observation
        self._rounds: dict[int, RoundKept] = {}  # by the record that began it
        self._measured: dict[int, tuple[Gap, ...]] = {}  # by the record of a round's end
        self._measuring: tuple[Gap, ...] = ()
        self._questions: dict[str, Question] = {}
        self._told: dict[str, int] = {}  # the end of a round and its successor, told at so many events
        self._said_last: tuple[int, str, str] | None = None  # what was pressed last: its record, rule and words

    def _gauge(self, seen: Seen, *, touches: bool) -> list[Out]:
        if self._phase not in ("playing", "clearing", "over"):
            return []
        for asked in self._rules.standing.asked:
            question = self._questions.get(asked)
            narrowed = None if question is None else gauged(question, touches=touches)
            if narrowed is not None:
                self._round.gauged = question
                return [replace(narrowed, evidence=(seen.id,))]
        if left := self._disputed:
            return [gauge_laid(seen, left[0], self._rules.gauge, touches=touches)]
        self._remark("gauge", "SQU-18", "The gauge was laid, but nothing is asked of it.")
        return []

    def _button(self, seen: Seen) -> list[Out]:
        o = seen.observation
        if (common := self._common(o)) is not None:
            return [common]
        if o.role == "undo":
            if (again := self._round.gauged) is not None:
                # What the gauge said last is asked again.
                self._round.gauged = None
                return [again]
            return [] if self._captains.forget_claim() else [Press("undo", o.sensor)]
        if self._phase == "paused":
            return [Press("resume", o.sensor)]
        if self._phase not in ("playing", "clearing", "over"):
            return []
        self._pressed_anew()
        if o.role in ("gauge-yes", "gauge-no"):
            return self._gauge(seen, touches=o.role == "gauge-yes")
        if o.role in SEATS:
            return self._seat_pressed(seen)
        side, _, says = o.role.partition("-")
        if says not in SAYS:
            return []
        if side not in self._rules.seats.sides:
            rule = "SQU-04" if self._rules.seats.solo else "SQU-03"
            sides = listed(self._rules.seats.sides)
            self._remark("nobody", rule, f"{o.role} was pressed, but nobody plays {spoken(side)}: {sides} do.")
            return []
        presses: dict[str, Callable[[Seen, str], list[Out]]] = {"claim": self._claims, "out": self._cries}
        return presses.get(says, self._judges)(seen, side)

    def _seat_pressed(self, seen: Seen) -> list[Out]:
        o = seen.observation
        place = SEATS.index(o.role)
        if place >= len(self._rules.seats.players):
            there = len(self._rules.seats.players)
            self._remark("nobody", "SQU-07", f"{o.role} was pressed, but only {there} play: nobody sits there.")
            return []
        player = self._rules.seats.players[place]
        for asked in self._rules.standing.asked:
            question = self._questions.get(asked)
            if asked.startswith("player-") and question is not None and player in {choice.key for choice in question.choices}:
                choices = tuple(choice for choice in question.choices if choice.key == player)
                return [replace(question, choices=choices, likely=player, evidence=(seen.id,))]
        outs = [] if self._sees_squails else self._call()
        if self._phase == "clearing" and not self._eyes.sees_target:
            # No sensor sees the table: who strikes again begins the next round.
            outs.append(Draft({"event": "new_round", "target_at": "centre"}, o.at, (seen.id,), seen.id))
        self._seat = (player, o.at, seen.id)
        return outs

    def _claims(self, seen: Seen, side: str) -> list[Out]:
        return [*self._captains.claim(seen, side)] if self._rules.ended else self._calls_for(seen, side)

    def _calls_for(self, seen: Seen, side: str) -> list[Out]:
        """During a round a claim calls for a squail that went out uncried (SQU-27); without a camera it ends the round."""
        if (own := self._rules.called_for(side)) is not None:
            event: dict[str, Json] = {"event": "claim_replay", "squail": own, "by": side}
            return [Draft(event, seen.observation.at, (seen.id,), seen.id)]
        if self._target is None or not self._sees_squails:
            # S-20: nothing measures this round but what the captains say.
            outs = self._call()
            self._captains.claim(seen, side)
            return [*outs, Draft({"event": "round_end", "gaps_mm": {}}, seen.observation.at, (seen.id,), seen.id)]
        self._remark("claim", "SQU-17", "Squails are claimed at the end of a round: this one isn't measured yet.")
        return []

    def _cries(self, seen: Seen, side: str) -> list[Out]:
        over = [one for one, status in self._rules.statuses.items() if status == "over"]
        for name in self._rules.standing.asked:
            if name.startswith("line-") and (question := self._questions.get(name)) is not None:
                # It may have gone across: that somebody cries it speaks for that, and is still asked.
                over += [str(v) for c in question.choices if c.key == "across" for v in c.binds.values() if isinstance(v, str)]
        over = [one for one in over if not one.startswith(f"{side}-")]
        if not over:
            self._remark("cry", "SQU-26", "Nothing has gone across that could be cried out.")
            return []
        event: dict[str, Json] = {"event": "cry_out", "squail": over[-1], "by": side}
        return [Draft(event, seen.observation.at, (seen.id,), seen.id)]

    def _judges(self, seen: Seen, side: str) -> list[Out]:
        if not self._rules.ended:
            self._remark("judge", "SQU-17", "Claims are allowed and disputed at the end of a round.")
            return []
        self._told.pop("new", None)
        says = seen.observation.role.partition("-")[2]
        return [*self._captains.judge(seen, side, says)]

    def _call(self) -> list[Out]:
        """Where no sensor sees the squails: whoever pressed has struck the next of his side."""
        seat, self._seat = self._seat, None
        if seat is None:
            return []
        player, at, seen = seat
        side = self._rules.seats.side_of[player]
        squail = next((one for one in self._rules.in_hand if self._rules.seats.side_of[one] == side), None)
        if squail is None:
            self._remark("seat", "SQU-08", f"{spoken(player)} pressed, but nothing is left in hand there.")
            return []
        ways: tuple[str, ...] = ("still",)
        if self._ground is not None and self._eyes.sees_target:
            ways = target_now(self._round.stood, self._target, self._ground, self._rules.gauge)
        self._round.stood = self._target
        evidence = (seen,) if ways == ("still",) else (seen, *self._eyes.basis)
        drafted = draft(Stroke(Struck(squail, ("in",), 0.0), (player,), ways, str(seen)), at, evidence, seen)
        self._keep(drafted)
        return [drafted]

    def _keep(self, drafted: Draft) -> None:
        for question in drafted.questions:
            self._questions[question.id] = question

    @property
    def _round(self) -> RoundKept:
        return self._rounds.setdefault(self._rules.began, RoundKept(self._target))

    @property
    def _remarks(self) -> dict[str, Notice]:
        return self._round.remarks

    @property
    def _disputed(self) -> list[Gap]:
        """Where the gauge is still to be laid: it follows from what stands, so what is taken back comes again as it was."""
        out = {one for one, status in self._rules.statuses.items() if status == "out"}
        gaps = [gap for gap in self._measured.get(self._rules.end, ()) if gap.squail not in out]
        return disputed(self._rules.since_end, gaps, self._rules.gauge)

    @property
    def _to_gauge(self) -> tuple[Notice, ...]:
        return tuple(lay_next(gap) for gap in self._disputed[:1])

    @property
    def _events(self) -> int:
        return len(self._rules.standing.events)

    @property
    def _sees_squails(self) -> bool:
        return self._eyes.sees_squails

    @property
    def _sure_ground(self) -> Ground:
        assert self._ground is not None, "a table with a position sensor says how large it is"
        return self._ground

    @property
    def _target(self) -> Place | None:
        return self._eyes.target

    def recorded(self, draft: Draft, record: int) -> None:
        """A draft has become the event of this record: what people did or said may be refused."""
        if draft.event["event"] == "round_end":
            self._measured[record], self._measuring = self._measuring, ()
        said = REFUSED.get(str(draft.event["event"]))
        # Where people say what was struck, they may say that nothing was.
        known = not any(isinstance(value, str) and value.startswith("?") for value in draft.event.values())
        seen = draft.event["event"] == "strike" and self._sees_squails
        if said is not None and known and not seen:
            by = draft.event.get("by", draft.event.get("player"))
            self._said_last = (record, said[0], f"{sentence(spoken(str(by)))}'s {said[1]}" if by else f"The {said[1]}")

    def _refused(self, records: Collection[int]) -> None:
        """Say that the latest press counts nothing, if the rules refused it. `records`: of the events that stand."""
        call, self._said_last = self._said_last, None
        if call is not None and call[0] not in records:
            self._remark("refused", call[1], f"{call[2]} is not allowed now, and counts nothing: the game's list says why.")

    def _pressed_anew(self) -> None:
        """What was said of the press before is over."""
        for key in OF_PRESSES:
            self._remarks.pop(key, None)

    @property
    def _said_of_presses(self) -> tuple[Notice, ...]:
        return tuple(notice for key, notice in self._remarks.items() if key in OF_PRESSES)

    def _remark(self, key: str, rule: str, text: str) -> None:
        self._remarks[key] = Notice(rule, text)
