"""Every page still looks as it did when somebody last looked at it: a coarse picture in lightness is compared.

The pictures are text, `looks/GAME-SCENE-SCREEN.txt`: a digit from 0 (black) to f (white) for each field of a raster.
`python -m tests.looks_kit` writes them anew; look at the pages before you keep them.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page

from controller.engine.snapshot import Snapshot
from tests.looks_kit import LOOKS, NOT_LIVE, PAGES, SCREENS, Eye, difference, opened, read_look, states

pytestmark = pytest.mark.browser

Show = Callable[[Snapshot], Page]

TOLERANCE = 0.016
"""How far two pictures may lie apart: the mean over all fields of the difference in lightness, of 1.

Measured on these pages: every letter in another typeface, serif for sans and monospace for serif, makes 0.005 to 0.015, so the
fonts of another machine stay below it. A head that isn't drawn makes 0.017 to 0.051, a table that isn't 0.048 to 0.116,
and half of one 0.020 to 0.053 in play.
"""


@pytest.fixture(scope="module")
def eye(browser: Browser) -> Eye:
    return Eye(browser)


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_it_looks_as_it_did(show: Show, page: Page, eye: Eye, look: tuple[str, str, str]) -> None:
    game, name, screen = look
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size(SCREENS[screen])
    show(states(game)[name]())
    if name == "not-live":
        page.evaluate(NOT_LIVE)
    apart = difference(eye.look(page), read_look(look))
    assert apart <= TOLERANCE, f"{apart:.3f}: look at the page, then `python -m tests.looks_kit`"


@pytest.mark.parametrize("look", PAGES, ids=str)
def test_the_other_pages_look_as_they_did(page: Page, eye: Eye, look: tuple[str, str, str]) -> None:
    with opened(page, look):
        apart = difference(eye.look(page), read_look(look))
        assert apart <= TOLERANCE, f"{apart:.3f}: look at the page, then `python -m tests.looks_kit`"
        page.evaluate("document.getElementById('page').style.visibility = 'hidden'")
        assert difference(eye.look(page), read_look(look)) > TOLERANCE


def test_a_table_that_is_missing_is_noticed(show: Show, page: Page, eye: Eye) -> None:
    page.emulate_media(reduced_motion="reduce")
    for game, name, screen in LOOKS:
        if screen == "television" and name not in ("not-live", "paused"):
            show(states(game)[name]())
            page.evaluate("document.querySelector('.place').style.visibility = 'hidden'")
            assert difference(eye.look(page), read_look((game, name, screen))) > 2 * TOLERANCE, game
            page.evaluate("document.querySelector('.place').style.visibility = ''")
