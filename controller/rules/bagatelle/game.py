"""Bagatelle: turns that follow one another until a side has reached the target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from controller.rules.awards import Award, Json, Notice, Over, Refusal, Ruling
from controller.rules.bagatelle import position as positions
from controller.rules.bagatelle.forms import forms
from controller.rules.bagatelle.turn import Played, Turn, play_shot, points_of, see
from controller.rules.bagatelle.words import OPTIONS, PLAYING_ORDER, Answer, EndTurn, House, OpenTurn, Shot
from controller.rules.errors import BadPosition
from controller.rules.game import Event, Form, Game


@dataclass(frozen=True, slots=True)
class State:
    """A game of bagatelle: the banked score, who plays, and the turn under way."""

    house: House
    a: int
    b: int
    seat: int
    """Whose turn it is, as a place in the playing order."""
    turn: Turn
    over: Over | None = None

    @property
    def player(self) -> str:
        """Who plays: `A`, or `A1` where partners play."""
        return PLAYING_ORDER[self.house.partners][self.seat]

    @property
    def side(self) -> str:
        """The side in turn."""
        return self.player[0]


class Bagatelle(Game[State]):
    """The rules of English bagatelle. A plays first."""

    name = "bagatelle"
    prefix = "BAG"
    options = OPTIONS
    events: ClassVar[Mapping[str, type[Event]]] = {"shot": Shot, "end_turn": EndTurn, "turn": OpenTurn, "ruling": Answer}
    state_type: ClassVar[type[Any]] = State

    def start(self, options: Mapping[str, Json] | None = None, position: Mapping[str, Json] | None = None) -> State:
        """The first state. A score that has ended the game, with nobody named to play, gives a game that is over."""
        house = House(**self.read_options(options))
        given = position or {}
        words = positions.read_words(given)
        score = words.score or {}
        a, b = score.get("A", 0), score.get("B", 0)
        result = _result(house, a, b)
        if result and words.turn is None and words.player is None:
            finished = State(house, a, b, 0, positions.FINISHED, result)
            written = self.position(finished)
            for name, said in given.items():
                if name != "score" and said not in (None, written[name]):
                    raise BadPosition(
                        f"position: a side has reached {house.target} and the game is over, so {name} can't be {said!r}"
                    )
            return finished
        if "turn" in given and words.turn is None:
            raise BadPosition(f"position: turn is null, but no side has reached {house.target}: say whose turn it is")
        if house.partners and "player" in given and words.player is None:
            raise BadPosition("position: player is null, but partners play: say whose turn it is")
        seat = self._seat(house, words)
        if result and seat % 2 == 0:
            raise BadPosition(f"position: A can't be in turn: a side has reached {house.target} and B has had the last turn")
        return State(house, a, b, seat, positions.read_turn(house, words))

    @staticmethod
    def _seat(house: House, words: positions.Words) -> int:
        order = PLAYING_ORDER[house.partners]
        if words.player is None:
            return 1 if words.turn == "B" else 0
        if words.player not in order:
            raise BadPosition("position: player is told of only where partners play: use turn")
        if words.turn not in (None, words.player[0]):
            raise BadPosition(f"position: turn is {words.turn}, but {words.player} plays for {words.player[0]}")
        return order.index(words.player)

    def apply(self, state: State, event: Event) -> Ruling[State] | Refusal:
        """Adjudicate one event."""
        if state.over:
            return Refusal(state.over.rule, "The game is over: start a new one.")
        if isinstance(event, OpenTurn):
            return self._open_turn(state, event)
        if not isinstance(event, Shot | EndTurn):
            return Refusal("BAG-10", "Nothing in bagatelle is left to a ruling of the players: play goes on.")
        side = state.side
        if event.side not in (None, side):
            return Refusal("BAG-10", f"{event.side} isn't in turn: {state.player} plays until the eight balls are gone.")
        if isinstance(event, EndTurn):
            return self._close(state, see(state.turn, event.cups))
        played = play_shot(state.house, state.turn, event)
        if isinstance(played, Refusal) or not played.turn.balls_left:
            return self._close(state, played)
        after = State(state.house, state.a, state.b, state.seat, played.turn)
        return Ruling(after, (), points_of(state.house, played.turn, side), played.notices)

    def _open_turn(self, state: State, event: OpenTurn) -> Ruling[State] | Refusal:
        if state.turn.begun == (event.side == state.side):
            waits = "plays until the eight balls are gone" if state.turn.begun else "is next to play"
            return Refusal("BAG-10", f"{event.side}'s turn can't begin now: {state.player} {waits}.")
        played = see(state.turn, event.cups)
        if state.turn.begun or isinstance(played, Refusal):
            return self._close(state, played)
        return Ruling(state, (), self.unbanked(state), played.notices)

    def _close(self, state: State, played: Played | Refusal) -> Ruling[State] | Refusal:
        """Bank the turn (B-14) and pass it on (BAG-10). Till then the target may be passed, but nothing ends (BAG-14a)."""
        if isinstance(played, Refusal):
            return played
        house, side = state.house, state.side
        awards = points_of(house, played.turn, side)
        banked = sum(award.points for award in awards)
        a, b = state.a + (banked if side == "A" else 0), state.b + (banked if side == "B" else 0)
        # The first player's turn never ends the game: the second has his reply (BAG-14b, BAG-15a).
        over = _result(house, a, b) if side == "B" else None
        if over:
            return Ruling(replace(state, a=a, b=b, turn=positions.FINISHED, over=over), awards, (), played.notices, (), over)
        seat = (state.seat + 1) % len(PLAYING_ORDER[house.partners])
        after = State(house, a, b, seat, Turn())
        notices = (*played.notices, *_turn_notices(after))
        return Ruling(after, awards, (), notices)

    def position(self, state: State) -> dict[str, Json]:
        """The state in public words; `turn` and `player` are null when the game is over."""
        return positions.write(self.score(state), state.house, state.turn, None if state.over else state.player)

    def offers(self, state: State) -> tuple[Form, ...]:
        """Shots with the next white and the next red, the end of the turn, and a shot in full."""
        return () if state.over else forms(state.house, state.turn, state.side)

    def sides(self, state: State) -> tuple[str, ...]:  # noqa: ARG002 - always the same two
        """A and B; A plays first."""
        return ("A", "B")

    def score(self, state: State) -> dict[str, int]:
        """The banked score."""
        return {"A": state.a, "B": state.b}

    def over(self, state: State) -> Over | None:
        """How the game ended."""
        return state.over

    def turn(self, state: State) -> str | None:
        """The side in turn; None when the game is over."""
        return None if state.over else state.side

    def unbanked(self, state: State) -> tuple[Award, ...]:
        """What the turn would bank now."""
        return points_of(state.house, state.turn, state.side)


def _result(house: House, a: int, b: int) -> Over | None:
    """How the game stands when both sides have had the same number of turns (BAG-13 to BAG-16)."""
    if max(a, b) < house.target:
        return None
    if a == b:
        return Over(None, draw=True, double=False, rule="B-02") if house.tie == "draw" else None
    double = min(a, b) <= house.corner_at
    return Over("A" if a > b else "B", draw=False, double=double, rule="BAG-15b" if a >= house.target else "BAG-14b")


def _turn_notices(state: State) -> tuple[Notice, ...]:
    """What people do and know at the start of a turn."""
    target, player = state.house.target, state.player
    ready = Notice("BAG-04", f"Collect the balls and set the black on spot a: {player} plays eight.")
    if max(state.a, state.b) < target:
        return (ready,)
    if state.side == "B" and state.b < target:
        return (ready, Notice("BAG-15a", f"A has {state.a}, {target} or more: this is B's last turn, the larger total wins."))
    return (ready, Notice("B-02", f"Both sides stood level at {target} or more: each plays another turn."))
