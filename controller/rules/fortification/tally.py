"""Keeps the score while one event is adjudicated, and the awards that change it."""

from __future__ import annotations

from collections.abc import Mapping

from controller.rules.awards import Award
from controller.rules.fortification.options import HouseRules
from controller.rules.fortification.words import ENEMY, Side


class Tally:
    """The running score and its awards; what a loss does to it is the house's choice (F-01)."""

    def __init__(self, rules: HouseRules, score: Mapping[Side, int]) -> None:
        self.score = dict(score)
        self.awards: list[Award] = []
        self._loss = rules.loss

    def win(self, side: Side, points: int, rule: str, why: str) -> None:
        """Points for a side; none is no award."""
        if points:
            self.score[side] += points
            self.awards.append(Award(side, points, rule, why))

    def put_back(self, side: Side, points: int, rule: str, why: str) -> None:
        """Points that are taken off the side that had them, whatever the house does with losses (FORT-12b)."""
        if self._loss == "deduct_floor_zero":
            points = min(points, max(self.score[side], 0))
        self.win(side, -points, rule, why)

    def lose(self, side: Side, rule: str, why: str, points: int = 2) -> None:
        """Points lost by a fault; every fault in the book costs two."""
        if self._loss == "credit_adversary":
            self.win(ENEMY[side], points, rule, why)
        else:
            self.put_back(side, points, rule, why)
