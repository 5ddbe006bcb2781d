"""A table on two sources, one of which tells late: a replay works together what was worked together."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from controller.engine.requests import Command, EnterEvent, Pause, Reply, Request, Resume, Undo
from hardware.signals import MS, SECOND, source_of
from hardware.sources.sim import SimSource
from hardware.sources.trace_file import TraceWriter
from tests.people_kit import Replayed, same_as_live
from tests.table_kit import BEAMS, BUTTONS, SPOT, Bench

CUPS = "\n".join(f'[[sensor]]\nkind = "switch"\nrole = "cup-{n}"\nsource = "gpio:{n + 3}"' for n in range(1, 10))
TABLE = f'[table]\nid = "test"\ngame = "bagatelle"\n{CUPS}\n{SPOT}\n{BEAMS}\n{BUTTONS}'
BALL: dict[str, Any] = {"event": "shot", "ball": "white-1", "hit_black": False, "moves": [{"ball": "white-1", "to": "cup-2"}]}


class Late(SimSource):
    """Inputs of a source that tells when it gets round to it."""

    def __init__(self) -> None:
        super().__init__(clock=None)
        self.name = "gpio"


class TwoSources(Bench):
    """Beams and buttons tell at once, cups when their source does: a moment later, or so late that nobody waits for it."""

    def __init__(self, tape: TraceWriter, chance: Random, *, alone: bool = False) -> None:
        super().__init__(TABLE, tape=tape)
        self.alone = alone
        self.chance = chance
        self.pins = Late()
        self.late = 0
        for sensor in self.table.sensors:
            for channel in sensor.channels:
                if source_of(channel) == self.pins.name:
                    self.pins.set(channel, 1 - sensor.active_level, self.now)
        self.pins.advance(self.now)
        self.loop.sources.append(self.pins)

    def set(self, role: str, *, on: bool, end: int = 0) -> None:
        sensor = self.by_role[role]
        channel = sensor.channels[end]
        source = self.pins if source_of(channel) == self.pins.name else self.sim
        source.set(channel, sensor.active_level if on else 1 - sensor.active_level, self.now)

    def turn(self) -> None:
        if self.chance.random() < 0.03 and not self.alone:
            self.late = self.chance.choice([0, 30 * MS, 300 * MS, 1500 * MS, 3 * SECOND])
        if self.chance.random() < 0.15 and not self.alone:
            commands: list[Command] = [Undo(), EnterEvent(BALL), Pause(), Resume(), Resume()]
            self.loop.submit(Request(self.chance.choice(commands), "test"))
            # The engine was busy: what sensors tell meanwhile is worked together with it.
            self.now += self.chance.randrange(600) * MS
        self.pins.advance(max(0, self.now - self.late))
        super().turn()


@pytest.mark.parametrize("seed", range(6))
def test_a_replay_works_together_what_was_worked_together(seed: int, tmp_path: Path) -> None:
    chance = Random(seed)
    with TraceWriter(tmp_path / "t.jsonl", "boot") as writer:
        table = TwoSources(writer, chance)
        table.open().start()
        for ball in range(24):
            table.play_ball(*chance.sample(range(1, 10), chance.randrange(3)), strike=ball % 4 == 0, rest=chance.random() * 3)
            if ball % 4 == 3:
                table.press("end-of-turn")
                table.collect()
    again = Replayed(table.table, tmp_path / "t.jsonl")
    same_as_live(again, table)
    assert len(again.told) > 8
    assert len(again.done) > 10


def test_what_people_did_before_a_sensor_told_stays_before_it(tmp_path: Path) -> None:
    """A stroke is taken back a moment before the next ball crosses the line; the engine is busy, and takes both at once."""
    with TraceWriter(tmp_path / "t.jsonl", "boot") as writer:
        table = TwoSources(writer, Random(0), alone=True)
        table.open().start()
        table.play_ball(5, strike=True)
        replies: list[Reply] = []
        table.loop.submit(Request(Undo(), "test", replies.append))
        for end in (0, 1):
            for on in (True, False):
                table.now += 12 * MS
                table.set("half-way", on=on, end=end)
        table.now += 50 * MS
        table.turn()
        table.play_ball(3)
        table.play_ball(2)
    assert [reply.ok for reply in replies] == [True]
    again = Replayed(table.table, tmp_path / "t.jsonl")
    same_as_live(again, table)
    assert next(event for kind, event, *_ in again.told if kind == "event")["moves"][-1] == {"ball": "white-1", "to": "cup-5"}
