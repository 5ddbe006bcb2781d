"""What the table's button answers is marked on the scoreboard, in the place of the likely answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from controller.engine.snapshot import Snapshot
from tests.browser_kit import QUESTION, bagatelle
from tests.scoreboard_kit import LONG_QUESTION

pytestmark = pytest.mark.browser


def test_the_room_sees_which_answer_the_button_gives(show: Callable[[Snapshot], Page]) -> None:
    for key, text in QUESTION.choices:
        page = show(bagatelle(1, questions=(replace(QUESTION, offered=key),)))
        expect(page.locator(".question .likely")).to_have_text(text)
    other = next(key for key, _ in LONG_QUESTION.choices if key != LONG_QUESTION.likely)
    page = show(bagatelle(1, questions=(replace(LONG_QUESTION, offered=other),)))
    expect(page.locator(".question li")).to_have_text([dict(LONG_QUESTION.choices)[other]])
