"""Fortification billiards through the interface of all games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from controller.rules.awards import Json, Over, Refusal, Ruling
from controller.rules.fortification import between
from controller.rules.fortification import state as states
from controller.rules.fortification.events import (
    EVENTS,
    BallLifted,
    ColoursDown,
    DemandRespot,
    Lag,
    Respotted,
    Stroke,
)
from controller.rules.fortification.offers import offers
from controller.rules.fortification.options import OPTIONS, HouseRules
from controller.rules.fortification.state import State
from controller.rules.fortification.stroke import play
from controller.rules.fortification.words import SIDES
from controller.rules.game import Event, Form, Game, Option


class Fortification(Game[State]):
    """The rules of fortification billiards.

    >>> game = Fortification()
    >>> state = game.start(position={"pass": {"english": "regular"}})
    >>> bell = {"fact": "bell", "fort": "french-advanced-1", "ball": "english-attack"}
    >>> stroke = {"event": "stroke", "side": "english", "ball": "english-attack", "facts": [bell]}
    >>> [(award.points, award.rule) for award in game.apply(state, game.read(stroke)).awards]
    [(4, 'FORT-11')]
    """

    name: ClassVar[str] = "fortification"
    prefix: ClassVar[str] = "FORT"
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    events: ClassVar[Mapping[str, type[Event]]] = EVENTS
    state_type: ClassVar[type[State]] = State

    def start(self, options: Mapping[str, Json] | None = None, position: Mapping[str, Json] | None = None) -> State:
        """The first state. Raises `BadOption`, `BadPosition`."""
        return states.opening(HouseRules(**self.read_options(options)), position)

    def apply(self, state: State, event: Event) -> Ruling[State] | Refusal:
        """Adjudicate one event."""
        if states.over(state) is not None:
            return Refusal("FORT-00c", "The game is over: start a new one.")
        match event:
            case Stroke():
                return play(state, event)
            case ColoursDown():
                return between.colours_down(state, event)
            case Respotted():
                return between.respotted(state, event)
            case BallLifted():
                return between.ball_lifted(state, event)
            case DemandRespot():
                return between.demand_respot(state, event)
            case Lag():
                return between.lag(state, event)
        return Refusal("FORT-37a", "Nothing is asked in this game: the umpire's word comes with the stroke, as 'hidden'.")

    def position(self, state: State) -> dict[str, Json]:
        """The state in the public words, complete."""
        return states.position(state)

    def offers(self, state: State) -> tuple[Form, ...]:
        """What may be entered now, most likely first."""
        return offers(state)

    def sides(self, state: State) -> tuple[str, ...]:  # noqa: ARG002 - always the same two
        """English first: they open the attack."""
        return SIDES

    def score(self, state: State) -> dict[str, int]:
        """The score of each side; below zero a side owes points (F-23)."""
        return {side: state.score[side] for side in SIDES}

    def over(self, state: State) -> Over | None:
        """How the game ended, or None while it goes on."""
        return states.over(state)

    def turn(self, state: State) -> str | None:
        """The side to strike; None when the game is over."""
        return None if states.over(state) else state.turn

    def write(self, event: Event) -> dict[str, Json]:
        """The JSON object of a typed event."""
        written = super().write(event)
        if isinstance(event, Stroke):
            written["facts"] = [fact.written() for fact in event.facts]
        return written
