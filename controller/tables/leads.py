"""Leads of maw by a side whose turn it was not, as readers at each side tell it: what they mean people say.

The laws set no price on such a lead (law 3 is of mates). It may be that the side took the trick after all, or didn't deal, that
it led out of turn and all let it stand, or that it took its card back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from controller.rules.awards import Json
from controller.rules.maw.words import Side
from controller.tables.table import Choice, Draft, Question

RIGHT, ALLOWED, BACK = "right", "allowed", "back"


@dataclass(frozen=True, slots=True)
class _Lead:
    question: str
    by: Side
    likely: str
    record: int = 0


class Leads:
    """The leads of one game that were asked about, by deal (the record that began it) and trick."""

    def __init__(self) -> None:
        self._asked: dict[tuple[int, int], _Lead] = {}
        self.stand: frozenset[int] = frozenset()
        """The records of the events that stand."""

    def recorded(self, question: str, record: int) -> None:
        """The event of a lead that was asked about has this record."""
        for place, lead in self._asked.items():
            if lead.question == question:
                self._asked[place] = replace(lead, record=record)

    def ask(self, played: Draft, place: tuple[int, int], by: Side, other: Side, *, known: bool) -> Draft:
        """The lead as an event with its question. `other`: whose turn it was; `known`: a button or the cards say so."""
        name = f"turn-{played.key}"
        first = place[1] == 0
        right = f"No: {other} dealt, and {by} leads" if first else f"No: {by} took the last trick"
        binds: dict[str, Json] = {f"?{name}": by, f"?{name}.next": "play"}
        choices = (
            Choice(RIGHT, right, binds),
            Choice(ALLOWED, "Yes, and it stands", binds),
            Choice(BACK, f"Yes, and {by} takes the card back", {f"?{name}": None, f"?{name}.next": "lead"}),
        )
        why = f"{by} dealt" if first else f"{other} took the last trick"
        likely = ALLOWED if known else RIGHT
        question = Question(name, f"{by} leads, but {why}. Did {by} lead out of turn?", choices, likely, due=True)
        self._asked[place] = _Lead(name, by, likely)
        return replace(played, event={**played.event, "by": f"?{name}"}, questions=(question,))

    def second(self, place: tuple[int, int]) -> str | None:
        """The unknown that says what the next card of that trick is, where its lead was asked about."""
        lead = self._standing(place)
        return None if lead is None else f"?{lead.question}.next"

    def rightly(self, place: tuple[int, int], answers: Mapping[str, str], *, told: bool = False) -> Side | None:
        """The side that led there in its turn after all, as people say or as is likely. `told`: only as people say."""
        lead = self._standing(place)
        if lead is None:
            return None
        answer = answers.get(lead.question, "" if told else lead.likely)
        return lead.by if answer == RIGHT else None

    def first(self, answers: Mapping[str, str]) -> dict[int, Side]:
        """The first leads of deals that were led in turn after all: by record, by whom."""
        led = {lead.record: self.rightly(place, answers) for place, lead in self._asked.items() if place[1] == 0}
        return {record: by for record, by in led.items() if by is not None}

    def _standing(self, place: tuple[int, int]) -> _Lead | None:
        lead = self._asked.get(place)
        return lead if lead is not None and lead.record in self.stand else None
