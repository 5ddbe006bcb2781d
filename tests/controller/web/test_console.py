"""What the console reads from the service, and the PIN."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from controller.engine.requests import EnterEvent
from controller.intake import Intake
from controller.publish.messages import ConsoleMessage
from controller.rules.registry import GAME_NAMES
from controller.web.server import ScoreServer
from tests.browser_kit import address
from tests.table_kit import Bench

Serve = Callable[..., ScoreServer]
SHOT = {"event": "shot", "ball": "white-1", "hit_black": True, "moves": [{"ball": "white-1", "to": "cup-5"}]}
SENSOR = '[[sensor]]\nkind = "switch"\nrole = "cup-1"\nsource = "sim"'


def get(server: ScoreServer, path: str) -> Any:
    answer = httpx.get(address(server, path))
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    return answer.json()


def bench_on(server: ScoreServer, game: str = "bagatelle", more: str = "") -> Bench:
    bench = Bench(f'[table]\nid = "test"\ngame = "{game}"\n{more}')
    bench.loop.publishers.append(server)
    return bench.open()


@pytest.mark.parametrize("game", GAME_NAMES)
def test_the_forms_are_told_whole(server: ScoreServer, game: str) -> None:
    bench = bench_on(server, game).start()
    told = get(server, "/api/console")
    assert told.keys() == {field.name for field in dataclasses.fields(ConsoleMessage)}
    assert bench.shown.ledger is not None
    forms = bench.shown.ledger.forms()
    assert told["forms"] == json.loads(json.dumps([dataclasses.asdict(form) for form in forms]))
    assert any(form["fields"] for form in told["forms"])


def test_it_follows_the_game(server: ScoreServer) -> None:
    bench = bench_on(server)
    idle = get(server, "/api/console")
    assert (idle["forms"], idle["undoable"], idle["sensors"]) == ([], None, [])
    assert idle["rules"][0]["option"]["name"] == "target"
    assert idle["rules"][0]["value"] == 120
    bench.start()
    bench.ask(EnterEvent(SHOT))
    now = get(server, "/api/console")
    assert now["forms"][0]["title"] == "white 2 played"
    assert now["undoable"] == {"kind": "event", "event": SHOT, "said": ""}
    assert now["revision"] == bench.shown.revision == get(server, "/api/score")["revision"]
    (row,) = get(server, "/api/console/events")["events"]
    assert (row["event"], row["fate"], row["awards"][0]["points"]) == (SHOT, "stands", 5)
    then = get(server, f"/api/console/events/{row['revision']}")
    assert then["forms"][0]["title"] == "white 1 strikes the black"


def test_sensors_come_with_their_health(server: ScoreServer) -> None:
    bench_on(server, more=SENSOR)
    (sensor,) = get(server, "/api/console")["sensors"]
    assert (sensor["sensor"], sensor["quarantined"], sensor["faults"]) == ("cup-1", False, [])


def test_an_event_that_is_gone_is_not_found(server: ScoreServer) -> None:
    bench_on(server).start()
    answer = httpx.get(address(server, "/api/console/events/1"))
    assert answer.status_code == 404
    assert answer.json()["error"] == "the game has no such event any more"
    for name in ("x", "-1", "9" * 5000, "%D9%A1"):
        assert httpx.get(address(server, f"/api/console/events/{name}")).status_code == 404


@pytest.mark.parametrize("path", ["/api/console", "/api/console/events"])
def test_before_the_first_state_the_table_is_starting(server: ScoreServer, path: str) -> None:
    assert httpx.get(address(server, path)).status_code == 503
    assert httpx.get(address(server, "/api/console/events/3")).status_code == 404


def test_a_pin_is_tried_without_doing_anything(serve: Serve) -> None:
    requests: list[Any] = []
    server = serve(intake=Intake(requests.append), token="4711")

    def knock(pin: str) -> httpx.Response:
        return httpx.post(address(server, "/api/pin"), headers={"authorization": f"Bearer {pin}"})

    assert knock("4711").json() == {"ok": True, "error": None}
    assert (knock("1").status_code, knock("1").json()["error"]) == (401, "that is not the marker's PIN")
    for _ in range(3):
        knock("1")
    locked = knock("4711")
    assert (locked.status_code, locked.headers["retry-after"]) == (429, "10")
    assert requests == []
    # No PIN is tried from another site's page.
    assert httpx.post(address(server, "/api/pin"), headers={"origin": "http://evil.example"}).status_code == 403
