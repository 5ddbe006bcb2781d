"""Whatever is shown, pressed, answered and taken back, in any order: the maw table goes on, and a restart finds the same game."""

from __future__ import annotations

import random

import pytest

from controller.engine.requests import Answer, EnterEvent, Pause, Resume, StartGame, Undo
from controller.rules.maw.words import CARDS
from tests.maw_kit import CALLS, DEALS, FOUR, FULL, HEAD, LEAST, SCANNER, MawBench
from tests.table_kit import same_again

TABLES = {
    "full": FULL,
    "least": LEAST,
    "four": FOUR,
    "mates share": LEAST.replace('game = "maw"', 'game = "maw"\nplayers = 4'),
    "no undo": HEAD + SCANNER + CALLS + DEALS,
}
ACTS = 70
SCORES = {"turn_up", "game_won", "rob", "offence", "give_back", "ruling"}
"""Events that may give points; a card that is led or played never does."""
ENTERED = (
    {"event": "offence", "law": 4, "by": "A", "deals_again": True},
    {"event": "offence", "law": 3, "by": "B"},
    {"event": "game_won", "by": "A"},
    {"event": "play", "by": "A"},
    {"event": "trick_over"},
    {"event": "new_deal"},
)


class Crowd:
    """People who do anything at one table, at random."""

    def __init__(self, table: str, seed: int) -> None:
        self.rng = random.Random(seed)
        self.bench = MawBench(table).open()
        self.readers = [role for role in self.bench.by_role if role.endswith(("card", "stock"))]
        self.buttons = [role for role in self.bench.by_role if role not in self.readers and role != "new-game"]
        self.bench.start(**({"decline": "concede_game"} if seed % 3 == 0 else {}))

    def act(self) -> None:
        rng, bench = self.rng, self.bench
        what = rng.random()
        if what < 0.45:
            bench.read(rng.choice(CARDS[:12] + CARDS), rng.choice(self.readers), rest=rng.choice((0.05, 0.5, 3.0)))
        elif what < 0.5:
            bench.read(rng.choice(("", "0H", "QHQ", "\ufffd", "x" * 300, "QH5S")), rng.choice(self.readers), rest=0.1)
        elif what < 0.8:
            bench.press(rng.choice(self.buttons))
        elif what < 0.9 and bench.shown.questions:
            question = rng.choice(bench.shown.questions)
            bench.ask(Answer(question.id, rng.choice(question.choices)[0]))
        elif what < 0.94:
            bench.ask(EnterEvent(dict(rng.choice(ENTERED))))
        elif what < 0.96:
            bench.ask(Pause())
            bench.press(rng.choice(self.buttons)) if rng.random() < 0.5 else bench.ask(Resume())
        elif what < 0.99:
            bench.ask(Undo())
        else:
            bench.ask(StartGame(position={"score": {"A": rng.randint(0, 26), "B": rng.randint(0, 26)}}))


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("seed", range(4))
def test_anything_may_happen(name: str, seed: int) -> None:
    crowd = Crowd(TABLES[name], seed)
    for _ in range(ACTS):
        crowd.act()
    play = crowd.bench.engine.play
    assert play is not None
    for step in play.fold.steps:
        outcome = step.outcome
        if step.stood and getattr(outcome, "awards", ()):
            assert step.event["event"] in SCORES
    assert set(crowd.bench.shown.faults) <= {"there is nothing to undo in this game"}
    if not play.ended:
        same_again(crowd.bench)
