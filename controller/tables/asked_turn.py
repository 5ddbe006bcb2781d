"""A turn of bagatelle of which people are asked what can't be: a cup too many, or a cup that fills while no ball is in play.

These questions fill no unknown. They are asked at once, while the ball can still be looked at, and mostly before the stroke is
an event. What people say changes the strokes, and those are told as if it had been seen.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from controller.rules.awards import Notice
from controller.tables.excess import PLAYED, Excess
from controller.tables.identity import Stroke
from controller.tables.strays import Strays
from controller.tables.table import Out, Question, Standing
from controller.tables.turn import Ended, Timing, Turn


class AskedTurn(Turn):
    """The turn in play, and those before it of which something is left to people."""

    def __init__(self, timing: Timing) -> None:
        super().__init__(timing)
        self.strays = Strays()
        self._past: dict[int, Ended] = {}
        """By number: turns before this one in which more cups filled than there were balls, or nobody saw the black struck."""
        self._told_by: dict[int, tuple[tuple[str, str], ...]] = {}
        """By number: the answers by which it was told last what is asked of the black in it."""
        self._asked: dict[str, Question] = {}
        """What was told of these questions last, and has not been settled."""
        self._unseen: dict[str, Stroke] = {}
        """By question: the stroke that people say was played."""
        self._excess_of_past: list[tuple[Excess, ...]] | None = None
        self._retell = False

    # What is asked

    def asks(self) -> list[Question]:
        """All these questions as they are now; those that nothing is left of are settled."""
        standing = self.standing
        more = not standing.over and len(self.open) < len(self.in_hand)
        now = [*self._of_cups(self.sight.excess, more=more)]
        for found in self._of_past():
            now += self._of_cups(found, more=False)
        for stray in self.strays.all:
            if stray.name in standing.answers:
                continue
            if stray.number < standing.turn_number and not stray.full:
                now.append(stray.question_after(sorted(stray.fills)))
            elif stray.number == standing.turn_number and more and ((cups := stray.left(self.closed)) or stray.black):
                now.append(stray.question(cups))
        names = {question.id for question in now}
        over = [question for name, question in self._asked.items() if name not in names and name not in standing.answers]
        self._asked = {question.id: question for question in now}
        return [*now, *map(_settled, over)]

    def _of_past(self) -> list[tuple[Excess, ...]]:
        if self._excess_of_past is None:
            self._excess_of_past = [self._look(past.strokes).excess for past in self._still().values()]
        return self._excess_of_past

    @staticmethod
    def _of_cups(found: Iterable[Excess], *, more: bool) -> list[Question]:
        """One at a time: what is asked of the next may hang on the answer."""
        questions, due = [], True
        for one in found:
            question = one.question(more=more, due=due)
            questions.append(question)
            due = due and not (one.open and len(question.choices) > 1)
        return questions

    @property
    def remarks(self) -> list[tuple[frozenset[int], Notice]]:
        """What people must do now about what can't be, each with the cups that it speaks of."""
        told = []
        for one in self.sight.excess:
            text = f"Cup {one.cup} filled, but no ball was left to fill it."
            todo = "Lift that ball, or enter what was missed."
            if one.open:
                todo = "Lift the ball that was put there, or answer what is asked."
            if one.open or not one.counts:
                told.append((frozenset({one.cup}), Notice("BAG-11", f"{text} {todo}")))
        for stray in self.strays.all:
            if stray.name in self._asked and stray.number == self.standing.turn_number:
                cups = stray.left(self.closed)
                text = f"{stray.what(cups)} while no ball was in play. Put it right, or answer what is asked."
                told.append((frozenset(cups), Notice("BAG-11", text)))
        return told

    def news(self) -> list[Question]:
        """What is asked now that something was observed: what counts of strokes that are events may be another thing too."""
        retell = (self._retell or bool(self.sight.excess)) and f"black-{self.standing.turn_number + 1}" in self._questions
        self._retell = False
        return [*(self.questions(self.closed, due=self.standing.over) if retell else ()), *self.asks()]

    def questions_of_past(self) -> list[Question]:
        """What is asked of the black in turns of before, where an answer to another question has changed it."""
        told: list[Question] = []
        for number, past in self._still().items():
            struck = f"struck-{number + 1}"
            by = tuple(
                (name, said) for name, said in self.standing.answers.items() if name == struck or name.startswith("extra-")
            )
            if self._told_by.get(number) != by:
                self._told_by[number] = by
                told += self.questions(past.strokes, due=True, number=number)
        return told

    # What happens

    def lift(self, cup: int) -> bool:
        """Whether what leaves a cup now was no ball of this turn: whoever lifts one of those that are asked about shows which."""
        mark = self.sight.put_into(cup)
        if mark is None:
            return False
        for stroke in self.strokes:
            if stroke.key == mark[0]:
                stroke.moves = [move for move in stroke.moves if move.id != mark[1]]
        self.changed()
        self._retell = True
        return True

    def changed(self) -> None:
        """Work out anew what may have happened."""
        super().changed()
        self._excess_of_past = None

    def follow(self, standing: Standing) -> list[Out]:
        """Take where the rules stand."""
        before = self.standing
        outs = super().follow(standing)
        ended = self._ended
        if ended is not None and ended.number == before.turn_number and standing.turn_number > before.turn_number:
            last = standing.events[-1][1] if standing.events else {}
            self.strays.ended(ended.number, full=last.get("event") == "shot")
            self._past.pop(ended.number, None)
            self._told_by.pop(ended.number, None)
            if self._look(ended.strokes).excess or any(stroke.hit is None for stroke in ended.strokes):
                self._past[ended.number] = ended
        return [*outs, *self.questions_of_past(), *self.asks()]

    def _name_open(self) -> None:
        self._play_unseen()
        super()._name_open()

    def _play_unseen(self) -> None:
        """Begin the strokes that people say were played, and drop those of which they say so no longer."""
        self.changed()
        wanted: dict[str, Stroke] = {}
        for stray in self.strays.all:
            stroke = stray.stroke(self.standing.answers.get(stray.name), struck=self._struck_before())
            if stroke is not None and stray.number == self.standing.turn_number:
                wanted[stray.name] = stroke
        for one in self.sight.excess:
            if one.answer == PLAYED:
                wanted[one.name] = self._one_more(one)
        for name, stroke in [*self._unseen.items()]:
            if name in wanted and _alike(wanted[name], stroke):
                continue
            if stroke in self.open:
                self.open.remove(stroke)
                del self._unseen[name]
            elif stroke.record not in {record for record, _ in self.standing.events}:
                # Its event was taken back, and so is the answer now: the next one is taken as the first was.
                del self._unseen[name]
        for name, stroke in wanted.items():
            if name not in self._unseen and len(self.open) < len(self.in_hand):
                self._unseen[name] = stroke
                place = sum(one.start <= stroke.start for one in self.open)
                self.open.insert(place, stroke)

    def _struck_before(self) -> bool:
        """Whether the black was struck in the strokes that are events."""
        return any(stroke.hit for stroke in self.closed) or self.standing.position.get("black_struck") is True

    def _one_more(self, excess: Excess) -> Stroke:
        """The stroke of a ball more, into the cup that doesn't count without it."""
        stroke = next(one for one in self.strokes if one.key == excess.without[0])
        at = stroke.last_move or stroke.start
        move = next(move for move in stroke.moves if move.id == excess.without[1])
        hit = None if stroke.hit is None else False
        return Stroke(at, move.id, crossed=True, hit=hit, moves=[move], evidence=[move.id], last_move=at)

    def _still(self) -> dict[int, Ended]:
        """The turns of before that are as they were left."""
        records = [record for record, _ in self.standing.events]
        return {
            number: past
            for number, past in self._past.items()
            if number < self.standing.turn_number and _within([stroke.record for stroke in past.strokes], records)
        }


def _alike(one: Stroke, other: Stroke) -> bool:
    """Whether one answer tells of both."""
    return one.evidence == other.evidence[: len(one.evidence)]


def _within(own: list[int | None], records: list[int]) -> bool:
    """Whether these records stand one after another among all."""
    if not own or own[0] not in records:
        return False
    first = records.index(own[0])
    return records[first : first + len(own)] == own


def _settled(question: Question) -> Question:
    """The question when nothing of it is open any more."""
    return replace(question, choices=tuple(choice for choice in question.choices if choice.key == question.likely), due=False)
