"""One stroke of fortification as the sensors saw it, and its facts: whose ball it was where that is known, else a question.

A bell knows where, seldom which. In order: an input that reads the ball itself; the ball that the marker's key named, if only
one ball moved; counting, where all others stand on their spots; else people are asked (an attacker's ring wins four, a defender's
loses two). A hand breaks a beam too: what went into an arch and rang no bell, and what was in any beam for longer than a rolling
ball, is asked about unless a ball was read there. Where no bell is heard, what else was seen of the fort asks whether it rang
(`unheard.py` for what is seen late).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from controller.rules.awards import Json
from controller.rules.fortification.words import (
    ATTACK,
    BALL_SIDE,
    BALLS,
    ENEMY,
    FORT_SIDE,
    NAME,
    SIDE_NAME,
    TITLE,
    Ball,
    Fort,
    Side,
)
from controller.tables import unheard
from controller.tables.colours import Due
from controller.tables.readings import Read, balls_of, late_reads, near_reads
from controller.tables.signs import Sign, place_name, stayed, told
from controller.tables.table import Choice, Draft, Question


@dataclass(frozen=True, slots=True)
class Between:
    """What a hand did: colours lowered or a ball put back."""

    at: int
    id: int
    event: dict[str, Json]


@dataclass(slots=True)
class Stroke:
    """What happened from one stroke to the next.

    `key`: the id of the observation that began it; `called`: a button did; `missed`: people said so when it was over; `cued`: the
    ball that a key named; `stood`: balls that a sensor saw on their spots when it began, `left`: those that have left them since,
    with the ids that tell it; `moved`: when the last of them did; `lapsed`: those that had left them long before, and nothing was
    seen since. `until`: when the next stroke began. `deaf`: the forts whose bell nobody hears; `readable`: the places where a
    ball may yet be read; `late`: the colours that may yet tell what no other sensor can; `reads`: what was read until then.
    """

    start: int
    key: int
    called: bool
    missed: bool = False
    cued: Ball | None = None
    stood: frozenset[Ball] = frozenset()
    left: dict[Ball, int] = field(default_factory=dict)
    moved: int = 0
    lapsed: dict[Ball, int] = field(default_factory=dict)
    until: int | None = None
    signs: list[Sign] = field(default_factory=list)
    evidence: list[int] = field(default_factory=list)
    deaf: frozenset[str] = frozenset()
    readable: frozenset[str] = frozenset()
    late: tuple[str, ...] = ()
    reads: tuple[Read, ...] = ()

    def add(self, sign: Sign) -> None:
        """Take a sign in, in order of time. What no button called began with the first of them."""
        self.signs.append(sign)
        self.signs.sort(key=lambda one: one.at)
        self.evidence.append(sign.id)
        self._begin_by(sign.at)

    def leave(self, ball: Ball, at: int, seen: int) -> None:
        """A ball left its spot."""
        if ball not in self.left:
            self.left[ball] = seen
            self.evidence.append(seen)
        self.moved = max(self.moved, at)
        self._begin_by(at)

    def come_back(self, ball: Ball) -> None:
        """A ball was lifted and is back on its spot: it was never played."""
        seen = self.left.pop(ball, None)
        self.evidence = [one for one in self.evidence if one != seen]

    def _begin_by(self, at: int) -> None:
        if not self.called:
            self.start = min(self.start, at)

    @property
    def last(self) -> int:
        """When something was seen of it last."""
        return max((sign.at for sign in self.signs), default=self.start)

    @property
    def may_have_moved(self) -> list[Ball]:
        """The balls that no spot sensor saw at rest all the time."""
        return [ball for ball in BALLS if ball not in self.stood or ball in self.left]


@dataclass(frozen=True, slots=True)
class _Found:
    """A sign that is a fact: the ball where it is known, by a reading or otherwise, and what is asked where it isn't."""

    sign: Sign
    ball: Ball | None
    read: bool
    question: Question | None

    def again(self) -> Question | None:
        """What is asked now that a ball was read there late: with one choice where that says it all."""
        return self.question or (_settled(self.sign, self.ball) if self.ball is not None else None)


def _find(stroke: Stroke, side: Side, reads: Sequence[Read]) -> list[_Found]:
    """The facts of the stroke in order; through the pass from the enemy's side is none, whichever ball it was (FORT-08a)."""
    signs = told(stroke.signs, stroke.deaf)
    alone = len({one.place for one in signs}) == 1
    known = _possible(signs, [_known(stroke, sign, side, reads, alone=alone) for sign in signs])
    found = []
    for sign, ball in zip(signs, known, strict=True):
        question = None
        if sign.what == "colours" or (sign.what == "arch" and sign.place in stroke.deaf):
            question = _unheard(stroke, sign, ball, side, reads)
        elif ball is None:
            if sign.what == "pass" and sign.way == ENEMY[side]:
                continue
            question = _question(stroke, sign, side, reads)
        found.append(_Found(sign, ball, bool(_reads_of(stroke, sign, reads)), question))
    return found


def ask_again(stroke: Stroke, side: Side, reads: Sequence[Read], place: str) -> list[Question]:
    """What is asked of a place now that a ball was read there after the stroke was told."""
    found = [one.again() for one in _find(stroke, side, reads) if one.sign.place == place]
    return [question for question in found if question is not None]


def draft(stroke: Stroke, side: Side, reads: Sequence[Read]) -> Draft:
    """The stroke as an event, with the questions that bind its unknowns."""
    facts: list[Json] = []
    questions: list[Question] = []
    for found in _find(stroke, side, reads):
        question = found.question
        if question is None and found.sign.place in stroke.readable and not found.read and found.ball is not None:
            # A reader may yet contradict what was named or counted.
            question = replace(_settled(found.sign, found.ball), due=False)
        if question is not None:
            questions.append(question)
            facts.append(f"?{question.id}")
        elif found.ball is not None:
            facts.append(_fact(found.sign, found.ball))
    for of in stroke.late:
        questions.append(unheard.nothing_yet(stroke.key, of))
        facts.append(f"?{questions[-1].id}")
    ball: Json = cued_ball(stroke, side)
    if stroke.cued is not None and BALL_SIDE[stroke.cued] != side:
        slip = _wrong_ball(stroke, stroke.cued, side)
        questions.append(slip)
        ball = f"?{slip.id}"
    event: dict[str, Json] = {"event": "stroke", "side": side, "ball": ball, "facts": facts}
    evidence = (*stroke.evidence, *(read.id for sign in stroke.signs for read in _reads_of(stroke, sign, reads)))
    return Draft(event, stroke.start, tuple(dict.fromkeys(evidence)), stroke.key, tuple(questions))


def likely(drafted: Draft) -> Draft:
    """The same without unknowns: every question at its likely answer."""
    binds = {
        name: value
        for question in drafted.questions
        for choice in question.choices
        if choice.key == question.likely
        for name, value in choice.binds.items()
    }
    facts = drafted.event["facts"]
    assert isinstance(facts, list)
    filled = [binds[fact] if isinstance(fact, str) else fact for fact in facts]
    event: dict[str, Json] = {
        **{name: binds.get(value, value) if isinstance(value, str) else value for name, value in drafted.event.items()},
        "facts": [fact for fact in filled if fact is not None],
    }
    return Draft(event, drafted.at, drafted.evidence, drafted.key)


def unseen_before(
    stroke: Stroke, side: Side, due: Mapping[str, Due], unspotted: Mapping[str, Json], has: Callable[[str], bool]
) -> list[Draft]:
    """What hands may have done before it, and no sensor sees: colours down and, where a bell matters, balls of a side back."""
    evidence = tuple(stroke.evidence)
    down = unheard.unseen_colours(stroke.key, stroke.start, due, has, evidence)
    if not any(sign.what in ("bell", "colours") or sign.place in stroke.deaf for sign in stroke.signs):
        return down
    owed = [ball for ball, by in unspotted.items() if by == side]
    return [*down, *unheard.unseen_spots(stroke.key, stroke.start, owed, has, evidence)]


def _reads_of(stroke: Stroke, sign: Sign, reads: Sequence[Read]) -> list[Read]:
    """The readings that tell whose a sign is: beside it, then of what lay there afterwards."""
    return [*near_reads(sign, reads), *late_reads(sign, told(stroke.signs, stroke.deaf), reads, stroke.until)]


def _known(stroke: Stroke, sign: Sign, side: Side, reads: Sequence[Read], *, alone: bool) -> Ball | None:
    deaf = sign.what == "arch" and sign.place in stroke.deaf
    # Of a bell that nobody hears it is asked in any case whether a ball rang it.
    named = _named(stroke, replace(sign, what="bell", stays=False, slow=False) if deaf else sign, side, alone=alone)
    if read := balls_of(_reads_of(stroke, sign, reads)):
        # Two balls at one bell, or one that a sensor sees on its spot: who is right, no input can tell.
        if len(read) > 1 or read[0] not in stroke.may_have_moved:
            return None
        # A reading beside it goes before all else, a late one doesn't.
        return read[0] if near_reads(sign, reads) or named in (None, read[0]) else None
    return named


def _named(stroke: Stroke, sign: Sign, side: Side, *, alone: bool) -> Ball | None:
    """The ball by its key or by counting, where a ball it must have been."""
    if sign.what in ("arch", "colours") or sign.maybe_hand:
        return None
    moved = stroke.may_have_moved
    # A ball in a pocket or at home is seldom the one that was cued, and has another price.
    abroad = sign.what == "pass" or (sign.what == "bell" and FORT_SIDE[cast(Fort, sign.place)] != side)
    says = sign.what != "pass" or sign.way != ""
    cued = stroke.cued
    if cued in moved and BALL_SIDE[cued] == side and alone and abroad and says and not stroke.left.keys() - {cued}:
        return cued
    if len(moved) != 1 or not says:
        return None
    # With no button a beam alone doesn't say that anybody played.
    return moved[0] if sign.what == "bell" or stroke.called or stroke.left else None


def _possible(signs: Sequence[Sign], known: Sequence[Ball | None]) -> list[Ball | None]:
    """The balls that signs are known to be of; not of one that was elsewhere after it had fallen into a pocket."""
    fell: dict[Ball, Sign] = {}
    doubted: set[Ball] = set()
    for sign, ball in zip(signs, known, strict=True):
        if ball in fell and sign.place != fell[ball].place:
            doubted.add(ball)
        elif ball is not None and sign.what == "pocket":
            fell.setdefault(ball, sign)
    return [None if ball in doubted and sign.at >= fell[ball].at else ball for sign, ball in zip(signs, known, strict=True)]


def _fact(sign: Sign, ball: Ball) -> dict[str, Json]:
    if sign.what == "pass":
        return {"fact": "pass", "ball": ball, "from": "own_side" if sign.way == BALL_SIDE[ball] else "enemy_side"}
    if sign.what == "pocket":
        return {"fact": "holed", "ball": ball}
    return {"fact": "bell" if sign.what == "bell" else "in_fort", "fort": sign.place, "ball": ball}


def _settled(sign: Sign, ball: Ball) -> Question:
    """The question whose ball it was, with the one answer that is left."""
    name = f"ball-{sign.id}"
    return Question(name, _ask(sign), (Choice(ball, TITLE[ball], {f"?{name}": _fact(sign, ball)}),), ball, due=True)


def _question(stroke: Stroke, sign: Sign, side: Side, reads: Sequence[Read]) -> Question:
    """Which ball it was, or none: a hand in a beam is no ball."""
    name = f"ball-{sign.id}"
    if sign.what == "pass":
        # No other ball's passage counts (F-21).
        attack = ATTACK[side]
        through = {"fact": "pass", "ball": attack, "from": "own_side"}
        choices = [Choice(attack, f"{TITLE[attack]}, from its own side", {f"?{name}": cast(Json, through)})]
        choices.append(Choice("other", "Another ball, from the other side, or a hand", {f"?{name}": None}))
        # One that a sensor sees on its spot, and that no key named, went nowhere.
        still = attack not in (*stroke.may_have_moved, stroke.cued)
        return Question(name, _ask(sign), tuple(choices), "other" if sign.stays or still else attack, due=True)
    read = balls_of(_reads_of(stroke, sign, reads))
    balls = [*dict.fromkeys((*read, *_may_have_been(stroke, sign, side)))]
    choices = [Choice(ball, TITLE[ball], {f"?{name}": _fact(sign, ball)}) for ball in balls]
    attack = ATTACK[side]
    if sign.what != "pocket" and attack in balls:
        # All hangs on the bell, and people have heard it better than a disc.
        rang = sign.what == "arch"
        text = f"{TITLE[attack]}, {'and the bell rang' if rang else 'but the bell was silent'}"
        fact = _fact(replace(sign, what="bell" if rang else "arch"), attack)
        choices.append(Choice("rang" if rang else "silent", text, {f"?{name}": fact}))
    choices.append(Choice("none", "No ball" if sign.what == "bell" else "No ball: it was a hand", {f"?{name}": None}))
    # What breaks the beam of an arch and rings no bell is as likely a hand, or a ball that came out again.
    nothing = sign.what == "arch" or sign.maybe_hand or not (stroke.may_have_moved or stroke.cued)
    return Question(name, _ask(sign), tuple(choices), "none" if nothing and not read else choices[0].key, due=True)


def _unheard(stroke: Stroke, sign: Sign, known: Ball | None, side: Side, reads: Sequence[Read]) -> Question:
    """Whether a bell rang that nobody hears, and which ball rang it: something went into its arch, or its colours came down."""
    if sign.place not in FORT_SIDE:
        return unheard.through(f"pass-{sign.id}", side)
    read = balls_of(_reads_of(stroke, sign, reads))
    balls = [known] if known is not None else [*dict.fromkeys((*read, *may_have_rung(stroke, sign.place, side)))]
    name, went_in = f"bell-{sign.id}", sign.what == "arch"
    nothing = went_in and not read and (sign.stays or not stayed(stroke.signs, sign))
    return unheard.rang(name, sign.place, balls, went_in=went_in, nothing=nothing, ball=len(read) == 1)


def may_have_rung(stroke: Stroke, fort: Fort, side: Side) -> list[Ball]:
    """The balls that may have rung a bell, the likely first."""
    return _may_have_been(stroke, Sign("bell", fort, stroke.start, 0), side)


def _may_have_been(stroke: Stroke, sign: Sign, side: Side) -> list[Ball]:
    # Where all stand on their spots, a spot's sensor is wrong, or what told of a ball.
    return sorted(stroke.may_have_moved or BALLS, key=lambda ball: _unlikely(stroke, sign, ball, side))


def _unlikely(stroke: Stroke, sign: Sign, ball: Ball, side: Side) -> tuple[bool, bool, bool]:
    """Sorts the likely balls first."""
    abroad = sign.what != "pocket" and FORT_SIDE[cast(Fort, sign.place)] != side
    own = BALL_SIDE[ball] == side
    return (own != abroad, own and ball != cued_ball(stroke, side), ball != ATTACK[BALL_SIDE[ball]])


def _ask(sign: Sign) -> str:
    if sign.what == "pocket":
        pocket = place_name(sign.place)
        return f"Which ball stays in {pocket}?" if sign.stays else f"Which ball fell into {pocket}?"
    if sign.what == "pass":
        what = "Something stays in the pass. Did a ball go through?" if sign.stays else "What went through the pass?"
        return f"{what} Only the attacking ball, from its own side, makes it."
    fort = NAME[cast(Fort, sign.place)]
    if sign.what == "bell":
        return f"Which ball rang the bell of {fort}?"
    return f"Which ball {'stays in the arch of' if sign.stays else 'went into'} {fort}? Its bell was not heard."


def cued_ball(stroke: Stroke, side: Side) -> Ball:
    """The ball that was cued: as its key says; else of a side's balls that left their spots, or may have, the attacking one.

    Where that stands on its spot it is the first of the others; where all do, the attacking ball.
    """
    if stroke.cued is not None:
        return stroke.cued
    own = [ball for ball in stroke.left if BALL_SIDE[ball] == side]
    own = own or [ball for ball in stroke.may_have_moved if BALL_SIDE[ball] == side]
    return ATTACK[side] if ATTACK[side] in own or not own else own[0]


def _wrong_ball(stroke: Stroke, cued: Ball, side: Side) -> Question:
    """FORT-19a counts only when somebody says so: a wrong key is pressed more often than a wrong ball is played."""
    name = f"cued-{stroke.key}"
    text = f"{TITLE[cued]} was named, but it is the turn of the {SIDE_NAME[side]}. Which ball was played?"
    own = ATTACK[side]
    choices = (
        Choice("own", f"A ball of the {SIDE_NAME[side]}", {f"?{name}": own}),
        Choice(cued, TITLE[cued], {f"?{name}": cued}),
    )
    return Question(name, text, choices, "own", due=True)
