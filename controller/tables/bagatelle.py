"""The bagatelle table: cup switches, spot a, the half-way beams and buttons, assembled into shots.

The last ball of a turn has no next stroke to end it: it is over when nothing has moved for `quiet`, and not before a slow ball
has had `roll` to come to rest; or when END OF TURN is pressed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from controller.rules.awards import Json, Notice
from controller.tables.asked_turn import AskedTurn
from controller.tables.bagatelle_words import lift, no_count, put_back
from controller.tables.identity import Move, Stroke
from controller.tables.life import Life
from controller.tables.table import Draft, Out, Phase, Press, Seen, Standing
from controller.tables.turn import Timing
from controller.tables.turn_questions import cups_text

CUPS = tuple(range(1, 10))
MOST_ASKED = 2
"""Of so many cups without a switch it is asked what lies in them; of more the answers would be too many."""


class BagatelleTable(Life):
    """One bagatelle board. Roles: `cup-1`…`cup-9`, `black-1`…`black-9`, `spot-a`, `half-way`, buttons; any may be missing."""

    def __init__(self, roles: Iterable[str], timing: Timing | None = None) -> None:
        super().__init__(roles)
        self._levels: dict[str, bool] = {}
        self._black_in: dict[int, int] = {}
        """By cup where a colour input finds the black: the observation."""
        self._turn = AskedTurn(timing or Timing())
        self._ending: int | None = None
        """The press that ends the turn, while its strokes are still being ended."""
        self._left: dict[tuple[int, ...], Phase] = {}
        """By the events of the game: the phase in which its turn was left, by an end, an undo or a correction."""
        self._see_blind()
        self._remark: tuple[int, Notice] | None = None  # in which turn

    # What is shown

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What people must do now, by the levels as they are."""
        if self._phase == "arming":
            return self._until_clear()
        if self._phase == "clearing":
            return (*self._until_clear(), *self._blind())
        if self._phase != "playing":
            return ()
        number = self._turn.standing.turn_number
        odd = frozenset[int]().union(*(cups for cups, _ in self._turn.remarks))
        notices = [notice for _, notice in self._turn.remarks]
        expected = self._turn.expected
        stale = [cup for cup in CUPS if self._filled(cup) and cup not in expected and cup not in odd]
        if stale:
            notices.append(
                Notice("BAG-06" if not self._turn.struck else "BAG-11", f"{lift(stale)} {no_count(stale)} in this turn.")
            )
        gone = [cup for cup in sorted(expected) if self._has(f"cup-{cup}") and not self._filled(cup)]
        if gone:
            notices.append(Notice("BAG-11", put_back(gone)))
        if self._remark is not None and self._remark[0] == number:
            notices.append(self._remark[1])
        return (*notices, *self._blind())

    @property
    def sees(self) -> frozenset[str]:
        """With switches in the cups: which ball to lift, and when the balls are collected."""
        return frozenset({"BAG-04", "BAG-06", "BAG-07", "BAG-10", "B-15"}) if self._has("cup-1") else frozenset()

    @property
    def seen(self) -> dict[str, Json]:
        """What lies on the board as the sensors see it, named where that is known: `{"cups": {"5": "black", "3": "ball"}}`."""
        names = self._turn.expected
        return {"cups": {str(cup): names.get(cup, "ball") for cup in CUPS if self._filled(cup)}}

    # A table's life

    def baseline(self, levels: dict[str, bool], at: int) -> list[Out]:  # noqa: ARG002 - one signature for all tables
        """Take the debounced levels as they are: nothing of it is play."""
        self._levels.update(levels)
        self._look_again()
        return self._put_right()

    def resume(self, at: int) -> list[Out]:
        """Go on; what was put right meanwhile is asked about no more."""
        return [*super().resume(at), *self._put_right()]

    def _put_right(self) -> list[Out]:
        """Balls that lay where none was played, and are gone though nobody watched."""
        turn = self._turn
        for cup in CUPS:
            if self._has(f"cup-{cup}") and not self._filled(cup):
                turn.strays.emptied(cup, turn.standing)
        if self._on_spot:
            turn.strays.black_back(turn.standing)
        return [*turn.asks()] if self._phase == "playing" else []

    def begin(self, standing: Standing, at: int) -> list[Out]:  # noqa: ARG002 - one signature for all tables
        """A new game: arming until the cups are empty and the black is on spot a."""
        self._turn.follow(standing)
        self._phase = "arming"
        self._look_again()
        return []

    def lost(self, roles: frozenset[str]) -> None:
        """These roles are out of use."""
        super().lost(roles)
        self._see_blind()

    def _see_blind(self) -> None:
        blind = self._blind_cups
        self._turn.blind = tuple(blind) if len(blind) <= MOST_ASKED else ()

    def abandon(self) -> None:
        """The game is given up."""
        super().abandon()
        self._turn.drop(list(self._turn.open))

    # Observations

    def observe(self, seen: Seen) -> list[Out]:
        """Take one observation."""
        o = seen.observation
        if o.role in self._lost:
            return []
        if o.kind == "level":
            self._levels[o.role] = bool(o.value)
            if o.role.startswith("black-"):
                self._found(seen, int(o.role.removeprefix("black-")))
        if o.kind in ("press", "held"):
            return self._button(seen)
        outs: list[Out] = []
        if self._phase in ("arming", "clearing", "over"):
            outs = self._collect(seen)
            self._look_again()
        elif self._phase == "playing":
            outs = self._play(seen)
        return [*outs, *self._turn.news()]

    def _found(self, seen: Seen, cup: int) -> None:
        if seen.observation.value:
            self._black_in[cup] = seen.id
        else:
            self._black_in.pop(cup, None)

    def _collect(self, seen: Seen) -> list[Out]:
        """The turn is over, and its balls lie in the cups until they are lifted."""
        o = seen.observation
        if o.role.startswith("cup-") and not o.value:
            self._turn.lifted(int(o.role.removeprefix("cup-")))
        elif o.role.startswith("black-") and o.value:
            cup = int(o.role.removeprefix("black-"))
            return self._turn.black_late(cup, seen.id) if self._filled(cup) else []
        return []

    def _play(self, seen: Seen) -> list[Out]:
        o = seen.observation
        if o.role == "half-way":
            self._crossing(seen)
        elif o.role == "spot-a":
            if o.value:
                self._turn.strays.black_back(self._turn.standing)
            else:
                self._black_moved(seen)
        elif o.role.startswith("cup-"):
            self._cup(seen, int(o.role.removeprefix("cup-")))
        elif o.role.startswith("black-"):
            cup = int(o.role.removeprefix("black-"))
            if not self._has(f"cup-{cup}"):
                # No switch tells that something lies there; of the black its colour does.
                self._cup(seen, cup)
            elif self._filled(cup):
                self._turn.colour(cup, seen.id, black=bool(o.value))
                return self._turn.black_late(cup, seen.id) if o.value else []
        return []

    def _button(self, seen: Seen) -> list[Out]:
        o = seen.observation
        if o.role == "undo":
            return [Press("undo", o.sensor)]
        if (common := self._common(o)) is not None:
            return [common]
        if self._phase == "paused":
            return [Press("resume", o.sensor)]
        if self._phase == "playing" and o.role == "next-ball":
            self._next_ball(seen)
        elif self._phase == "playing" and o.role == "end-of-turn":
            return self._end_of_turn(seen)
        return []

    def _next_ball(self, seen: Seen) -> None:
        last = self._turn.open[-1] if self._turn.open else None
        if last is not None and last.called and not self._happened(last):
            # The beams saw nothing go up: it never reached the half-way line.
            last.short = True
            self._turn.changed()
        self._begin(seen, called=True)

    def _end_of_turn(self, seen: Seen) -> list[Out]:
        if not self._turn.closed and not any(self._happened(stroke) for stroke in self._turn.open):
            self._say("BAG-10", "Nothing has been played in this turn yet, so END OF TURN does nothing.")
            return []
        self._ending = seen.id
        return self._end_if_wanted(seen.observation.known)

    def _crossing(self, seen: Seen) -> None:
        o, timing = seen.observation, self._turn.timing
        last = self._turn.open[-1] if self._turn.open else None
        if o.kind == "blocked":
            text = "Something stays in the half-way beam: take it away. A ball that crosses meanwhile isn't seen: enter its shot."
            self._say("BAG-08", text)
        elif o.value == "down":
            stroke = self._turn.stroke_of(o.at)
            if stroke is not None:
                self._turn.move(stroke, Move("back", 0, seen.id), o.at)
        elif last is not None and last.called and not last.crossed:
            last.crossed = True
            last.evidence.append(seen.id)
            self._turn.changed()
        elif o.value == "" and last is not None and o.at - last.start < timing.roll:
            self._say("BAG-08", "Something crossed the half-way line again; a single beam can't tell which way it went.")
        elif last is None or o.at - last.start >= timing.linger:
            self._begin(seen, crossed=True)

    def _black_moved(self, seen: Seen) -> None:
        stroke = self._turn.stroke_of(seen.observation.at) or self._implied(seen)
        if self._turn.struck:
            return
        if stroke is not None:
            self._turn.strike(stroke, seen.observation.at, seen.id)
        else:
            self._turn.strays.black_left(seen.observation.at, seen.id, self._turn.standing)

    def _cup(self, seen: Seen, cup: int) -> None:
        o, turn = seen.observation, self._turn
        if o.value and cup in turn.holds:
            # What lay there was lifted, and is back.
            return
        if not o.value:
            turn.strays.emptied(cup, turn.standing)
            if turn.lift(cup) or cup not in turn.expected:
                # What lay there by all answers is put right by what moved so far.
                return
        stroke = self._turn.stroke_of(o.at)
        if stroke is None or (self._implies_strokes and o.at - (stroke.last_move or stroke.start) > self._turn.timing.roll):
            stroke = self._implied(seen) or stroke
        move = Move("fill" if o.value else "empty", cup, seen.id)
        if stroke is None:
            if o.value:
                turn.strays.filled(move, o.at, turn.standing, self._hit_unseen(), missed=self._on_spot)
            return
        if not turn.move(stroke, move, o.at):
            return
        if o.value and self._has(f"black-{cup}"):
            self._turn.colour(cup, self._black_in.get(cup), black=self._levels.get(f"black-{cup}", False))

    def _say(self, rule: str, text: str) -> None:
        self._remark = self._turn.standing.turn_number, Notice(rule, text)

    # Strokes and their end

    @property
    def _implies_strokes(self) -> bool:
        # With neither beams nor a next-ball button, only what a ball does tells that one was played.
        return not self._has("half-way") and not self._has("next-ball")

    def _begin(self, seen: Seen, *, crossed: bool = False, called: bool = False) -> Stroke | None:
        self._remark = None
        hit = False if self._has("spot-a") or self._turn.struck else None
        stroke = self._turn.begin(seen.observation.at, seen.id, hit=hit, crossed=crossed, called=called)
        if stroke is None:
            self._say("BAG-10", "All balls of this turn have been played.")
            return None
        black, fills = self._turn.strays.since(stroke.start, self._turn.standing)
        if black is not None and not self._turn.struck:
            self._turn.strike(stroke, black[1], black[0])
        for move, at in fills:
            self._turn.move(stroke, move, at)
        return stroke

    def _hit_unseen(self) -> bool | None:
        """Whether a ball that was played unseen has struck the black, which nothing was seen to strike."""
        return not (self._turn.struck or self._on_spot) if self._has("spot-a") or self._turn.struck else None

    @property
    def _on_spot(self) -> bool:
        """Whether a sensor sees the black where nothing has struck it yet."""
        return self._has("spot-a") and not self._turn.struck and self._levels.get("spot-a", True)

    def _implied(self, seen: Seen) -> Stroke | None:
        return self._begin(seen) if self._implies_strokes else None

    def _happened(self, stroke: Stroke) -> bool:
        """Whether a ball was played: a press of NEXT BALL alone says so only where no beam could."""
        return bool(stroke.crossed or stroke.moves or stroke.hit or stroke.short or not self._has("half-way"))

    def advance(self, t: int) -> list[Out]:
        """End the stroke whose time has come; changes nothing unless it gives something."""
        due = self.next_deadline()
        return self._turn.close() if due is not None and due <= t else []

    def next_deadline(self) -> int | None:
        """When the oldest open stroke is over."""
        return self._turn.due() if self._phase == "playing" else None

    def finish(self, at: int, *, entering: bool) -> list[Out]:  # noqa: ARG002 - one signature for all tables
        """End the oldest stroke still open, if any: people are about to enter, undo or correct something."""
        self._turn.drop([stroke for stroke in self._turn.open if not self._happened(stroke)])
        return self._turn.close() if self._turn.open else []

    def _end_if_wanted(self, at: int) -> list[Out]:
        if self._ending is None:
            return []
        outs = self.finish(at, entering=False)
        if not outs:
            pressed, self._ending = self._ending, None
            outs = [Draft({"event": "end_turn"}, at, (pressed,))]
        return outs

    def drafts(self) -> list[Draft]:
        """The strokes still open, as the events they would be if they ended now; without unknowns."""
        happened = {stroke.key for stroke in self._turn.open if self._happened(stroke)}
        return [draft for draft in self._turn.drafts() if draft.key in happened]

    def recorded(self, draft: Draft, record: int) -> None:
        """A draft has become the event of this record."""
        self._turn.recorded(draft, record)

    def follow(self, standing: Standing, at: int) -> Iterable[Out]:
        """Take where the rules stand now: the turn goes on, is over, or has come back by an undo."""
        before = self._turn.standing
        questions = self._turn.follow(standing)
        if standing.turn_number != before.turn_number or standing.over != before.over:
            self._ending = None
            self._go_to(before)
        self._look_again()
        return self._then_end(questions, at)

    def _then_end(self, questions: list[Out], at: int) -> Iterator[Out]:
        # Where a question is news the rules move again, and that goes on with the end.
        yield from questions
        yield from self._end_if_wanted(at)

    def _go_to(self, before: Standing) -> None:
        """The phase of another turn. One that comes back by an undo is found as it was left."""
        standing = self._turn.standing
        was = self._paused_from if self._phase == "paused" else self._phase
        self._left[tuple(record for record, _ in before.events)] = was
        phase: Phase = "clearing" if standing.turn_number > before.turn_number else "playing"
        left = self._left.get(tuple(record for record, _ in standing.events), "over")
        self._to("over" if standing.over else phase if left == "over" else left)

    # Levels

    def _filled(self, cup: int) -> bool:
        return self._has(f"cup-{cup}") and self._levels.get(f"cup-{cup}", False)

    def _look_again(self) -> None:
        if self._phase in ("arming", "clearing") and not self._until_clear():
            self._phase = "playing"
            self._turn.cleared()

    def _blind(self) -> tuple[Notice, ...]:
        """Where some cups have switches, people must tell of the others: a ball there looks like none."""
        blind = self._blind_cups
        if not blind:
            return ()
        have, it = ("has", "it") if len(blind) == 1 else ("have", "them")
        todo = f"enter the shot of a ball that falls into {it}."
        if self._turn.blind:
            todo = f"what lies in {it} is asked at the end of the turn."
        return (Notice("BAG-11", f"{cups_text(blind).capitalize()} {have} no switch: {todo}"),)

    @property
    def _blind_cups(self) -> list[int]:
        """The cups without a switch, where others have one; those in which the colour input tells of the black too."""
        blind = [cup for cup in CUPS if not self._has(f"cup-{cup}")]
        return [] if len(blind) == len(CUPS) else blind

    def _until_clear(self) -> tuple[Notice, ...]:
        notices = []
        filled = [cup for cup in CUPS if self._filled(cup)]
        if filled:
            notices.append(Notice("BAG-10", lift(filled)))
        if self._has("spot-a") and not self._levels.get("spot-a", True):
            notices.append(Notice("BAG-04", "Put the black on spot a."))
        return tuple(notices)
