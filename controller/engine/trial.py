"""A correction tried on a copy of the game and its table: what it would do is what it then does."""

from __future__ import annotations

import copy
import itertools
from typing import Any

from controller.engine.corrections import Action, Consequence, weigh
from controller.engine.fold import Fold
from controller.engine.play import GameInPlay
from controller.engine.records import Record, RecordKind
from controller.rules.awards import Json


def preview(play: GameInPlay, revision: int, action: Action, event: dict[str, Json] | None, *, by: str, at: int) -> Consequence:
    """What it would do; the table may hold other answers for likely then. Raises `Refused` where it would be refused."""
    trial = trial_of(play)
    trial.finish(at)
    now = [*trial.fold.steps]
    trial.correct(revision, action, event, why="", by=by, at=at)
    return weigh(now, trial.fold)


def trial_of(play: GameInPlay) -> GameInPlay:
    """The same game, to try something on: what is done to either changes nothing of the other. It leaves no record."""
    ids = itertools.count(1 + max([play.start.id, *(record.id for record in play.moves)]))

    def note(kind: RecordKind, body: dict[str, Json], at: int) -> Record:
        return Record(next(ids), kind, play.start.id, at, "", body)

    kept = (play.game, play.start, *play.moves, *play.kept.entries.values(), *play.settled.asked, *play.occurrences)
    memo: dict[int, Any] = {id(one): one for one in kept}
    # Its states may be many; none is ever changed in place.
    memo |= {id(play.note): note, id(play.fold): Fold.resumed(play.fold), id(play.tellings): play.tellings.copy()}
    return copy.deepcopy(play, memo)
