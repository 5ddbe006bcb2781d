"""For each game a game line and a few events that can be played over and over, some of them refused: for games without end."""

from __future__ import annotations

from typing import Any

LONG_GAMES: dict[str, list[dict[str, Any]]] = {
    "bagatelle": [
        {"event": "game", "game": "bagatelle", "options": {"target": 10**9}},
        {"event": "shot", "ball": "white-1", "hit_black": True, "moves": [{"ball": "black", "to": "cup-9"}]},
        {"event": "shot", "ball": "white-1", "hit_black": False, "moves": []},
        {"event": "end_turn", "note": "a remark"},
    ],
    "fortification": [
        {"event": "game", "game": "fortification", "options": {"target": 10**9}},
        {"event": "stroke", "side": "english", "ball": "english-attack", "facts": [{"fact": "holed", "ball": "french-attack"}]},
        {"event": "respotted", "ball": "french-attack"},
        {"event": "respotted", "ball": "french-attack"},
        {
            "event": "stroke",
            "side": "french",
            "ball": "french-attack",
            "facts": [{"fact": "pass", "ball": "french-attack", "from": "own_side"}],
        },
        {"event": "colours_down", "of": "english-pass", "by": "french"},
    ],
    "squails": [
        {"event": "game", "game": "squails", "options": {"target": 10**9}},
        {"event": "strike", "player": "light-1", "squail": "light-s1", "target": "moved"},
        {"event": "round_end", "gaps_mm": {"light-s1": 20, "dark-s1": 30}},
        {"event": "touch", "squails": ["dark-s1"], "by": "dark"},
        {"event": "claim", "by": "light-1", "count": 1},
        {"event": "new_round", "target_at": "elsewhere"},
        {"event": "new_round", "target_at": "centre"},
    ],
    "maw": [
        {"event": "game", "game": "maw", "options": {"out": 10**9}},
        {"event": "turn_up", "by": "A", "card": "5H"},
        {"event": "vie", "by": "B"},
        {"event": "pledge", "by": "A"},
        {"event": "lead", "by": "A", "card": "AH"},
        {"event": "play", "by": "B", "card": "AH"},
        {"event": "offence", "law": 3, "by": "B"},
        {"event": "new_deal"},
    ],
}
