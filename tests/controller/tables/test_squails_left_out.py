"""A camera of squails that is left out, taken back in, or gone from the table file with a game open."""

from __future__ import annotations

from typing import Any

from controller.engine.requests import Correct, Quarantine, Release, Undo
from controller.tables.squails import SquailsTable
from controller.tables.table import Draft, Seen, Standing
from hardware.observations import Observation
from hardware.places import Place, Scene
from hardware.signals import MS
from tests.squails_kit import CAMERA, EDGE, FULL, GAUGE, HALL, HEAD, SEAT, SquailBench, at, ready
from tests.table_kit import same_again

OUT = "The squails sensor is left out: "


def steps(bench: SquailBench) -> list[Any]:
    assert bench.engine.play is not None
    return bench.engine.play.fold.steps


def struck_in_the_dark() -> SquailBench:
    """Dark strikes while the camera is left out."""
    bench = ready(squails_each=2)
    bench.play("light-s1", bench.near(30))
    assert bench.ask(Quarantine("squails")).ok
    bench.wait(1)
    seats = "let whoever has struck press the button of his seat, or enter every stroke until it is taken back in."
    assert bench.noticed == OUT + seats
    bench.play("dark-s1", bench.near(100, angle=2.0))
    assert bench.ask(Release("squails")).ok
    bench.wait(1)
    return bench


def test_what_was_struck_while_the_camera_was_left_out_is_told_when_it_is_taken_back_in() -> None:
    bench = struck_in_the_dark()
    assert bench.noticed == "Nobody saw dark squail 1 struck: it counts where it lies. Enter the stroke if it matters."
    assert [event["squail"] for event in bench.events_told] == ["light-s1"]
    same_again(bench)


def test_a_stroke_that_the_rules_refuse_for_one_that_was_missed_is_told_and_its_target_too() -> None:
    bench = struck_in_the_dark()
    bench.lying["light-s2"] = at(SEAT["light"], EDGE - 12)
    bench.wait(0.5)
    bench.lying["light-s2"] = (0.0, 500.0)
    del bench.lying["target"]
    bench.wait(8)
    assert [event["squail"] for event in bench.flagged] == ["light-s2"]
    text = "The stroke of light squail 2 doesn't stand, by the rules or by a correction: put in what was missed before it"
    assert f"{text}, or take the squail off. It counts where it lies; what was done to the target doesn't." in bench.noticed
    (missed,) = (step for step in steps(bench) if not step.stood)
    entered = {"event": "strike", "player": "dark-1", "squail": "dark-s1"}
    assert bench.ask(Correct(missed.entry.revision, insert_before=entered)).ok
    assert [key for key, _ in bench.shown.questions[0].choices] == ["out", "moved", "still"]
    bench.reply("out")
    assert bench.score == {"light": 0, "dark": 1}


def test_a_stroke_that_was_taken_back_is_told_while_its_squail_lies_there() -> None:
    bench = ready(squails_each=2)
    bench.play("light-s1", (300, 0))
    assert bench.ask(Undo()).ok
    assert bench.noticed.startswith("The stroke of light squail 1 doesn't stand, by the rules or by a correction: ")
    assert bench.noticed.endswith("It counts where it lies.")
    del bench.lying["light-s1"]
    bench.wait(5)
    assert bench.noticed == ""


def test_without_seats_people_enter_what_is_played_and_of_the_target_too() -> None:
    bench = ready(HEAD + CAMERA + HALL + GAUGE)
    assert bench.ask(Quarantine("squails")).ok
    assert bench.noticed == f"{OUT}enter every stroke until it is taken back in."
    assert bench.ask(Quarantine("target")).ok
    assert bench.noticed == f"{OUT}enter every stroke until it is taken back in."
    assert bench.ask(Release("squails")).ok
    bench.wait(1)
    assert "left out" not in bench.noticed
    bench = ready(HEAD + HALL + GAUGE)
    assert bench.ask(Quarantine("target")).ok
    assert bench.noticed == "The target sensor is left out: enter what becomes of the target until it is taken back in."


def test_a_sensor_of_the_target_that_fell_silent_and_was_left_out_holds_up_no_round() -> None:
    bench = SquailBench(HEAD + CAMERA + HALL + GAUGE).open()
    assert isinstance(bench, SquailBench)
    for n in range(20):
        bench.sim.tell("sim:target", '{"target":[0,0]}', bench.now + n * 100 * MS)
    bench.wait(3)
    bench.start(squails_each=1)
    bench.wait(8)
    assert "The target sensor tells nothing" in bench.noticed
    assert bench.ask(Quarantine("target")).ok
    assert bench.noticed == ""
    bench.play("light-s1", bench.near(20))
    bench.play("dark-s1", (-300, 0))
    bench.wait(4)
    assert bench.score == {"light": 1, "dark": 0}


def test_a_seat_that_was_pressed_for_a_stroke_that_was_seen_tells_of_none_when_the_camera_is_left_out() -> None:
    bench = ready(squails_each=2)
    bench.play("light-s1", (300, 0))
    bench.press("seat-2")
    assert bench.ask(Quarantine("squails")).ok
    bench.wait(5)
    assert [event["squail"] for event in bench.events_told] == ["light-s1"]


def test_squails_that_lie_there_don_t_hold_up_a_round_that_seats_begin_without_the_camera() -> None:
    bench = ready(squails_each=1)
    bench.play("light-s1", bench.near(20))
    bench.play("dark-s1", (-300, 0))
    bench.wait(5)
    assert bench.shown.phase == "clearing"
    assert bench.ask(Quarantine("squails")).ok
    bench.press("seat-1")
    bench.wait(2)
    assert (bench.shown.phase, bench.events_told[-1]["event"]) == ("playing", "strike")


def test_a_table_takes_no_harm_from_what_a_sensor_saw_that_it_does_not_have() -> None:
    table = SquailsTable(["light-claim", "seat-1"], None)
    options: dict[str, Any] = {"players": 2, "squails_each": 1, "gauge_mm": 76.2, "level": "none"}
    squails: dict[str, Any] = {"light-s1": "in_hand", "dark-s1": "in_hand"}
    table.begin(Standing({"round": 1, "squails": squails}, over=False, turn_number=0, options=options), 1)
    assert table.phase == "playing"
    for number, role in enumerate(("squails", "squails", "target", "dark-claim", "gauge-yes", "gauge"), start=2):
        kind: Any = "position" if role in ("squails", "target") else "gauge" if role == "gauge" else "press"
        scene = Scene(rest=True, places={"light-s1": Place(9.0 * number, 0.0)}, moved={"light-s1": Place(0.0, -590.0)})
        value = scene.text() if kind == "position" else True
        assert table.observe(Seen(number, Observation(number, number, role, role, kind, value))) == []
    (end,) = table.observe(Seen(9, Observation(9, 9, "light-claim", "light-claim", "press", True)))
    assert isinstance(end, Draft)
    assert end.event == {"event": "round_end", "gaps_mm": {}}


def test_a_game_goes_on_without_the_camera_that_the_table_file_no_longer_has() -> None:
    bench = ready(squails_each=1)
    bench.play("light-s1", bench.near(30))
    bench.play("dark-s1", bench.near(200, angle=2.0))
    bench.wait(5)
    bench.press("light-claim")
    bench.wait(3)
    again = SquailBench(FULL.replace(CAMERA, ""), bench.journal, "boot-2")
    again.open()
    again.wait(1)
    again.reply("yes")
    assert again.score == {"light": 1, "dark": 0}
    again.press("dark-dispute")
    again.press("gauge-yes")
    again.press("dark-allow")
    assert [event["event"] for event in again.events_told[-2:]] == ["dispute", "allow"]
    again.press("seat-1")
    again.wait(2)
    assert again.events_told[-1]["event"] == "strike"
