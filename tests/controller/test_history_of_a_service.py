"""A whole service: its finished games are in the history, and a player is forgotten over HTTP with the marker's PIN."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from controller.publish.settings import MqttMisuse
from controller.service import Service
from controller.tablefile import load_table
from tests.broker_kit import free_port
from tests.console_kit import PIN

BLACK = {"event": "shot", "ball": "white-1", "hit_black": True, "moves": [{"ball": "black", "to": "cup-9"}]}
END = {"event": "end_turn"}


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    port = free_port()
    path = tmp_path / "table.toml"
    path.write_text(
        f'[table]\nid = "snug"\ngame = "bagatelle"\n[web]\nlisten = "127.0.0.1:{port}"\n[marker]\npin_env = "PIN"\n'
        '[mqtt]\nbroker = "none"\n'
    )
    service = Service(load_table(path), tmp_path, {"PIN": PIN})
    service.start()
    yield f"http://127.0.0.1:{port}"
    service.stop()


def ask(url: str, **command: Any) -> dict[str, Any]:
    answer = httpx.post(f"{url}/api/command", json=command, headers={"authorization": f"Bearer {PIN}"}, timeout=10)
    reply: dict[str, Any] = answer.json()
    return reply


def test_a_game_is_in_the_history_when_it_is_over_and_a_player_of_it_can_be_forgotten(url: str, tmp_path: Path) -> None:
    assert ask(url, command="start_game", sides=["Zebulon", "Bob"], options={"target": 10})["ok"]
    assert ask(url, command="event", event=BLACK)["ok"]
    assert httpx.get(f"{url}/api/history/games").json()["games"] == []
    assert "a game is in play" in ask(url, command="forget_player", name="Zebulon")["error"]
    for turn in ("Zebulon's", "Bob's"):
        assert ask(url, command="event", event=END, id=turn)["ok"]
    (game,) = httpx.get(f"{url}/api/history/games").json()["games"]
    assert [(side["name"], side["score"], side["won"]) for side in game["sides"]] == [("Zebulon", 18, True), ("Bob", 0, False)]
    assert httpx.get(f"{url}/api/history").json()["best"]["evening"]["bagatelle"][0]["name"] == "Zebulon"
    assert ask(url, command="forget_player", name="Zebulon", id="between games")["ok"]
    assert "Zebulon" not in json.dumps(httpx.get(f"{url}/api/score").json())
    assert "Zebulon" not in httpx.get(f"{url}/api/history/games/{game['number']}").text
    assert all(b"Zebulon" not in path.read_bytes() for path in tmp_path.glob("*.sqlite3*"))


@pytest.mark.parametrize("pin", ["47 11", "4711 ", "käse", "\ufeff4711"])
def test_a_pin_that_nobody_could_enter_is_refused_at_the_start(pin: str, tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    web = f'[web]\nlisten = "127.0.0.1:{free_port()}"\n[marker]\npin_env = "PIN"\n'
    path.write_text(f'[table]\nid = "snug"\ngame = "bagatelle"\n[mqtt]\nbroker = "none"\n{web}')
    service = Service(load_table(path), tmp_path, {"PIN": pin})
    try:
        with pytest.raises(MqttMisuse, match=r"the marker's PIN has a blank or a letter that no browser can send") as refused:
            service.start()
        assert pin not in str(refused.value)
    finally:
        service.stop()
