"""Colours and spots of a fortification table as their switches have them, and what people must do about them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from controller.rules.awards import Notice
from controller.rules.fortification.words import BALLS, NAME, Ball
from controller.tables.colours import COLOURS, Due, notices_of
from hardware.observations import Observation
from hardware.signals import SECOND


class Levels:
    """By role. `has`: whether a sensor fills a role and may be believed."""

    def __init__(self, has: Callable[[str], bool]) -> None:
        self._has = has
        self._on: dict[str, bool] = {}
        self._changed: dict[str, tuple[int, int]] = {}
        self._unseen: dict[str, int] = {}
        self._blind: frozenset[str] = frozenset()

    def begin(self, levels: Mapping[str, bool], at: int) -> None:
        """Take them as they were found at this time: when they changed nobody knows. Those found first are how it all began."""
        for role, on in levels.items():
            # One that was out and is as it was may have been otherwise meanwhile.
            if self._on and (self._on.get(role) != on or role in self._blind):
                self._unseen[role] = at
                self._changed.pop(role, None)
        self._on.update(levels)
        self._blind = frozenset(role for role in self._blind if not self._has(role))

    def lose(self, roles: frozenset[str]) -> None:
        """These roles have no sensor now: what they would see is unseen."""
        self._blind |= roles

    def take(self, o: Observation, seen: int, *, in_play: bool) -> None:
        """A level has changed; what changes while nothing is play is no event, and remembered as unseen."""
        self._on[o.role] = bool(o.value)
        self._changed[o.role] = (o.at, seen)
        if in_play:
            self._unseen.pop(o.role, None)
        else:
            self._unseen[o.role] = o.at

    def unseen(self, role: str) -> int | None:
        """By when it had come to be as it is, if that was not seen in play; None if it was, or was so from the beginning."""
        return self._unseen.get(role)

    def settle(self, role: str) -> None:
        """It has been told how it came to be as it is."""
        self._unseen.pop(role, None)

    @property
    def sees(self) -> frozenset[str]:
        """With a switch under every flag: which colours must come down. With all spots: which balls must go back."""
        rules: frozenset[str] = frozenset()
        if all(self._has(f"{of}-colours") for of in COLOURS):
            rules |= {"FORT-07a", "FORT-12a"}
        if all(self._has(f"{ball}-spot") for ball in BALLS):
            rules |= {"FORT-06", "FORT-09b", "FORT-10", "FORT-18b", "FORT-22b", "FORT-35a", "FORT-38d", "F-10"}
        return rules

    def up(self, of: str) -> bool | None:
        """Whether these colours are up; None where no sensor tells."""
        role = f"{of}-colours"
        return self._on.get(role) if self._has(role) else None

    def on_spot(self, ball: str) -> bool:
        """Whether a sensor sees this ball on its spot."""
        role = f"{ball}-spot"
        return self._has(role) and self._on.get(role, False)

    def changed(self, role: str) -> tuple[int, int] | None:
        """When it changed last, and the journal's id of what tells it; None where it never did."""
        return self._changed.get(role)

    def left_lately(self, at: int) -> Iterator[tuple[Ball, int, int]]:
        """The balls that left their spots within a second of this time, and when, with the ids that tell it."""
        for ball in BALLS:
            changed = self.changed(f"{ball}-spot")
            if changed is not None and self._off(ball) and abs(at - changed[0]) < SECOND:
                yield ball, *changed

    def until_clear(self, due: Mapping[str, Due], unspotted: Collection[str]) -> tuple[Notice, ...]:
        """What must be done before play begins; before anything has been played that balls stand on their spots (FORT-03)."""
        if unspotted or any(one != "up" for one in due.values()):
            return tuple(self.colours(due))
        return (*self.colours(due), *self._missing())

    def _missing(self) -> list[Notice]:
        return [Notice("FORT-03", f"Put {NAME[ball]} on its spot.") for ball in BALLS if self._off(ball)]

    def owed(self, unspotted: Collection[str]) -> list[Notice]:
        """The balls that must go back."""
        text = "Put {} back on its spot, or behind it if another lies there."
        return [Notice("FORT-35a", text.format(NAME[ball])) for ball in BALLS if ball in unspotted and self._off(ball)]

    def colours(self, due: Mapping[str, Due]) -> list[Notice]:
        """What must be done with colours that a sensor sees where they shouldn't be."""
        return [*notices_of(due, self.up)]

    def _off(self, ball: Ball) -> bool:
        return self._has(f"{ball}-spot") and not self.on_spot(ball)
