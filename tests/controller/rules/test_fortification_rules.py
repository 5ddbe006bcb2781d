"""Each rule of fortification billiards by its id, and each ledger item and house rule, in a transcript of its own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from controller.rules.fortification import Fortification
from tests.controller.rules.fortification_words import (
    Json,
    asked_back,
    bell,
    colours,
    hit,
    in_fort,
    lag,
    left,
    lifted,
    long,
    passes,
    spotted,
    stroke,
)
from tests.rules_kit import check_case, play

BOOK = Path(__file__).parents[3] / "seeds" / "fortification.md"
PASSED: Json = {"pass": {"english": "regular", "french": "regular"}}


def forts(**states: str) -> dict[str, str]:
    return {long(short): state for short, state in states.items()}


def standing_after(*fallen: str) -> Json:
    """A position in which the pass is regular for both and these forts have fallen."""
    return {**PASSED, "forts": {long(short): "taken" for short in fallen}}


def case(
    rule: str,
    why: str,
    *events: Json,
    awards: str = "",
    start: Json | None = None,
    options: Json | None = None,
    refused: tuple[int, ...] = (),
    holds: Json | None = None,
    over: Json | None = None,
) -> Any:
    """One case. `awards` like "e+4 FORT-11, f-2 FORT-29"; `refused` counts events from 1."""
    opening: Json = {"event": "game", "game": "fortification"}
    opening |= {"position": start} if start else {}
    opening |= {"options": options} if options else {}
    wanted = []
    for one in filter(None, awards.split(", ")):
        points, cited = one.split()
        wanted.append({"side": "english" if points[0] == "e" else "french", "points": int(points[1:]), "rule": cited})
    expect = {
        "awards": wanted,
        "refused": [n + 1 for n in refused],
        "position": holds or {"turn": {"any": ["english", "french"]}},
    }
    made = {"transcript": [opening, *events], "why": why, "expect": {**expect, "over": over}}
    return pytest.param(made, id=f"{rule}: {why}")


ENGLISH_WINS = {"winner": "english", "draw": False, "double": False, "rule": "FORT-00c"}
FRENCH_WINS = {**ENGLISH_WINS, "winner": "french"}
MISS_E, MISS_F = stroke("ea"), stroke("fa")
TAKES = stroke("ea", bell("fA1", "ea"))
HIDDEN = {"hidden": True}

ARTICLES = [
    case("FORT-00c", "twenty by a hazard wins at once", stroke("ea", left("holed", "fa")), awards="e+2 FORT-28",
         start={"score": {"english": 18}}, over=ENGLISH_WINS),
    case("FORT-00c", "nothing stands after the end", stroke("ea", left("holed", "fa")), spotted("fa"), MISS_F,
         awards="e+2 FORT-28", start={"score": {"english": 18}}, over=ENGLISH_WINS, refused=(2, 3)),
    case("FORT-01a", "the nearer ball that touched the far cushion", lag(300, 80.5), holds={"english": "B", "turn": "english"}),
    case("FORT-01a", "a ball that never got there doesn't count", lag(10, 800, far_a=False), holds={"english": "B"}),
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

LEDGER = [
    case("F-01", "below zero a side owes", stroke("ea", left("holed", "ea")), awards="e-2 FORT-29",
         holds={"score": {"english": -2}}),
    case("F-01", "to the adversary, who may win by it", stroke("ea", left("holed", "ea")), awards="f+2 FORT-29",
         start={"score": {"french": 18}}, options={"loss": "credit_adversary"}, over=FRENCH_WINS),
    case("F-01", "credited losses leave 12b with the taker", TAKES, MISS_F, awards="e+4 FORT-11, e-4 FORT-12b", start=PASSED,
         options={"loss": "credit_adversary"}),
    case("F-01", "never below zero", stroke("ea", left("holed", "ea"), left("holed", "ed1")), awards="e-3 FORT-29",
         start={"score": {"english": 3}}, options={"loss": "deduct_floor_zero"}, holds={"score": {"english": 0}}),
    case("F-01", "nor deeper where it began below", stroke("ea", left("holed", "ea")), start={"score": {"english": -4}},
         options={"loss": "deduct_floor_zero"}, holds={"score": {"english": -4}}),
    case("F-01", "the floor knows the stroke's own gains", stroke("ea", left("holed", "ea"), left("holed", "fa")),
         awards="e+2 FORT-28, e-2 FORT-29", options={"loss": "deduct_floor_zero", "mixed_stroke": "sum"},
         holds={"score": {"english": 0}}),
    case("F-02", "a win with a fort waits for its colours", TAKES, awards="e+4 FORT-11",
         start={**PASSED, "score": {"english": 16}}),
    case("F-02", "and is won when they are down", TAKES, colours("fA1"), awards="e+4 FORT-11",
         start={**PASSED, "score": {"english": 16}}, over=ENGLISH_WINS),
    case("F-02", "or when the adversary lifts the ball", TAKES, lifted("fA1", "ea", "f"), awards="e+4 FORT-11",
         start={**PASSED, "score": {"english": 16}}, over=ENGLISH_WINS),
    case("F-02", "else the four go back and play goes on", TAKES, MISS_F, awards="e+4 FORT-11, e-4 FORT-12b",
         start={**PASSED, "score": {"english": 16}}, holds={"score": {"english": 16}}),
    case("F-02", "an unpaid fort holds nothing up", stroke("ea", bell("fA1", "ea"), left("holed", "fd1")), awards="e+2 FORT-28",
         start={**PASSED, "score": {"english": 18}, "unspotted": {"french-attack": "english"}}, over=ENGLISH_WINS),
    case("F-02", "exactly the target", stroke("ea", left("holed", "fa")), awards="e+2 FORT-28", start={"score": {"english": 18}},
         options={"finish": "exact"}, over=ENGLISH_WINS),
    case("F-02", "beyond the target play goes on, and a loss may win", stroke("ea", left("holed", "fa"), left("holed", "fd1")),
         MISS_F, stroke("ea", left("holed", "ea")), awards="e+4 FORT-28, e-2 FORT-29", start={"score": {"english": 18}},
         options={"finish": "exact"}, over=ENGLISH_WINS),
    case("F-02", "the higher score wins where one stroke brings both there",
         stroke("ea", left("holed", "fa"), left("holed", "ea")), awards="e+2 FORT-28, f+2 FORT-29",
         start={"score": {"english": 18, "french": 19}}, options={"loss": "credit_adversary", "mixed_stroke": "sum"},
         over=FRENCH_WINS),
    case("F-02", "and the striker where they are level", stroke("ea", left("holed", "fa"), left("holed", "ea")),
         awards="e+2 FORT-28, f+2 FORT-29", start={"score": {"english": 18, "french": 18}},
         options={"loss": "credit_adversary", "mixed_stroke": "sum"}, over=ENGLISH_WINS),
    case("F-02", "a game opened at its end is over", MISS_E, start={"score": {"english": 20}}, refused=(1,), over=ENGLISH_WINS),
    case("F-03", "all five forts don't end a game", MISS_E, start=standing_after("fA1", "fA2", "fR1", "fR2", "fG")),
    case("F-06", "void", TAKES, options={"attack_without_pass": "void"},
         holds={"unspotted": {}, "forts": forts(fA1="standing")}),
    case("F-06", "void: the order still counts", stroke("ea", bell("fR1", "ea")), awards="e-2 FORT-22a",
         options={"attack_without_pass": "void"}),
    case("F-08", "a fault cancels a fort, which stays up", stroke("ea", bell("fA1", "ea"), left("holed", "ed1")), colours("fA1"),
         awards="e-2 FORT-29", start=PASSED, refused=(2,),
         holds={"forts": forts(fA1="standing"), "unspotted": {"english-attack": "english"}}),
    case("F-08", "summed, the fort is taken", stroke("ea", bell("fA1", "ea"), left("holed", "ed1")), colours("fA1"),
         awards="e+4 FORT-11, e-2 FORT-29", start=PASSED, options={"mixed_stroke": "sum"}, holds={"forts": forts(fA1="taken")}),
    case("F-08", "summed, 32b and 38a add up too",
         stroke("ea", hit("fa", cushion=True), left("off_table", "fd1"), in_fort("eA1", "ea"), **HIDDEN),
         awards="e+2 FORT-37b, e+2 FORT-30, e-2 FORT-34a", start=standing_after("eA1"), options={"mixed_stroke": "sum"}),
    case("F-08", "a ball holed after it rang lies in no fort", stroke("ea", bell("fA1", "ea"), left("holed", "ea")),
         lifted("fA1", "ea", "f"), awards="e+4 FORT-11, e-2 FORT-29", start=PASSED, options={"mixed_stroke": "sum"},
         refused=(2,)),
    case("F-09", "each: 34a and 36", TAKES, awards="e-2 FORT-34a, e-2 FORT-36", start=standing_after("fA1"),
         options={"overlap": "each"}),
    case("F-09", "each: 22a and 34b", stroke("ea", bell("fR1", "ea")), awards="e-2 FORT-22a, e-2 FORT-34b", start=PASSED,
         options={"overlap": "each"}),
    case("F-09", "each: 18a and 34b", stroke("ed1", bell("fR1", "ed1")), awards="e-2 FORT-18a, e-2 FORT-34b", start=PASSED,
         options={"overlap": "each"}),
    case("F-09", "each: 32b and 34a", stroke("ea", left("holed", "fa"), in_fort("fA1", "ed1")),
         awards="e-2 FORT-32b, e-2 FORT-34a", start=standing_after("fA1"), options={"overlap": "each"}),
    case("F-09", "each: an enemy ball by every article", stroke("ea", in_fort("eA1", "fa"), left("holed", "fa")),
         awards="e+6 FORT-25, e+2 FORT-28", options={"overlap": "each"}),
    case("F-09", "once: an enemy ball by the best",
         stroke("ea", left("on_cushion", "fa"), in_fort("eA1", "fa"), left("holed", "fa")), awards="e+6 FORT-25"),
    case("F-09", "once: the same fact twice, or bell and beam of one fort",
         stroke("ea", in_fort("fA1", "ea"), bell("fA1", "ea"), bell("fA1", "ea"), bell("eA1", "fa"), in_fort("eA1", "fa")),
         awards="e+4 FORT-11, e+6 FORT-25", start=PASSED),
    case("F-09", "once: with the adversary's flag still up there is no 36", TAKES, lifted("fA1", "ea", "f"), spotted("ea"),
         MISS_F, TAKES, awards="e+4 FORT-11, e-2 FORT-34a", start=PASSED, options={"overlap": "each"}),
    case("F-10", "balls in forts go back", stroke("ea", in_fort("fR1", "ea"), in_fort("fG", "fa")), awards="e-2 FORT-34b",
         start=PASSED, holds={"unspotted": {"english-attack": "english", "french-attack": "english"}}),
    case("F-10", "or stay", stroke("ea", in_fort("fR1", "ea"), in_fort("fG", "fa"), in_fort("eA1", "fd1")),
         awards="e-2 FORT-34b", start=PASSED, options={"ball_in_fort": "stay"}, holds={"unspotted": {}}),
    case("F-11", "two prisoners with a fort", stroke("ea", bell("fA1", "ea"), in_fort("eA1", "fa"), in_fort("eA1", "fd1")),
         awards="e+4 FORT-11, e+12 FORT-25", start=PASSED),
    case("F-13", "an unspotted fort that stands", TAKES, colours("fA1"),
         start={**PASSED, "unspotted": {"english-defence-1": "english"}}, options={"unspotted_fort": "stands"}, refused=(2,),
         holds={"forts": forts(fA1="standing"), "unspotted": {"english-attack": "english"}}),
    case("F-14", "in sight: void", stroke("ea", hit("fa", cushion=True), in_fort("eA1", "ea"), hidden=False)),
    case("F-14", "hit without the cushion first", stroke("ea", hit("fa"), hit("fa", cushion=True), **HIDDEN),
         awards="e-2 FORT-37c"),
    case("F-14", "the hidden ball off the cushion, though another was met directly",
         stroke("ea", hit("fd1"), hit("fa", cushion=True), **HIDDEN), awards="e+2 FORT-37b"),
    case("F-15", "a declared miss and an own ball holed are two faults",
         stroke("ea", left("holed", "ea"), left("holed", "fa"), **HIDDEN), awards="e-2 FORT-29, e-2 FORT-37c"),
    case("F-15", "and a missed declared stroke into an own standing fort is only one",
         stroke("ea", in_fort("eA1", "ea"), **HIDDEN), awards="e-2 FORT-37c"),
    case("F-16", "short or level: play it again", lag(1, 2, far_a=False, far_b=False), lag(5, 5), lag(5, 4),
         holds={"english": "B"}),
    case("F-18", "strict turns", stroke("ea", left("holed", "fa")), MISS_E, awards="e+2 FORT-28", refused=(2,),
         holds={"turn": "french"}),
    case("F-18", "or on while scoring", stroke("ea", left("holed", "fa")), MISS_F, MISS_E, MISS_F, awards="e+2 FORT-28",
         refused=(2,), options={"turn": "continue_on_score"}, holds={"turn": "english"}),
    case("F-18", "what is put back isn't a score, and no loss goes on", TAKES, stroke("ea", left("holed", "ea")),
         awards="e+4 FORT-11, e-4 FORT-12b, e-2 FORT-29", start=PASSED, options={"turn": "continue_on_score"},
         holds={"turn": "french"}),
    case("F-18", "gains and losses that level out are no score", stroke("ea", left("holed", "ea"), left("holed", "fa")),
         awards="e+2 FORT-28, e-2 FORT-29", options={"turn": "continue_on_score", "mixed_stroke": "sum"},
         holds={"turn": "french"}),
    case("F-21", "a defender makes no pass", stroke("ed1", passes("ed1")), holds={"pass": {"english": "none"}}),
    case("F-22", "two lawful forts: the first", stroke("ea", bell("fA2", "ea"), bell("fA1", "ea")), awards="e+4 FORT-11",
         start=PASSED, holds={"forts": forts(fA2="rung", fA1="standing")}),
    case("F-22", "one out of the angle spoils it in either order", stroke("ea", bell("fA2", "ea"), bell("fR1", "ea")),
         awards="e-2 FORT-22a", start=PASSED, holds={"forts": forts(fA2="standing")}),
    case("F-25", "the same bell twice", stroke("ea", bell("fA1", "ea"), bell("fA1", "ea")), awards="e+4 FORT-11", start=PASSED),
    case("F-27", "the pass stands beside a fault", stroke("ea", passes("ea"), left("holed", "ed1")), colours("f-pass"),
         awards="e-2 FORT-29", holds={"pass": {"english": "regular"}}),
    case("F-28", "from the wrong side", stroke("ea", passes("ea", "enemy_side")), colours("f-pass"), refused=(2,),
         holds={"pass": {"english": "none"}}),
    case("F-29", "driven through by the adversary", stroke("ea", passes("fa")), colours("e-pass"), refused=(2,),
         holds={"pass": {"french": "none"}}),
    case("F-29", "driven into a fort by the adversary: no capture", stroke("ea", bell("eA1", "fa")), awards="e+6 FORT-25",
         start=PASSED, holds={"forts": forts(eA1="standing")}),
    case("F-31", "anyone's hand", TAKES, colours("fA1", "f"), awards="e+4 FORT-11", start=PASSED,
         holds={"forts": forts(fA1="taken")}),
    case("F-32", "a ball sent back by 22b is owed like the rest", stroke("ea", bell("fR1", "ea")), MISS_F, TAKES,
         awards="e-2 FORT-22a", start=PASSED, holds={"forts": forts(fA1="rung")}),
    case("F-33", "literal: an enemy ball holed costs two", stroke("ea", left("holed", "fa"), left("holed", "fd1")),
         awards="e-2 FORT-33", options={"art33": "literal"}),
    case("F-33", "literal: own and enemy ball, two in all", stroke("ea", left("holed", "fa"), left("on_fort", "ea")),
         awards="e-2 FORT-31", options={"art33": "literal"}),
    case("F-33", "literal: with a fort article 32 is the more exact", stroke("ea", left("holed", "fa"), bell("fA1", "ea")),
         awards="e+4 FORT-11, e+2 FORT-28", start=PASSED, options={"art33": "literal"}),
    case("F-33", "literal: summed, a prisoner still counts", stroke("ea", left("holed", "fa"), in_fort("eA1", "fd1")),
         awards="e+6 FORT-25, e-2 FORT-33", options={"art33": "literal", "mixed_stroke": "sum"}),
    case("F-33", "with a fort only: both hazards are reckoned without one",
         stroke("ea", left("holed", "fa"), left("holed", "ea")), awards="e+2 FORT-28, e-2 FORT-29",
         options={"art33": "with_fort_only"}),
    case("F-33", "with a fort only: two in all beside one",
         stroke("ea", bell("fA1", "ea"), left("holed", "fa"), left("holed", "ed1")), awards="e-2 FORT-29", start=PASSED,
         options={"art33": "with_fort_only"}),
    case("F-33", "with a fort only: other faults cancel as ever", stroke("ea", left("holed", "fa"), in_fort("fR1", "ea")),
         awards="e-2 FORT-34b", start=PASSED, options={"art33": "with_fort_only"}),
    case("F-38", "only fallen own forts", stroke("ea", hit("fa", cushion=True), in_fort("eA1", "ea"), **HIDDEN),
         awards="e+2 FORT-37b", options={"own_fort_on_declared": "fallen"}),
]  # fmt: skip


@pytest.mark.parametrize("made", ARTICLES + LEDGER)
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


def test_why_names_the_articles_of_mixed_strokes() -> None:
    def why(start: Json, one: Json) -> str:
        return play([{"event": "game", "game": "fortification", "position": start}, one]).awards[-1].why

    assert "FORT-32a" in why(PASSED, stroke("ea", bell("fA1", "ea"), left("holed", "fa")))
    assert "FORT-32b" in why(standing_after("eA1"), stroke("ea", left("holed", "fa"), in_fort("eA1", "ea")))
    assert "FORT-33" in why({}, stroke("ea", left("holed", "fa"), left("holed", "ea")))
    assert "FORT-38a" in why({}, stroke("ea", hit("fa", cushion=True), left("holed", "ea"), **HIDDEN))
    prisoner = play(
        [{"event": "game", "game": "fortification"}, stroke("ea", hit("fa", cushion=True), in_fort("eA1", "fa"), **HIDDEN)]
    )
    assert ["FORT-38c" in prisoner.awards[0].why, "FORT-38b" in prisoner.awards[1].why] == [True, True]


def test_notices_say_what_is_to_be_done() -> None:
    def told(start: Json, *events: Json) -> dict[str, str]:
        played = play([{"event": "game", "game": "fortification", "position": start}, *events])
        return {notice.rule: notice.text for notice in played.notices}

    taken = told(PASSED, stroke("ea", bell("fA1", "ea"), left("holed", "fa"), hit("ed2")))
    assert taken["FORT-12a"].startswith("Take down the colours of the first French advanced fort before the next stroke, or")
    assert taken["FORT-10"] == "Put the English attacking ball back on its middle spot."
    assert taken["FORT-35a"].endswith("if another ball lies there, behind it without touching.")
    assert taken["FORT-19b"] == "The French may ask that the second English defending ball go back to its spot."
    passed = told({}, stroke("ea", passes("ea")), MISS_F)
    assert passed["FORT-07a"].startswith("Take down the French pass colours")
    assert passed["FORT-08a"].startswith("The French pass colours were left up: the English must make the pass again")
    unpaid = told({**PASSED, "unspotted": {"french-attack": "english"}}, TAKES)
    assert unpaid["FORT-23b"].endswith("it falls unpaid.")
    assert "four" not in unpaid["FORT-12a"]
    assert "FORT-15b" in told(PASSED, stroke("ea", in_fort("fA1", "ea")))
    assert "FORT-15b" not in told(PASSED, stroke("ea", in_fort("fA1", "ea"), bell("fA1", "ea")))
    assert told(PASSED, stroke("ea", bell("fA1", "ea"), left("holed", "ed1")))["F-08"].endswith(
        "first French advanced fort stays up."
    )
    assert "F-14" in told({}, stroke("ea", hidden=False))
    assert told(PASSED, TAKES, lifted("fA1", "ea", "f"))["FORT-24b"].endswith("take down its colours.")


def sections() -> dict[str, str]:
    """The rule book by the ids in its headings."""
    parts = re.split(r"^### (\S+) .*$", BOOK.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


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


def test_the_ledger_argues_for_every_option() -> None:
    book = sections()
    for option in Fortification.options:
        assert option.text.endswith(".")
        if option.choices:
            text = book[option.item]
            assert f"`{option.name}`" in text
            assert re.findall(r"`(\w+)`", text.split(f"`{option.name}`")[1])[: len(option.choices)] == list(option.choices)
        assert option.default in (option.choices or (20,))
