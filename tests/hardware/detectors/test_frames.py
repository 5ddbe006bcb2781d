"""Whatever a tracker sends is a frame of places or no frame, never an error of another kind."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.detectors.frames import NoFrame, checked, placed, read_frame

numbers = st.floats(-10_000, 10_000, width=32)
names = st.text(st.characters(codec="ascii", categories=("L", "N")), min_size=1, max_size=9)
places = st.dictionaries(names, st.tuples(numbers, numbers, st.floats(0, 1000, width=32)), max_size=20)


@given(places)
def test_what_is_sent_is_read_in_either_form(sent: dict[str, tuple[float, float, float]]) -> None:
    assert read_frame(json.dumps({name: list(place) for name, place in sent.items()})) == sent
    if sent:
        frame = ";".join(f"{name} {' '.join(map(repr, place))}" for name, place in sent.items())
        assert read_frame(checked(frame)) == sent


@given(
    st.text() | st.builds(json.dumps, st.dictionaries(names, st.lists(st.integers() | st.floats() | st.booleans() | st.text())))
)
def test_anything_else_is_no_frame(line: str) -> None:
    try:
        found = read_frame(line)
    except NoFrame:
        return
    assert all(max(abs(x), abs(y)) <= 10_000 and (error is None or 0 <= error <= 1000) for x, y, error in found.values())


@given(st.integers(0, 30), st.integers(1, 255))
def test_a_frame_damaged_in_one_place_is_never_read(at: int, damage: int) -> None:
    frame = checked("target 0.4 -1.2;light-s1 220.5 31.0 1.4").encode("latin-1")
    damaged = frame[:at] + bytes([frame[at] ^ damage]) + frame[at + 1 :]
    with pytest.raises(NoFrame):
        read_frame(damaged.decode("latin-1"))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"target":[0,0],"target":[1,1]}', "names a thing twice"),
        ('{"target":[NaN,0]}', "NaN is no place"),
        ('{"target":[1e999,0]}', "can't be"),
        ('{"target":[0]}', r"is not \[x, y\] or \[x, y, error\]"),
        ('{"target":[0,0,-1]}', "can't be"),
        ('{"target":[0,true]}', "something that is no number"),
        ('{"target":"here"}', "is not"),
        ('{"target":[0,0]', "not JSON"),
        ('{"a":' * 3000, "not JSON"),
        ("target 0 0", "neither a JSON object nor a frame"),
        (checked("target 0 0;target 1 1"), "names a thing twice"),
        (checked("target 0 o"), "no number"),
        (checked("target nan 0"), "can't be"),
        (json.dumps({f"t{n}": [0, 0] for n in range(65)}), "it has 65 places"),
    ],
)
def test_why_a_line_is_no_frame_is_said(line: str, why: str) -> None:
    with pytest.raises(NoFrame, match=why):
        read_frame(line)


def test_an_error_comes_with_the_reading_or_grows_with_the_distance() -> None:
    assert placed((300.0, 400.0, None), 1.0, 0.01).error == 6.0
    assert placed((300.0, 400.0, 0.5), 1.0, 0.01).error == 0.5
