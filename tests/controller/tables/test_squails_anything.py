"""Whatever a camera, a gauge and captains do, the table goes on, and is the same when it is taken up from its journal."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.engine.requests import Answer, Undo
from hardware.signals import MS
from tests.squails_kit import BUTTONS, CAMERA, GAUGE, HALL, HEAD, SquailBench
from tests.table_kit import same_again

PRESSES = ("light-claim", "dark-claim", "light-allow", "dark-allow", "light-dispute", "dark-dispute", "light-out", "dark-out",
           "seat-1", "seat-2", "gauge-yes", "gauge-no", "undo")  # fmt: skip
RUBBISH = ('{"target":[0,0', '{"target":[1e99,0]}', "garbage", '{"x":[0,0]}', '{"light-s1":[0,0],"17":[9000,0]}', "")


def disturb(bench: SquailBench, rng: random.Random) -> None:
    """Something happens at the table."""
    names = [f"{side}-s{n}" for side in ("light", "dark") for n in range(1, 9)]
    kind = rng.choices(
        ("move", "vanish", "press", "wait", "rubbish", "gauge", "answer", "undo", "blind"), (40, 8, 20, 8, 5, 5, 10, 2, 2)
    )[0]
    if kind == "move":
        for name in rng.sample([*names, "target"], rng.choice((1, 1, 2, 5))):
            reach = rng.choice((20, 150, 590, 640))
            bench.lying[name] = (rng.uniform(-reach, reach), rng.uniform(-reach, reach))
    elif kind == "vanish":
        for name in rng.sample([*bench.lying], min(len(bench.lying), rng.choice((1, 3, 17)))):
            del bench.lying[name]
    elif kind == "press":
        bench.press(rng.choice(PRESSES))
    elif kind == "rubbish":
        bench.sim.tell("sim:squails", rng.choice(RUBBISH), bench.now + MS)
    elif kind == "gauge":
        bench.sim.tell("sim:gauge", rng.choice(("YES", "NO", "76.2", "?")), bench.now + MS)
    elif kind == "answer" and bench.shown.questions:
        question = rng.choice(bench.shown.questions)
        bench.ask(Answer(question.id, rng.choice(question.choices)[0]))
    elif kind == "undo":
        bench.ask(Undo())
    elif kind == "blind":
        bench.seeing = False
        bench.wait(rng.uniform(1, 8))
        bench.seeing = True
    bench.wait(rng.choice((0.3, 1.5, 5.0, 20.0)))


@pytest.mark.timeout(300)
@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([HEAD + CAMERA + GAUGE + BUTTONS, HEAD + CAMERA + HALL + GAUGE + BUTTONS]))
def test_anything_may_happen_at_the_table(seed: int, table: str) -> None:
    rng = random.Random(seed)
    bench = SquailBench(table)
    bench.open()
    bench.wait(3)
    bench.start(squails_each=rng.choice((1, 2, 8)), target=rng.choice((1, 5)), players=rng.choice((2, 3, 4)))
    for _ in range(30):
        disturb(bench, rng)
    assert all(points >= 0 for points in bench.score.values())
    if bench.engine.play is not None and not bench.engine.play.ended:
        same_again(bench)
