"""What the position sensors of a table see: a camera of the squails and the target, a sensor of the target alone, or both."""

from __future__ import annotations

from collections.abc import Iterable

from controller.tables.table import Seen
from hardware.places import Place, Scene, scene_of

ROLES = ("squails", "target")


class Eyes:
    """Takes scenes; tells where everything lay when it was last at rest. `roles`: those that are fitted."""

    def __init__(self, roles: Iterable[str]) -> None:
        self._roles = frozenset(ROLES).intersection(roles)
        self._lost: frozenset[str] = frozenset()
        self._own_target: Place | None = None
        self._moving: set[str] = set()
        self._motion: list[int] = []  # observations of what moves now
        self._scene: Scene | None = None
        self._away: set[str] = set()
        self.still_since: int | None = None
        """Since when all has been at rest; None while it isn't, or nobody knows."""
        self.evidence: tuple[int, ...] = ()
        """The observations by which the latest rest became known."""
        self._rests: dict[str, int] = {}  # by role: the observation of its latest rest

    def lost(self, roles: frozenset[str]) -> None:
        """These roles are out of use: what their sensors saw is known no longer."""
        gone = roles - self._lost
        self._lost = roles
        self._moving -= gone
        if "squails" in gone:
            self.still_since = None
        if "target" in gone:
            self._own_target = None

    def look(self, seen: Seen) -> Scene | None:
        """Take a scene; gives it when it is one at rest."""
        role, scene = seen.observation.role, scene_of(str(seen.observation.value))
        if scene.away:
            self._rests.pop(role, None)
            self._away.add(role)
            self.still_since = None
            if role == "target":
                self._own_target = None
            return None
        self._away.discard(role)
        if not scene.rest:
            self._moving.add(role)
            self.still_since = None
            self._motion.append(seen.id)
            return None
        self._moving.discard(role)
        if role == "target":
            self._own_target = scene.places.get("target")
        else:
            self._scene = scene
        self.evidence = (*self._motion, seen.id)
        self._rests[role] = seen.id
        self._motion = []
        self.still_since = seen.observation.known
        return scene

    @property
    def basis(self) -> tuple[int, ...]:
        """The observations that tell where everything lies: the latest rest of each sensor."""
        return tuple(dict.fromkeys([*self.evidence, *self.rests]))

    @property
    def rests(self) -> tuple[int, ...]:
        """The latest rest of each sensor."""
        return tuple(number for role, number in sorted(self._rests.items()) if role not in self._lost)

    @property
    def scene(self) -> Scene | None:
        """The squails, and what else the camera sees, at rest."""
        return self._scene if self.sees_squails else None

    @property
    def away(self) -> frozenset[str]:
        """Roles in use whose sensor tells nothing now."""
        return frozenset(self._away - self._lost)

    @property
    def left_out(self) -> str | None:
        """A sensor of where things lie that is fitted and isn't in use, where none does its work."""
        out = self._roles & self._lost
        return "squails" if "squails" in out else "target" if "target" in out and not self.sees_squails else None

    @property
    def sees_squails(self) -> bool:
        """Whether a sensor tells where the squails lie."""
        return "squails" in self._roles - self._lost

    @property
    def sees_target(self) -> bool:
        """Whether a sensor may tell where the target stands."""
        return bool(self._roles - self._lost)

    @property
    def moving(self) -> bool:
        """Whether something moves."""
        return bool(self._moving)

    @property
    def target(self) -> Place | None:
        """Where the target stands; None where it isn't seen."""
        if self._own_target is not None:
            return self._own_target
        return None if self.scene is None else self.scene.places.get("target")
