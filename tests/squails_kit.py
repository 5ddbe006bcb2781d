"""A table of squails in memory for tests: a camera that sees without error but says that it may err, a gauge, buttons."""

from __future__ import annotations

import json
import math
from typing import Any

from controller.engine.requests import Answer
from hardware.signals import MS, SECOND
from tests.table_kit import Bench

HEAD = '[table]\nid = "test"\ngame = "squails"\n'
CAMERA = '[[sensor]]\nrole = "squails"\nkind = "position"\nsource = "sim"\ndiameter = 1200.0\n'
HALL = '[[sensor]]\nrole = "target"\nkind = "position"\nsource = "sim"\ndiameter = 1200.0\n'
GAUGE = '[[sensor]]\nrole = "gauge"\nkind = "gauge"\nsource = "sim"\n'
BUTTONS = "".join(
    f'[[sensor]]\nrole = "{role}"\nkind = "button"\nsource = "sim"\n'
    for role in (
        *(f"{side}-{key}" for side in ("light", "dark") for key in ("claim", "allow", "dispute", "out")),
        *(f"seat-{n}" for n in range(1, 5)),
        "gauge-yes",
        "gauge-no",
        "new-game",
        "undo",
    )
)
FULL = HEAD + CAMERA + GAUGE + BUTTONS
EDGE, SQUAIL, TARGET = 600.0, 25.4, 12.7
SEAT = {"light": -math.pi / 2, "dark": math.pi / 2}

Spot = tuple[float, float]


class SquailBench(Bench):
    """One table under test. `lying` is what the camera sees; `error` what it says of its own error."""

    def __init__(self, table: Any = FULL, *args: Any, **more: Any) -> None:
        super().__init__(table, *args, **more)
        self.lying: dict[str, Spot] = {"target": (0.0, 0.0)}
        self.errors: dict[str, float] = {}
        self.seeing = "squails" in self.by_role
        self._filmed = self.now

    def wait(self, seconds: float) -> None:
        """Let time pass before the camera."""
        until = self.now + round(seconds * SECOND)
        self._filmed = max(self._filmed, self.now)
        while self.seeing and self._filmed + 100 * MS <= until:
            self._filmed += 100 * MS
            places = {name: [*spot, self.errors.get(name, 1.0)] for name, spot in self.lying.items()}
            self.sim.tell(self.by_role["squails"].channels[0], json.dumps(places), self._filmed)
        super().wait(seconds)

    def play(self, squail: str, spot: Spot | None, *, rest: float = 1.5) -> None:
        """A squail is set before its side's seat, struck, and comes to rest there; None: it slides off on the far side."""
        seat = SEAT[squail.partition("-")[0]]
        self.lying[squail] = at(seat, EDGE - SQUAIL / 2)
        self.wait(0.5)
        if spot is None:
            self.lying[squail] = at(seat + math.pi, EDGE - SQUAIL / 2)
            self.wait(0.2)
            del self.lying[squail]
            rest += 3
        else:
            self.lying[squail] = spot
        self.wait(rest)

    def play_all(self, *, but: tuple[str, ...] = ()) -> None:
        """All squails in hand are struck by turns, to where they matter to nobody."""
        assert self.engine.play is not None
        names = [f"{side}-s{n}" for n in range(1, 9) for side in ("light", "dark")]
        far = [name for name in names if name not in self.lying and name not in but]
        for place, name in enumerate(far):
            self.play(name, at(place * 0.37, 320.0))

    def near(self, gap: float, angle: float = 0.0) -> Spot:
        """A spot so far from the target, rim to rim."""
        x, y = self.lying["target"]
        dx, dy = at(angle, gap + SQUAIL + TARGET)
        return (x + dx, y + dy)

    def collect(self) -> None:
        """Hands take the squails and put the target back."""
        self.lying = {"target": (0.0, 0.0)}
        self.wait(6)

    def reply(self, choice: str, place: int = 0) -> None:
        """The marker answers an open question."""
        reply = self.ask(Answer(self.shown.questions[place].id, choice))
        assert reply.ok, reply.error

    def lay(self, *, touches: bool) -> None:
        """The electronic gauge says something."""
        self.sim.tell(self.by_role["gauge"].channels[0], "YES" if touches else "NO", self.now + MS)
        self.wait(0.2)

    @property
    def events_told(self) -> list[dict[str, Any]]:
        """The effective events that stand, in order."""
        assert self.engine.play is not None
        return [step.event for step in self.engine.play.fold.steps if step.stood]

    @property
    def flagged(self) -> list[dict[str, Any]]:
        """Events that the rules refuse as things stand."""
        assert self.engine.play is not None
        return [step.event for step in self.engine.play.fold.steps if not step.stood]

    @property
    def noticed(self) -> str:
        """What people must do, as one text."""
        return " ".join(notice.text for notice in self.shown.notices)

    @property
    def asked(self) -> list[str]:
        """What is asked."""
        return [question.text for question in self.shown.questions]


def at(angle: float, radius: float) -> Spot:
    """A spot on the table."""
    return (round(radius * math.cos(angle), 2), round(radius * math.sin(angle), 2))


def ready(table: Any = FULL, **options: Any) -> SquailBench:
    """A table with a game begun, the target in the centre."""
    bench = SquailBench(table)
    bench.open()
    bench.wait(3)
    bench.start(**options)
    bench.wait(1)
    return bench
