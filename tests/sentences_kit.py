"""One point of each game from raw readings on, whose question a marker has answered, and the whole sentence that explains it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from controller.engine.requests import Answer, StartGame
from hardware.signals import MS
from tests import fortification_kit, maw_kit, squails_kit, table_kit
from tests.fortification_kit import FortBench
from tests.maw_kit import MawBench
from tests.squails_kit import SquailBench
from tests.table_kit import Bench


@dataclass(frozen=True)
class Told:
    """How a point comes about, on a journal; its sentence; what the command line says of its event and its points."""

    play: Callable[[Any], Any]
    sentence: str
    lines: tuple[str, str]


def _answer(table: Any, choice: str) -> Any:
    # The one on which points hang.
    question = max(table.shown.questions, key=lambda one: bool(re.search(r"[+-]\d", one.hangs)))
    reply = table.ask(Answer(question.id, choice, who="Ann"))
    assert reply.ok, reply.error
    return table


def _bagatelle(journal: Any) -> Any:
    table = Bench(table_kit.FULL, journal).open().start()
    table.play_ball(5, strike=True)
    table.play_ball(3)
    table.press("end-of-turn")
    return _answer(table, "cup-5")


def _fortification(journal: Any) -> Any:
    bells = "".join(fortification_kit.sensor(fort, "bell") for fort in fortification_kit.FORTS)
    table = FortBench(fortification_kit.HEAD + bells + fortification_kit.COLOURS + fortification_kit.BUTTONS, journal).open()
    table.set("french-pass-colours", on=False)
    table.wait(1)
    table.ask(StartGame(position={"pass": {"english": "regular"}}))
    table.wait(0.5)
    table.stroke()
    # As a converter gives it: the highest reading of each ten milliseconds, dying away to a sixth in 0.8 s.
    bell, began = table.by_role["french-advanced-1"].channels[0], table.now
    for step in range(100):
        table.sim.tell(bell, round(412 * math.exp(-step / 80)), began + step * 10 * MS)
    table.rest()
    return _answer(table, "english-attack")


def _squails(journal: Any) -> Any:
    table = SquailBench(squails_kit.FULL, journal)
    table.open()
    table.wait(3)
    table.start(squails_each=1)
    table.wait(1)
    table.play("light-s1", table.near(76.0))
    table.play("dark-s1", squails_kit.at(2.0, 320.0))
    table.wait(4)
    return _answer(table, "yes")


def _maw(journal: Any) -> Any:
    table = MawBench(maw_kit.LEAST, journal).open().start()
    table.press("A-vie")
    table.press("B-pledge")
    table.show("6D")
    for card in ("KC", "10C", "KS", "10S", "5D", "2D"):
        table.show(card)
    return _answer(table, "A")


MARKER = "by answer of the marker (Ann, 20:00)"
SENTENCES = {
    "bagatelle": Told(
        _bagatelle,
        "+10 at stake BAG-12: half-way crossing up, spot-a lost its ball, cup-5 filled, "
        f"black in cup 5, white 1 on the board {MARKER}",
        ("White 1 struck the black; black in cup 5; white 1 on the board", "at stake: A +10  BAG-12"),
    ),
    "fortification": Told(
        _fortification,
        "+4 FORT-11: stroke pressed, bell of french-advanced-1, peak 412, decay 0.8 s, "
        f"English attacking ball rings the French advanced fort 1, {MARKER}",
        ("English: English attacking ball rings the French advanced fort 1", "english +4  FORT-11"),
    ),
    "squails": Told(
        _squails,
        "+1 SQU-09: squails saw the target 0 mm off the centre, squails saw light squail 1 114 mm from the middle of the target, "
        "squails saw dark squail 1 320 mm from the middle of the target, "
        f"measured: dark squail 1 281.9 mm, Does the gauge, laid at the target, touch light squail 1? It touches {MARKER}",
        ("Round measured: light squail 1 76.0 mm, dark squail 1 281.9 mm", "light +1  SQU-09"),
    ),
    "maw": Told(
        _maw,
        "+5 M-13: KC read by card, 10C read by card, KS read by card, 10S read by card, 5D read by card, 2D read by card, "
        f"Who has won the game? A {MARKER}; with A-vie pressed, B-pledge pressed",
        ("A has won the game", "A +5  M-13"),
    ),
}
"""By game."""
