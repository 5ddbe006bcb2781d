"""The house rules: what the old text leaves open, with the defaults that the rule book argues for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from controller.rules.game import Option
from controller.rules.squails.words import Seats, seats

SET_OF_SQUAILS = 16

OPTIONS: tuple[Option, ...] = (
    Option("target", 5, "The score that wins the game: five is a short game, eleven a long one.", item="SQU-24"),
    Option(
        "players",
        2,
        "How many play: an even number makes two sides, an odd number everyone against everyone.",
        least=2,
        most=8,
        item="SQU-04",
    ),
    Option(
        "gauge_mm",
        76.2,
        "The length of the gauge in millimetres, for the ring round the target and for the line of demarcation.",
        whole=False,
        item="SQU-11",
    ),
    Option(
        "squails_each",
        None,
        "How many squails a side plays, or a player where there are no sides; left out: eight, or sixteen shared out.",
        most=8,
        item="S-18",
    ),
    Option(
        "level",
        "none",
        "Squails of different sides that are equally near: neither counts, or every squail level as nearest counts.",
        ("none", "split"),
        item="S-02",
    ),
    Option(
        "null_promotes",
        False,
        "Whether squails behind one that was touched too soon move up, as if it weren't there.",
        (False, True),
        item="S-05",
    ),
    Option(
        "under_claim",
        "claim",
        "A captain who claims fewer than are in: only the claim counts, or all that are in.",
        ("claim", "all"),
        item="S-04",
    ),
    Option(
        "solo_target_out",
        "all",
        "Without sides, who adds one when the target is struck out: every other player, or nobody.",
        ("all", "none"),
        item="S-06",
    ),
    Option(
        "blank_round_lead",
        "same",
        "Who begins after a round that nobody won: whoever began it, or the next side.",
        ("same", "other"),
        item="S-03",
    ),
)


@dataclass(frozen=True, slots=True)
class House:
    """One value for each option."""

    target: int
    players: int
    gauge_mm: float
    squails_each: int
    level: Literal["none", "split"]
    null_promotes: bool
    under_claim: Literal["claim", "all"]
    solo_target_out: Literal["all", "none"]
    blank_round_lead: Literal["same", "other"]

    @property
    def seats(self) -> Seats:
        """Who plays."""
        return seats(self.players, self.squails_each)


def share(players: int) -> int:
    """Squails each where the house doesn't say: eight a side; without sides the set is shared out (S-18)."""
    return SET_OF_SQUAILS // (2 if players % 2 == 0 else players)
