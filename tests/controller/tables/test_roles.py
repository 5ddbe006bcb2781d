"""What sensors mean, in the words in which the rules and the questions speak of the same things."""

from __future__ import annotations

import re

from controller.rules.fortification.words import NAME
from controller.tables.roles import FORTIFICATION


def test_forts_and_balls_are_called_as_the_rules_call_them() -> None:
    texts = {role.name: role.text for role in FORTIFICATION}
    assert texts["french-grand"] == "the bell of the French grand fort rings"
    assert texts["english-defence-2-spot"] == "the second English defending ball stands on its spot"
    assert not [text for text in texts.values() if re.search("english|french|-[1-9]", text)]
    assert all(any(name in text for text in texts.values()) for name in NAME.values())
