"""How pages look, coarsely: a raster of lightness, kept as text so that a change can be read in a diff.

`python -m tests.looks_kit` writes the pictures that `test_same_looks.py` compares with.
"""

from __future__ import annotations

import base64
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from controller.engine.requests import StartGame
from controller.engine.snapshot import Snapshot
from tests import scoreboard_kit
from tests.browser_kit import FLAGS, PHONE, TELEVISION, address, chromium, make_server, scenes
from tests.console_kit import Marker, asked, live, table_text
from tests.history_kit import open_list, parlour, told
from tests.sensors_kit import bench, open_page

FOLDER = Path(__file__).parent / "controller" / "web" / "looks"
SCREENS: dict[str, ViewportSize] = {
    "television": {"width": TELEVISION[0], "height": TELEVISION[1]},
    "phone": {"width": PHONE[0], "height": PHONE[1]},
}
FIELDS = {"television": (64, 36), "phone": (30, 65)}
"""Across and down: a field of a television is as large as a squail in the glass is wide, three to a letter of the score."""

Look = tuple[str, str, str]
"""Game, scene, screen."""
Picture = list[list[float]]
"""Rows of lightness, 0 to 1 in fifteen steps."""

LOOKS: list[Look] = [
    (game, scene, screen)
    for game, played in {"bagatelle": "playing", "fortification": "rung", "squails": "playing", "maw": "vied"}.items()
    for scene in (played, "over", "idle", *(("paused", "question", "not-live") if game == "bagatelle" else ()))
    for screen in SCREENS
    if screen == "television" or scene == played
]
PAGES: list[Look] = [("marker", "question", "phone"), ("sensors", "moved", "television"), ("history", "games", "phone")]
"""The other pages, of tables that run."""

NOT_LIVE = "() => { document.body.dataset.link = 'dead'; document.getElementById('link').textContent = 'Not live since 21:14'; }"
"""As when nothing has been heard for five seconds."""

SHRINK = """
async ([png, across, down]) => {
  const picture = new Image();
  picture.src = "data:image/png;base64," + png;
  await picture.decode();
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.drawImage(picture, 0, 0);
  const { data } = pen.getImageData(0, 0, picture.width, picture.height);
  const sums = new Float64Array(across * down), counts = new Float64Array(across * down);
  for (let y = 0; y < picture.height; y += 2) {
    for (let x = 0; x < picture.width; x += 2) {
      const at = 4 * (y * picture.width + x);
      const field = Math.floor((y * down) / picture.height) * across + Math.floor((x * across) / picture.width);
      sums[field] += 0.2126 * data[at] + 0.7152 * data[at + 1] + 0.0722 * data[at + 2];
      counts[field] += 255;
    }
  }
  return Array.from(sums, (sum, field) => sum / counts[field]);
}
"""


LIGHTEST = """
async (png) => {
  const picture = new Image();
  picture.src = "data:image/png;base64," + png;
  await picture.decode();
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.drawImage(picture, 0, 0);
  const { data } = pen.getImageData(0, 0, picture.width, picture.height);
  return Array.from({ length: picture.height }, (_, y) => {
    let most = 0;
    for (let x = 0; x < picture.width; x += 1) {
      const at = 4 * (y * picture.width + x);
      most = Math.max(most, 0.2126 * data[at] + 0.7152 * data[at + 1] + 0.0722 * data[at + 2]);
    }
    return most / 255;
  });
}
"""


class Eye:
    """Looks at pages; it has a blank page of its own, since the pages' policy forbids them to look at themselves."""

    def __init__(self, browser: Browser) -> None:
        self._blank = browser.new_page()

    def look(self, page: Page) -> Picture:
        """The picture of a page as it is now."""
        size = page.viewport_size
        assert size is not None
        across, down = FIELDS["television" if size["width"] > size["height"] else "phone"]
        png = base64.b64encode(page.screenshot()).decode()
        flat: list[float] = self._blank.evaluate(SHRINK, [png, across, down])
        return [[round(light * 15) / 15 for light in flat[row * across : (row + 1) * across]] for row in range(down)]

    def written(self, png: bytes) -> list[float]:
        """The lightest spot of each row of pixels of a picture."""
        rows: list[float] = self._blank.evaluate(LIGHTEST, base64.b64encode(png).decode())
        return rows


def states(game: str) -> dict[str, Callable[[], Snapshot]]:
    """The scenes of any game."""
    if game == "bagatelle":
        known = {name: partial(replace, state) for name, state in scenes()}
        return {**known, "not-live": known["playing"]}
    return {name: partial(scoreboard_kit.scene, game, name) for name in scoreboard_kit.names(game)}


@contextmanager
def opened(page: Page, look: Look) -> Iterator[None]:
    """One of the other pages, as it is looked at, until the block ends."""
    page.set_viewport_size(SCREENS[look[2]])
    page.emulate_media(reduced_motion="reduce")
    if look[0] == "marker":
        with live(table_text("bagatelle")) as table:
            table.ask(StartGame(("Ann", "Bob")))
            shown = replace(asked(), revision=table.state.revision + 1)
            Marker(page, table).open()
            table.server.offer(shown)
            expect(page.locator("#page")).to_have_attribute("data-revision", str(shown.revision))
            yield
    elif look[0] == "sensors":
        with bench() as inputs:
            open_page(page, inputs)
            inputs.set("sim:centre", on=True)
            expect(page.locator("[data-sensor=centre] .made")).to_contain_text("on")
            expect(page.locator("[data-lit]")).to_have_count(0)
            yield
    else:
        with tempfile.TemporaryDirectory() as there, parlour(Path(there)) as place:
            for winner in ("Ann", "Bob"):
                place.play(winner, "Cleo")
            with told(place.path) as server:
                open_list(page, server)
                yield


def difference(one: Picture, other: Picture) -> float:
    """The mean difference in lightness of all fields."""
    pairs = [(a, b) for row, also in zip(one, other, strict=True) for a, b in zip(row, also, strict=True)]
    return sum(abs(a - b) for a, b in pairs) / len(pairs)


def _file(look: Look) -> Path:
    return FOLDER / f"{'-'.join(look)}.txt"


def read_look(look: Look) -> Picture:
    """A picture as it was kept."""
    return [[int(digit, 16) / 15 for digit in line] for line in _file(look).read_text(encoding="ascii").splitlines()]


def written(picture: Picture) -> str:
    """A picture as text."""
    return "".join("".join(f"{round(light * 15):x}" for light in row) + "\n" for row in picture)


def write_looks() -> None:
    """Take all pictures anew."""
    FOLDER.mkdir(exist_ok=True)
    server = make_server()
    server.start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        eye = Eye(browser)
        for revision, look in enumerate(LOOKS, 1):
            game, name, screen = look
            server.offer(replace(states(game)[name](), revision=revision))
            page = browser.new_page(viewport=SCREENS[screen], reduced_motion="reduce", locale="en-GB")
            page.goto(address(server))
            expect(page.locator("body")).to_have_attribute("data-link", "live")
            if name == "not-live":
                page.evaluate(NOT_LIVE)
            _file(look).write_text(written(eye.look(page)), encoding="ascii")
            page.close()
        for look in PAGES:
            page = browser.new_page(locale="en-GB")
            with opened(page, look):
                _file(look).write_text(written(eye.look(page)), encoding="ascii")
            page.close()
        browser.close()
    server.stop()


if __name__ == "__main__":
    write_looks()
