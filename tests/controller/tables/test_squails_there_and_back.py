"""A correction at a table of squails that is taken back leaves everything as it was: what is asked, said and to be gauged."""

from __future__ import annotations

import pytest

from controller.engine.requests import Correct, EnterEvent, Undo
from tests.squails_kit import SquailBench, ready
from tests.table_kit import same_again


def second_round(gap: float = 20) -> SquailBench:
    """The second round of one squail each is over."""
    bench = ready(squails_each=1)
    bench.play("light-s1", (300, 0))
    bench.play("dark-s1", (-300, 0))
    bench.wait(5)
    bench.collect()
    bench.play("light-s1", bench.near(gap))
    bench.play("dark-s1", bench.near(200, angle=2.0))
    bench.wait(5)
    return bench


def looks(bench: SquailBench) -> object:
    return bench.shown.phase, bench.score, bench.asked, bench.noticed, bench.shown.provisional


def there_and_back(bench: SquailBench, kind: str, **how: object) -> None:
    """The latest event of a kind is corrected, and that is taken back."""
    assert bench.engine.play is not None
    revision = [step.entry.revision for step in bench.engine.play.fold.steps if step.event["event"] == kind][-1]
    before = looks(bench)
    assert bench.ask(Correct(revision, **how)).ok  # type: ignore[arg-type]
    assert bench.ask(Undo()).ok
    assert looks(bench) == before
    same_again(bench)


@pytest.mark.parametrize("back", [False, True])
def test_a_dispute_is_gauged_after_a_new_round_was_taken_away_and_put_back(back: bool) -> None:
    bench = second_round()
    bench.press("light-claim")
    bench.wait(3)
    bench.press("dark-dispute")
    assert "Lay the gauge between the target and light squail 1" in bench.noticed
    if back:
        there_and_back(bench, "new_round", remove=True)
    bench.lay(touches=True)
    assert bench.events_told[-1] == {"event": "gauge", "squail": "light-s1", "touches": True}
    assert "Lay the gauge" not in bench.noticed


def test_a_gauge_that_is_taken_back_is_to_be_laid_again() -> None:
    bench = second_round()
    bench.press("light-claim")
    bench.wait(3)
    bench.press("dark-dispute")
    bench.lay(touches=True)
    assert bench.ask(Undo()).ok
    assert "Lay the gauge between the target and light squail 1" in bench.noticed
    there_and_back(bench, "dispute", remove=True)
    bench.wait(1)
    bench.lay(touches=True)
    assert bench.events_told[-1]["event"] == "gauge"


def test_what_the_gauge_said_is_asked_again_after_a_new_round_was_taken_away_and_put_back() -> None:
    bench = second_round(75.5)
    bench.lay(touches=False)
    assert (bench.asked, bench.score["light"]) == ([], 0)
    there_and_back(bench, "new_round", remove=True)
    bench.press("undo")
    assert len(bench.asked) == 1
    bench.lay(touches=True)
    assert (bench.asked, bench.score["light"]) == ([], 1)


def test_a_dispute_that_the_rules_refuse_is_not_gauged() -> None:
    bench = second_round()
    bench.press("light-claim")
    bench.wait(3)
    bench.press("dark-allow")
    bench.press("dark-dispute")
    assert [event["event"] for event in bench.flagged] == ["dispute"]
    assert "Lay the gauge" not in bench.noticed


def test_a_target_that_was_moved_by_no_stroke_is_still_so_after_a_correction_was_taken_back() -> None:
    bench = ready(squails_each=2)
    bench.play("light-s1", (300, 0))
    bench.play("dark-s1", (-300, 0))
    bench.play("light-s2", (0, 300))
    bench.play("dark-s2", (0, -300))
    bench.wait(5)
    bench.collect()
    bench.lying["target"] = (60.0, 0.0)
    bench.wait(3)
    assert "moved by no stroke" in bench.noticed
    there_and_back(bench, "new_round", remove=True)
    bench.play("light-s1", (300, 0))
    assert bench.events_told[-1]["target"] == "moved"


def test_a_round_that_is_about_to_end_is_so_after_a_stroke_was_entered_or_changed_and_that_taken_back() -> None:
    for act in ("entered", "changed"):
        bench = ready(squails_each=1)
        bench.play("light-s1", bench.near(20))
        bench.play("dark-s1", (-300, 0))
        if act == "changed":
            there_and_back(
                bench, "strike", replace={"event": "strike", "player": "dark-1", "squail": "dark-s1", "target": "moved"}
            )
        else:
            bench.ask(EnterEvent({"event": "claim_replay", "squail": "dark-s1", "by": "dark"}))
            assert bench.ask(EnterEvent({"event": "touch", "squails": ["dark-s1"], "by": "dark"})).ok
            assert bench.ask(Undo()).ok
        assert "a correction ends no round" not in bench.noticed
        bench.wait(20)
        assert bench.score == {"light": 1, "dark": 0}


def test_a_stroke_that_people_enter_last_leaves_them_time_to_take_it_back_before_the_round_ends() -> None:
    bench = ready(squails_each=1)
    bench.play("light-s1", bench.near(20))
    bench.wait(10)
    assert bench.ask(EnterEvent({"event": "strike", "player": "dark-1", "squail": "dark-s1"})).ok
    bench.wait(2)
    assert [event["event"] for event in bench.events_told] == ["strike", "strike"]
    bench.wait(2)
    assert bench.score == {"light": 1, "dark": 0}
