"""More cups of a bagatelle board that filled than balls can lie there: one holds no ball of the turn, and people say which.

What is left out is found anew from all that moved whenever something moves or is answered. So a contradiction ends by itself
when a ball more is known of, when the black turns out to be struck, or when the ball that was put there is lifted.
"""

from __future__ import annotations

import bisect
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from controller.tables.identity import Move, Stroke, possible
from controller.tables.table import Choice, Question
from controller.tables.turn_questions import cups_text

PLAYED = "played"
"""The answer that a ball more was played: its stroke is told then."""
Mark = tuple[int, int]
"""A move: the key of its stroke, and its id."""
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


@dataclass(slots=True)
class Excess:
    """A fill for which there was no ball.

    `name`: of its question; `cup`: where it was; `cups`: all that may hold none, each with its fill; `without`: the fill that
    doesn't count as things stand; `answer`: what people said, where that fits; `counts`: points hang on it.
    """

    name: str
    cup: int
    cups: dict[int, Mark]
    without: Mark
    answer: str | None
    counts: bool

    @property
    def open(self) -> bool:
        """Whether it is left to people."""
        return self.counts and self.answer is None

    def question(self, *, more: bool, due: bool) -> Question:
        """Which of the cups holds no ball. `more`: one is left that may have been played unseen."""
        alone = len(self.cups) == 1
        texts = {cup: "No: it holds no ball of this turn" if alone else f"Cup {cup}" for cup in sorted(self.cups)}
        choices = [Choice(f"cup-{cup}", text) for cup, text in texts.items()]
        if more or self.answer == PLAYED:
            told = "Yes" if alone else "None: one more ball was played"
            choices.append(Choice(PLAYED, f"{told}, into cup {self.last}"))
        likely = f"cup-{self.last}"
        if not self.counts:
            choices = choices[:1]
            likely = choices[0].key
        return Question(self.name, self._text, tuple(choices), likely, due)

    @property
    def last(self) -> int:
        """The cup that filled last of those that may hold none: likely that is the one."""
        return max(self.cups, key=lambda cup: self.cups[cup][1])

    @property
    def _text(self) -> str:
        if len(self.cups) == 1:
            return f"Cup {self.last} filled, and no ball was there to fill it. Was one more played?"
        balls = NUMBERS[len(self.cups) - 1]
        were = f"{balls} ball was" if len(self.cups) == 2 else f"{balls} balls were"
        filled = cups_text(sorted(self.cups)).capitalize()
        return f"{filled} filled, and only {were} there to fill them. Which of them holds no ball of this turn?"


@dataclass(frozen=True, slots=True)
class Sight:
    """Strokes as they count.

    `strokes`: without `gone`, what no ball can have done; `there`: by cup the fill that lies in it, whether it counts or not.
    """

    strokes: list[Stroke]
    excess: tuple[Excess, ...] = ()
    gone: frozenset[Mark] = frozenset()
    there: Mapping[int, Mark] = field(default_factory=dict)
    torn: bool = False
    """No ball can lie as the colours say: where they find the black is left open, and where they don't, if that isn't enough."""

    def put_into(self, cup: int) -> Mark | None:
        """The fill of a cup that is shown to be of no ball by that it is lifted now; None for one that counts."""
        there = self.there.get(cup)
        asked = any(one.open and there in one.cups.values() for one in self.excess)
        return there if there in self.gone or asked else None


def look(strokes: Sequence[Stroke], answers: Mapping[str, str]) -> Sight:
    """Find what no ball can have done. `answers`: the choices of people by question."""
    if possible(strokes):
        return Sight(list(strokes))
    return _Walk(strokes, answers).sight()


class _Walk:
    """The moves in order, without those for which there was no ball."""

    def __init__(self, strokes: Sequence[Stroke], answers: Mapping[str, str]) -> None:
        self.raw = strokes
        self.answers = answers
        self.gone: set[Mark] = set()
        self.found: list[Excess] = []
        self.places = [(place, number) for place, stroke in enumerate(strokes) for number in range(len(stroke.moves))]
        self._coloured = any(move.black is not None for stroke in strokes for move in stroke.moves)
        # By count alone: colours that contradict each other are another matter.
        self.plain = [replace(one, moves=[replace(move, black=None) for move in one.moves]) for one in strokes]

    def sight(self) -> Sight:
        """Go through all."""
        count = len(self.places)
        while not self._possible(count, self.gone):
            # What can't be is so whatever comes after it.
            first = bisect.bisect_left(range(1, count + 1), True, key=lambda upto: not self._possible(upto, self.gone))
            self._leave_out(first)
        for one in self.found:
            self._narrow(one, count)
        kept, torn = _kept(self.raw, self.gone), False
        for doubted in (True, False):
            if not possible(kept):
                kept, torn = [_without_colours(one, doubted) for one in kept], True
        return Sight(kept, tuple(self.found), frozenset(self.gone), self._there(count), torn)

    def _leave_out(self, first: int) -> None:
        place, number = self.places[first]
        stroke, move = self.raw[place], self.raw[place].moves[number]
        mark = (stroke.key, move.id)
        if move.what != "fill" or move.ball is not None:
            self.gone.add(mark)
            return
        others = frozenset(self.gone)
        cups = {
            cup: fill
            for cup, fill in self._there(first + 1).items()
            if fill not in others and self._may_go(fill) and self._possible(first + 1, others | {fill})
        }
        if not cups:
            # All that lies there is told for certain already, by people or in events: it is this one.
            self.gone.add(mark)
            return
        name = f"extra-{move.id}"
        answer = self.answers.get(name, "")
        named = {f"cup-{cup}": fill for cup, fill in cups.items()}
        without = named.get(answer, mark)
        self.gone.add(without)
        said = answer if answer in {*named, PLAYED} else None
        counts = any(one.hit is not False for one in self.raw[: place + 1])
        found = Excess(name, move.cup, cups, without, said, counts)
        self._narrow(found, first + 1)
        self.found.append(found)

    def _there(self, count: int) -> dict[int, Mark]:
        """By cup: the fill that lies in it after so many moves, whether it counts or not."""
        there: dict[int, Mark] = {}
        for place, number in self.places[:count]:
            move = self.raw[place].moves[number]
            if move.what == "fill":
                there[move.cup] = (self.raw[place].key, move.id)
            elif move.what == "empty":
                there.pop(move.cup, None)
        return there

    def _may_go(self, fill: Mark) -> bool:
        """Whether a fill is not told for certain already: by people, or in an event whose moves are known."""
        stroke = next(one for one in self.raw if one.key == fill[0])
        return self._move(fill).ball is None and (stroke.record is None or stroke.unsettled)

    def _move(self, mark: Mark) -> Move:
        return next(move for one in self.raw if one.key == mark[0] for move in one.moves if move.id == mark[1])

    def _narrow(self, found: Excess, count: int) -> None:
        """Colours of the first so many moves may tell which it is. By an answer it is what it was when that was given."""
        named = found.answer not in (None, PLAYED)
        if named or (found.answer == PLAYED and found in self.found) or not self._coloured:
            return
        others = self.gone - {found.without}
        fits = {
            cup: fill
            for cup, fill in found.cups.items()
            if not self._move(fill).black and possible(_kept(self._upto(self.raw, count), others | {fill}))
        }
        if fits:
            found.cups = fits
            if found.without not in fits.values():
                found.without = fits[found.last]
            self.gone = others | {found.without}

    def _possible(self, count: int, gone: AbstractSet[Mark]) -> bool:
        """Whether any balls can have made the first so many moves, but for those left out."""
        return possible(_kept(self._upto(self.plain, count), gone))

    def _upto(self, strokes: Sequence[Stroke], count: int) -> Sequence[Stroke]:
        if not count:
            return ()
        place, number = self.places[count - 1]
        last = strokes[place]
        return [*strokes[:place], replace(last, moves=last.moves[: number + 1])]


def _without_colours(stroke: Stroke, doubted: bool) -> Stroke:
    return replace(stroke, moves=[replace(move, black=None) if move.black is doubted else move for move in stroke.moves])


def _kept(strokes: Sequence[Stroke], gone: AbstractSet[Mark]) -> list[Stroke]:
    keys = {key for key, _ in gone}
    return [
        replace(one, moves=[move for move in one.moves if (one.key, move.id) not in gone]) if one.key in keys else one
        for one in strokes
    ]
