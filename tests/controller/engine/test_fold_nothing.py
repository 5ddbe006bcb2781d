"""What was seen may turn out to be nothing: an unknown that is bound to null is left out of its list, and of its event."""

from __future__ import annotations

from controller.engine.fold import NOT_SO, Entry, Fold, fill
from controller.rules.awards import Json, Refusal
from controller.rules.registry import find_game
from controller.tables.table import LEFT_OUT


def test_an_item_bound_to_null_is_left_out_of_its_list_and_a_field_is_null() -> None:
    assert fill({"facts": ["?a", "?b", {"fort": "?c"}], "ball": "?a"}, {"?a": None, "?b": 1}) == {
        "facts": [1, {"fort": "?c"}],
        "ball": None,
    }


def test_a_field_of_an_event_may_be_left_out_so_that_one_record_may_be_of_either_kind() -> None:
    entry = Entry(7, {"event": "?kind", "card": "?card", "law": "?law", "note": "?note"}, "sensor")
    binds: dict[str, Json] = {"?kind": "play", "?card": "5S", "?law": LEFT_OUT, "?note": None}
    assert entry.filled(binds) == {"event": "play", "card": "5S"}
    binds |= {"?kind": "offence", "?card": LEFT_OUT, "?law": 2}
    assert entry.filled(binds) == {"event": "offence", "law": 2}


def test_a_null_that_people_have_entered_is_for_the_rules_to_refuse() -> None:
    entry = Entry(7, {"event": "?kind", "note": None}, "marker")
    assert entry.filled({"?kind": "play"}) == {"event": "play", "note": None}


def test_an_event_of_which_the_answer_leaves_nothing_did_not_happen() -> None:
    fold = Fold(find_game("fortification"), {}, {})
    put_back = Entry(1, {"event": "respotted", "ball": "?spot"}, "sensor")
    fold.run([put_back], {"?spot": None})
    outcome = fold.steps[0].outcome
    assert isinstance(outcome, Refusal)
    assert outcome.text == NOT_SO
    fold.run([Entry(2, {"event": "respotted"}, "sensor")], {})
    outcome = fold.steps[0].outcome
    assert isinstance(outcome, Refusal)
    assert "'ball' is missing" in outcome.text
