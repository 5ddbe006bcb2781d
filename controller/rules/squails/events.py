"""The events of a game of squails."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Literal

from controller.rules.game import Event, RulingEvent
from controller.rules.squails.words import Player, Side, Squail


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadTrial(Event):
    """One squail of each captain, or player, for the lead: how far each lies from the target; null: it went out."""

    gaps_mm: Mapping[Side, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Strike(Event):
    """A squail was struck and all has come to rest.

    `in_from_edge_mm` is how far in from the striker's edge its nearest rim rests; left out: past the line of demarcation.
    `target` says what this stroke did to the target.
    """

    player: Player
    squail: Squail
    in_from_edge_mm: float | None = None
    crossed_far_line: bool = False
    """By its own strike: one that another drives across simply doesn't count (S-11)."""
    target: Literal["still", "moved", "unsteady", "out"] = "still"
    rose: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBack(Event):
    """The player takes a squail that fell short back in hand."""

    squail: Squail


@dataclass(frozen=True, slots=True, kw_only=True)
class CryOut(Event):
    """An opponent cries that a squail is out."""

    squail: Squail
    by: Side


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimReplay(Event):
    """The owner calls for a squail that went out uncried, to play it again."""

    squail: Squail
    by: Side


@dataclass(frozen=True, slots=True, kw_only=True)
class StandTarget(Event):
    """A player stands the unsteady target."""

    by: Player
    where: Literal["as_found", "elsewhere"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEnded(Event):
    """The round is over and was measured: clear distances rim to rim; null or left out: the squail is out (S-01)."""

    gaps_mm: Mapping[Squail, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim(Event):
    """A captain claims so many in."""

    by: Player
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute(Event):
    """A captain disputes what the other side claims."""

    by: Player


@dataclass(frozen=True, slots=True, kw_only=True)
class Allow(Event):
    """A captain allows what the other side claims."""

    by: Player


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauge(Event):
    """The gauge was laid between the target and a disputed squail."""

    squail: Squail
    touches: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch(Event):
    """The captain of a side touched squails."""

    squails: tuple[Squail, ...]
    by: Side


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRound(Event):
    """A new round is begun, with the target where it stands now."""

    target_at: Literal["centre", "elsewhere"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(RulingEvent):
    """A ruling; nothing in squails is left to one, so it is always refused."""

    by: Literal[Side, "marker"]


EVENTS: Mapping[str, type[Event]] = {
    "lead_trial": LeadTrial,
    "strike": Strike,
    "take_back": TakeBack,
    "cry_out": CryOut,
    "claim_replay": ClaimReplay,
    "stand_target": StandTarget,
    "round_end": RoundEnded,
    "claim": Claim,
    "dispute": Dispute,
    "allow": Allow,
    "gauge": Gauge,
    "touch": Touch,
    "new_round": NewRound,
    "ruling": Answer,
}


NAMES_IN: Mapping[type[Event], Callable[[Any], Iterable[str]]] = {
    LeadTrial: attrgetter("gaps_mm"),
    Strike: attrgetter("player", "squail"),
    TakeBack: lambda event: (event.squail,),
    CryOut: attrgetter("squail", "by"),
    ClaimReplay: attrgetter("squail", "by"),
    StandTarget: lambda event: (event.by,),
    RoundEnded: attrgetter("gaps_mm"),
    Claim: lambda event: (event.by,),
    Dispute: lambda event: (event.by,),
    Allow: lambda event: (event.by,),
    Gauge: lambda event: (event.squail,),
    Touch: lambda event: (event.by, *event.squails),
    NewRound: lambda _: (),
    Answer: lambda event: () if event.by == "marker" else (event.by,),
}
"""Every player, side and squail that an event names."""
