"""What was seen after an event and decides what was left open of it belongs to it too."""

from __future__ import annotations

from dataclasses import replace

from controller.engine.fold import Entry
from controller.engine.questions import in_force, question_body, read_question
from controller.engine.tellings import Tellings
from controller.rules.shapes import to_json
from controller.tables.table import Choice, Question

ASKED = Question("black", "Which cup?", (Choice("1", "Cup 1", {"?black": 1}), Choice("2", "Cup 2", {"?black": 2})), "1", due=True)


def test_a_journal_has_what_a_question_rests_on_only_where_it_rests_on_something() -> None:
    assert "evidence" not in question_body(ASKED)
    assert {**question_body(ASKED), "evidence": [], "firm": False} == to_json(ASKED)
    settled = replace(ASKED, choices=ASKED.choices[:1], evidence=(14, 15))
    assert question_body(settled)["evidence"] == [14, 15]
    for question in (ASKED, settled):
        read = read_question(question_body(question))
        assert (read, read.evidence) == (question, question.evidence)


def test_what_is_taken_when_nobody_answers_is_what_stands_unless_what_was_seen_says_otherwise() -> None:
    stands = {"?black": 2}
    assert in_force(ASKED, stands).key == "2"
    firm = replace(ASKED, firm=True)
    assert in_force(firm, stands).key == "1"
    assert read_question(question_body(firm)) == firm


def test_an_event_has_what_was_seen_later_of_what_it_left_open_until_that_is_told_otherwise() -> None:
    tellings = Tellings()
    tellings.take(ASKED)
    shot = Entry(20, {"event": "shot", "moves": "?black"}, "sensor", (7, 11))
    other = Entry(21, {"event": "end_turn"}, "sensor", (12,))
    assert tellings.led_to(shot) == (7, 11)
    tellings.take(replace(ASKED, choices=ASKED.choices[1:], likely="2", evidence=(11, 17)))
    assert (tellings.led_to(shot), tellings.led_to(other)) == ((7, 11, 17), (12,))
    tellings.take(ASKED)
    assert tellings.led_to(shot) == (7, 11)
