"""A table of fortification in memory for tests, with every sensor or some; bells as a comparator's pulses."""

from __future__ import annotations

from typing import Any

from controller.engine.requests import Answer
from controller.rules.fortification.words import BALLS, FORTS
from controller.tablefile import TableFile
from tests.table_kit import Bench

HEAD = '[table]\nid = "test"\ngame = "fortification"\n'


def sensor(role: str, kind: str = "switch", source: str = '"sim"', more: str = "") -> str:
    """One sensor of a table file."""
    return f'[[sensor]]\nkind = "{kind}"\nrole = "{role}"\nsource = {source}\n{more}\n'


BELLS = "".join(sensor(fort, "bell", more='form = "pulses"') for fort in FORTS)
ARCHES = "".join(sensor(f"{fort}-arch", "beam") for fort in FORTS)
COLOURS = "".join(sensor(f"{of}-colours", more='settle = "300ms"') for of in (*FORTS, "english-pass", "french-pass"))
PASS = sensor("english-pass", "beam", '["sim", "sim"]')
POCKETS = "".join(sensor(f"pocket-{n}", "beam") for n in range(1, 7))
SPOTS = "".join(sensor(f"{ball}-spot") for ball in BALLS)
KEYS = "".join(sensor(f"{ball}-key", "button") for ball in BALLS)
BUTTONS = "".join(sensor(role, "button") for role in ("stroke", "undo", "new-game"))
FULL = HEAD + BELLS + ARCHES + COLOURS + PASS + POCKETS + SPOTS + KEYS + BUTTONS


class FortBench(Bench):
    """One table under test, flags up and balls on their spots. Times are seconds since its start."""

    def __init__(self, table: TableFile | str = FULL, *args: Any, **more: Any) -> None:
        super().__init__(table, *args, **more)
        for role in self.by_role:
            if role.endswith(("-colours", "-spot")):
                self.set(role, on=True)

    def stroke(self, ball: str | None = None) -> None:
        """The marker presses STROKE, or the key of the ball that is cued; the ball leaves its spot."""
        self.press("stroke" if ball is None else f"{ball}-key")
        if ball is not None and f"{ball}-spot" in self.by_role:
            self.set(f"{ball}-spot", on=False)
        self.wait(1.2)

    def into(self, fort: str, *, ring: bool = True, lasts: float = 0.6) -> None:
        """A ball rolls into a fort and rings its bell."""
        if f"{fort}-arch" in self.by_role:
            self.blink(f"{fort}-arch")
        if ring:
            self.set(fort, on=True)
            self.wait(lasts)
            self.set(fort, on=False)

    def blink(self, role: str, end: int = 0) -> None:
        """Something passes a beam."""
        self.set(role, on=True, end=end)
        self.wait(0.03)
        self.set(role, on=False, end=end)
        self.wait(0.01)

    def through(self, side: str) -> None:
        """A ball goes through the pass from this side."""
        ends = (0, 1) if side == "english" else (1, 0)
        for on in (True, False):
            for end in ends:
                self.set("english-pass", on=on, end=end)
                self.wait(0.02)

    def lower(self, of: str) -> None:
        """A hand takes colours down."""
        self.set(f"{of}-colours", on=False)
        self.wait(0.5)

    def spot(self, *balls: str) -> None:
        """A hand puts balls on their spots."""
        for ball in balls:
            self.set(f"{ball}-spot", on=True)
        self.wait(0.5)

    def rest(self, seconds: float = 4.0) -> None:
        """Nothing moves."""
        self.wait(seconds)

    def reply(self, choice: str, place: int = 0) -> None:
        """The marker answers an open question."""
        reply = self.ask(Answer(self.shown.questions[place].id, choice))
        assert reply.ok, reply.error

    def regular_pass(self, side: str = "english") -> None:
        """A side's attacking ball goes through the pass and the colours come down; the other side misses."""
        enemy = "french" if side == "english" else "english"
        self.stroke(f"{side}-attack")
        self.through(side)
        self.rest()
        self.lower(f"{enemy}-pass")
        self.stroke(f"{enemy}-defence-1")

    @property
    def events_told(self) -> list[dict[str, Any]]:
        """The effective events, in order."""
        assert self.engine.play is not None
        return [step.event for step in self.engine.play.fold.steps if step.stood]

    @property
    def flagged(self) -> list[dict[str, Any]]:
        """Events that the rules refuse as things stand."""
        assert self.engine.play is not None
        return [step.event for step in self.engine.play.fold.steps if not step.stood]
