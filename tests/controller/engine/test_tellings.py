"""What was told of questions holds as long as that because of which it was told."""

from __future__ import annotations

from controller.engine.records import Record
from controller.engine.tellings import Tellings
from controller.rules.shapes import to_json
from controller.tables.table import Choice, Question


def which(likely: str, **cups: str) -> Question:
    choices = tuple(
        Choice(key, key, {f"?black.{name}": f"{key} of {name}" for name in names.split()}) for key, names in cups.items()
    )
    return Question("black", "Which cup?", choices, likely, due=False)


def test_told_again_alike_it_is_no_news() -> None:
    tellings = Tellings()
    tellings.take(which("none", none="1", cup="1"))
    assert not tellings.is_news(which("none", none="1", cup="1"))
    assert tellings.is_news(which("cup", none="1", cup="1"))


def test_one_that_is_told_again_with_less_keeps_what_it_has_bound() -> None:
    tellings = Tellings()
    tellings.take(which("none", none="1 2", cup="1"))
    tellings.take(which("none", none="1", cup="1"))
    assert tellings.questions["black"].choices[0].binds == {"?black.1": "none of 1", "?black.2": "none of 2"}
    assert tellings.likely == {"?black.1": "none of 1", "?black.2": "none of 2"}
    assert tellings.bound["?black.2"] == tellings.questions["black"]


def test_what_a_correction_made_of_it_goes_with_the_correction_and_comes_back_with_it() -> None:
    tellings = Tellings()
    tellings.take(which("none", none="1 2"), 10)
    before = dict(tellings.questions), dict(tellings.likely)
    tellings.take(which("cup", cup="1 3"), 11)
    corrected = dict(tellings.questions), dict(tellings.likely)
    tellings.hold_under({10})
    assert (tellings.questions, tellings.likely) == before
    assert not tellings.is_news(which("none", none="1 2"))
    assert "?black.3" not in tellings.bound
    tellings.hold_under({10, 11})
    assert (tellings.questions, tellings.likely) == corrected


def test_after_an_undo_something_holds_that_was_told_since_only_if_a_sensor_has_told_it() -> None:
    tellings = Tellings()
    tellings.move(10)
    tellings.take(which("none", none="1"), 10)
    tellings.move(11)
    tellings.take(which("cup", cup="1"), 11)
    tellings.hold_under({10})
    assert not tellings.holds_since(11)
    assert tellings.holds_since(10)
    tellings.take(which("cup", cup="1 2"))
    assert tellings.holds_since(11)
    assert tellings.copy().holds_since(11)


def test_what_a_sensor_has_told_meanwhile_stays() -> None:
    tellings = Tellings()
    tellings.take(which("none", none="1"), 10)
    tellings.take(which("cup", cup="1"), 11)
    tellings.take(which("cup", cup="1 2"))
    tellings.hold_under({10})
    assert tellings.questions["black"].likely == "cup"
    assert tellings.likely == {"?black.1": "cup of 1", "?black.2": "cup of 2"}


def test_a_copy_goes_its_own_way() -> None:
    tellings = Tellings()
    tellings.take(which("none", none="1"), 10)
    tellings.take(which("cup", cup="1"), 11)
    tellings.hold_under({10})
    other = tellings.copy()
    assert other.questions == tellings.questions
    assert not other.is_news(which("none", none="1"))
    other.take(which("cup", cup="2"))
    assert tellings.questions["black"].likely == "none"
    other.hold_under({10, 11})
    assert {choice.key for choice in other.questions["black"].choices} == {"cup"}
    assert tellings.is_news(which("cup", cup="2"))


def test_a_journal_tells_because_of_what() -> None:
    tellings = Tellings()
    tellings.take_record(Record(5, "question", 1, 0, "", to_json(which("none", none="1"))))
    tellings.take_record(Record(8, "question", 1, 0, "", {**to_json(which("cup", cup="1")), "because": 7}))
    assert tellings.questions["black"].likely == "cup"
    tellings.hold_under(set())
    assert tellings.questions["black"].likely == "none"
