"""The house rules: what the laws leave open, with the defaults that the rule book argues for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from controller.rules.game import Option

OPTIONS: tuple[Option, ...] = (
    Option("out", 27, "The score that wins the set.", item="M-04"),
    Option("livings", 2, "The points that a side has as its livings.", item="M-04"),
    Option("game_value", 4, "The points that a game is worth, before its asked and crossed cards.", item="M-03"),
    Option(
        "loss",
        "credit",
        "Where lost points go: on to the other side's score, or off the score of the side at fault.",
        ("credit", "deduct"),
        item="M-02",
    ),
    Option(
        "decline",
        "lapse",
        "A vied card given back: it lapses and play goes on, or whoever gives it back concedes the game.",
        ("lapse", "concede_game"),
        item="M-07",
    ),
    Option(
        "strict_seed",
        False,
        "Whether people are asked for every amount that the laws don't state, instead of the model deciding.",
        (False, True),
        item="M-04",
    ),
)


@dataclass(frozen=True, slots=True)
class House:
    """One value for each option, and the scores that laws 9 and 15 speak of."""

    out: int
    livings: int
    game_value: int
    loss: Literal["credit", "deduct"]
    decline: Literal["lapse", "concede_game"]
    strict_seed: bool

    @property
    def limit(self) -> int:
        """The score above which a side is out: law 9's twenty-six."""
        return 26 if self.strict_seed else self.out - 1

    @property
    def at_livings(self) -> int:
        """The score from which livings set a side out: law 9's twenty-five."""
        return 25 if self.strict_seed else self.out - self.livings

    @property
    def past_livings(self) -> int:
        """The score from which a game alone takes a side past its livings: law 15's twenty-three."""
        return 23 if self.strict_seed else self.out - self.game_value
