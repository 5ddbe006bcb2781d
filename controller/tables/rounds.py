"""A round of squails at its end: the distances as they were seen, what of them is asked, and what the gauge answers. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from controller.rules.awards import Json
from controller.rules.squails.words import sentence, spoken
from controller.tables.demarcation import Ground
from controller.tables.nearness import Gap, judge
from controller.tables.table import Choice, Draft, Question
from hardware.places import Place, Scene


def distances(
    scene: Scene, target: Place, ground: Ground, statuses: Mapping[str, Json], sides: Mapping[str, str]
) -> tuple[tuple[Gap, ...], tuple[str, ...]]:
    """The distances of the squails that lie on the table, and the squails where none can be: they would lie in the target.

    Where two would lie in each other, one of the places at least is off by so much, or one lies on the other: who knows.
    """
    gaps: list[Gap] = []
    wrong: list[str] = []
    lying = {
        name: place for name, place in scene.places.items() if name in statuses and statuses[name] != "out" and ground.lies(place)
    }
    for name, place in lying.items():
        others = (ground.overlap(place, other) for one, other in lying.items() if one != name)
        mm, error = ground.gap(place, target), place.error + target.error + max(others, default=0.0)
        if mm < -place.error - target.error:
            wrong.append(name)
        else:
            gaps.append(Gap(name, sides[name], max(mm, 0.0), error))
    return tuple(gaps), tuple(wrong)


def deciding(gaps: Sequence[Gap], wrong: Sequence[str], gauge: float) -> tuple[str, ...]:
    """The squails by which it is decided what counts: those that may count, and the nearest of the sides that bound these."""
    sides = dict.fromkeys(gap.side for gap in gaps)
    nearest = [min((gap for gap in gaps if gap.side == side), key=lambda gap: gap.mm) for side in sides]
    bounds = sorted(nearest, key=lambda gap: gap.mm)[:2]
    limit = min([gauge, *(gap.most for gap in bounds[1:])])
    return (*(gap.squail for gap in gaps if gap in bounds or gap.least <= limit), *wrong)


def end_of_round(
    gaps: tuple[Gap, ...], wrong: tuple[str, ...], squails: Mapping[str, Json], gauge: float, level: str, *, key: str, at: int
) -> Draft:
    """The end of the round as an event, with the questions that bind its unknowns; a squail without a distance is out."""
    judged = judge(gaps, gauge, level, key)
    told: dict[str, Json] = {**dict.fromkeys(squails), **judged.gaps}
    questions = [*judged.questions]
    for squail in wrong:
        question = _impossible(squail, key)
        questions.append(question)
        told[squail] = f"?{question.id}"
    return Draft({"event": "round_end", "gaps_mm": told}, at, (), 0, tuple(questions))


COUNTED = "counted by people: nobody has measured these distances"
"""The note of such a round's end: 0 says no more than that a squail counts."""


def unmeasured(statuses: Mapping[str, Json], sides: Mapping[str, str], *, key: str, at: int, evidence: tuple[int, ...]) -> Draft:
    """The end of a round that nothing measures and no captain can claim by a button: what counts is asked (S-20).

    `evidence`: of its strokes.
    """
    lying = [one for one, status in statuses.items() if status != "out"]
    name = f"round-{key}"
    choices = [Choice("none", "None", {f"?{name}": {}})]
    for side in dict.fromkeys(sides[one] for one in lying):
        own = [one for one in lying if sides[one] == side]
        for count in range(1, len(own) + 1):
            # Which of them it is, nobody asks: the first ones stand for all.
            told: dict[str, Json] = {one: 0.0 if one in own[:count] else None for one in statuses}
            choices.append(Choice(f"{side}-{count}", f"{sentence(side)}: {count}", {f"?{name}": told}))
    question = Question(name, "Which side's squails lie nearest, and how many count?", tuple(choices), "none", due=True)
    return Draft({"event": "round_end", "gaps_mm": f"?{name}", "note": COUNTED}, at, evidence, 0, (question,))


def _impossible(squail: str, key: str) -> Question:
    """A squail can't lie where the target stands: people say where it does."""
    name = f"place-{key}-{squail}"
    choices = (
        Choice("against", "Against the target", {f"?{name}": 0.0}),
        Choice("far", "Not within the gauge", {f"?{name}": None}),
    )
    return Question(
        name, f"Where does {spoken(squail)} lie? Its place and the target's can't both be right.", choices, "far", due=True
    )


def gauged(question: Question, *, touches: bool) -> Question | None:
    """The question as the gauge answers it; None where it doesn't."""
    if question.id.startswith("gauge-"):
        fits = ["yes" if touches else "no"]
    elif question.id.startswith(("line-", "target-")):
        # Laid from the edge: what it touches lies on the outer side.
        fits = ["short", "across", "out"] if touches else ["in", "moved"]
    else:
        return None
    choices = tuple(choice for choice in question.choices if choice.key in fits)
    return replace(question, choices=choices, likely=choices[0].key) if choices else None
