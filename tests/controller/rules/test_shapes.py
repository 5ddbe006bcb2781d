"""Shapes: what is read, what isn't, and what the message says of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

import pytest

from controller.rules.account import over_text
from controller.rules.awards import Award, Over
from controller.rules.bagatelle import Bagatelle
from controller.rules.errors import BadOption, nearest
from controller.rules.game import Option, read_option
from controller.rules.shapes import Unreadable, reader, to_json


@pytest.mark.parametrize(
    ("shape", "value", "says"),
    [
        (tuple[int, str], [1], "here: a list of 2 is wanted"),
        (tuple[int, str], (1, "a"), "here: a list of 2 is wanted"),
        (tuple[int, str], [1, 2], "here[1]: a text is wanted, not a whole number"),
        (tuple[int, ...], [1, None], "here[1]: a whole number is wanted, not null"),
        (float, float("nan"), "here: a finite number is wanted, not nan"),
        (float, True, "here: a number is wanted, not true or false"),
        (int, 1.5, "here: a whole number is wanted, not 1.5"),
        (frozenset[str], ["a", "a"], "here: the same name stands twice"),
        (int | str, None, "here: null fits none of the forms allowed here"),
        (int | None, "a", "here: a whole number is wanted, not a text"),
        (Award, [], "here: an object is wanted, not a list"),
        (Award, {"side": "A"}, "here: the field 'points' is missing"),
        (None, 0, "here: null is wanted, not a whole number"),
        (Award, {"side": "A", "points": "four"}, "here.points: a whole number is wanted, not a text"),
        (Mapping[str, int], {"a": 1, "b": None}, "here.b: a whole number is wanted, not null"),
        (Mapping[Literal["A", "B"], int], {"C": 1}, "here: unknown 'C'; allowed: A, B"),
        (Mapping[str, Mapping[str, int]], {"a": {"b": "c"}}, "here.a.b: a whole number is wanted, not a text"),
        (tuple[tuple[int, str], ...], [[1, "a"], [2, 3]], "here[1][1]: a text is wanted, not a whole number"),
        (Mapping[str, tuple[int, ...]], {"a": [0, None]}, "here.a[1]: a whole number is wanted, not null"),
    ],
)
def test_what_cannot_be_read(shape: Any, value: Any, says: str) -> None:
    with pytest.raises(Unreadable) as error:
        reader(shape)(value, "here")
    assert str(error.value) == says


@pytest.mark.parametrize(
    ("shape", "value"),
    [(tuple[int, str], (1, "a")), (frozenset[str], frozenset("ab")), (int | None, None), (int | str, "a"), (float, 10**400)],
)
def test_what_is_written_is_read_back(shape: Any, value: Any) -> None:
    assert reader(shape)(json.loads(json.dumps(to_json(value))), "") == value


def test_a_whole_number_may_be_written_with_a_point() -> None:
    read = reader(int)(5.0, "")
    assert (read, type(read)) == (5, int)


def test_any_mapping_is_an_object() -> None:
    award = Award("A", 4, "M-13", "Four.")
    assert reader(Award)(MappingProxyType(to_json(award)), "") == award


@pytest.mark.parametrize(
    ("shape", "value", "says"),
    [
        (int, "a", "a whole number is wanted, not a text"),
        (Award, {"side": "A", "points": "four"}, "points: a whole number is wanted, not a text"),
        (Mapping[str, int], {"a": None}, "a: a whole number is wanted, not null"),
        (tuple[int, ...], [None], "[0]: a whole number is wanted, not null"),
    ],
)
def test_what_has_no_place_around_it_is_told_by_its_own(shape: Any, value: Any, says: str) -> None:
    with pytest.raises(Unreadable) as error:
        reader(shape)(value, "")
    assert str(error.value) == says


def test_a_number_of_a_house_rule_says_its_bounds() -> None:
    with pytest.raises(BadOption, match=r"^option target is at least 1, not 0$"):
        Bagatelle().start({"target": 0})


COUNT = Option("count", 2, "How many.", least=2, most=8)
LENGTH = Option("length", 76.2, "How long.", least=1, whole=False)


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        (COUNT, 1, "is at least 2 and at most 8, not 1"),
        (COUNT, 9, "is at least 2 and at most 8, not 9"),
        (COUNT, 2.5, "is a whole number, not 2.5"),
        (COUNT, float("inf"), "is a whole number, not "),
        (COUNT, float("nan"), "is a whole number, not "),
        (COUNT, True, "is a whole number, not true"),
        (COUNT, "3", "is a whole number, not '3'"),
        (COUNT, None, "is a whole number, not null"),
        (COUNT, [3], "is a whole number, not "),
        (LENGTH, 0.5, "is at least 1, not 0.5"),
        (LENGTH, float("inf"), "is a number, not "),
        (LENGTH, float("-inf"), "is a number, not "),
        (LENGTH, float("nan"), "is a number, not "),
        (LENGTH, False, "is a number, not false"),
        (LENGTH, "76.2", "is a number, not '76.2'"),
    ],
)
def test_a_number_that_a_house_rule_cannot_have(option: Option, value: Any, says: str) -> None:
    with pytest.raises(BadOption) as error:
        read_option(option, value)
    assert str(error.value).startswith(f"option {option.name} {says}")


@pytest.mark.parametrize(
    ("option", "value", "read"),
    [(COUNT, 2, 2), (COUNT, 8, 8), (COUNT, 3.0, 3), (LENGTH, 1, 1), (LENGTH, 1.5, 1.5), (LENGTH, 10**400, 10**400)],
)
def test_a_number_that_a_house_rule_can_have(option: Option, value: Any, read: Any) -> None:
    found = read_option(option, value)
    assert (found, type(found)) == (read, type(read))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"corner": "60"}, "option corner: '60'; did you mean 60, without quotation marks? Allowed: 60, half_target"),
        ({"partners": "true"}, "option partners: 'true'; did you mean true, without quotation marks? Allowed: false, true"),
        ({"partners": None}, "option partners: null; allowed: false, true"),
        ({"corner": 60.5}, "option corner: 60.5; did you mean 60? Allowed: 60, half_target"),
        ({"target": True}, "option target is a whole number, not true"),
        ({"tie": "drawn"}, "option tie: 'drawn'; did you mean 'draw'? Allowed: draw, extra_turns"),
    ],
)
def test_a_value_of_a_house_rule_is_told_as_it_is_written(options: dict[str, Any], says: str) -> None:
    with pytest.raises(BadOption) as error:
        Bagatelle().start(options)
    assert str(error.value) == says


def test_a_double_is_told() -> None:
    assert over_text(Over("A", draw=False, double=True, rule="BAG-15b"), {"A": 120, "B": 3}) == (
        "A wins, a double: A 120, B 3. [BAG-15b]"
    )


@pytest.mark.parametrize(
    ("word", "allowed", "says"),
    [
        ("zz", [], "none is allowed here"),
        ("zz", ["one"], "allowed: one"),
        ("zz", [f"n{n}" for n in range(1, 25)], f"allowed: {', '.join(f'n{n}' for n in range(1, 25))}"),
        ("zz", [f"n{n}" for n in range(1, 26)], f"allowed: {', '.join(f'n{n}' for n in range(1, 25))}, …"),
        ("shto", ["turn", "shot"], "did you mean 'shot'? Allowed: turn, shot"),
    ],
)
def test_what_is_allowed_instead_of_a_word(word: str, allowed: list[str], says: str) -> None:
    assert nearest(word, allowed) == says


def test_a_draw_is_told() -> None:
    assert over_text(Over(None, draw=True, double=False, rule="B-03"), {"A": 120, "B": 120}) == "A draw: A 120, B 120. [B-03]"


@pytest.mark.parametrize(
    ("outer", "place", "together"), [("a", "b", "a.b"), ("a", "[0]", "a[0]"), ("", "b", "b"), ("a", "", "a"), ("", "[0]", "[0]")]
)
def test_a_place_within_a_place(outer: str, place: str, together: str) -> None:
    assert Unreadable("no", place).inside(outer).place == together
