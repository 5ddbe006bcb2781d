"""The stroke of fortification that was told last: what colours and readings of balls may yet tell of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import cast

from controller.rules.awards import Json
from controller.rules.fortification.words import FORTS, Side
from controller.tables import unheard
from controller.tables.colours import Due, taker
from controller.tables.levels import Levels
from controller.tables.readings import Read
from controller.tables.siege import Between, Stroke, ask_again, may_have_rung
from controller.tables.table import Choice, Draft, Question, Standing


class Afterwards:
    """What may still be told of one stroke; of none at first. `stroke` is None until one was told."""

    def __init__(self) -> None:
        self.stroke: Stroke | None = None
        self._side: Side = "english"
        self._bound: frozenset[str] = frozenset()
        self._asked: dict[str, Question] = {}
        self._record = 0
        self._hand: tuple[int, tuple[int, ...]] | None = None
        self._late: list[Read] = []

    def begin(self, stroke: Stroke, side: Side, told: Draft) -> None:
        """A stroke is told, by the side whose turn it was."""
        self.stroke, self._side = stroke, side
        self._bound = frozenset(question.id for question in told.questions)
        self._asked = {question.id: question for question in told.questions}
        self._late, self._record = [], 0

    def recorded(self, draft: Draft, record: int) -> None:
        """A draft has become the event of this record: the stroke's, or what a hand did after it."""
        if draft.event["event"] == "stroke":
            self._record = record
        else:
            self._hand = (record, draft.evidence)

    def spoken_for(self, standing: Standing) -> list[Question]:
        """What a hand did last stands by another answer than the likely one: that is the likely one now, by what was seen."""
        events, hand = dict(standing.events), self._hand
        if hand is None or hand[0] not in events or self._record not in events:
            return []
        self._hand = None
        facts = cast(list[Json], events[self._record]["facts"])
        # Told because of what it did: when that is undone, the question is as it was.
        return [
            replace(asked, likely=now.key, evidence=(*asked.evidence, *hand[1]))
            for asked in self._asked.values()
            if asked.id not in standing.answered and (now := _stands_by(asked, facts)) is not None
        ]

    def brought_one_to(self, place: str) -> bool:
        """Whether the stroke brought a ball to a fort or a pocket: it lies there until a hand takes it."""
        signs = [] if self.stroke is None else self.stroke.signs
        return any(sign.place == place and sign.what != "pass" for sign in signs)

    def waits_for(self, of: str) -> bool:
        """Whether these colours are all that can tell what it did there, and haven't yet."""
        return self.stroke is not None and of in self.stroke.late

    def colours(self, done: Between) -> list[Question]:
        """What colours say of it, when nothing else could: now people are asked."""
        of, stroke = str(done.event.get("of")), self.stroke
        if stroke is None or of not in stroke.late:
            return []
        stroke.late = tuple(one for one in stroke.late if one != of)
        name, side = unheard.late_name(stroke.key, of), taker(of)
        if of in FORTS:
            question = unheard.rang(name, of, may_have_rung(stroke, of, side), went_in=False)
        else:
            question = unheard.through(name, side)
        return [replace(question, evidence=(done.id,))]

    def read(self, read: Read, answered: Collection[str]) -> list[Question]:
        """A ball is read where it brought one: that answers what is asked of it, if people have not."""
        stroke = self.stroke
        assert stroke is not None
        stroke.reads = (*stroke.reads, read)
        self._late.append(read)
        # The question rests on all that was read there since.
        evidence = tuple(late.id for late in self._late if late.place == read.place)
        again = ask_again(stroke, self._side, stroke.reads, read.place)
        told = [replace(one, evidence=evidence) for one in again if one.id in self._bound and one.id not in answered]
        self._asked |= {question.id: question for question in told}
        return told


def _stands_by(asked: Question, facts: Collection[Json]) -> Choice | None:
    """The answer by which these are the facts of its stroke, if it is not the likely one; None where they don't tell."""
    given = [choice for choice in asked.choices if any(value in facts for value in choice.binds.values())]
    return given[0] if len(given) == 1 and given[0].key != asked.likely else None


def done_already(stroke: Stroke, at: int, levels: Levels, due: Mapping[str, Due], unspotted: Collection[str]) -> Iterator[Draft]:
    """Colours due by a stroke that lay down before it: there is nothing left to take down.

    Of one that was missed, what hands have done since came too early to count when it was told.
    """
    for of, wanted in due.items():
        role = f"{of}-colours"
        fell, seen = levels.changed(role) or (levels.unseen(role) or 0, None)
        if wanted == "coming down" and levels.up(of) is False and (stroke.missed or fell < stroke.start):
            levels.settle(role)
            yield _already({"event": "colours_down", "of": of, "by": taker(of)}, stroke, at, seen)
    for ball in [ball for ball in unspotted if stroke.missed and levels.on_spot(ball)]:
        back, seen = levels.changed(f"{ball}-spot") or (0, None)
        if back > stroke.start:
            yield _already({"event": "respotted", "ball": ball}, stroke, at, seen)


def _already(event: dict[str, Json], stroke: Stroke, at: int, seen: int | None) -> Draft:
    evidence = (*stroke.evidence, *([] if seen is None else [seen]))
    return Draft(event, at, tuple(dict.fromkeys(evidence)), stroke.key)
