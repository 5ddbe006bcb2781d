"""The strokes of one turn of bagatelle: open ones, closed ones, and what the sensors can't tell of them.

A stroke is everything from one ball played to the next. Whatever moves before the next stroke belongs to the last one, so a shot
becomes an event only then; until then it is a draft that the screens already show.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from controller.rules.awards import Json
from controller.tables.excess import Sight, look
from controller.tables.identity import Move, Resting, Stroke, entered, hypotheses, last_fills, lying, tellings
from controller.tables.table import Draft, Out, Question, Standing
from controller.tables.turn_questions import likely_of, which_ball, which_cup
from hardware.signals import MS, SECOND

BALLS = ("white-1", "white-2", "white-3", "white-4", "red-1", "red-2", "red-3", "red-4")


@dataclass(frozen=True, slots=True)
class Timing:
    """How strokes are told apart, in nanoseconds.

    `quiet`: nothing moved for so long, the last stroke is over; `roll`: a ball just played may roll so long; `linger`: the
    slowest detector's delay, for what a stroke did just before the next began.
    """

    quiet: int = 2 * SECOND
    roll: int = 5 * SECOND
    linger: int = 400 * MS


@dataclass(slots=True)
class Ended:
    """The turn before this one, while its balls still lie in the cups. `records`: of all events up to its end."""

    number: int
    strokes: list[Stroke]
    records: tuple[int, ...]
    lifted: set[int] = field(default_factory=set)


class Turn:
    """The strokes of the turn in play. Strokes that are events already are kept by record, for when an undo brings them back."""

    def __init__(self, timing: Timing) -> None:
        self.timing = timing
        self.blind: tuple[int, ...] = ()
        """The cups of which nobody knows what lies in them until people say so, at the end of a turn."""
        self.open: list[Stroke] = []
        self.closed: list[Stroke] = []
        self.standing = Standing({}, over=False, turn_number=0)
        self._by_record: dict[int, Stroke] = {}
        self._questions: dict[str, Question] = {}
        self._ended: Ended | None = None
        self._doubted: set[int] = set()
        """Moves whose colour is no longer taken: another input denies it."""
        self._denied: set[int] = set()
        """Moves by the black, as their colour has it, while spot a has not let it go."""
        self._sight: Sight | None = None
        self._possible: dict[str, Resting] | None = None
        self._drafts: list[Draft] | None = None
        self._expected: dict[int, str] | None = None

    # What is known

    @property
    def strokes(self) -> list[Stroke]:
        """All strokes of the turn, in order."""
        return self.closed + self.open

    @property
    def sight(self) -> Sight:
        """The strokes without what no ball can have done. Kept until something moves."""
        if self._sight is None:
            self._sight = self._look(self.strokes)
        return self._sight

    @property
    def possible(self) -> dict[str, Resting]:
        """What may have happened in this turn so far: see `hypotheses`. Kept until something moves."""
        if self._possible is None:
            self._possible = hypotheses(self.sight.strokes)
        return self._possible

    @property
    def struck(self) -> bool:
        """Whether the black is known to have been struck."""
        return any(stroke.hit for stroke in self.strokes) or self.standing.position.get("black_struck") is True

    @property
    def in_hand(self) -> list[str]:
        """Balls not yet played, by the rules, in the order in which they are named: which white it was is never asked."""
        listed = self.standing.position.get("in_hand")
        if isinstance(listed, list):
            return [ball for ball in BALLS if ball in listed]
        return [ball for ball in BALLS if ball not in {stroke.ball for stroke in self.closed}]

    @property
    def expected(self) -> dict[int, str]:
        """The cups in which a ball of this turn should lie, by the rules and the open strokes, with its likely name."""
        if self._expected is None:
            self._expected = self._lying()
        return self._expected

    def _look(self, strokes: list[Stroke]) -> Sight:
        """These strokes as they count, by what people have answered."""
        said: dict[str, Json] = {}
        for question in self._questions.values():
            answer = self.standing.answers.get(question.id)
            for choice in question.choices if question.id.startswith("struck-") else ():
                said |= choice.binds if choice.key == answer else {}
        hits = {name.rpartition(".")[2]: hit for name, hit in said.items()}
        known = [replace(one, hit=bool(hits[str(one.key)])) if str(one.key) in hits else one for one in strokes]
        return look(known, self.standing.answers)

    @property
    def holds(self) -> frozenset[int]:
        """The cups in which a ball of this turn lies, as far as its strokes tell."""
        return frozenset(lying(self.strokes))

    def changed(self) -> None:
        """Work out anew what may have happened: a stroke or where the rules stand is no longer what it was."""
        self._sight = self._possible = self._drafts = self._expected = None

    def _lying(self) -> dict[int, str]:
        cups = self.standing.position.get("cups")
        there = {int(cup): str(ball) for cup, ball in cups.items()} if isinstance(cups, dict) else {}
        for draft in self.drafts():
            moves = draft.event["moves"]
            assert isinstance(moves, list)
            for move in moves:
                assert isinstance(move, dict)
                ball, to = str(move["ball"]), str(move["to"])
                there = {cup: lying for cup, lying in there.items() if lying != ball}
                if to.startswith("cup-"):
                    there[int(to.removeprefix("cup-"))] = ball
        return there

    # Strokes

    def begin(self, at: int, key: int, *, hit: bool | None, crossed: bool = False, called: bool = False) -> Stroke | None:
        """A ball is played; None where no ball is left to play."""
        balls = self.in_hand
        if len(self.open) >= len(balls):
            return None
        stroke = Stroke(at, key, balls[len(self.open)], crossed, called, hit=hit, evidence=[key])
        self.open.append(stroke)
        self.changed()
        return stroke

    def stroke_of(self, at: int) -> Stroke | None:
        """The open stroke to which something of time `at` belongs."""
        for stroke in reversed(self.open):
            if stroke.start <= at:
                return stroke
        return self.open[0] if self.open else None

    def move(self, stroke: Stroke, move: Move, at: int) -> bool:
        """A ball moved by this stroke; False, and nothing is changed, where no ball can have made the move.

        A cup that fills is kept all the same: which one holds no ball is another matter.
        """
        stroke.moves.append(move)
        self.changed()
        if move.what != "fill" and (stroke.key, move.id) in self.sight.gone:
            stroke.moves.pop()
            self.changed()
            return False
        stroke.evidence.append(move.id)
        stroke.last_move = max(at, stroke.last_move or at)
        return True

    def drop(self, strokes: list[Stroke]) -> None:
        """These open strokes were none."""
        self.open = [stroke for stroke in self.open if stroke not in strokes]
        self.changed()

    def strike(self, stroke: Stroke, at: int, seen: int) -> None:
        """The black left its spot by this stroke; `seen` is the observation."""
        stroke.hit = True
        for place, move in enumerate(stroke.moves):
            if move.id in self._denied:
                stroke.moves[place] = replace(move, black=True)
                self._denied.remove(move.id)
        stroke.evidence.append(seen)
        stroke.last_move = at
        self.changed()

    def colour(self, cup: int, seen: int | None, *, black: bool) -> None:
        """A colour input says what lies in its cup: it names the open fill that is there. What another input denies is asked.

        `seen`: the observation, if it is one of this turn.
        """
        there = last_fills(self.strokes).get(cup)
        stroke = next((one for one in self.open if there in one.moves), None)
        if there is None or stroke is None or there.id in self._doubted:
            return
        denied = black and not self.struck and stroke.hit is False
        if denied:
            self._denied.add(there.id)
        stroke.moves[stroke.moves.index(there)] = replace(there, black=None if denied else black)
        if seen is not None:
            stroke.evidence.append(seen)
        if black and not self.struck:
            # Nothing else lies on the bed before the black is struck: where no sensor tells that it was, the cup does.
            stroke.hit = None if denied else True
        self.changed()
        if self.sight.torn:
            self._doubt(self.strokes)

    def _doubt(self, strokes: list[Stroke]) -> None:
        """No ball can lie as the colours say: where they find the black is asked, and where they don't, if that isn't enough."""
        for doubted in (True, False):
            for stroke in strokes:
                for place, move in enumerate(stroke.moves):
                    if move.black is doubted and move.ball is None:
                        stroke.moves[place] = replace(move, black=None, late=None)
                        if doubted:
                            # One that finds the black later is believed; one that was denied is not, whatever it says.
                            self._doubted.add(move.id)
            if not self._look(strokes).torn:
                break
        self.changed()

    def black_late(self, cup: int, seen: int) -> list[Out]:
        """A colour input finds the black in a cup whose stroke is over already: that answers the question, if people have not.

        `seen`: the observation.
        Only that it is there is taken so late. That it isn't is what an input tells too when the ball is lifted.
        """
        ended = self._ended
        if ended is not None and cup in last_fills(ended.strokes):
            return [] if cup in ended.lifted else self._answer(cup, seen, ended.strokes, [], ended.number, due=True)
        return self._answer(cup, seen, self.closed, self.open, self.standing.turn_number, due=self.standing.over)

    def _answer(self, cup: int, seen: int, closed: list[Stroke], still: list[Stroke], number: int, *, due: bool) -> list[Out]:
        there = last_fills([*closed, *still]).get(cup)
        stroke = next((one for one in closed if there in one.moves), None)
        if there is None or stroke is None or there.ball is not None or f"black-{number + 1}" in self.standing.answered:
            return []
        if there.id in self._doubted:
            return []
        place = stroke.moves.index(there)
        stroke.moves[place] = replace(there, black=True, late=there.late if there.black else seen)
        if self._look([*closed, *still]).torn:
            self._doubt([*closed, *still])
        self.changed()
        return [*self.questions(closed, due=due, number=number)]

    def lifted(self, cup: int) -> None:
        """The ball of the turn before this one was taken out of its cup."""
        if self._ended is not None:
            self._ended.lifted.add(cup)

    def cleared(self) -> None:
        """The balls of the turn before this one were collected: nothing more can be told of it."""
        self._ended = None

    def due(self, *, last_ball: bool = True) -> int | None:
        """When the oldest open stroke is over; None while only the next stroke can end it."""
        if not self.open:
            return None
        if len(self.open) > 1:
            return self.open[1].start + self.timing.linger
        only = self.open[0]
        if not last_ball or len(self.in_hand) != 1 or not (only.crossed or only.moves):
            return None
        return max(only.start + self.timing.roll, (only.last_move or 0) + self.timing.quiet)

    # Events and questions

    def close(self) -> list[Out]:
        """The oldest open stroke as an event, with the questions that bind its unknowns."""
        stroke = self.open[0]
        strokes = [*self.closed, stroke]
        seen = self.sight.strokes[: len(strokes)]
        # Also where only one answer is left it may stand for several tellings, and what comes may decide between them.
        rests = [resting[stroke.key] for _, resting in tellings(seen)]
        moves: Json = rests[0] if rests else []
        if any(other != moves for other in rests) or _may_be_told(strokes) or self.blind or self.sight.excess:
            stroke.unsettled = True
            moves = f"?{self._id('black')}.{stroke.key}"
        hit: Json = stroke.hit if stroke.hit is not None else f"?{self._id('struck')}.{stroke.key}"
        return [_shot(stroke, moves, hit, tuple(self.questions(strokes)))]

    def drafts(self) -> list[Draft]:
        """The open strokes as the events they would be if they ended now; without unknowns."""
        if self._drafts is None:
            resting = self._told_of_closed() if self.open else None
            self._drafts = [] if resting is None else [_shot(s, resting[s.key], s.hit is not False) for s in self.open]
        return self._drafts

    def _told_of_closed(self) -> Resting | None:
        """Where balls came to rest, in the likely telling of those by which the rules have the strokes that are events."""
        told = tellings(self.sight.strokes)
        if not told:
            return None
        by_record = dict(self.standing.turn_events)
        firm = {stroke.key: by_record[stroke.record]["moves"] for stroke in self.closed if stroke.record in by_record}
        alike = [(key, resting) for key, resting in told if all(resting[key] == moves for key, moves in firm.items())]
        possible: dict[str, Resting] = {}
        for key, resting in alike or told:
            possible.setdefault(key, resting)
        return possible[likely_of(possible)]

    def recorded(self, draft: Draft, record: int) -> None:
        """The stroke of this draft has become an event."""
        for stroke in self.open:
            if stroke.key == draft.key:
                stroke.record = record
                self._by_record[record] = stroke

    def follow(self, standing: Standing) -> list[Out]:
        """Take where the rules stand: the turn's strokes are those of its effective events. Gives its questions."""
        before, self.standing = self.standing, standing
        self._follow_end(before)
        self.changed()
        outs: list[Out] = []
        ended = standing.turn_number > before.turn_number or standing.over
        if ended:
            self.open.clear()
        self.open = [stroke for stroke in self.open if stroke.record is None]
        strokes = (self._by_record.get(record) or entered(record, event) for record, event in standing.turn_events)
        self.closed = [stroke for stroke in strokes if stroke is not None]
        self._name_open()
        if ended:
            outs += self._now_due(before.turn_number)
        if self._id("black") in self._questions or self._id("struck") in self._questions:
            outs += self.questions(self.closed, due=standing.over)
        return outs

    def _name_open(self) -> None:
        """The strokes still open are by the next balls."""
        for stroke, ball in zip(self.open, self.in_hand, strict=False):
            stroke.ball = ball
        self.changed()

    def _follow_end(self, before: Standing) -> None:
        """Keep the strokes of a turn that has ended just now; forget them when it is no longer what it was."""
        now = self.standing
        past = now.events[: len(now.events) - len(now.turn_events)]
        records = tuple(record for record, _ in past)
        if now.turn_number == before.turn_number + 1:
            first = len(before.events) - len(before.turn_events)
            strokes = (self._by_record.get(record) or entered(record, event) for record, event in past[first:])
            self._ended = Ended(before.turn_number, [stroke for stroke in strokes if stroke is not None], records)
        elif now.turn_number != before.turn_number or (self._ended is not None and self._ended.records != records):
            self._ended = None

    def questions(self, strokes: list[Stroke], *, due: bool = False, number: int | None = None) -> list[Question]:
        """The questions about these strokes. `number`: of their turn, if not the one in play."""
        outs: list[Question] = []
        number = self.standing.turn_number if number is None else number
        # A later stroke of the turn in play may tell of an earlier one.
        sight = self.sight if number == self.standing.turn_number else self._look(strokes)
        seen = sight.strokes[: len(strokes)]
        black, struck = f"black-{number + 1}", f"struck-{number + 1}"
        for question in (self._which_cup(black, sight, seen, due=due), which_ball(struck, strokes, due=due)):
            if question is not None:
                self._questions[question.id] = question
                outs.append(question)
        return outs

    def _now_due(self, turn_number: int) -> list[Out]:
        outs: list[Out] = []
        asked = any(f"{name}-{turn_number + 1}" in self._questions for name in ("black", "struck"))
        if (self.blind or asked) and self._ended is not None and self._ended.number == turn_number:
            # What a correction has changed of the turn, its undo puts right.
            outs += self.questions(self._ended.strokes, due=True, number=turn_number)
        for name in ("black", "struck"):
            question = self._questions.get(f"{name}-{turn_number + 1}")
            if question is not None:
                question = self._questions[question.id] = replace(question, due=True)
                outs.append(question)
        return outs

    def _id(self, name: str) -> str:
        return f"{name}-{self.standing.turn_number + 1}"

    def _which_cup(self, name: str, sight: Sight, strokes: list[Stroke], *, due: bool) -> Question | None:
        if not strokes:
            return None
        told = tellings(strokes)
        settled = len(told) < 2 and name not in self._questions and not self.blind and not sight.excess
        if not told or (settled and not _may_be_told(strokes)):
            return None
        blind = [cup for cup in self.blind if cup not in last_fills(strokes)] if due else []
        return which_cup(name, strokes, blind, due=due)


def _shot(stroke: Stroke, moves: Json, hit: Json, questions: tuple[Question, ...] = ()) -> Draft:
    event: dict[str, Json] = {"event": "shot", "ball": stroke.ball, "hit_black": hit, "moves": moves}
    return Draft(event, stroke.start, tuple(stroke.evidence), stroke.key, questions)


def _may_be_told(strokes: list[Stroke]) -> bool:
    """Whether colour inputs tell of it: when the stroke is over one may yet find the black, or deny that another did."""
    return any(move.black is not None for stroke in strokes for move in stroke.moves)
