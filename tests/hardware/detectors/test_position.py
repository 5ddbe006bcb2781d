"""A position sensor: what moves and what lies, arms before the camera, single wrong frames, rubbish, silence."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.detectors.position import PositionDetector, PositionSettings
from hardware.observations import Observation
from hardware.places import Extent, Place, Scene, scene_of
from hardware.signals import MS, SECOND, Signal

FRAME = 100 * MS
THINGS = ("target", "light-s1", "dark-s1")


class Camera:
    """A detector that is shown frames, ten a second."""

    def __init__(self, **settings: float) -> None:
        made = PositionSettings(Extent(1200, 1200), **settings)  # type: ignore[arg-type]  # whole numbers where they are wanted
        self.detector = PositionDetector("camera", "squails", "lines:camera", made, things=THINGS, names={"17": "light-s1"})
        self.now = 0
        self.seen: list[Observation] = []
        self.detector.begin({"lines:camera": 0}, 0)

    def show(self, seconds: float = 0.1, **places: tuple[float, ...]) -> list[Scene]:
        """The same frame for so long; gives the scenes that are told. Names with - are written with _."""
        line = json.dumps({name.replace("_", "-").strip("n"): list(place) for name, place in places.items()})
        return self.send(line, seconds)

    def send(self, line: str, seconds: float = 0.1) -> list[Scene]:
        before = len(self.seen)
        for _ in range(round(seconds * 10)):
            self.now += FRAME
            self.seen += self.detector.feed(Signal(self.now, "lines:camera", line))
        return self.told(before)

    def wait(self, seconds: float) -> list[Scene]:
        before = len(self.seen)
        self.now += round(seconds * SECOND)
        self.seen += self.detector.advance(self.now)
        return self.told(before)

    def told(self, since: int) -> list[Scene]:
        assert all(one.at <= one.known for one in self.seen)
        assert all(one.kind == "position" and isinstance(one.value, str) for one in self.seen)
        return [scene_of(str(one.value)) for one in self.seen[since:]]

    @property
    def faults(self) -> str:
        return "; ".join(self.detector.health().faults)


CENTRE = (0.0, 0.0)


def test_what_lies_still_is_told_once() -> None:
    camera = Camera()
    moving, rest = camera.show(3, target=CENTRE)
    assert not moving.rest
    assert rest == Scene(rest=True, places={"target": Place(0, 0, 1)}, moved={"target": Place(0, 0, 1)})
    assert camera.show(60, target=CENTRE) == []
    assert camera.detector.health().value == 1


def test_what_moves_is_told_with_where_it_came_from_when_all_lies_still_again() -> None:
    camera = Camera()
    camera.show(3, target=CENTRE, light_s1=(500, 0))
    told = [scene for n in range(10) for scene in camera.show(target=CENTRE, light_s1=(500 - 40 * n, 0))]
    assert [(scene.rest, dict(scene.moved)) for scene in told] == [(False, {"light-s1": Place(500, 0, 1)})]
    began = camera.now
    (rest,) = camera.show(3, target=CENTRE, light_s1=(140, 0))
    assert (rest.rest, rest.places["light-s1"], rest.moved) == (True, Place(140, 0, 1), {"light-s1": Place(500, 0, 1)})
    assert camera.seen[-1].at == began
    assert camera.seen[-1].known == began + SECOND


@given(st.integers(0, 1000), st.sampled_from([0.2, 1.0, 5.0]))
def test_a_reading_within_its_error_never_moves_anything(seed: int, error: float) -> None:
    rng, camera = random.Random(seed), Camera()
    camera.show(3, target=(0, 0, error))
    for _ in range(100):
        place = (rng.uniform(-error, error), rng.uniform(-error, error), error)
        assert camera.show(target=place) == []


def test_one_wrong_frame_moves_nothing_and_makes_nothing_appear() -> None:
    camera = Camera()
    camera.show(3, target=CENTRE)
    assert camera.show(target=(300, 0)) == []
    assert camera.show(2, target=CENTRE) == []
    assert camera.show(target=CENTRE, dark_s1=(100, 0)) == []
    assert camera.show(5, target=CENTRE) == []


def test_an_arm_before_the_camera_is_no_loss_and_what_stays_away_is_gone() -> None:
    camera = Camera()
    camera.show(3, target=CENTRE, light_s1=(200, 0))
    assert camera.show(2, target=CENTRE) == []
    assert camera.show(2, target=CENTRE, light_s1=(200, 0)) == []
    (rest,) = camera.show(4, target=CENTRE)
    assert rest.gone == {"light-s1": Place(200, 0, 1)}
    assert set(rest.places) == {"target"}


def test_a_tracker_may_have_names_of_its_own() -> None:
    camera = Camera()
    *_, rest = camera.send('{"17":[100,0]}', 3)
    assert set(rest.places) == {"light-s1"}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("garbage", "a line can't be used: it is neither"),
        ('{"target":[0,0],"elephant":[1,1]}', "it tells of 'elephant', which is nothing of this table"),
        ('{"target":[0,0],"dark-s1":[700,0]}', "dark-s1 is told to lie off the table, at 700, 0"),
        ('{"target":[0,0],"17":[9,9],"light-s1":[5,5]}', "light-s1 is told to be in two places"),
    ],
)
def test_what_cannot_be_is_counted_and_told_and_never_used(line: str, why: str) -> None:
    camera = Camera()
    camera.show(3, target=CENTRE)
    assert camera.send(line, 2) == []
    assert why in camera.faults
    assert camera.detector.health().lost == 20
    camera.show(11, target=CENTRE)
    assert camera.faults == ""


def test_a_silent_sensor_is_told_once_and_comes_back_blind() -> None:
    camera = Camera()
    camera.show(3, target=CENTRE, light_s1=(200, 0))
    assert camera.detector.next_deadline() == camera.now + 5 * SECOND
    (away,) = camera.wait(6)
    assert away == Scene(rest=False, away=True)
    assert "has sent nothing for 5 s" in camera.faults
    assert camera.wait(60) == []
    assert camera.detector.next_deadline() is None
    assert camera.detector.health().value is None
    *_, rest = camera.show(3, target=CENTRE, light_s1=(100, 0))
    assert (rest.rest, rest.blind, rest.places["light-s1"]) == (True, True, Place(100, 0, 1))
    assert camera.faults == ""


def test_one_that_never_speaks_is_told() -> None:
    camera = Camera()
    (away,) = camera.wait(6)
    assert away.away


def test_rubbish_alone_is_silence() -> None:
    camera = Camera()
    camera.show(3, target=CENTRE)
    (away,) = camera.send("\x00\x01", 10)
    assert away.away


def test_what_never_comes_to_rest_is_told() -> None:
    camera = Camera()
    for n in range(400):
        camera.show(target=(0.0, 5.0 * (n % 2)), light_s1=(200, 0))
    assert "target has not come to rest for 30 s" in camera.faults
    camera.show(3, target=CENTRE, light_s1=(200, 0))
    assert camera.faults == ""


def test_a_late_line_says_nothing_new() -> None:
    camera = Camera()
    camera.show(3, target=CENTRE)
    assert camera.detector.feed(Signal(camera.now - SECOND, "lines:camera", '{"target":[300,0]}')) == []
    assert camera.detector.health().late == 1


@given(st.lists(st.tuples(st.text(max_size=30), st.integers(0, 3 * SECOND)), max_size=30))
def test_nothing_that_is_sent_breaks_it(lines: list[tuple[str, int]]) -> None:
    camera = Camera()
    for line, pause in lines:
        camera.now += pause
        camera.seen += camera.detector.feed(Signal(camera.now, "lines:camera", line))
    camera.wait(1)
    camera.detector.health()


@given(
    st.builds(
        Scene,
        st.booleans(),
        *[st.dictionaries(st.sampled_from(THINGS), st.builds(Place, *[st.integers(-999, 999).map(lambda n: n / 4)] * 3))] * 3,
        st.booleans(),
        st.booleans(),
    )
)
def test_a_scene_is_its_text(scene: Scene) -> None:
    assert scene_of(scene.text()) == scene
