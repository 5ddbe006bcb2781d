"""Questions in the place of a bell or a beam that tells nothing: did the bell ring, did a ball go through the pass, and the like.

Colours come down after the stroke that earned it, often when that stroke has been told already. So a stroke that may yet be told
of holds an unknown that says "nothing" until then; what comes down asks, under the same name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import cast

from controller.rules.awards import Json
from controller.rules.fortification.words import ATTACK, FORTS, NAME, Ball, Fort, Side
from controller.tables.colours import Due, spoken, taker
from controller.tables.table import Choice, Draft, Question

Evidence = tuple[int, ...]
"""The observations that led to an event, by the journal's ids."""


def rang(name: str, fort: Fort, balls: Sequence[Ball], *, went_in: bool, nothing: bool = False, ball: bool = False) -> Question:
    """Whether the bell of a fort rang, and by which ball.

    `went_in`: something broke the beam of its arch, else its colours came down; `nothing`: that was as likely no ball;
    `ball`: a ball it was.
    """
    why = "Something went in" if went_in else "Its colours came down"
    choices = [Choice(ball, f"It rang: {NAME[ball]}", {f"?{name}": _fact("bell", fort, ball)}) for ball in balls]
    if went_in:
        silent = "It did not ring: {} is in it"
        choices += [
            Choice(f"{ball}-silent", silent.format(NAME[ball]), {f"?{name}": _fact("in_fort", fort, ball)}) for ball in balls
        ]
    if not (went_in and ball):
        choices.append(Choice("none", "No ball: it was a hand" if went_in else "It did not ring", {f"?{name}": None}))
    likely = "none" if nothing else choices[0].key
    return Question(name, f"Did the bell of {NAME[fort]} ring? {why}.", tuple(choices), likely, due=True)


def through(name: str, side: Side) -> Question:
    """Whether the attacking ball of a side went through the pass, since the colours of the pass came down."""
    attack = ATTACK[side]
    fact: dict[str, Json] = {"fact": "pass", "ball": attack, "from": "own_side"}
    choices = (Choice(attack, "Yes, from its own side", {f"?{name}": fact}), Choice("none", "No", {f"?{name}": None}))
    text = f"Did {NAME[attack]} go through the pass? Its colours came down."
    return Question(name, text, choices, attack, due=True)


def nothing_yet(stroke: int, of: str) -> Question:
    """What these colours may yet tell of a stroke: nothing so far, so nobody is asked."""
    name = late_name(stroke, of)
    return Question(name, f"Did {spoken(of)} give nothing?", (Choice("none", "Nothing", {f"?{name}": None}),), "none", due=False)


def late_name(stroke: int, of: str) -> str:
    """The unknown, and its question, that stands in a stroke for what these colours may yet tell."""
    return f"late-{stroke}-{of}"


def tells_more(of: str, side: Side, due: Mapping[str, Due], has: Callable[[str], bool]) -> bool:
    """Whether these colours are all that can tell what a side's stroke did there. `has`: whether a sensor fills a role."""
    blind = not has(of) if of in FORTS else not (has("english-pass") or has("french-pass"))
    return blind and has(f"{of}-colours") and taker(of) == side and due[of] == "up"


def unseen_colours(stroke: int, at: int, due: Mapping[str, Due], has: Callable[[str], bool], evidence: Evidence) -> list[Draft]:
    """FORT-12a, FORT-07a: colours that are due and that no sensor sees: whether they came down before a stroke is asked."""
    return [
        before(
            Draft({"event": "colours_down", "of": of, "by": taker(of)}, at, evidence, stroke),
            "of",
            f"down-{stroke}-{of}",
            f"Were the colours of {spoken(of)} taken down before the next stroke was played? If not, {again(of)} again.",
        )
        for of, wanted in due.items()
        if wanted == "coming down" and not has(f"{of}-colours")
    ]


def unseen_spots(stroke: int, at: int, owed: Iterable[str], has: Callable[[str], bool], evidence: Evidence) -> list[Draft]:
    """FORT-23b: balls that are owed, and whose spot no sensor sees: whether they were back before a stroke is asked."""
    return [
        before(
            Draft({"event": "respotted", "ball": ball}, at, evidence, stroke),
            "ball",
            f"spot-{stroke}-{ball}",
            f"Was {NAME[cast(Ball, ball)]} put back on its spot before the next stroke was played? "
            "If not, a fort that is taken then wins nothing.",
        )
        for ball in owed
        if not has(f"{ball}-spot")
    ]


def again(of: str) -> str:
    """What must be done again when these colours were left up."""
    return "it must be taken" if of in FORTS else "the pass must be made"


def before(done: Draft, field: str, name: str, text: str) -> Draft:
    """What a hand may have done before a stroke; under no the event names nothing, and doesn't stand.

    `field`: of the event, what it names.
    """
    choices = (Choice("yes", "Yes", {f"?{name}": done.event[field]}), Choice("no", "No", {f"?{name}": None}))
    question = Question(name, text, choices, "yes", due=True)
    return replace(done, event={**done.event, field: f"?{name}"}, questions=(question,))


def _fact(kind: str, fort: Fort, ball: Ball) -> dict[str, Json]:
    return {"fact": kind, "fort": fort, "ball": ball}
