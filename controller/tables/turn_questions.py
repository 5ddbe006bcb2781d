"""What is asked of a turn of bagatelle, in words: which cup holds the black, and which ball struck it first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from controller.tables.identity import Resting, Stroke, unseen_hypotheses
from controller.tables.table import Choice, Question


def which_cup(name: str, strokes: Sequence[Stroke], blind: Sequence[int], *, due: bool) -> Question:
    """Which filled cup holds the black, or none: one question a turn, at its end (BAG-12).

    `blind`: cups of which it is asked too whether a ball lies there.
    """
    possible = unseen_hypotheses(strokes, blind)
    choices = tuple(
        Choice(key, _cup_text(key, blind), {f"?{name}.{s.key}": resting[s.key] for s in strokes})
        for key, resting in possible.items()
    )
    text = "Which cup holds the black?"
    if blind:
        text = f"Which cup holds the black, and does a ball lie in {cups_text(blind, 'or')}, which no sensor sees?"
    return Question(name, text, choices, likely_of(possible), due, _known_late(strokes, blind, possible))


def _known_late(strokes: Sequence[Stroke], blind: Sequence[int], possible: Mapping[str, Resting]) -> tuple[int, ...]:
    """What colour inputs found after the strokes were events, where more would be possible without it."""
    late = tuple(move.late for stroke in strokes for move in stroke.moves if move.late is not None)
    if not late:
        return ()
    before = [
        replace(one, moves=[move if move.late is None else replace(move, black=None) for move in one.moves]) for one in strokes
    ]
    return late if unseen_hypotheses(before, blind) != possible else ()


def which_ball(name: str, strokes: Sequence[Stroke], *, due: bool) -> Question | None:
    """With no sensor at spot a: which ball struck the black first (BAG-05)."""
    unsure = [(number, stroke) for number, stroke in enumerate(strokes, 1) if stroke.hit is None]
    if not unsure:
        return None
    choices = [
        Choice(str(number), f"Ball {number}", {f"?{name}.{s.key}": s is stroke for _, s in unsure}) for number, stroke in unsure
    ]
    choices.append(Choice("none", "None of them", {f"?{name}.{s.key}": False for _, s in unsure}))
    return Question(name, "Which ball struck the black first?", tuple(choices), choices[0].key, due)


def likely_of(possible: Mapping[str, Resting]) -> str:
    """The answer by which a turn stands until people give one."""
    return "none" if "none" in possible else next(iter(possible))


def _cup_text(key: str, blind: Sequence[int] = ()) -> str:
    black, *filled = key.split("+")
    text = "None of them" if black == "none" else f"Cup {black.removeprefix('cup-')}"
    for cup in blind:
        if black != f"cup-{cup}":
            text += f"; {'a ball in' if str(cup) in filled else 'nothing in'} cup {cup}"
    return text


def cups_text(cups: Sequence[int], last: str = "and") -> str:
    """Cups in words: "cups 3, 5 and 7"."""
    words = [str(cup) for cup in cups]
    joined = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"
    return f"cup {joined}" if len(words) == 1 or last == "or" else f"cups {joined}"
