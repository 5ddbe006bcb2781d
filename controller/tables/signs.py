"""What a ball of fortification did at a place, and which of it are facts of a stroke."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from controller.rules.fortification.words import ENEMY, FORTS, NAME, Side
from controller.tables.table import Seen
from hardware.observations import Observation
from hardware.signals import MS

POCKETS = tuple(f"pocket-{n}" for n in range(1, 7))
SLOW = 300 * MS
"""A ball that rolls has left a beam by then; a hand is slower."""


@dataclass(frozen=True, slots=True)
class Sign:
    """Something that a ball did at a place: a fort, a pass or a pocket. `way`: of a pass, the side it came from, or "".

    `colours`: they came down, where nothing else tells that they should. `stays`: it stays in the beam; `slow`: it was there for
    longer than a ball that rolls. `id` is the journal's id of the observation.
    """

    what: Literal["bell", "arch", "pass", "pocket", "colours"]
    place: str
    at: int
    id: int
    way: str = ""
    stays: bool = False
    slow: bool = False

    @property
    def maybe_hand(self) -> bool:
        """Whether a hand does that as likely as a ball."""
        return self.stays or self.slow


def was_slow(o: Observation) -> bool:
    """Whether what broke a beam was in it for longer than a ball that rolls."""
    return o.kind == "crossing" and o.known - o.at > SLOW


def crossing(seen: Seen) -> Sign:
    """What broke a beam."""
    o = seen.observation
    if o.role.endswith("-arch"):
        return Sign("arch", o.role.removesuffix("-arch"), o.at, seen.id, slow=was_slow(o))
    if o.role in POCKETS:
        return Sign("pocket", o.role, o.at, seen.id, slow=was_slow(o))
    # The near beam of a pass stands on the side whose it is.
    near = cast(Side, o.role.removesuffix("-pass"))
    way = {"up": near, "down": ENEMY[near]}.get(str(o.value), "")
    return Sign("pass", "pass", o.at, seen.id, way, slow=was_slow(o))


def told(signs: Sequence[Sign], deaf: Collection[str]) -> list[Sign]:
    """The signs that are facts: a bell tells the arch before it, once a fort; a ball that went in and out again stays nowhere.

    Where no bell is heard (`deaf`) it may have rung all the same.
    """
    rung = {sign.place for sign in signs if sign.what == "bell"}
    entered = {sign.place for sign in signs if sign.what in ("bell", "arch")}
    facts: dict[tuple[str, int], Sign] = {}
    for sign in signs:
        if sign.what == "bell":
            facts.setdefault((sign.place, 0), sign)
        elif sign.what == "arch":
            if sign.place in deaf:
                facts.setdefault((sign.place, 0), sign)
            elif sign.place not in rung and stayed(signs, sign):
                facts[sign.place, 0] = sign
        elif sign.what == "colours":
            if sign.place not in entered:
                facts.setdefault((sign.place, 0), sign)
        else:
            facts[sign.place, sign.id] = sign
    return sorted(facts.values(), key=lambda sign: sign.at)


def stayed(signs: Sequence[Sign], sign: Sign) -> bool:
    """Whether what went into an arch hasn't come out of it again."""
    return len([one for one in signs if one.what == "arch" and one.place == sign.place]) % 2 == 1


def place_name(role: str) -> str:
    """A place in words."""
    fort = role.removesuffix("-arch")
    if fort in FORTS:
        return NAME[fort] if fort == role else f"the arch of {NAME[fort]}"
    return role.replace("-", " ") if role.startswith("pocket") else "the pass"
