"""What may be entered at a bagatelle table, form by form."""

from __future__ import annotations

from typing import Any

import pytest

from controller.rules.bagatelle import Bagatelle
from controller.rules.game import Form

GAME = Bagatelle()
STRUCK = {"black": "board", "in_hand": ["red-3", "red-4"]}


def offered(position: dict[str, Any] | None = None, **options: Any) -> dict[str, Form]:
    return {form.title: form for form in GAME.offers(GAME.start(options, position))}


def choices(form: Form, name: str) -> tuple[Any, ...]:
    return next(field.choices for field in form.fields if field.name == name)


def rests(form: Form) -> set[tuple[str, ...]]:
    """Where balls came to rest, each as `ball to`."""
    return {tuple(f"{move['ball']} {move['to']}" for move in moves) for moves in choices(form, "moves")}


@pytest.mark.parametrize(
    ("position", "titles"),
    [
        (None, ["white 1 strikes the black", "white 1 misses the black", "red 1 strikes the black", "red 1 misses the black",
                "A's turn begins", "A shot in full"]),
        (STRUCK, ["red 3 played", "Give up the rest of the turn", "B's turn begins", "A shot in full"]),
        ({"in_hand": ["white-4"], "black": "removed", "black_struck": False},
         ["white 4 misses the black", "Give up the rest of the turn", "B's turn begins", "A shot in full"]),
    ],
)  # fmt: skip
def test_forms(position: dict[str, Any] | None, titles: list[str]) -> None:
    forms = offered(position)
    assert list(forms) == titles
    assert choices(next(iter(forms.values())), "hit_black") == (titles[0].endswith("strikes the black"),)


def test_the_first_ball_may_hole_itself_and_the_black() -> None:
    found = rests(offered()["white 1 strikes the black"])
    assert {(), ("white-1 cup-9",), ("black cup-9",), ("black cup-9", "white-1 cup-8"), ("black past_half_way",)} <= found
    assert {("white-1 past_half_way",), ("white-1 off_table",)} <= found
    assert ("white-1 short",) not in found
    assert ("black cup-9", "white-1 cup-9") not in found


@pytest.mark.parametrize(
    ("rule", "position", "short"),
    [("stays", STRUCK, True), ("removed", STRUCK, True), ("replay", STRUCK, True), ("replay", None, False)],
)
def test_a_short_ball(rule: str, position: dict[str, Any] | None, short: bool) -> None:
    form = next(iter(offered(position, short_ball=rule).values()))
    assert any(rest[0].endswith(" short") for rest in rests(form) if rest) is short


@pytest.mark.parametrize(
    ("position", "free"),
    [
        (STRUCK, True),
        ({**STRUCK, "black": "removed"}, False),
        ({"in_hand": ["red-3", "red-4"], "black_struck": True, "cups": {"9": "black"}}, False),
    ],
)
def test_the_black_is_moved_where_it_lies_on_the_bed(position: dict[str, Any], free: bool) -> None:
    found = rests(offered(position)["red 3 played"])
    assert (("black cup-1",) in found) is free
    assert (("black cup-1", "red-3 cup-2") in found) is free


def test_a_ball_may_be_knocked_out_of_its_cup() -> None:
    found = rests(offered({**STRUCK, "cups": {"8": "white-1"}})["red 3 played"])
    assert ("white-1 board", "red-3 cup-8") in found
    assert ("red-3 cup-8",) not in found


def test_a_shot_in_full_has_every_field() -> None:
    form = offered(STRUCK)["A shot in full"]
    assert [(field.name, field.kind, field.required) for field in form.fields] == [
        ("ball", "choice", True),
        ("hit_black", "choice", True),
        ("moves", "list", True),
        ("from", "choice", False),
        ("cups", "object", False),
    ]
    assert choices(form, "ball") == ("red-3", "red-4")
    assert choices(form, "hit_black") == (True, False)
    assert choices(form, "from") == ("b", "behind_b", "ahead_of_b")
    assert {"ball": "red-1", "to": "half_way_line"} in choices(form, "moves")


def test_balls_seen_under_one_name_take_no_more_names_than_are_open() -> None:
    state = GAME.start(None, {"balls_left": 6, "black_struck": True})
    ended = GAME.apply(state, GAME.read({"event": "end_turn", "cups": {"1": "white-1", "2": "white-1"}}))
    assert [award.points for award in ended.awards] == [2, 1]  # type: ignore[union-attr] - a refusal has none, and fails
