"""The simulated balls of bagatelle do what balls do: each thing that a marker has to cope with happens, and not rarely."""

from __future__ import annotations

import random
from collections import Counter

from controller.simulation.strokes import BLACK, World

TURNS = 400


def test_balls_miss_come_back_sit_on_the_brink_and_are_knocked_on() -> None:
    seen: Counter[str] = Counter()
    for seed in range(TURNS):
        world = World(random.Random(seed))
        while world.played < 8:
            on_the_brink = set(world.brink)
            happens = world.stroke(0)
            seen["misses the black"] += not world.struck
            seen["misses it and drops into a cup"] += bool(world.dead)
            seen["comes back over the line"] += any(one.thing == "down" for one in happens)
            seen["never reaches the line"] += not happens
            seen["sits on the brink"] += bool(set(world.brink) - on_the_brink)
            seen["is knocked from the brink into its cup"] += bool(on_the_brink - set(world.brink))
            seen["turns another out of its cup"] += any(one.thing == "cup-off" for one in happens)
            seen["two cups fill in one stroke"] += sum(one.thing == "cup-on" for one in happens) > 1
            for cup in sorted(world.dead):
                world.lift_dead(cup)
        seen["the black lies in a cup"] += world.black_cup is not None
        seen["the black stays on its spot"] += BLACK in world.lying and not world.struck
    rare = {what: count for what, count in seen.items() if count < TURNS / 100}
    assert set(rare) <= {"the black stays on its spot"}, rare
    assert len(seen) == 10
