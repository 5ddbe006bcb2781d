"""What the marker may do with a game: forms, list, undo; on tables without sensors."""

from __future__ import annotations

from typing import Any

import pytest

from controller.engine.requests import Abandon, Answer, Command, Correct, EnterEvent, Undo
from controller.engine.snapshot import Ledger, ListedEvent
from tests.table_kit import HEAD, Bench

MISS = {"event": "shot", "ball": "white-1", "hit_black": False, "moves": []}
FIVE = {"event": "shot", "ball": "white-1", "hit_black": True, "moves": [{"ball": "white-1", "to": "cup-5"}]}
SEVEN = {"event": "shot", "ball": "white-2", "hit_black": False, "moves": [{"ball": "white-2", "to": "cup-7"}]}


@pytest.fixture
def bench() -> Bench:
    return Bench(HEAD).open().start()


def ledger(bench: Bench) -> Ledger:
    found = bench.shown.ledger
    assert found is not None
    return found


def do(bench: Bench, *commands: Command) -> None:
    for command in commands:
        reply = bench.ask(command)
        assert reply.ok, reply.error


def enter(bench: Bench, *events: Any) -> list[int]:
    do(bench, *map(EnterEvent, events))
    return [event.revision for event in ledger(bench).events()[-len(events) :]]


def fates(bench: Bench) -> list[tuple[str, Any]]:
    return [(event.fate, event.event.get("ball", event.event["event"])) for event in ledger(bench).events()]


def last(bench: Bench) -> ListedEvent:
    return ledger(bench).events()[-1]


def test_before_a_game_there_are_house_rules_and_nothing_to_enter() -> None:
    bench = Bench(f"{HEAD}\n[rules]\ntarget = 60").open()
    found = ledger(bench)
    assert found.forms() == found.events() == ()
    assert found.undoable is None
    assert {rule.option.name: rule.value for rule in found.rules}["target"] == 60
    assert all(rule.option.text for rule in found.rules)


def test_the_forms_are_what_the_rules_offer(bench: Bench) -> None:
    assert ledger(bench).forms()[0].title == "white 1 strikes the black"
    enter(bench, FIVE)
    assert ledger(bench).forms()[0].title == "white 2 played"


def test_the_list_tells_each_event_with_what_it_brought(bench: Bench) -> None:
    enter(bench, FIVE, SEVEN)
    first, second = ledger(bench).events()
    assert (first.event, first.origin, first.fate, first.turn, first.banked) == (FIVE, "marker", "stands", "A", False)
    assert [(award.points, award.rule) for award in first.awards] == [(5, "BAG-11")]
    assert [award.points for award in second.awards] == [7]
    assert first.revision < second.revision


def test_forms_in_the_place_of_an_event_are_those_of_its_time(bench: Bench) -> None:
    first, second = enter(bench, FIVE, SEVEN)
    at_first, at_second = ledger(bench).forms_before(first), ledger(bench).forms_before(second)
    assert at_first is not None
    assert at_second is not None
    assert (at_first[0].title, at_second[0].title) == ("white 1 strikes the black", "white 2 played")
    assert ledger(bench).forms_before(second + 1000) is None


def test_a_changed_event_stays_in_sight_before_what_took_its_place(bench: Bench) -> None:
    first, _ = enter(bench, FIVE, SEVEN)
    do(bench, Correct(first, replace={**FIVE, "moves": [{"ball": "white-1", "to": "cup-9"}]}, why="it was the nine"))
    old, new, after = ledger(bench).events()
    assert (old.fate, new.fate, after.fate) == ("replaced", "stands", "stands")
    assert (old.revision, new.put_in, new.why) == (first, True, "it was the nine")
    assert [award.points for award in new.awards] == [9]


def test_what_was_removed_and_what_was_put_in(bench: Bench) -> None:
    first, second = enter(bench, FIVE, SEVEN)
    do(bench, Correct(second, insert_before={**SEVEN, "ball": "red-1", "moves": []}), Correct(first, remove=True))
    assert fates(bench) == [("removed", "white-1"), ("stands", "red-1"), ("stands", "white-2")]
    assert ledger(bench).events()[1].put_in
    do(bench, Undo())
    assert fates(bench) == [("stands", "white-1"), ("stands", "red-1"), ("stands", "white-2")]


def test_a_correction_of_an_event_that_was_taken_back_later_is_no_more() -> None:
    bench = Bench(HEAD).open().start()
    (first,) = enter(bench, FIVE)
    do(bench, Undo())
    assert fates(bench) == [("taken_back", "white-1")]
    reply = bench.ask(Correct(first, remove=True))
    assert not reply.ok


def test_undo_says_what_it_takes_back_and_then_what_it_brings_back(bench: Bench) -> None:
    (first,) = enter(bench, FIVE)
    undoable = ledger(bench).undoable
    assert undoable is not None
    assert (undoable.kind, undoable.event) == ("event", FIVE)
    do(bench, Undo())
    undoable = ledger(bench).undoable
    assert undoable is not None
    assert (undoable.kind, undoable.event) == ("undo", FIVE)
    do(bench, Undo())
    undoable = ledger(bench).undoable
    assert undoable is not None
    assert (undoable.kind, undoable.event) == ("event", FIVE), "what was brought back would be taken back"
    do(bench, Correct(first, remove=True))
    undoable = ledger(bench).undoable
    assert undoable is not None
    assert (undoable.kind, undoable.event) == ("correct", None)


def test_what_changes_no_score_is_a_new_state_all_the_same(bench: Bench) -> None:
    enter(bench, FIVE)
    first = bench.shown.revision
    do(bench, Undo(), Undo())
    assert bench.shown.revision > first
    assert bench.shown.moves == 3


def test_an_event_that_no_longer_fits_is_flagged_with_the_reason(bench: Bench) -> None:
    _, second = enter(bench, FIVE, SEVEN)
    do(bench, Correct(second, insert_before={**SEVEN, "moves": []}))
    fallen = last(bench)
    assert fallen.fate == "flagged"
    assert fallen.refusal is not None
    assert fallen.refusal.text


def test_a_game_that_was_given_up_offers_nothing(bench: Bench) -> None:
    enter(bench, MISS)
    do(bench, Abandon())
    assert ledger(bench).forms() == ledger(bench).events() == ()


def test_a_ledger_stays_as_it_was_while_the_game_goes_on(bench: Bench) -> None:
    enter(bench, FIVE)
    before = ledger(bench)
    told = before.events(), before.forms(), before.undoable
    do(bench, EnterEvent(SEVEN), Undo(), Undo())
    enter(bench, {**MISS, "ball": "red-1"})
    assert (before.events(), before.forms(), before.undoable) == told


def test_an_undo_of_an_answer_says_the_question_and_the_answer() -> None:
    bench = Bench().open().start()
    bench.play_ball(4, 6, strike=True)
    bench.press("end-of-turn")
    (question,) = bench.shown.questions
    do(bench, Answer(question.id, "cup-6"))
    found = ledger(bench).undoable
    assert found is not None
    assert (found.kind, found.event, found.said) == ("answer", None, "Which cup holds the black? Cup 6")
    do(bench, Undo())
    brought_back = ledger(bench).undoable
    assert brought_back is not None
    assert (brought_back.kind, brought_back.said) == ("undo", found.said)
