"""Events that must be refused where a game stands: told from its public position and from the event before, not by its rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from controller.rules.fortification.words import BALLS, ENEMY, FORTS, PASS_OWNER
from controller.rules.game import Game
from controller.rules.maw.state import QUESTIONS
from controller.rules.maw.words import OTHER, SIDES
from controller.rules.squails.words import seats
from tests.legal_play import vocabulary

Json = dict[str, Any]

AFTER_THE_END = {
    "squails": {"lead_trial", "strike", "take_back", "claim_replay", "stand_target", "round_end", "new_round", "ruling"}
}
"""Kinds of events that a game refuses once it is over: all of them, but in squails a correction of the last round may come."""

TWICE: dict[str, set[str]] = {
    "bagatelle": set(),
    "fortification": {"colours_down", "respotted", "ball_lifted", "demand_respot"},
    "squails": {"strike", "take_back", "cry_out", "claim_replay", "stand_target", "round_end", "allow", "new_round"},
    "maw": {"turn_up", "ask", "vie", "pledge", "rob", "lead", "game_won"},
}
"""Kinds of events of which the very same one can't come again at once."""


def illegal_events(game: Game[Any], state: Any, before: Json | None) -> Iterator[Json]:
    """Events that are certainly illegal here; `before` is the one that led here."""
    if game.over(state) is not None:
        words = vocabulary(game.name)
        yield from (event for kind in AFTER_THE_END.get(game.name, words) for event in words.get(kind, ())[:3])
    else:
        yield from OUT_OF_PLACE[game.name](game, state)
    if before is not None and before["event"] in TWICE[game.name]:
        yield before


def _bagatelle(game: Game[Any], state: Any) -> Iterator[Json]:
    told, side = game.position(state), game.turn(state)
    other = {"A": "B", "B": "A"}[str(side)]
    ball = told["in_hand"][0]
    shot: Json = {"event": "shot", "ball": ball, "hit_black": False, "moves": []}
    yield shot | {"side": other}
    yield {"event": "end_turn", "side": other}
    yield shot | {"ball": "black"}
    yield shot | {"moves": [{"ball": ball, "to": "board"}, {"ball": ball, "to": "short"}]}
    yield from (shot | {"ball": one} for one in _EIGHT if one not in told["in_hand"])
    if told["black"] == "removed":
        yield shot | {"hit_black": True}
    # A turn that has begun doesn't begin again, and while it hasn't the other side's can't.
    fresh = told["balls_left"] == 8 and not told["black_struck"]
    yield {"event": "turn", "side": other if fresh else side}
    yield {"event": "ruling", "ask": "BAG-10", "by": str(side), "value": True}


_EIGHT = tuple([f"{colour}-{n}" for colour in ("white", "red") for n in range(1, 5)])


def _fortification(game: Game[Any], state: Any) -> Iterator[Json]:
    told: Any = game.position(state)
    side = told["turn"]
    yield from ({"event": "stroke", "side": ENEMY[side], "ball": ball, "facts": []} for ball in BALLS)
    for ball in BALLS:
        hit = {"fact": "hit", "ball": ball, "cushion_first": False}
        yield {"event": "stroke", "side": side, "ball": ball, "facts": [hit]}
        if ball not in told["unspotted"]:
            yield {"event": "respotted", "ball": ball}
    for fort in FORTS:
        if told["forts"][fort] == "standing":
            yield {"event": "colours_down", "of": fort, "by": side}
            yield from ({"event": "ball_lifted", "fort": fort, "ball": ball, "by": side} for ball in BALLS)
    for colours, owner in PASS_OWNER.items():
        if told["pass"][ENEMY[owner]] != "made":
            yield {"event": "colours_down", "of": colours, "by": owner}
    if told["english"] or side == "french" or any(told["score"].values()):
        yield {"event": "lag", "distance_mm": {"A": 1, "B": 2}, "far_cushion": {"A": True, "B": True}}
    yield {"event": "ruling", "ask": "FORT-37a", "by": side, "value": True}


def _squails(game: Game[Any], state: Any) -> Iterator[Json]:
    told: Any = game.position(state)
    table = seats(state.house.players, state.house.squails_each)
    to_play = told["to_play"]
    for squail, status in told["squails"].items():
        owner = table.side_of[squail]
        players = [one for one in table.players if table.side_of[one] == owner]
        for other in table.others(owner):
            yield {"event": "claim_replay", "squail": squail, "by": other}
        yield {"event": "strike", "player": next(p for p in table.players if p not in players), "squail": squail}
        yield {"event": "strike", "player": players[0], "squail": squail, "rose": True}
        yield {"event": "cry_out", "squail": squail, "by": owner}
        if to_play is not None and owner != table.side_of[to_play]:
            yield {"event": "strike", "player": players[0], "squail": squail}
        if status != "short":
            yield {"event": "take_back", "squail": squail}
        if status != "over":
            yield from ({"event": "cry_out", "squail": squail, "by": other} for other in table.others(owner))
        if status not in ("over", "claimable"):
            yield {"event": "claim_replay", "squail": squail, "by": owner}
        yield {"event": "round_end", "gaps_mm": {squail: -1}}
    for player in table.players:
        yield {"event": "stand_target", "by": player, "where": "elsewhere"}
        if player != table.captain(table.side_of[player]):
            yield from ({"event": kind, "by": player} for kind in ("allow", "dispute"))
            yield {"event": "claim", "by": player, "count": 0}
    if told["target"] != "unsteady":
        yield {"event": "stand_target", "by": table.players[0], "where": "as_found"}
    if told["round"] > 1 or to_play is not None:
        yield {"event": "lead_trial", "gaps_mm": dict.fromkeys(table.sides, 1)}
    yield {"event": "new_round", "target_at": "elsewhere"}
    yield {"event": "ruling", "ask": "SQU-02", "by": table.sides[0], "value": True}


def _maw(game: Game[Any], state: Any) -> Iterator[Json]:
    told: Any = game.position(state)
    deal = told["deal"]
    asked = {ask.ask for ask in game.asks(state)}
    for side in SIDES:
        if deal["over"] or deal["led"]:
            yield {"event": "lead", "by": side}
        if deal["over"] or not deal["led"]:
            yield {"event": "play", "by": side}
        if deal["over"] or deal["pending"] or deal["led"] == side:
            yield {"event": "vie", "by": side}
        if deal["over"] or deal["pending"] != OTHER[side]:
            yield from ({"event": kind, "by": side} for kind in ("pledge", "give_back"))
        if deal["over"] or deal["asked"] or deal["led"] or deal["tricks"]:
            yield {"event": "ask", "by": side}
        if deal["over"] or deal["led"] or deal["tricks"]:
            yield {"event": "turn_up", "by": side, "card": "AH"}
        if deal["over"]:
            yield {"event": "rob", "by": side, "has_ace": True}
            yield {"event": "game_won", "by": side}
            yield from ({"event": "offence", "law": law, "by": side} for law in (3, 5))
        if not deal["asked"]:
            yield {"event": "offence", "law": 5, "by": side, "looked_at": "asked_card"}
        yield from ({"event": "ruling", "ask": ask, "by": side, "value": True} for ask in QUESTIONS if ask not in asked)
        yield {"event": "ruling", "ask": "MAW-99", "by": side, "value": True}
    if deal["over"] or deal["tricks"] == 5:
        yield {"event": "trick_over"}


OUT_OF_PLACE: dict[str, Callable[[Game[Any], Any], Iterator[Json]]] = {
    "bagatelle": _bagatelle,
    "fortification": _fortification,
    "squails": _squails,
    "maw": _maw,
}
