"""A table of squails whose camera errs, falls silent, or isn't there."""

from __future__ import annotations

from controller.engine.requests import EnterEvent, Pause, Resume
from hardware.signals import MS
from tests.squails_kit import BUTTONS, CAMERA, EDGE, GAUGE, HALL, HEAD, SquailBench, ready
from tests.table_kit import same_again


def test_a_squail_that_an_arm_hides_is_still_there() -> None:
    bench = ready()
    bench.play("light-s1", (100, 0))
    spot = bench.lying.pop("light-s1")
    bench.wait(2)
    bench.lying["light-s1"] = spot
    bench.play("dark-s1", (-100, 0))
    assert len(bench.events_told) == 2


def test_a_silent_camera_is_told_and_never_scores() -> None:
    bench = ready()
    bench.play("light-s1", bench.near(10))
    bench.seeing = False
    bench.wait(30)
    assert "The squails sensor tells nothing" in bench.noticed
    assert len(bench.events_told) == 1
    bench.lying["dark-s1"] = (-200, 0)
    bench.seeing = True
    bench.wait(3)
    assert "Nobody saw dark squail 1 struck" in bench.noticed
    assert len(bench.events_told) == 1


def test_a_round_of_which_strokes_were_missed_is_measured_all_the_same() -> None:
    bench = ready()
    bench.play("light-s1", bench.near(10))
    bench.seeing = False
    bench.wait(30)
    bench.lying["dark-s1"] = (-200, 0)
    bench.seeing = True
    bench.wait(3)
    bench.play_all()
    bench.wait(4)
    assert bench.score == {"light": 1, "dark": 0}


def test_what_people_enter_meanwhile_stands() -> None:
    bench = ready()
    bench.seeing = False
    bench.wait(10)
    strike = {"event": "strike", "player": "light-1", "squail": "light-s1", "target": "out"}
    assert bench.ask(EnterEvent(strike)).ok
    assert bench.score == {"light": 0, "dark": 1}


def test_rubbish_scores_nothing_and_is_told_with_the_sensors_health() -> None:
    bench = ready()
    for line in ("", "}{", '{"light-s1":[0,0,0],"light-s1":[1,1]}', '{"light-s9":[0,0]}', '{"light-s1":[9999,0]}'):
        bench.sim.tell("sim:squails", line, bench.now + MS)
        bench.wait(1)
    assert bench.events_told == []
    camera = next(sensor for sensor in bench.shown.sensors if sensor.name == "squails")
    assert camera.health.lost >= 4
    assert camera.health.faults


def test_nothing_that_moves_during_a_pause_is_play() -> None:
    bench = ready()
    assert bench.ask(Pause()).ok
    bench.play("light-s1", (100, 0))
    del bench.lying["light-s1"]
    bench.wait(5)
    assert bench.ask(Resume()).ok
    bench.wait(3)
    assert bench.events_told == []
    bench.play("light-s1", (100, 0))
    assert len(bench.events_told) == 1


def test_a_game_waits_until_the_target_stands_in_the_centre_and_the_table_is_clear() -> None:
    bench = SquailBench()
    bench.lying = {"target": (40.0, 0.0), "dark-s1": (200.0, 0.0)}
    bench.open()
    bench.wait(3)
    bench.start()
    assert bench.shown.phase == "arming"
    assert "The target is 40 mm off" in bench.noticed
    bench.collect()
    assert bench.shown.phase == "playing"


def test_a_game_taken_up_after_a_power_cut_goes_on_where_it_lay() -> None:
    bench = ready()
    bench.play("light-s1", bench.near(10))
    again = SquailBench(bench.table, bench.journal, "boot-2")
    again.lying = dict(bench.lying)
    again.open()
    again.wait(3)
    again.reply("yes")
    again.play("dark-s1", (-200, 0))
    assert [event["squail"] for event in again.events_told] == ["light-s1", "dark-s1"]
    same_again(again)


# Fewer sensors


def test_without_a_camera_seats_are_strokes_and_the_captains_count() -> None:
    bench = ready(HEAD + BUTTONS, squails_each=2)
    for seat in (1, 2, 1, 2):
        bench.press(f"seat-{seat}")
        bench.wait(2)
    assert [event["squail"] for event in bench.events_told] == ["light-s1", "dark-s1", "light-s2", "dark-s2"]
    bench.press("light-claim")
    bench.press("light-claim")
    bench.press("dark-allow")
    assert [event["event"] for event in bench.events_told[-3:]] == ["round_end", "claim", "allow"]
    assert bench.score == {"light": 2, "dark": 0}
    bench.press("seat-1")
    bench.wait(2)
    assert [event["event"] for event in bench.events_told[-2:]] == ["new_round", "strike"]


def test_with_a_sensor_of_the_target_alone_a_target_struck_out_scores() -> None:
    bench = SquailBench(HEAD + HALL + BUTTONS)
    bench.open()
    x = 0.0

    def hall(seconds: int) -> None:
        for n in range(seconds * 10):
            bench.sim.tell("sim:target", f'{{"target":[{x},0]}}', bench.now + n * 100 * MS)
        bench.wait(seconds)

    hall(3)
    bench.start()
    hall(2)
    x = EDGE - 40
    hall(3)
    bench.press("seat-1")
    hall(3)
    assert bench.score == {"light": 0, "dark": 1}
    x = 0.0
    hall(5)
    assert bench.shown.phase == "playing"


def test_a_gauge_that_is_laid_unasked_is_told() -> None:
    bench = ready(HEAD + CAMERA + GAUGE)
    bench.lay(touches=True)
    assert "nothing is asked of it" in bench.noticed
    assert bench.events_told == []


def test_where_everyone_plays_for_himself_a_round_is_measured_too() -> None:
    bench = ready(players=3, squails_each=1)
    for name, spot in (("A-s1", bench.near(10)), ("B-s1", bench.near(50, angle=2)), ("C-s1", bench.near(100, angle=4))):
        bench.lying[name] = (0.0, -587.0)
        bench.wait(0.5)
        bench.lying[name] = spot
        bench.wait(1.5)
    bench.wait(4)
    assert [event["player"] for event in bench.events_told[:3]] == ["A", "B", "C"]
    assert bench.score == {"A": 1, "B": 0, "C": 0}
