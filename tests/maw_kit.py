"""A table of maw in memory for tests, with every sensor or some; cards are lines of a reader."""

from __future__ import annotations

from typing import Any

from controller.engine.requests import Answer, EnterEvent
from controller.tablefile import TableFile
from tests.table_kit import Bench

HEAD = '[table]\nid = "test"\ngame = "maw"\n'


def sensor(role: str, kind: str = "button") -> str:
    """One sensor of a table file."""
    return f'[[sensor]]\nkind = "{kind}"\nrole = "{role}"\nsource = "sim"\n'


def for_sides(*keys: str) -> str:
    """Buttons of both sides."""
    return "".join(sensor(f"{side}-{key}") for side in "AB" for key in keys)


SCANNER = sensor("card", "reader")
CALLS = for_sides("ask", "vie", "pledge", "give-back", "rob")
TRICKS, DEALS = for_sides("trick"), for_sides("deal")
COMMON = sensor("undo") + sensor("new-game")
FULL = HEAD + SCANNER + CALLS + TRICKS + DEALS + COMMON
LEAST = HEAD + SCANNER + CALLS + COMMON
FOUR = HEAD + "".join(sensor(f"{seat}-card", "reader") for seat in ("A", "B", "A-mate", "B-mate")) + CALLS + DEALS + COMMON


class MawBench(Bench):
    """One table under test. Times are seconds since its start."""

    def __init__(self, table: TableFile | str = FULL, *args: Any, **more: Any) -> None:
        super().__init__(table, *args, **more)

    def read(self, line: str, role: str = "card", *, rest: float = 3.0) -> None:
        """A reader gives a line."""
        self.sim.tell(self.by_role[role].channels[0], line, self.now)
        self.wait(rest)

    def show(self, *cards: str, role: str = "card") -> None:
        """Cards are shown to a reader, one after another."""
        for card in cards:
            self.read(card, role)

    def deal(self, by: str, turned: str) -> None:
        """A side deals, and says so where it has a button, and shows the card that it turns up."""
        if f"{by}-deal" in self.by_role:
            self.press(f"{by}-deal")
        self.show(turned)

    def trick(self, led: str, played: str, by: str) -> None:
        """Two cards are played, and a side says that it has taken them."""
        self.show(led, played)
        self.press(f"{by}-trick")

    def enter(self, **event: Any) -> None:
        """The marker enters an event."""
        reply = self.ask(EnterEvent(event))
        assert reply.ok, reply.error

    def reply(self, choice: str, place: int = 0) -> None:
        """The marker answers an open question."""
        reply = self.ask(Answer(self.shown.questions[place].id, choice))
        assert reply.ok, reply.error

    @property
    def words(self) -> dict[str, Any]:
        """The deal in the words of the rules."""
        words: Any = self.shown.position["deal"]
        return dict(words)

    @property
    def told(self) -> list[tuple[Any, ...]]:
        """The events that stand: kind, side, card."""
        assert self.engine.play is not None
        events = [step.event for step in self.engine.play.fold.steps if step.stood]
        return [tuple(e[key] for key in ("event", "by", "card") if key in e) for e in events]

    @property
    def notices(self) -> list[str]:
        """What the table says."""
        return [notice.text for notice in self.shown.notices]

    @property
    def questions(self) -> list[str]:
        """What is asked."""
        return [question.text for question in self.shown.questions]


def bench(table: str = FULL) -> MawBench:
    return MawBench(table).open().start()  # type: ignore[return-value]  # `open` gives the bench it was asked of


def dealt(turned: str = "6D", table: str = FULL) -> MawBench:
    """B has dealt, A leads."""
    at = bench(table)
    at.deal("B", turned)
    return at


def suspect() -> MawBench:
    at = dealt()
    at.trick("KC", "3H", "A")
    at.show("2S", "7C")
    return at
