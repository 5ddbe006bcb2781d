"""Games of earlier days, for those who find a mistake in one: taken up from their records, without their table.

What is done to one is records of that game. Its first result stays in the journal, and the new one stands beside it; the game
itself is over and stays so, whatever its score is now: nobody plays it on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from controller.engine.deeds import QuestionPlaces
from controller.engine.journal import GameState, JournalError
from controller.engine.occurrences import Refused
from controller.engine.play import GameInPlay, Note
from controller.engine.records import Record
from controller.engine.takeup import on_events_alone
from controller.rules.awards import Json
from controller.rules.errors import RulesError
from controller.rules.registry import find_game
from controller.tables.bare import BareTable

Find = Callable[[str], tuple[GameState, Sequence[Record]] | None]
"""Finds a game of the journal by its `game_id` or its number; None where there is none. Raises `JournalError`."""


class PastGames:
    """The finished games of the journal. `note_for` gives what writes the records of one game, by the id of its start."""

    def __init__(self, find: Find, note_for: Callable[[int], Note]) -> None:
        self._find = find
        self._note_for = note_for
        self._opened: dict[int, tuple[GameInPlay, QuestionPlaces]] = {}

    def open(self, name: str) -> GameInPlay:
        """The game of that `game_id` or number. Raises `Refused` where there is none that is finished."""
        return self.placed(name)[0]

    def placed(self, name: str) -> tuple[GameInPlay, QuestionPlaces]:
        """The same, with the places of its questions."""
        try:
            found = self._find(name)
        except JournalError as error:
            raise Refused(str(error)) from None
        if found is None:
            raise Refused(f"there is no game {name!r} in the journal; `tablemarker history` lists them")
        state, records = found
        if state != "over":
            said = "was given up, and has no result to correct" if state == "abandoned" else "isn't over"
            raise Refused(f"game {name} {said}")
        start = records[0]
        if start.id not in self._opened:
            try:
                play = on_events_alone(records, find_game(str(start.body["game"])), BareTable())
            except RulesError as error:
                raise Refused(f"game {name} can't be folded by the rules of today: {error}") from None
            play.note = self._note_for(start.id)
            self._opened[start.id] = play, QuestionPlaces(records)
        return self._opened[start.id]

    def take_happened(self) -> list[GameInPlay]:
        """The games that were opened since the last call; they are forgotten, since their records are kept by now."""
        opened = [play for play, _ in self._opened.values()]
        self._opened.clear()
        return opened


def outcome(play: GameInPlay, before: dict[str, Json]) -> dict[str, Json]:
    """What became of a finished game, for who has corrected it."""
    over = play.game.over(play.state)
    winner = None if over is None else over.winner
    after: dict[str, Json] = dict(play.game.score(play.state))
    return {"game_id": play.start.body["game_id"], "before": before, "after": after, "over": over is not None, "winner": winner}
