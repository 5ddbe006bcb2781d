"""A round of squails that nothing measures and no captain can claim by a button: what counts is asked."""

from __future__ import annotations

from controller.engine.requests import Correct, Quarantine, Undo
from tests.squails_kit import BUTTONS, CAMERA, FULL, HEAD, SquailBench, ready
from tests.table_kit import same_again

SEATS = "".join(f'[[sensor]]\nrole = "seat-{n}"\nkind = "button"\nsource = "sim"\n' for n in (1, 2))
COUNT = "Which side's squails lie nearest, and how many count?"


def by_seats(bench: SquailBench, each: int = 2) -> None:
    """All squails are struck by turns, each told by its seat."""
    for _ in range(each):
        for seat in (1, 2):
            bench.press(f"seat-{seat}")
            bench.wait(2)


def test_with_seats_alone_it_is_asked_what_a_round_is_worth() -> None:
    bench = ready(HEAD + SEATS, squails_each=2)
    by_seats(bench)
    assert bench.asked == []
    bench.wait(16)
    assert (bench.asked, bench.score, bench.shown.provisional) == ([COUNT], {"light": 0, "dark": 0}, True)
    assert [key for key, _ in bench.shown.questions[0].choices] == ["none", "light-1", "light-2", "dark-1", "dark-2"]
    same_again(bench)
    bench.reply("dark-2")
    assert (bench.score, bench.shown.provisional) == ({"light": 0, "dark": 2}, False)
    bench.press("seat-1")
    bench.wait(2)
    assert bench.shown.position["round"] == 2


def test_a_camera_that_is_left_out_in_the_middle_of_a_round_is_asked_for() -> None:
    bench = ready(HEAD + CAMERA + SEATS, squails_each=2)
    bench.play("light-s1", bench.near(10))
    assert bench.ask(Quarantine("squails")).ok
    for seat in (2, 1, 2):
        bench.press(f"seat-{seat}")
        bench.wait(2)
    bench.wait(16)
    assert bench.asked == [COUNT], "that nothing sees the target says nothing of it"
    bench.reply("light-1")
    assert bench.score == {"light": 1, "dark": 0}


def test_where_captains_have_buttons_they_claim_and_nobody_is_asked() -> None:
    bench = ready(HEAD + BUTTONS, squails_each=2)
    by_seats(bench)
    bench.wait(60)
    assert bench.asked == []


def test_what_a_camera_measures_is_not_asked() -> None:
    bench = ready(FULL, squails_each=2)
    bench.play_all(but=tuple(f"{side}-s{n}" for side in ("light", "dark") for n in range(3, 9)))
    bench.wait(20)
    assert (bench.asked, [event["event"] for event in bench.events_told].count("round_end")) == ([], 1)


def test_a_round_whose_end_is_removed_is_not_measured_again_by_itself() -> None:
    bench = ready(FULL, squails_each=2)
    bench.play_all(but=tuple(f"{side}-s{n}" for side in ("light", "dark") for n in range(3, 9)))
    bench.wait(5)
    (end,) = [one for one in bench.events() if one.event["event"] == "round_end"]
    bench.press("light-claim")
    bench.wait(3)
    assert bench.ask(Correct(end.revision, remove=True)).ok
    bench.wait(60)
    assert [event["event"] for event in bench.events_told].count("round_end") == 0
    assert "enter its end" in bench.noticed
    assert bench.ask(Undo()).ok
    assert "enter its end" not in bench.noticed
    bench.wait(60)
    assert [event["event"] for event in bench.events_told].count("round_end") == 1
    assert len([one for one in bench.events() if one.event["event"] == "round_end"]) == 1


def test_a_round_that_was_about_to_end_by_itself_does_so_when_a_correction_is_taken_back() -> None:
    bench = ready(FULL, squails_each=2)
    bench.play_all(but=tuple(f"{side}-s{n}" for side in ("light", "dark") for n in range(3, 9)))
    (*_, last) = [one for one in bench.events() if one.event["event"] == "strike"]
    before = bench.noticed
    assert bench.ask(Correct(last.revision, remove=True)).ok
    assert bench.ask(Undo()).ok
    assert bench.noticed == before
    bench.wait(20)
    assert [event["event"] for event in bench.events_told].count("round_end") == 1


def test_what_was_said_in_a_round_is_said_again_when_a_correction_that_took_it_away_is_taken_back() -> None:
    bench = ready(FULL, squails_each=1)
    bench.play_all(but=tuple(f"{side}-s{n}" for side in ("light", "dark") for n in range(2, 9)))
    bench.wait(5)
    bench.collect()
    bench.lying["target"] = (60.0, 0.0)
    bench.wait(3)
    before = bench.noticed
    assert "target" in before
    (begun,) = [one for one in bench.events() if one.event["event"] == "new_round"]
    assert bench.ask(Correct(begun.revision, remove=True)).ok
    assert bench.noticed != before
    assert bench.ask(Undo()).ok
    assert bench.noticed == before


def one_each() -> SquailBench:
    """A round of one squail each, all of them played just now: it is about to end by itself."""
    bench = ready(FULL, squails_each=1)
    bench.play_all(but=tuple(f"{side}-s{n}" for side in ("light", "dark") for n in range(2, 9)))
    return bench


def test_a_correction_begins_no_round_of_itself_on_a_table_that_is_clear() -> None:
    bench = one_each()
    bench.wait(5)
    bench.collect()
    assert bench.events_told[-1]["event"] == "new_round"
    assert bench.ask(Undo()).ok
    (first, *_) = bench.events()
    before, told = bench.noticed, bench.events_told
    assert "enter the new round" in before
    for correction in (Correct(first.revision, remove=True), Correct(first.revision, insert_before=first.event)):
        assert bench.ask(correction).ok
        bench.wait(10)
        assert bench.events_told[-1]["event"] == "round_end"
        assert bench.ask(Undo()).ok
        assert (bench.noticed, bench.events_told) == (before, told)
    same_again(bench)
    bench.lying["light-s1"] = (50.0, 0.0)
    bench.wait(3)
    bench.collect()
    assert bench.events_told[-1]["event"] == "new_round", "cleared once more, it begins by itself"


def test_a_correction_of_a_correction_begins_no_round_of_itself_either() -> None:
    bench = one_each()
    bench.wait(5)
    (first, *_) = bench.events()
    assert bench.ask(Correct(first.revision, insert_before=first.event)).ok
    assert bench.engine.play is not None
    put = bench.engine.play.fold.steps[0].entry.revision
    bench.collect()
    assert bench.events_told[-1]["event"] == "new_round"
    assert bench.ask(Undo()).ok
    assert bench.ask(Correct(put, remove=True)).ok
    bench.wait(10)
    assert bench.events_told[-1]["event"] == "round_end"


def test_a_round_that_was_about_to_end_does_so_a_while_after_a_correction_is_taken_back() -> None:
    bench = one_each()
    (*_, last) = bench.events()
    before = bench.noticed
    assert bench.ask(Correct(last.revision, remove=True)).ok
    bench.wait(60)
    assert bench.ask(Undo()).ok
    assert (bench.noticed, bench.events_told[-1]["event"]) == (before, "strike")
    bench.wait(20)
    assert bench.events_told[-1]["event"] == "round_end"
    assert bench.ask(Undo()).ok
    bench.wait(20)
    assert bench.events_told[-1]["event"] == "strike", "what people have taken back isn't told again"
