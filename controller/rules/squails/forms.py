"""What may be entered now, as forms. Every filling of a form whose fields are all closed choices stands."""

from __future__ import annotations

from collections.abc import Iterable

from controller.rules.awards import Json
from controller.rules.game import Field, Form
from controller.rules.squails.count import on_table
from controller.rules.squails.play import REPLAYS
from controller.rules.squails.settle import open_sides, settled, unheard_claims
from controller.rules.squails.state import RoundEnd, State, over, owner, turns_done, untouched
from controller.rules.squails.words import Player, Side, Squail, Status, sentence, spoken


def offers(state: State) -> tuple[Form, ...]:
    """The forms, most likely first."""
    if state.end is not None:
        return tuple(_settlement(state, state.end))
    if over(state) is not None:
        return ()
    return tuple(_round(state))


def _choice(name: str, title: str, choices: Iterable[Json], *, required: bool = True) -> Field:
    return Field(name, title, choices=tuple(choices), required=required)


def _round(state: State) -> Iterable[Form]:
    table = state.seats
    strikers = _strikers(state)
    for players, squails in strikers:
        yield _strike(table.side_of[players[0]], players, squails)
    if state.target == "unsteady":
        standing = tuple([player for players, _ in strikers for player in players]) or _after_last(state)
        fields = (_choice("by", "Who", standing), _choice("where", "Where", ("as_found",)))
        yield Form("stand_target", "The target was stood where it lay", None, fields)
    for squail in _all(state, "over"):
        own = table.side_of[squail]
        fields = (_choice("squail", "Squail", (squail,)), _choice("by", "Side", table.others(own)))
        yield Form("cry_out", f"{sentence(spoken(squail))} is out", None, fields)
    for side in table.sides:
        claimable = [one for one in _all(state, *_may_claim(state)) if table.side_of[one] == side]
        open_ones = [one for one in claimable if one not in state.replay and state.replayed.count(one) < REPLAYS]
        if open_ones:
            fields = (_choice("squail", "Squail", open_ones), _choice("by", "Side", (side,)))
            yield Form("claim_replay", f"{sentence(spoken(side))} calls for a squail to play it again", side, fields)
    for players, squails in strikers:
        yield _short_strike(table.side_of[players[0]], players, squails)
    if short := _all(state, "short"):
        yield Form("take_back", "Taken back", table.side_of[short[0]], (_choice("squail", "Squail", short),))
    if state.to_play is None and state.round == 1 and untouched(state):
        yield Form("lead_trial", "The trial for the lead", None, (Field("gaps_mm", "Distance to the target, mm", "object"),))
    yield Form("round_end", "The round was measured", None, (Field("gaps_mm", "Distance to the target, mm", "object"),))
    yield Form("round_end", "The round is over, the captains count", None, (_choice("gaps_mm", "Measured", ({},)),))
    if turns_done(state) and not state.replay:
        yield from _touches(state, table.sides, ("played", "short"))


def _strikers(state: State) -> list[tuple[tuple[Player, ...], tuple[Squail, ...]]]:
    """Who may strike which squails now, in groups of which every pair stands."""
    table = state.seats
    if turns_done(state):
        if not state.replay:
            return []
        who = owner(state, state.replay[0])
        players = tuple([one for one in table.players_of[table.side_of[who]] if who in (one, table.side_of[one])])
        return [(players, state.replay[:1])]
    groups = []
    for side in table.sides if state.to_play is None else (table.side_of[state.to_play],):
        squails = tuple([one for one in table.squails[table.span[side]] if state.squails[table.place[one]] == "in_hand"])
        players = tuple([one for one in table.players_of[side] if state.to_play in (None, side, one)])
        if squails:
            groups.append((players, squails))
    return groups


def _after_last(state: State) -> tuple[Player, ...]:
    table = state.seats
    return table.following[state.last][:1] if state.last else table.players


def _strike(side: Side, players: tuple[Player, ...], squails: tuple[Squail, ...]) -> Form:
    fields = (
        _choice("player", "Player", players),
        _choice("squail", "Squail", squails),
        _choice("target", "The target", ("still", "moved", "unsteady", "out"), required=False),
        _choice("crossed_far_line", "It went right across the table", (False, True), required=False),
    )
    return Form("strike", f"{sentence(spoken(side))} strikes", side, fields)


def _short_strike(side: Side, players: tuple[Player, ...], squails: tuple[Squail, ...]) -> Form:
    fields = (
        _choice("player", "Player", players),
        _choice("squail", "Squail", squails),
        _choice("in_from_edge_mm", "The gauge touches it from the edge", (0,)),
        _choice("target", "The target", ("still", "moved", "unsteady", "out"), required=False),
    )
    return Form("strike", f"{sentence(spoken(side))} strikes, but it falls short", side, fields)


def _all(state: State, *kinds: Status) -> tuple[Squail, ...]:
    return tuple([one for one, status in zip(state.seats.squails, state.squails, strict=True) if status in kinds])


def _may_claim(state: State) -> tuple[Status, ...]:
    return ("claimable", "over") if turns_done(state) else ("claimable",)


def _settlement(state: State, end: RoundEnd) -> Iterable[Form]:
    if not settled(state):
        yield from _captains(state, end)
    if over(state) is None and not unheard_claims(state, end):
        yield Form("new_round", "A new round, the target in the centre", None, (_choice("target_at", "Target", ("centre",)),))


def _captains(state: State, end: RoundEnd) -> Iterable[Form]:
    table = state.seats
    waiting = [side for side in table.sides if side not in end.allowed]
    disputed = [
        table.squails[n] for side in waiting if side in end.disputed for n in on_table(state.house, state.squails, end, side)
    ]
    if disputed:
        fields = (_choice("squail", "Squail", disputed), _choice("touches", "The gauge touches it", (True, False)))
        yield Form("gauge", "The gauge was laid", None, fields)
    for side in table.sides:
        if any(one != side for one in open_sides(state, end)):
            captain = _choice("by", "Captain", (table.captain(side),))
            yield Form("allow", f"{sentence(spoken(side))} allows it", side, (captain,))
            yield Form("dispute", f"{sentence(spoken(side))} disputes it", side, (captain,))
    for side in waiting:
        claims = _choice("count", "How many in", range(state.house.squails_each + 1))
        fields = (_choice("by", "Captain", (table.captain(side),)), claims)
        yield Form("claim", f"{sentence(spoken(side))} claims", side, fields)
    yield from _touches(state, waiting, ("played", "over"))
    if not end.allowed and all(one is None for one in end.claims):
        for squail in _all(state, "over"):
            fields = (_choice("squail", "Squail", (squail,)), _choice("by", "Side", table.others(table.side_of[squail])))
            yield Form("cry_out", f"{sentence(spoken(squail))} is out", None, fields)


def _touches(state: State, sides: Iterable[Side], kinds: tuple[Status, ...]) -> Iterable[Form]:
    for side in sides:
        own: list[Json] = [[one] for one in _all(state, *kinds) if state.seats.side_of[one] == side]
        if own:
            fields = (_choice("squails", "Squail", own), _choice("by", "Side", (side,)))
            yield Form("touch", f"{sentence(spoken(side))} touched a squail before it was allowed", side, fields)
