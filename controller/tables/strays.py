"""What balls of bagatelle did though none was in play: was one played that no sensor saw, or was it a hand?

A stray is asked about as long as its turn goes on and nobody puts things right. When people say that a ball was played, its
stroke is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from controller.tables.identity import Move, Stroke
from controller.tables.table import Choice, Question, Standing
from controller.tables.turn_questions import cups_text

PUT = "put"
"""The likely answer: a hand did it."""
BOTH = "both"
BOARD = "board"
ENTERED = "entered"


@dataclass(slots=True)
class Stray:
    """One question of it.

    `name`: of the question; `number`: of its turn; `fills`: the cups that filled, each with its time; `black`: the observation
    that the black left its spot, with its time; `hit`: whether a ball that was played struck it, None where no sensor tells;
    `missed`: certainly not; `full`: the turn ended with its last ball, so none can have been played unseen.
    """

    name: str
    number: int
    hit: bool | None
    fills: dict[int, tuple[Move, int]] = field(default_factory=dict)
    black: tuple[int, int] | None = None
    missed: bool = False
    full: bool = False

    def left(self, strokes: Iterable[Stroke]) -> list[int]:
        """The cups that are still asked about: those of which people have entered nothing since. `strokes`: of the turn."""
        since = int(self.name.removeprefix("unseen-"))
        entered = [one for one in strokes if one.record is not None and one.record > since]
        told = {move.cup for one in entered for move in one.moves if move.what == "fill" and move.ball is not None}
        return [cup for cup in sorted(self.fills) if cup not in told]

    def question(self, cups: Sequence[int]) -> Question:
        """Was a ball played? `cups`: those that are asked about."""
        choices = [Choice(PUT, "No: a hand did it, and it doesn't count")]
        choices += [Choice(f"cup-{cup}", f"Yes, into cup {cup}") for cup in cups]
        if len(cups) == 2 and not self.missed:
            choices.append(Choice(BOTH, f"Yes: one stroke filled {cups_text(cups)}"))
        if self.black is not None:
            choices.append(Choice(BOARD, "Yes, and it fell into no cup"))
        text = f"{self.what(cups)} while no ball was in play. Was one played that no sensor saw?"
        return Question(self.name, text, tuple(choices), PUT, due=True)

    def question_after(self, cups: Sequence[int]) -> Question:
        """The same when the turn is over: people alone can put its shot in then."""
        choices = (Choice(PUT, "No: a hand did it, and it doesn't count"), Choice(ENTERED, "Yes, and its shot has been put in"))
        text = f"{self.what(cups)} while no ball was in play, and the turn is over. Was one played that no sensor saw?"
        return Question(self.name, text, choices, PUT, due=True)

    def what(self, cups: Sequence[int]) -> str:
        """What happened, as a sentence begins."""
        filled = f"{cups_text(cups).capitalize()} filled" if cups else ""
        if self.black is None:
            return filled
        return f"{filled} and the black left its spot" if filled else "The black left its spot"

    def stroke(self, choice: str | None, *, struck: bool) -> Stroke | None:
        """The stroke of which that answer tells; None where it tells of none. `struck`: the black was struck before it."""
        fills = [fill for cup, fill in sorted(self.fills.items()) if choice in (f"cup-{cup}", BOTH)]
        if not fills and (choice != BOARD or self.black is None):
            return None
        began = min([at for _, at in fills], default=self.black[1] if self.black else 0)
        # A ball that missed the black is lost, though it be told of when the black has been struck since.
        moves = [] if struck and self.missed else [move for move, _ in fills]
        evidence = [move.id for move, _ in fills] + ([self.black[0]] if self.black else [])
        hit = False if struck else self.hit
        last = max([at for _, at in fills], default=began)
        return Stroke(began, evidence[0], crossed=True, hit=hit, moves=moves, evidence=evidence, last_move=last)


class Strays:
    """All of one game."""

    def __init__(self) -> None:
        self.all: list[Stray] = []

    def filled(self, move: Move, at: int, standing: Standing, hit: bool | None, *, missed: bool) -> None:
        """A cup filled. `hit`, `missed`: whether a ball that was played struck the black, or certainly did not."""
        stray = self._asked(standing, move.id, hit)
        stray.fills[move.cup] = (move, at)
        stray.hit = stray.hit or hit
        stray.missed = missed

    def black_left(self, at: int, seen: int, standing: Standing) -> None:
        """The black left its spot."""
        stray = self._asked(standing, seen, True)
        stray.black, stray.hit, stray.missed = (seen, at), True, False

    def emptied(self, cup: int, standing: Standing) -> None:
        """A cup is empty again: nothing is left to ask of it."""
        for stray in self._waiting(standing):
            stray.fills.pop(cup, None)
            self._forget(stray)

    def black_back(self, standing: Standing) -> None:
        """The black is back on its spot."""
        for stray in self._waiting(standing):
            if stray.black is not None:
                stray.black, stray.hit, stray.missed = None, False, True
                self._forget(stray)

    def since(self, at: int, standing: Standing) -> tuple[tuple[int, int] | None, list[tuple[Move, int]]]:
        """Take what a ball did that was played at `at`, though it was known first: the black that left, cups that filled."""
        black, fills = None, list[tuple[Move, int]]()
        for stray in self._waiting(standing):
            if stray.black is not None and stray.black[1] >= at:
                black, stray.black = stray.black, None
            fills += [fill for fill in stray.fills.values() if fill[1] >= at]
            stray.fills = {cup: fill for cup, fill in stray.fills.items() if fill[1] < at}
            self._forget(stray)
        return black, fills

    def ended(self, number: int, *, full: bool) -> None:
        """A turn is over. `full`: by its last ball."""
        for stray in self.all:
            if stray.number == number:
                stray.full = full

    def _forget(self, stray: Stray) -> None:
        if not stray.fills and stray.black is None:
            self.all.remove(stray)

    def _waiting(self, standing: Standing) -> list[Stray]:
        return [one for one in self.all if one.number == standing.turn_number and one.name not in standing.answers]

    def _asked(self, standing: Standing, seen: int, hit: bool | None) -> Stray:
        """The one that waits for an answer, which what happens now joins; else a new one."""
        for stray in self._waiting(standing):
            return stray
        stray = Stray(f"unseen-{seen}", standing.turn_number, hit)
        self.all.append(stray)
        return stray
