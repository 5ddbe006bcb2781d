"""What a viewer of the inputs is told, over a panel that the test feeds."""

from __future__ import annotations

import json
from typing import Any

from controller.fitting.detectors import build_detectors
from controller.installer import Installer
from hardware.signals import MS, SECOND, Signal
from hardware.watching import WatchedPanel
from tests.table_kit import table_of

NOW = 1000 * SECOND
TEXT = (
    '[table]\nid = "oak-room"\ngame = "bagatelle"\n'
    '[[sensor]]\nname = "three"\nkind = "switch"\nrole = "cup-3"\nsource = "sim"\nlockout_on = "200ms"\n'
    '[[sensor]]\nkind = "beam"\nrole = "half-way"\nsource = ["sim", "sim"]\n'
)
BELL = (
    '[table]\nid = "snug"\ngame = "fortification"\n[[board]]\nname = "left"\nid = "left"\n'
    '[[sensor]]\nkind = "bell"\nrole = "french-grand"\nsource = "board:left/14"\nthreshold = 44\n'
    '[[output]]\nname = "lamp"\nkind = "lamp"\nsource = "gpio:22"\n'
)


class Looker:
    def __init__(self, text: str = TEXT) -> None:
        table = table_of(text)
        self.now = NOW
        self.panel = WatchedPanel(build_detectors(table))
        self.panel.begin(dict.fromkeys(self.panel.channels, 1), NOW - 100 * SECOND)
        self.installer = Installer(table, self.panel, lambda: self.now)

    def set(self, channel: str, level: int, at_ms: int) -> None:
        self.panel.feed(Signal(NOW + at_ms * MS, channel, level))

    def until(self, at_ms: int) -> None:
        self.now = NOW + at_ms * MS
        self.panel.advance("sim", self.now)


def told(news: str | None) -> Any:
    assert news is not None
    return json.loads(news)


def since(at: float) -> float:
    return at - NOW / MS


def test_the_inputs_are_told_as_they_are_wired_and_set() -> None:
    three, beam = told(Looker().installer.describe())["inputs"]
    assert three == {
        "sensor": "three",
        "role": "cup-3",
        "what": "a ball lies in cup 3",
        "kind": "switch",
        "channels": ["sim:three"],
        "active": 0,
        "pull": "up",
        "settle": {"on": 150.0, "off": 150.0},
        "lockout": {"on": 200.0, "off": 0.0},
    }
    assert (beam["channels"], beam["settle"]) == (["sim:half-way/near", "sim:half-way/far"], {"on": 2.0, "off": 2.0})


def test_a_bell_is_told_with_what_it_is_judged_by_and_outputs_with_their_lines() -> None:
    described = told(Looker(BELL).installer.describe())
    (bell,) = described["inputs"]
    assert (bell["form"], bell["threshold"], bell["weakest"], bell["judge"], bell["keep"]) == (
        "readings",
        44,
        60,
        [100, 180],
        0.15,
    )
    assert described["outputs"] == [{"output": "lamp", "kind": "lamp", "source": "gpio:22"}]


def test_a_press_is_told_raw_then_as_what_counts_and_what_was_made_of_it() -> None:
    looker = Looker()
    news = looker.installer.look()
    assert told(news())["levels"] == {"sim:three": 1, "sim:half-way/near": 1, "sim:half-way/far": 1}
    assert news() is None
    looker.set("sim:three", 0, 50)
    looker.until(60)
    raw = told(news())
    assert [(since(at), channel, value) for at, channel, value in raw["signals"]] == [(50, "sim:three", 0)]
    assert raw.keys() == {"now", "signals"}
    looker.until(300)
    known = told(news())
    assert [(since(at), since(sure), channel, on) for at, sure, channel, on in known["changes"]] == [(50, 200, "sim:three", True)]
    assert [(since(at), since(sure), *rest) for at, sure, *rest in known["seen"]] == [(50, 200, "three", "level", True, False)]
    assert news() is None


def test_a_newcomer_sees_the_last_ten_seconds() -> None:
    looker = Looker()
    looker.set("sim:three", 0, 0)
    looker.until(5_000)
    looker.set("sim:three", 1, 8_000)
    looker.until(11_000)
    seen = told(looker.installer.look()())
    assert [(since(at), value) for at, _, value in seen["signals"]] == [(8_000, 1)]
    assert [(since(at), on) for at, _, _, on in seen["changes"]] == [(8_000, False)]
    assert seen["levels"]["sim:three"] == 1


def test_each_viewer_is_told_everything() -> None:
    looker = Looker()
    one, other = looker.installer.look(), looker.installer.look()
    one()
    looker.set("sim:three", 0, 50)
    looker.until(300)
    assert len(told(one())["changes"]) == len(told(other())["changes"]) == 1
