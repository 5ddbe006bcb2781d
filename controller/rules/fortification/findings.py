"""The facts of one stroke as faults of own balls, gains from enemy balls, a fort taken, and balls to be put back."""

from __future__ import annotations

from collections.abc import Mapping

from controller.rules.fortification.events import Fact, Stroke
from controller.rules.fortification.options import HouseRules
from controller.rules.fortification.words import (
    ATTACK,
    BALL_SIDE,
    EARLIER,
    FORT_SIDE,
    NAME,
    TITLE,
    Ball,
    Fort,
    FortState,
    PassState,
    Side,
)

LEFT_BED = {
    "holed": "was holed",
    "off_table": "went over the table",
    "on_fort": "was driven on to a fort",
    "on_cushion": "was driven on to a cushion",
}
"""Facts of a ball that left the bed, in words."""


class Findings:
    """What the facts of a stroke amount to, article by article, before anything is added up.

    `passes` and `forts` are those that the stroke met, everything outstanding settled; `flying` are the fallen forts whose
    colours are still up.
    """

    def __init__(
        self,
        rules: HouseRules,
        stroke: Stroke,
        passes: Mapping[Side, PassState],
        forts: Mapping[Fort, FortState],
        flying: frozenset[Fort],
    ) -> None:
        self.rules = rules
        self.side = stroke.side
        self.forts = forts
        self.flying = flying
        # F-14: a call for a ball that is in sight is void.
        self.declared = stroke.hidden is True
        self.hidden_hit = _hidden_hit(stroke) if self.declared else None
        # FORT-14: a regular pass stays so, whatever goes through it later.
        passage = passes[self.side]
        self.passed = passage != "regular" and _passes(stroke)
        # F-05: colours of a pass made by this very stroke can't have been down.
        self.passage = "made" if self.passed else passage
        self.faults: dict[Ball, dict[str, str]] = {}
        """For each own ball: articles that price it, and why."""
        self.gains: dict[Ball, dict[str, tuple[int, str]]] = {}
        """For each enemy ball: articles that price it, points and why."""
        self.forced = False
        """Whether an enemy ball left the bed."""
        self.own_forced = False
        self.taken: Fort | None = None
        self.silent: Fort | None = None
        """A fort that the attacking ball entered, maybe without ringing."""
        self.back: dict[Ball, str] = {}
        """Balls to be put back on their spots, and the rule that says so."""
        for fact in stroke.facts:
            self._take_in(fact)

    def _take_in(self, fact: Fact) -> None:
        ball, own = fact.ball, BALL_SIDE[fact.ball] == self.side
        if fact.fort is not None:
            if own:
                self._own_in_fort(ball, fact.fort, rang=fact.fact == "bell")
            else:
                self._enemy_in_fort(ball, fact.fort)
        elif fact.fact in LEFT_BED:
            self.back[ball] = "FORT-35a"
            why = f"{TITLE[ball]} {LEFT_BED[fact.fact]}"
            if own:
                self.own_forced = True
                self._fault(ball, "FORT-29" if fact.fact == "holed" else "FORT-31", why)
            else:
                self.forced = True
                self._gain(ball, "FORT-28" if fact.fact == "holed" else "FORT-30", 2, why)

    def _own_in_fort(self, ball: Ball, fort: Fort, *, rang: bool) -> None:
        # FORT-20: defenders may be anywhere; only the forts that they enter are priced.
        fallen = self.forts[fort] == "taken"
        if FORT_SIDE[fort] == self.side:
            if fallen:
                self._fault(ball, "FORT-34a", f"{TITLE[ball]} went into {NAME[fort]}, which has fallen")
                self._left_in_fort(ball)
            elif self.hidden_hit and self.rules.own_fort_on_declared == "any":
                self._fault(ball, "FORT-38a", f"{TITLE[ball]} went into {NAME[fort]} by the declared stroke")
                self._left_in_fort(ball)
            return
        if rang:
            self._rang(ball, fort)
        if fallen:
            self._fault(ball, "FORT-34a", f"{TITLE[ball]} went into {NAME[fort]}, which has fallen")
            self._left_in_fort(ball)
            if rang and ball == ATTACK[self.side] and fort not in self.flying:
                self._fault(ball, "FORT-36", f"{TITLE[fort]} was taken already and its colours are down")
        elif not self._in_angle(fort):
            self._fault(ball, "FORT-34b", f"{TITLE[ball]} went into {NAME[fort]}, which is out of the angle")
            self._left_in_fort(ball)
        elif not rang and ball == ATTACK[self.side]:
            self.silent = fort

    def _rang(self, ball: Ball, fort: Fort) -> None:
        """Judge the bell of an enemy fort, rung by an own ball."""
        # FORT-17: forts are taken with the attacking ball; whichever own ball was cued (F-30). Taking by storm, off the
        # end cushion, is no different (FORT-24c), and the besieged may attack like the besieger (FORT-16b, F-07).
        if ball != ATTACK[self.side]:
            self._fault(ball, "FORT-18a", f"{TITLE[ball]}, a defender, rang {NAME[fort]}")
            self.back[ball] = "FORT-18b"
            return
        if self.passage == "none":
            if self.rules.attack_without_pass == "penalty":  # noqa: S105 - the pass is an arch here
                self._fault(ball, "FORT-06", f"{TITLE[fort]} was attacked before the pass was made")
                self.back[ball] = "FORT-06"
        elif self.passage != "regular":
            self._fault(ball, "FORT-09a", f"{TITLE[fort]} was attacked while the pass colours had not been taken down")
            self.back[ball] = "FORT-09b"
        if self.forts[fort] == "taken":
            return
        if not self._in_angle(fort):
            self._fault(ball, "FORT-22a", f"{TITLE[fort]} was taken before its turn")
            self.back[ball] = "FORT-22b"
        elif self.passage == "regular":
            self.back[ball] = "FORT-10"
            # F-22: of two forts rung by one stroke the first is taken. F-25: ringing that one again is nothing.
            self.taken = self.taken or fort

    def _enemy_in_fort(self, ball: Ball, fort: Fort) -> None:
        # With or without the bell: only the striker takes forts (F-29), so an enemy ball's bell says no more than its place.
        if FORT_SIDE[fort] != self.side:
            self._gain(ball, "FORT-27", 2, f"{TITLE[ball]} was driven into {NAME[fort]}")
        elif self.forts[fort] == "taken":
            self._gain(ball, "FORT-26", 2, f"{TITLE[ball]} was driven into {NAME[fort]}, which has fallen")
        else:
            declared = ball == self.hidden_hit
            more = " by the declared stroke (FORT-38c)" if declared else ""
            self._gain(ball, "FORT-25", 6, f"{TITLE[ball]} is a prisoner of war in {NAME[fort]}{more}")
            if declared:
                self.back[ball] = "FORT-38d"
        self._left_in_fort(ball)

    def _in_angle(self, fort: Fort) -> bool:
        return all(self.forts[earlier] == "taken" for earlier in EARLIER[fort])

    def _left_in_fort(self, ball: Ball) -> None:
        if self.rules.ball_in_fort == "respot":
            self.back.setdefault(ball, "F-10")

    def _fault(self, ball: Ball, rule: str, why: str) -> None:
        self.faults.setdefault(ball, {}).setdefault(rule, why)

    def _gain(self, ball: Ball, rule: str, points: int, why: str) -> None:
        self.gains.setdefault(ball, {}).setdefault(rule, (points, why))


def own_balls_struck(stroke: Stroke) -> frozenset[Ball]:
    """Own balls that the cued ball met (FORT-19b); F-17: whichever ball was cued."""
    return frozenset([fact.ball for fact in stroke.facts if fact.fact == "hit" and BALL_SIDE[fact.ball] == stroke.side])


def _passes(stroke: Stroke) -> bool:
    """Whether the striker's attacking ball (F-21, F-29) went through the pass from its own side (FORT-08a, F-28)."""
    attack = ATTACK[stroke.side]
    return any(fact.from_ == "own_side" and fact.ball == attack for fact in stroke.facts)


def _hidden_hit(stroke: Stroke) -> Ball | None:
    """The hidden ball, if the cued ball met it off the cushion first; any enemy ball where none is named."""
    met: set[Ball] = set()
    for fact in stroke.facts:
        ball = fact.ball
        if fact.fact != "hit" or ball in met or BALL_SIDE[ball] == stroke.side:
            continue
        met.add(ball)  # F-14: a second meeting off the cushion doesn't mend a first without it
        if fact.cushion_first and stroke.hidden_ball in (None, ball):
            return ball
    return None
