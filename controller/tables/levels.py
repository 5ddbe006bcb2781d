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

    def begin(self, levels: Mapping[str, bool]) -> None:
        """Take them as they were found: when they changed nobody knows."""
        self._on.update(levels)

    def take(self, o: Observation, seen: int) -> None:
        """A level has changed."""
        self._on[o.role] = bool(o.value)
        self._changed[o.role] = (o.at, seen)

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

    def missing(self) -> list[Notice]:
        """The balls that must stand on their spots before a game begins (FORT-03)."""
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
