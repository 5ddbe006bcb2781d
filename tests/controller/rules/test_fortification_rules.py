"""Each rule of fortification billiards by its id, in a transcript of its own; and the rule book."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.controller.rules.fortification_words import (
    BOOK,
    ENGLISH_WINS,
    HIDDEN,
    MISS_E,
    MISS_F,
    PASSED,
    TAKES,
    asked_back,
    bell,
    case,
    colours,
    forts,
    hit,
    in_fort,
    lag,
    left,
    lifted,
    long,
    passes,
    sections,
    spotted,
    standing_after,
    stroke,
)
from tests.rules_kit import check_case, play

ARTICLES = [
    case("FORT-00c", "twenty by a hazard wins at once", stroke("ea", left("holed", "fa")), awards="e+2 FORT-28",
         start={"score": {"english": 18}}, over=ENGLISH_WINS),
    case("FORT-00c", "nothing stands after the end", stroke("ea", left("holed", "fa")), spotted("fa"), MISS_F,
         awards="e+2 FORT-28", start={"score": {"english": 18}}, over=ENGLISH_WINS, refused=(2, 3)),
    case("FORT-01a", "the nearer ball that touched the far cushion", lag(300, 80.5), holds={"english": "B", "turn": "english"}),
    case("FORT-01a", "a ball that never got there doesn't count", lag(10, 800, far_a=False), holds={"english": "B"}),
    case("FORT-01a", "nor does the other's", lag(800, 10, far_b=False), holds={"english": "A"}),
    case("FORT-01a", "the nearer one, whoever he is", lag(80.5, 300), holds={"english": "A"}),
    case("FORT-01a", "decided is decided", lag(10, 20), lag(20, 10), refused=(2,), holds={"english": "A"}),
    case("FORT-01a", "no lag once a stroke was played", MISS_E, lag(10, 20), refused=(2,), holds={"english": None}),
    case("FORT-01b", "the nearer player has the English side", lag(1, 2), MISS_E, holds={"english": "A", "turn": "french"}),
    case("FORT-01c", "the French don't begin", MISS_F, MISS_E, refused=(1,), holds={"turn": "french"}),
    case("FORT-02", "three balls a side", stroke("ea"), stroke("fd2"), stroke("ed1"), holds={"turn": "french"}),
    case("FORT-03", "at the start nobody owes a ball its spot", spotted("ea"), spotted("fd1"), refused=(1, 2),
         holds={"unspotted": {}}),
    case("FORT-06", "no fort before the pass", TAKES, awards="e-2 FORT-06", holds={"unspotted": {"english-attack": "english"}}),
    case("FORT-07a", "the colours make the pass regular", stroke("ea", passes("ea")), colours("f-pass", "f"),
         holds={"pass": {"english": "regular", "french": "none"}}),
    case("FORT-07a", "colours of a pass that nobody made", colours("f-pass"), refused=(1,)),
    case("FORT-07a", "colours that are down already", stroke("ea", passes("ea")), colours("f-pass"), colours("f-pass"),
         refused=(3,)),
    case("FORT-07b", "either advanced fort first", stroke("ea", bell("fA2", "ea")), awards="e+4 FORT-11", start=PASSED,
         holds={"forts": forts(fA2="rung", fA1="standing")}),
    case("FORT-08a", "colours left up", stroke("ea", passes("ea")), MISS_F, colours("f-pass"), refused=(3,),
         holds={"pass": {"english": "lapsed"}}),
    case("FORT-08a", "the pass made again", stroke("ea", passes("ea")), MISS_F, stroke("ea", passes("ea")), colours("f-pass"),
         holds={"pass": {"english": "regular"}}),
    case("FORT-08b", "the ball stays where it is", stroke("ea", passes("ea")), spotted("ea"), refused=(2,),
         holds={"unspotted": {}}),
    case("FORT-09a", "a fort after a lapsed pass", TAKES, awards="e-2 FORT-09a", start={"pass": {"english": "lapsed"}},
         holds={"forts": forts(fA1="standing")}),
    case("FORT-09a", "pass and fort by one stroke (F-05)", stroke("ea", passes("ea"), bell("fA1", "ea")), awards="e-2 FORT-09a",
         holds={"pass": {"english": "made"}}),
    case("FORT-09b", "and the ball goes back", TAKES, spotted("ea"), awards="e-2 FORT-09a",
         start={"pass": {"english": "lapsed"}}, holds={"unspotted": {}}),
    case("FORT-10", "the attacking ball goes back after a fort", TAKES, awards="e+4 FORT-11", start=PASSED,
         holds={"unspotted": {"english-attack": "english"}}),
    case("FORT-11", "a fort is four", TAKES, colours("fA1"), awards="e+4 FORT-11", start=PASSED,
         holds={"forts": forts(fA1="taken")}),
    case("FORT-12a", "colours left up: the fort must be taken again", TAKES, spotted("ea"), MISS_F, colours("fA1"), TAKES,
         awards="e+8 FORT-11, e-4 FORT-12b", start=PASSED, refused=(4,), holds={"forts": forts(fA1="rung")}),
    case("FORT-12b", "the four are put back by the adversary's stroke, which scores for itself", TAKES,
         stroke("fa", left("holed", "ed1")), awards="e+4 FORT-11, e-4 FORT-12b, f+2 FORT-28", start=PASSED,
         holds={"forts": forts(fA1="standing"), "score": {"english": 0, "french": 2}}),
    case("FORT-13", "a miss is nothing", MISS_E, stroke("fa", hit("ea")), holds={"score": {"english": 0, "french": 0}}),
    case("FORT-14", "a regular pass is for good", stroke("ea", passes("ea")), MISS_F, start=PASSED,
         holds={"pass": {"english": "regular"}}),
    case("FORT-15a", "the bell is the notice", TAKES, awards="e+4 FORT-11", start=PASSED, holds={"forts": forts(fA1="rung")}),
    case("FORT-15b", "no bell, no fort", stroke("ea", in_fort("fA1", "ea")), start=PASSED,
         holds={"forts": forts(fA1="standing")}),
    case("FORT-16b", "the besieged attacks by the same articles", MISS_E, stroke("fa", bell("eA1", "fa")), awards="f+4 FORT-11",
         start=PASSED),
    case("FORT-17", "with the attacking ball, whichever own ball was cued (F-30)", stroke("ed1", hit("ea"), bell("fA1", "ea")),
         awards="e+4 FORT-11", start=PASSED, holds={"unspotted": {"english-attack": "english"}}),
    case("FORT-18a", "not with a defender", stroke("ed1", bell("fA1", "ed1")), awards="e-2 FORT-18a", start=PASSED,
         holds={"forts": forts(fA1="standing")}),
    case("FORT-18b", "who goes back", stroke("ed1", bell("fA1", "ed1")), awards="e-2 FORT-18a", start=PASSED,
         holds={"unspotted": {"english-defence-1": "english"}}),
    case("FORT-19a", "the adversary's ball: two, and the stroke is void",
         stroke("fd1", bell("fA1", "ea"), left("holed", "fa"), side="e"), awards="e-2 FORT-19a", start=PASSED,
         holds={"unspotted": {"french-attack": "english"}, "forts": forts(fA1="standing")}),
    case("FORT-19b", "an own ball played upon goes back if the adversary asks", stroke("ea", hit("ed1")), asked_back("ed2", "f"),
         asked_back("ed1", "e"), asked_back("ed1", "f"), asked_back("ed1", "f"), refused=(2, 3, 5),
         holds={"unspotted": {"english-defence-1": "english"}}),
    case("FORT-19b", "with the next stroke it is too late to ask", stroke("ea", hit("ed1")), MISS_F, asked_back("ed1", "f"),
         refused=(3,)),
    case("FORT-19b", "whichever ball was cued (F-17)", stroke("fa", hit("ed2"), side="e"), asked_back("ed2", "f"),
         awards="e-2 FORT-19a", holds={"unspotted": {"english-defence-2": "english"}}),
    case("FORT-19b", "a ball doesn't strike itself", stroke("ea", hit("ea")), refused=(1,), holds={"turn": "english"}),
    case("FORT-20", "defenders may go anywhere", stroke("ed1"), stroke("fd1", in_fort("eA1", "fd1"))),
    case("FORT-21a", "the reserved forts after both advanced", stroke("ea", bell("fR2", "ea")), awards="e+4 FORT-11",
         start=standing_after("fA1", "fA2")),
    case("FORT-21b", "the grand fort last", stroke("ea", bell("fG", "ea")), awards="e+4 FORT-11",
         start=standing_after("fA1", "fA2", "fR1", "fR2")),
    case("FORT-22a", "a later fort before an earlier", stroke("ea", bell("fR1", "ea")), awards="e-2 FORT-22a",
         start=standing_after("fA1"), holds={"forts": forts(fR1="standing")}),
    case("FORT-22b", "and back to its spot", stroke("ea", bell("fG", "ea")), spotted("ea"), awards="e-2 FORT-22a", start=PASSED,
         holds={"unspotted": {}}),
    case("FORT-23a", "the striker owes every ball that his stroke put out of place",
         stroke("ea", left("holed", "fd1"), left("off_table", "fa")), awards="e+2 FORT-28, e+2 FORT-30",
         holds={"unspotted": {"french-defence-1": "english", "french-attack": "english"}}),
    case("FORT-23b", "until he puts it back his forts count nothing, but fall", TAKES, colours("fA1"),
         start={**PASSED, "unspotted": {"french-attack": "english"}}, holds={"forts": forts(fA1="taken")}),
    case("FORT-23b", "what was never won isn't put back", TAKES, MISS_F,
         start={**PASSED, "unspotted": {"english-attack": "english"}},
         holds={"forts": forts(fA1="standing"), "score": {"english": 0}}),
    case("FORT-23b", "the adversary's debts don't matter", TAKES, awards="e+4 FORT-11",
         start={**PASSED, "unspotted": {"english-attack": "french"}}),
    case("FORT-24a", "lifted by the adversary it is taken", TAKES, lifted("fA1", "ea", "f"), MISS_F, awards="e+4 FORT-11",
         start=PASSED, holds={"forts": forts(fA1="taken")}),
    case("FORT-24a", "lifted by the taker it isn't", TAKES, lifted("fA1", "ea", "e"), lifted("fA1", "ea", "f"), MISS_F,
         refused=(3,), awards="e+4 FORT-11, e-4 FORT-12b", start=PASSED, holds={"forts": forts(fA1="standing")}),
    case("FORT-24a", "no ball, another ball, or one already on its spot", lifted("fA2", "ea", "f"), TAKES,
         lifted("fA1", "ed1", "f"), spotted("ea"), lifted("fA1", "ea", "f"), awards="e+4 FORT-11", start=PASSED,
         refused=(1, 3, 5), holds={"forts": forts(fA1="rung")}),
    case("FORT-24a", "after the colours it is all one who lifts", TAKES, colours("fA1"), lifted("fA1", "ea", "f"),
         awards="e+4 FORT-11", start=PASSED, holds={"forts": forts(fA1="taken")}),
    case("FORT-24b", "its colours still come down, once", TAKES, lifted("fA1", "ea", "f"), MISS_F, colours("fA1"),
         colours("fA1"), awards="e+4 FORT-11", start=PASSED, refused=(5,)),
    case("FORT-24c", "by storm, off the end cushion: an ordinary capture", stroke("ea", bell("fA2", "ea")), awards="e+4 FORT-11",
         start=PASSED),
    case("FORT-25", "a prisoner of war", stroke("ea", bell("eG", "fa")), awards="e+6 FORT-25",
         holds={"forts": forts(eG="standing"), "unspotted": {"french-attack": "english"}}),
    case("FORT-26", "no prisoner in a fallen fort", stroke("ea", in_fort("eA1", "fd1")), awards="e+2 FORT-26",
         start=standing_after("eA1")),
    case("FORT-27", "into the adversary's own fort, bell or not", stroke("ea", bell("fA1", "fa"), in_fort("fG", "fd1")),
         awards="e+4 FORT-27", start=PASSED, holds={"forts": forts(fA1="standing")}),
    case("FORT-28", "each ball holed", stroke("ea", left("holed", "fa"), left("holed", "fd1")), awards="e+4 FORT-28"),
    case("FORT-29", "each own ball holed", stroke("ea", left("holed", "ea"), left("holed", "ed1")), awards="e-4 FORT-29"),
    case("FORT-30", "over, on a fort, on a cushion",
         stroke("ea", left("off_table", "fa"), left("on_fort", "fd1"), left("on_cushion", "fd2")), awards="e+6 FORT-30"),
    case("FORT-31", "the same of own balls",
         stroke("ea", left("off_table", "ea"), left("on_fort", "ed1"), left("on_cushion", "ed2")), awards="e-6 FORT-31"),
    case("FORT-32a", "six with the fort", stroke("ea", left("on_cushion", "fd1"), bell("fA1", "ea")), colours("fA1"),
         awards="e+4 FORT-11, e+2 FORT-30", start=PASSED),
    case("FORT-32b", "but two lost if the striker's ball is in a fallen fort",
         stroke("ea", left("holed", "fd1"), in_fort("eA1", "ea")), awards="e-2 FORT-34a", start=standing_after("eA1")),
    case("FORT-33", "own and enemy ball both holed", stroke("ea", left("holed", "fa"), left("holed", "ea")),
         awards="e-2 FORT-29", holds={"unspotted": {"french-attack": "english", "english-attack": "english"}}),
    case("FORT-34a", "any fallen fort", stroke("ea", in_fort("eA1", "ea"), in_fort("fA1", "ed1")), awards="e-4 FORT-34a",
         start=standing_after("eA1", "fA1")),
    case("FORT-34b", "an enemy fort out of the angle, defenders too", stroke("ea", in_fort("fR1", "ea"), in_fort("fG", "ed1")),
         awards="e-4 FORT-34b", start=PASSED),
    case("FORT-35a", "back on its spot", stroke("ea", left("on_fort", "fa")), spotted("fa"), awards="e+2 FORT-30",
         holds={"unspotted": {}}),
    case("FORT-35b", "or behind a ball that lies there, which is as good", stroke("ea", left("holed", "fd1")), spotted("fd1"),
         awards="e+2 FORT-28", holds={"unspotted": {}}),
    case("FORT-36", "a fort that is taken is not taken again", stroke("ea", bell("fA1", "ea")), awards="e-2 FORT-34a",
         start=standing_after("fA1"), holds={"forts": forts(fA1="taken")}),
    case("FORT-37a", "without the call nothing", stroke("ea", hit("fa", cushion=True))),
    case("FORT-37a", "an own ball can't be declared hidden", stroke("ea", **HIDDEN, hidden_ball=long("ed1")), refused=(1,)),
    case("FORT-37b", "called, hidden and hit off the cushion", stroke("ea", hit("fa", cushion=True), **HIDDEN),
         awards="e+2 FORT-37b"),
    case("FORT-37c", "called and missed", stroke("ea", **HIDDEN), awards="e-2 FORT-37c"),
    case("FORT-37c", "another ball than the hidden one",
         stroke("ea", hit("fd1", cushion=True), **HIDDEN, hidden_ball=long("fa")), awards="e-2 FORT-37c"),
    case("FORT-38a", "hit, but an own ball is in an own fort",
         stroke("ea", hit("fa", cushion=True), in_fort("eA1", "ea"), **HIDDEN), awards="e-2 FORT-38a",
         holds={"unspotted": {"english-attack": "english"}}),
    case("FORT-38a", "hit, but an own ball is holed", stroke("ea", hit("fa", cushion=True), left("holed", "ed1"), **HIDDEN),
         awards="e-2 FORT-29"),
    case("FORT-38b", "two for the hit before an own fort", stroke("ea", hit("fa", cushion=True), in_fort("eA1", "fa"), **HIDDEN),
         awards="e+2 FORT-37b, e+6 FORT-25"),
    case("FORT-38c", "six more for the prisoner, of the ball that was hit alone",
         stroke("ea", hit("fa", cushion=True), in_fort("eA1", "fd1"), **HIDDEN), awards="e+2 FORT-37b, e+6 FORT-25"),
    case("FORT-38d", "who goes back even where balls stay in forts",
         stroke("ea", hit("fa", cushion=True), in_fort("eA1", "fa"), in_fort("eA2", "fd1"), **HIDDEN),
         awards="e+2 FORT-37b, e+12 FORT-25", options={"ball_in_fort": "stay"},
         holds={"unspotted": {"french-attack": "english"}}),
]  # fmt: skip


@pytest.mark.parametrize("made", ARTICLES)
def test_rule(made: dict[str, Any]) -> None:
    check_case(made)


def test_flag_lowered_by_the_next_stroke() -> None:
    """FORT-12b: an award of one side's earlier stroke comes out with the other side's stroke, before that stroke's own."""
    played = play([{"event": "game", "game": "fortification", "position": PASSED}, TAKES, stroke("fa", left("holed", "ea"))])
    assert [(a.side, a.points, a.rule) for a in played.awards] == [
        ("english", 4, "FORT-11"),
        ("english", -4, "FORT-12b"),
        ("french", 2, "FORT-28"),
    ]


def cited() -> set[str]:
    """Ids that the code names."""
    folder = BOOK.parents[1] / "controller" / "rules" / "fortification"
    code = "".join(file.read_text(encoding="utf-8") for file in folder.glob("*.py"))
    return set(re.findall(r"\b(?:FORT-\d+[a-d]?|F-\d+)\b", code))


def test_every_rule_of_the_book_is_adjudicated_and_tried_or_says_why_not() -> None:
    book, tried = sections(), {one.id.split(":")[0] for one in ARTICLES}
    spared = {rule for rule, text in book.items() if "*Not adjudicated:*" in text}
    assert len([rule for rule in book if rule.startswith("FORT-")]) == 66
    assert tried == {rule for rule in book if rule.startswith("FORT-")} - spared
    assert tried <= cited()
    assert cited() <= book.keys()
    assert not spared & cited()
