"""Which ball lies in a cup of bagatelle is told with the colour input that found the black, in time or when it was all over."""

from __future__ import annotations

from typing import Any

from controller.engine.requests import Answer, Explain, Undo
from controller.tables.identity import Move, Stroke
from controller.tables.turn_questions import which_cup
from tests.table_kit import COLOURS, FULL, Bench

COLOURED = f"{FULL}\n{COLOURS}"
FIVE_ALONE = f'{FULL}\n[[sensor]]\nkind = "switch"\nrole = "black-5"\nsource = "sim"'
FIRST = "half-way crossing up, spot-a lost its ball, cup-5 filled, black on the board, white 1 in cup 5"
SECOND = "half-way crossing up, cup-9 filled, black in cup 9, white 2 on the board"


def explained(table: Bench) -> dict[str, Any]:
    reply = table.ask(Explain())
    assert reply.detail is not None, reply.error
    return reply.detail


def lines(table: Bench) -> list[str]:
    return [str(line) for line in explained(table)["lines"]]


def banked(table: Bench) -> list[str]:
    return [line.removesuffix("; banked by end-of-turn pressed") for line in lines(table) if "banked by" in line]


def test_a_black_that_is_found_when_the_turn_is_over_is_told_with_what_found_it() -> None:
    table = Bench(COLOURED).open().start()
    table.play_ball(5, strike=True)
    table.play_ball(9)
    table.press("end-of-turn")
    assert not [line for line in lines(table) if "black-9" in line]
    table.set("black-9", on=True)
    table.wait(1)
    late = [f"+18 BAG-12: {SECOND} by black-9 saw the black", f"+5 BAG-11: {FIRST} by black-9 saw the black"]
    assert banked(table) == late
    assert "black-9 saw the black" in [seen["text"] for seen in explained(table)["events"][1]["seen"]]
    # The end of the turn taken back and put in again tells the question anew, and so does a start.
    for _ in range(2):
        assert table.ask(Undo()).ok
    assert banked(table) == late
    assert banked(table.again().open()) == late


def test_a_black_that_is_found_while_the_turn_goes_on_is_told_with_what_found_it_until_its_end() -> None:
    table = Bench(FIVE_ALONE).open().start()
    table.play_ball(5, strike=True)
    table.play_ball(9)
    table.set("black-5", on=True)
    table.wait(1)
    table.play_ball(2)
    table.press("end-of-turn")
    five = (
        "half-way crossing up, spot-a lost its ball, cup-5 filled, black in cup 5, white 1 on the board by black-5 saw the black"
    )
    assert f"+10 BAG-12: {five}" in banked(table)


def test_a_black_that_is_found_in_time_was_seen_of_its_stroke() -> None:
    for first in (True, False):
        table = Bench(COLOURED).open().start()
        if first:
            # The colour input is quicker than the switch of the cup.
            table.set("black-5", on=True)
        table.play_ball(5, strike=True)
        if not first:
            table.set("black-5", on=True)
            table.wait(1)
        table.play_ball(9)
        table.press("end-of-turn")
        (black,) = [line for line in banked(table) if "BAG-12" in line]
        assert sorted(black.removeprefix("+10 BAG-12: ").split(", ")) == sorted([
            "half-way crossing up", "spot-a lost its ball", "cup-5 filled", "black-5 saw the black",
            "black in cup 5", "white 1 on the board", "the only one possible",
        ])  # fmt: skip
        assert [line.endswith("white 2 in cup 9, the only one possible") for line in banked(table) if "BAG-11" in line] == [True]


def test_what_people_said_of_the_black_is_told_as_theirs_whatever_is_found_later() -> None:
    table = Bench(FIVE_ALONE).open().start()
    table.play_ball(strike=True)
    table.play_ball(7)
    table.play_ball(5)
    table.press("end-of-turn")
    assert table.ask(Answer("black-1", "cup-7")).ok
    table.set("black-5", on=True)
    table.wait(1)
    (black,) = [line for line in banked(table) if "BAG-12" in line]
    assert "by answer of the marker" in black
    assert "black-5" not in black


def test_a_late_colour_is_what_a_question_rests_on_only_where_it_leaves_fewer_answers() -> None:
    def evidence(other: bool | None) -> tuple[int, ...]:
        moves = [Move("fill", 5, 3, black=other), Move("fill", 9, 4, black=True, late=77)]
        return which_cup("black-1", [Stroke(0, 1, "white-1", hit=True, moves=moves)], (), due=True).evidence

    assert evidence(None) == (77,)
    # The one ball that was played lies in cup 5, so the black was in cup 9 without it.
    assert evidence(other=False) == ()
