"""Strokes of the fortification table over real detectors, and balls that are read."""

from __future__ import annotations

import pytest

from controller.engine.requests import EnterEvent, StartGame, Undo
from controller.rules.fortification import Fortification
from controller.rules.fortification.words import BALLS, NAME
from controller.tables.fortification import FortificationTable
from controller.tables.table import Draft, Seen, Standing
from hardware.observations import Kind, Observation
from hardware.signals import MS, SECOND
from tests.fortification_kit import BELLS, BUTTONS, COLOURS, FULL, HEAD, KEYS, PASS, POCKETS, SPOTS, FortBench, sensor

FORT = "french-advanced-1"


def notices(table: FortBench) -> list[str]:
    return [notice.text for notice in table.shown.notices]


def test_a_stroke_of_which_nothing_was_seen_is_a_miss_when_the_next_begins() -> None:
    table = FortBench().open().start()
    table.stroke("english-attack")
    table.rest(60)
    assert table.events() == []
    table.stroke("french-attack")
    table.rest()
    assert [event["ball"] for event in table.events_told] == ["english-attack"]
    assert table.shown.turn == "french"


def test_undo_takes_back_a_press_of_which_nothing_came() -> None:
    table = FortBench().open().start()
    table.stroke("english-attack")
    table.stroke("french-attack")
    table.rest()
    table.press("undo")
    table.stroke("french-defence-1")
    table.stroke("english-attack")
    table.rest()
    assert [event["ball"] for event in table.events_told] == ["english-attack", "french-defence-1"]


def test_a_stroke_that_people_enter_is_the_one_that_was_called() -> None:
    table = FortBench().open().start()
    table.stroke("english-attack")
    fact = {"fact": "on_cushion", "ball": "french-attack"}
    assert table.ask(EnterEvent({"event": "stroke", "side": "english", "ball": "english-attack", "facts": [fact]})).ok
    table.stroke("french-attack")
    table.stroke("english-attack")
    table.rest()
    assert table.score == {"english": 2, "french": 0}
    assert len(table.events_told) == 2


def test_without_buttons_what_a_ball_does_tells_that_a_stroke_was_played() -> None:
    table = FortBench(HEAD + BELLS + PASS + COLOURS + sensor_undo()).open().start()
    table.through("english")
    table.rest()
    assert [event["event"] for event in table.events_told] == ["stroke"]
    assert table.shown.turn == "french"


def sensor_undo() -> str:
    return BUTTONS.split("[[sensor]]")[2].join(["[[sensor]]", ""])


def test_after_an_undo_flags_that_lie_down_are_a_notice_and_no_event() -> None:
    table = FortBench().open().start()
    table.regular_pass()
    table.stroke("english-attack")
    table.into(FORT)
    table.rest()
    table.lower(FORT)
    table.rest()
    assert table.ask(Undo()).ok
    assert table.shown.position["forts"][FORT] == "rung"
    table.stroke("french-attack")
    table.stroke("english-attack")
    table.rest()
    assert table.score == {"english": 0, "french": 0}
    assert any("the first French advanced fort are down" in text for text in notices(table))
    assert table.shown.phase == "playing"


def test_where_no_spot_is_sensed_a_ball_is_asked_for_when_a_bell_makes_it_matter() -> None:
    table = FortBench(HEAD + BELLS + COLOURS + PASS + KEYS + BUTTONS).open().start()
    table.regular_pass()
    table.stroke("english-attack")
    table.into(FORT)
    table.rest()
    table.lower(FORT)
    table.stroke("french-attack")
    table.stroke("english-attack")
    table.into("french-advanced-2")
    table.rest()
    (question,) = table.shown.questions
    assert question.text == (
        "Was the English attacking ball put back on its spot before the next stroke was played? "
        "If not, a fort that is taken then wins nothing."
    )
    assert table.score == {"english": 8, "french": 0}
    table.reply("no")
    assert table.score == {"english": 4, "french": 0}


def test_a_game_is_over_when_the_colours_are_down() -> None:
    table = FortBench().open()
    position = {"score": {"english": 16}, "pass": {"english": "regular"}, "turn": "english"}
    table.set("french-pass-colours", on=False)
    table.wait(1)
    assert table.ask(StartGame(position=position)).ok
    table.wait(1)
    assert table.shown.phase == "playing"
    table.stroke("english-attack")
    table.into(FORT)
    table.rest()
    assert table.shown.over is None
    table.lower(FORT)
    table.rest()
    assert table.shown.over is not None
    assert table.shown.phase == "over"
    assert table.shown.over.winner == "english"


def test_what_hands_do_while_the_end_hangs_on_a_question_is_told_when_it_was_none() -> None:
    table = FortBench(HEAD + POCKETS + SPOTS + BUTTONS).open()
    assert table.ask(StartGame(position={"score": {"english": 18}})).ok
    table.wait(1)
    table.stroke()
    for ball in ("english-attack", "english-defence-1", "french-attack"):
        table.set(f"{ball}-spot", on=False)
    table.wait(0.5)
    table.blink("pocket-1")
    table.rest()
    assert table.shown.phase == "over"
    assert table.shown.provisional
    table.spot("english-defence-1")
    table.rest()
    table.reply("english-defence-1")
    table.rest()
    assert table.score == {"english": 16, "french": 0}
    assert table.shown.phase == "playing"
    assert table.shown.position["unspotted"] == {}


# Balls that are read


def seen(number: int, role: str, kind: Kind, value: str | int, *, at: int) -> Seen:
    return Seen(number, Observation(at, at, role, role, kind, value))


@pytest.mark.parametrize(("late", "known"), [(250, True), (-250, True), (350, True), (1900, True), (-350, False)])
def test_a_ball_that_is_read_within_300_ms_before_a_bell_or_after_it_is_the_one(late: int, known: bool) -> None:
    table = FortificationTable([FORT, f"{FORT}-ball", "stroke"])
    state = Fortification().start()
    table.begin(Standing(Fortification().position(state), over=False, turn_number=0), 0)
    table.observe(seen(1, "stroke", "press", True, at=10 * SECOND))
    table.observe(seen(2, FORT, "ring", 400, at=12 * SECOND))
    table.observe(seen(3, f"{FORT}-ball", "card", "english-defence-2", at=12 * SECOND + late * MS))
    told = table.advance(20 * SECOND)[0]
    assert isinstance(told, Draft)
    if known:
        assert told.event["facts"] == [{"fact": "bell", "fort": FORT, "ball": "english-defence-2"}]
        assert told.evidence == (1, 2, 3)
    else:
        assert told.event["facts"] == ["?ball-2"]
    assert bool(told.questions) is not known


def test_a_ball_that_is_read_where_it_can_not_be_is_asked_about() -> None:
    readers = "".join(sensor(f"{place}-ball", "reader") for place in (FORT, "pocket-1", "pocket-4"))
    table = FortBench(FULL + readers).open().start()

    def read(place: str, ball: str) -> None:
        table.sim.tell(table.by_role[f"{place}-ball"].channels[0], ball, table.now)
        table.wait(0.05)

    def asked() -> list[tuple[str, str]]:
        return [(question.text, question.choices[0][0]) for question in table.shown.questions]

    # Its spot has it all the time, and a reader has it in the fort.
    table.stroke()
    read(FORT, "english-attack")
    table.into(FORT)
    table.rest()
    assert asked() == [(f"Which ball rang the bell of {NAME[FORT]}?", "english-attack")]
    table.ask(Undo())
    # Two balls are read beside one ring.
    table.stroke("english-attack")
    read(FORT, "english-defence-1")
    read(FORT, "english-attack")
    table.into(FORT)
    table.rest()
    assert asked() == [(f"Which ball rang the bell of {NAME[FORT]}?", "english-attack")]
    assert "english-defence-1" in dict(table.shown.questions[0].choices)
    table.ask(Undo())
    table.spot("english-attack")
    table.rest()
    # One ball falls into two pockets; what it did before it fell is in no doubt.
    table.stroke("english-attack")
    read(FORT, "english-attack")
    table.into(FORT)
    for pocket in ("pocket-1", "pocket-4"):
        table.wait(0.5)
        read(pocket, "english-attack")
        table.blink(pocket)
    table.rest()
    assert {text for text, _ in asked()} <= {"Which ball fell into pocket 1?", "Which ball fell into pocket 4?"}
    assert table.events_told[-1]["facts"][0] == {"fact": "bell", "fort": FORT, "ball": "english-attack"}
    play = table.engine.play
    assert play is not None
    assert sum(str(fact).startswith("?ball") for fact in play.fold.steps[-1].entry.event["facts"]) == 2


@pytest.mark.parametrize(("button", "likely"), [("english-attack-key", "english-attack"), ("stroke", "none")])
def test_a_bell_while_all_balls_stand_on_their_spots_is_asked_about(button: str, likely: str) -> None:
    table = FortBench().open().start()
    table.press(button)
    table.into(FORT)
    table.rest()
    (question,) = table.shown.questions
    assert (question.text, question.likely) == (f"Which ball rang the bell of {NAME[FORT]}?", likely)
    assert {*BALLS, "none"} <= dict(question.choices).keys()
