"""One table of each game with a question open, for what must be the same in all four."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests import fortification_kit, maw_kit, squails_kit, table_kit
from tests.fortification_kit import FortBench
from tests.maw_kit import MawBench
from tests.squails_kit import SquailBench
from tests.table_kit import Bench

ANSWER = '\n[[sensor]]\nkind = "button"\nrole = "answer"\nsource = "sim"\nhold = "1s"\n'
"""The button that answers."""

_SEATS = "".join(f'[[sensor]]\nrole = "seat-{n}"\nkind = "button"\nsource = "sim"\n' for n in (1, 2))


@dataclass(frozen=True)
class Asking:
    """How one game comes to ask: `ask` plays until `question` is open; `other` is an answer that scores otherwise."""

    make: Callable[..., Any]
    text: str
    ask: Callable[[Any], None]
    question: str
    likely: tuple[str, dict[str, int]]
    other: tuple[str, dict[str, int]]

    def begun(self, head: str = "", more: str = ANSWER, **how: Any) -> Any:
        """A table with a game begun; `head`: more of its `[table]`."""
        first, _, rest = self.text.partition("\n")
        table = self.make(f"{first}\n{head}{rest}{more}", **how).open()
        table.wait(3)
        options = {"squails_each": 2} if self.make is SquailBench else {}
        table.start(**options)
        return table

    def asked(self, head: str = "", more: str = ANSWER, **how: Any) -> Any:
        """The same with the question open."""
        table = self.begun(head, more, **how)
        self.ask(table)
        assert [question.id.partition("-")[0] for question in table.shown.questions] == [self.question], table.shown.questions
        return table


def _bagatelle(table: Bench) -> None:
    table.play_ball(5, strike=True)
    table.play_ball(3)
    table.press("end-of-turn")
    table.wait(1)


def _fortification(table: FortBench) -> None:
    table.stroke()
    table.into("french-advanced-1")
    table.rest()


def _squails(table: SquailBench) -> None:
    for seat in (1, 2, 1, 2):
        table.press(f"seat-{seat}")
        table.wait(2)
    table.wait(16)


def _maw(table: MawBench) -> None:
    table.press("B-deal")
    table.press("A-vie")
    table.press("B-pledge")
    table.press("A-deal")


GAMES = {
    "bagatelle": Asking(Bench, table_kit.FULL, _bagatelle, "black", ("none", {"A": 8, "B": 0}), ("cup-3", {"A": 11, "B": 0})),
    "fortification": Asking(
        FortBench,
        fortification_kit.HEAD + fortification_kit.BELLS + fortification_kit.BUTTONS,
        _fortification,
        "ball",
        ("english-attack", {"english": -2, "french": 0}),
        ("none", {"english": 0, "french": 0}),
    ),
    "squails": Asking(
        SquailBench,
        squails_kit.HEAD + _SEATS,
        _squails,
        "round",
        ("none", {"light": 0, "dark": 0}),
        ("light-1", {"light": 1, "dark": 0}),
    ),
    "maw": Asking(
        MawBench,
        maw_kit.HEAD + maw_kit.CALLS + maw_kit.DEALS + maw_kit.COMMON,
        _maw,
        "won",
        ("A", {"A": 5, "B": 0}),
        ("B", {"A": 0, "B": 5}),
    ),
}
"""By game."""
