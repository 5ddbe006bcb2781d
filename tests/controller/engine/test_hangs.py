"""Every question says what hangs on its answer: points, what is at stake, whose turn it is, or what may be played from here."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from controller.engine.fold import Entry, Fold
from controller.engine.questions import Stake, settle
from controller.engine.showing import what_hangs
from controller.rules.registry import find_game
from controller.tables.table import Choice, Question
from tests import fortification_kit, maw_kit, squails_kit
from tests.fortification_kit import FortBench

LATER = "what may be played from here on, and what it gives"


def pass_unsure() -> Any:
    """Nothing tells the ball that went through the pass, nor whether its colours came down."""
    kit = fortification_kit
    table: Any = FortBench(kit.HEAD + kit.BELLS + kit.ARCHES + kit.PASS + kit.BUTTONS).open().start()
    table.stroke()
    table.through("english")
    table.rest()
    table.stroke()
    table.rest()
    table.stroke()
    return table


def help_unsure() -> Any:
    """The asker vies before the first trick."""
    table = maw_kit.dealt()
    table.press("A-ask")
    table.press("A-vie")
    return table


def line_unsure() -> Any:
    """A squail lies on the line of demarcation, within the error of its place."""
    table = squails_kit.ready(squails_each=2)
    table.play("light-s1", squails_kit.at(-1.57, 600 - 25.4 - 76.2 - 0.3))
    return table


@pytest.mark.parametrize(
    ("table", "ids"), [(pass_unsure, ("ball-", "down-")), (help_unsure, ("help-",)), (line_unsure, ("line-",))]
)
def test_where_no_points_change_yet_it_says_what_will(table: Any, ids: tuple[str, ...]) -> None:
    questions = table().shown.questions
    assert {one.id.partition("-")[0] + "-" for one in questions} >= set(ids)
    assert [one.hangs for one in questions] == [LATER] * len(questions)


def test_points_at_stake_in_a_turn_are_told_as_such() -> None:
    choices = tuple(Choice(f"cup-{cup}", f"Cup {cup}", {"?moves": [{"ball": "white-1", "to": f"cup-{cup}"}]}) for cup in (2, 9))
    question = Question("which", "Which cup?", choices, "cup-2", due=True)
    shot: dict[str, Any] = {"event": "shot", "ball": "white-1", "hit_black": True, "moves": "?moves"}
    settled = settle(Fold(find_game("bagatelle"), {}, {}), [Entry(1, shot, "sensor")], [question], {}, {})
    assert (settled.asked, settled.provisional) == ((question,), False)
    assert settled.hangs["which"] == Stake({}, end=False, pending={"A": 7})
    play: Any = SimpleNamespace(settled=settled)
    assert what_hangs(play, question, {"A": "Ann", "B": "Bob"}) == "Ann +7 at stake in this turn"
