"""Tables without sensors: every game is run by the marker alone."""

from __future__ import annotations

from random import Random

import pytest

from controller.engine.requests import Abandon, EnterEvent, Pause, Resume, StartGame, Undo
from controller.rules.registry import GAME_NAMES
from tests.legal_play import filling
from tests.table_kit import Bench


def head(game: str) -> str:
    return f'[table]\nid = "test"\ngame = "{game}"\n'


@pytest.mark.parametrize("game", GAME_NAMES)
def test_any_game_is_played_by_its_offers_alone(game: str) -> None:
    bench = Bench(head(game)).open().start()
    assert bench.shown.phase == "playing"
    chance, entered = Random(4), 0
    for _ in range(60):
        assert bench.shown.ledger is not None
        forms = [form for form in bench.shown.ledger.forms() if form.closed]
        if not forms:
            break
        event = filling(chance, forms[0])
        assert event is not None
        reply = bench.ask(EnterEvent(event))
        assert reply.ok, (event, reply.error)
        entered += 1
    assert entered > 10
    assert bench.shown.phase == ("over" if bench.shown.over else "playing")
    assert bench.shown.moves == entered


@pytest.mark.parametrize("game", GAME_NAMES)
def test_a_new_game_is_ready_at_once(game: str) -> None:
    bench = Bench(head(game)).open()
    assert bench.shown.phase == "idle"
    assert bench.ask(StartGame()).ok
    assert bench.shown.phase == "playing"
    assert bench.shown.seen == {}


def test_pause_and_resume_and_giving_up() -> None:
    bench = Bench(head("bagatelle")).open().start()
    assert bench.ask(Pause()).ok
    assert bench.ask(Pause()).ok
    assert bench.shown.phase == "paused"
    assert bench.ask(Resume()).ok
    assert bench.shown.phase == "playing"
    assert bench.ask(Abandon()).ok
    assert bench.shown.phase == "abandoned"


def test_a_game_that_ends_is_over_and_an_undo_brings_it_back() -> None:
    bench = Bench(head("fortification")).open().start(target=2)
    fault = {
        "side": "english",
        "event": "stroke",
        "ball": "english-attack",
        "facts": [{"fact": "holed", "ball": "french-attack"}],
    }
    for _ in range(20):
        bench.ask(EnterEvent({**fault, "side": bench.shown.turn, "ball": f"{bench.shown.turn}-attack"}))
        if bench.shown.over:
            break
    assert bench.shown.phase == "over"
    assert bench.ask(Undo()).ok
    assert bench.shown.phase == "playing"


def test_a_pause_across_a_restart_asks_whether_to_go_on() -> None:
    bench = Bench(head("squails")).open().start()
    again = bench.again().open()
    assert again.shown.phase == "paused"
    assert [question.id for question in again.shown.questions] == ["go-on"]
