"""Corrections at any depth: the result is that of the corrected list played from the start, and each can be taken back."""

from __future__ import annotations

import random
from typing import Any

import pytest

from controller.engine.requests import Correct, EnterEvent, Undo
from controller.rules.registry import find_game
from tests.legal_play import a_closed_filling
from tests.table_kit import HEAD, Bench

NO_SENSORS = HEAD


def shot(ball: str, *moves: tuple[str, str], hit: bool = False) -> dict[str, Any]:
    return {"event": "shot", "ball": ball, "hit_black": hit, "moves": [{"ball": b, "to": to} for b, to in moves]}


def entered(table: Bench, *events: dict[str, Any]) -> list[int]:
    """Enter events; their revisions."""
    for event in events:
        reply = table.ask(EnterEvent(event))
        assert reply.ok, reply.error
    return [happening.revision for happening in table.events()]


def game() -> tuple[Bench, list[int]]:
    table = Bench(NO_SENSORS).open().start()
    first = shot("white-1", ("black", "cup-9"), hit=True)
    return table, entered(table, first, shot("white-2", ("white-2", "cup-8")), shot("white-3", ("white-3", "cup-7")))


def test_an_event_is_changed() -> None:
    table, revisions = game()
    assert table.pending == {"A": 33}
    assert table.ask(Correct(revisions[1], replace=shot("white-2", ("white-2", "cup-1")), why="it was cup 1")).ok
    assert table.pending == {"A": 26}
    assert table.events("correction")[-1].event == {"why": "it was cup 1"}


def test_an_event_is_removed_and_one_put_in() -> None:
    table, revisions = game()
    assert table.ask(Correct(revisions[1], remove=True)).ok
    assert table.pending == {"A": 25}
    assert table.ask(Correct(revisions[2], insert_before=shot("white-4", ("white-4", "cup-2")))).ok
    assert table.pending == {"A": 27}
    assert table.shown.position["balls_left"] == 5


def test_a_correction_is_taken_back_and_stands_again() -> None:
    table, revisions = game()
    table.ask(Correct(revisions[0], remove=True))
    assert table.pending == {}
    table.ask(Undo())
    assert table.pending == {"A": 33}
    table.ask(Undo())
    assert table.pending == {}


def test_a_correction_is_itself_corrected() -> None:
    table, revisions = game()
    table.ask(Correct(revisions[1], replace=shot("white-2", ("white-2", "cup-1"))))
    own = table.engine.play.moves[-1].body["revision"]  # type: ignore[union-attr]
    assert isinstance(own, int)
    assert table.ask(Correct(own, replace=shot("white-2", ("white-2", "cup-6")))).ok
    assert table.pending == {"A": 31}


def test_what_would_happen_is_told_first_and_changes_nothing() -> None:
    table, revisions = game()
    reply = table.ask(Correct(revisions[0], remove=True, preview=True))
    assert reply.ok
    assert reply.detail is not None
    assert reply.detail["before"] == {"A": 0, "B": 0}
    assert table.pending == {"A": 33}
    assert len(table.events("correction")) == 0


STRUCK = shot("white-1", ("black", "board"), hit=True)
FALLS: dict[str, tuple[list[dict[str, Any]], int, int]] = {
    "bagatelle": ([STRUCK, {"event": "end_turn"}, STRUCK, shot("white-2", ("white-2", "cup-9"))], 1, 1),
    "fortification": (
        [
            {"event": "stroke", "side": side, "ball": f"{side}-attack", "facts": []}
            for side in ("english", "french", "english", "french")
        ],
        0,
        1,
    ),
    "squails": (
        [
            {"event": "strike", "player": "light-1", "squail": "light-s1", "target": "out"},
            {"event": "new_round", "target_at": "centre"},
            {"event": "strike", "player": "light-1", "squail": "light-s1"},
        ],
        0,
        1,
    ),
    "maw": ([{"event": "vie", "by": "A"}, {"event": "pledge", "by": "B"}, {"event": "lead", "by": "A"}], 0, 1),
}
"""By game: events, the one that is removed, and how many later ones no longer stand then."""


@pytest.mark.parametrize("game", FALLS)
def test_events_that_fall_are_named_with_what_saves_them(game: str) -> None:
    events, place, many = FALLS[game]
    table = Bench(HEAD.replace("bagatelle", game)).open().start()
    revisions = entered(table, *events)
    play = table.engine.play
    assert play is not None
    detail: Any = table.ask(Correct(revisions[place], remove=True, preview=True)).detail
    fallen = [one["revision"] for one in detail["fallen"]]
    assert len(fallen) == many
    assert set(fallen) <= set(revisions[place + 1 :])
    assert detail["saving"] is not None
    assert all(step.stood for step in play.fold.steps), "it was only asked what would happen"

    def fallen_now() -> list[int]:
        return [step.entry.revision for step in play.fold.steps if not step.stood]

    assert table.ask(Correct(revisions[place], remove=True)).ok
    assert fallen_now() == fallen
    reply = table.ask(Correct(fallen[0], insert_before=detail["saving"]))
    assert reply.ok, reply.error
    assert fallen_now() == []
    assert {step.entry.revision for step in play.fold.steps} >= set(fallen)


def test_after_a_correction_the_table_takes_the_levels_as_they_are() -> None:
    table = Bench().open().start()
    table.play_ball(5, strike=True)
    table.play_ball(7)
    table.play_ball()
    (struck, seven) = [happening.revision for happening in table.events()]
    assert table.pending == {"A": 12}
    assert table.ask(Correct(seven, remove=True)).ok
    table.wait(60)
    assert table.pending == {"A": 5}
    assert [notice.text for notice in table.shown.notices] == ["Lift the ball from cup 7. It doesn't count in this turn."]
    events = len(table.events())
    table.set("cup-7", on=False)
    table.wait(1)
    assert (table.shown.notices, len(table.events())) == ((), events), "what the people put right is no event"
    assert table.ask(Undo()).ok
    assert [notice.text for notice in table.shown.notices] == [
        "By the score a ball lies in cup 7, which is empty: put it back, or correct."
    ]
    assert table.ask(Correct(struck, remove=True)).ok


@pytest.mark.parametrize(
    ("correct", "says"),
    [
        (Correct(1, remove=True), "no event of this game has revision 1"),
        (Correct(0, replace={"event": "shot", "ball": "black", "hit_black": True, "moves": []}), "no event"),
    ],
)
def test_a_correction_of_nothing_is_refused(correct: Correct, says: str) -> None:
    table, _ = game()
    assert says in str(table.ask(correct).error)


@pytest.mark.parametrize(
    "first", [{"remove": True}, {"replace": shot("white-2", ("white-2", "cup-1"))}], ids=["removed", "replaced"]
)
def test_of_two_corrections_of_one_event_the_second_is_told_that_there_was_another(first: dict[str, Any]) -> None:
    table, revisions = game()
    assert table.ask(Correct(revisions[1], **first)).ok
    put = table.shown.revision
    before = table.pending
    reply = table.ask(Correct(revisions[1], replace=shot("white-2", ("white-2", "cup-4"))))
    assert str(reply.error).startswith(f"the event of revision {revisions[1]} was changed, removed or taken back meanwhile")
    assert table.pending == before
    assert table.ask(Undo()).ok
    assert table.ask(Correct(revisions[1], remove=True)).ok, "it is there again"
    assert "no event of this game has revision" in str(table.ask(Correct(put + 1000, remove=True)).error)


def test_a_replacement_that_can_not_stand_is_refused_by_its_rule() -> None:
    table, revisions = game()
    reply = table.ask(Correct(revisions[1], replace=shot("white-1", ("white-1", "cup-1"))))
    assert not reply.ok
    assert "BAG-" in str(reply.error)
    assert table.pending == {"A": 33}


@pytest.mark.parametrize("seed", range(20))
def test_the_result_is_that_of_the_corrected_list(seed: int) -> None:
    rng = random.Random(seed)
    table = Bench(NO_SENSORS).open().start(target=30)
    rules = find_game("bagatelle")
    line: list[tuple[int, dict[str, Any]]] = []
    for _ in range(25):
        assert table.engine.play is not None
        event = a_closed_filling(rng, rules, table.engine.play.state)
        if event is None:
            break
        if table.ask(EnterEvent(event)).ok:
            line.append((table.events()[-1].revision, event))
        if line and rng.random() < 0.3:
            place = rng.randrange(len(line))
            revision, old = line[place]
            action = rng.choice(("remove", "replace", "insert"))
            new = rng.choice([event for _, event in line])
            views = (table.score, table.pending, table.shown.position, table.shown.turn, table.shown.over)
            command = {
                "remove": Correct(revision, remove=True),
                "replace": Correct(revision, replace=new),
                "insert": Correct(revision, insert_before=new),
            }[action]
            if not table.ask(command).ok:
                continue
            own = table.engine.play.moves[-1].body["revision"]
            assert isinstance(own, int)
            if rng.random() < 0.4:
                table.ask(Undo())
                now = (table.score, table.pending, table.shown.position, table.shown.turn, table.shown.over)
                assert now == views, old
                continue
            put = [] if action == "remove" else [(own, new)]
            line[place : place + (action != "insert")] = put
    state = rules.start({"target": 30})
    for _, event in line:
        outcome = rules.apply(state, rules.read(event))
        state = getattr(outcome, "state", state)
    assert table.engine.play is not None
    assert table.engine.play.state == state
