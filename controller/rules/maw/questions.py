"""What the laws leave to people, as questions in words."""

from __future__ import annotations

from functools import cache

from controller.rules.awards import Ask, Json
from controller.rules.maw.state import Waiting
from controller.rules.maw.words import OTHER, cards

YES_NO: tuple[Json, ...] = (True, False)
NOBODY = "nobody"
"""The answer that points lost are gained by no one."""

ANYBODY = ("A", "B", "marker")


def asks(waiting: tuple[Waiting, ...]) -> tuple[Ask, ...]:
    """The questions that may be answered now, in words."""
    return tuple([ask_of(one) for one in first_of_each(waiting)]) if waiting else ()


def first_of_each(waiting: tuple[Waiting, ...]) -> tuple[Waiting, ...]:
    """The oldest question of each kind, and of each who may answer it: it must be answered before the next of its kind.

    A ruling names the rule and the speaker alone, so it couldn't say which of two games it is about.
    """
    oldest: dict[tuple[str, tuple[str, ...]], Waiting] = {}
    for one in waiting:
        oldest.setdefault((one.ask, speakers(one)), one)
    return tuple(oldest.values())


def speakers(waiting: Waiting) -> tuple[str, ...]:
    """Who may answer: consent is each side's own, or the marker's for both."""
    return (waiting.side, "marker") if waiting.ask == "MAW-09c" else ANYBODY


@cache
def ask_of(waiting: Waiting) -> Ask:
    """One question. Without choices the answer is a number of points."""
    side, other = waiting.side, OTHER[waiting.side]
    match waiting.ask:
        case "MAW-09c":
            return Ask("MAW-09c", f"{side}: may this one game decide the set? Unanswered it may.", YES_NO)
        case "MAW-14a":
            return Ask("MAW-14a", f"Would the card that {side} asked set {other} at livings or out?", YES_NO)
        case "MAW-14b":
            return Ask("MAW-14b", f"Would the card that {side} asked set {side} itself at livings or out?", YES_NO)
        case "M-04":
            return Ask("M-04", f"{side} is above twenty-six: is {side} out, and has the set?", YES_NO)
        case "MAW-04a":
            return Ask("MAW-04a", f"{side} lost the deal and four: who gains them? If nobody, they come off.", (other, NOBODY))
        case "MAW-07a":
            return Ask(
                "MAW-07a", f"{side}'s mate made out the card: who gains the four? If nobody, they come off.", (other, NOBODY)
            )
        case "MAW-06a":
            return Ask("MAW-06a", f"{side} robbed without the ace: what {_worth(waiting)}?")
        case "MAW-09a":
            return Ask("MAW-09a", f"{side} must have livings: how many points are they?")
        case "M-07" | "M-13":
            return Ask(waiting.ask, f"{side} has won a game: what is it worth{_with(waiting)}?")
        case "MAW-03" | "MAW-05a" | "MAW-05b" as law:
            return Ask(law, f"{side} has lost a game by an offence: what is it worth{_with(waiting)}?")


def _worth(waiting: Waiting) -> str:
    return f"{'is' if waiting.vied == 1 else 'are'} the {cards(waiting.vied, 'vied')} worth"


def _with(waiting: Waiting) -> str:
    parts = [cards(count, kind) for count, kind in ((waiting.asked, "asked"), (waiting.vied, "vied")) if count]
    return f", its {' and '.join(parts)} included" if parts else ""
