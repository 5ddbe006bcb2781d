"""The events of a game of maw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from controller.rules.game import Event, RulingEvent
from controller.rules.maw.words import Card, Side, Speaker
from controller.rules.shapes import Unreadable


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDeal(Event):
    """The cards are dealt anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnUp(Event):
    """The dealer's side (M-19) turns up a card on the stock."""

    by: Side
    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class AskCard(Event):
    """A side asks a card."""

    by: Side


@dataclass(frozen=True, slots=True, kw_only=True)
class Vie(Event):
    """A side offers one more card. An asker who means to lead a help says so, and whether the help is still in hand.

    Raises `Unreadable` where only one of the two is told.
    """

    by: Side
    leads_help: bool = False
    help_in_hand: bool | None = None

    def __post_init__(self) -> None:
        if self.leads_help and self.help_in_hand is None:
            raise Unreadable("the field 'help_in_hand' is missing: with leads_help it says whether the help is still in hand")
        if not self.leads_help and self.help_in_hand is not None:
            raise Unreadable("'help_in_hand' belongs to a vie that has \"leads_help\":true")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pledge(Event):
    """A side accepts the vied card: it is crossed."""

    by: Side


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveBack(Event):
    """A side declines the vied card."""

    by: Side


@dataclass(frozen=True, slots=True, kw_only=True)
class Rob(Event):
    """A side takes the turned-up card, and the robber or his mate makes out another."""

    by: Side
    has_ace: bool
    same_card_back: bool = False
    made_out_by: Literal["robber", "mate"] = "robber"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead(Event):
    """A side leads to a trick."""

    by: Side
    card: Card | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Play(Event):
    """A side plays to the trick that was led."""

    by: Side
    card: Card | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickOver(Event):
    """The trick is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameWon(Event):
    """A side has won the game, which is this deal (M-13)."""

    by: Side


@dataclass(frozen=True, slots=True, kw_only=True)
class Offence(Event):
    """A side broke one of the first five laws; laws 6 and 7 come with a rob.

    Law 4 says whether the same dealer deals again, law 5 may say what was looked at. Raises `Unreadable` for fields of
    another law.
    """

    law: Literal[1, 2, 3, 4, 5]
    by: Side
    deals_again: bool | None = None
    looked_at: Literal["asked_card", "bottom_card"] | None = None

    def __post_init__(self) -> None:
        if self.law == 4 and self.deals_again is None:
            raise Unreadable("the field 'deals_again' is missing: law 4 hangs on it")
        if self.law != 4 and self.deals_again is not None:
            raise Unreadable(f"'deals_again' belongs to law 4, not to law {self.law}")
        if self.law != 5 and self.looked_at is not None:
            raise Unreadable(f"'looked_at' belongs to law 5, not to law {self.law}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(RulingEvent):
    """What people answered: a side, or the marker."""

    by: Speaker


EVENTS: Mapping[str, type[Event]] = {
    "new_deal": NewDeal,
    "turn_up": TurnUp,
    "ask": AskCard,
    "vie": Vie,
    "pledge": Pledge,
    "give_back": GiveBack,
    "rob": Rob,
    "lead": Lead,
    "play": Play,
    "trick_over": TrickOver,
    "game_won": GameWon,
    "offence": Offence,
    "ruling": Answer,
}
