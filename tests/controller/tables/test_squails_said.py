"""What led to each event of squails, who may press what, and what the room is told of a press that counts nothing."""

from __future__ import annotations

from typing import Any

import pytest

from controller.commands.check import understood
from controller.engine.requests import Answer, Explain
from controller.tablefile import TableFile
from controller.tables.nearness import Gap
from controller.tables.rounds import deciding
from hardware.signals import MS
from tests.squails_kit import BUTTONS, CAMERA, EDGE, FULL, GAUGE, HALL, HEAD, SQUAIL, SquailBench, at, ready
from tests.table_kit import same_again, table_of

SOLO = "".join(
    f'[[sensor]]\nrole = "{side}-{key}"\nkind = "button"\nsource = "sim"\n'
    for side in "ABC"
    for key in ("claim", "allow", "dispute", "out")
)
SEATS = "".join(f'[[sensor]]\nrole = "seat-{n}"\nkind = "button"\nsource = "sim"\n' for n in (1, 2))


def observations(table: Any, *, role: str) -> list[int]:
    records = table.journal.records_of(table.engine.play.start.id)
    return [one.id for one in records if one.kind == "observation" and one.body["role"] == role]


def events(table: Any, kind: str) -> list[Any]:
    return [step for step in table.engine.play.fold.steps if step.event["event"] == kind]


def why(table: Any) -> list[str]:
    return [str(line) for line in table.ask(Explain()).detail["lines"]]


def notices(table: Any) -> list[str]:
    return [one.text for one in table.shown.notices]


def a_round(table: Any, *, gap: float = 20.0) -> Any:
    table.play("light-s1", table.near(gap))
    table.play("dark-s1", at(2.0, 320.0))
    table.wait(5)
    return table


# What led to it


def test_a_new_round_has_the_scene_by_which_the_table_was_seen_to_be_clear() -> None:
    table = a_round(ready(squails_each=1))
    table.collect()
    (step,) = events(table, "new_round")
    assert step.entry.evidence[-1] == observations(table, role="squails")[-1]
    assert why(table)[-1].startswith("no points: squails saw ")


def test_a_round_has_the_scenes_of_every_sensor_that_it_was_measured_by() -> None:
    table: Any = SquailBench(HEAD + CAMERA + HALL + GAUGE + BUTTONS).open()
    for n in range(200):
        table.sim.tell("sim:target", '{"target":[0,0]}', table.now + n * 100 * MS)
    table.wait(3)
    table.start(squails_each=1)
    a_round(table)
    target = observations(table, role="target")
    (step,) = events(table, "round_end")
    assert target
    assert target[-1] in step.entry.evidence
    assert observations(table, role="squails")[-1] in step.entry.evidence


def measured_by(table: Any) -> list[str]:
    """What the first round's end names as seen: the texts of its observations."""
    ends = [one for one in table.ask(Explain()).detail["events"] if one["event"]["event"] == "round_end"]
    return [seen["text"] for seen in ends[0]["seen"]]


def saw(squail: str, mm: int) -> str:
    return f"squails saw {squail} squail 1 {mm} mm from the middle of the target"


CENTRED = "squails saw the target 0 mm off the centre"
LAST = "squails saw dark squail 3 340 mm from the middle of the target"


def three_squails_each(table: Any, *, light: float, dark: float) -> Any:
    """The first squail of each side comes to lie so far from the target, rim to rim; the others far away, dark's last."""
    table.play("light-s1", table.near(light))
    table.play("dark-s1", table.near(dark, 2.0))
    for place, name in enumerate(("light-s2", "dark-s2", "light-s3", "dark-s3")):
        table.play(name, at(3.0 + 0.5 * place, 340.0))
    table.wait(5)
    return table


def test_a_point_names_what_saw_its_squail_come_to_rest_and_the_one_that_bounds_it_whoever_played_last() -> None:
    table = three_squails_each(ready(squails_each=3), light=20.0, dark=50.0)
    assert table.score == {"light": 1, "dark": 0}
    assert measured_by(table) == [CENTRED, saw("light", 58), saw("dark", 88), LAST]
    assert why(table)[-1].startswith(
        f"+1 SQU-09: {CENTRED}, {saw('light', 58)}, {saw('dark', 88)}, {LAST}, measured: light squail 1 20"
    )
    same_again(table)


def test_a_point_that_the_gauge_decides_names_them_too() -> None:
    table = three_squails_each(ready(squails_each=3), light=76.0, dark=120.0)
    table.lay(touches=True)
    assert table.score == {"light": 1, "dark": 0}
    assert measured_by(table) == [CENTRED, saw("light", 114), saw("dark", 158), LAST, "gauge touches"]


def test_a_squail_that_was_hit_names_what_saw_it_come_where_it_lies_and_the_target_too() -> None:
    table: Any = ready(squails_each=3)
    table.play("light-s1", table.near(50.0))
    table.play("dark-s1", table.near(60.0, 2.0))
    table.lying["light-s1"] = table.near(20.0)
    table.play("light-s2", at(2.5, 330.0))
    table.lying["target"] = (-8.0, 0.0)
    table.play("dark-s2", at(3.5, 330.0))
    table.play("light-s3", at(4.5, 330.0))
    table.play("dark-s3", at(5.5, 330.0))
    table.wait(5)
    told = [text.removeprefix("squails saw ") for text in measured_by(table)]
    # As each was seen: from where the target stood then.
    assert [text.partition(" mm")[0] for text in told[:1]] == ["dark squail 1 98"]
    hit, struck_target = told[1:3]
    assert "light squail 1 58 mm" in hit
    assert "the target 8 mm off the centre" in struck_target
    assert [text.partition(" mm")[0] for text in told[3:]] == ["dark squail 3 336"]


def test_of_three_players_a_point_names_the_nearest_of_two() -> None:
    table: Any = ready(HEAD + CAMERA + GAUGE + SOLO, players=3, squails_each=1)
    for name, mm, angle in (("A-s1", 20.0, 0.0), ("B-s1", 50.0, 2.0), ("C-s1", 300.0, 4.0)):
        table.lying[name] = at(angle + 3, EDGE - SQUAIL / 2)
        table.wait(0.5)
        table.lying[name] = table.near(mm, angle)
        table.wait(2)
    table.wait(5)
    assert table.score == {"A": 1, "B": 0, "C": 0}
    assert [text.partition("saw ")[2][:11] for text in measured_by(table)] == [
        "the target ",
        "A squail 1 ",
        "B squail 1 ",
        "C squail 1 ",
    ]


@pytest.mark.parametrize(
    ("gaps", "named"),
    [
        # Both of light's may count; dark's nearest bounds them, its other decides nothing.
        ([("light", 10), ("light", 30), ("dark", 40), ("dark", 60)], {0, 1, 2}),
        # Beyond the gauge none counts: the nearest of each of two sides say so.
        ([("light", 90), ("light", 95), ("dark", 150), ("dark", 160)], {0, 2}),
        # One that may lie nearer than the bound, by its error.
        ([("light", 10), ("light", 41.5), ("dark", 40), ("light", 44)], {0, 1, 2}),
        # Nobody else lies there: the gauge alone bounds.
        ([("light", 10), ("light", 70), ("light", 200)], {0, 1}),
        ([], set()),
    ],
)
def test_what_decides_a_round_is_what_may_count_and_what_bounds_it(gaps: list[tuple[str, float]], named: set[int]) -> None:
    told = deciding([Gap(str(n), side, mm, 1.0) for n, (side, mm) in enumerate(gaps)], ("wrong",), 76.2)
    assert {*told} == {*map(str, named), "wrong"}


def test_what_the_gauge_says_belongs_to_the_round_that_it_decides() -> None:
    table = a_round(ready(squails_each=1), gap=76.0)
    table.lay(touches=False)
    (laid,) = observations(table, role="gauge")
    (step,) = events(table, "round_end")
    assert table.engine.play.tellings.led_to(step.entry)[-1] == laid
    assert why(table)[-1].endswith("touch light squail 1? It doesn't by gauge doesn't touch")
    (correction,) = [one for one in table.watcher.happenings if one.kind == "correction"]
    assert correction.evidence == (laid,)
    table.press("undo")
    assert laid not in table.engine.play.tellings.led_to(events(table, "round_end")[0].entry)


def test_a_round_that_people_have_counted_claims_no_distance() -> None:
    table = ready(HEAD + SEATS, squails_each=1)
    for seat in ("seat-1", "seat-2"):
        table.press(seat)
        table.wait(2)
    table.wait(20)
    (question,) = table.shown.questions
    assert table.ask(Answer(question.id, "light-1", who="Ann")).ok
    assert table.score == {"light": 1, "dark": 0}
    (step,) = events(table, "round_end")
    assert step.event["note"] == "counted by people: nobody has measured these distances"
    assert [*step.entry.evidence] == [*observations(table, role="seat-1"), *observations(table, role="seat-2")]
    told = why(table)[-1]
    assert told.startswith("+1 SQU-09: seat-1 pressed, seat-2 pressed, Which side's squails lie nearest")
    assert told.endswith("? Light: 1 by answer of the marker (Ann, 20:00)")
    assert "mm" not in told


# Who may press what


def test_without_sides_each_player_speaks_for_himself() -> None:
    table: Any = ready(HEAD + CAMERA + GAUGE + SOLO, players=3, squails_each=1)
    for place, side in enumerate("ABC"):
        table.lying[f"{side}-s1"] = table.near(20.0 + 40 * place, 1.5 * place)
        table.wait(3)
    table.wait(5)
    assert table.score == {"A": 1, "B": 0, "C": 0}
    table.press("A-claim")
    table.wait(3)
    table.press("B-dispute")
    assert any("Lay the gauge between the target and A's squail 1" in text for text in notices(table))
    table.lay(touches=True)
    table.press("C-allow")
    kinds = [(step.event["event"], step.event.get("by"), step.stood) for step in table.engine.play.fold.steps[4:]]
    assert kinds == [("claim", "A", True), ("dispute", "B", True), ("gauge", None, True), ("allow", "C", True)]


def test_a_button_of_a_side_or_a_seat_that_nobody_plays_says_so() -> None:
    table = ready(FULL, players=3, squails_each=1)
    table.press("light-claim")
    assert "light-claim was pressed, but nobody plays light: A, B and C do." in notices(table)
    table.press("seat-4")
    assert "seat-4 was pressed, but only 3 play: nobody sits there." in notices(table)
    assert not any("light-claim" in text for text in notices(table))


def test_check_names_the_buttons_that_nobody_uses() -> None:
    three: TableFile = table_of(f"{FULL}[rules]\nplayers = 3\n")
    told = understood(three)
    assert "; nobody uses seat-4, light-claim, " in told
    assert "A-claim" in told.partition("nobody uses")[0]
    two: TableFile = table_of(FULL)
    assert "; nobody uses seat-3, seat-4 while players = 2: fit what is left to the marker instead" in understood(two)
    assert "A-claim" not in understood(two)


# What counts nothing


def test_a_claim_that_the_rules_refuse_is_told_to_the_room_until_the_next_press() -> None:
    table = ready(HEAD + BUTTONS, squails_each=1)
    for seat in ("seat-1", "seat-2"):
        table.press(seat)
        table.wait(2)
    table.press("light-claim")
    table.press("light-claim")
    table.wait(3)
    refused = "Light 1's claim is not allowed now, and counts nothing: the game's list says why."
    assert refused in notices(table)
    table.press("light-claim")
    assert refused not in notices(table)
    table.wait(3)
    table.press("dark-allow")
    assert table.score == {"light": 1, "dark": 0}


def test_a_seat_pressed_out_of_turn_is_told() -> None:
    table = ready(HEAD + BUTTONS, squails_each=2)
    table.press("seat-1")
    table.wait(2)
    table.press("seat-1")
    table.wait(2)
    assert "Light 1's stroke is not allowed now, and counts nothing: the game's list says why." in notices(table)
