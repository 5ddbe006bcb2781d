"""What counts of a game's events, answers, undos and corrections."""

from __future__ import annotations

import pytest

from controller.engine.moves import Moves
from controller.engine.occurrences import DEADLINE, Refused
from controller.engine.records import Record, RecordKind
from controller.rules.awards import Json


def move(number: int, kind: RecordKind, **body: Json) -> Record:
    return Record(number, kind, 1, number, "", {"by": "test", **body})


def event(number: int, name: str) -> Record:
    return move(number, "event", event={"event": name}, revision=number * 10)


def test_the_line_follows_undo_redo_and_correction() -> None:
    moves = Moves()
    for one in (event(1, "a"), event(2, "b"), move(3, "correct", target=1, action="replace", event={"event": "c"}, revision=30)):
        moves.keep(one)
    assert [entry.event["event"] for entry in moves.line] == ["c", "b"]
    moves.keep(move(4, "undo", target=3))
    assert [entry.event["event"] for entry in moves.line] == ["a", "b"]
    moves.keep(move(5, "undo", target=4))
    assert [entry.event["event"] for entry in moves.line] == ["c", "b"]
    assert moves.latest().id == 5
    assert moves.line[0] is moves.entries[3]


def test_an_event_is_found_by_its_own_revision_as_long_as_it_counts() -> None:
    moves = Moves()
    moves.keep(event(1, "a"))
    assert moves.of_revision(10) == 1
    moves.keep(move(2, "correct", target=1, action="remove", event=None, revision=20))
    with pytest.raises(Refused, match="was changed, removed or taken back"):
        moves.of_revision(10)
    with pytest.raises(Refused, match="no event of this game has revision 11"):
        moves.of_revision(11)


def test_answers_count_and_those_of_a_deadline_are_nobodys() -> None:
    moves = Moves()
    moves.keep(move(1, "answer", question="q1", choice="yes"))
    moves.keep(move(2, "answer", question="q2", choice="no", by=DEADLINE))
    assert (moves.answers, moves.answered) == ({"q1": "yes", "q2": "no"}, ("q1",))
    moves.keep(move(3, "undo", target=2))
    assert moves.answers == {"q1": "yes"}


def test_there_is_nothing_to_take_back_before_the_first() -> None:
    with pytest.raises(Refused, match="nothing to undo"):
        Moves().latest()
