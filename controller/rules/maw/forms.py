"""What may be entered now, as forms. Every filling of a form whose fields are all closed choices stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from controller.rules.awards import Json
from controller.rules.game import Field, Form
from controller.rules.maw import bars
from controller.rules.maw.questions import ask_of, first_of_each, speakers
from controller.rules.maw.state import State, Waiting, to_play
from controller.rules.maw.words import CARDS, OTHER, SIDES, Card, Side

_YES_NO: tuple[Json, ...] = (True, False)


def offers(state: State) -> tuple[Form, ...]:
    """The forms, most likely first."""
    if state.won is not None:
        return ()
    rulings = [_ruling(one) for one in first_of_each(state.waiting)]
    if state.deal.over:
        return (_NEW_DEAL, *rulings, *_SET_LOST, *_DEAL_LOST)
    return (
        *_vied(state),
        *rulings,
        *_trick(state),
        *_calls(state),
        *[_form("game_won", "The game is won", by, _by(by)) for by in SIDES],
        *_offences(state),
        _NEW_DEAL,
    )


def _choice(name: str, title: str, choices: Iterable[Json], *, required: bool = True) -> Field:
    return Field(name, title, choices=tuple(choices), required=required)


def _by(by: Side) -> Field:
    return _choice("by", "Side", (by,))


def _form(event: str, title: str, side: Side | None, *fields: Field) -> Form:
    return Form(event, title, side, fields)


@cache
def _ruling(waiting: Waiting) -> Form:
    ask = ask_of(waiting)
    value = _choice("value", "Answer", ask.choices) if ask.choices else Field("value", "Points", "number")
    fields = (_choice("ask", "Rule", (ask.ask,)), _choice("by", "Who says so", speakers(waiting)), value)
    return Form("ruling", ask.text, waiting.side if ask.ask == "MAW-09c" else None, fields)


def _vied(state: State) -> Iterator[Form]:
    if state.deal.pending:
        by = OTHER[state.deal.pending]
        if not bars.pledge(state, by):
            yield _form("pledge", "Pledges the vied card", by, _by(by))
        if not bars.give_back(state, by):
            yield _form("give_back", "Gives the vied card back", by, _by(by))


def _trick(state: State) -> Iterator[Form]:
    card = _card(state.deal.played)
    if not bars.lead(state):
        for by in SIDES:
            yield _form("lead", "Leads", by, _by(by), card)
    next_to_play = to_play(state)
    for by in SIDES if next_to_play is None else (next_to_play, OTHER[next_to_play]):
        if not bars.play(state, by):
            yield _form("play", "Plays", by, _by(by), card)
    if state.deal.led:
        yield _TRICK_OVER


@cache
def _all_cards() -> Field:
    return _choice("card", "Card", CARDS, required=False)


def _card(played: tuple[Card, ...]) -> Field:
    return _choice("card", "Card", [one for one in CARDS if one not in played], required=False) if played else _all_cards()


def _calls(state: State) -> Iterator[Form]:
    if not bars.turn_up(state):
        yield _TURN_UP
    for by in SIDES:
        if not bars.ask(state, by):
            yield _form("ask", "Asks a card", by, _by(by))
    for by in SIDES:
        if not bars.vie(state, by, leads_help=False, help_in_hand=False):
            yield _form("vie", "Vies", by, _by(by))
        elif not bars.vie(state, by, leads_help=True, help_in_hand=True):
            means = (_choice("leads_help", "Means to lead a help", (True,)), _choice("help_in_hand", "Still in hand", (True,)))
            yield _form("vie", "Vies on the asked card, meaning to lead a help", by, _by(by), *means)
    if not bars.rob(state):
        yield _ROB
    if not state.deal.led and not bars.trick_over(state):
        yield _TRICK_OVER


def _offences(state: State) -> Iterator[Form]:
    yield _form("offence", "Led when the mate should have", None, _choice("law", "Law", (3,)), _SIDE)
    looked = ("asked_card", "bottom_card") if state.deal.asked else ("bottom_card",)
    card = _choice("looked_at", "Which card", looked, required=False)
    yield _form("offence", "Looked at a card", None, _choice("law", "Law", (5,)), _SIDE, card)
    yield from _DEAL_LOST
    yield from _SET_LOST


_SIDE = _choice("by", "Side", SIDES)
_NEW_DEAL = Form("new_deal", "A new deal")
_TRICK_OVER = Form("trick_over", "The trick is over")
_TURN_UP = Form("turn_up", "Turned up", None, (_SIDE, _choice("card", "Card", CARDS)))
_ROB = Form(
    "rob",
    "Robs",
    None,
    (
        _SIDE,
        _choice("has_ace", "Has the ace of trumps", _YES_NO),
        _choice("same_card_back", "Laid the same card down again", _YES_NO, required=False),
        _choice("made_out_by", "Who made out the card", ("robber", "mate"), required=False),
    ),
)
_DEAL_LOST = (
    Form(
        "offence",
        "Lost the deal",
        None,
        (_choice("law", "Law", (4,)), _SIDE, _choice("deals_again", "Deals again", _YES_NO)),
    ),
)
_SET_LOST = (
    Form("offence", "Changed hands", None, (_choice("law", "Law", (1,)), _SIDE)),
    Form("offence", "Renounced", None, (_choice("law", "Law", (2,)), _SIDE)),
)
