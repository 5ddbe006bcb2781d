"""What lies on a table of squails and was not played in the round: never scored, and people are told."""

from __future__ import annotations

import pytest

from controller.engine.requests import EnterEvent, Pause, Resume
from controller.tables.demarcation import Ground
from controller.tables.whereabouts import Whereabouts
from hardware.places import Extent, Place, Scene
from tests.squails_kit import Spot, SquailBench, at, ready
from tests.table_kit import same_again

NEW_ROUND = EnterEvent({"event": "new_round", "target_at": "centre"})


def a_round(**options: object) -> SquailBench:
    """A round of two squails each is over: light has one."""
    bench = ready(squails_each=2, **options)
    play_round(bench)
    assert (bench.score, bench.shown.phase) == ({"light": 1, "dark": 0}, "clearing")
    return bench


def play_round(bench: SquailBench) -> None:
    bench.play("light-s1", bench.near(30))
    bench.play("dark-s1", bench.near(90, angle=2.0))
    bench.play("light-s2", (400, 0))
    bench.play("dark-s2", (-400, 0))
    bench.wait(4)


def hide(bench: SquailBench, seconds: float = 5) -> dict[str, Spot]:
    """Something hides all squails, and not the target."""
    hidden = {name: spot for name, spot in bench.lying.items() if name != "target"}
    bench.lying = {"target": bench.lying["target"]}
    bench.wait(seconds)
    return hidden


def test_a_round_that_is_begun_before_the_squails_are_lifted_waits_for_that_and_scores_nothing() -> None:
    bench = a_round()
    assert bench.ask(NEW_ROUND).ok
    bench.wait(30)
    assert (bench.shown.phase, bench.score) == ("arming", {"light": 1, "dark": 0})
    assert "Take the squails off the table: 4 lie there." in bench.noticed
    assert not bench.ask(NEW_ROUND).ok
    same_again(bench)
    bench.collect()
    assert bench.shown.phase == "playing"
    play_round(bench)
    assert bench.score == {"light": 2, "dark": 0}


def test_squails_that_were_hidden_when_the_round_began_are_not_of_it() -> None:
    bench = a_round()
    hidden = hide(bench)
    assert bench.events_told[-1]["event"] == "new_round"
    bench.lying |= {name: (x + 1.5, y) for name, (x, y) in hidden.items()}
    bench.wait(30)
    assert (bench.events_told[-1]["event"], bench.flagged, bench.score) == ("new_round", [], {"light": 1, "dark": 0})
    told = "Light squail 1, light squail 2, dark squail 1 and dark squail 2 have not been played in this round and don't count:"
    assert f"{told} take them off the table, or enter their strokes." in bench.noticed
    same_again(bench)
    bench.collect()
    assert bench.noticed == ""
    play_round(bench)
    assert bench.score == {"light": 2, "dark": 0}


def test_squails_that_come_into_sight_together_elsewhere_were_shoved_there_by_hands() -> None:
    bench = a_round()
    hidden = hide(bench)
    bench.lying |= {name: at(0.3 * place, 45.0 + 60 * place) for place, name in enumerate(hidden)}
    bench.wait(30)
    assert (bench.events_told[-1]["event"], bench.flagged, bench.score) == ("new_round", [], {"light": 1, "dark": 0})
    assert "have not been played in this round" in bench.noticed


def test_one_that_lay_there_counts_when_its_stroke_is_entered_and_the_others_when_they_are_lifted_and_played() -> None:
    bench = a_round()
    hidden = hide(bench)
    bench.lying["light-s1"] = hidden["light-s1"]
    bench.wait(3)
    one = "Light squail 1 has not been played in this round and doesn't count: take it off the table, or enter its stroke."
    assert bench.noticed == one
    assert bench.ask(EnterEvent({"event": "strike", "player": "light-1", "squail": "light-s1"})).ok
    assert bench.noticed == ""
    bench.play("dark-s1", (300, 0))
    bench.play("light-s2", (400, 0))
    bench.play("dark-s2", (-400, 0))
    bench.wait(4)
    assert bench.score == {"light": 2, "dark": 0}


def test_one_that_is_laid_there_during_a_pause_is_not_played_by_that() -> None:
    bench = ready(squails_each=1)
    assert bench.ask(Pause()).ok
    bench.lying["light-s1"] = bench.near(10)
    bench.wait(4)
    assert bench.ask(Resume()).ok
    assert "Light squail 1 has not been played in this round" in bench.noticed
    bench.play("dark-s1", (300, 0))
    bench.wait(20)
    assert bench.score == {"light": 0, "dark": 0}
    del bench.lying["light-s1"]
    bench.wait(4)
    bench.play("light-s1", bench.near(20))
    bench.wait(4)
    assert bench.score == {"light": 1, "dark": 0}


def unseen(bench: SquailBench, **spots: Spot) -> None:
    """The camera is silent while squails are struck."""
    bench.seeing = False
    bench.wait(8)
    bench.lying |= {name.replace("_", "-"): spot for name, spot in spots.items()}
    bench.seeing = True
    bench.wait(3)


def test_a_round_of_which_no_stroke_was_seen_is_not_measured_until_people_enter_one() -> None:
    bench = ready(squails_each=1)
    unseen(bench, light_s1=bench.near(10), dark_s1=(300.0, 0.0))
    bench.wait(30)
    assert (bench.events_told, bench.score) == ([], {"light": 0, "dark": 0})
    assert "no stroke of this round was seen or entered: enter one, or its end." in bench.noticed
    assert bench.ask(EnterEvent({"event": "strike", "player": "light-1", "squail": "light-s1"})).ok
    bench.wait(5)
    assert bench.score == {"light": 1, "dark": 0}


@pytest.mark.parametrize(
    ("spots", "told"),
    [
        ({"dark_s1": (300.0, 0.0)}, "dark squail 1 struck: it counts where it lies. Enter the stroke if it matters."),
        (
            {"dark_s1": (300.0, 0.0), "light_s2": (0.0, 300.0)},
            "light squail 2 and dark squail 1 struck: they count where they lie. Enter the strokes if they matter.",
        ),
        ({f"dark_s{n}": (60.0 * n, 100.0) for n in range(1, 6)}, "5 squails struck: they count where they lie."),
    ],
)
def test_what_nobody_saw_struck_is_told_in_whole_sentences(spots: dict[str, Spot], told: str) -> None:
    bench = ready()
    bench.play("light-s1", (100, 0))
    unseen(bench, **spots)
    assert f"Nobody saw {told}" in bench.noticed


# Where each came to lie


GROUND = Ground(Extent(1200.0, 1200.0))
A, B, EDGE = Place(100, 0, 1), Place(300, 0, 1), Place(0, -590, 1)


def looks(*scenes: tuple[Scene, int | None]) -> Whereabouts:
    lying = Whereabouts()
    lying.look(Scene(rest=True), GROUND, None, by=1, found=False, anew=False)
    for by, (scene, round_) in enumerate(scenes, 2):
        lying.look(scene, GROUND, round_, by=by, found=False, anew=False)
    return lying


def rest(moved: dict[str, Place] | None = None, **places: Place) -> Scene:
    return Scene(rest=True, places=places, moved=moved or {})


@pytest.mark.parametrize(
    ("scenes", "of"),
    [
        # It stayed, or was hit, since the round before.
        ([(rest(a=A), 2)], 1),
        ([(rest({"a": A}, a=B), 2)], 1),
        # It was hidden, then nudged by a hand; or it moved when it was seen again, from where it lay.
        ([(rest(), 2), (rest(a=Place(120, 0, 1)), 2)], 1),
        ([(rest(), 2), (rest({"a": Place(101, 0, 1)}, a=B), 2)], 1),
        # It was taken in hand, as its place on the edge shows, and struck.
        ([(rest(), 2), (rest({"a": EDGE}, a=B), 2)], 2),
        ([(rest({"a": A}, a=EDGE), 2), (rest({"a": EDGE}, a=A), 2)], 2),
        # While the game was paused.
        ([(rest(), 2), (rest({"a": EDGE}, a=B), None), (rest(a=B), 2)], None),
    ],
)
def test_a_squail_is_of_the_round_in_which_it_came_to_lie_there(scenes: list[tuple[Scene, int | None]], of: int | None) -> None:
    lying = looks((rest({"a": EDGE}, a=A), 1), *scenes)
    assert [number for number in (1, 2) if lying.of_round("a", number)] == ([] if of is None else [of])
