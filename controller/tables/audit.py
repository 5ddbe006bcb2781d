"""Robs under audit (MAW-06a): whether whoever robbed held the ace of trumps, by where it is seen in the play of the deal."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from controller.rules.maw.words import OTHER, Side
from controller.tables import suspicions
from controller.tables.deal import Deal
from controller.tables.table import Question

Ace = Literal["not yet", "seen", "elsewhere", "missing", "nowhere"]
"""Where it is: played by the side that robbed, by the other, or not seen by the end of the deal; nowhere: all cards were read."""
TRICKS = 5


@dataclass(frozen=True, slots=True)
class _Rob:
    question: str
    by: Side
    ace: Ace = "not yet"


class Audit:
    """The robs of one game, by the records of their events."""

    def __init__(self) -> None:
        self._robs: dict[int, _Rob] = {}

    def begin(self, record: int, question: str, by: Side) -> None:
        """Somebody has robbed."""
        self._robs[record] = _Rob(question, by)

    def look(self, deal: Deal, led: Mapping[int, tuple[int, ...]], *, over: bool, answered: Collection[str]) -> list[Question]:
        """The questions that have changed by what is known now; what people have answered stays as they were asked it.

        `led`: by record, the observations that led to it.
        """
        changed = []
        for record, rob in self._robs.items():
            ace = _ace(rob.by, deal) if record == deal.rob else rob.ace
            if ace == "not yet" and (over or record != deal.rob):
                ace = "nowhere" if record == deal.rob and _all_read(deal) else "missing"
            if ace != rob.ace and rob.question not in answered:
                self._robs[record] = replace(rob, ace=ace)
                cards = [laid.record for laid in deal.laid if ace == "nowhere" or laid.card == f"A{deal.trump}"]
                evidence = tuple(number for card in cards for number in led.get(card, ()))
                changed.append(_question(rob.question, rob.by, ace, evidence))
        return changed


def _ace(by: Side, deal: Deal) -> Ace:
    holder = next((laid.by for laid in deal.laid if laid.card == f"A{deal.trump}"), None)
    return "not yet" if holder is None else "seen" if holder == by else "elsewhere"


def _all_read(deal: Deal) -> bool:
    """Whether every card of the deal was read."""
    return len(deal.tricks) == TRICKS and all(trick and all(laid.card for laid in trick) for trick in deal.tricks)


def _question(name: str, by: Side, ace: Ace, evidence: tuple[int, ...]) -> Question:
    if ace == "seen":
        return suspicions.audited(name, by, evidence)
    if ace == "elsewhere":
        return suspicions.denied(name, by, f", but {OTHER[by]} has played the ace of trumps", evidence)
    if ace == "nowhere":
        return suspicions.denied(name, by, ", and all cards were played without the ace of trumps", evidence)
    return suspicions.audit(name, by, ", and the ace of trumps was not seen" if ace == "missing" else "", due=ace == "missing")
