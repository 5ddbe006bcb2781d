"""What a journal tells of all its games without folding any: finished games by the page, players, the best turns.

A game's first and latest result say how it ended; only these and its start are read.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from controller.engine.forgetting import SOMEBODY
from controller.engine.journal import reading

EVENING = timedelta(hours=10)
"""How long ago a game of the evening may have ended: as on the scoreboard."""

_FINISHED = """
select games.game, games.changed, start.body,
    (select body from records where game = games.game and kind = 'result' order by id desc limit 1),
    (select body from records where game = games.game and kind = 'result' order by id limit 1),
    exists(
        select 1 from records where game = games.game and kind in ('event', 'answer', 'correct', 'undo')
        and id > (select min(id) from records where game = games.game and kind = 'result')
    )
from games join records start on start.id = games.game
where games.state = 'over' and games.game < ?
order by games.game desc limit ?
"""

_RESULTS = """
select games.game, games.changed, start.body, result.body
from games join records start on start.id = games.game
join records result on result.id = (select max(id) from records where game = games.game and kind = 'result')
where games.state = 'over'
order by games.game
"""


@dataclass(frozen=True, slots=True)
class SideOf:
    """A side of a finished game. `first`: its score when the game was over, where that is another than now."""

    name: str
    score: int
    won: bool
    first: int | None = None


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished game. `ended`: wall time. `over` is false where a correction has left it without an end."""

    number: int
    ended: str
    game: str
    sides: tuple[SideOf, ...]
    over: bool
    draw: bool
    double: bool
    corrected: bool
    """Whether anything was done to it after it was over."""


@dataclass(frozen=True, slots=True)
class BestTurn:
    """The most that one event banked for a side: a turn, a stroke, a round; in which game, and when that ended."""

    points: int
    name: str
    game: str
    number: int
    ended: str


@dataclass(slots=True)
class Player:
    """A player by name. `best`: the best turn by game."""

    name: str
    games: int = 0
    won: int = 0
    best: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Tally:
    """Over all finished games: players, those who won most first, and by game the best turns of the evening and of all time."""

    games: int
    players: tuple[Player, ...]
    evening: dict[str, tuple[BestTurn, ...]]
    ever: dict[str, tuple[BestTurn, ...]]


def finished(journal: Path, *, before: int, most: int) -> list[Finished]:
    """Finished games, the latest first: those that began before the game of that number. Raises `JournalError`."""
    with reading(journal) as db:
        return [_finished(row) for row in db.execute(_FINISHED, (before, most))]


def tally(journal: Path, now: datetime, most: int) -> Tally:
    """Players, and by game so many best turns. Raises `JournalError`."""
    players: dict[str, Player] = {}
    turns: list[BestTurn] = []
    games = 0
    with reading(journal) as db:
        for number, ended, start, result in _results(db):
            games += 1
            over, best = result["over"] or {}, result.get("best", {})
            for side, name in zip(result["score"], start["sides"], strict=True):
                points = best.get(side, 0)
                turn = BestTurn(points, name, start["game"], number, ended)
                if points:
                    turns.append(turn)
                if name != SOMEBODY:
                    _count(players.setdefault(name, Player(name)), turn, won=over.get("winner") == side)
    turns.sort(key=lambda turn: (-turn.points, turn.number))
    tonight = [turn for turn in turns if now - datetime.fromisoformat(turn.ended).astimezone() < EVENING]
    ranked = sorted(players.values(), key=lambda player: (-player.won, -player.games, player.name.casefold(), player.name))
    return Tally(games, tuple(ranked), _by_game(tonight, most), _by_game(turns, most))


def _results(db: sqlite3.Connection) -> Iterator[tuple[int, str, dict[str, Any], dict[str, Any]]]:
    for number, ended, start, result in db.execute(_RESULTS):
        yield number, ended, json.loads(start), json.loads(result)


def _count(player: Player, turn: BestTurn, *, won: bool) -> None:
    player.games += 1
    player.won += won
    if turn.points > player.best.get(turn.game, 0):
        player.best[turn.game] = turn.points


def _by_game(turns: list[BestTurn], most: int) -> dict[str, tuple[BestTurn, ...]]:
    return {game: tuple(turn for turn in turns if turn.game == game)[:most] for game in sorted({turn.game for turn in turns})}


def _finished(row: tuple[Any, ...]) -> Finished:
    number, ended, start, result, first, corrected = row
    start, result, first = json.loads(start), json.loads(result), json.loads(first)
    over = result["over"]
    sides = tuple(
        SideOf(
            name,
            result["score"][side],
            won=over is not None and over["winner"] == side,
            first=first["score"][side] if first["score"][side] != result["score"][side] else None,
        )
        for side, name in zip(result["score"], start["sides"], strict=True)
    )
    draw, double = (over is not None and over[what] for what in ("draw", "double"))
    return Finished(number, ended, start["game"], sides, over is not None, draw, double, bool(corrected))
