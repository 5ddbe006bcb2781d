"""The rules of squails: which event goes where."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from controller.rules.awards import Json, Over, Refusal, Ruling
from controller.rules.errors import BadEvent, nearest
from controller.rules.game import Event, Form, Game
from controller.rules.squails import forms, play, settle
from controller.rules.squails import state as states
from controller.rules.squails.events import (
    EVENTS,
    NAMES_IN,
    Allow,
    Answer,
    Claim,
    ClaimReplay,
    CryOut,
    Dispute,
    Gauge,
    LeadTrial,
    NewRound,
    RoundEnded,
    StandTarget,
    Strike,
    TakeBack,
    Touch,
)
from controller.rules.squails.options import OPTIONS, House, share
from controller.rules.squails.state import State
from controller.rules.squails.words import SQUAILS, sentence, spoken

CORRECTIONS = (Claim, Dispute, Gauge, Allow, Touch, CryOut)
"""Events that may still change the last round when the game is over."""


class Squails(Game[State]):
    """The rules of squails.

    >>> game = Squails()
    >>> state = game.start({"squails_each": 1})
    >>> ruling = game.apply(state, game.read({"event": "round_end", "gaps_mm": {"light-s1": 25.4, "dark-s1": 50.8}}))
    >>> [(award.side, award.points, award.rule) for award in ruling.awards]
    [('light', 1, 'SQU-09')]
    """

    name = "squails"
    prefix = "SQU"
    options = OPTIONS
    events = EVENTS
    state_type = State

    def start(self, options: Mapping[str, Json] | None = None, position: Mapping[str, Json] | None = None) -> State:
        """The first state. Raises `BadOption`, `BadPosition`."""
        return states.opening(House(**self.read_options(options)), position)

    def read_options(self, given: Mapping[str, Json] | None) -> dict[str, Any]:
        """All options with their values. Raises `BadOption`."""
        values = super().read_options(given)
        if values["squails_each"] is None:
            values["squails_each"] = share(values["players"])
        return values

    def read_in(self, state: State, obj: Mapping[str, Json]) -> Event:
        """The typed event of a JSON object within one game. Raises `BadEvent`, also for names that this game hasn't."""
        event = self.read(obj)
        stranger = _stranger(state, event)
        if stranger is not None:
            table = state.seats
            names = table.squails if stranger in SQUAILS else dict.fromkeys((*table.players, *table.sides))
            raise BadEvent(f"{obj['event']}: {stranger!r} isn't in this game; {nearest(stranger, names)}")
        return event

    def apply(self, state: State, event: Event) -> Ruling[State] | Refusal:
        """Adjudicate one event. A name that this game hasn't is refused here; `read_in` finds it earlier."""
        stranger = _stranger(state, event)
        if stranger is not None:
            count = f"{state.house.players} players with {state.house.squails_each} squails each"
            rule = "S-18" if stranger in SQUAILS else "SQU-07"
            return Refusal(rule, f"{sentence(spoken(stranger))} isn't in this game of {count}.")
        ended = states.over(state)
        if ended is not None and (not isinstance(event, CORRECTIONS) or settle.settled(state)):
            return Refusal("SQU-24", f"The game is over: {spoken(ended.winner or '')} has won it.")
        return _RULES[type(event)](state, event)

    def position(self, state: State) -> dict[str, Json]:
        """The state in the public words."""
        return states.position(state)

    def offers(self, state: State) -> tuple[Form, ...]:
        """What may be entered now, most likely first."""
        return forms.offers(state)

    def sides(self, state: State) -> tuple[str, ...]:
        """The sides, light and dark, or each player where there are no sides."""
        return state.seats.sides

    def score(self, state: State) -> dict[str, int]:
        """The score of each side."""
        return dict(zip(state.seats.sides, state.score, strict=True))

    def over(self, state: State) -> Over | None:
        """How the game ended, or None while it goes on. A correction of the last round may take it back."""
        return states.over(state)

    def turn(self, state: State) -> str | None:
        """The side to play; None where anybody may, and between rounds."""
        return state.seats.side_of[state.to_play] if state.to_play else None


def _stranger(state: State, event: Event) -> str | None:
    known = state.seats.side_of
    for name in NAMES_IN[type(event)](event):
        if name not in known:
            return name
    return None


def _cry(state: State, event: CryOut) -> play.Outcome:
    return play.cry_out(state, event) if state.end is None else settle.late_cry(state, event)


def _unasked(state: State, event: Answer) -> play.Outcome:  # noqa: ARG001 - one signature for all rules
    return Refusal("SQU-02", "Nothing was asked: in squails the captains settle by claim, dispute and allowance.")


_RULES: Mapping[type[Event], Callable[[State, Any], play.Outcome]] = {
    LeadTrial: play.lead_trial,
    Strike: play.strike,
    TakeBack: play.take_back,
    CryOut: _cry,
    ClaimReplay: play.claim_replay,
    StandTarget: play.stand_target,
    RoundEnded: settle.measure,
    Claim: settle.claim,
    Dispute: settle.dispute,
    Gauge: settle.gauge,
    Allow: settle.allow,
    Touch: settle.touch,
    NewRound: settle.new_round,
    Answer: _unasked,
}
