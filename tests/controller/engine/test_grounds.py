"""Points are told with what made them: the shot that holed the ball, the claim that was allowed, the card that was asked."""

from __future__ import annotations

from typing import Any

from controller.engine.requests import Answer, EnterEvent, Explain
from tests import fortification_kit, maw_kit, squails_kit
from tests.fortification_kit import FortBench
from tests.table_kit import FULL, Bench

MARKER = "by answer of the marker (20:00)"


def lines(table: Any) -> list[str]:
    reply = table.ask(Explain())
    assert reply.ok, reply.error
    return [str(line) for line in reply.detail["lines"]]


def full_turn() -> Any:
    """The first ball strikes the black, which may be in cup 5; the second lies in cup 7, the eighth ends the turn in cup 3."""
    table: Any = Bench(FULL).open().start()
    table.play_ball(5, strike=True)
    table.play_ball(7)
    for _ in range(5):
        table.play_ball()
    table.play_ball(3)
    table.wait(10)
    assert table.ask(Answer("black-1", "cup-5")).ok
    return table


def test_points_that_a_shot_banks_are_told_with_the_shot_that_brought_them() -> None:
    table: Any = full_turn()
    told = lines(table)
    last = "half-way crossing up, cup-3 filled, red 4 in cup 3 " + MARKER
    black = f"half-way crossing up, spot-a lost its ball, cup-5 filled, black in cup 5, white 1 on the board {MARKER}"
    assert f"+10 BAG-12: {black}; banked by {last}" in told
    assert f"+3 BAG-11: {last}" in told
    (seven,) = [line for line in told if line.startswith("+7 BAG-11")]
    assert seven.startswith("+7 BAG-11: half-way crossing up, cup-7 filled, white 2 in cup 7 ")
    assert seven.endswith(f"; banked by {last}")


def test_an_award_names_the_events_that_it_rests_on() -> None:
    table: Any = full_turn()
    first, *_, last = table.ask(Explain()).detail["events"]
    rests = {award["points"]: award["rests_on"] for award in last["awards"]}
    assert rests[10] == [first["revision"]]
    assert rests[3] == []
    assert "+10 BAG-12: half-way crossing up, spot-a lost its ball" in last["because"]
    assert "+3 BAG-11" not in last["because"]


def test_a_turn_that_is_given_up_banks_what_its_shots_brought() -> None:
    table: Any = Bench(FULL).open().start()
    table.play_ball(9, strike=True)
    table.play_ball(2)
    table.press("end-of-turn")
    assert table.ask(Answer("black-1", "cup-9")).ok
    told = lines(table)
    assert told[-2].startswith("+18 BAG-12: half-way crossing up, spot-a lost its ball, cup-9 filled, black in cup 9")
    assert told[-1].startswith("+2 BAG-11: half-way crossing up, cup-2 filled, white 2 in cup 2")
    assert all(line.endswith("; banked by end-of-turn pressed") for line in told[-2:])


def test_a_ball_that_left_its_cup_brought_nothing() -> None:
    table: Any = Bench(FULL).open().start()
    events: tuple[dict[str, Any], ...] = (
        {"event": "shot", "ball": "white-1", "hit_black": True, "moves": [{"ball": "white-1", "to": "cup-5"}]},
        {"event": "shot", "ball": "white-2", "hit_black": False, "moves": [{"ball": "white-1", "to": "board"}]},
        {"event": "shot", "ball": "white-3", "hit_black": False, "moves": [{"ball": "white-3", "to": "cup-5"}]},
        {"event": "end_turn"},
    )
    for event in events:
        assert table.ask(EnterEvent(event, who="Ann")).ok
    *_, third, last = table.ask(Explain()).detail["events"]
    assert [award["rests_on"] for award in last["awards"]] == [[third["revision"]]]


def test_a_game_of_maw_is_worth_what_was_asked_and_vied() -> None:
    table: Any = maw_kit.dealt("6D")
    table.press("A-ask")
    table.press("B-vie")
    table.press("A-pledge")
    for first, second in (("KC", "10C"), ("KS", "10S"), ("5D", "2D")):
        table.trick(first, second, "A")
    told = next(line for line in lines(table) if line.startswith("+6 M-13"))
    assert told.endswith("; with A-ask pressed, B-vie pressed, A-pledge pressed")


def test_a_claim_that_is_allowed_is_told_with_what_was_claimed_and_measured() -> None:
    table: Any = squails_kit.ready(squails_each=2)
    for squail, far, angle in (("light-s1", 20, 0), ("dark-s1", 200, 2), ("light-s2", 100, 1), ("dark-s2", 220, 3)):
        table.play(squail, table.near(far, angle))
    table.wait(5)
    assert table.score["light"] == 1
    table.press("light-claim")
    table.press("light-claim")
    table.wait(3)
    table.press("dark-allow")
    (told,) = [line for line in lines(table) if "SQU-17" in line]
    assert told.startswith("+1 SQU-17: dark-allow pressed; with ")
    assert "measured: light squail 1 20.0 mm" in told
    assert told.endswith("light-claim pressed")


def test_what_a_stroke_settles_names_the_fort_and_what_took_it() -> None:
    table: Any = FortBench(fortification_kit.FULL).open().start()
    table.regular_pass()
    table.stroke("english-attack")
    table.into("french-advanced-1")
    table.rest()
    table.stroke("french-attack")
    table.stroke("english-defence-1")
    (told,) = [line for line in lines(table) if "FORT-12b" in line]
    assert told.startswith("-4 FORT-12b: The first French advanced fort was taken, but its colours were left up: ")
    assert "bell of french-advanced-1, heard for 0.6 s" in told
    assert "; settled by french-attack" in told


def test_what_people_entered_last_banks_it_in_words() -> None:
    table = Bench().open().start()
    table.play_ball(5, strike=True)
    assert table.ask(EnterEvent({"event": "end_turn"})).ok
    reply = table.ask(Explain())
    assert isinstance(reply.detail, dict)
    assert "; banked by an event entered by the marker" in str(reply.detail["lines"])
