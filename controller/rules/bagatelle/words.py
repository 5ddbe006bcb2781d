"""The words of bagatelle: balls, cups, events, house rules, and what a cup is worth."""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from controller.rules.awards import Award
from controller.rules.game import Event, Option, RulingEvent

Side = Literal["A", "B"]
Player = Literal["A1", "B1", "A2", "B2"]
Ball = Literal["black", "white-1", "white-2", "white-3", "white-4", "red-1", "red-2", "red-3", "red-4"]
Cup = Literal["1", "2", "3", "4", "5", "6", "7", "8", "9"]
CupName = Literal["cup-1", "cup-2", "cup-3", "cup-4", "cup-5", "cup-6", "cup-7", "cup-8", "cup-9"]
Rest = Literal[CupName, "board", "half_way_line", "past_half_way", "short", "off_table"]
Seen = Mapping[Cup, Ball]
"""The filled cups as seen."""

BLACK: Final = "black"
EIGHT = ("white-1", "white-2", "white-3", "white-4", "red-1", "red-2", "red-3", "red-4")
"""The balls that are played (BAG-01)."""
CUPS = range(1, 10)
CUP_NUMBER = {f"cup-{n}": n for n in CUPS}
PLAYING_ORDER = {False: ("A", "B"), True: ("A1", "B1", "A2", "B2")}
"""Whose whole eight follows whose, by whether partners play (BAG-17, B-10)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Where one ball came to rest."""

    ball: Ball
    to: Rest


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot(Event):
    """One ball played. A ball on the bed that `moves` doesn't name lies where it lay; the one played then lies on the board."""

    ball: Ball
    hit_black: bool
    """Whether the played ball struck the black, off a cushion or directly (B-12)."""
    moves: tuple[Move, ...]
    from_: Literal["b", "behind_b", "ahead_of_b"] | None = None
    """Where it was played from; left out: from where the rules want it."""
    side: Side | None = None
    cups: Seen | None = None
    """The occupancy as seen after the shot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndTurn(Event):
    """The rest of the turn is given up (B-14)."""

    side: Side | None = None
    cups: Seen | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTurn(Event):
    """A side's turn begins; the other side's unfinished one is closed."""

    side: Side
    cups: Seen | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(RulingEvent):
    """A ruling; nothing in bagatelle is left to one, so it is always refused."""

    by: Literal[Side, "marker"]


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """The house rules of one game; `OPTIONS` says what each does."""

    target: int
    partners: bool
    scoring: Literal["final", "as_made"]
    tie: Literal["draw", "extra_turns"]
    corner: Literal[60, "half_target"]
    half_way_applies_to: Literal["any", "cue_ball", "any_but_black"]
    short_ball: Literal["stays", "removed", "replay"]

    @property
    def corner_at(self) -> int:
        """The last hole of the upward row: a side that has no more hasn't turned the corner (BAG-03, B-04)."""
        return 60 if self.corner == 60 else self.target // 2

    def takes_off(self, ball: str, played: str) -> bool:
        """Whether `ball`, driven back past the half-way line, is taken off (BAG-08, B-05)."""
        if self.half_way_applies_to == "cue_ball":
            return ball == played
        return self.half_way_applies_to == "any" or ball != BLACK


OPTIONS = (
    Option("target", 120, "How many points a side must reach before the game can end.", item="BAG-13"),
    Option("partners", False, "Whether four play, two against two, a whole eight each in turn.", (False, True), item="BAG-17"),
    Option(
        "scoring",
        "final",
        "Whether the cups filled at the end of the turn count, or every holing as it is made.",
        ("final", "as_made"),
        item="B-01",
    ),
    Option(
        "tie", "draw", "Whether equal totals are a draw, or each side plays another turn.", ("draw", "extra_turns"), item="B-02"
    ),
    Option(
        "corner",
        60,
        "Which score a loser must pass to save the double: the board's sixty, or half the target.",
        (60, "half_target"),
        item="B-04",
    ),
    Option(
        "half_way_applies_to",
        "any",
        "Which balls are taken off when driven back past the half-way line: any, the played one alone, any but the black.",
        ("any", "cue_ball", "any_but_black"),
        item="B-05",
    ),
    Option(
        "short_ball",
        "stays",
        "Whether a ball too weak to reach the half-way line stays, is taken off, or is played again.",
        ("stays", "removed", "replay"),
        item="B-08",
    ),
)


@functools.cache
def cup_award(side: str, cup: int, black: bool) -> Award:
    """The award for a filled cup."""
    if black:
        return Award(side, 2 * cup, "BAG-12", f"The black in cup {cup} counts double.")
    return Award(side, cup, "BAG-11", f"A ball in cup {cup}.")


def title(ball: str) -> str:
    """A ball's name for people: `white-1` is "white 1", `black` "the black"."""
    return "the black" if ball == BLACK else ball.replace("-", " ")


def sentence(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def listed(words: Sequence[str]) -> str:
    """Join words as people say them: "3, 7 and 9"."""
    return " and ".join(part for part in (", ".join(words[:-1]), words[-1]) if part) if words else ""


def cups_named(cups: Collection[str]) -> str:
    """Cups as people say them: "cup 3", "cups 3 and 7"."""
    return f"{'cup' if len(cups) == 1 else 'cups'} {listed(sorted(cups))}"
