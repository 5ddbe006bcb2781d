"""Events in words: no program speaks in them, and no distance is told that nobody measured."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.engine.wording import event_text, gaps_text, spoken
from controller.rules.registry import GAME_NAMES, find_game

CASES = Path(__file__).parents[2] / "cases"


def events(found: Any) -> Iterator[dict[str, Any]]:
    """All objects in a case that are events."""
    if isinstance(found, dict):
        if isinstance(found.get("event"), str) and found["event"] != "game":
            yield found
        for one in found.values():
            yield from events(one)
    elif isinstance(found, list):
        for one in found:
            yield from events(one)


@pytest.mark.parametrize("game", GAME_NAMES)
def test_every_event_is_told_in_words(game: str) -> None:
    kinds = set()
    for line in (CASES / f"{game}.jsonl").read_text().splitlines():
        for event in events(json.loads(line)):
            text = event_text(event)
            kinds.add(event["event"])
            assert not re.search(r"[{}\[\]_]|True|False|None|  ", text), text
            assert text[0] == text[0].upper(), text
    assert len(kinds & set(find_game(game).events)) >= 2


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (
            {
                "event": "stroke",
                "side": "english",
                "ball": "english-attack",
                "facts": [{"fact": "bell", "fort": "french-grand", "ball": "english-attack"}],
            },
            "English: English attacking ball rings the French grand fort",
        ),
        (
            {"event": "stroke", "side": "french", "ball": "french-defence-1", "facts": []},
            "French with the French defending ball 1: nothing",
        ),
        (
            {"event": "strike", "player": "light-1", "squail": "light-s3", "crossed_far_line": True},
            "Light 1 strikes light squail 3, right across the table",
        ),
        (
            {"event": "strike", "player": "A", "squail": "A-s1", "crossed_far_line": False, "target": "moved"},
            "A strikes A squail 1, target moved",
        ),
        ({"event": "gauge", "squail": "dark-s2", "touches": False}, "Gauge on dark squail 2: it doesn't touch"),
        (
            {"event": "round_end", "gaps_mm": {"light-s1": 20.04, "dark-s1": None}},
            "Round measured: light squail 1 20.0 mm, dark squail 1 out",
        ),
        (
            {"event": "round_end", "gaps_mm": {"light-s1": 0.0, "dark-s1": None}, "note": "counted"},
            "Round counted by people: light 1",
        ),
        ({"event": "round_end", "gaps_mm": {"light-s1": None}, "note": "counted"}, "Round counted by people: none"),
        ({"event": "round_end", "gaps_mm": {}}, "Round ended, not measured"),
        ({"event": "rob", "by": "A", "has_ace": False}, "A robs, without the ace of trumps"),
        (
            {"event": "shot", "ball": "red-4", "hit_black": False, "moves": [{"ball": "red-4", "to": "cup-3"}]},
            "Red 4 played; red 4 in cup 3",
        ),
    ],
)
def test_an_event_is_a_sentence(event: dict[str, Any], said: str) -> None:
    assert event_text(event) == said


def test_names_and_distances() -> None:
    assert spoken("french-advanced-1") == "French advanced fort 1"
    assert gaps_text({"dark-s1": 30.0, "light-s2": 10.0}) == "light squail 2 10.0 mm, dark squail 1 30.0 mm"
    assert gaps_text({"dark-s1": 0.0, "light-s2": 0.0, "light-s1": 0.0}, counted=True) == "dark 1 and light 2"
