"""What a table of squails says of squails that lie there though the rules have them in hand, and of sensors out of use."""

from __future__ import annotations

from collections.abc import Sequence

from controller.rules.awards import Notice
from controller.rules.squails.words import listed, sentence

MOST_NAMED = 4
"""Of more squails only the number is told."""


def unseen(squails: Sequence[str]) -> Notice:
    """Nobody saw them struck."""
    one = len(squails) == 1
    counts = "it counts where it lies" if one else "they count where they lie"
    enter = "the stroke if it matters" if one else "the strokes if they matter"
    return Notice("SQU-08", f"Nobody saw {_named(squails)} struck: {counts}. Enter {enter}.")


def not_of_round(squails: Sequence[str]) -> Notice:
    """They lay there before the round, or were laid there by hands."""
    one = len(squails) == 1
    count = "has not been played in this round and doesn't count" if one else "have not been played in this round and don't count"
    lift = "take it off the table, or enter its stroke" if one else "take them off the table, or enter their strokes"
    return Notice("SQU-08", f"{sentence(_named(squails))} {count}: {lift}.")


def not_standing(squails: Sequence[str], *, target: bool) -> Notice:
    """Their strokes were seen and don't stand. `target`: one of them did something to the target."""
    if len(squails) == 1:
        text, before, counts = (
            f"The stroke of {_named(squails)} doesn't stand",
            "it, or take the squail off",
            "It counts where it lies",
        )
    else:
        text, before, counts = (
            f"The strokes of {_named(squails)} don't stand",
            "them, or take these off",
            "They count where they lie",
        )
    also = "; what was done to the target doesn't" if target else ""
    why = "by the rules or by a correction: put in what was missed before"
    return Notice("SQU-07", f"{text}, {why} {before}. {counts}{also}.")


def out_of_use(role: str, *, seats: bool) -> Notice:
    """A sensor is left out in the middle of a game. `seats`: whether players have buttons."""
    what = "what becomes of the target" if role == "target" else "every stroke"
    seat = "let whoever has struck press the button of his seat, or " if seats and role == "squails" else ""
    return Notice("SQU-06", f"The {role} sensor is left out: {seat}enter {what} until it is taken back in.")


NO_STROKE = Notice("SQU-08", "All squails lie there, and no stroke of this round was seen or entered: enter one, or its end.")


def _named(squails: Sequence[str]) -> str:
    return listed(tuple(squails)) if len(squails) <= MOST_NAMED else f"{len(squails)} squails"
