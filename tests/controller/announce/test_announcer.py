"""Which lamp is lit for what, and trying one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from controller.announce.announcer import HELD, PLAYED, Announcer, Lit, try_outputs
from controller.announce.occurrences import Occurrence
from controller.engine import requests
from controller.engine.requests import Pause, Reply, Request
from hardware.outputs.lamps import TEST, Lamps, Tested
from hardware.outputs.output import SimOutput
from hardware.outputs.patterns import STEADY, Pattern, flashes
from tests.browser_kit import QUESTION, bagatelle

AWARD = Occurrence("award", "A")
TURN = Occurrence("turn", "B")


class Told(Lamps):
    """Lamps that only remember."""

    def __init__(self, *names: str) -> None:
        super().__init__({name: SimOutput() for name in names}, lambda *_: None)
        self.played: list[tuple[str, Pattern]] = []
        self.held: dict[str, Pattern | None] = {}

    def play(self, name: str, pattern: Pattern) -> None:
        self.played.append((name, pattern))

    def hold(self, name: str, pattern: Pattern | None) -> None:
        self.held[name] = pattern

    def test(self, name: str, done: Tested = print) -> None:
        self.played.append((name, TEST))
        done(self.fault)

    fault: str | None = None


def test_an_award_flashes_thrice_and_what_happens_last_is_played() -> None:
    lamp = Lit("lamp", ("award", "turn"))
    assert lamp.played([AWARD]) == flashes(["short"] * 3) == PLAYED["award"]
    assert lamp.played([AWARD, TURN]) == PLAYED["turn"]
    assert lamp.played([Occurrence("over", "A")]) is None


def test_the_lamp_of_a_side_knows_its_own_awards_and_is_lit_while_it_is_in_turn() -> None:
    lamp = Lit("lamp-b", ("turn", "award"), side="B")
    assert lamp.played([AWARD]) is None
    assert lamp.played([Occurrence("award", "B")]) == PLAYED["award"]
    assert lamp.played([TURN]) is None
    assert lamp.held(frozenset({TURN})) == STEADY
    assert lamp.held(frozenset({Occurrence("turn", "A")})) is None


def test_a_pattern_of_the_table_file_takes_the_place_of_the_usual_one() -> None:
    lamp = Lit("lamp", ("award", "question"), pattern=("long", "short"))
    assert lamp.played([AWARD]) == flashes(["long", "short"])
    assert lamp.held(frozenset({Occurrence("question")})) == flashes(["long", "short"], again=True)


def test_a_question_and_a_fault_are_shown_while_they_stand() -> None:
    lamps = Told("lamp", "red")
    announcer = Announcer([Lit("lamp", ("question",)), Lit("red", ("fault",))], lamps)
    announcer.offer(bagatelle(1, questions=(QUESTION,), faults=("The journal can't be written.",)), ())
    assert lamps.held == {"lamp": HELD["question"], "red": STEADY}
    announcer.offer(bagatelle(2), ())
    assert lamps.held == {"lamp": None, "red": None}


def test_a_turn_that_passes_is_played() -> None:
    lamps = Told("lamp")
    announcer = Announcer([Lit("lamp", ("turn",))], lamps)
    announcer.offer(bagatelle(1), ())
    assert lamps.played == []
    announcer.offer(replace(bagatelle(2), turn="B"), ())
    assert lamps.played == [("lamp", PLAYED["turn"])]


@pytest.mark.parametrize(("output", "ok"), [("lamp", True), ("lmap", False)])
def test_an_output_is_tried_and_another_name_refused(output: str, ok: bool) -> None:
    lamps, replies, passed = Told("lamp"), list[Reply](), list[Any]()
    submit = try_outputs(lamps, passed.append)
    submit(Request(requests.TestOutput(output), "test", replies.append))
    assert [reply.ok for reply in replies] == [ok]
    assert len(lamps.played) == int(ok)
    assert ok or replies[0].error == "this table has no output 'lmap'; it has: lamp"
    lamps.fault = "The output lamp doesn't work: its line is taken."
    submit(Request(requests.TestOutput("lamp"), "test", replies.append))
    assert replies[1] == Reply(ok=False, error="The output lamp doesn't work: its line is taken.")
    assert passed == []
    pause = Request(Pause(), "test", replies.append)
    submit(pause)
    assert passed == [pause]
