"""Maw through the interface of all games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from controller.rules.awards import Ask, Json, Over, Refusal
from controller.rules.game import Event, Form, Game, Option
from controller.rules.maw import forms, play
from controller.rules.maw import state as states
from controller.rules.maw.answers import answer
from controller.rules.maw.events import (
    EVENTS,
    Answer,
    AskCard,
    GameWon,
    GiveBack,
    Lead,
    NewDeal,
    Offence,
    Play,
    Pledge,
    Rob,
    TrickOver,
    TurnUp,
    Vie,
)
from controller.rules.maw.offences import offence
from controller.rules.maw.options import OPTIONS, House
from controller.rules.maw.questions import asks
from controller.rules.maw.state import State
from controller.rules.maw.words import SIDES


class Maw(Game[State]):
    """The rules of maw.

    >>> game = Maw()
    >>> state = game.start(position={"deal": {"asked": "B", "crossed": 1}})
    >>> ruling = game.apply(state, game.read({"event": "game_won", "by": "A"}))
    >>> [(award.side, award.points, award.rule) for award in ruling.awards]
    [('A', 6, 'M-13')]
    """

    name: ClassVar[str] = "maw"
    prefix: ClassVar[str] = "MAW"
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    events: ClassVar[Mapping[str, type[Event]]] = EVENTS
    state_type: ClassVar[type[State]] = State

    def start(self, options: Mapping[str, Json] | None = None, position: Mapping[str, Json] | None = None) -> State:
        """The first state. Raises `BadOption`, `BadPosition`."""
        return states.opening(House(**self.read_options(options)), position)

    def apply(self, state: State, event: Event) -> play.Outcome:
        """Adjudicate one event."""
        if state.won is not None:
            return Refusal(state.won.rule, f"The set is over: {state.won.winner} has it.")
        return _LAWS[type(event)](state, event)

    def position(self, state: State) -> dict[str, Json]:
        """The state in the public words, complete."""
        return states.position(state)

    def offers(self, state: State) -> tuple[Form, ...]:
        """What may be entered now, most likely first."""
        return forms.offers(state)

    def sides(self, state: State) -> tuple[str, ...]:  # noqa: ARG002 - always the same two
        """A and B."""
        return SIDES

    def score(self, state: State) -> dict[str, int]:
        """The score of each side; below zero a side owes points (M-02)."""
        return {"A": state.score[0], "B": state.score[1]}

    def over(self, state: State) -> Over | None:
        """How the set ended, or None while it goes on."""
        return state.won

    def turn(self, state: State) -> str | None:
        """The side that must follow a lead; the rules don't see who plays otherwise."""
        return states.to_play(state)

    def asks(self, state: State) -> tuple[Ask, ...]:
        """Questions that still wait for a ruling."""
        return asks(state.waiting)


_LAWS: Mapping[type[Event], Callable[[State, Any], play.Outcome]] = {
    NewDeal: play.new_deal,
    TurnUp: play.turn_up,
    AskCard: play.ask,
    Vie: play.vie,
    Pledge: play.pledge,
    GiveBack: play.give_back,
    Rob: play.rob,
    Lead: play.lead,
    Play: play.play,
    TrickOver: play.trick_over,
    GameWon: play.game_won,
    Offence: offence,
    Answer: answer,
}
