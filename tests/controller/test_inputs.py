"""The installer's tools over simulated inputs that the test moves."""

from __future__ import annotations

import threading

import pytest

from controller.inputs import Inputs, Learner, Screen, View, Walker
from controller.rules.registry import GAME_NAMES
from controller.simulation.stage import simulated_table
from controller.tablefile.sensors import ContactSensor
from controller.walk import Learning, Walk
from hardware.observations import Observation
from hardware.sources.sim import SimSource
from tests.table_kit import HEAD, table_of

SMALL = (
    f'{HEAD}\n[[sensor]]\nkind = "switch"\nrole = "cup-1"\nsource = "sim"\nsettle = "1ms"\n'
    '[[sensor]]\nkind = "button"\nrole = "undo"\nsource = "sim"\n'
)


class Hand:
    """Moves the inputs whenever the view has said what it waits for."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.sim: SimSource | None = None
        self.moves: list[tuple[str, str, list[int]]] = []

    def say(self, text: str) -> None:
        self.said.append(text)
        if self.sim is None:
            return
        for move in list(self.moves):
            when, channel, levels = move
            if when in text:
                self.moves.remove(move)
                for level in levels:
                    self.sim.set(channel, level)


LONG = 60
"""Seconds that a busy machine may take; what is waited for comes much sooner."""


def watch(view: View, hand: Hand, seconds: float = LONG, stop: threading.Event | None = None) -> None:
    with Inputs(table_of(SMALL), view) as inputs:
        (sim,) = inputs._sources
        assert isinstance(sim, SimSource)
        hand.sim = sim
        for text in list(hand.said):
            hand.said.remove(text)
            hand.say(text)
        inputs.watch(stop or threading.Event(), seconds)


def test_a_walk_passes_what_is_seen_on_and_off_and_fails_the_rest() -> None:
    walk = Walk([("cup-1", "cup-1", "switch"), ("undo", "undo", "button"), ("line", "half-way", "beam")])
    assert walk.observe(Observation(1, 1, "cup-1", "cup-1", "level", value=True)) is None
    passed = walk.observe(Observation(2, 2, "cup-1", "cup-1", "level", value=False))
    assert passed is not None
    assert passed.sensor == "cup-1"
    walk.observe(Observation(3, 3, "line", "half-way", "crossing", "up"))
    assert not walk.done
    record = walk.record(())
    assert [line.split()[0] for line in record] == ["pass", "FAIL", "pass"]
    assert "not seen: press" in record[1]


def test_learning_names_inputs_in_the_order_asked() -> None:
    learning = Learning({"cup-1": "switch", "cup-2": "switch", "undo": "button"})
    assert learning.ask == "cup-1"
    assert learning.change("gpio:17", 0) == "cup-1"
    assert learning.change("gpio:17", 1) is None
    learning.skip()
    assert learning.change("gpio:4", 1) == "undo"
    assert learning.ask is None
    assert 'role = "cup-1"\nkind = "switch"\nsource = "gpio:17"' in learning.table()
    assert 'source = "gpio:4"\nactive = "high"' in learning.table()


@pytest.mark.parametrize("game", GAME_NAMES)
def test_what_is_learned_of_a_game_is_a_table_file_that_is_right(game: str) -> None:
    sensors = [s for s in simulated_table(game).sensors if isinstance(s, ContactSensor) and len(s.channels) == 1]
    learning = Learning({sensor.role: sensor.kind for sensor in sensors})
    for line in range(len(sensors)):
        learning.change(f"sim:line-{line}", line % 2)
    assert learning.ask is None
    learned = table_of(f'[table]\nid = "t"\ngame = "{game}"\n{learning.table()}').sensors
    assert [(sensor.role, sensor.kind) for sensor in learned] == [(sensor.role, sensor.kind) for sensor in sensors]


def test_learning_with_a_hand_at_the_inputs() -> None:
    hand = Hand()
    hand.moves = [("Now: cup-1", "sim:cup-1", [0]), ("Now: undo", "sim:undo", [0])]
    learner = Learner(table_of(SMALL), hand.say)
    watch(learner, hand)
    assert learner.done
    assert "cup-1 is sim:cup-1." in hand.said
    assert learner.end()


def test_a_walk_with_nobody_at_the_table_fails() -> None:
    hand = Hand()
    walker = Walker(table_of(SMALL), hand.say)
    watch(walker, hand, 0.5)
    assert not walker.end()
    assert "FAIL" in hand.said[-1]


def test_the_live_view_shows_an_input_that_moves(capsys: pytest.CaptureFixture[str]) -> None:
    shown = threading.Event()

    class Looking(Hand):
        """Ends it when the cup is seen to be on."""

        def say(self, text: str) -> None:
            super().say(text)
            if any(row.split()[:4] == ["cup-1", "sim:cup-1", "0", "on"] for row in text.splitlines()):
                shown.set()

    hand = Looking()
    hand.moves = [("sensor", "sim:cup-1", [0])]
    watch(Screen(table_of(SMALL), hand.say), hand, stop=shown)
    assert shown.is_set()
    rows = hand.said[-1].splitlines()
    assert next(row for row in rows if row.startswith("cup-1")).endswith("well")
    assert rows[-1] == "sim: up, lost 0, recovered 0"
    assert capsys.readouterr().out == ""
