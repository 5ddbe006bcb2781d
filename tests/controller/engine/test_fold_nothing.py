"""What was seen may turn out to be nothing: an unknown in a list that is bound to null is left out."""

from __future__ import annotations

from controller.engine.fold import fill


def test_an_item_bound_to_null_is_left_out_of_its_list_and_a_field_is_null() -> None:
    assert fill({"facts": ["?a", "?b", {"fort": "?c"}], "ball": "?a"}, {"?a": None, "?b": 1}) == {
        "facts": [1, {"fort": "?c"}],
        "ball": None,
    }
