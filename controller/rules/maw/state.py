"""The state of a set, and its public position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from controller.rules.awards import Json, Over
from controller.rules.errors import BadPosition
from controller.rules.maw.options import House
from controller.rules.maw.words import OTHER, PLACE, SIDES, Card, Side
from controller.rules.shapes import Unreadable, reader

TRICKS = 5
"""Tricks in a deal (M-13)."""

Question = Literal[
    "MAW-09c", "MAW-14a", "MAW-14b", "M-04", "MAW-04a", "MAW-07a",
    "MAW-03", "MAW-05a", "MAW-05b", "MAW-06a", "MAW-09a", "M-07", "M-13",
]  # fmt: skip
"""What people can be asked, by the rule that leaves it to them."""

QUESTIONS: tuple[Question, ...] = get_args(Question)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A question that waits for its answer. `side` is whom it is about: at fault in an offence, else who gains or is asked."""

    ask: Question
    side: Side
    asked: int = 0
    """Asked cards at stake."""
    vied: int = 0
    """Vied cards at stake."""


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal."""

    asked: Side | None = None
    crossed: int = 0
    pending: Side | None = None
    """The side whose vied card waits for an answer."""
    late: bool = False
    """Whether the side that owes the answer has put a card to this trick since the vie."""
    tricks: int = 0
    led: Side | None = None
    laid: tuple[int, int] = (0, 0)
    """Cards that each side has put to this trick, as far as they were entered."""
    played: tuple[Card, ...] = ()
    """Cards that lay open in this deal."""
    turned: bool = False
    robbed: bool = False
    over: bool = False
    for_set: Side | None = None
    """Who must make for the set (MAW-09b); until somebody has it, this holds in later deals too."""
    consent: bool = True
    """Whether this game may decide the set: so unless a side said no (MAW-09c)."""

    @property
    def vied(self) -> int:
        """Vied cards at stake. MAW-12: with three crossed there is no way out of another, so that counts unpledged, too."""
        return self.crossed + (1 if self.pending and self.crossed >= 3 else 0)


@dataclass(frozen=True, slots=True)
class State:
    """Everything that the rules know of a set."""

    house: House
    score: tuple[int, int]
    deal: Deal
    waiting: tuple[Waiting, ...] = ()
    won: Over | None = None

    def of(self, side: Side) -> int:
        """The score of a side."""
        return self.score[PLACE[side]]


@dataclass(frozen=True, slots=True)
class DealWords:
    """The public words of a deal, each of which may be left out."""

    asked: Side | None = None
    crossed: int = 0
    pending: Side | None = None
    tricks: int = 0
    led: Side | None = None
    over: bool = False
    for_set: Side | None = None


@dataclass(frozen=True, slots=True)
class Position:
    """The public words, each of which may be left out: then it is as at the start of a game."""

    score: Mapping[Side, int] = field(default_factory=dict)
    deal: DealWords = DealWords()


def opening(house: House, given: Mapping[str, Json] | None) -> State:
    """The first state. Raises `BadPosition`.

    A side that must make for the set has asked nobody yet (MAW-09c), unless the deal is over: then somebody said no.
    """
    if not given:
        return State(house, (0, 0), Deal())
    try:
        told: Position = reader(Position)(given, "position")
    except Unreadable as error:
        raise BadPosition(str(error)) from None
    words = told.deal
    if words.crossed < 0 or not 0 <= words.tricks <= TRICKS:
        raise BadPosition(f"position.deal: crossed is at least 0, and tricks from 0 to {TRICKS}")
    if words.led and words.tricks == TRICKS:
        raise BadPosition(f"position.deal: nobody leads to a trick after the {TRICKS} of a deal: led is null")
    if words.over and (words.led or words.pending):
        raise BadPosition("position.deal: an ended deal has no trick under way and no vie waiting: led and pending are null")
    deal = Deal(
        asked=words.asked,
        crossed=words.crossed,
        pending=words.pending,
        tricks=words.tricks,
        led=words.led,
        laid=(int(words.led == "A"), int(words.led == "B")),
        over=words.over,
        for_set=words.for_set,
    )
    score = (told.score.get("A", 0), told.score.get("B", 0))
    waiting = both_asked() if deal.for_set and not deal.over else questions_of_out(house, score, deal)
    return State(house, score, deal, waiting, out(house, score, deal))


def both_asked() -> tuple[Waiting, ...]:
    """MAW-09c: each side is asked whether this game may decide the set."""
    return tuple([Waiting("MAW-09c", side) for side in SIDES])


def questions_of_out(house: House, score: tuple[int, int], deal: Deal) -> tuple[Waiting, ...]:
    """Who may be out, where the laws alone don't say: people are asked from above law 9's twenty-six."""
    if not house.strict_seed or deal.for_set:
        return ()
    return tuple([Waiting("M-04", side) for side in SIDES if score[PLACE[side]] > house.limit])


def out(house: House, score: tuple[int, int], deal: Deal) -> Over | None:
    """Who has won by his score (M-04): the higher, if a position has both out. Not while the set is to be made by play."""
    a, b = score
    if house.strict_seed or deal.for_set or max(a, b) < house.out or a == b:
        return None
    return Over("A" if a > b else "B", draw=False, double=False, rule="M-04")


def fresh(deal: Deal) -> Deal:
    """The deal after this one: what is still to be made for the set goes over to it."""
    return Deal(for_set=deal.for_set, consent=deal.consent)


def to_play(state: State) -> Side | None:
    """The side that must follow a lead; None where the rules don't know who plays."""
    led = state.deal.led
    return OTHER[led] if led and not state.deal.laid[PLACE[OTHER[led]]] else None


def position(state: State) -> dict[str, Json]:
    """The complete position in the public words."""
    deal = state.deal
    return {
        "score": {"A": state.score[0], "B": state.score[1]},
        "deal": {
            "asked": deal.asked,
            "crossed": deal.crossed,
            "pending": deal.pending,
            "tricks": deal.tricks,
            "led": deal.led,
            "over": deal.over,
            "for_set": deal.for_set,
        },
    }
