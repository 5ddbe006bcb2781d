"""What the voice calls, over real games of all four kinds."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from controller.announce.announcer import Announcer
from controller.announce.sentences import Call, calls
from controller.engine.requests import Command, EnterEvent, StartGame, Undo
from controller.rules.awards import Over
from controller.rules.registry import GAME_NAMES
from tests.browser_kit import QUESTION, bagatelle, correction
from tests.legal_play import filling
from tests.table_kit import Bench

Event = dict[str, Any]


class Room:
    """A table without sensors, and everything that is said beside it."""

    def __init__(self, game: str, **options: Any) -> None:
        self._told: list[Call] = []
        self.bench = Bench(f'[table]\nid = "test"\ngame = "{game}"\n')
        self.bench.loop.publishers.append(Announcer(say=self._told.append))
        self.bench.open()
        self.began = self.hear(StartGame(("Ann", "Bob"), options))

    def hear(self, command: Command | Event) -> list[str]:
        reply = self.bench.ask(EnterEvent(command) if isinstance(command, dict) else command)
        assert reply.ok, reply.error
        return self.take()

    def take(self) -> list[str]:
        """What has been said since the last time."""
        told, self._told[:] = [call.text for call in self._told], []
        return told


def shot(*moves: tuple[str, str]) -> Event:
    return {"event": "shot", "ball": "white-1", "hit_black": True, "moves": [{"ball": ball, "to": to} for ball, to in moves]}


def stroke(side: str, *facts: Event) -> Event:
    return {"event": "stroke", "side": side, "ball": f"{side}-attack", "facts": list(facts)}


PASS = {"fact": "pass", "ball": "english-attack", "from": "own_side"}
GAPS = {f"{side}-s{n}": None for side in ("light", "dark") for n in range(1, 9)}
BAGATELLE = [
    (shot(("black", "cup-9"), ("white-1", "cup-4")), []),
    (
        {"event": "end_turn"},
        ["Ann scores 22. The best of it, 18: The black in cup 9 counts double. Ann 22, Bob 0. Bob to play."],
    ),
    (shot(("white-1", "cup-5")), []),
    ({"event": "end_turn"}, ["Bob scores 5. A ball in cup 5. Ann 22, Bob 5. Ann to play."]),
    (Undo(), ["Correction: Ann 22, Bob 0, Bob to play."]),
    (Undo(), ["Correction: Ann 22, Bob 5, Ann to play."]),
]
FORTIFICATION = [
    (stroke("english", PASS), ["Bob to play."]),
    (
        stroke("french", {"fact": "holed", "ball": "french-attack"}),
        ["Bob loses 2. The French attacking ball was holed. Ann 0, Bob minus 2. Ann to play."],
    ),
]
SQUAILS = [
    (
        {"event": "round_end", "gaps_mm": {**GAPS, "light-s1": 10, "light-s2": 20, "dark-s1": 50}},
        [
            "Ann scores 2. The best of it, 1: Light lies nearest to the target, within the gauge. Ann 2, Bob 0.",
            "Ann wins, 2 to 0.",
        ],
    ),
]
MAW = [
    ({"event": "new_deal"}, []),
    ({"event": "turn_up", "by": "A", "card": "AH"}, ["Ann scores 4. Ann turned up the ace of hearts. Ann 4, Bob 0."]),
    ({"event": "game_won", "by": "B"}, ["Bob scores 4. Bob has won the game: 4. Ann 4, Bob 4."]),
    ({"event": "offence", "law": 1, "by": "A"}, ["Bob wins, 4 to 4."]),
]


@pytest.mark.parametrize(
    ("game", "options", "steps"),
    [("bagatelle", {}, BAGATELLE), ("fortification", {}, FORTIFICATION), ("squails", {"target": 2}, SQUAILS), ("maw", {}, MAW)],
    ids=["bagatelle", "fortification", "squails", "maw"],
)
def test_a_game_is_called_as_a_marker_would(game: str, options: Event, steps: list[tuple[Command | Event, list[str]]]) -> None:
    room = Room(game, **options)
    assert [(what, room.hear(what)) for what, _ in steps] == steps


@pytest.mark.parametrize("game", GAME_NAMES)
@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_played_and_taken_back_is_told_in_whole_sentences(game: str, seed: int) -> None:
    chance, room = Random(seed), Room(game)
    told: list[str] = []
    for _ in range(30):
        ledger = room.bench.shown.ledger
        assert ledger is not None
        forms = ledger.forms()
        event = filling(chance, chance.choice(forms)) if forms else None
        command = Undo() if event is None or chance.random() < 0.1 else EnterEvent(event)
        room.bench.ask(command)  # what the rules refuse is not told
        texts = room.take()
        assert len(texts) <= 3
        told += texts
    assert all(re.fullmatch(r"[A-Z].*[.]", text) for text in told)
    assert not any(re.search(r"\b(None|True|False|[AB]-s\d|light-\d|english-|french-)", text) for text in told)


def test_cards_that_are_led_and_followed_are_not_called() -> None:
    room = Room("maw")
    for event in ({"event": "new_deal"}, {"event": "lead", "by": "A"}, {"event": "play", "by": "B"}):
        assert room.hear(event) == []


def test_a_new_game_is_called_by_who_plays_first() -> None:
    assert Room("bagatelle").began == ["Ann to play."]
    assert Room("maw").began == []


def test_what_was_before_the_program_began_is_no_news() -> None:
    told: list[Call] = []
    announcer = Announcer(say=told.append)
    announcer.offer(bagatelle(7), ())
    announcer.offer(bagatelle(8), ())
    assert told == []


def said(before: Any, now: Any, *happenings: Any) -> list[str]:
    return [call.text for call in calls(before, now, happenings)]


def test_a_draw_and_a_double_are_said() -> None:
    playing = bagatelle(1)
    over = replace(playing, phase="over", turn=None)
    drawn = replace(over, over=Over(None, draw=True, double=False, rule="BAG-15b"))
    double = replace(over, over=Over("B", draw=False, double=True, rule="BAG-14b"))
    assert said(playing, drawn) == ["The game is a draw: Ann 87, Bob 104."]
    assert said(playing, double) == ["Bob wins, 104 to 87. The game counts double."]
    assert said(drawn, drawn) == []


def test_a_winner_who_hangs_on_a_question_is_called_when_it_is_answered() -> None:
    playing = bagatelle(1)
    over = replace(playing, phase="over", turn=None, over=Over("B", draw=False, double=False, rule="BAG-14b"))
    doubtful = replace(over, provisional=True, questions=(QUESTION,))
    assert said(playing, doubtful) == []
    assert said(doubtful, over) == ["Bob wins, 104 to 87."]


def test_a_correction_of_another_days_game_is_not_called() -> None:
    other = replace(correction(2, {"A": 1}, {"A": 2}), game_id="g-0")
    assert said(bagatelle(1), bagatelle(2), other) == []
