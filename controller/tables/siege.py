"""One stroke of fortification as the sensors saw it, and its facts: whose ball it was where that is known, else a question.

A bell knows where, seldom which. In order: an input that reads the ball itself; the ball that the marker's key named, if only
one ball moved; counting, where all others stand on their spots; else people are asked (an attacker's ring wins four, a defender's
loses two). Where no bell is heard, what else was seen of the fort asks whether it rang (`unheard.py` for what is seen late).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, cast

from controller.rules.awards import Json, Notice
from controller.rules.fortification.words import (
    ATTACK,
    BALL_SIDE,
    BALLS,
    ENEMY,
    FORT_SIDE,
    FORTS,
    NAME,
    SIDE_NAME,
    TITLE,
    Ball,
    Fort,
    Side,
)
from controller.tables import unheard
from controller.tables.table import Choice, Draft, Question
from hardware.signals import MS

IDENTITY = 300 * MS
"""A ball that is read so close to a bell, an arch or a pocket is the one that was there."""


@dataclass(frozen=True, slots=True)
class Sign:
    """Something that a ball did at a place: a fort, a pass or a pocket. `way`: of a pass, the side it came from, or "".

    `colours`: they came down, where nothing else tells that they should. `id` is the journal's id of the observation.
    """

    what: Literal["bell", "arch", "pass", "pocket", "colours"]
    place: str
    at: int
    id: int
    way: str = ""


@dataclass(frozen=True, slots=True)
class Read:
    """A ball was read at a place."""

    place: str
    ball: Ball
    at: int
    id: int


@dataclass(frozen=True, slots=True)
class Between:
    """What a hand did: colours lowered or a ball put back."""

    at: int
    id: int
    event: dict[str, Json]


@dataclass(slots=True)
class Stroke:
    """What happened from one stroke to the next.

    `key`: the id of the observation that began it; `called`: a button did; `cued`: the ball that a key named; `stood`: balls that
    a sensor saw on their spots when it began, `left`: those that have left them since. `deaf`: the forts whose bell nobody hears;
    `late`: the colours that may yet tell what no other sensor can.
    """

    start: int
    key: int
    called: bool
    cued: Ball | None = None
    stood: frozenset[Ball] = frozenset()
    left: set[Ball] = field(default_factory=set)
    signs: list[Sign] = field(default_factory=list)
    evidence: list[int] = field(default_factory=list)
    deaf: frozenset[str] = frozenset()
    late: tuple[str, ...] = ()

    def add(self, sign: Sign) -> None:
        """Take a sign in, in order of time."""
        self.signs.append(sign)
        self.signs.sort(key=lambda one: one.at)
        self.evidence.append(sign.id)

    @property
    def last(self) -> int:
        """When something was seen of it last."""
        return max((sign.at for sign in self.signs), default=self.start)

    @property
    def may_have_moved(self) -> list[Ball]:
        """The balls that no spot sensor saw at rest all the time."""
        return [ball for ball in BALLS if ball not in self.stood or ball in self.left]


def facts_of(stroke: Stroke, side: Side, reads: Sequence[Read]) -> list[dict[str, Json] | Question]:
    """The facts of the stroke in order; a question where the ball isn't known, whose choices bind the whole fact."""
    facts: list[dict[str, Json] | Question] = []
    signs = _told(stroke)
    alone = len({one.place for one in signs}) == 1
    known = _possible(signs, [_known(stroke, sign, side, reads, alone=alone) for sign in signs])
    for sign, ball in zip(signs, known, strict=True):
        if sign.what == "colours" or (sign.what == "arch" and sign.place in stroke.deaf):
            facts.append(_unheard(stroke, sign, ball, side, reads))
        elif ball is not None:
            facts.append(_fact(sign, ball))
        elif sign.what != "pass" or sign.way != ENEMY[side]:
            # Through the pass from the enemy's side is nothing, whichever ball it was (FORT-08a).
            facts.append(_question(stroke, sign, side, reads))
    return facts


def draft(stroke: Stroke, side: Side, reads: Sequence[Read]) -> Draft:
    """The stroke as an event, with the questions that bind its unknowns."""
    facts: list[Json] = []
    questions: list[Question] = []
    for fact in facts_of(stroke, side, reads):
        if isinstance(fact, Question):
            questions.append(fact)
            facts.append(f"?{fact.id}")
        else:
            facts.append(fact)
    for of in stroke.late:
        questions.append(unheard.nothing_yet(stroke.key, of))
        facts.append(f"?{questions[-1].id}")
    ball: Json = stroke.cued or _cued(stroke, side)
    if stroke.cued is not None and BALL_SIDE[stroke.cued] != side:
        slip = _wrong_ball(stroke, stroke.cued, side)
        questions.append(slip)
        ball = f"?{slip.id}"
    event: dict[str, Json] = {"event": "stroke", "side": side, "ball": ball, "facts": facts}
    evidence = (*stroke.evidence, *(read.id for sign in stroke.signs for read in _reads_of(sign, reads)))
    return Draft(event, stroke.start, tuple(dict.fromkeys(evidence)), stroke.key, tuple(questions))


def stray(sign: Sign) -> Notice | None:
    """What is told of a sign with no stroke in play; none of an arch, for whatever goes through its beam is as likely a hand."""
    if sign.what == "bell":
        said, rule = f"The bell of {place_name(sign.place)} rang", "FORT-15a"
    elif sign.what == "pass":
        said, rule = f"Something went through {place_name(sign.place)}", "FORT-07a"
    elif sign.what == "pocket":
        said, rule = f"Something fell into {place_name(sign.place)}", "FORT-28"
    else:
        return None
    return Notice(rule, f"{said} with no stroke in play: nothing counts. Enter the stroke that was missed.")


def place_name(role: str) -> str:
    """A place in words."""
    fort = role.removesuffix("-arch")
    if fort in FORTS:
        return NAME[fort] if fort == role else f"the arch of {NAME[fort]}"
    return role.replace("-", " ") if role.startswith("pocket") else "the pass"


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
    ball = drafted.event["ball"]
    event: dict[str, Json] = {
        **drafted.event,
        "ball": binds.get(str(ball), ball),
        "facts": [fact for fact in filled if fact is not None],
    }
    return Draft(event, drafted.at, drafted.evidence, drafted.key)


def _told(stroke: Stroke) -> list[Sign]:
    """The signs that are facts: a bell tells the arch before it, once a fort; a ball that went in and out again stays nowhere.

    Where no bell is heard it may have rung all the same.
    """
    rung = {sign.place for sign in stroke.signs if sign.what == "bell"}
    entered = {sign.place for sign in stroke.signs if sign.what in ("bell", "arch")}
    told: dict[tuple[str, int], Sign] = {}
    for sign in stroke.signs:
        if sign.what == "bell":
            told.setdefault((sign.place, 0), sign)
        elif sign.what == "arch":
            if sign.place in stroke.deaf:
                told.setdefault((sign.place, 0), sign)
            elif sign.place not in rung and _stayed(stroke, sign):
                told[sign.place, 0] = sign
        elif sign.what == "colours":
            if sign.place not in entered:
                told.setdefault((sign.place, 0), sign)
        else:
            told[sign.place, sign.id] = sign
    return sorted(told.values(), key=lambda sign: sign.at)


def _stayed(stroke: Stroke, sign: Sign) -> bool:
    """Whether what went into an arch hasn't come out of it again."""
    return len([one for one in stroke.signs if one.what == "arch" and one.place == sign.place]) % 2 == 1


def _reads_of(sign: Sign, reads: Iterable[Read]) -> list[Read]:
    return [read for read in reads if read.place == sign.place and abs(read.at - sign.at) <= IDENTITY]


def _known(stroke: Stroke, sign: Sign, side: Side, reads: Sequence[Read], *, alone: bool) -> Ball | None:
    moved = stroke.may_have_moved
    if read := _read_there(sign, reads):
        # Two balls at one bell, or one that a sensor sees on its spot: who is right, no input can tell.
        return read[0] if len(read) == 1 and read[0] in moved else None
    # A ball in a pocket or at home is seldom the one that was cued, and has another price.
    if sign.what == "colours":
        return None
    abroad = sign.what == "pass" or (sign.what in ("bell", "arch") and FORT_SIDE[cast(Fort, sign.place)] != side)
    told = sign.what != "pass" or sign.way != ""
    cued = stroke.cued
    if cued in moved and BALL_SIDE[cued] == side and alone and abroad and told and not stroke.left - {cued}:
        return cued
    return moved[0] if len(moved) == 1 and told else None


def _read_there(sign: Sign, reads: Iterable[Read]) -> list[Ball]:
    """The balls that were read where and when a sign was, the one read nearest to it first."""
    near = sorted(_reads_of(sign, reads), key=lambda read: abs(read.at - sign.at))
    return [*dict.fromkeys(read.ball for read in near)]


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


def _question(stroke: Stroke, sign: Sign, side: Side, reads: Iterable[Read]) -> Question:
    """Which ball it was, or none: a hand in a beam is no ball."""
    name = f"ball-{sign.id}"
    if sign.what == "pass":
        # No other ball's passage counts (F-21).
        attack = ATTACK[side]
        through = {"fact": "pass", "ball": attack, "from": "own_side"}
        choices = [Choice(attack, f"{TITLE[attack]}, from its own side", {f"?{name}": cast(Json, through)})]
        choices.append(Choice("other", "Another ball, or from the other side", {f"?{name}": None}))
        return Question(name, "What went through the pass?", tuple(choices), attack, due=True)
    read = _read_there(sign, reads)
    balls = [*dict.fromkeys((*read, *_may_have_been(stroke, sign, side)))]
    choices = [Choice(ball, TITLE[ball], {f"?{name}": _fact(sign, ball)}) for ball in balls]
    attack = ATTACK[side]
    if sign.what != "pocket" and attack in balls:
        # All hangs on the bell, and people have heard it better than a disc.
        rang = sign.what == "arch"
        text = f"{TITLE[attack]}, {'and the bell rang' if rang else 'but the bell was silent'}"
        fact = _fact(replace(sign, what="bell" if rang else "arch"), attack)
        choices.append(Choice("rang" if rang else "silent", text, {f"?{name}": fact}))
    choices.append(Choice("none", "No ball", {f"?{name}": None}))
    # What breaks the beam of an arch and rings no bell is as likely a hand, or a ball that came out again.
    nothing = sign.what == "arch" or not (stroke.may_have_moved or read or stroke.cued)
    return Question(name, _ask(sign), tuple(choices), "none" if nothing else choices[0].key, due=True)


def _unheard(stroke: Stroke, sign: Sign, known: Ball | None, side: Side, reads: Iterable[Read]) -> Question:
    """Whether a bell rang that nobody hears, and which ball rang it: something went into its arch, or its colours came down."""
    if sign.place not in FORT_SIDE:
        return unheard.through(f"pass-{sign.id}", side)
    may_have = [*dict.fromkeys((*_read_there(sign, reads), *may_have_rung(stroke, sign.place, side)))]
    balls = [known] if known is not None else may_have
    name, went_in = f"bell-{sign.id}", sign.what == "arch"
    return unheard.rang(name, sign.place, balls, went_in=went_in, gone=went_in and not _stayed(stroke, sign))


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
    return (own != abroad, own and ball != (stroke.cued or _cued(stroke, side)), ball != ATTACK[BALL_SIDE[ball]])


def _ask(sign: Sign) -> str:
    if sign.what == "pocket":
        return f"Which ball fell into pocket {sign.place.removeprefix('pocket-')}?"
    fort = NAME[cast(Fort, sign.place)]
    if sign.what == "bell":
        return f"Which ball rang the bell of {fort}?"
    return f"Which ball went into {fort}? Its bell was not heard."


def _cued(stroke: Stroke, side: Side) -> Ball:
    """The ball that was cued, where nobody said: the one own ball that left its spot, else the attacking ball."""
    left = [ball for ball in stroke.left if BALL_SIDE[ball] == side]
    return left[0] if len(left) == 1 else ATTACK[side]


def _wrong_ball(stroke: Stroke, cued: Ball, side: Side) -> Question:
    """FORT-19a counts only when somebody says so: a wrong key is pressed more often than a wrong ball is played."""
    name = f"cued-{stroke.key}"
    text = f"{TITLE[cued]} was named, but it is the turn of the {SIDE_NAME[side]}. Which ball was played?"
    own = ATTACK[side]
    choices = (
        Choice("own", f"A {SIDE_NAME[side]} ball", {f"?{name}": own}),
        Choice(cued, TITLE[cued], {f"?{name}": cued}),
    )
    return Question(name, text, choices, "own", due=True)
