"""The installer's tools over simulated inputs that the test moves."""

from __future__ import annotations

import threading

import pytest

from controller.inputs import Inputs, Screen, View, Walker, page, wired
from controller.learning.learner import Learner
from controller.walk import Walk
from hardware.health import SensorHealth
from hardware.observations import Observation, Sound
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
    walk = Walk([("cup-1", "cup-1", "switch", ""), ("undo", "undo", "button", ""), ("line", "half-way", "beam", "")])
    assert walk.observe(Observation(1, 1, "cup-1", "cup-1", "level", value=True)) is None
    passed = walk.observe(Observation(2, 2, "cup-1", "cup-1", "level", value=False))
    assert passed is not None
    assert passed.sensor == "cup-1"
    walk.observe(Observation(3, 3, "line", "half-way", "crossing", "up"))
    assert not walk.done
    record = walk.record(())
    assert [line.split()[0] for line in record[:3]] == ["pass", "FAIL", "pass"]
    assert "not seen: press" in record[1]


def test_a_record_says_what_was_seen_what_was_not_and_how_many_failed() -> None:
    walk = Walk(
        [
            ("cup-1", "cup-1", "switch", "gpio:4"),
            ("bell", "french-grand", "bell", "board:b/54"),
            ("line", "half-way", "beam", "gpio:19 26"),
        ]
    )
    walk.observe(Observation(1, 1, "bell", "french-grand", "ring", 345, sound=Sound(345, 0.4)))
    walk.observe(Observation(2, 2, "line", "half-way", "crossing", "down"))
    walk.observe(Observation(3, 3, "cup-1", "cup-1", "level", value=True))
    assert walk.left == ["cup-1 (off)"]
    health = (SensorHealth("line", None, None, faults=("line is blocked",)),)
    remedy = "What was not seen: look at its wire, and at its input in the table file."
    assert walk.record(health) == [
        "FAIL  cup-1                gpio:4      not seen: off",
        "pass  bell (french-grand)  board:b/54  peak 345",
        "FAIL  line (half-way)      gpio:19 26  second beam first; line is blocked",
        remedy,
        "1 of 3 pass, 2 FAIL",
    ]
    narrow = walk.record(health, 40)
    assert narrow[:2] == ["FAIL  cup-1  gpio:4  not seen: off", "pass  bell (french-grand)  board:b/54"]
    assert max(map(len, narrow)) <= 40
    assert walk.failed(()) == ["cup-1"]


def test_learning_with_a_hand_at_the_inputs() -> None:
    hand = Hand()
    hand.moves = [("1 of 2: cup-1.", "sim:undo", [0, 1]), ("2 of 2: undo.", "sim:cup-1", [0])]
    items = [{"role": "cup-1", "kind": "switch", "source": "sim"}, {"role": "undo", "kind": "button", "source": "sim"}]
    learner = Learner(table_of(SMALL), items, hand.say)
    watch(learner, hand)
    assert learner.done
    assert "cup-1 is sim:undo." in hand.said
    assert learner.end()
    assert learner.text is not None
    assert 'role = "undo"\nkind = "button"\nsource = "sim:cup-1"' in learner.text


def test_a_walk_with_nobody_at_the_table_fails() -> None:
    hand = Hand()
    walker = Walker(table_of(SMALL), hand.say)
    watch(walker, hand, 0.5)
    assert not walker.end()
    assert walker.record().splitlines()[-1] == "0 of 2 pass, 2 FAIL"


def test_somebody_who_walks_can_ask_what_is_left_and_end_it() -> None:
    hand = Hand()
    walker = Walker(table_of(SMALL), hand.say, keys=True)
    walker.type("\n")
    walker.type("q\n")
    watch(walker, hand)
    assert walker.done
    assert hand.said[-1] == "left: cup-1, undo"


def rows_of(*since: int | None) -> list[tuple[int | None, tuple[str, ...]]]:
    return [(at, (f"cup-{n}", f"gpio:{n}", "1", "off", "1.0 s", "12", "well")) for n, at in enumerate(since, start=1)]


def test_a_narrow_terminal_is_spared_columns_and_a_low_one_the_inputs_that_have_rested_longest() -> None:
    faults = ["cup-2 chatters: 440 edges within ten seconds, of which 2 counted. Look for a loose wire"]
    for width, height in ((80, 24), (40, 20), (30, 8), (20, 4)):
        lines = page(rows_of(*range(1, 31)), faults, ["gpio: up, lost 0, recovered 0"], width, height)
        assert len(lines) < height
        assert max(map(len, lines)) <= width
        assert lines[1].startswith("cup-30")
    wide = page(rows_of(None, 5), faults, [], 80, 24)
    assert [line.split()[0] for line in wide[1:3]] == ["cup-1", "cup-2"]
    assert " ".join(wide[3:]) == faults[0]
    assert page(rows_of(1), [], [], 40, 20)[0].split() == ["sensor", "source", "raw", "state", "health"]
    cells = ("english-advanced-1-colours", "board:table/12", "1", "off", "9.0 s", "0", "FAULT")
    (long,) = page([(None, cells)], [], [], 40, 20)[1:]
    assert long == "english-ad…1-colours  1    off    FAULT"


def test_a_pair_is_told_by_its_source_once() -> None:
    assert [wired(("board:b/24", "board:b/25")), wired(("gpio:19", "gpio:26")), wired(("lines:camera",))] == [
        "board:b/24 25",
        "gpio:19 26",
        "lines:camera",
    ]


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


def test_the_live_view_knows_the_levels_before_anything_moves() -> None:
    hand = Hand()
    watch(Screen(table_of(SMALL), hand.say), hand, 0.1)
    assert [row.split()[:4] for row in hand.said[0].splitlines()[1:3]] == [
        ["cup-1", "sim:cup-1", "1", "off"],
        ["undo", "sim:undo", "1", "off"],
    ]


def test_a_terminal_is_drawn_over_from_its_top_at_the_size_that_it_has_now() -> None:
    hand = Hand()
    sizes = iter([(80, 24), (20, 4)])
    watch(Screen(table_of(SMALL), hand.say, lambda: next(sizes, (20, 4))), hand, 0.5)
    first, second = hand.said[:2]
    assert first.startswith("\x1b[H\x1b[2J")
    assert second.startswith("\x1b[Hsensor")
    assert [len(first.splitlines()), len(second.splitlines())] == [4, 3]
    assert max(len(line.removesuffix("\x1b[K\x1b[J").removesuffix("\x1b[K")) for line in second.splitlines()) <= 20 + len(
        "\x1b[H"
    )
