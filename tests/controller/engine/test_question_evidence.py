"""What was seen after an event and decides what was left open of it belongs to it too."""

from __future__ import annotations

from dataclasses import replace

from controller.engine.questions import question_body, read_question
from controller.rules.shapes import to_json
from controller.tables.table import Choice, Question

ASKED = Question("black", "Which cup?", (Choice("1", "Cup 1", {"?black": 1}), Choice("2", "Cup 2", {"?black": 2})), "1", due=True)


def test_a_journal_has_what_a_question_rests_on_only_where_it_rests_on_something() -> None:
    assert "evidence" not in question_body(ASKED)
    assert {**question_body(ASKED), "evidence": []} == to_json(ASKED)
    settled = replace(ASKED, choices=ASKED.choices[:1], evidence=(14, 15))
    assert question_body(settled)["evidence"] == [14, 15]
    for question in (ASKED, settled):
        read = read_question(question_body(question))
        assert (read, read.evidence) == (question, question.evidence)
