"""Whatever lies there when a round begins: no stroke is told that was none, nor a point without one; corrections go and come."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.engine.requests import Correct, EnterEvent, Pause, Quarantine, Release, Resume, Undo
from tests.squails_kit import EDGE, FULL, SEAT, SQUAIL, Spot, at, ready
from tests.table_kit import same_again

NEW_ROUND: dict[str, Any] = {"event": "new_round", "target_at": "centre"}


class Evening:
    """A table at which anything happens. `played`: when each squail was truly struck last."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.each = self.rng.choice((1, 2, 3))
        self.bench = ready(FULL, squails_each=self.each, target=50)
        self.names = [f"{side}-s{n}" for n in range(1, self.each + 1) for side in ("light", "dark")]
        self.played: dict[str, int] = {}
        self._told: dict[str, int] = {}
        self._seen: set[int] = set()

    def act(self) -> None:
        """Something happens, and what the table made of it is looked at."""
        acts = (self.play, self.play_all, self.begin, self.cover, self.shove, self.collect, self.correct, self.dark, self.pause)
        self.rng.choices(acts, (12, 5, 4, 5, 2, 5, 8, 2, 2))[0]()
        self.look()

    def wait(self, seconds: float) -> None:
        self.bench.wait(seconds)
        self.look()

    # What happens

    def spot(self) -> Spot:
        return at(self.rng.uniform(0, 6.28), self.rng.choice((50, 80, 112, 300, 450)) + self.rng.uniform(-3, 3))

    def in_hand(self) -> list[str]:
        squails: Any = self.bench.shown.position["squails"]
        left = [one for one in self.names if squails[one] == "in_hand"]
        return [one for one in left if one.startswith(str(self.bench.shown.turn))] or left or self.names

    def strike(self, name: str) -> None:
        self.bench.lying[name] = at(SEAT[name.partition("-")[0]], EDGE - SQUAIL / 2)
        self.wait(self.rng.choice((0.5, 2)))
        self.bench.lying[name] = self.spot()
        self.played[name] = self.bench.now
        self.wait(self.rng.choice((1.6, 4)))

    def play(self) -> None:
        self.strike(self.rng.choice(self.in_hand() if self.rng.random() < 0.8 else self.names))

    def play_all(self) -> None:
        for _ in range(2 * self.each):
            self.strike(self.in_hand()[0])
        self.wait(self.rng.choice((2, 6)))

    def begin(self) -> None:
        self.bench.ask(EnterEvent(NEW_ROUND))
        self.wait(self.rng.choice((0.2, 5)))

    def hidden(self, seconds: float) -> dict[str, Spot]:
        gone = {name: spot for name, spot in self.bench.lying.items() if name != "target"}
        self.bench.lying = {"target": self.bench.lying["target"]}
        self.wait(seconds)
        return gone

    def cover(self) -> None:
        gone = self.hidden(self.rng.choice((1, 5)))
        self.bench.lying |= {name: (x + self.rng.uniform(-1, 1), y) for name, (x, y) in gone.items()}
        self.wait(self.rng.choice((2, 6)))

    def shove(self) -> None:
        gone = self.hidden(5)
        self.bench.lying |= {name: self.spot() for name in gone} if len(gone) > 1 else gone
        self.wait(4)

    def collect(self) -> None:
        self.bench.collect()

    def dark(self) -> None:
        assert self.bench.ask(Quarantine("squails")).ok
        if self.rng.random() < 0.5:
            self.strike(self.rng.choice(self.names))
        if self.rng.random() < 0.3:
            self.begin()
        assert self.bench.ask(Release("squails")).ok
        self.wait(3)

    def pause(self) -> None:
        self.bench.ask(Pause())
        for name in self.rng.sample(self.names, self.rng.choice((0, 1, 2))):
            self.bench.lying[name] = self.spot()
        self.wait(4)
        self.bench.ask(Resume())

    def correct(self) -> None:
        self.bench.ask(Correct(0, remove=True))  # what is being pressed is told first
        steps = self.steps[-12:]
        if not steps:
            return
        step, other = self.rng.choice(steps), self.rng.choice(steps).event
        how: Any = self.rng.choice(({"remove": True}, {"replace": other}, {"insert_before": other}, {"insert_before": NEW_ROUND}))
        before = self.shows()
        if self.bench.ask(Correct(step.entry.revision, **how)).ok and self.rng.random() < 0.8:
            assert self.bench.ask(Undo()).ok
            assert self.shows() == before, (how, step.event)
        self.wait(self.rng.choice((0.2, 4)))

    # What the table made of it

    @property
    def steps(self) -> list[Any]:
        assert self.bench.engine.play is not None
        return self.bench.engine.play.fold.steps

    def shows(self) -> object:
        shown = self.bench.shown
        return shown.phase, self.bench.score, self.bench.asked, self.bench.noticed, shown.provisional, shown.position

    def look(self) -> None:
        struck: set[str] = set()
        for step in self.steps:
            kind, name = step.event["event"], str(step.event.get("squail"))
            if kind == "new_round" and step.stood:
                struck = set()
            elif kind == "strike" and step.stood:
                struck.add(name)
            if step.entry.origin != "sensor" or step.entry.id in self._seen:
                continue
            self._seen.add(step.entry.id)
            if kind == "strike":
                assert self.played.get(name, 0) > self._told.get(name, 0), f"{name} was not struck"
                self._told[name] = self.bench.now
            elif kind == "round_end" and step.stood:
                assert struck, "a round of which no stroke was seen or entered"
                lying = {one for one, gap in step.event["gaps_mm"].items() if gap is not None}
                assert lying <= struck | self.played.keys()


@pytest.mark.timeout(300)
@settings(max_examples=6, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.integers(0, 10_000))
def test_only_what_was_played_counts(seed: int) -> None:
    evening = Evening(seed)
    for _ in range(30):
        evening.act()
        if evening.bench.shown.phase == "over":
            return
    same_again(evening.bench)
