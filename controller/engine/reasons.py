"""Answers to "why these points", from the journal: of the game in play and of any earlier one. They change nothing."""

from __future__ import annotations

from controller.engine.archive import Kept, fold_game
from controller.engine.evidence import NoSuchEvent, tell
from controller.engine.journal import JournalError
from controller.engine.occurrences import Refused
from controller.engine.past import Find
from controller.engine.play import GameInPlay
from controller.engine.requests import Explain
from controller.rules.awards import Json


class Reasons:
    """Folds the game that was asked about last, and keeps it until a record is written: to look through a list is cheap."""

    def __init__(self, find: Find) -> None:
        self._find = find
        self._kept: tuple[str, int, Kept] | None = None

    def tell(self, command: Explain, play: GameInPlay | None, written: int) -> dict[str, Json]:
        """The answer. `written` grows with each record. Raises `Refused`."""
        name = command.game
        if name is None:
            if play is None:
                raise Refused("no game is in play; name one: `tablemarker history` lists them")
            name = str(play.start.body["game_id"])
        if self._kept is None or self._kept[:2] != (name, written):
            self._kept = (name, written, self._fold(name))
        try:
            return tell(self._kept[2], command.revision, command.after)
        except NoSuchEvent as error:
            raise Refused(str(error)) from None

    def _fold(self, name: str) -> Kept:
        try:
            found = self._find(name)
            if found is None:
                raise Refused(f"there is no game {name!r} in the journal; `tablemarker history` lists them")
            state, records = found
            return fold_game(records[0].id, state, records)
        except JournalError as error:
            raise Refused(str(error)) from None
