"""A finished game told again: its events in order, each with the state after it, its points and what they rest on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.engine.archive import Kept, fold_game
from controller.engine.console import GameLedger
from controller.engine.evidence import explain
from controller.engine.journal import read_game
from controller.engine.records import TAKEN_BACK, Record
from controller.engine.snapshot import LastAwards, ListedEvent, SideView, Snapshot

EARLIER = 4
"""How many awards before the latest a state shows."""


@dataclass(frozen=True, slots=True)
class Told:
    """One event of the game: what is kept of it, what led to it in words, and the place of the state after it."""

    listed: ListedEvent
    because: str
    """Empty for one that no longer counts."""
    state: int


class Retelling:
    """A game that is over, opened. `events` are those of the console's list; `state` 0 is the opening."""

    def __init__(self, kept: Kept, records: Sequence[Record]) -> None:
        self.kept = kept
        moves = tuple(record for record in records if record.kind in TAKEN_BACK)
        ledger = GameLedger(kept.game, {}, kept.opening, kept.steps, moves, kept.settled.binds)
        because = {one.revision: one.because for one in explain(kept)}
        places = {step.entry.revision: place for place, step in enumerate(kept.steps, 1)}
        told, state = list[Told](), 0
        for listed in ledger.events():
            state = places.get(listed.revision, state)
            told.append(Told(listed, because.get(listed.revision, ""), state))
        self.events = tuple(told)
        self._shown_at = {one.state: one.listed for one in told if one.listed.fate == "stands"}

    def state(self, place: int) -> Snapshot:
        """What a screen showed after so many events that count. Raises `IndexError`."""
        game, state = self.kept.game, self.kept.steps[place - 1].state if place else self.kept.opening
        score, over = game.score(state), game.over(state)
        unbanked = tuple(game.unbanked(state) or ())
        sides = tuple(
            SideView(side, self.kept.names[side], score[side], sum(one.points for one in unbanked if one.side == side))
            for side in game.sides(state)
        )
        latest = [self._shown_at[one] for one in range(place, 0, -1) if one in self._shown_at and self._shown_at[one].awards]
        awards = tuple(LastAwards(one.revision, one.awards, one.banked, one.event) for one in latest[: 1 + EARLIER])
        body: dict[str, Any] = self.kept.start.body
        return Snapshot(
            table="",
            game=game.name,
            game_id=body["game_id"],
            revision=place,
            at=self.kept.start.wall,
            phase="playing" if over is None else "over",
            provisional=False,
            durable=True,
            sides=sides,
            turn=game.turn(state),
            last=awards[0] if awards else None,
            earlier=awards[1:],
            unbanked=unbanked,
            notices=(),
            over=over,
            position=game.position(state),
            seen={},
            options=game.read_options(body["options"]),
            questions=(),
            sensors=(),
            sources=(),
        )


def retell(journal: Path, number: int) -> Retelling:
    """The finished game of that number. Raises `JournalError` where it can't be read or folded."""
    records = read_game(journal, number)
    return Retelling(fold_game(number, "over", records), records)
