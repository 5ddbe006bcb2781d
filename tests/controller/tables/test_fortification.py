"""The fortification table over real detectors: what becomes a stroke, whose ball it was, and what never scores."""

from __future__ import annotations

from controller.engine.requests import Pause, Resume
from tests.fortification_kit import ARCHES, BELLS, BUTTONS, COLOURS, HEAD, KEYS, PASS, POCKETS, SPOTS, FortBench

FORT = "french-advanced-1"


def notices(table: FortBench) -> list[str]:
    return [notice.text for notice in table.shown.notices]


# A table's life


def test_flags_down_and_balls_off_their_spots_at_the_start_are_asked_for_and_never_score() -> None:
    table = FortBench()
    table.set("french-grand-colours", on=False)
    table.set("english-attack-spot", on=False)
    table.open().start()
    assert table.shown.phase == "arming"
    assert notices(table) == [
        "The colours of the French grand fort are down, by the score they are up: put them up, or correct.",
        "Put the English attacking ball on its spot.",
    ]
    table.into(FORT)
    table.rest()
    table.set("french-grand-colours", on=True)
    table.spot("english-attack")
    assert table.shown.phase == "playing"
    assert table.events() == []


def test_a_fort_is_taken_and_its_colours_keep_the_four() -> None:
    table = FortBench().open().start()
    table.regular_pass()
    table.stroke("english-attack")
    table.into(FORT)
    table.rest()
    assert table.score == {"english": 4, "french": 0}
    assert table.shown.questions == ()
    table.lower(FORT)
    table.spot("english-attack")
    table.wait(2)
    table.stroke("french-attack")
    table.stroke("english-attack")
    table.rest()
    assert table.score == {"english": 4, "french": 0}
    assert [event["event"] for event in table.events_told] == [
        *["stroke", "colours_down", "stroke", "stroke", "colours_down", "respotted", "stroke"]
    ]
    assert table.flagged == []
    assert table.shown.position["forts"][FORT] == "taken"


def test_the_deadline_works_by_itself() -> None:
    table = FortBench().open().start()
    table.regular_pass()
    table.stroke("english-attack")
    table.into(FORT)
    table.rest()
    assert (
        "Take down the colours of the first French advanced fort before the next stroke, or it must be taken again."
        in notices(table)
    )
    table.stroke("french-attack")
    table.stroke("english-attack")
    table.rest()
    assert table.score == {"english": 0, "french": 0}
    assert table.shown.position["forts"][FORT] == "standing"


def test_a_flag_that_falls_during_the_next_stroke_comes_after_it() -> None:
    table = FortBench().open().start()
    table.regular_pass()
    table.stroke("english-attack")
    table.into(FORT)
    table.rest()
    table.stroke("french-attack")
    table.lower(FORT)
    table.stroke("english-attack")
    table.rest()
    assert table.score == {"english": 0, "french": 0}
    assert [event["event"] for event in table.flagged] == ["colours_down"]
    assert any("put them up" in text for text in notices(table))
    table.set(f"{FORT}-colours", on=True)
    table.wait(1)
    assert not any("put them up" in text for text in notices(table))


def test_a_flag_that_falls_just_before_the_next_stroke_counts_though_its_switch_has_not_settled() -> None:
    table = FortBench().open().start()
    table.regular_pass()
    table.stroke("english-attack")
    table.into(FORT)
    table.rest()
    table.set(f"{FORT}-colours", on=False)
    table.wait(0.05)
    table.stroke("french-attack")
    table.stroke("english-attack")
    table.rest()
    assert table.score == {"english": 4, "french": 0}


def test_colours_lowered_at_once_come_after_the_stroke_that_took_them() -> None:
    table = FortBench().open().start()
    table.regular_pass()
    table.stroke("english-attack")
    table.into(FORT)
    table.lower(FORT)
    table.rest()
    assert table.shown.position["forts"][FORT] == "taken"
    assert table.flagged == []


def test_colours_that_lay_down_before_the_fort_was_taken_need_not_come_down_again() -> None:
    table = FortBench().open().start()
    table.regular_pass()
    table.lower(FORT)
    table.rest()
    table.stroke("english-attack")
    table.into(FORT)
    table.rest()
    table.stroke("french-attack")
    table.stroke("english-attack")
    table.rest()
    assert table.score == {"english": 4, "french": 0}


def test_a_paused_table_scores_nothing() -> None:
    table = FortBench().open().start()
    table.regular_pass()
    assert table.ask(Pause()).ok
    table.into(FORT)
    table.lower("english-grand")
    assert table.ask(Resume()).ok
    table.rest()
    assert table.score == {"english": 0, "french": 0}
    assert len(table.events_told) == 2
    assert any("the English grand fort are down" in text for text in notices(table))


# Whose ball


def test_without_keys_the_ball_is_asked_and_the_game_goes_on() -> None:
    table = FortBench(HEAD + BELLS + ARCHES + COLOURS + PASS + BUTTONS).open().start()
    table.stroke()
    table.through("english")
    table.rest()
    (question,) = table.shown.questions
    assert question.text == "What went through the pass? Only the attacking ball, from its own side, makes it."
    table.reply("english-attack")
    table.lower("french-pass")
    table.stroke()
    table.stroke()
    table.into(FORT)
    table.rest()
    (question,) = table.shown.questions
    assert question.text == "Which ball rang the bell of the first French advanced fort?"
    assert [key for key, _ in question.choices] == [
        "english-attack",
        *["english-defence-1", "english-defence-2", "french-attack", "french-defence-1", "french-defence-2", "silent", "none"],
    ]
    assert table.shown.provisional
    table.stroke()
    table.reply("english-defence-1")
    assert table.score == {"english": -2, "french": 0}
    assert not table.shown.provisional


def test_an_answer_of_no_ball_leaves_the_stroke_without_it() -> None:
    table = FortBench(HEAD + BELLS + COLOURS + BUTTONS).open().start()
    table.stroke()
    table.into(FORT)
    table.rest()
    assert table.score == {"english": -2, "french": 0}
    table.reply("none")
    assert table.score == {"english": 0, "french": 0}
    assert table.events_told[0]["facts"] == []


def test_the_named_ball_is_not_taken_for_granted_when_another_moved_too() -> None:
    table = FortBench().open().start()
    table.stroke("english-attack")
    table.set("french-defence-1-spot", on=False)
    table.into(FORT)
    table.rest()
    (question,) = table.shown.questions
    # The balls that stayed on their spots are out of it.
    assert [key for key, _ in question.choices] == ["english-attack", "french-defence-1", "silent", "none"]


def test_a_ball_in_a_pocket_is_asked_and_its_way_back_to_its_spot_is_evidence() -> None:
    table = FortBench(HEAD + POCKETS + SPOTS + BUTTONS).open().start()
    table.stroke()
    table.set("english-attack-spot", on=False)
    table.set("french-attack-spot", on=False)
    table.wait(1)
    table.blink("pocket-3")
    table.rest()
    (question,) = table.shown.questions
    assert question.text == "Which ball fell into pocket 3?"
    assert table.score == {"english": 2, "french": 0}
    table.spot("english-attack")
    table.rest()
    # It was off its spot and is back: so it was the one that fell, unless people say otherwise.
    assert table.score == {"english": -2, "french": 0}
    table.reply("french-attack")
    assert table.score == {"english": 2, "french": 0}


def test_counting_finds_the_ball_where_all_others_stood_still() -> None:
    table = FortBench(HEAD + POCKETS + SPOTS + BUTTONS).open().start()
    table.stroke()
    table.set("english-attack-spot", on=False)
    table.wait(0.5)
    table.blink("pocket-3")
    table.rest()
    assert table.shown.questions == ()
    assert table.score == {"english": -2, "french": 0}


def test_a_ball_of_the_other_side_on_the_key_is_asked_before_it_costs() -> None:
    table = FortBench(HEAD + BELLS + ARCHES + COLOURS + KEYS + BUTTONS).open().start()
    table.stroke("french-attack")
    table.stroke("english-attack")
    table.rest()
    assert table.score == {"english": 0, "french": 0}
    (question,) = table.shown.questions
    assert question.text == "The French attacking ball was named, but it is the turn of the English. Which ball was played?"
    table.reply("french-attack")
    assert table.score == {"english": -2, "french": 0}


def test_a_single_beam_asks_which_way() -> None:
    table = FortBench(HEAD + sensor_pass() + BUTTONS).open().start()
    table.stroke()
    table.blink("english-pass")
    table.rest()
    table.reply("other")
    assert table.shown.position["pass"]["english"] == "none"


def sensor_pass() -> str:
    return PASS.replace('["sim", "sim"]', '"sim"')


# What isn't play


def test_ten_bells_at_once_are_a_bump() -> None:
    table = FortBench().open().start()
    table.stroke("english-attack")
    for role in BELLS.split('role = "')[1:]:
        table.set(role.split('"')[0], on=True)
    table.wait(0.5)
    for role in BELLS.split('role = "')[1:]:
        table.set(role.split('"')[0], on=False)
    table.rest()
    assert table.score == {"english": 0, "french": 0}
    assert table.events() == []
    assert notices(table) == ["The table was shaken: the bells sounded together, and none of them counts."]


def test_something_that_stays_in_an_arch_during_a_stroke_is_asked_and_not_scored() -> None:
    table = FortBench(HEAD + BELLS + ARCHES + BUTTONS).open().start()
    table.stroke()
    table.set(f"{FORT}-arch", on=True)
    table.rest()
    (question,) = table.shown.questions
    assert question.text == "Which ball stays in the arch of the first French advanced fort? Its bell was not heard."
    assert question.likely == "none"
    assert table.score == {"english": 0, "french": 0}
    table.reply("french-defence-1")
    assert table.score == {"english": 2, "french": 0}


def test_people_may_have_heard_the_bell_that_no_disc_heard() -> None:
    table = FortBench(HEAD + BELLS + ARCHES + COLOURS + PASS + KEYS + SPOTS).open().start()
    table.regular_pass()
    table.stroke("english-attack")
    table.set("french-defence-2-spot", on=False)
    table.into(FORT, ring=False)
    table.rest()
    assert table.score == {"english": 0, "french": 0}
    table.lower(FORT)
    table.rest()
    # Colours that come down are evidence for the answer by which they were due.
    assert table.score == {"english": 4, "french": 0}
    table.reply("rang")
    assert table.score == {"english": 4, "french": 0}
    assert table.flagged == []


def test_a_hand_in_an_arch_with_no_stroke_in_play_is_a_notice() -> None:
    table = FortBench().open().start()
    table.set(f"{FORT}-arch", on=True)
    table.wait(2)
    table.set(f"{FORT}-arch", on=False)
    table.rest()
    assert table.events() == []
    assert notices(table) == [
        "Something stays in the arch of the first French advanced fort: take it away. Nothing is counted by it."
    ]


def test_a_ball_that_goes_into_a_fort_without_ringing_and_out_again_is_nothing() -> None:
    table = FortBench(HEAD + BELLS + ARCHES + BUTTONS).open().start()
    table.stroke()
    table.into(FORT, ring=False)
    table.wait(0.5)
    table.into(FORT, ring=False)
    table.rest()
    assert table.events_told == [{"event": "stroke", "side": "english", "ball": "english-attack", "facts": []}]
