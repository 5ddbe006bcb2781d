"""What people answered to a question, and what follows from it."""

from __future__ import annotations

from dataclasses import replace

from controller.rules.awards import Award, Notice, Over, Refusal, Ruling
from controller.rules.errors import nearest
from controller.rules.maw.events import Answer
from controller.rules.maw.outcome import gain, loss, ruled
from controller.rules.maw.play import FOUR
from controller.rules.maw.questions import NOBODY, ask_of, speakers
from controller.rules.maw.state import QUESTIONS, State, Waiting
from controller.rules.maw.words import OTHER

SPOKEN = {"yes": True, "no": False}


def answer(state: State, event: Answer) -> Ruling[State] | Refusal:
    """A ruling on what waits, the oldest of its kind first; refused where nobody asked, or for a value that is no answer."""
    waiting = next((one for one in state.waiting if one.ask == event.ask and event.by in speakers(one)), None)
    if waiting is None:
        if event.ask not in QUESTIONS:
            return Refusal("M-20", f"Nobody is ever asked for a ruling on {event.ask!r}; {nearest(event.ask, QUESTIONS)}.")
        return Refusal(event.ask, f"Nobody asked {event.by} for a ruling on {event.ask}.")
    if not ask_of(waiting).choices:
        return _points(state, waiting, event.value)
    value = SPOKEN.get(event.value, event.value) if isinstance(event.value, str) else event.value
    choices = ask_of(waiting).choices
    if not any(value == choice and type(value) is type(choice) for choice in choices):
        return Refusal(waiting.ask, f"{event.value!r} is no answer here; one of these is: {', '.join(map(str, choices))}.")
    if waiting.ask == "MAW-09c":
        return _consent(state, event, agreed=value is True)
    if isinstance(value, bool):
        return _yes_no(state, waiting, yes=value)
    why = "the mate made out the card" if waiting.ask == "MAW-07a" else "the deal was lost and dealt again"
    fault, told = waiting.side, f"As ruled: {why}."
    awards = gain(fault, -FOUR, waiting.ask, told) if value == NOBODY else gain(OTHER[fault], FOUR, waiting.ask, told)
    return _answered(state, waiting, awards)


def _answered(state: State, waiting: Waiting, awards: tuple[Award, ...] = (), notices: tuple[Notice, ...] = ()) -> Ruling[State]:
    return ruled(state, state.deal, awards, notices=notices, waiting=_without(state, waiting))


def _without(state: State, gone: Waiting) -> tuple[Waiting, ...]:
    place = state.waiting.index(gone)
    return state.waiting[:place] + state.waiting[place + 1 :]


def _consent(state: State, event: Answer, *, agreed: bool) -> Ruling[State]:
    """MAW-09c: a no from either side, and this game counts as points alone."""
    answered = ("A", "B") if event.by == "marker" else (event.by,)
    waiting = tuple([one for one in state.waiting if one.ask != "MAW-09c" or one.side not in answered])
    if agreed:
        return ruled(state, state.deal, waiting=waiting)
    alone = Notice("MAW-09c", "Not without consent: this game counts as points alone, and the set stays open.")
    return ruled(state, replace(state.deal, consent=False), notices=(alone,), waiting=waiting)


def _yes_no(state: State, waiting: Waiting, *, yes: bool) -> Ruling[State]:
    """Whether a side is out (M-04), or an asked card may not stand (MAW-14a, MAW-14b)."""
    if waiting.ask == "M-04":
        won = Over(waiting.side, draw=False, double=False, rule="M-04") if yes else None
        return ruled(state, state.deal, waiting=_without(state, waiting), won=won)
    if not yes:
        return _answered(state, waiting)
    left = tuple([one for one in state.waiting if one.ask not in ("MAW-14a", "MAW-14b")])
    undone = Notice(waiting.ask, f"The card may not be asked: {waiting.side} takes it back.")
    return ruled(state, replace(state.deal, asked=None), notices=(undone,), waiting=left)


def _points(state: State, waiting: Waiting, value: float | str) -> Ruling[State] | Refusal:
    if isinstance(value, bool | str) or value < 0 or value != int(value):
        return Refusal(waiting.ask, f"{value!r} is no answer here: a whole number of points is, from 0.")
    points, side = int(value), waiting.side
    match waiting.ask:
        case "MAW-09a":
            return _answered(state, waiting, gain(side, points, "MAW-09a", f"{side}'s livings, as ruled."))
        case "M-07" | "M-13":
            return _answered(state, waiting, gain(side, points, waiting.ask, f"The game that {side} won, as ruled."))
        case "MAW-06a":
            why = f"The vied cards that {side} lost by robbing without the ace, as ruled."
            return _answered(state, waiting, loss(state, side, points, "MAW-06a", why))
    return _answered(state, waiting, loss(state, side, points, waiting.ask, f"The game that {side} lost, as ruled."))
