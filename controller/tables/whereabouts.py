"""Where each squail came to lie, and in which round: what lies there from before is not of the round in play. Pure.

A squail that is seen no longer is remembered: hidden for a while and seen again where it lay, it has neither been lifted nor
struck. One that hangs over the edge is in hand again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from controller.tables.demarcation import Ground
from hardware.places import Place, Scene


@dataclass(frozen=True, slots=True)
class _Lay:
    """Where a squail lies, or did when it was seen last.

    `came`: the observation of the rest in which it came there; `round`: in which that was; None: while nothing was play, or
    nobody knows how. `seen`: its stroke was.
    """

    place: Place
    came: int
    round: int | None
    seen: bool = False


class Whereabouts:
    """Takes every scene of the squails at rest, whatever the phase, and the place of the target."""

    def __init__(self) -> None:
        self._lay: dict[str, _Lay] = {}
        self._lying: frozenset[str] = frozenset()
        self._looked = False
        self._target: tuple[Place, int] | None = None  # since which observation it stands there

    def look(self, scene: Scene, ground: Ground, round_: int | None, *, by: int, found: bool, anew: bool) -> frozenset[str]:
        """Take a scene; gives the squails that can't have been struck since the one before.

        `by`: its observation. `round_`: the one in play; None: what moves now is no play. `found`: nobody watched until this
        scene; `anew`: the sensor has begun anew, so what lay there begins to be seen as well.
        """
        unwatched = found or scene.blind or not self._looked
        lying = {name: place for name, place in scene.places.items() if name != "target" and ground.lies(place)}
        # What moved while nobody watched is not known: of that only the place now is.
        moved = {} if unwatched else scene.moved
        came_from = {name: moved.get(name, place) for name, place in {**scene.gone, **lying}.items()}
        sudden = {
            name for name, place in lying.items() if name not in self._lying and not place.is_surely_apart_from(came_from[name])
        }
        barred = {*self._lying}
        for name in scene.places.keys() - lying.keys():
            self._lay.pop(name, None)
        for name, place in scene.gone.items():
            lay = self._lay.get(name)
            if lay is not None and _same(lay, came_from[name], place, ground, sudden=False):
                barred.add(name)
        for name, place in lying.items():
            lay = self._lay.get(name)
            was_there = name in self._lying and not unwatched
            if lay is not None and (was_there or _same(lay, came_from[name], place, ground, sudden=name in sudden)):
                elsewhere = place.is_surely_apart_from(came_from[name]) or place.is_surely_apart_from(lay.place)
                self._lay[name] = replace(lay, place=place, came=by if elsewhere else lay.came)
                barred.add(name)
            elif round_ is None or (name in sudden and len(sudden) > 1 and not unwatched and not anew):
                # What comes into sight together was uncovered, or laid there by hands.
                self._lay[name] = _Lay(place, by, None)
                barred.add(name)
            elif unwatched or name not in scene.moved or (name in sudden and anew):
                self._lay[name] = _Lay(place, by, round_)
                barred.add(name)
            else:
                self._lay[name] = _Lay(place, by, round_, seen=True)
        self._lying = frozenset(lying)
        self._looked = True
        return frozenset(barred)

    def look_at_target(self, place: Place | None, *, by: int) -> None:
        """Note where the target stands after an observation of a rest; None: it isn't seen."""
        if place is not None and (self._target is None or place.is_surely_apart_from(self._target[0])):
            self._target = (place, by)

    def came(self, squails: Iterable[str]) -> tuple[int, ...]:
        """The observations by which these squails and the target came where they lie, the earliest first."""
        target = () if self._target is None else (self._target[1],)
        return tuple(sorted({*target, *(self._lay[one].came for one in squails if one in self._lying)}))

    def of_round(self, squail: str, round_: int) -> bool:
        """Whether a squail lies there, and came there in this round."""
        return squail in self._lying and self._lay[squail].round == round_

    def was_seen_struck(self, squail: str) -> bool:
        """Whether it was seen how a squail came where it lies."""
        return squail in self._lying and self._lay[squail].seen

    def lies(self, squail: str) -> bool:
        """Whether a squail lies there, from whenever."""
        return squail in self._lying


def _same(lay: _Lay, came_from: Place, place: Place, ground: Ground, *, sudden: bool) -> bool:
    """Whether a squail that is seen again lay there all the while; one that comes into sight at rest may have been nudged."""
    if sudden:
        return lay.place.far_from(place) < ground.squail
    return not came_from.is_surely_apart_from(lay.place)
