"""The games of a journal as the pages of `/history` read them: JSON, a bounded piece at a time."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from controller.engine.chronicle import finished, tally
from controller.engine.journal import JournalError, reading
from controller.engine.retelling import Retelling, retell
from controller.publish.messages import encode, score_message
from controller.web.errors import HistoryUnreadable

GAMES_A_PAGE = 20
PLAYERS_A_PAGE = 50
STATES_A_PAGE = 40
MOST_BEST = 5
"""Best turns of each game, of the evening and of all time."""
MOST_EVENTS = 5000
"""Of one game; a game of an evening has hundreds."""
LAST = 2**62


class Historian:
    """Reads one journal, through connections of its own; safe from any thread. All of it raises `HistoryUnreadable`."""

    def __init__(self, journal: Path, now: Callable[[], datetime]) -> None:
        self._journal = journal
        self._now = now
        self._lock = threading.Lock()
        self._opened: tuple[tuple[object, ...], Retelling] | None = None

    def games(self, before: int | None) -> bytes:
        """A page of finished games, the latest first; `next` is what the page after it begins before."""
        with _readable():
            found = finished(self._journal, before=LAST if before is None else before, most=GAMES_A_PAGE + 1)
        page = found[:GAMES_A_PAGE]
        return encode({"games": page, "next": page[-1].number if len(found) > len(page) else None})

    def tally(self, first: int) -> bytes:
        """How many games, the best turns, and a page of the players beginning with the one at `first`."""
        with _readable():
            found = tally(self._journal, self._now(), MOST_BEST)
        players = found.players[first : first + PLAYERS_A_PAGE]
        rest = first + len(players)
        return encode(
            {
                "games": found.games,
                "best": {"evening": found.evening, "ever": found.ever},
                "players": players,
                "next": rest if rest < len(found.players) else None,
            }
        )

    def game(self, number: int) -> bytes | None:
        """A finished game with its events; None where there is none of that number."""
        told = self._open(number)
        if told is None:
            return None
        kept = told.kept
        body: dict[str, Any] = kept.start.body
        head = {
            "number": number,
            "game": kept.game.name,
            "started": kept.start.wall,
            "sides": [{"id": side, "name": name, "score": kept.score[side]} for side, name in kept.names.items()],
            "options": kept.game.read_options(body["options"]),
            "over": kept.over,
            "first": kept.first_result,
            "corrections": kept.corrections,
            "answers": [{"question": question, "answer": answer, "by": by} for question, answer, by in kept.answers],
            "events": told.events[:MOST_EVENTS],
            "states": len(kept.steps) + 1,
        }
        return encode(head)

    def states(self, number: int, first: int) -> bytes | None:
        """States of a finished game from the one at `first` on, each as `/api/score` told it; None where there is none."""
        told = self._open(number)
        if told is None:
            return None
        last = min(first + STATES_A_PAGE, len(told.kept.steps) + 1)
        return encode({"first": first, "states": [score_message(told.state(place)) for place in range(first, last)]})

    def _open(self, number: int) -> Retelling | None:
        with self._lock, _readable():
            if not any(one.number == number for one in finished(self._journal, before=number + 1, most=1)):
                return None
            mark = self._mark(number)
            if self._opened is None or self._opened[0] != mark:
                self._opened = (mark, retell(self._journal, number))
            return self._opened[1]

    def _mark(self, number: int) -> tuple[object, ...]:
        """What changes whenever anything of the game does, its players' names too."""
        with reading(self._journal) as db:
            start, last = db.execute("select min(id), max(id) from records where game = ?", (number,)).fetchone()
            return number, last, db.execute("select body from records where id = ?", (start,)).fetchone()


@contextlib.contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except JournalError as error:
        raise HistoryUnreadable(str(error)) from error
