"""A game taken up again is the game that was left, however it was played; a difference is reported, not adopted."""

from __future__ import annotations

import random

import pytest

from controller.engine.journal import Journal
from controller.engine.requests import Answer, EnterEvent, Pause, Resume, Undo
from controller.engine.takeup import take_up
from controller.rules.registry import find_game
from controller.tables.bagatelle import BagatelleTable
from tests.table_kit import Bench


def messy(seed: int) -> Bench:
    """A game with everything in it, at random."""
    rng = random.Random(seed)
    table = Bench().open().start()
    for _ in range(30):
        act = rng.randrange(10)
        if table.shown.phase == "clearing":
            for question in table.shown.questions:
                table.ask(Answer(question.id, rng.choice(question.choices)[0]))
            table.collect()
        elif act < 6:
            cups = rng.sample(range(1, 10), rng.choice((0, 1, 1, 2)))
            table.play_ball(*cups, strike=rng.random() < 0.6, back=rng.randrange(2), rest=rng.choice((0.3, 3.0, 7.0)))
        elif act == 6:
            table.ask(Undo())
        elif act == 7:
            table.press("end-of-turn")
        elif act == 8:
            table.ask(Pause())
            table.set(f"cup-{rng.randrange(1, 10)}", on=rng.random() < 0.5)
            table.wait(1)
            table.ask(Resume())
        else:
            in_hand = table.shown.position["in_hand"]
            ball = in_hand[0] if isinstance(in_hand, list) and in_hand else "white-1"
            table.ask(EnterEvent({"event": "shot", "ball": ball, "hit_black": True, "moves": []}))
    return table


@pytest.mark.parametrize("seed", range(12))
def test_it_is_the_game_that_was_left(seed: int) -> None:
    table = messy(seed)
    left = table.engine.play
    assert left is not None
    journal = table.journal
    assert isinstance(journal, Journal)
    kept = journal.kept().open_game
    assert kept
    roles = [sensor.role for sensor in table.table.sensors]
    timing = table.engine.play.table._turn.timing  # type: ignore[union-attr]
    fresh = (BagatelleTable(roles, timing), BagatelleTable(roles, timing))
    play, difference = take_up(kept, find_game("bagatelle"), fresh)
    assert difference is None
    assert play.fold.state == left.fold.state
    assert play.settled == left.settled
    assert play.table.phase == left.table.phase
    assert play.table.notices == left.table.notices
    assert play.table.drafts() == left.table.drafts()


def test_a_table_that_would_do_something_else_now_is_reported_and_the_events_stand() -> None:
    table = Bench().open().start()
    table.play_ball(5, strike=True)
    table.play_ball(7)
    table.play_ball()
    score = table.pending
    journal = table.journal
    assert isinstance(journal, Journal)
    kept = list(journal.kept().open_game)
    gone = next(record for record in kept if record.kind == "observation" and record.body["role"] == "cup-7")
    kept.remove(gone)
    roles = [sensor.role for sensor in table.table.sensors]
    play, difference = take_up(kept, find_game("bagatelle"), (BagatelleTable(roles), BagatelleTable(roles)))
    assert difference is not None
    assert "record" in difference
    unbanked = play.game.unbanked(play.fold.state)
    assert unbanked is not None
    assert {"A": sum(award.points for award in unbanked)} == score


def test_a_game_whose_options_the_rules_no_longer_take_is_reported_and_left() -> None:
    table = Bench().open().start()
    journal = table.journal
    assert isinstance(journal, Journal)
    journal._db.execute("update records set body = json_set(body, '$.options.gone', 1) where kind = 'start'")
    again = table.again().open()
    assert again.shown.phase == "idle"
    assert any("rules of this version can't go on with (unknown option 'gone'" in fault for fault in again.shown.faults)
    assert again.start().shown.phase == "playing"


def test_a_refused_undo_that_ended_a_stroke_is_remembered() -> None:
    table = Bench().open().start()
    table.press("next-ball")
    assert table.ask(Undo()).error == "there is nothing to undo in this game"
    again = table.again()
    assert again.engine.faults == {}
    for bench in (table, again):
        assert bench.engine.play is not None
        left = bench.engine.play.table
        assert isinstance(left, BagatelleTable)
        assert left._turn.open == []
